#include "core/base/replace.h"

#include "core/base/bytes.h"
#include "core/base/path.h"
#include "core/base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

static enum lb_status fail(struct lb_replacement *r, int number, struct lb_error *error)
{
    enum lb_status status = number == ENOMEM ? LB_ERROR_MEMORY : LB_ERROR;
    lb_error_set(error, status, "%s: cannot write: %s", is_standard(r->path) ? "standard output" : r->path,
                 strerror(number));
    lb_replace_abandon(r);
    return status;
}

/* ---- what is written to ---- */

/* /dev/stdout and its kin may be regular files, but are never to be replaced: they are open elsewhere. */
static bool is_open_elsewhere(const char *path)
{
    return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* What the link at `path` says, as a path from where we are. NULL: errno says why. */
static char *read_link(const char *path)
{
    char to[PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0)
        return NULL;
    to[length] = 0;
    size_t folder = *to == '/' ? 0 : (size_t)lb_folder_length(path);
    char *target = malloc(folder + (size_t)length + 1);
    if (target) {
        memcpy(target, path, folder);
        memcpy(target + folder, to, (size_t)length + 1);
    }
    return target;
}

char *lb_replace_target(const char *path)
{
    enum { MOST_LINKS = 40 }; /* as many as the kernel follows */
    char *target = strdup(path);
    for (int i = 0; target && i < MOST_LINKS; i++) {
        struct stat about;
        if (is_open_elsewhere(target) || lstat(target, &about) != 0 || !S_ISLNK(about.st_mode))
            return target;
        char *next = read_link(target);
        free(target);
        target = next;
    }
    if (target)
        errno = ELOOP;
    free(target);
    return NULL;
}

bool lb_replace_keeps(const char *target)
{
    struct stat about;
    return stat(target, &about) == 0 && (!S_ISREG(about.st_mode) || is_open_elsewhere(target));
}

/* ---- writing ---- */

static bool is_pipe(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

/* Opens what is written to itself, at the end of what others have written there. A pipe that nobody reads, which would
 * be waited for without end, is an error. */
static enum lb_status open_itself(struct lb_replacement *r, const char *target, struct lb_error *error)
{
    int flags = O_WRONLY | O_APPEND | O_CLOEXEC;
    bool pipe = is_pipe(target);
    r->file = open(target, pipe ? flags | O_NONBLOCK : flags);
    if (r->file < 0 && pipe && errno == ENXIO)
        return lb_error_set(error, LB_ERROR, "%s: cannot write: nobody reads from this pipe", r->path);
    if (r->file < 0 || (pipe && fcntl(r->file, F_SETFL, O_APPEND) != 0))
        return fail(r, errno, error);
    return LB_OK;
}

static int open_beside(struct lb_replacement *r)
{
    int file = lb_temporary_unnamed(r->final);
    return file < 0 && errno == 0 ? lb_temporary_named(r->final, &r->temporary) : file;
}

enum lb_status lb_replace_start(struct lb_replacement *replacement, const char *path, struct lb_error *error)
{
    struct lb_replacement *r = replacement;
    *r = (struct lb_replacement){.file = -1, .path = path};
    if (is_standard(path)) {
        r->file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        return r->file < 0 ? fail(r, errno, error) : LB_OK;
    }
    char *target = lb_replace_target(path);
    if (!target)
        return fail(r, errno, error);
    if (lb_replace_keeps(target)) {
        enum lb_status status = open_itself(r, target, error);
        free(target);
        return status;
    }
    r->final = target;
    struct stat about;
    bool exists = stat(target, &about) == 0;
    /* A file that may not be written is not replaced either. */
    if (exists && access(target, W_OK) != 0)
        return fail(r, errno, error);
    r->file = open_beside(r);
    if (r->file < 0 || (exists && fchmod(r->file, about.st_mode & 0777) != 0))
        return fail(r, errno, error);
    return LB_OK;
}

enum lb_status lb_replace_write(struct lb_replacement *replacement, const void *data, size_t size,
                                struct lb_error *error)
{
    return lb_bytes_write(replacement->file, data, size) ? LB_OK : fail(replacement, errno, error);
}

/* ---- the end ---- */

/* An unnamed file can take a name that is free; one that is taken it can only get by rename. 0, or -1. */
static int give_name(struct lb_replacement *r)
{
    if (!r->temporary) {
        char entry[32];
        lb_temporary_entry(r->file, entry);
        if (linkat(AT_FDCWD, entry, AT_FDCWD, r->final, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST || lb_temporary_link(r->file, r->final, &r->temporary) != 0)
            return -1;
    }
    if (rename(r->temporary, r->final) != 0)
        return -1;
    free(r->temporary);
    r->temporary = NULL;
    return 0;
}

/* No signal ends the program while there are two names: who handles signals does so on the thread that writes. */
static int give_name_undisturbed(struct lb_replacement *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = give_name(r), number = errno;
    if (result != 0 && r->temporary) {
        unlink(r->temporary);
        free(r->temporary);
        r->temporary = NULL;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return result;
}

/* What has to be on the disk before its name is, lest a power cut leaves an empty file. Some file systems cannot
 * and need not. */
static bool flush_file(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOSYS;
}

/* The name itself. The file is whole in any case: no error. */
static void flush_folder(const char *final)
{
    int length = lb_folder_length(final);
    char *folder = length ? strndup(final, (size_t)length) : strdup(".");
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

enum lb_status lb_replace_end(struct lb_replacement *replacement, struct lb_error *error)
{
    struct lb_replacement *r = replacement;
    if (r->final && (!flush_file(r->file) || give_name_undisturbed(r) != 0))
        return fail(r, errno, error);
    int file = r->file;
    r->file = -1;
    if (close(file) != 0)
        return fail(r, errno, error);
    if (r->final)
        flush_folder(r->final);
    lb_replace_abandon(r);
    return LB_OK;
}

void lb_replace_abandon(struct lb_replacement *replacement)
{
    struct lb_replacement *r = replacement;
    if (r->temporary)
        unlink(r->temporary);
    if (r->file >= 0)
        close(r->file);
    free(r->temporary);
    free(r->final);
    *r = (struct lb_replacement){.file = -1};
}

enum lb_status lb_replace_try(const char *path, uint64_t size, struct lb_error *error)
{
    struct lb_replacement r;
    enum lb_status status = lb_replace_start(&r, path, error);
    if (status != LB_OK)
        return status;
    if (r.final && fallocate(r.file, 0, 0, (off_t)size) != 0 && (errno == ENOSPC || errno == EDQUOT))
        return fail(&r, errno, error);
    /* A pipe stays open: whoever reads it would take the closing for the end of what there is to read. */
    if (r.final || !is_pipe(path))
        lb_replace_abandon(&r);
    return LB_OK;
}

enum lb_status lb_file_replace(const char *path, const void *data, size_t size, struct lb_error *error)
{
    struct lb_replacement r;
    enum lb_status status = lb_replace_start(&r, path, error);
    if (status == LB_OK)
        status = lb_replace_write(&r, data, size, error);
    if (status == LB_OK)
        status = lb_replace_end(&r, error);
    return status;
}

void lb_replace_sweep(const char *path)
{
    char *target = lb_replace_target(path);
    if (target)
        lb_temporary_sweep(target);
    free(target);
}
