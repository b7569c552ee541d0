/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

AftExit aft_put(const char *text)
{
    if (fputs(text, stdout) < 0 || fflush(stdout) != 0) {
        aft_say("aftershock: cannot write to standard output: %s\n", g_strerror(errno));
        return AFT_EXIT_UNFINISHED;
    }
    return AFT_EXIT_FINE;
}

void aft_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    fputs(text, stderr);
    fflush(stderr);
}

gboolean aft_terminal_is(FILE *stream)
{
    const char *kind = g_getenv("TERM");
    return isatty(fileno(stream)) == 1 && kind != NULL && g_strcmp0(kind, "dumb") != 0;
}

guint aft_terminal_width(FILE *stream)
{
    struct winsize size;
    if (isatty(fileno(stream)) != 1) {
        return 0;
    }
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return 80;
    }
    return size.ws_col;
}

AftTextStyle aft_terminal_style(FILE *stream)
{
    const char *no_colour = g_getenv("NO_COLOR");
    gboolean may = no_colour == NULL || *no_colour == '\0';
    return (AftTextStyle){.width = aft_terminal_width(stream),
                          .utf8 = g_get_charset(NULL),
                          .colour = may && aft_terminal_is(stream)};
}
