#include "cli/options/effect.h"

#include "cli/options/rules.h"
#include "cli/options/table.h"

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

/* When options change nothing, and what the warning says of it: in the order of enum cli_idle's bits. */
static const struct {
    bool (*holds)(const struct cli_options *options);
    const char *why;
} idles[CLI_IDLES] = {
    {writes_no_picture, "no picture is written"},
    {writes_nowhere, "no picture is written"},
    {writes_no_file, "no picture is written"},
    {keeps_none, "no picture is written"},
    {writes_no_picture, "no picture is rendered"},
    {compares, "--compare runs all strategies, or those that it names"},
    {simulates, "a simulated frame is one pass"},
    {writes_no_picture, "simulations and races neither use nor keep speeds"},
    {tells_no_costs, "no costs are asked for"},
    {renders_nothing, "the costs are read from a file"},
};

/* Warns of all options that were given and that a program which reads no scene has no use for. */
static void warn_of_all_but(enum cli_use use, const struct cli_options *options, const struct lb_log *log,
                            const char *why)
{
    for (size_t i = 0; i < cli_option_row_count; i++)
        if (options->given[i] && !(cli_option_rows[i].uses & (unsigned)use))
            lb_log_write(log, LB_WARNING, "--%s has no effect: %s", cli_option_rows[i].option.name, why);
}

static void warn_of_idle(const struct cli_option *row, const struct cli_options *options,
                         const struct lb_log *log)
{
    for (size_t bit = 0; bit < CLI_IDLES; bit++)
        if (row->idle >> bit & 1 && idles[bit].holds(options))
            lb_log_write(log, LB_WARNING, "--%s has no effect: %s", row->option.name, idles[bit].why);
}

static void warn_of_parts(const struct cli_options *options, const struct lb_log *log)
{
    bool merges = options->action == CLI_MERGE;
    const char *why =
        merges ? "parts are joined, nothing is rendered" : "parts are described, nothing is rendered";
    warn_of_all_but(merges ? CLI_USE_MERGE : CLI_USE_DESCRIBE, options, log, why);
    for (uint32_t i = 0; i < options->settings.options.count; i++)
        lb_log_write(log, LB_WARNING, "--%s has no effect: nothing is rendered",
                     options->settings.options.given[i].option->name);
}

void cli_option_effect_warn(const struct cli_options *options, const struct lb_log *log)
{
    if (cli_option_rules_parts(options))
        warn_of_parts(options, log);
    if (options->join)
        warn_of_all_but(CLI_USE_JOIN, options, log, "who serves says what is rendered, and keeps it");
    if (options->action == CLI_DESCRIBE || options->join)
        return;
    for (size_t i = 0; i < cli_option_row_count; i++)
        if (options->given[i])
            warn_of_idle(&cli_option_rows[i], options, log);
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
