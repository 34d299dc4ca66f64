#include "cli/options/options.h"

#include "cli/console/console.h"
#include "cli/options/guess.h"
#include "cli/options/rules.h"
#include "cli/options/table.h"
#include "cli/console/status.h"
#include "core/base/number.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *argp_program_version = "lbrender " LB_VERSION;

/* Reads the value of a row's option, and notes that it was given. */
static enum lb_status take(const struct cli_option *row, const char *value, struct cli_options *options,
                           struct lb_error *error)
{
    union lb_option_value read;
    enum lb_status status = LB_OK;
    if (!value && row->option.words)
        value = row->option.words[0];
    if (row->read)
        status = row->read(value, options, error);
    else
        status = lb_option_parse(&row->option, value, &read, error);
    if (status == LB_ERROR)
        return lb_option_refuse(&row->option, row->option.wanted, value, error);
    if (status != LB_OK)
        return status;
    if (!row->read && row->option.offset)
        lb_option_keep(&row->option, &read, options);
    if (row->given)
        *(bool *)((char *)options + row->given) = true;
    if (row->action)
        options->action = row->action;
    options->given[row - cli_option_rows] = true;
    return LB_OK;
}

/* One that a strategy declares. */
static enum lb_status take_declared(const struct lb_option *option, const char *value,
                                    struct cli_options *options, struct lb_error *error)
{
    union lb_option_value read;
    enum lb_status status = lb_option_parse(option, value, &read, error);
    if (status == LB_OK)
        lb_option_give(&options->settings.options, option, read);
    return status;
}

static error_t parse_option(int key, const char *value, struct argp_state *state, struct cli_options *options)
{
    struct lb_error error;
    const struct cli_option *row = cli_option_of(key);
    const struct lb_option *declared =
        key < CLI_KEY_STRATEGIES ? NULL : lb_strategies_option((size_t)(key - CLI_KEY_STRATEGIES));
    enum lb_status status = LB_OK;
    if (key == 'h')
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    else if (row)
        status = take(row, value, options, &error);
    else if (declared)
        status = take_declared(declared, value, options, &error);
    else
        return ARGP_ERR_UNKNOWN;
    if (status == LB_ERROR_MEMORY)
        argp_failure(state, CLI_FAILED, 0, "%s", error.message);
    else if (status != LB_OK)
        argp_error(state, "%s", error.message);
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct cli_options *options = state->input;
    if (key == ARGP_KEY_INIT) {
        char message[256];
        state->name =
            program_invocation_short_name; /* argp sets it later, but the message below begins with it */
        if (cli_option_guess(cli_options_table(), state->argc, state->argv, message, sizeof message))
            argp_error(state, "%s", message);
        return 0;
    }
    if (key == ARGP_KEY_ARGS) { /* all operands at once: parts of pictures */
        options->operands = state->argv + state->next;
        options->operand_count = (uint32_t)(state->argc - state->next);
        return 0;
    }
    if (key == ARGP_KEY_ARG && cli_option_rules_parts(options))
        return ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_ARG) {
        if (options->scene)
            argp_error(state, "one scene at a time: \"%s\" and \"%s\"", options->scene, value);
        options->scene = value;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        if (!options->scene && options->simulate && options->costs)
            options->scene = options->costs; /* all that is read */
        cli_option_rules_check(state, options);
        cli_option_rules_defaults(options);
        return 0;
    }
    return parse_option(key, value, state, options);
}

/* Lets --help use the width of the terminal, where it goes to one, or $COLUMNS: argp by itself takes 79. */
static void fit_help(void)
{
    enum { LEAST = 60, MOST = 120 };
    const char *given = getenv("COLUMNS");
    struct winsize size;
    int64_t columns = 0;
    char format[32];
    if (!(given && lb_number_whole(given, strlen(given), 1, 10000, &columns)) &&
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0)
        return;
    columns = columns < LEAST ? LEAST : columns > MOST ? MOST : columns;
    snprintf(format, sizeof format, "rmargin=%d", (int)columns - 1);
    setenv("ARGP_HELP_FMT", format, 0);
}

void cli_options_parse(int argc, char **argv, struct cli_options *options)
{
    const struct argp argp = {
        .options = cli_options_table(),
        .parser = parse,
        .args_doc = "SCENE\n--merge PART...\n--describe PART...",
        .doc = "Render a scene on all processors at once and report how well the work was balanced.\n\n"
               "  lbrender scene.pbrt\n"
               "  lbrender --spp=256 -o picture.exr --report=report.html scene.pbrt\n"
               "  lbrender --compare --simulate=64 scene.pbrt\v"
               "SCENE is a file in pbrt-v4's language, or a model (.glb, .obj, .fbx ..); - is standard "
               "input. The man page lbrender(1) says more.",
    };
    fit_help();
    argp_err_exit_status = CLI_USAGE;
    *options = (struct cli_options){.settings = {.strategy = lb_strategy_find("auto")},
                                    .form = {.compression = LB_EXR_ZIP}};
    if (!options->settings.strategy)
        options->settings.strategy = lb_strategy_find("pool");
    /* argp and getopt print what users typed to `stderr`, which is a variable: while they run, it is a stream that
     * shows any bytes safely. */
    FILE *plain = stderr, *printable = cli_console_stream();
    if (printable)
        stderr = printable;
    argp_parse(&argp, argc, argv, 0, NULL, options);
    stderr = plain;
    if (printable)
        fclose(printable);
}
