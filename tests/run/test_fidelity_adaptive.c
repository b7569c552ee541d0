/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheduler with a dynamic of its own: a rebuild is throttled while it makes clients slow. */
#include "fidelity.h"

/* Five nodes of two slots, of which clients need 60 %. A rebuild that may have what it can take
 * makes I/O slower than the high mark, without one it is faster than the low mark, and the two are
 * so close that the share goes up and down all the time. */
static const char *const base[] = {
    "version=1",
    "cluster.nodes=5",
    "cluster.detect=1 s",
    "cluster.node.controller.slots=2",
    "cluster.node.controller.io=1.5 ms",
    "cluster.node.controller.per_mib=16 ms",
    "cluster.node.controller.latency=1 ms",
    "cluster.node.disk_groups.capacity.device=sata-ssd",
    "cluster.node.disk_groups.capacity.count=2",
    "data.placement_groups=65536",
    "data.logical=80 GB",
    "workload.kind=paced",
    "workload.vms=10",
    "workload.outstanding=40",
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
    "background.rebuild.unit=64 KiB",
    "background.rebalance.unit=64 KiB",
    "timeline[0].at=2 min",
    "timeline[0].fail=node 2",
    "timeline[1].at=40 min",
    "timeline[1].restore=node 2",
    "run.until=steady",
    "run.settle=2 min",
    "run.duration=3 h",
    "run.precision=1 %",
    "run.max_simulated=120 s",
    NULL,
};

#define WALK "steady failed rebuild catchup rebalance steady"

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
