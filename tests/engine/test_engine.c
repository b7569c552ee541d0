/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "actors.h"

static void a_new_engine_stands_at_zero_with_nothing_pending(void **state)
{
    Fixture *self = *state;
    assert_int_equal(aft_engine_now(self->engine), 0);
    assert_int_equal(aft_engine_scenario_now(self->engine), 0);
    assert_int_equal(aft_engine_next_slow(self->engine), G_MAXINT64);
    assert_int_equal(aft_engine_pending(self->engine), 0);
    assert_run(self, 7, "");
    assert_int_equal(aft_engine_now(self->engine), 7);
    assert_int_equal(aft_engine_executed(self->engine), 0);
}

static void equal_times_run_in_the_order_they_were_scheduled(void **state)
{
    Fixture *self = *state;
    io(self, 9, &self->a);
    io(self, 5, &self->a);
    io(self, 5, &self->b);
    io(self, 0, &self->c);
    io(self, 5, &self->c);
    assert_int_equal(aft_engine_pending(self->engine), 5);
    assert_run(self, 20, "c@0 a@5 b@5 c@5 a@9 ");
    assert_int_equal(aft_engine_executed(self->engine), 5);
    assert_int_equal(aft_engine_pending(self->engine), 0);
}

static void slow_events_run_before_io_of_the_same_time(void **state)
{
    Fixture *self = *state;
    io(self, 5, &self->a);
    slow(self, 5, &self->b);
    slow(self, 5, &self->c);
    assert_run(self, 5, "b@5 c@5 a@5 ");
}

static void schedule_slow_now(Fixture *self)
{
    slow(self, aft_engine_scenario_now(self->engine), &self->c);
}

static void a_slow_event_of_now_runs_before_the_io_that_is_left(void **state)
{
    Fixture *self = *state;
    self->a.act = schedule_slow_now;
    io(self, 5, &self->a);
    io(self, 5, &self->b);
    assert_run(self, 5, "a@5 c@5 b@5 ");
}

static void schedule_now(Fixture *self)
{
    io(self, aft_engine_now(self->engine), &self->b);
    io(self, aft_engine_now(self->engine), &self->c);
}

static void what_a_handler_schedules_for_now_runs_last_of_now(void **state)
{
    Fixture *self = *state;
    self->a.act = schedule_now;
    io(self, 5, &self->a);
    io(self, 5, &self->c);
    assert_run(self, 5, "a@5 c@5 b@5 c@5 ");
}

static void a_run_includes_its_end_and_the_next_one_goes_on(void **state)
{
    Fixture *self = *state;
    io(self, 10, &self->a);
    slow(self, 11, &self->b);
    io(self, 11, &self->c);
    assert_run(self, 10, "a@10 ");
    assert_run(self, 10, "");
    assert_run(self, 11, "b@11 c@11 ");
}

static void the_end_of_time_can_be_reached(void **state)
{
    Fixture *self = *state;
    self->event = io(self, G_MAXINT64, &self->a);
    slow(self, G_MAXINT64, &self->b);
    assert_int_equal(aft_engine_due(self->engine, self->event), G_MAXINT64);
    assert_run(self, G_MAXINT64 - 1, "");
    assert_run(self, G_MAXINT64, "b@9223372036854775807 a@9223372036854775807 ");
}

static void stop(Fixture *self)
{
    aft_engine_stop(self->engine);
}

static void a_stop_leaves_the_rest_of_its_time_to_the_next_run(void **state)
{
    Fixture *self = *state;
    self->a.act = stop;
    io(self, 5, &self->a);
    io(self, 5, &self->b);
    slow(self, 8, &self->a);
    io(self, 8, &self->c);
    assert_false(aft_engine_run(self->engine, 100));
    assert_string_equal(self->log->str, "a@5 ");
    assert_int_equal(aft_engine_now(self->engine), 5);
    assert_false(aft_engine_run(self->engine, 100));
    assert_string_equal(self->log->str, "a@5 b@5 a@8 ");
    assert_int_equal(aft_engine_now(self->engine), 8);
    assert_run(self, 100, "c@8 ");
}

static void schedule_slow_now_and_stop(Fixture *self)
{
    aft_engine_stop(self->engine);
    schedule_slow_now(self);
}

static void a_stop_holds_whatever_its_handler_schedules(void **state)
{
    Fixture *self = *state;
    self->a.act = schedule_slow_now_and_stop;
    io(self, 5, &self->a);
    io(self, 5, &self->b);
    assert_false(aft_engine_run(self->engine, 100));
    assert_string_equal(self->log->str, "a@5 ");
    assert_run(self, 100, "c@5 b@5 ");
}

static void a_stop_between_runs_stops_nothing(void **state)
{
    Fixture *self = *state;
    io(self, 5, &self->a);
    aft_engine_stop(self->engine);
    assert_run(self, 5, "a@5 ");
}

static void a_cancelled_event_never_runs(void **state)
{
    Fixture *self = *state;
    AftEvent first = io(self, 5, &self->a), last_slow = slow(self, 6, &self->b);
    io(self, 7, &self->c);
    assert_true(aft_engine_cancel(self->engine, first));
    assert_true(aft_engine_cancel(self->engine, last_slow));
    assert_int_equal(aft_engine_pending(self->engine), 1);
    assert_int_equal(aft_engine_next_slow(self->engine), G_MAXINT64);
    assert_run(self, 9, "c@7 ");
    assert_int_equal(aft_engine_executed(self->engine), 1);
}

static void assert_names_nothing(Fixture *self, AftEvent event)
{
    assert_int_equal(aft_engine_due(self->engine, event), -1);
    assert_false(aft_engine_cancel(self->engine, event));
    assert_false(aft_engine_reschedule(self->engine, event, 50));
}

static void a_handle_whose_event_is_gone_names_nothing(void **state)
{
    Fixture *self = *state;
    assert_names_nothing(self, 0);
    AftEvent ran[] = {io(self, 5, &self->a), slow(self, 5, &self->a)};
    AftEvent cancelled[] = {io(self, 6, &self->b), slow(self, 6, &self->b)};
    for (guint i = 0; i < 2; i++) {
        assert_true(aft_engine_cancel(self->engine, cancelled[i]));
        assert_names_nothing(self, cancelled[i]);
    }
    aft_engine_run(self->engine, 6);
    for (guint i = 0; i < 2; i++) {
        io(self, 9, &self->c);
        slow(self, 9, &self->c);
        assert_names_nothing(self, cancelled[i]);
        assert_names_nothing(self, ran[i]);
    }
    assert_run(self, 9, "c@9 c@9 c@9 c@9 ");
}

static void take_its_place_many_times(Fixture *self)
{
    assert_names_nothing(self, self->event);
    if (aft_engine_executed(self->engine) < 1000) {
        AftEvent next = io(self, aft_engine_now(self->engine), &self->a);
        assert_true(next != self->event && next != 0);
        assert_names_nothing(self, self->event);
    }
}

static void a_running_event_names_nothing_nor_does_who_takes_its_place(void **state)
{
    Fixture *self = *state;
    self->a.act = take_its_place_many_times;
    self->event = io(self, 5, &self->a);
    aft_engine_run(self->engine, 5);
    assert_int_equal(aft_engine_executed(self->engine), 1000);
}

static void a_rescheduled_event_is_the_last_of_its_new_time(void **state)
{
    Fixture *self = *state;
    AftEvent first = io(self, 5, &self->a), first_slow = slow(self, 5, &self->a);
    AftEvent to_front = io(self, 9, &self->b);
    io(self, 5, &self->c);
    slow(self, 5, &self->c);
    assert_true(aft_engine_reschedule(self->engine, first, 5));
    assert_true(aft_engine_reschedule(self->engine, first_slow, 5));
    assert_true(aft_engine_reschedule(self->engine, to_front, 2));
    assert_int_equal(aft_engine_due(self->engine, to_front), 2);
    assert_int_equal(aft_engine_pending(self->engine), 5);
    assert_run(self, 9, "b@2 c@5 a@5 c@5 a@5 ");
}

static void move_the_slow_event_to_now(Fixture *self)
{
    gint64 now_ns = aft_engine_scenario_now(self->engine);
    assert_true(aft_engine_reschedule(self->engine, self->event, now_ns));
}

static void cancel_the_event(Fixture *self)
{
    assert_true(aft_engine_cancel(self->engine, self->event));
}

static void handlers_may_move_and_cancel_what_is_next(void **state)
{
    Fixture *self = *state;
    self->a.act = move_the_slow_event_to_now;
    self->event = slow(self, 50, &self->c);
    io(self, 5, &self->a);
    io(self, 6, &self->b);
    assert_run(self, 60, "a@5 c@5 b@6 ");

    self->a.act = cancel_the_event;
    io(self, 70, &self->a);
    self->event = io(self, 70, &self->b);
    io(self, 70, &self->c);
    assert_run(self, 80, "a@70 c@70 ");

    slow(self, 90, &self->a);
    self->event = slow(self, 90, &self->b);
    io(self, 90, &self->c);
    assert_run(self, 95, "a@90 c@90 ");
}

static void cancel_then_schedule(Fixture *self)
{
    cancel_the_event(self);
    io(self, 6, &self->c);
    io(self, 5, &self->c);
}

static void a_handler_may_cancel_before_it_schedules(void **state)
{
    Fixture *self = *state;
    self->a.act = cancel_then_schedule;
    io(self, 5, &self->a);
    self->event = io(self, 5, &self->b);
    io(self, 6, &self->b);
    assert_run(self, 9, "a@5 c@5 b@6 c@6 ");
    assert_int_equal(aft_engine_pending(self->engine), 0);
}

static void look_at_next_slow(Fixture *self)
{
    self->next_slow = aft_engine_next_slow(self->engine);
}

static void a_slow_event_that_runs_is_not_the_next_one(void **state)
{
    Fixture *self = *state;
    self->a.act = look_at_next_slow;
    slow(self, 5, &self->a);
    slow(self, 8, &self->a);
    assert_int_equal(aft_engine_next_slow(self->engine), 5);
    assert_run(self, 5, "a@5 ");
    assert_int_equal(self->next_slow, 8);
    assert_run(self, 8, "a@8 ");
    assert_int_equal(self->next_slow, G_MAXINT64);
}

/* Engine time     0 ... 10                10 ... 20
 * scenario time   0 ... 10 --- skip 90 --- 100 ... 110 */
static void a_skip_brings_slow_events_nearer_and_leaves_io_alone(void **state)
{
    Fixture *self = *state;
    self->event = io(self, 15, &self->a);
    AftEvent fault = slow(self, 103, &self->b);
    slow(self, 105, &self->c);
    assert_run(self, 10, "");
    aft_engine_skip(self->engine, 90);
    assert_int_equal(aft_engine_now(self->engine), 10);
    assert_int_equal(aft_engine_scenario_now(self->engine), 100);
    assert_int_equal(aft_engine_due(self->engine, self->event), 15);
    assert_int_equal(aft_engine_due(self->engine, fault), 103);
    assert_int_equal(aft_engine_next_slow(self->engine), 103);
    assert_run(self, 110, "b@13 c@15 a@15 ");
    assert_int_equal(aft_engine_now(self->engine), 20);
}

static void a_skip_may_end_at_a_slow_event_which_runs_next(void **state)
{
    Fixture *self = *state;
    self->a.act = schedule_now;
    slow(self, 100, &self->a);
    io(self, 10, &self->b);
    assert_run(self, 9, "");
    aft_engine_skip(self->engine, 91);
    aft_engine_skip(self->engine, 0);
    assert_run(self, 101, "a@9 b@9 c@9 b@10 ");
}

static void a_stopped_run_may_be_followed_by_a_skip(void **state)
{
    Fixture *self = *state;
    self->a.act = stop;
    io(self, 4, &self->a);
    io(self, 6, &self->b);
    assert_false(aft_engine_run(self->engine, 10));
    aft_engine_skip(self->engine, 1000);
    assert_int_equal(aft_engine_scenario_now(self->engine), 1004);
    assert_run(self, 1005, "");
    assert_run(self, 1006, "b@6 ");
}

static void two_engines_do_not_know_each_other(void **state)
{
    Fixture *self = *state;
    void *other_state = NULL;
    setup(&other_state);
    Fixture *other = other_state;
    self->event = io(self, 5, &self->a);
    AftEvent of_other = io(other, 7, &other->b);
    aft_engine_skip(other->engine, 100);
    assert_run(self, 6, "a@5 ");
    assert_run(other, 107, "b@7 ");
    assert_int_equal(aft_engine_now(self->engine), 6);
    assert_names_nothing(self, self->event);
    assert_names_nothing(other, of_other);
    teardown(&other_state);
}

static void freeing_takes_null_and_engines_with_events(void **state)
{
    Fixture *self = *state;
    aft_engine_free(NULL);
    io(self, 5, &self->a);
    slow(self, 5, &self->a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        engine_test(a_new_engine_stands_at_zero_with_nothing_pending),
        engine_test(equal_times_run_in_the_order_they_were_scheduled),
        engine_test(slow_events_run_before_io_of_the_same_time),
        engine_test(a_slow_event_of_now_runs_before_the_io_that_is_left),
        engine_test(what_a_handler_schedules_for_now_runs_last_of_now),
        engine_test(a_run_includes_its_end_and_the_next_one_goes_on),
        engine_test(the_end_of_time_can_be_reached),
        engine_test(a_stop_leaves_the_rest_of_its_time_to_the_next_run),
        engine_test(a_stop_holds_whatever_its_handler_schedules),
        engine_test(a_stop_between_runs_stops_nothing),
        engine_test(a_cancelled_event_never_runs),
        engine_test(a_handle_whose_event_is_gone_names_nothing),
        engine_test(a_running_event_names_nothing_nor_does_who_takes_its_place),
        engine_test(a_rescheduled_event_is_the_last_of_its_new_time),
        engine_test(handlers_may_move_and_cancel_what_is_next),
        engine_test(a_handler_may_cancel_before_it_schedules),
        engine_test(a_slow_event_that_runs_is_not_the_next_one),
        engine_test(a_skip_brings_slow_events_nearer_and_leaves_io_alone),
        engine_test(a_skip_may_end_at_a_slow_event_which_runs_next),
        engine_test(a_stopped_run_may_be_followed_by_a_skip),
        engine_test(two_engines_do_not_know_each_other),
        engine_test(freeing_takes_null_and_engines_with_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
