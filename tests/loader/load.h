/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - scenarios for tests of the loader, from texts. */
#pragma once

#include "test.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>

#include <string.h>

/** The scenario that the documentation shows. */
#define SHOWN                                                                           \
    "version: 1\n"                                                                      \
    "name: five-node host failure, RAID-5\n"                                            \
    "cluster:\n"                                                                        \
    "  nodes: 5\n"                                                                      \
    "  node:\n"                                                                         \
    "    controller: {slots: 8, io: 169 us, per_mib: 4.2 ms, latency: 1.1 ms}\n"        \
    "    nic: 25 Gbit/s\n"                                                              \
    "    disk_groups:\n"                                                                \
    "      - {count: 2, cache: {device: sas-ssd-write, size: 800 GB},\n"                \
    "         capacity: {count: 4, device: sata-ssd, size: 3.84 TB}}\n"                 \
    "data:\n"                                                                           \
    "  logical: 6.6 TB\n"                                                               \
    "  placement_groups: 4096\n"                                                        \
    "  protection: {scheme: raid5, data: 3, parity: 1, degraded: 115 us}\n"             \
    "workload:\n"                                                                       \
    "  kind: paced\n"                                                                   \
    "  vms: 20\n"                                                                       \
    "  on: all\n"                                                                       \
    "  rate: 107676 /s\n"                                                               \
    "  outstanding: 560\n"                                                              \
    "  owed_limit: 10 min\n"                                                            \
    "  read_share: 80 %\n"                                                              \
    "  block: 4 KiB\n"                                                                  \
    "  restart: 2 min\n"                                                                \
    "  return: 5 min\n"                                                                 \
    "background:\n"                                                                     \
    "  scheduler: {kind: weighted,\n"                                                   \
    "              weights: {client: 80, destage: 20, p1: 20, p2: 10, p3: 5}}\n"        \
    "  rebuild: {priority: 1, delay: 30 min, unit: 1 MiB, in_flight_per_node: 16}\n"    \
    "  rebalance: {priority: 2}\n"                                                      \
    "timeline:\n"                                                                       \
    "  - {at: 30 min, fail: node 2}\n"                                                  \
    "  - {at: 4 h, restore: node 2}\n"                                                  \
    "requirement: {iops: 107676, read: 5 ms, write: 5 ms}\n"                            \
    "run: {until: steady, settle: 5 min, duration: 12 h, fidelity: sampled, seed: 1,\n" \
    "      trace_interval: 10 s}\n"

/** The smallest scenario there is. */
#define SMALLEST                                                                \
    "version: 1\n"                                                              \
    "cluster: {nodes: 1, node: {disk_groups: {capacity: {device: hdd-7k2}}}}\n" \
    "data: {logical: 1 GB}\n"

/** What the shown scenario leaves out: a log, services, data that is encoded later, conversions. */
#define VARIED                                                                            \
    "version: 1\n"                                                                        \
    "cluster:\n"                                                                          \
    "  nodes: 8\n"                                                                        \
    "  node: {disk_groups: {cache: {device: sas-ssd}, capacity: {device: sata-ssd}}}\n"   \
    "tiers: {parity: destage, low: 20 %, high: 80 %, buffer: 200 GB, read_share: 50 %}\n" \
    "data:\n"                                                                             \
    "- {name: hot, logical: 1 TB, protection: rf2,\n"                                     \
    "   services: {compression: {when: destage, ratio: 0.5}, dedupe: off}}\n"             \
    "- {name: cold, logical: 1 TB, protection: {scheme: rf-then-encode, age: 1 d}}\n"     \
    "workload: {kind: open, vms: 1, rate: 5 /s, working_set: 10 GB}\n"                    \
    "background: {convert: {unit: 1 MiB}, encode: {bandwidth: 100 MB/s}}\n"               \
    "timeline:\n"                                                                         \
    "- {at: 1 h, pool: hot, set: {data.protection: {scheme: raid6, rewrite: strip}}}\n"   \
    "- {at: 2 h, set: {data.protection.scheme: replication, data.protection.copies: 3}}\n"

/** A reference with every key there is. */
#define REFERENCE                                                                                \
    "version: 1\n"                                                                               \
    "kind: reference\n"                                                                          \
    "name: one host lost\n"                                                                      \
    "source: Somebody, Part I\n"                                                                 \
    "tolerance: {below: 10 %, above: none}\n"                                                    \
    "configurations:\n"                                                                          \
    "  - {label: raid5, scenario: ../five.yaml}\n"                                               \
    "  - {label: wpq, scenario: /abs/six.yaml, set: {background.scheduler: wpq, run.seed: 3}}\n" \
    "cells:\n"                                                                                   \
    "  - {label: raid5, phase: steady, metric: write_mean, value: 2.95, unit: ms,\n"             \
    "     mark: stated, source: table 2, tolerance: 5 %, note: at noon}\n"                       \
    "  - {label: raid5, phase: rebuild, metric: minutes, value: 66, unit: min,\n"                \
    "     mark: suspect, tolerance: {above: 4 min}}\n"                                           \
    "  - {label: raid5, over: wpq, occurrence: last, phase: catchup, metric: ratio,\n"           \
    "     of: iops, value: 35.6, unit: '%', mark: derived}\n"                                    \
    "  - {label: wpq, metric: stored_bytes, value: 8.8, unit: TB, mark: stated}\n"

/** A sweep with most keys there are. */
#define SWEEP                                                                            \
    "version: 1\n"                                                                       \
    "kind: sweep\n"                                                                      \
    "name: copies or parity\n"                                                           \
    "base: five.yaml\n"                                                                  \
    "design: grid\n"                                                                     \
    "axes:\n"                                                                            \
    "  cluster.nodes: {from: 5, to: 7, step: 2}\n"                                       \
    "  data.protection: [rf2, {name: code, scheme: ec, data: 3, parity: 1}]\n"           \
    "  timeline[0].at: {uniform: [10 min, 2 h]}\n"                                       \
    "  workload.rate: {lognormal: [10 /s, 2 /s]}\n"                                      \
    "replications: {until: {metric: rebuild/minutes, within: 2 %}, min: 20, max: 400}\n" \
    "seed: 7\n"                                                                          \
    "fidelity: io\n"

/** The same of a list. */
#define LISTED                                                                       \
    "version: 1\n"                                                                   \
    "kind: sweep\n"                                                                  \
    "base: five.yaml\n"                                                              \
    "design: list\n"                                                                 \
    "points:\n"                                                                      \
    "  - {name: two copies, data.protection: rf2}\n"                                 \
    "  - {data.protection: {scheme: raid5}, cluster: {nodes: 6}}\n"                  \
    "axes: {\"timeline[0].at\": {weibull: [30 min, 0.7]}, workload.rate: {normal: [" \
    "10 /s, 1 /s]}}\n"                                                               \
    "replications: 20\n"

/** Loads @text as "s.yaml" with @overrides (nullable).
 *  Returns: (transfer full): the messages, a newline between them; @ret_scenario (nullable) is
 *  (transfer full) (nullable). */
static inline char *messages_of(const char *text, gsize bytes, const char *const *overrides,
                                AftScenario **ret_scenario)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario =
        aft_loader_load_text("s.yaml", text, bytes, overrides, messages, &error);
    assert_true((scenario == NULL) == (error != NULL));
    if (ret_scenario != NULL) {
        *ret_scenario = g_steal_pointer(&scenario);
    }
    g_ptr_array_add(messages, NULL);
    return g_strjoinv("\n", (char **)messages->pdata);
}

static inline void assert_messages(const char *text, const char *expected)
{
    g_autofree char *messages = messages_of(text, strlen(text), NULL, NULL);
    assert_string_equal(messages, expected);
}
