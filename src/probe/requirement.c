/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "requirement.h"

gboolean aft_requirement_given(const AftRequirementSpec *required)
{
    return required->iops > 0.0 || required->read_ns > 0 || required->write_ns > 0;
}

static guint above(double achieved_ns, double margin_ns, gint64 required_ns, guint bit)
{
    return required_ns > 0 && achieved_ns - margin_ns > (double)required_ns ? bit : 0;
}

guint aft_requirement_missed(const AftRequirementSpec *required, const AftAchieved *achieved)
{
    guint missed = 0;
    double least = required->iops * (1.0 - required->tolerance);
    if (required->iops > 0.0 && achieved->iops + achieved->iops_margin < least) {
        missed |= AFT_MISSED_IOPS;
    }
    missed |=
        above(achieved->read_ns, achieved->read_margin_ns, required->read_ns, AFT_MISSED_READ);
    missed |=
        above(achieved->write_ns, achieved->write_margin_ns, required->write_ns, AFT_MISSED_WRITE);
    return missed;
}

char *aft_requirement_text(const AftRequirementSpec *required, guint missed)
{
    static const char *const names[] = {"iops", "read", "write"};
    if (!aft_requirement_given(required)) {
        return g_strdup("");
    }
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (missed >> i & 1) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? "+" : "", names[i]);
        }
    }
    return g_strdup(text->len > 0 ? text->str : "met");
}
