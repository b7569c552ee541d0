/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz_import.h"

#include <aftershock/base/error.h>
#include <aftershock/import/import.h>
#include <aftershock/loader/reference.h>
#include <aftershock/loader/yaml.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILE_NUMBER = 100, JOB_NUMBER = 101 };

#define FILE_PATH "/proc/self/fd/100"
#define JOB       "[j]\nrw=randread\nbs=4k\nruntime=60\n[k]\nrw=randwrite\n"

/* A file without a disk, at @number. */
static void put_file(int number, const void *data, gsize bytes)
{
    int file = memfd_create("fuzz", 0);
    g_assert_cmpint(file, >=, 0);
    g_assert_cmpint(write(file, data, bytes), ==, (gssize)bytes);
    g_assert_cmpint(dup2(file, number), ==, number);
    close(file);
}

/* A message is one line, with nothing that a terminal would take for a command. */
static void check_message(const char *message)
{
    g_assert_true(g_utf8_validate(message, -1, NULL));
    for (const char *p = message; *p != '\0'; p++) {
        g_assert_false(g_ascii_iscntrl(*p));
    }
}

static void check_reference(const char *text)
{
    g_autoptr(GPtrArray) messages = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(AftReference) reference =
        aft_loader_load_reference_text("fuzz", text, strlen(text), messages, NULL);
    g_assert_nonnull(reference);
}

/* Whatever a part says, it is YAML. */
static void check_part(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(AftYaml) part = aft_yaml_read("fuzz", text, strlen(text), &error);
    g_assert_no_error(error);
    g_assert_nonnull(part);
}

static void import_as(const AftImportKind *kind, gboolean csv)
{
    const char *files[] = {FILE_PATH, NULL};
    g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    AftImportOptions options = {.phase = AFT_PHASE_STEADY, .csv = csv};
    options.metric = kind->takes & AFT_IMPORT_METRIC ? "iops" : NULL;
    options.nodes = kind->takes & AFT_IMPORT_NODES ? 4 : 0;
    g_autofree char *text = aft_import(kind, files, &options, remarks, &error);
    g_assert_true((text == NULL) == (error != NULL));
    g_ptr_array_foreach(remarks, (GFunc)(void (*)(void))check_message, NULL);
    if (text == NULL) {
        check_message(error->message);
    } else if (!csv) {
        (kind->takes & AFT_IMPORT_PHASE ? check_reference : check_part)(text);
    }
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize bytes)
{
    guint n;
    const AftImportKind *kinds = aft_import_kinds(&n);
    put_file(FILE_NUMBER, data, bytes);
    put_file(JOB_NUMBER, JOB, strlen(JOB));
    for (guint i = 0; i < n; i++) {
        import_as(&kinds[i], FALSE);
        if (kinds[i].takes & AFT_IMPORT_CSV) {
            import_as(&kinds[i], TRUE);
        }
    }
    return 0;
}
