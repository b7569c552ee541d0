/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/nearest.h>
#include <aftershock/scenario/parts.h>

#include <string.h>

enum { MOST_NUMBERS = 3, LONGEST_NUMBER = 9 /* digits */, LARGEST_NUMBER = 999999999 };

static const struct {
    const char *word;
    guint numbers;
    const char *example;
} parts[AFT_PARTS] = {
    [AFT_PART_NODE] = {"node", 1, "node 2"},
    [AFT_PART_CONTROLLER] = {"controller", 1, "controller 2"},
    [AFT_PART_DEVICE] = {"device", 3, "device 2.0.1"},
    [AFT_PART_CACHE] = {"cache", 2, "cache 2.0"},
    [AFT_PART_GROUP] = {"group", 2, "group 2.0"},
    [AFT_PART_RACK] = {"rack", 1, "rack 2"},
    [AFT_PART_LINK] = {"node", 1, "node 2"}, /* the link of a node is called like the node */
};

char *aft_part_format(const AftPart *part)
{
    const char *word = parts[part->kind].word;
    switch (parts[part->kind].numbers) {
    case 1:
        return g_strdup_printf("%s %u", word, part->node);
    case 2:
        return g_strdup_printf("%s %u.%u", word, part->node, part->group);
    default:
        return g_strdup_printf("%s %u.%u.%u", word, part->node, part->group, part->device);
    }
}

char *aft_part_examples(guint kinds)
{
    const char *examples[AFT_PARTS];
    guint n = 0;
    for (guint i = 0; i < AFT_PARTS; i++) {
        if ((kinds & (1u << i)) != 0) {
            examples[n++] = parts[i].example;
        }
    }
    GString *text = g_string_new(examples[0]);
    for (guint i = 1; i < n; i++) {
        g_string_append_printf(text, "%s%s", i + 1 == n ? " or " : ", ", examples[i]);
    }
    return g_string_free(text, FALSE);
}

/* The kind of @kinds that the word @text of @length bytes means; AFT_PARTS: none. */
static guint kind_of(const char *text, gsize length, guint kinds)
{
    guint kind = 0;
    while (kind < AFT_PARTS && ((kinds & (1u << kind)) == 0 || strlen(parts[kind].word) != length ||
                                strncmp(parts[kind].word, text, length) != 0)) {
        kind++;
    }
    return kind;
}

/* Reads "0.1.2", all of @text. Returns: how many numbers; 0: something else. */
static guint read_numbers(const char *text, guint *numbers)
{
    for (guint n = 0; n < MOST_NUMBERS; n++) {
        gsize digits = strspn(text, "0123456789");
        if (digits == 0 || digits > LONGEST_NUMBER) {
            return 0;
        }
        numbers[n] = (guint)g_ascii_strtoull(text, NULL, 10);
        text += digits;
        if (*text == '\0') {
            return n + 1;
        }
        text += *text == '.';
    }
    return 0;
}

/* The kind that is meant when the word is left out. */
static guint last_of(guint kinds)
{
    return (guint)g_bit_storage(kinds) - 1;
}

static gsize word_length(const char *text)
{
    gsize n = 0;
    while (g_ascii_isalpha(text[n])) {
        n++;
    }
    return n;
}

gboolean aft_part_parse(const char *text, guint kinds, gboolean bare, AftPart *ret_part)
{
    gsize length = word_length(text), blanks = strspn(text + length, " \t");
    guint numbers[MOST_NUMBERS] = {0};
    guint kind = length == 0 && bare ? last_of(kinds) : kind_of(text, length, kinds);
    guint n = read_numbers(text + length + blanks, numbers);
    if (kind == AFT_PARTS || n != parts[kind].numbers || (length > 0 && blanks == 0)) {
        return FALSE;
    }
    *ret_part = (AftPart){(AftPartKind)kind, numbers[0], numbers[1], numbers[2]};
    return TRUE;
}

char *aft_part_suggest(const char *text, guint kinds)
{
    const char *words[AFT_PARTS];
    guint n = 0;
    gsize length = word_length(text);
    for (guint i = 0; i < AFT_PARTS; i++) {
        if ((kinds & (1u << i)) != 0) {
            words[n++] = parts[i].word;
        }
    }
    g_autofree char *word = g_strndup(text, length);
    const char *nearest = aft_nearest(word, words, n);
    AftPart part;
    g_autofree char *whole = g_strconcat(nearest == NULL ? "" : nearest, text + length, NULL);
    return aft_part_parse(whole, kinds, FALSE, &part) ? aft_part_format(&part) : NULL;
}

guint aft_part_largest(guint kinds)
{
    return parts[last_of(kinds)].numbers == 1 ? LARGEST_NUMBER : 0;
}

/* The numbers of a part of @kind. */
static void append_numbers(GString *pattern, guint kind)
{
    for (guint i = 0; i < parts[kind].numbers; i++) {
        g_string_append_printf(pattern, "%s[0-9]{1,%d}", i == 0 ? "" : "\\.", LONGEST_NUMBER);
    }
}

char *aft_part_pattern(guint kinds, gboolean bare)
{
    GString *pattern = g_string_new("(?:");
    for (guint i = 0; i < AFT_PARTS; i++) {
        if ((kinds & (1u << i)) != 0) {
            g_string_append_printf(pattern, "%s[ \\t]+", parts[i].word);
            append_numbers(pattern, i);
            g_string_append_c(pattern, '|');
        }
    }
    if (bare) {
        append_numbers(pattern, last_of(kinds));
    } else {
        g_string_truncate(pattern, pattern->len - 1);
    }
    g_string_append_c(pattern, ')');
    return g_string_free(pattern, FALSE);
}
