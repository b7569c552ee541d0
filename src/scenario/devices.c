/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/devices.h>

#define US (G_GINT64_CONSTANT(1000))
#define MB (1e6)
#define GB (G_GUINT64_CONSTANT(1000000000))
#define SPREAD                                  \
    {                                           \
        .kind = AFT_SPREAD_LOGNORMAL, .cv = 0.6 \
    }

/* A spinning disk does one thing at a time: a mean seek (9, 6, 4 ms) and half a turn (4.17, 3,
 * 2 ms). Its transfer is the mean over inner and outer tracks. What follows the access before needs
 * neither: 2 %, 0.12 to 0.26 ms, are the command and its part of a step to the next track.
 *
 * A flash drive has one `parallel` for reads and writes, so access times follow from what data
 * sheets promise of a drive in lasting use at 4 KiB: ceiling = parallel / access time. Reads
 * start from the time of a flash page read with its map look-up and command. Writes are
 * acknowledged from a protected buffer, in less than a read at low load; lasting writes wait for
 * garbage collection too, which the access time holds, as it is the ceiling that decides what a
 * cluster bears.
 *
 * Annual failure rates: 1.5 % of disks and 0.9 % of SSDs in Backblaze's fleet, 0.5 % of NVMe. */
static const AftBuiltinDevice builtin[] = {
    {{"hdd-7k2", 13170 * US, 13170 * US, SPREAD, 1, 200 * MB, 200 * MB, 0.02, 8000 * GB, 0.015,
      0.0},
     "7,200 rpm disk: 76 I/Os a second"},
    {{"hdd-10k", 9000 * US, 9000 * US, SPREAD, 1, 200 * MB, 200 * MB, 0.02, 1800 * GB, 0.015, 0.0},
     "10,000 rpm disk: 111 I/Os a second"},
    {{"hdd-15k", 6000 * US, 6000 * US, SPREAD, 1, 220 * MB, 220 * MB, 0.02, 600 * GB, 0.015, 0.0},
     "15,000 rpm disk: 167 I/Os a second"},
    /* 10 / 110 us = 91k reads, 10 / 130 us = 77k writes; the 6 Gbit/s link carries 530 MB/s. */
    {{"sata-ssd", 110 * US, 130 * US, SPREAD, 10, 530 * MB, 500 * MB, 1.0, 3840 * GB, 0.009, 0.0},
     "SATA flash for mixed use: 91k reads or 77k writes of 4 KiB a second"},
    /* 18 / 110 us = 164k reads, 18 / 120 us = 150k writes; one 12 Gbit/s port. */
    {{"sas-ssd", 110 * US, 120 * US, SPREAD, 18, 1050 * MB, 1000 * MB, 1.0, 3840 * GB, 0.009, 0.0},
     "SAS flash for mixed use: 164k reads or 150k writes of 4 KiB a second"},
    /* Much spare area keeps garbage collection out of the way: 18 / 100 us = 180k reads and
     * 18 / 90 us = 200k writes. */
    {{"sas-ssd-write", 100 * US, 90 * US, SPREAD, 18, 1050 * MB, 1000 * MB, 1.0, 800 * GB, 0.009,
      0.0},
     "SAS flash for many writes, a cache device: 180k reads or 200k writes of 4 KiB a second"},
    /* 48 / 80 us = 600k of either; four lanes of PCIe 3. */
    {{"nvme-ssd", 80 * US, 80 * US, SPREAD, 48, 3200 * MB, 3000 * MB, 1.0, 3840 * GB, 0.005, 0.0},
     "NVMe flash: 600k reads or writes of 4 KiB a second"},
};

const AftBuiltinDevice *aft_devices_builtin(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(builtin);
    return builtin;
}
