/* A disk that takes LB_SLOW_DISK seconds for each write of many bytes, for test/bats/hosts.bats: a library that
 * LD_PRELOAD puts before the system's. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 1 << 15 };

ssize_t write(int file, const void *bytes, size_t size)
{
    const char *seconds = getenv("LB_SLOW_DISK");
    struct stat is;
    if (seconds && size >= MANY && fstat(file, &is) == 0 && S_ISREG(is.st_mode)) {
        struct timespec pause = {.tv_sec = atoi(seconds)};
        nanosleep(&pause, NULL);
    }
    return syscall(SYS_write, file, bytes, size);
}
