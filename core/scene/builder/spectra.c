#include "core/scene/builder/spectra.h"

#include "core/base/color_space.h"
#include "core/kernel/hash.h"
#include "core/kernel/scene/spectral.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/spectrum/sigmoids.h"
#include "core/scene/spectrum/uplift.h"

#include <string.h>

enum { MOST_SPECTRA = 1 << 20 };

/* ---- samples ---- */

static uint64_t hash_of(const struct lb_samples *samples)
{
    uint64_t hash = 1;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        uint64_t bits;
        memcpy(&bits, &samples->values[i], sizeof bits);
        hash = lb_hash_combine(hash, bits);
    }
    return hash != 0 ? hash : 1;
}

/* A light's spectrum of the same luminance as the white of sRGB, as the table has that. */
static void normalise(struct lb_samples *samples)
{
    struct lb_samples white;
    lb_spectrum_daylight(&white);
    double scale = lb_spectrum_luminance(&white) / lb_spectrum_luminance(samples);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        samples->values[i] *= scale;
}

/* The smooth spectrum that shows a colour of its space. */
static void uplift(const struct lb_made_spectrum *made, struct lb_samples *samples)
{
    struct lb_samples white;
    struct lb_uplifter uplifter;
    struct lb_sigmoid sigmoid;
    /* What may be above 1 is a factor times a reflectance that is not (pbrt). */
    float most = made->role == LB_SPECTRUM_REFLECTANCE ? 1.0f : 2.0f * lb_rgb_max(made->own);
    lb_rgb rgb = most > 0.0f ? lb_rgb_scale(made->own, 1.0f / most) : made->own;
    lb_uplifter_make(made->space, &uplifter);
    lb_uplift_as_pbrt(&uplifter, lb_rgb_make(lb_min(rgb.r, 1.0f), lb_min(rgb.g, 1.0f), lb_min(rgb.b, 1.0f)),
                      &sigmoid);
    if (made->role == LB_SPECTRUM_ILLUMINANT)
        lb_spectrum_space_white(made->space, &white);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        samples->values[i] = (double)most * lb_sigmoid_at(&sigmoid, LB_SPECTRUM_FIRST + i);
        if (made->role == LB_SPECTRUM_ILLUMINANT)
            samples->values[i] *= white.values[i];
    }
}

/* ---- spectra ---- */

/* Notes the colour as it was given, in its own space: that of sRGB is cut to what sRGB has. */
static void note_own(const struct lb_parameter *parameter, const char *space, struct lb_made_spectrum *made)
{
    made->own = made->rgb;
    made->space = LB_COLOR_SRGB;
    if (!space || strcmp(space, lb_color_spaces[LB_COLOR_SRGB].name) == 0)
        return;
    made->space = lb_color_space_find(space);
    made->own = parameter ? lb_rgb_make(parameter->floats[0], parameter->floats[1], parameter->floats[2])
                          : lb_rgb_grey(1.0f);
}

static bool same(const struct lb_made_spectrum *a, const struct lb_made_spectrum *b)
{
    return a->role == b->role && a->hash == b->hash && a->space == b->space &&
           (a->hash != 0 || memcmp(&a->own, &b->own, sizeof a->own) == 0);
}

/* The number of the spectrum that was made of the same; LB_NONE: there is none. */
static uint32_t find(const struct lb_spectra *spectra, const struct lb_made_spectrum *wanted)
{
    const struct lb_made_spectrum *made = spectra->made.data;
    for (size_t i = spectra->made.count; i-- > 0;)
        if (same(&made[i], wanted))
            return (uint32_t)i;
    return LB_NONE;
}

static enum lb_status add(const struct lb_builder *builder, const struct lb_made_spectrum *made,
                          struct lb_samples *samples, uint32_t *number)
{
    struct lb_spectra *spectra = builder->spectra;
    *number = find(spectra, made);
    if (*number != LB_NONE)
        return LB_OK;
    if (spectra->made.count >= MOST_SPECTRA)
        return lb_build_error(builder, NULL, "the scene has more than %d spectra", MOST_SPECTRA);
    if (made->hash == 0)
        uplift(made, samples);
    else if (made->role == LB_SPECTRUM_ILLUMINANT)
        normalise(samples);
    struct lb_made_spectrum *kept = lb_vector_add(&spectra->made, 1);
    lb_lanes *lanes = kept ? lb_vector_add(&spectra->values, LB_QUADS) : NULL;
    if (!lanes)
        return lb_build_no_memory(builder);
    *kept = *made;
    *number = (uint32_t)(spectra->made.count - 1);
    float values[LB_QUAD_VALUES];
    lb_quads_take(spectra->places, samples, values);
    memcpy(lanes, values, sizeof values);
    return LB_OK;
}

enum lb_status lb_build_spectrum(const struct lb_builder *builder, const struct lb_parameter *parameter,
                                 enum lb_spectrum_role role, lb_rgb rgb, uint32_t *number)
{
    struct lb_made_spectrum made;
    struct lb_samples samples;
    memset(&made, 0, sizeof made);
    made.rgb = rgb;
    made.role = (uint32_t)role;
    bool is_rgb = parameter && parameter->type == LB_PARAMETER_RGB;
    note_own(is_rgb ? parameter : NULL, is_rgb ? parameter->color_space : NULL, &made);
    if (parameter &&
        (parameter->type == LB_PARAMETER_SPECTRUM || parameter->type == LB_PARAMETER_BLACKBODY)) {
        enum lb_status status = lb_samples_read_spectral(builder->description, parameter, builder->arena,
                                                         builder->log, &samples, builder->error);
        if (status != LB_OK)
            return status;
        made.hash = hash_of(&samples);
    }
    return add(builder, &made, &samples, number);
}

enum lb_status lb_build_samples_spectrum(const struct lb_builder *builder, const struct lb_samples *samples,
                                         uint32_t *number)
{
    struct lb_made_spectrum made;
    struct lb_samples own = *samples;
    memset(&made, 0, sizeof made);
    made.role = LB_SPECTRUM_UNBOUNDED;
    made.hash = hash_of(samples);
    return add(builder, &made, &own, number);
}

enum lb_status lb_build_unbounded_spectrum(const struct lb_builder *builder, uint32_t from, uint32_t *number)
{
    struct lb_made_spectrum made = ((const struct lb_made_spectrum *)builder->spectra->made.data)[from];
    struct lb_samples samples;
    *number = from;
    if (made.hash != 0)
        return LB_OK;
    made.role = LB_SPECTRUM_UNBOUNDED;
    return add(builder, &made, &samples, number);
}

lb_rgb lb_build_times_spectrum(uint32_t number, float factor)
{
    return lb_rgb_make(factor, (float)number, lb_bits_float(0x7fc00000u));
}

enum lb_status lb_build_spectral(const struct lb_builder *builder, const struct lb_parameter *parameter,
                                 enum lb_spectrum_role role, lb_rgb *rgb)
{
    bool given =
        parameter && (parameter->type == LB_PARAMETER_SPECTRUM || parameter->type == LB_PARAMETER_BLACKBODY);
    bool grey = rgb->r == rgb->g && rgb->g == rgb->b;
    uint32_t number;
    if (!builder->spectra || (!given && grey && role != LB_SPECTRUM_ILLUMINANT) || lb_rgb_is_black(*rgb))
        return LB_OK;
    enum lb_status status = lb_build_spectrum(builder, parameter, role, *rgb, &number);
    if (status == LB_OK)
        *rgb = lb_build_times_spectrum(number, 1.0f);
    return status;
}

/* ---- images ---- */

enum lb_status lb_build_sigmoids(struct lb_builder *builder)
{
    if (!builder->spectra || builder->arrays.sigmoids.count != 0)
        return LB_OK;
    lb_vec3 *table = lb_vector_add(&builder->arrays.sigmoids, LB_SIGMOIDS);
    if (!table)
        return lb_build_no_memory(builder);
    lb_sigmoids_make(table);
    return LB_OK;
}

/* ---- lights ---- */

enum lb_status lb_build_light_spectrum(const struct lb_builder *builder,
                                       const struct lb_parameters *parameters, const char *name,
                                       uint32_t *spectrum)
{
    const struct lb_parameter *parameter = lb_parameters_find(parameters, name);
    struct lb_made_spectrum white;
    struct lb_samples samples;
    lb_rgb rgb;
    *spectrum = 0;
    if (!builder->spectra)
        return LB_OK;
    enum lb_status status =
        lb_build_colour(builder, parameters, name, true, lb_build_white(parameters), &rgb);
    if (status != LB_OK || lb_rgb_is_black(rgb))
        return status;
    if (parameter) {
        status = lb_build_spectrum(builder, parameter, LB_SPECTRUM_ILLUMINANT, rgb, spectrum);
    } else { /* the white of the space that colours are given in */
        memset(&white, 0, sizeof white);
        white.rgb = rgb;
        white.role = LB_SPECTRUM_ILLUMINANT;
        note_own(NULL, parameters->color_space, &white);
        status = add(builder, &white, &samples, spectrum);
    }
    *spectrum += 1;
    return status;
}

lb_rgb lb_build_light_color(const struct lb_builder *builder, uint32_t spectrum, lb_rgb rgb)
{
    const struct lb_made_spectrum *made = builder->spectra->made.data;
    float base = lb_rgb_luminance(made[spectrum - 1].rgb);
    return lb_build_times_spectrum(spectrum - 1, lb_rgb_luminance(rgb) / base);
}

enum lb_status lb_build_spectral_lights(struct lb_builder *builder)
{
    if (!builder->spectra)
        return LB_OK;
    lb_light *lights = builder->arrays.lights.data;
    for (size_t i = 0; i < builder->arrays.lights.count; i++)
        if (!lb_rgb_is_black(lights[i].emission) && lights[i].spectrum != 0)
            lights[i].emission = lb_build_light_color(builder, lights[i].spectrum, lights[i].emission);
    lb_vector_free(&builder->arrays.spectra);
    builder->arrays.spectra = builder->spectra->values;
    memset(&builder->spectra->values, 0, sizeof builder->spectra->values);
    return LB_OK;
}
