/* Any bytes as a scene: a block whose indices are in range, or an error with its place in one line. */
#include "core/scene/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_input(const lb_scene *scene, const lb_input *input)
{
    demand(input->texture == LB_NONE || input->texture < scene->textures.count);
}

static void check_materials(const lb_scene *scene)
{
    const lb_material *materials = LB_ARRAY(scene, materials, lb_material);
    for (uint64_t i = 0; i < scene->materials.count; i++) {
        const lb_material *m = &materials[i];
        const lb_input *inputs[] = {&m->reflectance,
                                    &m->eta,
                                    &m->k,
                                    &m->uroughness,
                                    &m->vroughness,
                                    &m->thickness,
                                    &m->albedo,
                                    &m->g,
                                    &m->base_uroughness,
                                    &m->base_vroughness,
                                    &m->transmittance,
                                    &m->amount,
                                    &m->displacement,
                                    &m->sigma_a,
                                    &m->eumelanin,
                                    &m->pheomelanin,
                                    &m->tilt,
                                    &m->sigma_s,
                                    &m->mfp};
        demand(m->kind <= LB_MATERIAL_MIX);
        demand(m->kind != LB_MATERIAL_MEASURED || m->measured < scene->measured.count);
        demand(m->indices.count == 0 ||
               (m->indices.count == LB_WAVELENGTHS && scene->wavelengths.count == LB_WAVELENGTHS &&
                m->indices.offset + LB_WAVELENGTHS <= scene->tables.count));
        demand(m->kind != LB_MATERIAL_MIX ||
               (m->mixed[0] < scene->materials.count && m->mixed[1] < scene->materials.count));
        for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
            check_input(scene, inputs[k]);
    }
}

static void check_textures(const lb_scene *scene)
{
    const lb_texture *textures = LB_ARRAY(scene, textures, lb_texture);
    for (uint64_t i = 0; i < scene->textures.count; i++) {
        const lb_input *inputs[] = {&textures[i].a, &textures[i].b, &textures[i].amount};
        for (int k = 0; k < 3; k++)
            demand(inputs[k]->texture == LB_NONE || inputs[k]->texture < i);
        demand(textures[i].kind != LB_TEXTURE_IMAGE || textures[i].image < scene->images.count);
    }
    const lb_image *images = LB_ARRAY(scene, images, lb_image);
    for (uint64_t i = 0; i < scene->images.count; i++)
        demand((uint64_t)images[i].first_smaller + images[i].smaller <= scene->images.count);
}

static void check_mesh(const lb_scene *scene, const lb_shape *shape)
{
    const uint32_t *indices = LB_ARRAY(scene, indices, uint32_t) + shape->first_index;
    demand(shape->first_index + 3 * (uint64_t)shape->primitive_count <= scene->indices.count);
    for (uint64_t i = 0; i < 3 * (uint64_t)shape->primitive_count; i++) {
        demand(shape->first_position + indices[i] < scene->positions.count);
        demand(!(shape->flags & LB_SHAPE_HAS_NORMALS) ||
               shape->first_normal + indices[i] < scene->normals.count);
        demand(!(shape->flags & LB_SHAPE_HAS_UV) || shape->first_uv + indices[i] < scene->uvs.count);
    }
}

static void check_curves(const lb_scene *scene, const lb_shape *shape)
{
    const lb_strand *strands = LB_ARRAY(scene, strands, lb_strand) + shape->first_strand;
    demand(shape->first_strand + shape->primitive_count <= scene->strands.count);
    demand(shape->strand_type != LB_STRAND_RIBBON ||
           shape->first_normal + 2 * (uint64_t)shape->primitive_count <= scene->normals.count);
    for (uint32_t i = 0; i < shape->primitive_count; i++)
        demand(strands[i].u[0] >= 0.0f && strands[i].u[0] < strands[i].u[1] && strands[i].u[1] <= 1.0f &&
               strands[i].width[0] >= 0.0f && strands[i].width[1] >= 0.0f);
}

static void check_shapes(const lb_scene *scene)
{
    const lb_shape *shapes = LB_ARRAY(scene, shapes, lb_shape);
    for (uint64_t i = 0; i < scene->shapes.count; i++) {
        const lb_shape *shape = &shapes[i];
        demand(shape->primitive_count > 0 && shape->material < scene->materials.count);
        demand(shape->medium_inside == LB_NONE || shape->medium_inside < scene->media.count);
        demand(shape->medium_outside == LB_NONE || shape->medium_outside < scene->media.count);
        demand(shape->first_light == LB_NONE ||
               (uint64_t)shape->first_light + shape->primitive_count <= scene->lights.count);
        check_input(scene, &shape->alpha);
        if (shape->kind == LB_SHAPE_MESH)
            check_mesh(scene, shape);
        if (shape->kind == LB_SHAPE_CURVES)
            check_curves(scene, shape);
    }
}

static void check_lights(const lb_scene *scene)
{
    const lb_light *lights = LB_ARRAY(scene, lights, lb_light);
    const lb_alias *alias = LB_ARRAY(scene, light_choice, lb_alias);
    demand(scene->light_choice.count == 0 || scene->light_choice.count == scene->lights.count);
    for (uint64_t i = 0; i < scene->lights.count; i++) {
        demand(lights[i].kind <= LB_LIGHT_AREA && !lb_rgb_is_black(lights[i].emission) &&
               lb_is_finite(lb_rgb_max(lights[i].emission)));
        demand(lights[i].kind != LB_LIGHT_AREA || lights[i].primitive.shape < scene->shapes.count);
        if (scene->light_choice.count)
            demand(alias[i].threshold >= 0.0f && alias[i].threshold <= 1.0f &&
                   alias[i].other < scene->light_choice.count && alias[i].probability >= 0.0f &&
                   alias[i].probability <= 1.0f);
    }
}

static void check_scene(const lb_scene *scene)
{
    demand(scene->magic == LB_SCENE_MAGIC && scene->radius > 0.0f && scene->integrator.samples > 0);
    demand(scene->film.width > 0 && scene->film.x0 + scene->film.width <= scene->film.full_width);
    demand(scene->film.height > 0 && scene->film.y0 + scene->film.height <= scene->film.full_height);
    check_materials(scene);
    check_textures(scene);
    check_shapes(scene);
    check_lights(scene);
    const lb_instance *instances = LB_ARRAY(scene, instances, lb_instance);
    const lb_geometry *geometries = LB_ARRAY(scene, geometries, lb_geometry);
    for (uint64_t i = 0; i < scene->instances.count; i++)
        demand(instances[i].geometry > 0 && instances[i].geometry < scene->geometries.count &&
               (uint64_t)geometries[instances[i].geometry].first_shape +
                       geometries[instances[i].geometry].shape_count + instances[i].shape_shift <=
                   scene->shapes.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("scene", 0);
    char path[64] = "/proc/self/fd/";
    demand(file >= 0 && file < 1000 && write(file, data, size) == (ssize_t)size);
    size_t length = strlen(path);
    for (int unit = 100; unit > 0; unit /= 10)
        path[length++] = (char)('0' + file / unit % 10);
    /* The system knows it without leading zeros only. */
    while (path[14] == '0' && path[15])
        memmove(path + 14, path + 15, strlen(path + 14));
    struct lb_scene_options options = {.lenient = size % 2};
    struct lb_loaded loaded;
    struct lb_error error;
    enum lb_status status = lb_scene_load(path, &options, NULL, &loaded, &error);
    if (status == LB_OK) {
        check_scene(loaded.scene);
        lb_scene_free(&loaded);
    } else {
        demand(strlen(error.message) > 0 && !strchr(error.message, '\n') && !loaded.scene);
    }
    close(file);
    return 0;
}
