/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/report/explain.h>

#include <build.h>
#include <json-glib/json-glib.h>
#include <test.h>

static const AftTextStyle wide = {.width = 0, .utf8 = TRUE, .colour = FALSE};
static const AftTextStyle narrow = {.width = 80, .utf8 = FALSE, .colour = FALSE};

static char *text_of(const char *const *settings, const AftTextStyle *style)
{
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    return aft_explain_text(bounds, "label", style);
}

#define TEXT(style, ...) text_of((const char *const[]){__VA_ARGS__, NULL}, style)

/* One cache and one disk a node; two copies of 4 KiB are a unit. Disks write 25 units a second. */
#define TIERED                                                                                 \
    "devices.log.read=1 ms", "devices.log.write=2 ms", "devices.log.parallel=1",               \
        "devices.log.size=10 GB", "devices.disk.read=4 ms", "devices.disk.write=40 ms",        \
        "devices.disk.parallel=1", "devices.disk.size=4 TB",                                   \
        "cluster.node.disk_groups.cache.device=log", "cluster.node.disk_groups.cache.count=1", \
        "cluster.node.disk_groups.capacity.device=disk",                                       \
        "cluster.node.disk_groups.capacity.count=1", "data.protection=rf2",                    \
        "workload.read_share=0 %", "workload.outstanding=1000", "tiers.unit=8 KiB",            \
        "tiers.start=0 %"

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no \"%s\" in:\n%s", part, text);
    }
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("\"%s\" in:\n%s", part, text);
    }
}

static void a_penalty_is_a_sum_with_its_numbers(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "workload.read_share=40 %");
    assert_has(text, "\npenalty     healthy: 1,000 x 0.4 + 1,000 x 0.6 x 4 = 2,800 device I/Os a "
                     "second\n            one node down: 1,000 x 0.4 x 1.4 + 1,000 x 0.6 x 3.2 = "
                     "2,480 device I/Os a second\n");
}

/* 1,000 a second on average; by day at most 1.5 of that, in bursts 1 / (0.9 + 0.1 x 5) x 5 = 3.57
 * of that again. */
static void a_workload_tells_in_what_manner_it_comes(void **state)
{
    (void)state;
    g_autofree char *plain = TEXT(&wide, NULL);
    g_autofree char *text =
        TEXT(&wide, "workload.blocks[0].block=4 KiB", "workload.blocks[0].share=60 %",
             "workload.blocks[1].block=64 KiB", "workload.blocks[1].share=40 %",
             "workload.skew=zipf", "workload.theta=0.99", "workload.locality=30 %",
             "workload.burst.factor=5", "workload.burst.share=10 %", "workload.burst.mean=1 s",
             "workload.day[0]=1", "workload.day[1]=3");
    g_autofree char *sequential = TEXT(&wide, "workload.access=sequential");
    assert_has(plain, "outstanding, 1,000 IOPS asked for\n\n");
    assert_has(text, "\nworkload    blocks of 4 KiB (60 %), 64 KiB (40 %), 70 % reads, ");
    assert_has(text, "\n            zipf 0.99, hits counted, hot devices not; 30 % to data on the "
                     "machine's own node; bursts of 5 times the rate between them, 10 % of the "
                     "time; up to 5,357 IOPS at a time\n");
    assert_has(sequential,
               "\n            block after block, each taken to follow the one before\n");
}

static void one_direction_is_one_term(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "workload.read_share=100 %");
    assert_has(text, "healthy: 1,000 x 1 = 1,000 device I/Os a second\n");
}

static void courses_stand_below_each_other(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.nodes=5");
    assert_has(text, "small write      100 %  read 2, then write 2                4\n"
                     "  one node down   60 %  read 2, then write 2                4\n");
}

static void writes_are_named_by_what_they_cover(void **state)
{
    (void)state;
    g_autofree char *small = TEXT(&wide, "workload.block=4 KiB");
    g_autofree char *partial = TEXT(&wide, "workload.block=2 MiB");
    g_autofree char *full = TEXT(&wide, "workload.block=3 MiB");
    g_autofree char *copies = TEXT(&wide, "data.protection=rf2");
    assert_has(small, "\nsmall write ");
    assert_has(partial, "\npartial write ");
    assert_has(full, "\nfull-stripe write ");
    assert_has(copies, "\nwrite ");
}

static void parts_that_are_not_there_are_not_shown(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.nodes=5");
    assert_has(text, "\ncapacity access ");
    assert_has_not(text, "controller");
    assert_has_not(text, "NIC");
    assert_has_not(text, "cache");
}

static void asking_for_too_much_is_said(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "cluster.node.controller.slots=1",
                                 "cluster.node.controller.io=10 ms", "workload.read_share=100 %");
    assert_has(text, "healthy: 500 IOPS (controller), but for that ");
    assert_has(text, ", asked for 200 % of it: too much\n");
}

static void without_a_target_no_time_is_told(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "data.protection=none");
    assert_has(text, "\nrebuild     a node holds 1.2 TB, which nothing can make again\n");
    assert_has(text, ", 20 % of the data lost\n");
}

static void lines_fit_where_they_can_and_stay_ascii(void **state)
{
    (void)state;
    g_autofree char *text =
        TEXT(&narrow, TIERED, "cluster.node.controller.slots=1", "cluster.node.controller.io=1 ms",
             "cluster.node.nic=1 Gbit/s", "data.protection=raid5", "tiers.parity=destage",
             "tiers.start=20 %", "workload.read_share=40 %", "data.services.compression.io=1 ms",
             "data.services.compression.ratio=0.5", "data.services.compression.per_mib=1 ms",
             "name=n\303\244me");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    assert_true(g_str_is_ascii(text));
    for (guint i = 0; lines[i] != NULL; i++) {
        if (strlen(lines[i]) > 80) {
            fail_msg("too long: %s", lines[i]);
        }
    }
}

static void a_destage_stands_apart_from_the_write(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, TIERED);
    assert_has(text, "\nwrite            100 %  write 2                        2\n");
    assert_has(text, "\ndestage          100 %  read cache 1, then write 1     2\n");
    assert_has(text, "\npenalty     healthy: 1,000 x 1 x 2 = 2,000 device I/Os a second\n");
    g_autofree char *log = TEXT(&wide, TIERED, "tiers.parity=destage");
    assert_has(log, "\nwrite            100 %  write log 2                             2\n");
    assert_has(log, "\ndestage          100 %  read log 1, then write 2                3\n");
}

/* 1,000 a second leave 8.19 MB; five disks destage 125 of them, 1.02 MB; 50 GB are left. */
static void both_bounds_and_the_time_between_are_told(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, TIERED);
    assert_has(text, "\nat most     healthy: 125 IOPS (capacity access), but for that 976 "
                     "(destages at once), asked for 800 % of it: too much\n");
    assert_has(text,
               "\nin a burst  healthy: 1,250 IOPS (cache access), but for that 500,000 (1,000 "
               "outstanding)\n");
    assert_has(text, "\ndestage     healthy: 8.19 kB of each write, 8.19 MB/s at 1,000 IOPS, alone "
                     "at most 1.02 MB/s (capacity access)\n");
    assert_has(text, "\nbuffers     healthy: 50 GB of 50 GB free, 0 % of reads hit, 0 % of writes "
                     "meet what is dirty, full in 1 h 52 min at the earliest: 8.19 MB/s in, 1.02 "
                     "MB/s out\n");
    g_autofree char *slow = TEXT(&wide, TIERED, "workload.rate=100 /s");
    assert_has(slow, "meet what is dirty, the destage keeps up\n");
}

/* Full buffers of 1.2 TB before 2.4 TB halve what is destaged. */
static void full_buffers_may_allow_more(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, TIERED, "devices.log.size=1.2 TB", "workload.rate=200 /s");
    assert_has(text, ", asked for 160 % of it: buffers fill until it is less\n");
    assert_has(text, "\nwhen full   healthy: 250 IOPS (capacity access), ");
}

static void services_tell_what_they_cost_and_save(void **state)
{
    (void)state;
    g_autofree char *text =
        TEXT(&wide, TIERED, "data.services.dedupe.ratio=0.8", "data.services.compression.ratio=0.5",
             "data.services.compression.when=destage",
             "data.services.compression.read_delay=900 us", "data.services.compression.io=2 ms",
             "data.services.compression.per_mib=4 ms",
             "data.services.compression.metadata_writes=0.5",
             "data.services.compression.background_factor=1.3");
    assert_has(text,
               "\nspace       6 TB stored by clients, 12 TB with its protection, 4.8 TB after "
               "data services, 7.2 TB less than two copies (60 %); 20 TB raw (24 % full); "
               "one node down: 16 TB raw (30 % full)\n");
    assert_has(text, "\nservices    dedupe inline saves 2.4 TB\n            compression at destage "
                     "saves 4.8 TB, reads + 0.90 ms, controller 2.00 ms + 4.00 ms per MiB, map "
                     "writes 0.5, background x 1.3\n");
    assert_has(text, "\nrebuild     a node holds 2.4 TB, ");
}

static void with_dedupe_a_device_takes_its_group(void **state)
{
    (void)state;
    g_autofree char *plain = TEXT(&wide, "cluster.node.disk_groups.count=2");
    assert_has(plain, "\n            with a capacity device 400 GB are lost, alone ");
    g_autofree char *dedupe =
        TEXT(&wide, "cluster.node.disk_groups.count=2", "data.services.dedupe=on");
    assert_has(dedupe,
               "\n            with a capacity device its whole disk group is lost, 800 GB, ");
}

static void conversions_tell_what_moves_and_what_it_becomes(void **state)
{
    (void)state;
    g_autofree char *text =
        TEXT(&wide, "cluster.nodes=7", "data.protection=rf3", "data.placement_groups=4096",
             "data.logical=12.57 TB", "timeline[2].at=5 h",
             "timeline[2].set.data.protection.scheme=ec", "timeline[2].set.data.protection.data=4",
             "timeline[2].set.data.protection.parity=2", "timeline[3].at=9 h",
             "timeline[3].set.data.protection=rf3", "timeline[4].at=10 h",
             "timeline[4].set.data.protection=rf2", "background.encode.bandwidth=1 GB/s");
    assert_has(text,
               "\nencode      at 5 h rf3 to ec 4+2: 37.7 TB become 18.9 TB, 12.6 TB read, 6.29 "
               "TB written, 15.7 TB sent, alone 1 h 45 min or more, at 1 GB/s (bandwidth "
               "allowed)\nconvert     at 9 h ec 4+2 to rf3: 18.9 TB become 37.7 TB, ");
    assert_has(text, "            at 10 h rf3 to rf2: 37.7 TB become 25.1 TB, at once\n");
    g_autofree char *later =
        TEXT(&wide, "cluster.nodes=7", "data.protection.scheme=rf-then-encode", "data.logical=4 TB",
             "data.protection.data=4", "data.protection.parity=2");
    assert_has(later, "\nencode      2 copies to 4+2 when not written for 7 d, in all: 8 TB become "
                      "6 TB, 4 TB read, 2 TB written, 5 TB sent, ");
}

/* Racks of two, two and one node: the last comes first in 1 of 5, else second in 1 of 3, so it has
 * a copy of 7/15 of the stripes, and each other node one of (2 - 7/15) / 4. */
static void unlike_shares_are_said(void **state)
{
    (void)state;
    g_autofree char *even = TEXT(&wide, "data.protection=rf2");
    g_autofree char *racks = TEXT(&wide, "data.protection=rf2", "data.domain=rack",
                                  "cluster.racks=3", "workload.on=all");
    assert_has_not(even, "\nnodes ");
    assert_has(even, "\nrebuild     a node holds 2.4 TB");
    assert_has(racks, "\nnodes       unlike: the most loaded is the bound");
    assert_has(racks, "\nrebuild     the largest node holds 2.3 TB");
}

static void what_cannot_be_told_is_not(void **state)
{
    (void)state;
    g_autofree char *text = TEXT(&wide, "data.protection=rf2", "data.domain=device");
    assert_has(text, "\n            one node down: not told, a node may hold several members of a "
                     "stripe\n");
    assert_has(text,
               "\nrebuild     a node holds 2.4 TB, per byte written 1 read and 0.889 sent, in "
               "a time that is not told\n");
    assert_has(text, "\ndevices     healthy: the rate takes");
    assert_has_not(text, "one node down: the rate takes");
    assert_has_not(text, "no data left");
}

static void json_holds_the_figures(void **state)
{
    (void)state;
    const char *const settings[] = {"workload.read_share=40 %", NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autofree char *text = aft_explain_json(bounds, "label");
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonObject *workload =
        json_array_get_object_element(json_object_get_array_member(root, "workloads"), 0);
    JsonObject *healthy = json_object_get_object_member(workload, "healthy");
    const AftWorkloadState *expected = &bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_string_equal(json_object_get_string_member(root, "label"), "label");
    /* Seventeen digits give a double back. */
    assert_within(json_object_get_double_member(healthy, "iops"), expected->sustained.iops, 0.0);
    assert_within(json_object_get_double_member(healthy, "device_ios"), expected->device_ios, 0.0);
    assert_true(json_object_get_null_member(healthy, "destage"));
    assert_true(json_object_get_null_member(healthy, "buffer"));
    assert_true(text[strlen(text) - 1] == '\n');
}

static double number_in(JsonObject *object, const char *member, const char *name)
{
    return json_object_get_double_member(json_object_get_object_member(object, member), name);
}

static void json_holds_the_destage_and_the_data(void **state)
{
    (void)state;
    const char *const settings[] = {TIERED, "data.services.compression.ratio=0.5",
                                    "timeline[2].at=5 h", "timeline[2].set.data.protection=rf3",
                                    NULL};
    g_autoptr(AftScenario) scenario = five_nodes_with(settings);
    g_autoptr(AftBounds) bounds = aft_bounds_new(scenario);
    g_autofree char *text = aft_explain_json(bounds, "label");
    g_autoptr(JsonParser) parser = json_parser_new();
    assert_true(json_parser_load_from_data(parser, text, -1, NULL));
    JsonObject *root = json_node_get_object(json_parser_get_root(parser));
    JsonObject *workload =
        json_array_get_object_element(json_object_get_array_member(root, "workloads"), 0);
    JsonObject *healthy = json_object_get_object_member(workload, "healthy");
    JsonObject *conversion =
        json_array_get_object_element(json_object_get_array_member(root, "conversions"), 0);
    const AftWorkloadState *expected = &bounds->workload[0].state[AFT_STATE_HEALTHY];
    assert_within(number_in(healthy, "burst", "iops"), expected->burst.iops, 0.0);
    assert_within(number_in(healthy, "full", "iops"), expected->full.iops, 0.0);
    assert_within(number_in(healthy, "destage", "per_write"), 0.5, 1e-15);
    assert_within(number_in(healthy, "buffer", "fill_s"), expected->buffer.fill_s, 0.0);
    assert_within(number_in(root, "space", "stored_bytes"), 6e12, 1.0);
    assert_within(number_in(root, "space", "saved_against_two_copies_bytes"), 6e12, 1.0);
    assert_string_equal(json_object_get_string_member(conversion, "task"), "convert");
    assert_within(json_object_get_double_member(conversion, "written_bytes"), 6e12, 1.0);
    assert_within(json_object_get_double_member(conversion, "stored_bytes_after"), 9e12, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_penalty_is_a_sum_with_its_numbers),
        cmocka_unit_test(a_workload_tells_in_what_manner_it_comes),
        cmocka_unit_test(one_direction_is_one_term),
        cmocka_unit_test(courses_stand_below_each_other),
        cmocka_unit_test(writes_are_named_by_what_they_cover),
        cmocka_unit_test(parts_that_are_not_there_are_not_shown),
        cmocka_unit_test(asking_for_too_much_is_said),
        cmocka_unit_test(without_a_target_no_time_is_told),
        cmocka_unit_test(a_destage_stands_apart_from_the_write),
        cmocka_unit_test(both_bounds_and_the_time_between_are_told),
        cmocka_unit_test(full_buffers_may_allow_more),
        cmocka_unit_test(services_tell_what_they_cost_and_save),
        cmocka_unit_test(with_dedupe_a_device_takes_its_group),
        cmocka_unit_test(conversions_tell_what_moves_and_what_it_becomes),
        cmocka_unit_test(lines_fit_where_they_can_and_stay_ascii),
        cmocka_unit_test(unlike_shares_are_said),
        cmocka_unit_test(what_cannot_be_told_is_not),
        cmocka_unit_test(json_holds_the_figures),
        cmocka_unit_test(json_holds_the_destage_and_the_data),
    };
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
