/* A CPU thread (core/cpu). */
#include "core/processors/type.h"

static void name_model(const struct lb_device *device, enum lb_isa isa, struct lb_text *text)
{
    (void)device;
    lb_text_add(text, "cpu %s", lb_isa_name(isa));
}

static enum lb_status open_cpu(const struct lb_device *device, const struct lb_site *site,
                               struct lb_processor **processor, struct lb_error *error)
{
    return lb_cpu_processor_open(site->scene, device->index, site->isa, processor, error);
}

const struct lb_processor_type lb_cpu_type = {
    .name = "cpu",
    .form = "cpu, cpu:N",
    .kind = LB_PROCESSOR_CPU,
    .number = LB_NUMBER_COUNT,
    .counts_steps = true,
    .on_thread = true,
    .model = name_model,
    .open = open_cpu,
};
