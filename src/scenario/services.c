/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <aftershock/scenario/schemes.h>
#include <aftershock/scenario/services.h>

const char *aft_service_name(AftServiceKind kind)
{
    static const char *const names[AFT_SERVICES] = {
        [AFT_SERVICE_DEDUPE] = "dedupe",
        [AFT_SERVICE_COMPRESSION] = "compression",
    };
    g_assert(kind < AFT_SERVICES);
    return names[kind];
}

static double ratio_of(const AftPoolSpec *pool, gboolean inline_only)
{
    double ratio = 1.0;
    for (guint i = 0; i < AFT_SERVICES; i++) {
        const AftServiceSpec *service = &pool->services[i];
        if (service->enabled && !(inline_only && service->when == AFT_WHEN_DESTAGE)) {
            ratio *= service->ratio;
        }
    }
    return ratio;
}

double aft_services_ratio(const AftPoolSpec *pool)
{
    return ratio_of(pool, FALSE);
}

double aft_services_stored_as(const AftPoolSpec *pool, const AftProtectionSpec *layout)
{
    double overhead = (double)aft_scheme_width(layout) / layout->data;
    return (double)pool->logical_bytes * overhead * aft_services_ratio(pool);
}

double aft_services_stored_bytes(const AftPoolSpec *pool)
{
    return aft_services_stored_as(pool, &pool->initial);
}

double aft_services_inline_ratio(const AftPoolSpec *pool)
{
    return ratio_of(pool, TRUE);
}

static void add_work(AftServiceCost *cost, const AftServiceSpec *service)
{
    cost->io_ns += service->io_ns;
    cost->per_mib_ns += service->per_mib_ns;
}

AftServiceCost aft_services_read(const AftPoolSpec *pool)
{
    AftServiceCost cost = {0};
    for (guint i = 0; i < AFT_SERVICES; i++) {
        const AftServiceSpec *service = &pool->services[i];
        if (service->enabled) {
            add_work(&cost, service);
            cost.delay_ns += service->read_delay_ns;
            cost.metadata += service->metadata_reads;
        }
    }
    return cost;
}

/* What is written at @when. */
static AftServiceCost write_cost(const AftPoolSpec *pool, AftServiceWhen when)
{
    AftServiceCost cost = {0};
    for (guint i = 0; i < AFT_SERVICES; i++) {
        const AftServiceSpec *service = &pool->services[i];
        if (service->enabled && service->when == when) {
            add_work(&cost, service);
            cost.metadata += service->metadata_writes;
        }
    }
    return cost;
}

AftServiceCost aft_services_write(const AftPoolSpec *pool)
{
    AftServiceCost cost = write_cost(pool, AFT_WHEN_INLINE);
    for (guint i = 0; i < AFT_SERVICES; i++) {
        const AftServiceSpec *service = &pool->services[i];
        cost.delay_ns += service->enabled ? service->write_delay_ns : 0;
    }
    return cost;
}

AftServiceCost aft_services_destage(const AftPoolSpec *pool)
{
    return write_cost(pool, AFT_WHEN_DESTAGE);
}

double aft_services_background_factor(const AftPoolSpec *pool)
{
    double factor = 1.0;
    for (guint i = 0; i < AFT_SERVICES; i++) {
        factor *= pool->services[i].enabled ? pool->services[i].background_factor : 1.0;
    }
    return factor;
}

double aft_services_move_factor(const AftPoolSpec *pool)
{
    double factor = 1.0;
    for (guint i = 0; i < AFT_SERVICES; i++) {
        const AftServiceSpec *service = &pool->services[i];
        double own = service->move_factor > 0.0 ? service->move_factor : service->background_factor;
        factor *= service->enabled ? own : 1.0;
    }
    return factor;
}

gint64 aft_services_degraded_ns(const AftPoolSpec *pool)
{
    gint64 ns = 0;
    for (guint i = 0; i < AFT_SERVICES; i++) {
        ns += pool->services[i].enabled ? pool->services[i].degraded_ns : 0;
    }
    return ns;
}

AftFailureDomain aft_services_failure_domain(const AftPoolSpec *pool)
{
    AftFailureDomain domain = AFT_FAILURE_DEVICE;
    for (guint i = 0; i < AFT_SERVICES; i++) {
        if (pool->services[i].enabled) {
            domain = MAX(domain, pool->services[i].failure_domain);
        }
    }
    return domain;
}
