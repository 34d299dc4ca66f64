#include "core/image/replace.h"

#include "core/image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static enum lb_status fail(struct lb_replacement *r, int number, struct lb_error *error)
{
    enum lb_status status = number == ENOMEM ? LB_ERROR_MEMORY : LB_ERROR;
    lb_error_set(error, status, "%s: cannot write: %s", r->path, strerror(number));
    lb_replace_abandon(r);
    return status;
}

/* A new file next to `r->final`, with the permissions that the umask gives: mkstemp's 0600 would stay. */
static int open_temporary(struct lb_replacement *r)
{
    enum { ATTEMPTS = 100, SUFFIX = 32 };
    const char *slash = strrchr(r->final, '/');
    int folder = slash ? (int)(slash - r->final) + 1 : 0;
    size_t room = (size_t)folder + SUFFIX;
    r->temporary = malloc(room);
    for (int i = 0; r->temporary && i < ATTEMPTS; i++) {
        unsigned long long number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            return -1;
        snprintf(r->temporary, room, "%.*s.lbrender-%016llx", folder, r->final, number);
        int file = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* /dev/stdout and its kin may be regular files, but are never to be replaced: they are open elsewhere. */
static bool is_replaced(const char *path, const struct stat *about)
{
    return S_ISREG(about->st_mode) && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0;
}

enum lb_status lb_replace_start(struct lb_replacement *replacement, const char *path, struct lb_error *error)
{
    struct lb_replacement *r = replacement;
    *r = (struct lb_replacement){.file = -1, .path = path};
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (exists && !is_replaced(path, &about)) {
        r->file = open(path, O_WRONLY | O_CLOEXEC);
        return r->file < 0 ? fail(r, errno, error) : LB_OK;
    }
    /* Through symbolic links to what they name; a file that may not be written is not replaced either. */
    if (exists && access(path, W_OK) != 0)
        return fail(r, errno, error);
    r->final = exists ? realpath(path, NULL) : strdup(path);
    if (!r->final)
        return fail(r, errno, error);
    r->file = open_temporary(r);
    if (r->file < 0) {
        int number = r->temporary ? errno : ENOMEM;
        free(r->temporary);
        r->temporary = NULL;
        return fail(r, number, error);
    }
    if (exists && fchmod(r->file, about.st_mode & 0777) != 0)
        return fail(r, errno, error);
    return LB_OK;
}

enum lb_status lb_replace_write(struct lb_replacement *replacement, const void *data, size_t size,
                                struct lb_error *error)
{
    const char *from = data;
    while (size) {
        ssize_t done = write(replacement->file, from, size < (1u << 30) ? size : (1u << 30));
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return fail(replacement, errno, error);
        from += done;
        size -= (size_t)done;
    }
    return LB_OK;
}

enum lb_status lb_replace_end(struct lb_replacement *replacement, struct lb_error *error)
{
    struct lb_replacement *r = replacement;
    int file = r->file;
    r->file = -1;
    if (close(file) != 0)
        return fail(r, errno, error);
    if (r->temporary && rename(r->temporary, r->final) != 0)
        return fail(r, errno, error);
    free(r->temporary);
    r->temporary = NULL;
    lb_replace_abandon(r);
    return LB_OK;
}

void lb_replace_abandon(struct lb_replacement *replacement)
{
    struct lb_replacement *r = replacement;
    if (r->file >= 0)
        close(r->file);
    if (r->temporary)
        unlink(r->temporary);
    free(r->temporary);
    free(r->final);
    *r = (struct lb_replacement){.file = -1};
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
