#include "core/scene/load.h"

#include "core/scene/builder/messages.h"
#include "core/scene/builder/spectra.h"
#include "core/scene/camera/camera.h"
#include "core/scene/film/film.h"
#include "core/scene/integrators/integrators.h"
#include "core/scene/lights/lights.h"
#include "core/scene/materials/materials.h"
#include "core/scene/media/media.h"
#include "core/scene/shapes/shapes.h"
#include "core/scene/textures/textures.h"
#include "core/scene/used.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What lb_loaded owns beside the block. */
struct loaded_own {
    struct lb_arena texts;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The order matters: later parts look into earlier ones. */
static enum lb_status build_parts(struct lb_builder *builder)
{
    static enum lb_status (*const parts[])(struct lb_builder *) = {
        lb_build_film,   lb_build_used,       lb_build_camera,    lb_build_film_exposure,
        lb_build_filter, lb_build_integrator, lb_build_sampler,   lb_build_accelerator,
        lb_build_quads,  lb_build_textures,   lb_build_materials, lb_build_shapes,
        lb_build_lights, lb_build_media,
    };
    bool has_film = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i] == lb_build_film_exposure && !has_film)
            continue;
        enum lb_status status = parts[i](builder);
        if (parts[i] == lb_build_film && status != LB_OK) {
            /* A size, lest the camera's were an error too. */
            builder->head.film.full_width = builder->head.film.full_height = 1;
            has_film = false;
        }
        if (lb_build_go_on(builder, status) != LB_OK)
            return status;
    }
    return builder->errors->count == 0 ? LB_OK : LB_ERROR;
}

static enum lb_status build_tree(struct lb_builder *builder)
{
    struct lb_tree_options options;
    memset(&options, 0, sizeof options);
    if (builder->options->progress)
        atomic_store(&builder->options->progress->stage, LB_LOAD_TREE);
    options.high_quality = builder->options->high_quality_tree;
    options.threads = builder->options->threads ? builder->options->threads : 1;
    return lb_tree_build(&builder->arrays, builder->sources.data, builder->sources.count, &options,
                         builder->error);
}

/* A constant sky has no power, as it is not chosen; its colour tells. */
static bool is_dark(const struct lb_builder *builder)
{
    const lb_light *lights = builder->arrays.lights.data;
    for (size_t i = 0; i < builder->arrays.lights.count; i++)
        if (lights[i].power > 0.0f || lb_rgb_luminance(lights[i].emission) > 0.0f)
            return false;
    return builder->head.integrator.kind == LB_INTEGRATOR_PATH;
}

static enum lb_status build_scene(struct lb_builder *builder, struct lb_loaded *loaded)
{
    enum lb_status status;
    lb_build_srgb(builder);
    if ((status = build_parts(builder)) != LB_OK || (status = build_tree(builder)) != LB_OK ||
        (status = lb_build_light_choice(builder)) != LB_OK ||
        (status = lb_build_channels(builder)) != LB_OK || (status = lb_build_outlines(builder)) != LB_OK)
        return status;
    loaded->dark = is_dark(builder);
    if ((status = lb_build_spectral_lights(builder)) != LB_OK)
        return status;
    loaded->scene = lb_scene_pack(&builder->head, &builder->arrays); /* which takes the arrays */
    return loaded->scene ? LB_OK : lb_build_no_memory(builder);
}

static enum lb_status build(const struct lb_description *description, const struct lb_scene_options *options,
                            struct lb_arena *arena, const struct lb_log *log, struct lb_loaded *loaded,
                            struct lb_error *error)
{
    struct lb_builder *builder = lb_arena_alloc(arena, 1, sizeof *builder);
    struct lb_errors *errors = lb_arena_alloc(arena, 1, sizeof *errors);
    struct lb_error found;
    if (!builder || !errors)
        return lb_error_memory(error, description->main_file);
    builder->description = description;
    builder->options = options;
    builder->log = log;
    builder->arena = arena;
    builder->error = &found;
    builder->errors = errors;
    builder->sources.element = sizeof(struct lb_geometry_source);
    builder->made_meshes.element = sizeof(struct lb_made_mesh);
    builder->patch_areas.element = sizeof(float);
    lb_scene_arrays_init(&builder->arrays);
    enum lb_status status = build_scene(builder, loaded);
    loaded->triangles = builder->triangles;
    lb_scene_arrays_free(&builder->arrays);
    lb_mesh_files_free(&builder->mesh_files);
    lb_vector_free(&builder->sources);
    lb_vector_free(&builder->made_meshes);
    lb_vector_free(&builder->patch_areas);
    if (builder->spectra) {
        lb_vector_free(&builder->spectra->values);
        lb_vector_free(&builder->spectra->made);
    }
    if (status == LB_ERROR_MEMORY || (status != LB_OK && errors->count == 0))
        lb_errors_keep(errors, &found);
    return lb_errors_end(errors, description->main_file, log, error);
}

/* The Film's "filename", copied to what lives as long as the scene, and the form of its values. */
static enum lb_status keep_film_file(const struct lb_description *description, struct lb_loaded *loaded,
                                     struct lb_error *error)
{
    struct loaded_own *own = loaded->own;
    const char *file = NULL;
    bool halves = true;
    enum lb_status status =
        lb_parameters_string(&description->film.parameters, "filename", NULL, &file, error);
    if (status == LB_OK)
        status = lb_parameters_bool(&description->film.parameters, "savefp16", true, &halves, error);
    loaded->film_floats = !halves;
    loaded->film_gbuffer = description->film.type && strcmp(description->film.type, "gbuffer") == 0;
    loaded->film_spectral = description->film.type && strcmp(description->film.type, "spectral") == 0;
    if (status != LB_OK || !file || !*file)
        return status;
    loaded->film_file = lb_arena_text(&own->texts, file, strlen(file));
    return loaded->film_file ? LB_OK : lb_error_memory(error, NULL);
}

static enum lb_status keep_files(const struct lb_description *description, struct lb_loaded *loaded,
                                 struct lb_error *error)
{
    struct lb_arena *texts = &((struct loaded_own *)loaded->own)->texts;
    size_t count = description->files->count;
    const char **paths = lb_arena_alloc(texts, count + 1, sizeof *paths);
    const struct lb_named_file *file = description->files->latest;
    for (size_t i = 0; paths && i < count; i++, file = file->next) {
        paths[i] = lb_arena_text(texts, file->path, strlen(file->path));
        paths = paths[i] ? paths : NULL;
    }
    loaded->files = paths;
    loaded->file_count = count;
    return paths ? LB_OK : lb_error_memory(error, NULL);
}

static enum lb_status load(const char *path, const struct lb_scene_options *options, struct lb_arena *arena,
                           const struct lb_log *log, struct lb_loaded *loaded, struct lb_error *error)
{
    struct lb_description description;
    double begin = now();
    memset(&description, 0, sizeof description);
    enum lb_status status = lb_description_read(path, arena, log, &description, error);
    double read = now();
    loaded->parse_seconds = read - begin;
    if (status != LB_OK || (status = keep_film_file(&description, loaded, error)) != LB_OK)
        return status;
    status = build(&description, options, arena, log, loaded, error);
    loaded->build_seconds = now() - read;
    return status == LB_OK ? keep_files(&description, loaded, error) : status;
}

enum lb_status lb_scene_load(const char *path, const struct lb_scene_options *options,
                             const struct lb_log *log, struct lb_loaded *loaded, struct lb_error *error)
{
    struct lb_arena arena = {NULL};
    memset(loaded, 0, sizeof *loaded);
    loaded->own = calloc(1, sizeof(struct loaded_own));
    if (!loaded->own)
        return lb_error_memory(error, path);
    enum lb_status status = load(path, options, &arena, log, loaded, error);
    lb_arena_free(&arena);
    if (status != LB_OK)
        lb_scene_free(loaded);
    return status;
}

void lb_scene_free(struct lb_loaded *loaded)
{
    struct loaded_own *own = loaded->own;
    lb_scene_block_free(loaded->scene);
    if (own)
        lb_arena_free(&own->texts);
    free(own);
    memset(loaded, 0, sizeof *loaded);
}
