#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>

/* A signal handler has nothing else to write to. */
static atomic_int caught;

static void note(int signal)
{
    atomic_store(&caught, signal);
}

const atomic_int *cli_signals_catch(void)
{
    /* SA_RESETHAND: the second one does what it always does. */
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &caught;
}

void cli_signals_release(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
