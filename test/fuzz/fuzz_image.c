/* Any bytes as a picture: finite pixels, all of them there, or an error of one line. */
#include "core/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_picture picture;
    struct lb_error error = {0};
    volatile uint8_t last = 0;
    if (lb_picture_parse("fuzz.tga", data, size, &picture, &error) == LB_OK) {
        size_t count = (size_t)picture.width * picture.height * picture.channels;
        if (count == 0 || picture.channels == 2 || picture.channels > 4 || !picture.bytes == !picture.floats)
            abort();
        if (picture.bytes)
            last = picture.bytes[count - 1];
        for (size_t i = 0; picture.floats && i < count; i++)
            if (!isfinite(picture.floats[i]))
                abort();
    } else if (strncmp(error.message, "fuzz.tga:", 9) != 0 || strchr(error.message, '\n')) {
        abort();
    }
    (void)last;
    lb_picture_free(&picture);
    return 0;
}
