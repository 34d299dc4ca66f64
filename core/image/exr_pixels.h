/* Pixels of OpenEXR files by OpenEXR's C++ library, for C: no exception leaves these functions. */
#ifndef LB_CORE_IMAGE_EXR_PIXELS_H
#define LB_CORE_IMAGE_EXR_PIXELS_H

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* What to read of a file in memory, whose header core/image/exr.c has checked. */
struct lb_exr_wanted {
    const uint8_t *data;
    size_t size;
    int part;
    /* Channels at full resolution, which become the picture's in this order; NULL behind the last. Where `chroma` is
     * set, the file has luminance and chroma in their place, and the picture is RGB or, with four names, RGBA. */
    const char *names[4];
    bool chroma;
};

enum lb_exr_result { LB_EXR_OK, LB_EXR_DAMAGED, LB_EXR_MEMORY };

/* Fills `pixels`: width * height * channels floats of the part's data window, row 0 the top. LB_EXR_DAMAGED: `reason`
 * says in one line of less than `room` bytes why the library gave up. */
enum lb_exr_result lb_exr_read_pixels(const struct lb_exr_wanted *wanted, uint32_t channels, float *pixels,
                                      char *reason, size_t room);

#ifdef __cplusplus
}
#endif

#endif
