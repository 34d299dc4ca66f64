#include "cli/compare.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/render.h"
#include "cli/simulate.h"
#include "cli/status.h"
#include "cli/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int list_strategies(void)
{
    for (size_t i = 0; i < lb_strategy_count; i++)
        printf("%s %s\n", lb_strategies[i]->name, lb_strategies[i]->summary);
    return CLI_DONE;
}

static int list_devices(const struct cli_options *options, struct cli_console *console)
{
    struct cli_team team = {0};
    struct lb_error error;
    struct lb_log log = cli_console_log(console);
    if (cli_team_choose(&team, options, &log, &error) != LB_OK)
        return cli_console_error(console, &error);
    cli_team_list(&team);
    cli_team_free(&team);
    return CLI_DONE;
}

static int run(const struct cli_options *options, struct cli_console *console)
{
    struct lb_error error;
    if (lb_strategies_check(&error) != LB_OK)
        return cli_console_error(console, &error);
    switch (options->action) {
    case CLI_LIST_STRATEGIES:
        return list_strategies();
    case CLI_LIST_DEVICES:
        return list_devices(options, console);
    case CLI_RENDER:
        break;
    }
    if (options->simulate)
        return cli_simulate(options, console);
    return options->compare ? cli_compare(options, console) : cli_render(options, console);
}

/* Standard output that cannot be written is an error also after --help and --version, where argp ends the program. */
static void check_output(int status, void *unused)
{
    (void)unused;
    bool bad = ferror(stdout);
    if ((fclose(stdout) || bad) && status == CLI_DONE) {
        fputs("lbrender: standard output could not be written\n", stderr);
        _exit(CLI_FAILED);
    }
}

int main(int argc, char **argv)
{
    struct cli_options options;
    struct cli_console console;
    on_exit(check_output, NULL);
    cli_options_parse(argc, argv, &options);
    cli_console_open(&console, options.quiet, options.verbose);
    return run(&options, &console);
}
