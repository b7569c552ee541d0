/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/keys.h>
#include <math.h>

/* One century: far beyond any experiment, and far from the end of 63 bits of nanoseconds. */
#define CENTURY_S (36500.0 * 86400.0)
#define YEAR_S    (365.0 * 86400.0)
#define HOUR_S    (3600.0)
#define KILOBYTE  (1e3)            /* a second: a GiB then takes days, not centuries */
#define LIFE_S    (250.0 * YEAR_S) /* of one part, at most: 63 bits of nanoseconds hold 292 years */
#define EXABYTE   (1e18)
#define GIBIBYTE  (1073741824.0)
#define TWO_TO_53 (9007199254740992.0)

static const char *const file_kinds[] = {"scenario", NULL};
static const char *const spread_kinds[] = {"deterministic", "exponential", "lognormal", "erlang",
                                           "weibull",       "empirical",   NULL};
static const char *const scheme_names[] = {"none",           "raid0", "rf2",         "raid1",
                                           "raid10",         "rf3",   "replication", "raid5",
                                           "raid6",          "ec",    "parity",      "lrc",
                                           "rf-then-encode", NULL};
static const char *const workload_kinds[] = {"closed", "open", "paced", "trace", NULL};
static const char *const accesses[] = {"random", "sequential", NULL};
static const char *const skews[] = {"uniform", "zipf", NULL};
static const char *const trace_formats[] = {"auto", "msr", "alibaba", NULL};
static const char *const pacings[] = {"poisson", "even", NULL};
static const char *const schedulers[] = {
    "fifo",     "strict",   "weighted", "round-robin",   "mclock",           "adaptive",
    "vsan-6.7", "vsan-6.6", "nutanix",  "ceph-balanced", "ceph-high-client", "ceph-high-recovery",
    "wpq",      NULL};
static const char *const scheduled[] = {"controllers", "all", NULL};
static const char *const rewrites[] = {"parity", "strip", NULL};
static const char *const switches[] = {"off", "on", NULL};
static const char *const whens[] = {"inline", "destage", NULL};
static const char *const failure_domains[] = {"device", "group", NULL};
static const char *const tier_parities[] = {"front", "destage", NULL};
static const char *const domains[] = {"device", "node", "rack", NULL};
static const char *const maintenance_modes[] = {"accessible", "evacuate", NULL};
static const char *const fault_parts[] = {"node",  "controller", "device", "cache",
                                          "group", "rack",       NULL};
static const char *const triggers[] = {"immediate", "scan", "full-scan", NULL};
static const char *const untils[] = {"steady", "duration", NULL};
static const char *const fidelities[] = {"io", "sampled", "flow", NULL};

static const char *const bare_spread[] = {"kind", NULL};
static const char *const bare_latency[] = {"read", "write", NULL};
static const char *const bare_protection[] = {"scheme", NULL};
static const char *const bare_scheduler[] = {"kind", NULL};
static const char *const bare_service[] = {"enabled", NULL};

static const AftKeyList lists[AFT_LISTS] = {
    [AFT_LIST_DEVICES] = {"devices.*", AFT_LIST_NONE, offsetof(AftScenario, devices),
                          offsetof(AftScenario, n_devices), sizeof(AftDeviceProfile), 1000, TRUE,
                          NULL},
    [AFT_LIST_DEVICE_VALUES] = {"devices.*.spread.values[*]", AFT_LIST_DEVICES,
                                offsetof(AftDeviceProfile, spread.values),
                                offsetof(AftDeviceProfile, spread.n_values), sizeof(double), 100000,
                                FALSE, NULL},
    [AFT_LIST_CONTROLLER_VALUES] = {"cluster.node.controller.spread.values[*]", AFT_LIST_NONE,
                                    offsetof(AftScenario, cluster.node.controller.spread.values),
                                    offsetof(AftScenario, cluster.node.controller.spread.n_values),
                                    sizeof(double), 100000, FALSE, NULL},
    [AFT_LIST_DISK_GROUPS] = {"cluster.node.disk_groups[*]", AFT_LIST_NONE,
                              offsetof(AftScenario, cluster.node.disk_groups),
                              offsetof(AftScenario, cluster.node.n_disk_groups),
                              sizeof(AftDiskGroupSpec), 100, FALSE, NULL},
    [AFT_LIST_GROUPS] = {"cluster.groups[*]", AFT_LIST_NONE, offsetof(AftScenario, cluster.groups),
                         offsetof(AftScenario, cluster.n_groups), sizeof(AftNodeGroupSpec), 1000,
                         FALSE, NULL},
    [AFT_LIST_GROUP_VALUES] = {"cluster.groups[*].node.controller.spread.values[*]",
                               AFT_LIST_GROUPS,
                               offsetof(AftNodeGroupSpec, node.controller.spread.values),
                               offsetof(AftNodeGroupSpec, node.controller.spread.n_values),
                               sizeof(double), 100000, FALSE, NULL},
    [AFT_LIST_GROUP_DISKS] = {"cluster.groups[*].node.disk_groups[*]", AFT_LIST_GROUPS,
                              offsetof(AftNodeGroupSpec, node.disk_groups),
                              offsetof(AftNodeGroupSpec, node.n_disk_groups),
                              sizeof(AftDiskGroupSpec), 100, FALSE, NULL},
    [AFT_LIST_POOLS] = {"data[*]", AFT_LIST_NONE, offsetof(AftScenario, pools),
                        offsetof(AftScenario, n_pools), sizeof(AftPoolSpec), 1000, FALSE,
                        "logical"},
    [AFT_LIST_WORKLOADS] = {"workload[*]", AFT_LIST_NONE, offsetof(AftScenario, workloads),
                            offsetof(AftScenario, n_workloads), sizeof(AftWorkloadSpec), 1000,
                            FALSE, NULL},
    [AFT_LIST_BLOCKS] = {"workload[*].blocks[*]", AFT_LIST_WORKLOADS,
                         offsetof(AftWorkloadSpec, blocks), offsetof(AftWorkloadSpec, n_blocks),
                         sizeof(AftBlockSpec), 64, FALSE, NULL},
    [AFT_LIST_DAY] = {"workload[*].day[*]", AFT_LIST_WORKLOADS, offsetof(AftWorkloadSpec, day),
                      offsetof(AftWorkloadSpec, n_day), sizeof(double), 288, FALSE, NULL},
    [AFT_LIST_TIMELINE] = {"timeline[*]", AFT_LIST_NONE, offsetof(AftScenario, timeline),
                           offsetof(AftScenario, n_timeline), sizeof(AftAction), 100000, FALSE,
                           NULL},
    [AFT_LIST_FAULTS] = {"faults[*]", AFT_LIST_NONE, offsetof(AftScenario, faults),
                         offsetof(AftScenario, n_faults), sizeof(AftFaultSpec), 1000, FALSE, NULL},
    [AFT_LIST_LIFE_VALUES] = {"faults[*].life.values[*]", AFT_LIST_FAULTS,
                              offsetof(AftFaultSpec, life.values),
                              offsetof(AftFaultSpec, life.n_values), sizeof(double), 100000, FALSE,
                              NULL},
    [AFT_LIST_REPAIR_VALUES] = {"faults[*].repair_spread.values[*]", AFT_LIST_FAULTS,
                                offsetof(AftFaultSpec, repair.values),
                                offsetof(AftFaultSpec, repair.n_values), sizeof(double), 100000,
                                FALSE, NULL},
};

/* clang-format off */
#define ROOT(member)       AFT_LIST_NONE, offsetof(AftScenario, member)
#define NODE(member)       AFT_LIST_NONE, offsetof(AftScenario, cluster.node.member)
#define GROUP(member)      AFT_LIST_GROUPS, offsetof(AftNodeGroupSpec, member)
#define GROUP_NODE(member) AFT_LIST_GROUPS, offsetof(AftNodeGroupSpec, node.member)
#define DEVICE(member)     AFT_LIST_DEVICES, offsetof(AftDeviceProfile, member)
#define POOL(member)       AFT_LIST_POOLS, offsetof(AftPoolSpec, member)
#define WORKLOAD(member)   AFT_LIST_WORKLOADS, offsetof(AftWorkloadSpec, member)
#define BLOCK(member)      AFT_LIST_BLOCKS, offsetof(AftBlockSpec, member)
#define ACTION(member)     AFT_LIST_TIMELINE, offsetof(AftAction, member)
#define FAULT(member)      AFT_LIST_FAULTS, offsetof(AftFaultSpec, member)

#define CAN_FAIL (PART(NODE) | PART(CONTROLLER) | PART(DEVICE) | PART(CACHE) | PART(GROUP) | PART(RACK))

#define RANGE(low, high) .minimum = (low), .maximum = (high)
#define ABOVE(low, high) RANGE(low, high), .above = TRUE
#define DEFAULT(text)    .fallback = (text)
#define REQUIRED         .required = TRUE
#define VERB(kind)       .action = AFT_ACTION_##kind
#define PART(kind)       (1u << AFT_PART_##kind)
#define WORD(text, value) .word = (text), .word_value = (value)

#define SPREAD_ROWS(path, IN, member, values_list, usual) \
    {path, AFT_KEY_BARE, IN(member), .choices = bare_spread, .help = "How times vary around their mean."}, \
    {path ".kind", AFT_KEY_CHOICE, IN(member.kind), DEFAULT(usual), .choices = spread_kinds, .help = "The distribution of the times."}, \
    {path ".cv", AFT_KEY_NUMBER, IN(member.cv), ABOVE(0.0, 100.0), DEFAULT("0.6"), .help = "Standard deviation over mean, of lognormal."}, \
    {path ".shape", AFT_KEY_NUMBER, IN(member.shape), RANGE(0.1, 1e6), .help = "Shape of weibull, at most 100; of erlang, the number of stages."}, \
    {path ".values[*]", AFT_KEY_NUMBER, values_list, 0, ABOVE(0.0, 1e12), .help = "Measured times of empirical, in any unit: they are scaled to the mean."}

#define DISK_ROWS(path, list, which, low, needed) \
    {path "." #which ".device", AFT_KEY_TEXT, list, offsetof(AftDiskGroupSpec, which.device), .required = needed, .help = "Name of a device profile."}, \
    {path "." #which ".count", AFT_KEY_COUNT, list, offsetof(AftDiskGroupSpec, which.count), RANGE(low, 10000.0), .help = "Devices of this kind in the group; 1 when one is named."}, \
    {path "." #which ".size", AFT_KEY_BYTES, list, offsetof(AftDiskGroupSpec, which.size_bytes), RANGE(1.0, EXABYTE), .help = "Size of each device; the profile's unless said otherwise."}

#define NODE_ROWS(path, IN, values_list, disks_list) \
    {path ".controller.slots", AFT_KEY_COUNT, IN(controller.slots), RANGE(0.0, 10000.0), .help = "Sub-operations in service at once; 0: no controller, its work costs nothing."}, \
    {path ".controller.io", AFT_KEY_TIME, IN(controller.io_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Mean service time of one sub-operation."}, \
    {path ".controller.per_mib", AFT_KEY_TIME, IN(controller.per_mib_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Added to the mean service time per MiB."}, \
    {path ".controller.request", AFT_KEY_TIME, IN(controller.request_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Mean service time of a client operation as a whole, where its machine runs."}, \
    {path ".controller.latency", AFT_KEY_BARE, IN(controller), .choices = bare_latency, .help = "Pure delay of a sub-operation: it occupies nothing."}, \
    {path ".controller.latency.read", AFT_KEY_TIME, IN(controller.read_latency_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Pure delay of a read."}, \
    {path ".controller.latency.write", AFT_KEY_TIME, IN(controller.write_latency_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Pure delay of a write."}, \
    SPREAD_ROWS(path ".controller.spread", IN, controller.spread, values_list, "exponential"), \
    {path ".compute", AFT_KEY_CHOICE, IN(compute), DEFAULT("on"), .choices = switches, .help = "Whether virtual machines may run on it."}, \
    {path ".nic", AFT_KEY_BANDWIDTH, IN(nic_bytes_per_s), RANGE(KILOBYTE, 1e15), DEFAULT("none"), WORD("none", 0.0), .help = "Network bandwidth of a node, each direction; none: transfers cost nothing."}, \
    {path ".price", AFT_KEY_NUMBER, IN(price), RANGE(0.0, 1e12), DEFAULT("0"), .by_meaning = TRUE, .help = "Price of a node without its devices, for size; in whatever money, the same everywhere."}, \
    {path ".disk_groups[*].count", AFT_KEY_COUNT, disks_list, offsetof(AftDiskGroupSpec, count), RANGE(1.0, 1000.0), DEFAULT("1"), .help = "Groups like this one in each node."}, \
    DISK_ROWS(path ".disk_groups[*]", disks_list, cache, 0.0, FALSE), \
    DISK_ROWS(path ".disk_groups[*]", disks_list, capacity, 1.0, TRUE)

#define TRIGGER_ROW(name, index, what) \
    {"background." name ".trigger", AFT_KEY_CHOICE, ROOT(background.task[index].trigger), DEFAULT("immediate"), .choices = triggers, .help = "What lets " what " begin: its cause, the next scan that passes, or the next full one."}

#define DELAY_ROW(name, index, wait, what) \
    {"background." name ".delay", AFT_KEY_TIME, ROOT(background.task[index].delay_ns), RANGE(0.0, CENTURY_S), DEFAULT(wait), .help = "From what causes it until " what " may start."}

#define TASK_ROWS(name, index, urgency, what) \
    {"background." name ".priority", AFT_KEY_COUNT, ROOT(background.task[index].priority), RANGE(1.0, 3.0), DEFAULT(urgency), .help = "Class " what " runs in at every station: 1 is p1."}, \
    {"background." name ".unit", AFT_KEY_BYTES, ROOT(background.task[index].unit_bytes), RANGE(4096.0, GIBIBYTE), DEFAULT("1 MiB"), .help = "Bytes of one unit of work."}, \
    {"background." name ".in_flight_per_node", AFT_KEY_COUNT, ROOT(background.task[index].in_flight_per_node), RANGE(1.0, 100000.0), DEFAULT("8"), .help = "Units in progress at once, counted at the node that is written."}, \
    {"background." name ".groups_per_node", AFT_KEY_COUNT, ROOT(background.task[index].groups_per_node), RANGE(1.0, 100000.0), .help = "Groups worked on at once, counted there; 1 unless said otherwise, of a conversion or a scrub as many as units."}, \
    {"background." name ".bandwidth", AFT_KEY_BANDWIDTH, ROOT(background.task[index].bytes_per_s), RANGE(KILOBYTE, 1e15), DEFAULT("unlimited"), WORD("unlimited", 0.0), .help = "Cap on the bytes written, cluster-wide."}

#define PROTECTION_ROWS(path, IN, what) \
    {path, AFT_KEY_BARE, IN(protection), .choices = bare_protection, .help = what}, \
    {path ".scheme", AFT_KEY_WORD, IN(protection.scheme), DEFAULT("none"), .by_meaning = TRUE, .choices = scheme_names, .help = "Name of a protection scheme."}, \
    {path ".data", AFT_KEY_COUNT, IN(protection.data), RANGE(1.0, 64.0), .help = "Data units of a stripe; the scheme's unless said otherwise."}, \
    {path ".local", AFT_KEY_COUNT, IN(protection.local), RANGE(1.0, 16.0), .help = "Local groups of an lrc stripe, each with a parity unit of its own; 2 unless said otherwise."}, \
    {path ".parity", AFT_KEY_COUNT, IN(protection.parity), RANGE(1.0, 16.0), .help = "Parity units of a stripe, under lrc those over all data; the scheme's unless said otherwise."}, \
    {path ".copies", AFT_KEY_COUNT, IN(protection.copies), RANGE(2.0, 16.0), .by_meaning = TRUE, .help = "Copies under replication; of rf-then-encode, 2 unless said otherwise."}, \
    {path ".degraded", AFT_KEY_TIME, IN(protection.degraded_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Mean extra controller time of a degraded client operation."}, \
    {path ".updates", AFT_KEY_COUNT, IN(protection.updates), RANGE(1.0, 1e6), DEFAULT("unlimited"), WORD("unlimited", 0.0), .by_meaning = TRUE, .help = "Updates of parity that one virtual machine has in progress at once; what finds none free waits, reads for the next that ends."}, \
    {path ".update", AFT_KEY_TIME, IN(protection.update_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .by_meaning = TRUE, .help = "Mean controller time of an update of parity, where its machine runs, between its reads and writes."}, \
    {path ".stripe_unit", AFT_KEY_BYTES, IN(protection.stripe_unit_bytes), RANGE(512.0, GIBIBYTE), DEFAULT("1 MiB"), .help = "Contiguous bytes of one member of a stripe."}, \
    {path ".rewrite", AFT_KEY_CHOICE, IN(protection.rewrite), DEFAULT("parity"), .choices = rewrites, .help = "What is written when copies become a stripe: parity, beside one copy that stays; or strip, all of it."}, \
    {path ".age", AFT_KEY_TIME, IN(protection.age_ns), RANGE(0.0, CENTURY_S), DEFAULT("7 d"), .help = "Of rf-then-encode: data is encoded when it has not been written for so long."}

#define SERVICE_ROWS(name, index, domain) \
    {"data[*].services." name, AFT_KEY_BARE, POOL(services[index]), .choices = bare_service, .help = "Whether and how " name " works."}, \
    {"data[*].services." name ".enabled", AFT_KEY_CHOICE, POOL(services[index].enabled), DEFAULT("off"), .choices = switches, .help = "Whether it is on; it is when another of its keys is written."}, \
    {"data[*].services." name ".when", AFT_KEY_CHOICE, POOL(services[index].when), DEFAULT("inline"), .choices = whens, .help = "When writes pay: inline, before they are acknowledged; or at destage."}, \
    {"data[*].services." name ".read_delay", AFT_KEY_TIME, POOL(services[index].read_delay_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Pure delay of each sub-operation that reads for a client."}, \
    {"data[*].services." name ".write_delay", AFT_KEY_TIME, POOL(services[index].write_delay_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Pure delay of each sub-operation that writes for a client."}, \
    {"data[*].services." name ".io", AFT_KEY_TIME, POOL(services[index].io_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Mean controller time of a client operation, where its machine runs; at destage, of a destage."}, \
    {"data[*].services." name ".per_mib", AFT_KEY_TIME, POOL(services[index].per_mib_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Added to io per MiB."}, \
    {"data[*].services." name ".degraded", AFT_KEY_TIME, POOL(services[index].degraded_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "Mean controller time that a degraded operation takes more, beside protection.degraded."}, \
    {"data[*].services." name ".metadata_reads", AFT_KEY_NUMBER, POOL(services[index].metadata_reads), RANGE(0.0, 100.0), DEFAULT("0"), .help = "Mean number of 4 KiB reads of the map for each sub-operation that reads for a client."}, \
    {"data[*].services." name ".metadata_writes", AFT_KEY_NUMBER, POOL(services[index].metadata_writes), RANGE(0.0, 10000.0), DEFAULT("0"), .help = "Mean number of 4 KiB writes of the map for each sub-operation that writes; at destage, for each destage."}, \
    {"data[*].services." name ".background_factor", AFT_KEY_NUMBER, POOL(services[index].background_factor), ABOVE(0.0, 1000.0), DEFAULT("1"), .help = "Factor on the controller time of background units."}, \
    {"data[*].services." name ".move_factor", AFT_KEY_NUMBER, POOL(services[index].move_factor), RANGE(0.0, 1000.0), DEFAULT("0"), .help = "The same for units that only move data, as a rebalance does; 0: background_factor."}, \
    {"data[*].services." name ".ratio", AFT_KEY_NUMBER, POOL(services[index].ratio), ABOVE(0.0, 2.0), DEFAULT("1"), .help = "Bytes stored per byte: 0.5 saves half."}, \
    {"data[*].services." name ".failure_domain", AFT_KEY_CHOICE, POOL(services[index].failure_domain), DEFAULT(domain), .choices = failure_domains, .help = "What is lost with one capacity device behind a cache: itself, or its disk group."}

#define WEIGHT_ROW(name, class, usual) \
    {"background.scheduler.weights." name, AFT_KEY_NUMBER, ROOT(background.scheduler.weights[class]), ABOVE(0.0, 1e6), DEFAULT(usual), .help = "Share of " name " in service time against the others', while both wait."}

#define RESERVATION_ROW(name, class) \
    {"background.scheduler.reservations." name, AFT_KEY_SHARE, ROOT(background.scheduler.reservations[class]), RANGE(0.0, 1.0), DEFAULT("0 %"), .help = "Share of a station that " name " gets when it wants it; of mclock."}
#define LIMIT_ROW(name, class) \
    {"background.scheduler.limits." name, AFT_KEY_SHARE, ROOT(background.scheduler.limits[class]), ABOVE(0.0, 10.0), DEFAULT("none"), WORD("none", (double)INFINITY), .help = "Share of a station that " name " gets at most; of mclock."}

static const AftKey keys[] = {
    {"version", AFT_KEY_COUNT, ROOT(version), RANGE(1.0, 1.0), REQUIRED, .help = "Version of the file format."},
    {"kind", AFT_KEY_WORD, ROOT(kind), DEFAULT("scenario"), .choices = file_kinds, .help = "What the file describes."},
    {"name", AFT_KEY_TEXT, ROOT(name), DEFAULT("unnamed"), .help = "What the experiment is called in reports."},

    {"devices.*.read", AFT_KEY_TIME, DEVICE(read_ns), RANGE(0.0, HOUR_S), REQUIRED, .help = "Mean access time of a read, apart from its transfer."},
    {"devices.*.write", AFT_KEY_TIME, DEVICE(write_ns), RANGE(0.0, HOUR_S), REQUIRED, .help = "Mean access time of a write, apart from its transfer."},
    SPREAD_ROWS("devices.*.spread", DEVICE, spread, AFT_LIST_DEVICE_VALUES, "lognormal"),
    {"devices.*.parallel", AFT_KEY_COUNT, DEVICE(parallel), RANGE(1.0, 10000.0), DEFAULT("1"), .help = "Accesses in progress at once."},
    {"devices.*.read_bandwidth", AFT_KEY_BANDWIDTH, DEVICE(read_bytes_per_s), RANGE(KILOBYTE, 1e15), DEFAULT("unlimited"), WORD("unlimited", 0.0), .help = "Transfer of reads, one at a time."},
    {"devices.*.write_bandwidth", AFT_KEY_BANDWIDTH, DEVICE(write_bytes_per_s), RANGE(KILOBYTE, 1e15), DEFAULT("unlimited"), WORD("unlimited", 0.0), .help = "Transfer of writes, one at a time."},
    {"devices.*.sequential", AFT_KEY_SHARE, DEVICE(sequential), RANGE(0.0, 1.0), DEFAULT("100 %"), .help = "Share of the access time of what follows the access before, as on a disk that need not seek."},
    {"devices.*.size", AFT_KEY_BYTES, DEVICE(size_bytes), RANGE(1.0, EXABYTE), .help = "Size of the device."},
    {"devices.*.afr", AFT_KEY_SHARE, DEVICE(afr), RANGE(0.0, 1.0), DEFAULT("0 %"), .help = "Annual failure rate: share of devices that fail in a year."},
    {"devices.*.price", AFT_KEY_NUMBER, DEVICE(price), RANGE(0.0, 1e12), DEFAULT("0"), .by_meaning = TRUE, .help = "Price of one device, for size; in whatever money, the same everywhere."},

    {"cluster.nodes", AFT_KEY_COUNT, ROOT(cluster.nodes), RANGE(1.0, 100000.0), .help = "Nodes, all alike; a mixed cluster has groups instead."},
    NODE_ROWS("cluster.node", NODE, AFT_LIST_CONTROLLER_VALUES, AFT_LIST_DISK_GROUPS),
    {"cluster.groups[*].nodes", AFT_KEY_COUNT, GROUP(nodes), RANGE(1.0, 100000.0), REQUIRED, .help = "Nodes of the group, all alike; they are counted from those of the groups before on."},
    {"cluster.groups[*].rack", AFT_KEY_COUNT, GROUP(rack), RANGE(0.0, 99999.0), DEFAULT("all"), WORD("all", AFT_RACK_ALL), .help = "Rack that all of them are in, from 0; all: they are in all racks, in blocks."},
    NODE_ROWS("cluster.groups[*].node", GROUP_NODE, AFT_LIST_GROUP_VALUES, AFT_LIST_GROUP_DISKS),
    {"cluster.detect", AFT_KEY_TIME, ROOT(cluster.detect_ns), RANGE(0.0, CENTURY_S), DEFAULT("6 s"), .help = "From a failure until the cluster knows; I/O to the dead part waits until then."},
    {"cluster.racks", AFT_KEY_COUNT, ROOT(cluster.racks), RANGE(1.0, 100000.0), DEFAULT("1"), .help = "Racks; nodes are in them in blocks, as even as whole numbers allow."},
    {"cluster.full", AFT_KEY_SHARE, ROOT(cluster.full), ABOVE(0.0, 1.0), DEFAULT("95 %"), .help = "Background work places nothing on a device filled above this, and writes to one wait."},

    {"data[*].name", AFT_KEY_TEXT, POOL(name), .help = "Name of the pool; with one pool, data."},
    {"data[*].logical", AFT_KEY_BYTES, POOL(logical_bytes), RANGE(1.0, EXABYTE), REQUIRED, .help = "What clients have stored, before protection."},
    {"data[*].placement_groups", AFT_KEY_COUNT, POOL(placement_groups), RANGE(1.0, 1e7), DEFAULT("4096"), .help = "Stripes that placement moves as one."},
    {"data[*].domain", AFT_KEY_CHOICE, POOL(domain), DEFAULT("node"), .choices = domains, .help = "What the members of a group never share: a device, a node or a rack."},
    PROTECTION_ROWS("data[*].protection", POOL, "How the data survives failures."),
    SERVICE_ROWS("compression", AFT_SERVICE_COMPRESSION, "device"),
    SERVICE_ROWS("dedupe", AFT_SERVICE_DEDUPE, "group"),

    {"tiers.parity", AFT_KEY_CHOICE, ROOT(tiers.parity), DEFAULT("front"), .choices = tier_parities, .help = "Who pays for copies and parity: front, before a write is acknowledged; or destage, behind a log on two nodes."},
    {"tiers.low", AFT_KEY_SHARE, ROOT(tiers.low), RANGE(0.0, 1.0), DEFAULT("30 %"), .help = "Fill of a write buffer down to which it is destaged, and above which writes are delayed."},
    {"tiers.high", AFT_KEY_SHARE, ROOT(tiers.high), ABOVE(0.0, 1.0), DEFAULT("90 %"), .help = "Fill from which writes are delayed most."},
    {"tiers.begin", AFT_KEY_SHARE, ROOT(tiers.begin), RANGE(0.0, 1.0), .help = "Fill at which a write buffer begins to be destaged, to go on down to tiers.low; tiers.low unless said otherwise, which keeps it there."},
    {"tiers.priority", AFT_KEY_COUNT, ROOT(tiers.priority), RANGE(1.0, 3.0), DEFAULT("destage"), WORD("destage", 0.0), .help = "Class that destages go in: destage, their own, or that of background tasks of this priority."},
    {"tiers.delay_max", AFT_KEY_TIME, ROOT(tiers.delay_max_ns), RANGE(0.0, HOUR_S), DEFAULT("20 ms"), .help = "Delay of a client's write at tiers.high; it grows with the square of the way from tiers.low."},
    {"tiers.unit", AFT_KEY_BYTES, ROOT(tiers.unit_bytes), RANGE(512.0, GIBIBYTE), DEFAULT("1 MiB"), .help = "Bytes that one destage moves, in sequence."},
    {"tiers.in_flight", AFT_KEY_COUNT, ROOT(tiers.in_flight), RANGE(1.0, 10000.0), DEFAULT("8"), .help = "Destages in progress at once, per cache device."},
    {"tiers.read_share", AFT_KEY_SHARE, ROOT(tiers.read_share), RANGE(0.0, 0.99), DEFAULT("0 %"), .help = "Part of each cache device that keeps what has been read; the rest is write buffer."},
    {"tiers.buffer", AFT_KEY_BYTES, ROOT(tiers.buffer_bytes), RANGE(1.0, EXABYTE), DEFAULT("unlimited"), WORD("unlimited", 0.0), .help = "Write buffer of one cache device, at most."},
    {"tiers.start", AFT_KEY_SHARE, ROOT(tiers.start), RANGE(0.0, 1.0), .help = "Fill of the write buffers at the start; tiers.low unless said otherwise."},

    {"workload[*].name", AFT_KEY_TEXT, WORKLOAD(name), .help = "Name of the workload; with one workload, workload."},
    {"workload[*].kind", AFT_KEY_CHOICE, WORKLOAD(kind), REQUIRED, .choices = workload_kinds, .help = "closed: slots that wait for their I/O; open: arrivals whatever happens; paced: a target rate in a limited number of slots; trace: recorded I/O."},
    {"workload[*].pool", AFT_KEY_TEXT, WORKLOAD(pool), .by_meaning = TRUE, .help = "Name of the pool it uses; the first unless said otherwise."},
    {"workload[*].vms", AFT_KEY_COUNT, WORKLOAD(vms), RANGE(1.0, 1e6), REQUIRED, .help = "Virtual machines."},
    {"workload[*].on", AFT_KEY_SELECTOR, WORKLOAD(on), DEFAULT("all"), .by_meaning = TRUE, .help = "Nodes the virtual machines run on, in turn."},
    {"workload[*].rate", AFT_KEY_RATE, WORKLOAD(rate_per_s), ABOVE(0.0, 1e9), .help = "Arrivals, in total over the virtual machines; of open and paced."},
    {"workload[*].pacing", AFT_KEY_CHOICE, WORKLOAD(pacing), DEFAULT("poisson"), .choices = pacings, .help = "How arrivals are spaced; of open and paced."},
    {"workload[*].burst.factor", AFT_KEY_NUMBER, WORKLOAD(burst.factor), ABOVE(1.0, 1e6), .help = "Rate in bursts over that between them; of open and paced with pacing poisson."},
    {"workload[*].burst.share", AFT_KEY_SHARE, WORKLOAD(burst.share), ABOVE(0.0, 0.99), .help = "Share of the time that bursts take."},
    {"workload[*].burst.mean", AFT_KEY_TIME, WORKLOAD(burst.mean_ns), RANGE(1e-6, YEAR_S), .help = "Mean time that a burst lasts, exponential."},
    {"workload[*].day[*]", AFT_KEY_NUMBER, AFT_LIST_DAY, 0, RANGE(0.0, 1e6), .help = "Rates of equal parts of a day against one another, rate being their mean; of open and paced."},
    {"workload[*].day_start", AFT_KEY_TIME, WORKLOAD(day_start_ns), RANGE(0.0, 86400.0), DEFAULT("0 s"), .help = "Time of day at the start."},
    {"workload[*].outstanding", AFT_KEY_COUNT, WORKLOAD(outstanding), RANGE(1.0, 1e7), .help = "I/Os in flight at most, in total over the virtual machines; open and trace have 65536 unless said otherwise."},
    {"workload[*].think", AFT_KEY_TIME, WORKLOAD(think_ns), RANGE(0.0, YEAR_S), DEFAULT("0 s"), .help = "Mean pause of a slot between its I/Os, exponential; of closed."},
    {"workload[*].read_share", AFT_KEY_SHARE, WORKLOAD(read_share), RANGE(0.0, 1.0), DEFAULT("70 %"), .help = "Share of reads in the I/Os."},
    {"workload[*].block", AFT_KEY_BYTES, WORKLOAD(block_bytes), RANGE(512.0, GIBIBYTE), DEFAULT("4 KiB"), .help = "Bytes of one I/O."},
    {"workload[*].blocks[*].block", AFT_KEY_BYTES, BLOCK(block_bytes), RANGE(512.0, GIBIBYTE), REQUIRED, .help = "A size that some of the I/Os have, instead of one for all."},
    {"workload[*].blocks[*].share", AFT_KEY_SHARE, BLOCK(share), ABOVE(0.0, 1.0), REQUIRED, .help = "Share of the I/Os that have it; all shares make 100 %."},
    {"workload[*].blocks[*].read_share", AFT_KEY_SHARE, BLOCK(read_share), RANGE(0.0, 1.0), .help = "Share of reads among those; the workload's unless said otherwise."},
    {"workload[*].working_set", AFT_KEY_BYTES, WORKLOAD(working_set_bytes), RANGE(1.0, EXABYTE), DEFAULT("all"), WORD("all", 0.0), .by_meaning = TRUE, .help = "How much of the pool's data it reads and writes."},
    {"workload[*].access", AFT_KEY_CHOICE, WORKLOAD(access), DEFAULT("random"), .choices = accesses, .help = "Where I/O goes in its working set: anywhere, or block after block."},
    {"workload[*].streams", AFT_KEY_COUNT, WORKLOAD(streams), RANGE(1.0, 1000.0), DEFAULT("1"), .help = "Places of each virtual machine where sequential I/O goes on, in turn."},
    {"workload[*].skew", AFT_KEY_CHOICE, WORKLOAD(skew), DEFAULT("uniform"), .choices = skews, .help = "How I/O falls on that: uniform, all alike; or zipf, the r-th hottest part in proportion to r to the power of -theta."},
    {"workload[*].theta", AFT_KEY_NUMBER, WORKLOAD(theta), ABOVE(0.0, 2.0), .help = "Exponent of zipf."},
    {"workload[*].locality", AFT_KEY_SHARE, WORKLOAD(locality), RANGE(0.0, 1.0), DEFAULT("0 %"), .help = "Share of the I/Os that go to data with a member on the virtual machine's own node; the others go anywhere."},
    {"workload[*].file", AFT_KEY_FILE, WORKLOAD(file), .by_meaning = TRUE, .help = "Recorded I/O to replay, from the folder of the scenario's file on; of trace."},
    {"workload[*].format", AFT_KEY_CHOICE, WORKLOAD(format), DEFAULT("auto"), .choices = trace_formats, .help = "Form of its rows; auto tells it by the first; of trace."},
    {"workload[*].speed", AFT_KEY_NUMBER, WORKLOAD(speed), RANGE(1e-6, 1e6), DEFAULT("1"), .help = "Its times are divided by this; of trace."},
    {"workload[*].repeat", AFT_KEY_CHOICE, WORKLOAD(repeat), DEFAULT("off"), .choices = switches, .help = "Whether it begins again when it is over; of trace."},
    {"workload[*].owed_limit", AFT_KEY_TIME, WORKLOAD(owed_limit_ns), RANGE(0.0, CENTURY_S), DEFAULT("unlimited"), WORD("unlimited", INFINITY), .help = "Arrivals are shed when as much work is owed as arrives in this time; of paced."},
    {"workload[*].restart", AFT_KEY_TIME, WORKLOAD(restart_ns), RANGE(0.0, CENTURY_S), DEFAULT("2 min"), .help = "From a host's death until its virtual machines run elsewhere."},
    {"workload[*].return", AFT_KEY_TIME, WORKLOAD(return_ns), RANGE(0.0, CENTURY_S), DEFAULT("5 min"), .help = "From the host's return until its virtual machines are home again."},

    {"background.scheduler", AFT_KEY_BARE, ROOT(background.scheduler), .choices = bare_scheduler, .help = "How stations choose between classes of work."},
    {"background.scheduler.kind", AFT_KEY_WORD, ROOT(background.scheduler.kind), DEFAULT("weighted"), .by_meaning = TRUE, .choices = schedulers, .help = "Name of a scheduler, or of a system's, whose figures it then has unless said otherwise."},
    WEIGHT_ROW("client", AFT_CLASS_CLIENT, "80"),
    WEIGHT_ROW("destage", AFT_CLASS_DESTAGE, "20"),
    WEIGHT_ROW("p1", AFT_CLASS_P1, "20"),
    WEIGHT_ROW("p2", AFT_CLASS_P2, "10"),
    WEIGHT_ROW("p3", AFT_CLASS_P3, "5"),
    RESERVATION_ROW("client", AFT_CLASS_CLIENT),
    RESERVATION_ROW("destage", AFT_CLASS_DESTAGE),
    RESERVATION_ROW("p1", AFT_CLASS_P1),
    RESERVATION_ROW("p2", AFT_CLASS_P2),
    RESERVATION_ROW("p3", AFT_CLASS_P3),
    LIMIT_ROW("client", AFT_CLASS_CLIENT),
    LIMIT_ROW("destage", AFT_CLASS_DESTAGE),
    LIMIT_ROW("p1", AFT_CLASS_P1),
    LIMIT_ROW("p2", AFT_CLASS_P2),
    LIMIT_ROW("p3", AFT_CLASS_P3),
    {"background.scheduler.cost.io", AFT_KEY_TIME, ROOT(background.scheduler.cost_io_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "For how long an operation has all of the station, as shares are counted; with cost.per_mib 0 too, for as long as it does; of weighted, mclock and adaptive."},
    {"background.scheduler.cost.per_mib", AFT_KEY_TIME, ROOT(background.scheduler.cost_per_mib_ns), RANGE(0.0, HOUR_S), DEFAULT("0 s"), .help = "The same for each MiB of it."},
    {"background.scheduler.at", AFT_KEY_CHOICE, ROOT(background.scheduler.devices), DEFAULT("all"), .choices = scheduled, .help = "Where it chooses: at controllers and devices, or at controllers alone, while devices take what comes first."},
    {"background.scheduler.spin", AFT_KEY_SHARE, ROOT(background.scheduler.spin), RANGE(0.0, 0.9), DEFAULT("0 %"), .help = "Share of a controller's slots that waits with work that is at its limit; of mclock."},
    {"background.scheduler.high", AFT_KEY_TIME, ROOT(background.scheduler.high_ns), ABOVE(0.0, HOUR_S), DEFAULT("10 ms"), .help = "Mean latency of client I/O above which the share of background work is halved; of adaptive."},
    {"background.scheduler.low", AFT_KEY_TIME, ROOT(background.scheduler.low_ns), RANGE(0.0, HOUR_S), DEFAULT("5 ms"), .help = "Mean latency of client I/O below which that share is raised by step; of adaptive."},
    {"background.scheduler.step", AFT_KEY_SHARE, ROOT(background.scheduler.step), RANGE(1e-3, 1.0), DEFAULT("10 %"), .help = "What is added to the share of background work; of adaptive."},
    {"background.scheduler.least", AFT_KEY_SHARE, ROOT(background.scheduler.least), RANGE(1e-3, 1.0), DEFAULT("5 %"), .help = "Share of a station that background work may always have; of adaptive."},
    {"background.scheduler.period", AFT_KEY_TIME, ROOT(background.scheduler.period_ns), RANGE(1e-3, HOUR_S), DEFAULT("1 s"), .help = "Time between two looks at the latency; of adaptive."},
    TASK_ROWS("rebuild", AFT_TASK_REBUILD, "1", "a rebuild"),
    DELAY_ROW("rebuild", AFT_TASK_REBUILD, "60 min", "a rebuild"),
    TASK_ROWS("rebalance", AFT_TASK_REBALANCE, "2", "a rebalance"),
    DELAY_ROW("rebalance", AFT_TASK_REBALANCE, "0 s", "a rebalance"),
    TRIGGER_ROW("rebalance", AFT_TASK_REBALANCE, "a rebalance"),
    TASK_ROWS("evacuate", AFT_TASK_EVACUATE, "2", "an evacuation"),
    TASK_ROWS("convert", AFT_TASK_CONVERT, "3", "a conversion"),
    DELAY_ROW("convert", AFT_TASK_CONVERT, "0 s", "a conversion"),
    TRIGGER_ROW("convert", AFT_TASK_CONVERT, "a conversion"),
    TASK_ROWS("encode", AFT_TASK_ENCODE, "3", "an encoding"),
    DELAY_ROW("encode", AFT_TASK_ENCODE, "0 s", "an encoding"),
    TRIGGER_ROW("encode", AFT_TASK_ENCODE, "an encoding"),
    TASK_ROWS("scrub", AFT_TASK_SCRUB, "3", "a scrub"),
    DELAY_ROW("scrub", AFT_TASK_SCRUB, "0 s", "a scrub"),
    {"background.scrub.every", AFT_KEY_TIME, ROOT(background.scrub_every_ns), RANGE(1.0, CENTURY_S), DEFAULT("never"), WORD("never", INFINITY), .help = "From the start of one pass over all data to the next."},
    {"background.rebuild.device_delay", AFT_KEY_TIME, ROOT(background.device_delay_ns), RANGE(0.0, CENTURY_S), DEFAULT("0 s"), .help = "From the death of a device or cache, which takes its data with it, until a rebuild may start."},
    {"background.scan.full", AFT_KEY_TIME, ROOT(background.scan.full_ns), RANGE(1.0, CENTURY_S), DEFAULT("never"), WORD("never", INFINITY), .help = "From the start of one full scan to the next."},
    {"background.scan.partial", AFT_KEY_TIME, ROOT(background.scan.partial_ns), RANGE(1.0, CENTURY_S), DEFAULT("never"), WORD("never", INFINITY), .help = "From the start of one partial scan to the next."},
    {"background.scan.length", AFT_KEY_TIME, ROOT(background.scan.length_ns), RANGE(0.0, CENTURY_S), DEFAULT("0 s"), .help = "How long a full scan takes to pass all groups."},
    {"background.maintenance.enabled", AFT_KEY_CHOICE, ROOT(background.maintenance.enabled), DEFAULT("off"), .choices = switches, .help = "Whether the limits on background work are lifted from the start."},
    {"background.maintenance.in_flight_per_node", AFT_KEY_COUNT, ROOT(background.maintenance.in_flight_per_node), RANGE(1.0, 100000.0), DEFAULT("64"), .help = "Units of a task in progress at once while they are lifted, counted at the node that is written."},

    {"timeline[*].at", AFT_KEY_TIME, ACTION(at_ns), RANGE(0.0, CENTURY_S), REQUIRED, .help = "When it happens, from the start."},
    {"timeline[*].fail", AFT_KEY_PART, ACTION(part), VERB(FAIL), .parts = CAN_FAIL, .help = "What fails; nodes, disk groups, devices and racks count from 0."},
    {"timeline[*].restore", AFT_KEY_PART, ACTION(part), VERB(RESTORE), .parts = CAN_FAIL, .help = "What returns: devices and caches empty, all else with the data behind it."},
    {"timeline[*].slow.device", AFT_KEY_PART, ACTION(part), VERB(SLOW), .parts = PART(DEVICE), .bare_number = TRUE, .help = "The capacity device that is slow."},
    {"timeline[*].slow.link", AFT_KEY_PART, ACTION(part), VERB(SLOW), .parts = PART(LINK) | PART(RACK), .bare_number = TRUE, .help = "The node whose network is slow, or the rack whose nodes' is."},
    {"timeline[*].slow.factor", AFT_KEY_NUMBER, ACTION(factor), VERB(SLOW), RANGE(1.0, 1e6), .help = "How many times as long services take."},
    {"timeline[*].slow.for", AFT_KEY_TIME, ACTION(for_ns), VERB(SLOW), ABOVE(0.0, CENTURY_S), .help = "How long it is slow."},
    {"timeline[*].corrupt.device", AFT_KEY_PART, ACTION(part), VERB(CORRUPT), .parts = PART(DEVICE), .bare_number = TRUE, .help = "The capacity device that has sectors nobody can read, and nobody knows."},
    {"timeline[*].corrupt.sectors", AFT_KEY_INTEGER, ACTION(sectors), VERB(CORRUPT), RANGE(1.0, 1e6), .help = "How many sectors of 4 KiB, at random places."},
    {"timeline[*].maintenance.node", AFT_KEY_PART, ACTION(part), VERB(MAINTENANCE), .parts = PART(NODE), .bare_number = TRUE, .help = "The node that is taken down on purpose."},
    {"timeline[*].maintenance.mode", AFT_KEY_CHOICE, ACTION(mode), VERB(MAINTENANCE), DEFAULT("accessible"), .choices = maintenance_modes, .help = "What leaves it first: accessible, data that could not be read without it; evacuate, all data."},
    {"timeline[*].maintenance.for", AFT_KEY_TIME, ACTION(for_ns), VERB(MAINTENANCE), ABOVE(0.0, CENTURY_S), .help = "How long it is down."},
    {"timeline[*].upgrade.each", AFT_KEY_TIME, ACTION(for_ns), VERB(UPGRADE), ABOVE(0.0, CENTURY_S), .help = "How long each node is down; they take turns, data staying accessible."},
    {"timeline[*].add.nodes", AFT_KEY_COUNT, ACTION(nodes), VERB(ADD), RANGE(1.0, 100000.0), .help = "Nodes that join, empty, like the last of the start."},
    {"timeline[*].start", AFT_KEY_TEXT, ACTION(target), VERB(START), .help = "What goes on: a workload, a task of background, or maintenance."},
    {"timeline[*].stop", AFT_KEY_TEXT, ACTION(target), VERB(STOP), .help = "What pauses: a workload, a task of background, or maintenance."},
    {"timeline[*].pool", AFT_KEY_TEXT, ACTION(pool), .by_meaning = TRUE, .help = "Name of the pool that is converted; the first unless said otherwise."},
    PROTECTION_ROWS("timeline[*].set.data.protection", ACTION, "Converts a pool to another protection."),

    {"faults[*].part", AFT_KEY_CHOICE, FAULT(part), DEFAULT("node"), .choices = fault_parts, .help = "The kind of part that fails: each of these lives, is down, lives again."},
    {"faults[*].on", AFT_KEY_SELECTOR, FAULT(on), DEFAULT("all"), .by_meaning = TRUE, .help = "Nodes whose parts fail; of part rack, racks."},
    {"faults[*].every", AFT_KEY_TIME, FAULT(every_ns), RANGE(1.0, LIFE_S), .help = "Mean life of one part; of devices, what the profile's afr says unless written."},
    SPREAD_ROWS("faults[*].life", FAULT, life, AFT_LIST_LIFE_VALUES, "exponential"),
    {"faults[*].repair", AFT_KEY_TIME, FAULT(repair_ns), ABOVE(0.0, CENTURY_S), .help = "Mean time until the part is back."},
    SPREAD_ROWS("faults[*].repair_spread", FAULT, repair, AFT_LIST_REPAIR_VALUES, "exponential"),
    {"faults[*].burst.share", AFT_KEY_SHARE, FAULT(burst_share), RANGE(0.0, 1.0), DEFAULT("0 %"), .help = "Share of failures that bring others of the same kind with them."},
    {"faults[*].burst.size", AFT_KEY_NUMBER, FAULT(burst_size), RANGE(1.0, 1e5), DEFAULT("1"), .help = "Mean number of those others."},
    {"faults[*].burst.within", AFT_KEY_TIME, FAULT(burst_within_ns), RANGE(0.0, CENTURY_S), DEFAULT("0 s"), .help = "How long after the first the others come, at most."},
    {"faults[*].trace", AFT_KEY_FILE, FAULT(trace), .by_meaning = TRUE, .help = "CSV file that tells what fails and returns when, instead of chance."},

    {"requirement.iops", AFT_KEY_RATE, ROOT(requirement.iops), ABOVE(0.0, 1e9), DEFAULT("none"), WORD("none", 0.0), .bare_number = TRUE, .help = "I/Os a second that clients must get."},
    {"requirement.read", AFT_KEY_TIME, ROOT(requirement.read_ns), RANGE(1e-9, CENTURY_S), DEFAULT("none"), WORD("none", 0.0), .help = "Mean latency of reads, at most."},
    {"requirement.write", AFT_KEY_TIME, ROOT(requirement.write_ns), RANGE(1e-9, CENTURY_S), DEFAULT("none"), WORD("none", 0.0), .help = "Mean latency of writes, at most."},
    {"requirement.tolerance", AFT_KEY_SHARE, ROOT(requirement.tolerance), RANGE(0.0, 1.0), DEFAULT("0.5 %"), .help = "Share of the I/Os a second that may be missing."},

    {"run.until", AFT_KEY_CHOICE, ROOT(run.until), DEFAULT("steady"), .choices = untils, .help = "What ends the run: having been steady for run.settle after the timeline, or run.duration alone."},
    {"run.settle", AFT_KEY_TIME, ROOT(run.settle_ns), RANGE(0.0, CENTURY_S), DEFAULT("5 min"), .help = "How long the cluster must have been steady."},
    {"run.duration", AFT_KEY_TIME, ROOT(run.duration_ns), RANGE(1e-3, CENTURY_S), DEFAULT("24 h"), .help = "Length of the run, at most."},
    {"run.fidelity", AFT_KEY_CHOICE, ROOT(run.fidelity), DEFAULT("sampled"), .choices = fidelities, .help = "io simulates every I/O; sampled simulates windows and carries slow state forward between them; flow remembers the rates of every state that the cluster comes to, and measures each once."},
    {"run.seed", AFT_KEY_INTEGER, ROOT(run.seed), RANGE(0.0, TWO_TO_53), DEFAULT("1"), .help = "Seed of all chance: the same seed, the same results."},
    {"run.trace_interval", AFT_KEY_TIME, ROOT(run.trace_interval_ns), RANGE(1e-3, CENTURY_S), DEFAULT("10 s"), .help = "Time covered by one row of the trace."},
    {"run.precision", AFT_KEY_SHARE, ROOT(run.precision), ABOVE(0.0, 1.0), DEFAULT("2 %"), .help = "Wanted half-width of intervals over their mean, of mean latencies and I/Os a second."},
    {"run.confidence", AFT_KEY_SHARE, ROOT(run.confidence), RANGE(0.5, 0.9999), DEFAULT("95 %"), .help = "Confidence of every interval."},
    {"run.max_simulated", AFT_KEY_TIME, ROOT(run.max_simulated_ns), RANGE(1e-3, CENTURY_S), DEFAULT("60 s"), .help = "I/O level time that sampled gives a phase, at most."},
};
/* clang-format on */

const AftKey *aft_keys(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(keys);
    return keys;
}

const AftKeyList *aft_keys_list(AftListId list)
{
    g_assert(list > AFT_LIST_NONE && list < AFT_LISTS);
    return &lists[list];
}
