/* Measured materials: the tables of their tensor files, with spectra turned into colours. */
#include "core/scene/materials/measured.h"

#include "core/scene/block/limits.h"

#include "core/base/color_space.h"
#include "core/base/file.h"
#include "core/scene/spectrum/spectrum.h"
#include "core/scene/materials/tensor.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/spectra.h"

#include <string.h>

#define MOST_BYTES ((size_t)16 << 30)

enum array { THETA, PHI, WAVELENGTHS, NDF, SIGMA, VNDF, LUMINANCE, SPECTRA, ARRAYS };

static const struct {
    const char *name;
    unsigned dimensions;
} wanted[ARRAYS] = {
    [THETA] = {"theta_i", 1},
    [PHI] = {"phi_i", 1},
    [WAVELENGTHS] = {"wavelengths", 1},
    [NDF] = {"ndf", 2},
    [SIGMA] = {"sigma", 2},
    [VNDF] = {"vndf", 4},
    [LUMINANCE] = {"luminance", 4},
    [SPECTRA] = {"spectra", 5},
};

/* A file on its way into the scene. */
struct measurement {
    struct lb_builder *builder;
    const struct lb_location *location;
    const char *path;
    struct lb_tensor arrays[ARRAYS];
};

static enum lb_status refuse(const struct measurement *measurement, const char *why)
{
    return lb_build_error(measurement->builder, measurement->location, "%s: %s", measurement->path, why);
}

/* ---- the file's arrays ---- */

static enum lb_status find_arrays(struct measurement *measurement, const struct lb_file *file)
{
    for (int i = 0; i < ARRAYS; i++) {
        struct lb_tensor *tensor = &measurement->arrays[i];
        struct lb_error error;
        bool found;
        if (lb_tensor_find(file->data, file->size, wanted[i].name, tensor, &found, &error) != LB_OK)
            return refuse(measurement, error.message);
        if (!found)
            return lb_build_error(measurement->builder, measurement->location,
                                  "%s: a measured material has an array \"%s\"", measurement->path,
                                  wanted[i].name);
        if (tensor->type != LB_TENSOR_FLOATS || tensor->dimensions != wanted[i].dimensions ||
            tensor->count == 0)
            return lb_build_error(measurement->builder, measurement->location,
                                  "%s: \"%s\" has not the form that a measured material's has",
                                  measurement->path, wanted[i].name);
    }
    return LB_OK;
}

/* Are the last two sizes those of a grid? */
static bool is_grid(const struct lb_tensor *tensor)
{
    for (unsigned i = tensor->dimensions - 2; i < tensor->dimensions; i++)
        if (tensor->size[i] < 2 || tensor->size[i] > LB_WARP_SIDE)
            return false;
    return true;
}

static enum lb_status check_sizes(const struct measurement *measurement)
{
    const struct lb_tensor *arrays = measurement->arrays;
    bool fits = arrays[PHI].count <= UINT16_MAX && arrays[THETA].count <= UINT16_MAX;
    for (int i = NDF; i < ARRAYS; i++)
        fits = fits && is_grid(&arrays[i]);
    for (int i = VNDF; i < ARRAYS; i++)
        fits = fits && arrays[i].size[0] == arrays[PHI].count && arrays[i].size[1] == arrays[THETA].count;
    fits = fits && arrays[SPECTRA].size[2] == arrays[WAVELENGTHS].count;
    for (int i = 0; i < 2; i++)
        fits = fits && arrays[SPECTRA].size[3 + i] == arrays[LUMINANCE].size[2 + i];
    return fits ? LB_OK : refuse(measurement, "the sizes of its arrays do not fit each other");
}

/* ---- tables ---- */

/* Room for floats in the scene's tables. The pointer holds until the next call. */
static float *add_floats(const struct measurement *measurement, uint64_t count, uint64_t *first)
{
    struct lb_vector *tables = &measurement->builder->arrays.tables;
    *first = tables->count;
    return lb_vector_add(tables, (size_t)count);
}

/* Numbers that rise: the directions of the slices, wavelengths. */
static enum lb_status check_rising(const struct measurement *measurement, const float *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (!lb_is_finite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
            return refuse(measurement, "its directions or wavelengths do not rise");
    return LB_OK;
}

static enum lb_status put_rising(const struct measurement *measurement, enum array which, uint32_t *count,
                                 uint64_t *first)
{
    const struct lb_tensor *tensor = &measurement->arrays[which];
    float *values = add_floats(measurement, tensor->count, first);
    if (!values)
        return lb_build_no_memory(measurement->builder);
    *count = (uint32_t)tensor->count;
    lb_tensor_floats(tensor, 0, tensor->count, values);
    return check_rising(measurement, values, tensor->count);
}

static enum lb_status check_values(const struct measurement *measurement, const float *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (!(lb_abs(values[i]) < 1e30f))
            return refuse(measurement, "it has a value that is not finite");
    return LB_OK;
}

static enum lb_status put_grid(const struct measurement *measurement, enum array which, lb_warp *warp)
{
    const struct lb_tensor *tensor = &measurement->arrays[which];
    float *values = add_floats(measurement, tensor->count, &warp->values);
    if (!values)
        return lb_build_no_memory(measurement->builder);
    warp->width = (uint32_t)tensor->size[tensor->dimensions - 1];
    warp->height = (uint32_t)tensor->size[tensor->dimensions - 2];
    lb_tensor_floats(tensor, 0, tensor->count, values);
    return check_values(measurement, values, tensor->count);
}

/* Sums one slice up and scales it so that all of it is 1. A slice that is 0 becomes uniform. */
static void sum_slice(const lb_warp *warp, float *values, float *conditional, float *marginal)
{
    uint64_t width = warp->width, height = warp->height, size = width * height;
    double all = 0.0;
    for (int round = 0; round < 2 && !(all > 0.0); round++) {
        for (uint64_t i = 0; i < size; i++)
            values[i] = round == 0 ? lb_max(values[i], 0.0f) : 1.0f;
        double before = 0.0;
        for (uint64_t y = 0; y < height; y++) {
            const float *row = values + y * width;
            double sum = 0.0;
            conditional[y * width] = 0.0f;
            for (uint64_t x = 1; x < width; x++) {
                sum += 0.5 * ((double)row[x - 1] + (double)row[x]);
                conditional[y * width + x] = (float)sum;
            }
            all += y > 0 ? 0.5 * (before + sum) : 0.0;
            marginal[y] = (float)all;
            before = sum;
        }
    }
    float scale = (float)(1.0 / all);
    for (uint64_t i = 0; i < size; i++) {
        values[i] *= scale;
        conditional[i] *= scale;
    }
    for (uint64_t y = 0; y < height; y++)
        marginal[y] *= scale;
}

/* A grid by which points are drawn. */
static enum lb_status put_warp(const struct measurement *measurement, enum array which, lb_warp *warp)
{
    enum lb_status status = put_grid(measurement, which, warp);
    uint64_t count = measurement->arrays[which].count, size = (uint64_t)warp->width * warp->height;
    if (status != LB_OK)
        return status;
    if (!add_floats(measurement, count, &warp->conditional) ||
        !add_floats(measurement, count / warp->width, &warp->marginal))
        return lb_build_no_memory(measurement->builder);
    float *tables = measurement->builder->arrays.tables.data;
    for (uint64_t slice = 0; slice < count / size; slice++)
        sum_slice(warp, tables + warp->values + slice * size, tables + warp->conditional + slice * size,
                  tables + warp->marginal + slice * warp->height);
    return LB_OK;
}

/* One slice's colours: `weights` has three numbers a wavelength. */
static enum lb_status put_slice(const struct measurement *measurement, uint64_t slice, const double *weights,
                                float *values, float *colors)
{
    const struct lb_tensor *tensor = &measurement->arrays[SPECTRA];
    uint64_t size = tensor->size[3] * tensor->size[4], wavelengths = tensor->size[2];
    for (uint64_t color = 0; color < 3; color++)
        for (uint64_t i = 0; i < size; i++)
            colors[color * size + i] = 0.0f;
    for (uint64_t w = 0; w < wavelengths; w++) {
        lb_tensor_floats(tensor, (slice * wavelengths + w) * size, size, values);
        enum lb_status status = check_values(measurement, values, size);
        if (status != LB_OK)
            return status;
        for (uint64_t color = 0; color < 3; color++)
            for (uint64_t i = 0; i < size; i++)
                colors[color * size + i] += (float)(weights[3 * w + color] * (double)values[i]);
    }
    return LB_OK;
}

static enum lb_status put_spectra(const struct measurement *measurement, lb_warp *warp)
{
    struct lb_builder *builder = measurement->builder;
    const struct lb_tensor *tensor = &measurement->arrays[SPECTRA],
                           *rising = &measurement->arrays[WAVELENGTHS];
    uint64_t size = tensor->size[3] * tensor->size[4], slices = tensor->size[0] * tensor->size[1];
    float *wavelengths = lb_arena_alloc(builder->arena, (size_t)rising->count, sizeof *wavelengths);
    double *weights = lb_arena_alloc(builder->arena, (size_t)rising->count * 3, sizeof *weights);
    float *values = lb_arena_alloc(builder->arena, (size_t)size, sizeof *values);
    float *colors = add_floats(measurement, 3 * size * slices, &warp->values);
    if (!wavelengths || !weights || !values || !colors)
        return lb_build_no_memory(builder);
    warp->width = (uint32_t)tensor->size[4];
    warp->height = (uint32_t)tensor->size[3];
    lb_tensor_floats(rising, 0, rising->count, wavelengths);
    enum lb_status status = check_rising(measurement, wavelengths, rising->count);
    if (status != LB_OK)
        return status;
    lb_spectrum_weights(LB_COLOR_SRGB, wavelengths, (size_t)rising->count, weights);
    for (uint64_t slice = 0; slice < slices && status == LB_OK; slice++)
        status = put_slice(measurement, slice, weights, values, colors + 3 * size * slice);
    return status;
}

/* Where colours are spectra: the file's spectra as they are, and where paths' wavelengths lie among its own. Beyond its
 * ends it goes on as there, as in pbrt. */
static enum lb_status put_all_spectra(const struct measurement *measurement, lb_measurement *measured)
{
    struct lb_builder *builder = measurement->builder;
    const double *places = builder->spectra->places;
    uint64_t first, count = measurement->arrays[WAVELENGTHS].count;
    enum lb_status status = put_grid(measurement, SPECTRA, &measured->spectra);
    float *rising = lb_arena_alloc(builder->arena, (size_t)count, sizeof *rising);
    float *lanes = status == LB_OK ? add_floats(measurement, LB_QUAD_VALUES, &first) : NULL;
    if (status != LB_OK)
        return status;
    if (!rising || !lanes)
        return lb_build_no_memory(builder);
    measured->wavelengths = (uint32_t)count;
    measured->lanes = first;
    lb_tensor_floats(&measurement->arrays[WAVELENGTHS], 0, count, rising);
    if ((status = check_rising(measurement, rising, count)) != LB_OK)
        return status;
    uint64_t low = 0;
    for (int i = 0; i < LB_QUAD_VALUES; i++) { /* the places rise */
        while (low + 2 < count && (double)rising[low + 1] <= places[i])
            low++;
        float part = 0.0f;
        if (count > 1)
            part = lb_clamp(((float)places[i] - rising[low]) / (rising[low + 1] - rising[low]), 0.0f, 1.0f);
        lanes[4 * (i % LB_QUADS) + i / LB_QUADS] = (float)low + part;
    }
    return LB_OK;
}

/* pbrt takes measurements all around, or of surfaces that are alike in all directions. */
static enum lb_status check_circle(const struct measurement *measurement, const lb_measurement *measured)
{
    const float *phi = (const float *)measurement->builder->arrays.tables.data + measured->phi;
    float circle = phi[measured->phis - 1] - phi[0];
    if (measured->isotropic || (circle > LB_PI * (4.0f / 3.0f) && circle < 4.0f * LB_PI))
        return LB_OK;
    return refuse(measurement, "its directions do not go all around");
}

static enum lb_status put_tables(const struct measurement *measurement, lb_measurement *measured)
{
    enum lb_status status;
    memset(measured, 0, sizeof *measured);
    if ((status = put_rising(measurement, PHI, &measured->phis, &measured->phi)) != LB_OK ||
        (status = put_rising(measurement, THETA, &measured->thetas, &measured->theta)) != LB_OK ||
        (status = put_grid(measurement, NDF, &measured->ndf)) != LB_OK ||
        (status = put_grid(measurement, SIGMA, &measured->sigma)) != LB_OK ||
        (status = put_warp(measurement, VNDF, &measured->vndf)) != LB_OK ||
        (status = put_warp(measurement, LUMINANCE, &measured->luminance)) != LB_OK ||
        (status = measurement->builder->spectra ? put_all_spectra(measurement, measured)
                                                : put_spectra(measurement, &measured->spectra)) != LB_OK)
        return status;
    measured->isotropic = measured->phis <= 2;
    return check_circle(measurement, measured);
}

enum lb_status lb_build_measured(struct lb_builder *builder, const char *path,
                                 const struct lb_location *location, uint32_t *index)
{
    struct measurement measurement = {.builder = builder, .location = location, .path = path};
    struct lb_file file;
    struct lb_error error;
    lb_measurement measured;
    *index = lb_names_find(&builder->measured, path);
    if (*index != LB_NONE)
        return LB_OK;
    if (lb_file_read(path, MOST_BYTES, &file, &error) != LB_OK)
        return lb_build_error(builder, location, "%s", error.message);
    enum lb_status status = find_arrays(&measurement, &file);
    if (status == LB_OK)
        status = check_sizes(&measurement);
    if (status == LB_OK)
        status = put_tables(&measurement, &measured);
    lb_file_free(&file);
    if (status != LB_OK)
        return status;
    *index = (uint32_t)builder->arrays.measured.count;
    lb_measurement *built = lb_vector_add(&builder->arrays.measured, 1);
    if (!built || !lb_names_set(&builder->measured, builder->arena, path, *index))
        return lb_build_no_memory(builder);
    *built = measured;
    return LB_OK;
}
