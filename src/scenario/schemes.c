/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/schemes.h>

#include <string.h>

enum { STRIPE = AFT_TAKES_DATA | AFT_TAKES_PARITY };

static const AftScheme schemes[] = {
    {"none", AFT_SCHEME_NONE, 1, 0, 0, 0, 0, "one copy, lost with its node"},
    {"raid0", AFT_SCHEME_PARITY, 0, 0, 0, 0, AFT_TAKES_DATA,
     "striped over as many nodes as said, lost with any"},
    {"rf2", AFT_SCHEME_REPLICATION, 1, 0, 1, 0, 0, "two copies"},
    {"raid1", AFT_SCHEME_REPLICATION, 1, 0, 1, 0, 0, "two copies, as rf2"},
    {"raid10", AFT_SCHEME_REPLICATION, 1, 0, 1, 0, 0,
     "two copies, as rf2: groups stripe over all nodes"},
    {"rf3", AFT_SCHEME_REPLICATION, 1, 0, 2, 0, 0, "three copies"},
    {"replication", AFT_SCHEME_REPLICATION, 1, 0, 0, 0, AFT_TAKES_COPIES, "as many copies as said"},
    {"raid5", AFT_SCHEME_PARITY, 3, 0, 1, 0, STRIPE, "parity 3+1 unless said otherwise"},
    {"raid6", AFT_SCHEME_PARITY, 4, 0, 2, 0, STRIPE, "parity 4+2 unless said otherwise"},
    {"ec", AFT_SCHEME_PARITY, 0, 0, 0, 0, STRIPE, "erasure code of any data + parity"},
    {"parity", AFT_SCHEME_PARITY, 0, 0, 0, 0, STRIPE, "any data + parity, as ec"},
    {"lrc", AFT_SCHEME_LRC, 12, 2, 2, 0, STRIPE | AFT_TAKES_LOCAL,
     "data + local + global parity, 12+2+2 unless said otherwise"},
    {"rf-then-encode", AFT_SCHEME_ENCODE_LATER, 4, 0, 2, 2, STRIPE | AFT_TAKES_COPIES,
     "two copies; what is not written for an age becomes parity 4+2, unless said otherwise"},
};

const AftScheme *aft_schemes(guint *ret_n)
{
    *ret_n = G_N_ELEMENTS(schemes);
    return schemes;
}

const AftScheme *aft_scheme_by_name(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(schemes); i++) {
        if (strcmp(schemes[i].name, name) == 0) {
            return &schemes[i];
        }
    }
    return NULL;
}

guint aft_scheme_width(const AftProtectionSpec *protection)
{
    return protection->data + protection->local + protection->parity;
}

char *aft_scheme_format(const AftProtectionSpec *protection)
{
    if (protection->kind == AFT_SCHEME_LRC) {
        return g_strdup_printf("%s %u+%u+%u", protection->scheme, protection->data,
                               protection->local, protection->parity);
    }
    if (protection->kind == AFT_SCHEME_PARITY && protection->parity == 0) {
        return g_strdup_printf("%s of %u", protection->scheme, protection->data);
    }
    if (protection->kind == AFT_SCHEME_PARITY) {
        return g_strdup_printf("%s %u+%u", protection->scheme, protection->data,
                               protection->parity);
    }
    if (protection->kind == AFT_SCHEME_ENCODE_LATER) {
        return g_strdup_printf("rf%u then ec %u+%u", protection->copies, protection->data,
                               protection->parity);
    }
    if (protection->copies > 0) {
        return g_strdup_printf("%s of %u", protection->scheme, protection->copies);
    }
    return g_strdup(protection->scheme);
}
