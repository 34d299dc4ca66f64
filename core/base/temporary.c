/* A writer holds a lock on its temporary file for as long as it lives, however it ends: a file that is not locked
 * has no writer. Locks may be a host's own where a folder is shared over a network, so that a name tells the host
 * too, and another's file is removed an hour after its last change only. */
#include "core/base/temporary.h"

#include "core/base/crc32c.h"
#include "core/base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ATTEMPTS = 100, HOST_DIGITS = 8, NUMBER_DIGITS = 16, STALE_SECONDS = 3600 };

static uint32_t host_number(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return lb_crc32c(0, host, strlen(host));
}

/* ".lbrender-HOST-NUMBER" beside `final`; NULL: errno says why. */
static char *draw_name(const char *final)
{
    int folder = lb_folder_length(final);
    size_t room = (size_t)folder + sizeof LB_TEMPORARY_PREFIX + HOST_DIGITS + 1 + NUMBER_DIGITS;
    unsigned long long number;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return NULL;
    char *name = malloc(room);
    if (name)
        snprintf(name, room, "%.*s" LB_TEMPORARY_PREFIX "%08x-%016llx", folder, final, host_number(), number);
    return name;
}

/* ---- making one ---- */

void lb_temporary_entry(int file, char entry[32])
{
    snprintf(entry, 32, "/proc/self/fd/%d", file);
}

/* File systems that cannot do it say so in several ways; without /proc the file could not get a name. */
int lb_temporary_unnamed(const char *final)
{
    int length = lb_folder_length(final);
    char *folder = length ? strndup(final, (size_t)length) : strdup(".");
    if (!folder)
        return -1;
    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT))
        errno = 0;
    free(folder);
    char entry[32];
    lb_temporary_entry(file, entry);
    if (file >= 0 && access(entry, F_OK) != 0) {
        close(file);
        errno = 0;
        return -1;
    }
    if (file >= 0)
        flock(file, LOCK_EX | LOCK_NB);
    return file;
}

/* Who sweeps may hold the lock first, and then the file is gone. A file system without locks has no sweepers. */
static bool lock_named(int file)
{
    struct stat about;
    while (flock(file, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return fstat(file, &about) == 0 && about.st_nlink > 0;
}

int lb_temporary_named(const char *final, char **name)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        *name = draw_name(final);
        if (!*name)
            return -1;
        /* With the permissions that the umask gives: mkstemp's 0600 would stay. */
        int file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 && lock_named(file))
            return file;
        int number = errno;
        if (file >= 0)
            close(file);
        free(*name);
        *name = NULL;
        errno = number;
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return -1;
}

int lb_temporary_link(int file, const char *final, char **name)
{
    char entry[32];
    lb_temporary_entry(file, entry);
    for (int i = 0; i < ATTEMPTS; i++) {
        *name = draw_name(final);
        if (!*name)
            return -1;
        if (linkat(AT_FDCWD, entry, AT_FDCWD, *name, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        int number = errno;
        free(*name);
        *name = NULL;
        errno = number;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* ---- removing what is left ---- */

static bool all_hexadecimal(const char *text, size_t length)
{
    return strspn(text, "0123456789abcdef") >= length;
}

/* Is it a temporary file's name, and of this host? Earlier versions named no host. */
static bool is_temporary(const char *name, bool *here)
{
    const size_t prefix = sizeof LB_TEMPORARY_PREFIX - 1;
    *here = false;
    if (strncmp(name, LB_TEMPORARY_PREFIX, prefix))
        return false;
    const char *rest = name + prefix;
    if (strlen(rest) == NUMBER_DIGITS)
        return all_hexadecimal(rest, NUMBER_DIGITS);
    if (strlen(rest) != HOST_DIGITS + 1 + NUMBER_DIGITS || rest[HOST_DIGITS] != '-')
        return false;
    char host[HOST_DIGITS + 1];
    snprintf(host, sizeof host, "%08x", host_number());
    *here = strncmp(rest, host, HOST_DIGITS) == 0;
    return all_hexadecimal(rest, HOST_DIGITS) && all_hexadecimal(rest + HOST_DIGITS + 1, NUMBER_DIGITS);
}

static void remove_stale(int folder, const char *name, bool here)
{
    struct stat about;
    /* To write, or else network file systems lock nothing. */
    int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    bool old = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
               (here || about.st_mtime + STALE_SECONDS < time(NULL));
    if (old && flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

void lb_temporary_sweep(const char *final)
{
    int length = lb_folder_length(final);
    char *path = length ? strndup(final, (size_t)length) : strdup(".");
    DIR *folder = path ? opendir(path) : NULL;
    free(path);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        bool here;
        if (is_temporary(entry->d_name, &here))
            remove_stale(dirfd(folder), entry->d_name, here);
    }
    closedir(folder);
}
