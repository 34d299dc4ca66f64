/* Media of NanoVDB files: their grids become dense ones of the scene. */
#include "core/scene/media/media.h"

#include "core/base/file.h"
#include "core/image/vdb_grid.h"
#include "core/language/parameters.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

#include <stdlib.h>
#include <string.h>

/* Samples a grid may have: 8 GB of floats. */
#define MOST_SAMPLES ((uint64_t)1 << 31)
#define MOST_BYTES   ((size_t)16 << 30)

/* A grid of the file, if it is there; `values` of *grid are to be freed. */
static enum lb_status read_grid(const struct lb_builder *builder, const struct lb_location *location,
                                const char *path, const struct lb_file *file, const char *name,
                                struct lb_vdb_grid *grid, bool *found)
{
    char reason[200] = "";
    enum lb_vdb_result result =
        lb_vdb_read((const uint8_t *)file->data, file->size, name, MOST_SAMPLES, grid, reason, sizeof reason);
    *found = result == LB_VDB_OK;
    switch (result) {
    case LB_VDB_OK:
    case LB_VDB_NO_GRID:
        return LB_OK;
    case LB_VDB_MEMORY:
        return lb_build_no_memory(builder);
    case LB_VDB_ABSENT:
        return lb_build_error(builder, location,
                              "\"%s\": this program was built without NanoVDB (Debian: libnanovdb-dev)",
                              path);
    default:
        return lb_build_error(builder, location, "\"%s\": the grid \"%s\" cannot be read: %s", path, name,
                              reason);
    }
}

/* Puts the grid into the scene, with its values' sign as `negative` allows, and frees it. */
static enum lb_status keep_grid(struct lb_builder *builder, const struct lb_location *location,
                                struct lb_vdb_grid *from, bool negative, lb_grid *grid)
{
    size_t count = (size_t)from->size[0] * from->size[1] * from->size[2];
    for (size_t i = 0; i < count; i++)
        if (!lb_is_finite(from->values[i]) || from->values[i] > 1e15f ||
            (!negative && from->values[i] < 0.0f))
            from->values[i] = 0.0f;
    enum lb_status status = lb_build_grid_put(builder, from->values, from->size, 1, grid);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            grid->index_from_medium.m[row][column] =
                (float)(from->index_from_world[row][column] - (column == 3 ? from->lower[row] : 0));
    free(from->values);
    from->values = NULL;
    for (int i = 0; i < 12 && status == LB_OK; i++)
        if (!lb_is_finite(grid->index_from_medium.m[i / 4][i % 4]))
            return lb_build_error(builder, location, "the grid's transformation is not finite");
    return status;
}

static enum lb_status read_grids(struct lb_builder *builder, const struct lb_parameters *parameters,
                                 const char *path, const struct lb_file *file, lb_medium *built)
{
    const struct lb_location *location = lb_build_place(parameters, "filename");
    struct lb_vdb_grid grid;
    const char *density, *temperature;
    bool found;
    enum lb_status status;
    if ((status = lb_parameters_string(parameters, "gridname", "density", &density, builder->error)) !=
            LB_OK ||
        (status = lb_parameters_string(parameters, "temperaturename", "temperature", &temperature,
                                       builder->error)) != LB_OK ||
        (status = read_grid(builder, location, path, file, density, &grid, &found)) != LB_OK)
        return status;
    if (!found)
        return lb_build_error(builder, lb_build_place(parameters, "gridname"),
                              "\"%s\": there is no grid \"%s\"", path, density);
    for (int i = 0; i < 3; i++) {
        built->box.lower[i] = (float)grid.world_box[0][i];
        built->box.upper[i] = (float)grid.world_box[1][i];
    }
    if ((status = keep_grid(builder, location, &grid, false, &built->density)) != LB_OK ||
        (status = read_grid(builder, location, path, file, temperature, &grid, &found)) != LB_OK || !found)
        return status;
    return keep_grid(builder, location, &grid, true, &built->temperature);
}

enum lb_status lb_build_nanovdb(struct lb_builder *builder, const struct lb_medium_entity *entity,
                                lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    const char *path;
    float glow;
    struct lb_file file;
    enum lb_status status;
    built->kind = LB_MEDIUM_GRID;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "Lescale", 1.0f, 0.0f, 1e15f, &glow)) != LB_OK ||
        (status = lb_build_file(builder, parameters, "filename", &path)) != LB_OK)
        return status;
    if (!path)
        return lb_build_error(builder, &parameters->location, "a medium of type nanovdb needs \"filename\"");
    if ((status = lb_file_read(path, MOST_BYTES, &file, builder->error)) != LB_OK)
        return status;
    status = read_grids(builder, parameters, path, &file, built);
    lb_file_free(&file);
    if (status != LB_OK || (status = lb_build_medium_space(builder, entity, built)) != LB_OK)
        return status;
    if ((status = lb_build_heat(builder, parameters, built)) != LB_OK)
        return status;
    if (built->temperature.channels != 0)
        built->emission = lb_rgb_grey(glow);
    return lb_build_grid_bounds(builder, built);
}
