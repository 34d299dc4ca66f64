#include "cli/options/effect.h"

#include "cli/options/rules.h"

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

static bool writes_no_file(const struct cli_options *o)
{
    return !cli_options_denoise(o) && !cli_options_make_part(o);
}

static bool writes_nowhere(const struct cli_options *o)
{
    return cli_options_nowhere(o);
}

static bool keeps_none(const struct cli_options *o)
{
    return cli_options_nowhere(o) && !cli_options_make_part(o);
}

static bool renders_nothing(const struct cli_options *o)
{
    return o->costs != NULL;
}

static bool tells_no_costs(const struct cli_options *o)
{
    return !o->cost_map && !o->simulate;
}

/* When an option changes nothing, and what the warning says of it. */
static const struct rule {
    const char *option;
    bool (*idle)(const struct cli_options *options);
    const char *why;
} rules[] = {
    {"output", writes_no_picture, "no picture is written"},
    {"format", writes_no_picture, "no picture is written"},
    {"format", writes_nowhere, "no picture is written"},
    {"bits", writes_no_picture, "no picture is written"},
    {"bits", writes_nowhere, "no picture is written"},
    {"compression", writes_no_picture, "no picture is written"},
    {"exposure", writes_no_picture, "no picture is written"},
    {"tone-map", writes_no_picture, "no picture is written"},
    {"channels", writes_no_picture, "no picture is written"},
    {"channel-space", writes_no_picture, "no picture is written"},
    {"transparent", writes_no_picture, "no picture is written"},
    {"denoise", writes_no_file, "no picture is written"},
    {"channels", keeps_none, "no picture is written"},
    {"channel-space", keeps_none, "no picture is written"},
    {"transparent", keeps_none, "no picture is written"},
    {"partial", writes_nowhere, "no picture is written"},
    {"display-server", writes_no_picture, "no picture is rendered"},
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

/* What programs that read no scene have a use for; an action is its own. */
static const char *const of_merge[] = {
    "merge",       "output",  "format",  "bits", "compression", "exposure", "tone-map", "channels",
    "transparent", "denoise", "threads", "part", "partial",     "quiet",    "verbose",  NULL};
static const char *const of_describe[] = {"describe", "report-format", "quiet", "verbose", NULL};
static const char *const of_join[] = {"join",     "key",   "patience", "silence",  "threads",  "devices",
                                      "weights",  "bind",  "isa",      "strategy", "no-cache", "persist",
                                      "insecure", "quiet", "verbose",  NULL};

static void warn_of_all_but(const char *const *useful, const struct cli_options *options,
                            const struct lb_log *log, const char *why)
{
    for (uint32_t i = 0; i < options->given_count; i++) {
        const char *const *use = useful;
        while (*use && strcmp(*use, options->given[i]))
            use++;
        if (!*use)
            lb_log_write(log, LB_WARNING, "--%s has no effect: %s", options->given[i], why);
    }
}

static void warn_of_parts(const struct cli_options *options, const struct lb_log *log)
{
    bool merges = options->action == CLI_MERGE;
    const char *why =
        merges ? "parts are joined, nothing is rendered" : "parts are described, nothing is rendered";
    warn_of_all_but(merges ? of_merge : of_describe, options, log, why);
    for (uint32_t i = 0; i < options->settings.options.count; i++)
        lb_log_write(log, LB_WARNING, "--%s has no effect: nothing is rendered",
                     options->settings.options.given[i].option->name);
}

void cli_option_effect_warn(const struct cli_options *options, const struct lb_log *log)
{
    if (cli_option_rules_parts(options))
        warn_of_parts(options, log);
    if (options->join)
        warn_of_all_but(of_join, options, log, "who serves says what is rendered, and keeps it");
    if (options->action == CLI_DESCRIBE || options->join)
        return;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_given(options, rules[i].option) && rules[i].idle(options))
            lb_log_write(log, LB_WARNING, "--%s has no effect: %s", rules[i].option, rules[i].why);
}

void cli_option_effect_warn_strategy(const struct cli_options *options, const struct lb_log *log)
{
    const struct lb_settings *settings = &options->settings;
    const struct lb_strategy *strategy = settings->strategy;
    if ((options->weights || options->weights_measured) && strategy->weights == LB_WEIGHTS_IGNORED)
        lb_log_write(log, LB_WARNING, "the strategy %s has no use for weights", strategy->name);
    for (uint32_t i = 0; i < settings->options.count; i++) {
        const struct lb_option *option = settings->options.given[i].option;
        if (!lb_option_declared(strategy->options, option))
            lb_log_write(log, LB_WARNING, "the strategy %s has no use for --%s", strategy->name,
                         option->name);
    }
}
