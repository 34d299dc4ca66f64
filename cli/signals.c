#include "cli/signals.h"

#include "core/image/temporary.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* A signal handler gets no argument of ours, so what it looks at has to be global. */
static struct lb_interrupt caught;
static atomic_bool first_is_noted, asking;
static pthread_t main_thread; /* is set before the first handler can run */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Writes "/proc/self/fd/123" by hand, as a signal handler may not call snprintf(). */
static void name_link(char *link, unsigned file)
{
    static const char folder[] = "/proc/self/fd/";
    memcpy(link, folder, sizeof folder);
    char *at = link + sizeof folder - 1;
    for (unsigned unit = file < 10 ? 1 : file < 100 ? 10 : 100; unit > 0; unit /= 10)
        *at++ = (char)('0' + file / unit % 10);
    *at = 0;
}

/* Removes temporary files that are not whole yet: each of them is open, and so found among the open files. Makes only
 * calls that a signal handler may make. */
static void remove_temporaries(void)
{
    enum { MOST_FILES = 1000 };
    for (unsigned file = 0; file < MOST_FILES; file++) {
        char link[32], name[4096];
        name_link(link, file);
        ssize_t length = readlink(link, name, sizeof name - 1);
        name[length > 0 ? length : 0] = 0;
        const char *slash = strrchr(name, '/');
        if (slash && !strncmp(slash + 1, LB_TEMPORARY_PREFIX, sizeof LB_TEMPORARY_PREFIX - 1))
            unlink(name);
    }
}

/* Handles signals on the main thread alone: that blocks them for the moment in which a file is renamed. */
static void handle(int number)
{
    if (!pthread_equal(pthread_self(), main_thread)) {
        pthread_kill(main_thread, number);
        return;
    }
    if (number != SIGQUIT && atomic_load(&first_is_noted) && lb_interrupt_signal(&caught, number))
        return;
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number); /* it is delivered when this function returns */
}

void cli_signals_open(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    main_thread = pthread_self();
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDINGS; i++)
        sigaddset(&action.sa_mask, endings[i]);
    for (int i = 0; i < ENDINGS; i++) {
        struct sigaction before;
        if (sigaction(endings[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(endings[i], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

struct lb_interrupt *cli_signals_catch(void)
{
    atomic_store(&first_is_noted, true);
    return &caught;
}

void cli_signals_release(void)
{
    atomic_store(&first_is_noted, false);
}

static void note_asking(int number)
{
    (void)number;
    atomic_store(&asking, true);
}

void cli_signals_catch_asking(void)
{
    struct sigaction action = {.sa_handler = note_asking, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

bool cli_signals_asked(void)
{
    return atomic_exchange(&asking, false);
}

const char *cli_signals_name(int signal)
{
    return signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}
