/* SPDX-License-Identifier: GPL-3.0-or-later */
/* embed.c - a program that simulates: it loads a scenario, runs it, and reads what came out.
 *
 *     cc embed.c -o embed $(pkg-config --cflags --libs aftershock)
 *     ./embed /usr/share/aftershock/scenarios/02-mirrored-pair.yaml workload.rate=20/s
 */
#include <aftershock/loader/loader.h>
#include <aftershock/result/result.h>
#include <aftershock/run/run.h>
#include <stdio.h>

/* Every problem that the loader found comes with its line; warnings come on success, too. */
static void tell(const GPtrArray *messages)
{
    for (guint i = 0; i < messages->len; i++) {
        fprintf(stderr, "%s\n", (const char *)g_ptr_array_index(messages, i));
    }
}

static AftScenario *load(const char *path, const char *const *settings, GError **error)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario = aft_loader_load_file(path, settings, messages, error);
    tell(messages);
    return scenario;
}

/* A number that is not there, as nothing was read or written, is NaN. */
static void print_phases(const AftResult *result)
{
    printf("%-10s %10s %10s %10s %10s\n", "phase", "seconds", "IOPS", "read, ms", "write, ms");
    for (guint i = 0; i < result->phases->len; i++) {
        const AftPhaseRow *row = &g_array_index(result->phases, AftPhaseRow, i);
        printf("%-10s %10.0f %10.1f %10.2f %10.2f\n", aft_phase_name(row->phase), row->duration_s,
               row->iops, row->read_mean_ms, row->write_mean_ms);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "Usage: %s SCENARIO.yaml [PATH=VALUE...]\n", argv[0]);
        return 2;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(AftScenario) scenario = load(argv[1], (const char *const *)argv + 2, &error);
    if (scenario == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 2;
    }
    g_autoptr(AftResult) result = aft_run(scenario, NULL, &error);
    if (result == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return 3;
    }
    print_phases(result);
    return 0;
}
