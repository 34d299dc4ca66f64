/* A null device: another processor's code, slowed down and failing as it is told (null_processor.h). */
#include "core/base/number.h"
#include "core/processors/null_processor.h"
#include "core/processors/type.h"

struct null_options {
    double speed;                         /* samples a second; 0: no limit */
    double fail;                          /* probability that a range fails */
    const struct lb_processor_type *code; /* renders in it; has no settings of its own */
};

static const struct null_options DEFAULTS = {.code = &lb_cpu_type};

static bool set_speed(struct lb_device *device, struct lb_slice value)
{
    struct null_options *options = device->options;
    return lb_number_real(value.at, value.length, &options->speed) && options->speed >= 1e-3 &&
           options->speed <= 1e15;
}

static bool set_fail(struct lb_device *device, struct lb_slice value)
{
    struct null_options *options = device->options;
    bool good =
        lb_number_real(value.at, value.length, &options->fail) && options->fail >= 0 && options->fail <= 1;
    device->may_fail = options->fail > 0;
    return good;
}

/* The one of two types that the value names; NULL: neither. */
static const struct lb_processor_type *choose(struct lb_slice value, const struct lb_processor_type *one,
                                              const struct lb_processor_type *other)
{
    return lb_slice_is(value, one->name) ? one : lb_slice_is(value, other->name) ? other : NULL;
}

static bool set_code(struct lb_device *device, struct lb_slice value)
{
    struct null_options *options = device->options;
    const struct lb_processor_type *code = choose(value, &lb_cpu_type, &lb_wave_type);
    if (!code)
        return false;
    options->code = code;
    device->counts_steps = code->counts_steps;
    return true;
}

static bool set_as(struct lb_device *device, struct lb_slice value)
{
    const struct lb_processor_type *as = choose(value, &lb_cpu_type, &lb_cuda_type);
    if (!as)
        return false;
    device->kind = as->kind;
    return true;
}

static const struct lb_device_setting settings[] = {
    {"speed", "speed needs a number of samples a second from 0.001 to 1e15", set_speed},
    {"fail", "fail needs a probability from 0 to 1", set_fail},
    {"code", "code is cpu or wave", set_code},
    {"as", "as is cpu or cuda", set_as},
    {0},
};

static void name_model(const struct lb_device *device, enum lb_isa isa, struct lb_text *text)
{
    const struct null_options *options = device->options;
    lb_text_add(text, "null %s", options->code == &lb_cpu_type ? lb_isa_name(isa) : options->code->name);
    if (options->speed > 0)
        lb_text_add(text, ", %g samples a second", options->speed);
}

static enum lb_status open_null(const struct lb_device *device, const struct lb_site *site,
                                struct lb_processor **processor, struct lb_error *error)
{
    const struct null_options *options = device->options;
    struct lb_device code = {.type = options->code, .index = device->index};
    enum lb_status status = code.type->open(&code, site, processor, error);
    if (status != LB_OK)
        return status;
    return lb_null_processor_open(*processor, device->index, options->speed, options->fail,
                                  site->scene->integrator.frame, processor, error);
}

const struct lb_processor_type lb_null_type = {
    .name = "null",
    .noun = "code=wave",
    .form = "null, null:speed=X,fail=P,code=cpu|wave,as=cpu|cuda",
    .kind = LB_PROCESSOR_CPU,
    .counts_steps = true,
    .multiplied = true,
    .settings = settings,
    .options_size = sizeof DEFAULTS,
    .options = &DEFAULTS,
    .model = name_model,
    .open = open_null,
};
