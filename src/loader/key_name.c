/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "key_name.h"

#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

enum { LONGEST_NAME = 64, LONGEST_PATH = 200 };

gboolean aft_key_name_is(const char *text, gsize length, gboolean dots)
{
    gsize n = strspn(text, dots ? LETTERS "." : LETTERS);
    return n > 0 && n <= LONGEST_NAME && n == length;
}

gboolean aft_key_path_is(const char *text, gsize length)
{
    gboolean fine = g_ascii_isalpha(*text) && length <= LONGEST_PATH && strlen(text) == length;
    while (fine && *text != '\0') {
        gsize index = *text == '[' ? strspn(text + 1, "0123456789") : 0;
        gsize n = index > 0 && text[index + 1] == ']' ? index + 2 : strspn(text, LETTERS ".");
        fine = n > 0;
        text += n;
    }
    return fine;
}
