/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "interrupt.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include "swept.h"
#include "terminal.h"

#include <aftershock/base/error.h>
#include <aftershock/loader/loader.h>
#include <aftershock/loader/sweep.h>
#include <aftershock/sweep/runner.h>

#include <stdio.h>
#include <string.h>

#define CHECKED_POINTS 1000 /* whose scenarios are made before anything is run */
#define FIDELITY       "run.fidelity=flow"
#define OTHERWISE      "run.fidelity=sampled" /* what has no rates, unless a fidelity was asked for */

static const AftCommand command;

typedef struct {
    char *directory; /* (nullable), as are the others */
    char *jobs;
    char *shard;
    gboolean resume;
    char **settings; /* "path=value", in the order given */
    char *seed;
    char *fidelity;
    guint n_jobs, shard_index, shards;
} Options;

static void options_clear(Options *options)
{
    g_free(options->directory);
    g_free(options->jobs);
    g_free(options->shard);
    g_strfreev(options->settings);
    g_free(options->seed);
    g_free(options->fidelity);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static AftExit parse(Options *options, int *argc, char ***argv)
{
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->directory,
         "Keep what is done, and write tables, in DIR", "DIR"},
        {"jobs", 0, 0, G_OPTION_ARG_STRING, &options->jobs,
         "Simulate N at a time; default: as many as there are cores", "N"},
        {"shard", 0, 0, G_OPTION_ARG_STRING, &options->shard,
         "Run every N-th point only, beginning with the I-th; then join them with merge", "I/N"},
        {"resume", 0, 0, G_OPTION_ARG_NONE, &options->resume, "Go on with what is in DIR", NULL},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
         "Set a key of the base scenario that the sweep does not set itself; may be given often",
         "PATH=VALUE"},
        {"seed", 0, 0, G_OPTION_ARG_STRING, &options->seed, "Seed of all randomness", "N"},
        {"fidelity", 0, 0, G_OPTION_ARG_STRING, &options->fidelity,
         "flow: rates of every state, measured once a point; sampled: windows, and skips between "
         "them; io: every I/O; default: flow, and sampled for what has no rates",
         "F"},
        G_OPTION_ENTRY_NULL,
    };
    return aft_options_parse(&command, entries, argc, argv);
}

/* "2/4". */
static gboolean read_shard(Options *options)
{
    options->shard_index = options->shards = 1;
    if (options->shard == NULL) {
        return TRUE;
    }
    g_auto(GStrv) parts = g_strsplit(options->shard, "/", 2);
    guint64 index = 0, shards = 0;
    gboolean fine =
        g_strv_length(parts) == 2 &&
        g_ascii_string_to_unsigned(parts[1], 10, 1, AFT_SWEEP_MOST_POINTS, &shards, NULL) &&
        g_ascii_string_to_unsigned(parts[0], 10, 1, shards, &index, NULL);
    options->shard_index = (guint)index;
    options->shards = (guint)shards;
    return fine;
}

static AftExit check_usage(Options *options, int argc)
{
    if (argc != 2) {
        return aft_options_complain(&command,
                                    argc < 2 ? "which sweep?" : "one sweep at a time, please");
    }
    if (options->directory == NULL) {
        return aft_options_complain(&command, "where to? -o DIR");
    }
    if (!read_shard(options)) {
        return aft_options_complain(&command, "--shard %s: expected I/N, like 2/4", options->shard);
    }
    AftExit status = aft_options_read_jobs(&command, options->jobs, &options->n_jobs);
    return status == AFT_EXIT_NOT_YET ? aft_options_check_settings(&command, options->settings)
                                      : status;
}

/* What making scenarios and showing progress need. */
typedef struct {
    const AftSweep *sweep;
    GPtrArray *settings; /* over the base, NULL at the end */
    gboolean falls_back; /* to OTHERWISE */
    guint64 fell;        /* replications that did */
    char *why;           /* (nullable): the first of them */
    AftProgressBar *bar;
    gint64 began_us;
} Work;

/* The base with what was asked for on the command line, or in the sweep, and then @settings. */
static AftScenario *make(const char *const *settings, void *context, GError **error)
{
    const Work *work = context;
    g_autoptr(GPtrArray) all = aft_options_join((char **)work->settings->pdata, settings);
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    AftScenario *scenario =
        aft_loader_load_file(work->sweep->base, (const char *const *)all->pdata, messages, error);
    if (scenario == NULL && messages->len > 0) {
        g_prefix_error(error, "%s\n", (const char *)g_ptr_array_index(messages, 0));
    }
    return scenario;
}

static void fell_back(guint point G_GNUC_UNUSED, guint replication G_GNUC_UNUSED, const GError *why,
                      void *context)
{
    Work *work = context;
    work->why = work->fell++ == 0 ? g_strdup(why->message) : work->why;
}

static void show(const AftSweepProgress *progress, void *context)
{
    const Work *work = context;
    guint64 ended = progress->done + progress->failed;
    double past_s = (double)(g_get_monotonic_time() - work->began_us) / 1e6;
    double per_s = (double)(ended - progress->begun_with) / MAX(past_s, 1e-3);
    double left = (double)progress->total - (double)ended;
    GString *words = g_string_new(NULL);
    g_string_append_printf(words, "left, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ", %.3g/s",
                           ended, progress->total, per_s);
    if (progress->failed > 0) {
        g_string_append_printf(words, ", %" G_GUINT64_FORMAT " failed", progress->failed);
    }
    AftProgress shown = {(double)ended / (double)MAX(progress->total, 1), words->str,
                         per_s > 0.0 ? left / per_s : 0.0};
    aft_progress_bar_show(&shown, work->bar);
    g_string_free(words, TRUE);
}

/* Makes the first points' scenarios, to tell what is wrong with them before hours of others. */
static gboolean check_points(const AftPoints *points, Work *work, guint64 seed)
{
    for (guint point = 0; point < MIN(aft_points_n(points), CHECKED_POINTS); point++) {
        g_autoptr(GError) error = NULL;
        g_auto(GStrv) settings = aft_points_settings(points, point, seed, 0);
        g_autoptr(AftScenario) scenario = make((const char *const *)settings, work, &error);
        if (scenario == NULL) {
            g_autofree char *text = g_strjoinv(", ", settings);
            aft_say("aftershock sweep: point %u (%s) is no scenario:\n%s\n", point, text,
                    error->message);
            return FALSE;
        }
    }
    return TRUE;
}

/* Tells of points that got all the replications they may, and would need more. */
static void tell_precision(const AftSweepProgress *progress, const AftReplications *wanted)
{
    if (progress->wide > 0) {
        aft_say("%u of the %u points that ended: %s is not within %g %% after %u replications",
                progress->wide, progress->ended, wanted->metric, 100.0 * wanted->within,
                wanted->most);
        if (progress->in_vain > 0) {
            aft_say("; it never came at %u of them", progress->in_vain);
        }
        aft_say("\n");
    }
}

/* What to end with, after saying how far it came. */
static AftExit tell_end(const AftSweepProgress *progress, gint64 began_us)
{
    aft_say("%s after %.1f s: %" G_GUINT64_FORMAT " replications done",
            progress->final ? "Done" : "Interrupted",
            (double)(g_get_monotonic_time() - began_us) / 1e6, progress->done);
    if (progress->begun_with > 0) {
        aft_say(", %" G_GUINT64_FORMAT " of them before", progress->begun_with);
    }
    if (progress->failed > 0) {
        aft_say(", %" G_GUINT64_FORMAT " failed", progress->failed);
    }
    aft_say("\n");
    return !progress->final       ? AFT_EXIT_INTERRUPTED
           : progress->failed > 0 ? AFT_EXIT_UNFINISHED
                                  : AFT_EXIT_FINE;
}

static AftExit simulate(const Options *options, const AftPoints *points, AftStore *store,
                        Work *work)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftInterrupt) interrupt = aft_interrupt_new(&error);
    if (interrupt == NULL) {
        aft_say("aftershock sweep: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    g_autoptr(AftProgressBar) bar = aft_progress_bar_new();
    work->bar = bar;
    work->began_us = g_get_monotonic_time();
    AftSweepProgress progress;
    AftSweepSetup setup = {
        .sweep = work->sweep,
        .points = points,
        .store = store,
        .seed = aft_store_identity(store)->seed,
        .jobs = options->n_jobs,
        .interrupted = aft_interrupt_flag(interrupt),
        .make = make,
        .otherwise = work->falls_back ? OTHERWISE : NULL,
        .fell_back = fell_back,
        .progress = show,
        .context = work,
    };
    gboolean kept = aft_sweep_run(&setup, &progress, &error);
    g_clear_pointer(&bar, aft_progress_bar_free);
    AftExit status = tell_end(&progress, work->began_us);
    if (work->fell > 0) {
        aft_say("%" G_GUINT64_FORMAT " of them by windows, since %s\n", work->fell, work->why);
    }
    tell_precision(&progress, &work->sweep->replications);
    if (!kept) {
        aft_say("aftershock sweep: %s\n", error->message);
        return AFT_EXIT_UNFINISHED;
    }
    return status;
}

static AftStore *open_store(const Options *options, const AftSweep *sweep, const AftScenario *base,
                            const AftPoints *points)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *sweep_sha256 = aft_sweep_digest(sweep);
    g_autofree char *base_sha256 = aft_scenario_digest(base);
    g_autofree char *fidelity = aft_scenario_get(base, "run.fidelity");
    AftStoreIdentity identity = {
        .version = AFT_VERSION,
        .sweep_sha256 = sweep_sha256,
        .base_sha256 = base_sha256,
        .name = sweep->name,
        .design = aft_design_name(sweep->design),
        .fidelity = fidelity,
        .seed = base->run.seed,
        .points = aft_points_n(points),
        .shard = options->shard_index,
        .shards = options->shards,
    };
    AftStore *store = aft_store_open(options->directory, &identity, options->resume, &error);
    if (store == NULL) {
        aft_say("aftershock sweep: %s\n", error->message);
    }
    return store;
}

static AftExit run_points(const Options *options, const AftSweep *sweep, const AftScenario *base,
                          Work *work)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftPoints) points = aft_points_new(sweep, &error);
    if (points == NULL) {
        aft_say("aftershock sweep: %s\n", error->message);
        return AFT_EXIT_USAGE;
    }
    if (!check_points(points, work, base->run.seed)) {
        return AFT_EXIT_USAGE;
    }
    g_autoptr(AftStore) store = open_store(options, sweep, base, points);
    if (store == NULL) {
        return AFT_EXIT_UNFINISHED;
    }
    AftExit status = simulate(options, points, store, work);
    AftExit written =
        options->shards > 1 ? AFT_EXIT_FINE : aft_swept_tell("sweep", store, options->directory);
    return written != AFT_EXIT_FINE ? written : status;
}

/* (nullable): the user leaves it to the program. */
static const char *asked_fidelity(const Options *options, const AftSweep *sweep)
{
    return options->fidelity != NULL ? options->fidelity : sweep->fidelity;
}

/* Seed: of the command line, else of the sweep, else of the base. */
static GPtrArray *settings_of(const Options *options, const AftSweep *sweep)
{
    const char *fidelity = asked_fidelity(options, sweep);
    g_autofree char *seed =
        sweep->seeded ? g_strdup_printf("%" G_GUINT64_FORMAT, sweep->seed) : NULL;
    GPtrArray *settings =
        aft_options_settings(options->settings, options->seed != NULL ? options->seed : seed,
                             fidelity);
    if (fidelity == NULL) {
        g_ptr_array_insert(settings, 0, g_strdup(FIDELITY));
    }
    return settings;
}

/* Refuses --set of what the sweep sets at every point. */
static AftExit check_effect(const Options *options, const AftSweep *sweep)
{
    for (char **setting = options->settings; setting != NULL && *setting != NULL; setting++) {
        g_autofree char *path = g_strstrip(g_strndup(*setting, strcspn(*setting, "=")));
        const char *setter = aft_loader_sweep_setter(sweep, path);
        if (setter != NULL) {
            return aft_options_complain(&command, "--set %s has no effect beside %s of the sweep",
                                        *setting, setter);
        }
    }
    return AFT_EXIT_NOT_YET;
}

static AftExit sweep(int argc, char **argv)
{
    g_auto(Options) options = {0};
    AftExit status = parse(&options, &argc, &argv);
    status = status == AFT_EXIT_NOT_YET ? check_usage(&options, argc) : status;
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autofree char *file = aft_find_sweep(argv[1]);
    g_autoptr(AftSweep) it = file != NULL ? aft_load_sweep(file) : NULL;
    if (it == NULL) {
        return AFT_EXIT_USAGE;
    }
    status = check_effect(&options, it);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    g_autoptr(GPtrArray) settings = settings_of(&options, it);
    g_autoptr(AftScenario) base = aft_load_scenario(it->base, (const char *const *)settings->pdata);
    Work work = {.sweep = it, .settings = settings};
    work.falls_back = asked_fidelity(&options, it) == NULL;
    status = base != NULL ? run_points(&options, it, base, &work) : AFT_EXIT_USAGE;
    g_free(work.why);
    return status;
}

static const AftCommand command = {
    .name = "sweep",
    .arguments = "SWEEP",
    .summary = "Run a scenario many times, at many points",
    .more =
        "SWEEP is a file of kind: sweep, or the name of one that \"aftershock list sweeps\"\n"
        "shows. What is done is kept in DIR at once: Ctrl-C, or worse, loses nothing that was\n"
        "reported done, and --resume goes on, with the same end as if nothing had happened. A\n"
        "replication that fails is kept with its reason, and the rest goes on.\n"
        "\n"
        "With fidelity flow, the default, rates are measured once a point, and all of its\n"
        "replications share them: intervals tell what else differs between these.\n"
        "\n"
        "DIR gets sweep.db, points.csv, replications.csv, ranking.csv, and of a Sobol design\n"
        "indices.csv; a shard gets its database only. The ranking goes to standard output.\n"
        "\n"
        "Exit status: 0 fine; 2 wrong usage or input; 3 a replication failed, or DIR cannot be\n"
        "written or is another sweep's; 130 interrupted.\n"
        "\n"
        "Example: a shipped sweep on two cores\n"
        "  aftershock sweep small --jobs 2 -o results/small",
    .run = sweep,
};

const AftCommand *aft_cmd_sweep(void)
{
    return &command;
}
