/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <aftershock/base/shown.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What breaks lines and makes columns in the program's own texts; a terminal needs no other. */
#define KEPT "\n\t"

static AftExit put(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0) {
        aft_say("aftershock: cannot write to standard output: %s\n", g_strerror(errno));
        return AFT_EXIT_UNFINISHED;
    }
    return AFT_EXIT_FINE;
}

AftExit aft_put(const char *text, const char *format)
{
    if (format == NULL || g_str_equal(format, "text") || isatty(fileno(stdout)) != 1) {
        return put(text);
    }
    g_autofree char *shown = aft_shown_text(text, KEPT);
    return put(shown);
}

/* @format as a text that may go to any terminal; @columns: see aft_shown_ascii(). */
G_GNUC_PRINTF(1, 0)
static char *line_of(const char *format, va_list arguments, gboolean columns)
{
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    g_autofree char *shown = aft_shown_text(text, KEPT);
    return g_get_charset(NULL) ? g_steal_pointer(&shown) : aft_shown_ascii(shown, columns);
}

AftExit aft_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = line_of(format, arguments, FALSE);
    va_end(arguments);
    return put(text);
}

void aft_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = line_of(format, arguments, TRUE); /* a caret may stand below */
    va_end(arguments);
    aft_repaint(text);
}

/* A write raises SIGPIPE in its own thread, at once: held back, it waits here to be taken. */
void aft_repaint(const char *text)
{
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    fputs(text, stderr);
    fflush(stderr);
    sigtimedwait(&held, NULL, &(const struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

gboolean aft_terminal_is(FILE *stream)
{
    const char *kind = g_getenv("TERM");
    return isatty(fileno(stream)) == 1 && kind != NULL && g_strcmp0(kind, "dumb") != 0;
}

/* Returns: FALSE when @stream is no terminal; zeros are not known. */
static gboolean find_size(FILE *stream, struct winsize *ret_size)
{
    *ret_size = (struct winsize){0};
    if (isatty(fileno(stream)) != 1) {
        return FALSE;
    }
    ioctl(fileno(stream), TIOCGWINSZ, ret_size);
    return TRUE;
}

guint aft_terminal_width(FILE *stream)
{
    struct winsize size;
    if (!find_size(stream, &size)) {
        return 0;
    }
    return size.ws_col > 0 ? size.ws_col : 80;
}

guint aft_terminal_height(FILE *stream)
{
    struct winsize size;
    return find_size(stream, &size) && size.ws_row > 0 ? size.ws_row : 24;
}

AftTextStyle aft_terminal_style(FILE *stream)
{
    const char *no_colour = g_getenv("NO_COLOR");
    gboolean may = no_colour == NULL || *no_colour == '\0';
    return (AftTextStyle){.width = aft_terminal_width(stream),
                          .utf8 = g_get_charset(NULL),
                          .colour = may && aft_terminal_is(stream)};
}
