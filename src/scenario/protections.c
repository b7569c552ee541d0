/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include <aftershock/scenario/schemes.h>

/* A number of units that the scheme knows, may know, or must be told. */
static void check_units(AftCheck *check, const char *item, const AftScheme *scheme, const char *key,
                        guint taker, guint usual, guint *units)
{
    gboolean taken = (scheme->takes & taker) != 0;
    gboolean written = aft_check_written(check, item, key);
    if (written && !taken) {
        aft_check_error(check, item, key, NULL, "%s has no %s to set", scheme->name, key);
    } else if (taken && !written && usual == 0) {
        aft_check_error(check, item, key, NULL, "missing, %s needs it", scheme->name);
    } else if (!written) {
        *units = usual;
    }
}

static guint nearest_divisor(guint number, guint wish)
{
    guint away = 0;
    while ((wish <= away || number % (wish - away) != 0) && number % (wish + away) != 0) {
        away++;
    }
    return wish > away && number % (wish - away) == 0 ? wish - away : wish + away;
}

/* Every local parity unit stands for as many data units. */
static void check_local_groups(AftCheck *check, const char *item,
                               const AftProtectionSpec *protection)
{
    guint data = protection->data, local = protection->local;
    if (data > 0 && local > 0 && data % local != 0) {
        g_autofree char *divisor = g_strdup_printf("%u", nearest_divisor(data, local));
        aft_check_error(check, item, "local", divisor,
                        "%u data units do not divide into %u local groups", data, local);
    }
}

static void check_geometry(AftCheck *check, const char *item, AftProtectionSpec *protection)
{
    const AftScheme *scheme = aft_scheme_by_name(protection->scheme);
    protection->kind = scheme->kind;
    check_units(check, item, scheme, "data", AFT_TAKES_DATA, scheme->data, &protection->data);
    check_units(check, item, scheme, "local", AFT_TAKES_LOCAL, scheme->local, &protection->local);
    check_units(check, item, scheme, "parity", AFT_TAKES_PARITY, scheme->parity,
                &protection->parity);
    check_units(check, item, scheme, "copies", AFT_TAKES_COPIES, scheme->copies,
                &protection->copies);
    if (scheme->takes == AFT_TAKES_COPIES) {
        protection->parity = MAX(protection->copies, 1) - 1;
    }
    gboolean later = scheme->kind == AFT_SCHEME_ENCODE_LATER;
    gboolean code = scheme->kind == AFT_SCHEME_PARITY && (scheme->takes & AFT_TAKES_PARITY) != 0;
    if (aft_check_written(check, item, "age") && !later) {
        aft_check_error(check, item, "age", NULL, "%s has no age to set", scheme->name);
    }
    if (aft_check_written(check, item, "rewrite") && !later && !code) {
        aft_check_error(check, item, "rewrite", NULL, "%s has no rewrite to set", scheme->name);
    }
    if (scheme->takes == (AFT_TAKES_DATA | AFT_TAKES_PARITY) && scheme->parity > 0 &&
        protection->parity != scheme->parity) {
        aft_check_error(check, item, "parity", NULL, "%s has a parity of %u, got %u: ec takes any",
                        scheme->name, scheme->parity, protection->parity);
    }
    check_local_groups(check, item, protection);
}

/* Every member of a stripe, or every copy, sits on a domain of its own. Returns: whether it can. */
static gboolean check_width(AftCheck *check, const char *item, const AftProtectionSpec *protection,
                            AftDomain domain)
{
    guint n = aft_check_domains(check, domain)->len;
    const char *name = aft_check_domain_name(domain);
    guint width = MAX(aft_scheme_width(protection), protection->copies);
    g_autofree char *scheme = aft_scheme_format(protection);
    if (width > AFT_WIDTH_MOST) {
        aft_check_error(check, item, "scheme", NULL, "%s has %u members, at most %u are possible",
                        scheme, width, AFT_WIDTH_MOST);
    } else if (n > 0 && n < width) {
        aft_check_error(check, item, "scheme", NULL, "%s needs %u %ss, the cluster has %u", scheme,
                        width, name, n);
    } else if (n == width && protection->parity > 0 && check->faults) {
        aft_check_warning(check, item, "scheme",
                          "%s needs all %u %ss: while one is down nothing can be rebuilt", scheme,
                          n, name);
    }
    return width <= AFT_WIDTH_MOST && (n == 0 || width <= n);
}

gboolean aft_check_protection(AftCheck *check, const char *item, AftProtectionSpec *protection,
                              AftDomain domain)
{
    if (!aft_check_sound(check, item)) {
        return FALSE;
    }
    guint before = check->problems->len;
    check_geometry(check, item, protection);
    return check->problems->len == before && check_width(check, item, protection, domain);
}
