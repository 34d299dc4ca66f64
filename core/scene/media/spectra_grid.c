/* Grids of media whose colours are spectra. */
#include "core/scene/media/media.h"

#include "core/scene/builder/messages.h"
#include "core/scene/spectrum/uplift.h"

#include <string.h>

/* The kernel squares what comes of the coefficients, as floats. Colours that no reflectance shows have no last ones. */
static float within_floats(double coefficient)
{
    const double most = 1e15;
    return (float)(coefficient < -most ? -most : coefficient > most ? most : coefficient);
}

/* pbrt: twice the largest component times a reflectance, so that greys are a half of that everywhere. */
static void put_sample(const struct lb_uplifter *uplifter, const float rgb[3], float sample[4])
{
    float factor = 2.0f * lb_max(lb_max(rgb[0], rgb[1]), rgb[2]);
    struct lb_sigmoid sigmoid = {{0.0, 0.0, 0.0}};
    if (!(rgb[0] == rgb[1] && rgb[1] == rgb[2]))
        lb_uplift(uplifter, lb_rgb_make(rgb[0] / factor, rgb[1] / factor, rgb[2] / factor), &sigmoid);
    for (int k = 0; k < 3; k++)
        sample[k] = within_floats(sigmoid.c[k]);
    sample[3] = factor;
}

enum lb_status lb_build_grid_put_spectra(struct lb_builder *builder, const float *values,
                                         const uint32_t size[3], uint32_t space, lb_grid *grid)
{
    size_t count = (size_t)size[0] * size[1] * size[2];
    struct lb_uplifter *uplifter = lb_arena_alloc(builder->arena, 1, sizeof *uplifter);
    grid->first = builder->arrays.tables.count;
    float *samples = lb_vector_add(&builder->arrays.tables, 4 * count);
    if (!uplifter || !samples)
        return lb_build_no_memory(builder);
    lb_uplifter_make(space, uplifter);
    for (size_t i = 0; i < count; i++) {
        /* Neighbours often are of one colour. */
        if (i > 0 && memcmp(values + 3 * i, values + 3 * i - 3, 3 * sizeof *values) == 0)
            memcpy(samples + 4 * i, samples + 4 * i - 4, 4 * sizeof *samples);
        else
            put_sample(uplifter, values + 3 * i, samples + 4 * i);
    }
    memcpy(grid->size, size, sizeof grid->size);
    grid->channels = 4;
    return LB_OK;
}

float lb_build_most_of_spectrum(const float sample[4])
{
    double a = (double)sample[0], b = (double)sample[1], c = (double)sample[2];
    double highest = a + b + c > c ? a + b + c : c;
    if (a < 0.0 && b > 0.0 && b < -2.0 * a)
        highest = c - 0.25 * b * b / a;
    double most = 0.5 + 0.5 * highest / lb_sqrt_d(1.0 + highest * highest);
    /* The kernel rounds. */
    most *= 1.00001;
    return sample[3] * (float)(most < 1.0 ? most : 1.0);
}
