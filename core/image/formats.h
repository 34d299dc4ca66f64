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

bool lb_qoi_is(const struct lb_image_file *file);
enum lb_status lb_qoi_parse(const struct lb_image_file *file, struct lb_picture *picture);

/* The formats that stb_image decodes, which does not see where a cut file ends: whether the file is whole. TGA has no
 * first bytes of its own. */
enum lb_status lb_tga_check(const struct lb_image_file *file);
bool lb_bmp_is(const struct lb_image_file *file);
enum lb_status lb_bmp_check(const struct lb_image_file *file);
bool lb_pnm_is(const struct lb_image_file *file); /* PGM and PPM of bytes */
enum lb_status lb_pnm_check(const struct lb_image_file *file);
bool lb_hdr_is(const struct lb_image_file *file);
enum lb_status lb_hdr_check(const struct lb_image_file *file);
/* Their pixels: bytes, or floats of an HDR picture. */
enum lb_status lb_stb_parse(const struct lb_image_file *file, struct lb_picture *picture);

#endif
