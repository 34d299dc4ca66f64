/* From the film to what files hold. */
#ifndef LB_CORE_PICTURE_PICTURE_H
#define LB_CORE_PICTURE_PICTURE_H

#include "core/base/error.h"
#include "core/image/exr_write.h"
#include "core/kernel/film/film.h"
#include "core/picture/channels.h"
#include "core/picture/formats.h"
#include "core/picture/tone_map.h"

#include <stddef.h>

/* Of a JPEG, where nothing else is asked for. */
enum { LB_FILM_QUALITY = 95 };

/* How a picture is written. */
struct lb_film_form {
    enum lb_film_format format;
    uint32_t bits; /* of a value: one of the format's (struct lb_film_format_about) */
    /* Where the format holds tones (enum lb_film_holds). */
    enum lb_tone_map tone_map;
    double exposure; /* in stops */
    /* Where it is compressed. */
    enum lb_exr_compression compression;
    uint32_t quality; /* where it has qualities: 1 to 100; 0: LB_FILM_QUALITY */
    uint32_t outputs; /* where it holds channels: those beside R, G and B, bits of 1 << enum lb_output */
    bool transparent; /* where it holds alpha: that, and nothing of what lies behind all surfaces */
};

/* What is written, and what the file says of it: nothing that depends on who rendered it, or when. */
struct lb_film_picture {
    const lb_film *film; /* its size, where it lies in the full film, and its color space, which EXRs have */
    const lb_film_pixel *pixels;
    const lb_channels *channels; /* of the scene */
    const int64_t *sums;         /* of those, a pixel's beside each other; NULL: R, G, B alone are written */
    /* The names in its lists, each with a 0 at its end, and how many pixels of mattes had more names than could be
     * told, which lb_film_write() sets where it is not NULL. */
    const char *list_texts[LB_LISTS];
    uint64_t *untold;
    /* R, G, B that are written in place of the pixels' where anything covers them; or NULL */
    const float *colors;
    const char *cleaned_by; /* what made those colours, or NULL */
    const char *scene;      /* the file's name, of which the folders are left out; NULL: it has none */
    const char *frame;      /* of an animation, or NULL */
    uint32_t samples, seed; /* a pixel's in the whole; that of the sampler */
};

/* The pixels' colours in linear sRGB: 3 floats a pixel, the caller's to free. NULL: out of memory. */
float *lb_film_colors(const struct lb_film_picture *picture, const struct lb_film_form *form);
/* What an output is of each pixel, lb_outputs[output].count floats or whole numbers, the caller's to free. NULL: out of
 * memory. */
void *lb_film_values(const struct lb_film_picture *picture, enum lb_output output);
/* Can a picture of that size be written so? An error before the work is better than one after it. */
enum lb_status lb_film_check(const char *path, const struct lb_film_form *form, uint32_t width,
                             uint32_t height, struct lb_error *error);
/* Writes the picture; "-": to standard output. `*checksum`: CRC-32C of its pixels, row 0 the top: of a PNG its bytes,
 * in the file's order; else RGB as floats, in this machine's order. */
enum lb_status lb_film_write(const char *path, const struct lb_film_form *form,
                             const struct lb_film_picture *picture, uint32_t *checksum,
                             struct lb_error *error);

#endif
