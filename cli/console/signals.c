#include "cli/console/signals.h"

#include "core/base/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A signal handler gets no argument of ours, so what it looks at has to be global. */
static struct lb_interrupt caught;
static atomic_bool first_is_noted, asking;
static pthread_t main_thread; /* is set before the first handler can run */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR2};
enum { ENDINGS = sizeof endings / sizeof *endings };

/* Removes the file behind an entry of /proc/self/fd, if it is a temporary one. */
static void remove_temporary(int folder, const char *entry)
{
    char name[4096];
    ssize_t length = readlinkat(folder, entry, name, sizeof name - 1);
    name[length > 0 ? length : 0] = 0;
    const char *slash = strrchr(name, '/');
    if (slash && !strncmp(slash + 1, LB_TEMPORARY_PREFIX, sizeof LB_TEMPORARY_PREFIX - 1))
        unlink(name);
}

/* Removes temporary files that are not whole yet: each of them is open, and so found among the open files, however many
 * there are. A signal handler may not call readdir(), but the system call beneath it. */
static void remove_temporaries(void)
{
    _Alignas(struct dirent64) char entries[4096];
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long size;
    if (folder < 0)
        return;
    while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long at = 0; at < size; at += ((struct dirent64 *)(void *)(entries + at))->d_reclen)
            remove_temporary(folder, ((struct dirent64 *)(void *)(entries + at))->d_name);
    close(folder);
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
    static const struct named {
        int signal;
        const char *name;
    } names[] = {{SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}, {SIGXCPU, "SIGXCPU"}, {SIGUSR2, "SIGUSR2"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].signal == signal)
            return names[i].name;
    return "SIGTERM";
}
