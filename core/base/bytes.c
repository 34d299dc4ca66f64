#include "core/base/bytes.h"

#include <errno.h>
#include <unistd.h>

ssize_t lb_bytes_read(int descriptor, void *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(descriptor, (char *)bytes + length, size - length);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        length += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)length;
}

bool lb_bytes_write(int descriptor, const void *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t done = write(descriptor, (const char *)bytes + length, size - length);
        if (done < 0 && errno != EINTR)
            return false;
        length += done > 0 ? (size_t)done : 0;
    }
    return true;
}
