/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only a bug can ask of an engine ends the program. */
#include "actors.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void schedule_in_the_past(Fixture *self)
{
    aft_engine_run(self->engine, 10);
    io(self, 9, &self->a);
}

static void schedule_slow_in_the_past(Fixture *self)
{
    aft_engine_skip(self->engine, 10);
    slow(self, 9, &self->a);
}

static void reschedule_into_the_past(Fixture *self)
{
    self->event = io(self, 20, &self->a);
    aft_engine_run(self->engine, 10);
    aft_engine_reschedule(self->engine, self->event, 9);
}

static void skip_over_a_slow_event(Fixture *self)
{
    slow(self, 9, &self->a);
    aft_engine_skip(self->engine, 10);
}

static void skip_one(Fixture *self)
{
    aft_engine_skip(self->engine, 1);
}

static void skip_in_a_handler(Fixture *self)
{
    self->a.act = skip_one;
    io(self, 5, &self->a);
    aft_engine_run(self->engine, 10);
}

static void run_one(Fixture *self)
{
    aft_engine_run(self->engine, 20);
}

static void run_in_a_handler(Fixture *self)
{
    self->a.act = run_one;
    io(self, 5, &self->a);
    aft_engine_run(self->engine, 10);
}

static void run_backwards(Fixture *self)
{
    aft_engine_run(self->engine, 10);
    aft_engine_run(self->engine, 9);
}

static void run_forwards(Fixture *self)
{
    aft_engine_run(self->engine, 10);
    aft_engine_run(self->engine, 10);
}

/* Whether @bug ends a process of its own by abort(). */
static gboolean aborts(Fixture *self, void (*bug)(Fixture *))
{
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        bug(self);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void bugs_are_caught(void **state)
{
    assert_true(aborts(*state, schedule_in_the_past));
    assert_true(aborts(*state, schedule_slow_in_the_past));
    assert_true(aborts(*state, reschedule_into_the_past));
    assert_true(aborts(*state, skip_over_a_slow_event));
    assert_true(aborts(*state, skip_in_a_handler));
    assert_true(aborts(*state, run_in_a_handler));
    assert_true(aborts(*state, run_backwards));
    assert_false(aborts(*state, run_forwards));
}

int main(void)
{
    const struct CMUnitTest tests[] = {engine_test(bugs_are_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
