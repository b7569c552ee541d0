/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interrupt.h"
#include "command.h"

#include <aftershock/base/error.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

struct AftInterrupt {
    sigset_t watched, before; /* the second is the mask to go back to */
    pthread_t watcher;
    gint flag; /* atomic */
};

/* The watcher is told to go by a signal of its own. A cancelled thread would do as well, but its
 * stack is never seen to unwind by AddressSanitizer, which then stops the program. */
static int go_away(void)
{
    return SIGRTMIN;
}

static void *watch(void *data)
{
    AftInterrupt *interrupt = data;
    gint64 first_us = 0;
    int signal_number;
    while (sigwait(&interrupt->watched, &signal_number) == 0 && signal_number != go_away()) {
        gint64 now_us = g_get_monotonic_time();
        if (first_us != 0 && now_us - first_us >= G_USEC_PER_SEC) {
            _exit(AFT_EXIT_INTERRUPTED);
        }
        first_us = first_us != 0 ? first_us : now_us;
        g_atomic_int_set(&interrupt->flag, TRUE);
    }
    return NULL;
}

/* A blocked signal is not ignored even if it should be, so it must not be watched. */
static void watch_unless_ignored(sigset_t *watched, int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
        sigaddset(watched, signal_number);
    }
}

AftInterrupt *aft_interrupt_new(GError **error)
{
    AftInterrupt *interrupt = g_new0(AftInterrupt, 1);
    sigemptyset(&interrupt->watched);
    sigaddset(&interrupt->watched, go_away());
    watch_unless_ignored(&interrupt->watched, SIGINT);
    watch_unless_ignored(&interrupt->watched, SIGTERM);
    watch_unless_ignored(&interrupt->watched, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupt->watched, &interrupt->before);
    int failure = pthread_create(&interrupt->watcher, NULL, watch, interrupt);
    if (failure != 0) {
        g_set_error(error, AFT_ERROR, AFT_ERROR_LIMIT, "cannot start a thread: %s",
                    g_strerror(failure));
        pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
        g_clear_pointer(&interrupt, g_free);
    }
    return interrupt;
}

void aft_interrupt_free(AftInterrupt *interrupt)
{
    if (interrupt == NULL) {
        return;
    }
    pthread_kill(interrupt->watcher, go_away());
    pthread_join(interrupt->watcher, NULL);
    pthread_sigmask(SIG_SETMASK, &interrupt->before, NULL);
    g_free(interrupt);
}

gint *aft_interrupt_flag(AftInterrupt *interrupt)
{
    return &interrupt->flag;
}
