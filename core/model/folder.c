#include "core/model/folder.h"

#include "core/base/temporary.h"
#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_all(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Waits until the last copy of the pipe's other end is closed, by lb_folder_close() or by the end of the program. */
static _Noreturn void keep(const char *path, int life)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGPIPE};
    char byte;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_IGN);
    int nowhere = open("/dev/null", O_RDWR);
    for (int stream = 0; stream <= 2; stream++)
        dup2(nowhere, stream);
    if (life != 3)
        dup2(life, 3);
    close_range(4, ~0U, 0);
    while (read(3, &byte, 1) < 0 && errno == EINTR)
        ;
    remove_all(path);
    _exit(0);
}

enum lb_status lb_folder_open(struct lb_folder *folder, const char *where, struct lb_error *error)
{
    int ends[2];
    struct lb_text name = {.data = NULL};
    lb_text_add(&name, "%s/%sXXXXXX", where, LB_TEMPORARY_PREFIX);
    *folder = (struct lb_folder){.path = lb_text_take(&name)};
    if (!folder->path)
        return lb_error_memory(error, NULL);
    if (!mkdtemp(folder->path)) {
        enum lb_status status =
            lb_error_set(error, LB_ERROR, "%s: no folder can be made there: %s", where, strerror(errno));
        free(folder->path);
        folder->path = NULL;
        return status;
    }
    if (pipe2(ends, O_CLOEXEC) == 0 && (folder->keeper = fork()) >= 0) {
        if (folder->keeper == 0) {
            close(ends[1]);
            keep(folder->path, ends[0]);
        }
        close(ends[0]);
        folder->life = ends[1];
        return LB_OK;
    }
    enum lb_status status =
        lb_error_set(error, LB_ERROR, "%s: no process: %s", folder->path, strerror(errno));
    rmdir(folder->path);
    free(folder->path);
    folder->path = NULL;
    return status;
}

void lb_folder_close(struct lb_folder *folder)
{
    if (!folder->path)
        return;
    close(folder->life);
    while (waitpid(folder->keeper, NULL, 0) < 0 && errno == EINTR)
        ;
    free(folder->path);
    *folder = (struct lb_folder){.path = NULL};
}
