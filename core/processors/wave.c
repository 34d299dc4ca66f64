/* The GPU's pipeline on a CPU thread (core/wave): slow, and to the bit what a GPU does. */
#include "core/processors/type.h"
#include "core/wave/wave_host.h"

static void name_model(const struct lb_device *device, enum lb_isa isa, struct lb_text *text)
{
    (void)device, (void)isa;
    lb_text_add(text, "wave");
}

static enum lb_status open_wave(const struct lb_device *device, const struct lb_site *site,
                                struct lb_processor **processor, struct lb_error *error)
{
    return lb_wave_host_open(site->scene, device->index, 0, processor, error);
}

const struct lb_processor_type lb_wave_type = {
    .name = "wave",
    .noun = "the GPU's pipeline",
    .form = "wave",
    .kind = LB_PROCESSOR_CPU,
    .multiplied = true,
    .on_thread = true,
    .model = name_model,
    .open = open_wave,
};
