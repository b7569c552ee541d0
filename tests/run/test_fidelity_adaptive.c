/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheduler with a dynamic of its own: a rebuild is throttled while it makes clients slow. */
#include "fidelity.h"

/* Five nodes of two slots, of which clients need 60 %. A rebuild that may have what it can take
 * makes I/O slower than the high mark, without one it is faster than the low mark, and the two are
 * so close that the share goes up and down all the time. */
static const char *const base[] = {
    FIVE_HOSTS,
    "cluster.detect=1 s",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "data.logical=80 GB",
    "workload.read_share=80 %",
    "workload.block=4 KiB",
    "workload.restart=20 s",
    "workload.return=30 s",
    "background.scheduler=adaptive",
    "background.scheduler.high=7 ms",
    "background.scheduler.low=6.5 ms",
    "background.scheduler.least=20 %",
    "background.scheduler.period=50 ms",
    "background.rebuild.delay=1 min",
    "timeline[0].fail=node 2",
    "timeline[1].at=40 min",
    "timeline[1].restore=node 2",
    "run.max_simulated=120 s",
    UNTIL_STEADY,
    NULL,
};

static const Case adaptive_raid5 = {
    base,
    {"data.protection=raid5", "workload.rate=1800 /s"},
    WALK,
    0.02,
};

int main(void)
{
    const struct CMUnitTest tests[] = {AGREE(adaptive_raid5)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
