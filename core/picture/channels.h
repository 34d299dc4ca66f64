/* The channels that a picture's file can have beside R, G and B: their names, and what they are made of. */
#ifndef LB_CORE_PICTURE_CHANNELS_H
#define LB_CORE_PICTURE_CHANNELS_H

#include "core/base/error.h"
#include "core/kernel/film/film.h"
#include "core/kernel/scene/scene.h"

#include <stddef.h>

/* In the order of their table; pbrt's names where pbrt has them. */
enum lb_output {
    LB_OUTPUT_ALPHA,
    LB_OUTPUT_ALBEDO,
    LB_OUTPUT_P,
    LB_OUTPUT_Z,
    LB_OUTPUT_N,
    LB_OUTPUT_NS,
    LB_OUTPUT_UV,
    LB_OUTPUT_DZ,
    LB_OUTPUT_MOTION,
    LB_OUTPUT_OBJECT,
    LB_OUTPUT_MATERIAL,
    LB_OUTPUT_SAMPLES,
    LB_OUTPUT_VARIANCE,
    LB_OUTPUT_RELATIVE_VARIANCE,
    LB_OUTPUT_BUCKETS,
    LB_OUTPUT_LIGHT_GROUPS, /* its channels, and those of the next two, are not in the table */
    LB_OUTPUT_CRYPTO_OBJECT,
    LB_OUTPUT_CRYPTO_MATERIAL,
    LB_OUTPUTS
};

struct lb_output_about {
    const char *word; /* of --channels */
    const char *names[3];
    uint32_t count; /* of names; 0: lb_output_count tells, and lb_output_bucket_name, but for those from
                       LB_OUTPUT_LIGHT_GROUPS on */
    uint32_t kinds; /* bits of 1 << enum lb_channel_kind: the sums that it is made of */
    bool whole;     /* values are uint32_t, which files have as floats if they can; else float */
    bool coarse;    /* a half is enough for them */
};
extern const struct lb_output_about lb_outputs[LB_OUTPUTS];

/* What pbrt writes of a film "gbuffer": bits of 1 << enum lb_output. */
#define LB_OUTPUTS_GBUFFER                                                                                   \
    (1u << LB_OUTPUT_ALBEDO | 1u << LB_OUTPUT_P | 1u << LB_OUTPUT_N | 1u << LB_OUTPUT_NS |                   \
     1u << LB_OUTPUT_UV | 1u << LB_OUTPUT_DZ | 1u << LB_OUTPUT_VARIANCE | 1u << LB_OUTPUT_RELATIVE_VARIANCE)

/* The sums that these outputs are made of: bits of 1 << enum lb_channel_kind. */
uint32_t lb_outputs_kinds(uint32_t outputs);
/* Reads a list of words with commas, and "gbuffer" for pbrt's, into bits of outputs. A usage error names the word that
 * is none. */
enum lb_status lb_outputs_parse(const char *text, uint32_t *outputs, struct lb_error *error);

/* The list of words that lb_outputs_parse() reads so; "" for none. */
void lb_outputs_text(uint32_t outputs, char *text, size_t size);

/* How many values a pixel has of an output. */
uint32_t lb_output_count(enum lb_output output, const lb_channels *channels);
/* The name of the channel of a bucket of wavelengths, as pbrt has it: "S0." and the middle, as in "S0.392,500nm". */
void lb_output_bucket_name(const lb_channels *channels, uint32_t bucket, char name[32]);
/* A pixel's values, lb_output_count() of them: floats, or whole numbers in `whole`. `sums` are its sums of
 * `channels`. */
void lb_output_values(enum lb_output output, const lb_channels *channels, const lb_film_pixel *pixel,
                      const int64_t *sums, float *values, uint32_t *whole);

/* The pixel's colour without what lies behind all surfaces, and its coverage in 0 .. 1, by which the colour is
 * multiplied. */
lb_rgb lb_output_cut_out(const lb_channels *channels, const lb_film_pixel *pixel, const int64_t *sums,
                         float *alpha);

#endif
