/* A GPU (cuda/). */
#include "core/base/number.h"
#include "core/processors/type.h"
#include "core/wave/unfit.h"
#include "cuda/cuda.h"

struct cuda_options {
    double slow;  /* factor by which the host delays it; 1: none */
    double part;  /* how much of it is used; 1: all */
    double limit; /* seconds without an answer after which it is lost */
};

/* 120 s: far longer than any launch of an ordinary scene takes, far shorter than anybody waits for a GPU that
 * hangs. */
static const struct cuda_options DEFAULTS = {.slow = 1, .part = 1, .limit = 120};

static bool set_slow(struct lb_device *device, struct lb_slice value)
{
    struct cuda_options *options = device->options;
    return lb_number_real(value.at, value.length, &options->slow) && options->slow >= 1 &&
           options->slow <= 1e6;
}

static bool set_part(struct lb_device *device, struct lb_slice value)
{
    struct cuda_options *options = device->options;
    return lb_number_real(value.at, value.length, &options->part) && options->part > 0 && options->part <= 1;
}

static bool set_limit(struct lb_device *device, struct lb_slice value)
{
    struct cuda_options *options = device->options;
    return lb_number_real(value.at, value.length, &options->limit) && options->limit > 0 &&
           options->limit <= 1e9;
}

static const struct lb_device_setting settings[] = {
    {"slow", "slow= needs a factor from 1 to 1000000", set_slow},
    {"part", "part= needs a number above 0, at most 1", set_part},
    {"limit", "limit= needs a positive number of seconds, at most 1e9", set_limit},
    {0},
};

static void name_model(const struct lb_device *device, enum lb_isa isa, struct lb_text *text)
{
    const struct cuda_options *options = device->options;
    char about[256];
    (void)isa;
    lb_cuda_describe(device->index, about, sizeof about);
    lb_text_add(text, "cuda %s", about);
    if (options->slow > 1)
        lb_text_add(text, ", slow %g", options->slow);
    if (options->part < 1)
        lb_text_add(text, ", part %g", options->part);
}

static enum lb_status open_cuda(const struct lb_device *device, const struct lb_site *site,
                                struct lb_processor **processor, struct lb_error *error)
{
    const struct cuda_options *options = device->options;
    struct lb_cuda_options how = {device->index, options->slow, options->part, options->limit};
    return lb_cuda_processor_open(site->scene, &how, processor, error);
}

const struct lb_processor_type lb_cuda_type = {
    .name = "cuda",
    .title = "CUDA device",
    .noun = "a GPU",
    .form = "cuda, cuda:I, cuda:I:slow=F, cuda:I:part=P, cuda:I:limit=S",
    .kind = LB_PROCESSOR_GPU,
    .number = LB_NUMBER_INDEX,
    .by_default = true,
    .fed = true,
    .settings = settings,
    .options_size = sizeof DEFAULTS,
    .options = &DEFAULTS,
    .count = lb_cuda_count,
    .describe = lb_cuda_describe,
    .forewarn = lb_cuda_forewarn,
    .unfit = lb_wave_unfit,
    .model = name_model,
    .open = open_cuda,
};
