/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts.h"

#include <aftershock/scenario/services.h>

double aft_parts_work_s(const AftNodeSpec *node, gint64 io_ns, gint64 per_mib_ns, double bytes)
{
    double ns = (double)io_ns + (double)per_mib_ns * bytes / 1048576.0;
    return node->controller.slots > 0 ? ns / 1e9 : 0.0;
}

double aft_parts_controller_s(const AftNodeSpec *node, double bytes)
{
    return aft_parts_work_s(node, node->controller.io_ns, node->controller.per_mib_ns, bytes);
}

double aft_parts_request_s(const AftNodeSpec *node)
{
    return aft_parts_work_s(node, node->controller.request_ns, 0, 0.0);
}

double aft_parts_decode_s(const AftPoolSpec *pool)
{
    return (double)(pool->initial.degraded_ns + aft_services_degraded_ns(pool)) / 1e9;
}

double aft_parts_wire_s(const AftNodeSpec *node, double bytes)
{
    return node->nic_bytes_per_s > 0.0 ? bytes / node->nic_bytes_per_s : 0.0;
}

static double transfer_s(const AftDiskSpec *disk, gboolean write, double bytes)
{
    double bytes_per_s = write ? disk->profile->write_bytes_per_s : disk->profile->read_bytes_per_s;
    return bytes_per_s > 0.0 ? bytes / bytes_per_s : 0.0;
}

double aft_parts_disk_s(const AftDiskSpec *disk, gboolean write, gboolean follows, double bytes)
{
    gint64 access_ns = write ? disk->profile->write_ns : disk->profile->read_ns;
    double share = follows ? disk->profile->sequential : 1.0;
    return transfer_s(disk, write, bytes) + share * (double)access_ns / 1e9;
}

void aft_load_add(AftLoad *load, const AftDiskSpec *disk, gboolean write, gboolean follows,
                  double bytes, double visits)
{
    load->access_s +=
        visits * aft_parts_disk_s(disk, write, follows, bytes) / disk->profile->parallel;
    load->transfer_s += visits * transfer_s(disk, write, bytes);
}
