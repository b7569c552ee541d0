/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command.h"
#include "options.h"
#include "terminal.h"

#include <aftershock/loader/schema.h>
#include <aftershock/scenario/nearest.h>

static const AftCommand command;

static const struct {
    const char *name;
    char *(*make)(AftSchemaKind kind);
} formats[] = {
    {"json", aft_loader_schema},
    {"markdown", aft_loader_manual},
};

static AftExit complain_about_kind(const char *name)
{
    const char *names[AFT_SCHEMAS];
    for (guint i = 0; i < AFT_SCHEMAS; i++) {
        names[i] = aft_schema_kind_name((AftSchemaKind)i);
    }
    const char *meant = aft_nearest(name, names, AFT_SCHEMAS);
    return aft_options_complain(&command, "there are no files of kind \"%s\"; %s%s%s", name,
                                meant != NULL ? "did you mean " : "there are ",
                                meant != NULL ? meant : "scenario, sweep and reference",
                                meant != NULL ? "?" : "");
}

static AftExit put_schema(AftSchemaKind kind, const char *format)
{
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (g_str_equal(formats[i].name, format)) {
            g_autofree char *text = formats[i].make(kind);
            return aft_put(text, format);
        }
    }
    return aft_options_complain(&command, "--format is json or markdown, not \"%s\"", format);
}

static AftExit schema(int argc, char **argv)
{
    g_autofree char *format = NULL;
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format,
         "json (unless said otherwise), or markdown: a table of all keys", "FORMAT"},
        G_OPTION_ENTRY_NULL,
    };
    AftSchemaKind kind;
    AftExit status = aft_options_parse(&command, entries, &argc, &argv);
    if (status != AFT_EXIT_NOT_YET) {
        return status;
    }
    if (argc != 2) {
        return aft_options_complain(&command,
                                    "of which kind of file? scenario, sweep or reference");
    }
    if (!aft_schema_kind_find(argv[1], &kind)) {
        return complain_about_kind(argv[1]);
    }
    return put_schema(kind, format != NULL ? format : "json");
}

static const AftCommand command = {
    .name = "schema",
    .arguments = "KIND",
    .summary = "Tell editors, or you, what can stand in a file",
    .more =
        "KIND is scenario, sweep or reference. The JSON Schema (draft-07) that comes out is made\n"
        "of the tables that files are read by; editors complete and check by it as you type. "
        "Begin\n"
        "a file with this line for it:\n"
        "  # yaml-language-server: $schema=scenario.json\n"
        "What keys mean for one another only \"aftershock check\" tells.\n"
        "\n"
        "Example:\n"
        "  aftershock schema scenario >scenario.json",
    .run = schema,
};

const AftCommand *aft_cmd_schema(void)
{
    return &command;
}
