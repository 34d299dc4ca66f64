#include "cli/actions/list_devices.h"

#include "cli/console/status.h"
#include "cli/session/team.h"
#include "hosts/hosts.h"

#include <stdio.h>

static int list_own(const struct cli_options *options, struct cli_console *console)
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

/* "host0    node7, 3 processors, 0.0002 s there and back", and below it the processors. */
static void print_host(const struct lb_listed_host *host, uint32_t index)
{
    char name[32] = "primary";
    if (index > 0)
        snprintf(name, sizeof name, "host%u", index - 1);
    if (!host->here) {
        printf("%-8s nobody is there\n", name);
        return;
    }
    printf("%-8s %s, %u processor%s", name, host->name, host->processors, host->processors == 1 ? "" : "s");
    if (host->round_trip_seconds > 0)
        printf(", %.4f s there and back", host->round_trip_seconds);
    puts(host->ready ? "" : ", without the scene");
    for (uint32_t i = 0; i < host->count; i++)
        printf("  %-8s %s\n", host->told[i].name, host->told[i].kind);
    if (host->count < host->processors)
        printf("  and %u more\n", host->processors - host->count);
}

static int list_of_primary(const struct cli_options *options, struct cli_console *console)
{
    struct lb_ask_options ask = {.address = options->ask, .key = options->key, .patience = options->patience};
    struct lb_listing listing;
    struct lb_error error;
    if (lb_primary_ask(&ask, &listing, &error) != LB_OK)
        return cli_console_error(console, &error);
    for (uint32_t i = 0; i < listing.count; i++)
        print_host(&listing.hosts[i], i);
    lb_listing_free(&listing);
    return CLI_DONE;
}

int cli_list_devices(const struct cli_options *options, struct cli_console *console)
{
    return options->ask ? list_of_primary(options, console) : list_own(options, console);
}
