/* What the readers of single formats share; core/image/image.h is for everybody else. */
#ifndef LB_CORE_IMAGE_PICTURE_H
#define LB_CORE_IMAGE_PICTURE_H

#include "core/image/image.h"

/* A file in memory; `name` starts the messages. */
struct lb_image_file {
    const char *name;
    const uint8_t *data;
    size_t size;
    struct lb_error *error;
};

enum lb_status lb_image_fail(const struct lb_image_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define LB_IMAGE_SIDE 65535 /* pixels of a picture's longest possible side */

/* Sides of 1 to LB_IMAGE_SIDE and no more pixels than `most`, which is what the file's length makes possible. */
enum lb_status lb_image_check_size(const struct lb_image_file *file, int64_t width, int64_t height,
                                   uint64_t most);

bool lb_pfm_is(const struct lb_image_file *file);
enum lb_status lb_pfm_parse(const struct lb_image_file *file, struct lb_picture *picture);
bool lb_exr_is(const struct lb_image_file *file);
enum lb_status lb_exr_parse(const struct lb_image_file *file, struct lb_picture *picture);

bool lb_png_is(const struct lb_image_file *file);
enum lb_status lb_png_parse(const struct lb_image_file *file, struct lb_picture *picture);
bool lb_jpeg_is(const struct lb_image_file *file);
enum lb_status lb_jpeg_parse(const struct lb_image_file *file, struct lb_picture *picture);

/* Whether a TGA file is whole, and its pixels where it is (stb_image). */
enum lb_status lb_tga_check(const struct lb_image_file *file);
enum lb_status lb_stb_parse(const struct lb_image_file *file, struct lb_picture *picture);

/* Floats that are all finite, or an error that names the first pixel that is not. */
enum lb_status lb_image_check_floats(const struct lb_image_file *file, const struct lb_picture *picture);

#endif
