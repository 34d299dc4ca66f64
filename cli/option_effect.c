#include "cli/option_effect.h"

#include <string.h>

static bool simulates(const struct cli_options *o)
{
    return o->simulate != NULL;
}

static bool compares(const struct cli_options *o)
{
    return o->compare;
}

static bool writes_no_picture(const struct cli_options *o)
{
    return o->simulate || o->compare;
}

static bool renders_nothing(const struct cli_options *o)
{
    return o->costs != NULL;
}

static bool tells_no_costs(const struct cli_options *o)
{
    return !o->cost_map && !o->simulate;
}

/* Where an option is idle, and why. */
static const struct rule {
    const char *option;
    bool (*idle)(const struct cli_options *options);
    const char *why;
} rules[] = {
    {"output", writes_no_picture, "no picture is written"},
    {"format", writes_no_picture, "no picture is written"},
    {"bits", writes_no_picture, "no picture is written"},
    {"compression", writes_no_picture, "no picture is written"},
    {"exposure", writes_no_picture, "no picture is written"},
    {"tone-map", writes_no_picture, "no picture is written"},
    {"channels", writes_no_picture, "no picture is written"},
    {"channel-space", writes_no_picture, "no picture is written"},
    {"transparent", writes_no_picture, "no picture is written"},
    {"strategy", compares, "--compare runs all strategies, or those that it names"},
    {"passes", simulates, "a simulated frame is one pass"},
    {"no-cache", writes_no_picture, "simulations and races neither use nor keep speeds"},
    {"cost-unit", tells_no_costs, "no costs are asked for"},
    {"cost-unit", renders_nothing, "the costs are read from a file"},
    {"spp", renders_nothing, "the costs are read from a file"},
    {"resolution", renders_nothing, "the costs are read from a file"},
    {"cropwindow", renders_nothing, "the costs are read from a file"},
    {"pixelbounds", renders_nothing, "the costs are read from a file"},
    {"lenient", renders_nothing, "the costs are read from a file"},
    {"bvh-quality", renders_nothing, "the costs are read from a file"},
    {"threads", renders_nothing, "the costs are read from a file"},
    {"devices", renders_nothing, "the costs are read from a file"},
    {"bind", renders_nothing, "the costs are read from a file"},
    {"isa", renders_nothing, "the costs are read from a file"},
    {"progress", renders_nothing, "the costs are read from a file"},
};

static bool is_given(const struct cli_options *options, const char *name)
{
    for (uint32_t i = 0; i < options->given_count; i++)
        if (!strcmp(options->given[i], name))
            return true;
    return false;
}

void cli_option_effect_warn(const struct cli_options *options, const struct lb_log *log)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_given(options, rules[i].option) && rules[i].idle(options))
            lb_log_write(log, LB_WARNING, "--%s has no effect: %s", rules[i].option, rules[i].why);
}
