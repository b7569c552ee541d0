/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "xray_template.h"

#include "text.h"
#include "xray_file.h"

#include <math.h>
#include <string.h>

#define NAME_CHARACTERS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"

enum { DIGITS = 15, DEEPEST = 20 };

typedef struct {
    const char *at;
    const AftYaml *variables; /* (nullable) */
    char *problem;            /* the first (nullable) */
    guint depth;
} Parser;

static void complain(Parser *parser, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void complain(Parser *parser, const char *format, ...)
{
    if (parser->problem == NULL) {
        va_list arguments;
        va_start(arguments, format);
        parser->problem = g_strdup_vprintf(format, arguments);
        va_end(arguments);
    }
}

static void complain_about_form(Parser *parser)
{
    complain(parser, "only names, numbers, + - * / ( ) and | default(...) are read");
}

static void skip_blanks(Parser *parser)
{
    parser->at += strspn(parser->at, " \t");
}

static gboolean take(Parser *parser, char c)
{
    skip_blanks(parser);
    gboolean there = *parser->at == c;
    parser->at += there ? 1 : 0;
    return there;
}

/* Returns: (transfer full): "" when there is none. */
static char *take_name(Parser *parser)
{
    skip_blanks(parser);
    gsize length = g_ascii_isdigit(*parser->at) ? 0 : strspn(parser->at, NAME_CHARACTERS);
    char *name = g_strndup(parser->at, length);
    parser->at += length;
    return name;
}

/* The value of the variable @name by default. Returns: (transfer none) (nullable). */
static const char *value_of(const Parser *parser, const char *name)
{
    const AftYaml *variable =
        parser->variables != NULL ? aft_yaml_member(parser->variables, name) : NULL;
    if (variable != NULL && variable->kind == AFT_YAML_MAP) {
        variable = aft_yaml_member(variable, "default");
    }
    gboolean plain = variable != NULL && variable->kind == AFT_YAML_VALUE && !variable->nothing &&
                     !aft_xray_has_template(variable->text);
    return plain ? variable->text : NULL;
}

static double take_number(Parser *parser)
{
    double value = NAN;
    gsize length = strspn(parser->at, G_CSET_DIGITS ".");
    g_autofree char *number = g_strndup(parser->at, length);
    parser->at += length;
    if (!aft_text_parse(number, FALSE, &value)) {
        complain_about_form(parser);
    }
    return value;
}

static double take_variable(Parser *parser)
{
    double value = NAN;
    g_autofree char *name = take_name(parser);
    const char *text = value_of(parser, name);
    if (*name == '\0') {
        complain_about_form(parser);
    } else if (text == NULL) {
        complain(parser, "vars has no default for %s", name);
    } else if (!aft_text_parse(text, FALSE, &value)) {
        complain(parser, "%s: expected a number of 0 or more, got \"%s\"", name, text);
    }
    return value;
}

static double take_sum(Parser *parser);

static double take_factor(Parser *parser)
{
    skip_blanks(parser);
    if (g_ascii_isdigit(*parser->at)) {
        return take_number(parser);
    }
    if (!take(parser, '(')) {
        return take_variable(parser);
    }
    double value = NAN;
    if (++parser->depth > DEEPEST) {
        complain(parser, "brackets are more than 20 deep");
    } else {
        value = take_sum(parser);
    }
    if (!take(parser, ')')) {
        complain_about_form(parser);
    }
    parser->depth--;
    return value;
}

static double take_product(Parser *parser)
{
    double value = take_factor(parser);
    while (parser->problem == NULL) {
        if (take(parser, '*')) {
            value *= take_factor(parser);
        } else if (take(parser, '/')) {
            value /= take_factor(parser);
        } else {
            return value;
        }
    }
    return value;
}

static double take_sum(Parser *parser)
{
    double value = take_product(parser);
    while (parser->problem == NULL) {
        if (take(parser, '+')) {
            value += take_product(parser);
        } else if (take(parser, '-')) {
            value -= take_product(parser);
        } else {
            return value;
        }
    }
    return value;
}

/* "5" or "'a text'", up to the bracket. Returns: (transfer full). */
static char *take_literal(Parser *parser)
{
    skip_blanks(parser);
    char quote = *parser->at;
    gboolean quoted = quote == '"' || quote == '\'';
    const char end[] = {quoted ? quote : ')', '\0'};
    parser->at += quoted ? 1 : 0;
    gsize length = strcspn(parser->at, end);
    char *text = g_strndup(parser->at, length);
    parser->at += length;
    if (quoted && !take(parser, quote)) {
        complain_about_form(parser);
    }
    return quoted ? text : g_strstrip(text);
}

static char *rounded(char *text, gboolean down)
{
    double value = NAN;
    if (text != NULL && aft_text_parse(text, FALSE, &value)) {
        g_free(text);
        g_autoptr(GString) number = g_string_new(NULL);
        aft_text_number(number, down ? floor(value) : round(value), DIGITS);
        return g_string_free(g_steal_pointer(&number), FALSE);
    }
    return text;
}

/* What @text (nullable) is behind the filter at hand. Takes it over. */
static char *take_filter(Parser *parser, char *text)
{
    g_autofree char *filter = take_name(parser);
    if (g_str_equal(filter, "int") || g_str_equal(filter, "round")) {
        return rounded(text, *filter == 'i');
    }
    if (g_str_equal(filter, "float")) {
        return text;
    }
    if (!g_str_equal(filter, "default") || !take(parser, '(')) {
        complain_about_form(parser);
        return text;
    }
    g_autofree char *literal = take_literal(parser);
    if (!take(parser, ')')) {
        complain_about_form(parser);
    }
    return text != NULL ? text : g_steal_pointer(&literal);
}

/* A name, piped or not. Returns: whether it was one; else nothing is taken. */
static gboolean take_piped(Parser *parser, GString *text)
{
    const char *start = parser->at;
    g_autofree char *name = take_name(parser);
    skip_blanks(parser);
    if (*name == '\0' || (*parser->at != '\0' && *parser->at != '|')) {
        parser->at = start;
        return FALSE;
    }
    g_autofree char *value = g_strdup(value_of(parser, name));
    while (parser->problem == NULL && take(parser, '|')) {
        value = take_filter(parser, g_steal_pointer(&value));
    }
    if (value == NULL) {
        complain(parser, "vars has no default for %s", name);
    } else {
        g_string_append(text, value);
    }
    return TRUE;
}

char *aft_xray_template_append(const char *template, const AftYaml *variables, GString *text)
{
    Parser parser = {.at = template, .variables = variables};
    if (!take_piped(&parser, text)) {
        double value = take_sum(&parser);
        if (parser.problem == NULL && !isfinite(value)) {
            complain(&parser, "comes to no number");
        }
        aft_text_number(text, value, DIGITS);
    }
    skip_blanks(&parser);
    if (*parser.at != '\0') {
        complain_about_form(&parser);
    }
    return parser.problem;
}
