/* The formats of pictures that are read: for each, whether a file begins as one of that format, and its picture. What a
 * reader has allocated when it fails is released by its caller, by lb_picture_free. */
#ifndef LB_CORE_IMAGE_FORMATS_H
#define LB_CORE_IMAGE_FORMATS_H

#include "core/image/image_file.h"

bool lb_pfm_is(const struct lb_image_file *file);
enum lb_status lb_pfm_parse(const struct lb_image_file *file, struct lb_picture *picture);
bool lb_exr_is(const struct lb_image_file *file);
enum lb_status lb_exr_parse(const struct lb_image_file *file, struct lb_picture *picture);
bool lb_png_is(const struct lb_image_file *file);
enum lb_status lb_png_parse(const struct lb_image_file *file, struct lb_picture *picture);
bool lb_jpeg_is(const struct lb_image_file *file);
enum lb_status lb_jpeg_parse(const struct lb_image_file *file, struct lb_picture *picture);

/* TGA has no first bytes of its own. Whether such a file is whole, and its pixels where it is (stb_image). */
enum lb_status lb_tga_check(const struct lb_image_file *file);
enum lb_status lb_stb_parse(const struct lb_image_file *file, struct lb_picture *picture);

#endif
