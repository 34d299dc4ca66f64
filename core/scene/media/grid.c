/* Media whose values are grids of the scene's: uniformgrid and rgbgrid. */
#include "core/scene/media/media.h"

#include "core/base/color_space.h"
#include "core/language/parameters.h"
#include "core/scene/spectrum/color_space.h"
#include "core/scene/spectrum/spectrum.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/builder/spectra.h"

#include <string.h>

enum lb_status lb_build_grid_put(struct lb_builder *builder, const float *values, const uint32_t size[3],
                                 uint32_t channels, lb_grid *grid)
{
    size_t count = (size_t)size[0] * size[1] * size[2] * channels;
    grid->first = builder->arrays.tables.count;
    float *table = lb_vector_add(&builder->arrays.tables, count);
    if (!table)
        return lb_build_no_memory(builder);
    memcpy(table, values, count * sizeof *table);
    memcpy(grid->size, size, sizeof grid->size);
    grid->channels = channels;
    return LB_OK;
}

/* The grid spans the medium's box: sample i of n lies at (i + 1/2) / n of it. */
static void span_box(const lb_box *box, lb_grid *grid)
{
    memset(&grid->index_from_medium, 0, sizeof grid->index_from_medium);
    for (int i = 0; i < 3; i++) {
        float scale = (float)grid->size[i] / (box->upper[i] - box->lower[i]);
        grid->index_from_medium.m[i][i] = scale;
        grid->index_from_medium.m[i][3] = -box->lower[i] * scale - 0.5f;
    }
}

/* nx, ny, nz; their product is at most what an array of a file can hold. */
static enum lb_status read_size(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                uint32_t size[3])
{
    static const char *const names[] = {"nx", "ny", "nz"};
    for (int i = 0; i < 3; i++) {
        int32_t n;
        enum lb_status status = lb_build_integer(builder, parameters, names[i], 1, 1, 1 << 20, &n);
        if (status != LB_OK)
            return status;
        size[i] = (uint32_t)n;
    }
    return LB_OK;
}

/* The color space that a parameter is given in. */
static uint32_t space_of(const struct lb_parameters *parameters, const char *name)
{
    const char *space = lb_parameters_find(parameters, name)->color_space;
    return space ? lb_color_space_find(space) : LB_COLOR_SRGB;
}

/* A grid of the given type's values, which are finite and, but for temperatures, not negative. grid->channels is 0
 * where the file has none. */
static enum lb_status read_grid(struct lb_builder *builder, const struct lb_parameters *parameters,
                                const char *name, enum lb_parameter_type type, const uint32_t size[3],
                                const lb_medium *medium, lb_grid *grid)
{
    const float *values;
    size_t count;
    uint32_t channels = type == LB_PARAMETER_RGB ? 3 : 1;
    uint64_t wanted = (uint64_t)size[0] * size[1] * size[2] * channels;
    enum lb_status status = lb_parameters_floats(parameters, name, type, &values, &count, builder->error);
    if (status != LB_OK || count == 0)
        return status;
    if (count != wanted)
        return lb_build_error(builder, lb_build_place(parameters, name),
                              "\"%s\" has %zu values, not %llu: nx ny nz is %u x %u x %u", name,
                              count / channels, (unsigned long long)(wanted / channels), size[0], size[1],
                              size[2]);
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= 0.0f && values[i] <= 1e15f) &&
            !(type == LB_PARAMETER_FLOAT && strcmp(name, "temperature") == 0 && lb_is_finite(values[i])))
            return lb_build_error(builder, lb_build_place(parameters, name), "\"%s\" has a value of %g", name,
                                  (double)values[i]);
    const char *space = lb_parameters_find(parameters, name)->color_space;
    if (channels == 3 && space && lb_color_space_find(space) == LB_COLOR_SPACES)
        return lb_build_error(builder, lb_build_place(parameters, name), "unknown colour space \"%s\"",
                              space);
    if (channels == 3 && builder->spectra)
        status = lb_build_grid_put_spectra(builder, values, size, space_of(parameters, name), grid);
    else
        status = lb_build_grid_put(builder, values, size, channels, grid);
    if (status != LB_OK)
        return status;
    span_box(&medium->box, grid);
    float *table = (float *)builder->arrays.tables.data + grid->first;
    for (size_t i = 0; grid->channels == 3 && i < count; i += 3) {
        lb_rgb rgb = lb_rgb_make(table[i], table[i + 1], table[i + 2]);
        lb_rgb_to_srgb(space, false, rgb, &rgb);
        table[i] = lb_max(rgb.r, 0.0f);
        table[i + 1] = lb_max(rgb.g, 0.0f);
        table[i + 2] = lb_max(rgb.b, 0.0f);
    }
    return LB_OK;
}

enum lb_status lb_build_uniform_grid(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    uint32_t size[3];
    enum lb_status status;
    built->kind = LB_MEDIUM_GRID;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_box(builder, entity, built)) != LB_OK ||
        (status = read_size(builder, parameters, size)) != LB_OK ||
        (status = read_grid(builder, parameters, "density", LB_PARAMETER_FLOAT, size, built,
                            &built->density)) != LB_OK ||
        (status = lb_build_colour(builder, parameters, "Le", true, lb_rgb_grey(0.0f), &built->emission)) !=
            LB_OK ||
        (status = read_grid(builder, parameters, "temperature", LB_PARAMETER_FLOAT, size, built,
                            &built->temperature)) != LB_OK ||
        (status = read_grid(builder, parameters, "Lescale", LB_PARAMETER_FLOAT, size, built, &built->glow)) !=
            LB_OK)
        return status;
    if (built->density.channels == 0)
        return lb_build_error(builder, &parameters->location,
                              "a medium of type uniformgrid needs \"density\"");
    if (built->temperature.channels != 0 && lb_parameters_find(parameters, "Le"))
        return lb_build_error(builder, lb_build_place(parameters, "Le"),
                              "\"Le\" and \"temperature\" exclude each other");
    if (built->temperature.channels != 0) {
        built->emission = lb_rgb_grey(1.0f);
        if ((status = lb_build_heat(builder, parameters, built)) != LB_OK)
            return status;
    }
    if (!lb_rgb_is_black(built->emission) && built->glow.channels == 0) {
        /* One sample of 1, as in pbrt: less towards the faces. */
        static const uint32_t single[3] = {1, 1, 1};
        static const float one = 1.0f;
        if ((status = lb_build_grid_put(builder, &one, single, 1, &built->glow)) != LB_OK)
            return status;
        span_box(&built->box, &built->glow);
    }
    return lb_build_grid_bounds(builder, built);
}

/* The light that is multiplied by "Le" of an rgb grid: so many times white, of the color space of "Le". */
static enum lb_status set_glow(const struct lb_builder *builder, const struct lb_parameters *parameters,
                               float factor, lb_medium *built)
{
    struct lb_samples white;
    uint32_t number;
    built->emission = lb_rgb_grey(factor);
    if (!builder->spectra || factor == 0.0f)
        return LB_OK;
    lb_spectrum_space_white(space_of(parameters, "Le"), &white);
    enum lb_status status = lb_build_samples_spectrum(builder, &white, &number);
    if (status == LB_OK)
        built->emission = lb_build_times_spectrum(number, factor);
    return status;
}

enum lb_status lb_build_rgb_grid(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                 lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    uint32_t size[3];
    float scale, glow;
    enum lb_status status;
    built->kind = LB_MEDIUM_RGB_GRID;
    if ((status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "scale", 1.0f, 0.0f, 1e15f, &scale)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "Lescale", 1.0f, 0.0f, 1e15f, &glow)) != LB_OK ||
        (status = lb_build_medium_box(builder, entity, built)) != LB_OK ||
        (status = read_size(builder, parameters, size)) != LB_OK ||
        (status = read_grid(builder, parameters, "sigma_a", LB_PARAMETER_RGB, size, built,
                            &built->density)) != LB_OK ||
        (status = read_grid(builder, parameters, "sigma_s", LB_PARAMETER_RGB, size, built,
                            &built->scattering)) != LB_OK ||
        (status = read_grid(builder, parameters, "Le", LB_PARAMETER_RGB, size, built, &built->glow)) != LB_OK)
        return status;
    if (built->density.channels == 0 && built->scattering.channels == 0)
        return lb_build_error(builder, &parameters->location,
                              "a medium of type rgbgrid needs \"sigma_a\" or \"sigma_s\"");
    if (built->glow.channels != 0 && built->density.channels == 0)
        return lb_build_error(builder, lb_build_place(parameters, "Le"), "\"Le\" needs \"sigma_a\"");
    built->sigma_a = built->sigma_s = lb_rgb_grey(scale);
    if (built->glow.channels != 0 &&
        (status = set_glow(builder, parameters, glow * LB_LUMINOUS_INTEGRAL, built)) != LB_OK)
        return status;
    if ((status = lb_build_medium_cells(builder, size, built)) != LB_OK)
        return status;
    lb_build_medium_bound(builder, built, &built->density, scale);
    lb_build_medium_bound(builder, built, &built->scattering, scale);
    return LB_OK;
}
