/* A picture's file in memory, and what the readers of all formats check alike. */
#ifndef LB_CORE_IMAGE_IMAGE_FILE_H
#define LB_CORE_IMAGE_IMAGE_FILE_H

#include "core/image/image.h"

/* The whole file; `name` starts the messages. */
struct lb_image_file {
    const char *name;
    const uint8_t *data;
    size_t size;
    bool any_alpha; /* of a PNG file: also that of grey, and of single colours */
    struct lb_error *error;
};

enum lb_status lb_image_fail(const struct lb_image_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define LB_IMAGE_SIDE 65535 /* pixels of a picture's longest possible side */

/* Sides of 1 to LB_IMAGE_SIDE and no more pixels than `most`, which is what the file's length makes possible. */
enum lb_status lb_image_check_size(const struct lb_image_file *file, int64_t width, int64_t height,
                                   uint64_t most);
/* Floats that are all finite, or an error that names the first pixel that is not. */
enum lb_status lb_image_check_floats(const struct lb_image_file *file, const struct lb_picture *picture);

#endif
