/* Media that vary: grids of values, clouds, and the bounds of their densities. */
#include "core/scene/build_medium.h"

#include "core/language/parameters.h"
#include "core/scene/color_space.h"
#include "core/scene/spectrum.h"

#include <stdlib.h>
#include <string.h>

/* Cells of bounds along an axis: as many as samples where these are few, else a cell for four of them, at most so
 * many. */
enum { CELLS_FEW = 16, CELL_SAMPLES = 4, CELLS_MOST = 64 };

/* What pbrt leaves out of the emission of rgb grids and black bodies: the integral of the luminous efficiency. */
#define LUMINOUS_INTEGRAL 106.856895f

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

/* ---- bounds ---- */

/* Along one axis, the samples first .. last that a point of cell number `cell` is interpolated from. The grid's axes
 * are the medium's. */
static void samples_of_cell(const lb_medium *medium, const lb_grid *grid, int axis, uint32_t cell,
                            uint32_t *first, uint32_t *last)
{
    const double slack = 1e-3;
    double lower = (double)medium->box.lower[axis], side = (double)medium->box.upper[axis] - lower;
    double scale = (double)grid->index_from_medium.m[axis][axis],
           offset = (double)grid->index_from_medium.m[axis][3];
    double a = (lower + side * cell / medium->cells[axis]) * scale + offset;
    double b = (lower + side * (cell + 1) / medium->cells[axis]) * scale + offset;
    double low = (a < b ? a : b) - slack, high = (a < b ? b : a) + slack, end = grid->size[axis] - 1;
    *first = low > 0.0 ? (uint32_t)(low < end ? low : end) : 0;
    *last = high > 0.0 ? (uint32_t)(high + 1.0 < end ? high + 1.0 : end) : 0;
}

/* Are the grid's axes the medium's? */
static bool is_aligned(const lb_grid *grid)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i != j && grid->index_from_medium.m[i][j] != 0.0f)
                return false;
    return true;
}

/* The largest channel of the samples in a cell. */
static float most_in_cell(const lb_medium *medium, const lb_grid *grid, const float *values,
                          const uint32_t cell[3])
{
    uint32_t first[3], last[3];
    float most = 0.0f;
    for (int i = 0; i < 3; i++) {
        first[i] = 0;
        last[i] = grid->size[i] - 1;
        if (is_aligned(grid))
            samples_of_cell(medium, grid, i, cell[i], &first[i], &last[i]);
    }
    for (uint32_t z = first[2]; z <= last[2]; z++)
        for (uint32_t y = first[1]; y <= last[1]; y++) {
            const float *row = values + ((size_t)z * grid->size[1] + y) * grid->size[0] * grid->channels;
            for (uint32_t i = first[0] * grid->channels; i < (last[0] + 1) * grid->channels; i++)
                most = row[i] > most ? row[i] : most;
        }
    return most;
}

/* Adds `scale` times a grid's largest values (1 where there is no grid) to the bounds of the medium's cells. */
static void bound_grid(const struct lb_builder *builder, const lb_medium *medium, const lb_grid *grid,
                       float scale)
{
    float *tables = builder->arrays.tables.data, *bounds = tables + medium->bounds;
    const uint32_t *cells = medium->cells;
    for (uint32_t z = 0; z < cells[2]; z++)
        for (uint32_t y = 0; y < cells[1]; y++)
            for (uint32_t x = 0; x < cells[0]; x++) {
                const uint32_t cell[3] = {x, y, z};
                float most = grid->channels ? most_in_cell(medium, grid, tables + grid->first, cell) : 1.0f;
                bounds[(z * cells[1] + y) * cells[0] + x] += scale * most;
            }
}

/* Room for the bounds, all 0, of a medium whose grids have so many samples. */
static enum lb_status make_cells(struct lb_builder *builder, const uint32_t size[3], lb_medium *medium)
{
    size_t count = 1;
    for (int i = 0; i < 3; i++) {
        uint32_t n = size[i], fine = n / CELL_SAMPLES;
        medium->cells[i] = n <= CELLS_FEW      ? n
                           : fine <= CELLS_FEW ? CELLS_FEW
                           : fine < CELLS_MOST ? fine
                                               : CELLS_MOST;
        count *= medium->cells[i];
    }
    medium->bounds = builder->arrays.tables.count;
    float *bounds = lb_vector_add(&builder->arrays.tables, count);
    if (!bounds)
        return lb_build_no_memory(builder);
    memset(bounds, 0, count * sizeof *bounds);
    return LB_OK;
}

enum lb_status lb_build_grid_bounds(struct lb_builder *builder, lb_medium *medium)
{
    /* Of a turned grid all of it is one cell. */
    static const uint32_t single[3] = {1, 1, 1};
    enum lb_status status =
        make_cells(builder, is_aligned(&medium->density) ? medium->density.size : single, medium);
    if (status == LB_OK)
        bound_grid(builder, medium, &medium->density, 1.0f);
    return status;
}

/* ---- what grids and clouds have in common ---- */

/* p0 and p1, and the medium's space. A medium in a flat space, or an empty box, is nowhere. */
static enum lb_status read_box(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                               lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    lb_vec3 p0, p1;
    enum lb_status status;
    if ((status = lb_build_point(builder, parameters, "p0", lb_vec3_make(0.0f, 0.0f, 0.0f), &p0)) != LB_OK ||
        (status = lb_build_point(builder, parameters, "p1", lb_vec3_make(1.0f, 1.0f, 1.0f), &p1)) != LB_OK)
        return status;
    const float a[3] = {p0.x, p0.y, p0.z}, b[3] = {p1.x, p1.y, p1.z};
    for (int i = 0; i < 3; i++) {
        built->box.lower[i] = lb_min(a[i], b[i]);
        built->box.upper[i] = lb_max(a[i], b[i]);
        if (!(built->box.lower[i] < built->box.upper[i]))
            return lb_build_error(builder, lb_build_place(parameters, "p1"),
                                  "the medium's box, p0 to p1, is empty");
    }
    return lb_build_medium_space(builder, entity, built);
}

enum lb_status lb_build_medium_space(const struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built)
{
    const struct lb_location *location = &entity->entity.parameters.location;
    if (!lb_build_is_flat(entity->world_from_medium))
        return lb_build_transform(builder, entity->world_from_medium, location, NULL,
                                  &built->medium_from_world);
    built->box.upper[0] = built->box.lower[0] - 1.0f;
    return LB_OK;
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
    if ((status = lb_build_grid_put(builder, values, size, channels, grid)) != LB_OK)
        return status;
    span_box(&medium->box, grid);
    const char *space = lb_parameters_find(parameters, name)->color_space;
    float *table = (float *)builder->arrays.tables.data + grid->first;
    for (size_t i = 0; channels == 3 && i < count; i += 3) {
        lb_rgb rgb = lb_rgb_make(table[i], table[i + 1], table[i + 2]);
        if (!lb_rgb_to_srgb(space, false, rgb, &rgb))
            return lb_build_error(builder, lb_build_place(parameters, name), "unknown colour space \"%s\"",
                                  space);
        table[i] = lb_max(rgb.r, 0.0f);
        table[i + 1] = lb_max(rgb.g, 0.0f);
        table[i + 2] = lb_max(rgb.b, 0.0f);
    }
    return LB_OK;
}

/* ---- heat ---- */

enum lb_status lb_build_heat(struct lb_builder *builder, const struct lb_parameters *parameters,
                             lb_medium *built)
{
    float cutoff;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "temperaturecutoff", 0.0f, -1e9f, 1e9f, &cutoff)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "temperatureoffset", cutoff, -1e9f, 1e9f,
                                 &built->heat_offset)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "temperaturescale", 1.0f, -1e9f, 1e9f,
                                 &built->heat_scale)) != LB_OK)
        return status;
    const lb_grid *grid = &built->temperature;
    const float *values = (const float *)builder->arrays.tables.data + grid->first;
    size_t count = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
    /* Beyond the grid it is 0. */
    float hottest = lb_max(-built->heat_offset * built->heat_scale, LB_MEDIUM_COLD + 1.0f);
    for (size_t i = 0; i < count; i++)
        hottest = lb_max(hottest, (values[i] - built->heat_offset) * built->heat_scale);
    built->heat_last = lb_min(hottest, 1e6f);
    if (grid->channels == 0)
        return LB_OK;
    built->heat = builder->arrays.tables.count;
    float *rows = lb_vector_add(&builder->arrays.tables, (size_t)3 * LB_MEDIUM_HEAT_ROWS);
    if (!rows)
        return lb_build_no_memory(builder);
    for (int i = 0; i < LB_MEDIUM_HEAT_ROWS; i++) {
        float part = (float)i / (float)(LB_MEDIUM_HEAT_ROWS - 1);
        lb_rgb rgb = lb_spectrum_blackbody((double)lb_mix(part, LB_MEDIUM_COLD, built->heat_last));
        rows[3 * i] = rgb.r;
        rows[3 * i + 1] = rgb.g;
        rows[3 * i + 2] = rgb.b;
    }
    return LB_OK;
}

/* ---- kinds ---- */

enum lb_status lb_build_uniform_grid(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                     lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    uint32_t size[3];
    enum lb_status status;
    built->kind = LB_MEDIUM_GRID;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = read_box(builder, entity, built)) != LB_OK ||
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
        (status = read_box(builder, entity, built)) != LB_OK ||
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
    if (built->glow.channels != 0)
        built->emission = lb_rgb_grey(glow * LUMINOUS_INTEGRAL);
    if ((status = make_cells(builder, size, built)) != LB_OK)
        return status;
    bound_grid(builder, built, &built->density, scale);
    bound_grid(builder, built, &built->scattering, scale);
    return LB_OK;
}

enum lb_status lb_build_cloud(struct lb_builder *builder, const struct lb_medium_entity *entity,
                              lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const uint32_t single[3] = {1, 1, 1};
    enum lb_status status;
    built->kind = LB_MEDIUM_CLOUD;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "density", 1.0f, 0.0f, 1e9f, &built->amount)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "wispiness", 1.0f, -1e9f, 1e9f, &built->wispiness)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "frequency", 5.0f, -1e9f, 1e9f, &built->frequency)) !=
            LB_OK ||
        (status = read_box(builder, entity, built)) != LB_OK ||
        (status = lb_build_permutation(builder, &built->permutation)) != LB_OK ||
        (status = make_cells(builder, single, built)) != LB_OK)
        return status;
    bound_grid(builder, built, &built->density, 1.0f);
    return LB_OK;
}
