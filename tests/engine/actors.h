/* SPDX-License-Identifier: GPL-3.0-or-later */
/* actors.h - an engine, and events that write into a log when they run. */
#pragma once

#include "test.h"

#include <aftershock/engine/engine.h>

typedef struct Fixture Fixture;

/* The context of an event: what it writes into the log when it runs, and what it does then. */
typedef struct {
    Fixture *fixture;
    const char *name;
    void (*act)(Fixture *fixture); /* (nullable) */
} Actor;

struct Fixture {
    AftEngine *engine;
    GString *log;     /* who ran, and when in engine time: "a@5 b@7 " */
    Actor a, b, c;    /* these only write the log, unless a test lets them act */
    AftEvent event;   /* one that a test keeps an eye on */
    gint64 next_slow; /* seen by look_at_next_slow() */
};

static inline int setup(void **state)
{
    Fixture *self = g_new0(Fixture, 1);
    self->engine = aft_engine_new();
    self->log = g_string_new(NULL);
    self->a = (Actor){self, "a", NULL};
    self->b = (Actor){self, "b", NULL};
    self->c = (Actor){self, "c", NULL};
    *state = self;
    return 0;
}

static inline int teardown(void **state)
{
    Fixture *self = *state;
    aft_engine_free(self->engine);
    g_string_free(self->log, TRUE);
    g_free(self);
    return 0;
}

static inline void play(void *context, gint64 now_ns)
{
    Actor *actor = context;
    assert_int_equal(aft_engine_now(actor->fixture->engine), now_ns);
    g_string_append_printf(actor->fixture->log, "%s@%" G_GINT64_FORMAT " ", actor->name, now_ns);
    if (actor->act != NULL) {
        actor->act(actor->fixture);
    }
}

static inline AftEvent io(Fixture *self, gint64 at_ns, Actor *actor)
{
    return aft_engine_schedule(self->engine, at_ns, play, actor);
}

static inline AftEvent slow(Fixture *self, gint64 at_ns, Actor *actor)
{
    return aft_engine_schedule_slow(self->engine, at_ns, play, actor);
}

/* Runs to scenario time @until_ns and compares what the log says of that. */
static inline void assert_run(Fixture *self, gint64 until_ns, const char *expected)
{
    g_string_truncate(self->log, 0);
    assert_true(aft_engine_run(self->engine, until_ns));
    assert_string_equal(self->log->str, expected);
    assert_int_equal(aft_engine_scenario_now(self->engine), until_ns);
}

#define engine_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
