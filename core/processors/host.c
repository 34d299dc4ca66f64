/* Another host with all its processors, which has joined this one over the network (hosts/hosts.h). */
#include "core/processors/device_list.h"
#include "core/processors/type.h"
#include "hosts/hosts.h"

_Static_assert((int)LB_HOSTS_MOST == (int)LB_MAX_PROCESSORS, "whatever --devices may name has a place");

/* What joins is not known before it does: hosts are taken to be alike, and strategies that follow weights find out. */
static void name_model(const struct lb_device *device, enum lb_isa isa, struct lb_text *text)
{
    (void)isa;
    lb_text_add(text, "host%u", device->index);
}

static enum lb_status open_host(const struct lb_device *device, const struct lb_site *site,
                                struct lb_processor **processor, struct lb_error *error)
{
    if (!site->primary)
        return lb_error_set(error, LB_ERROR_USAGE, "--devices: hosts take part under --serve alone");
    return lb_host_processor_open(site->primary, device->index, site->at_once, processor, error);
}

const struct lb_processor_type lb_host_type = {
    .name = "host",
    .noun = "a host with GPUs",
    .form = "host",
    .kind = LB_PROCESSOR_CPU,
    .counts_steps = true,
    .multiplied = true,
    .returns = true,
    .model = name_model,
    .open = open_host,
};
