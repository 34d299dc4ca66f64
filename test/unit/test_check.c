/* Blocks of scenes that came from elsewhere: what a scene file gives passes the check, each kind of damage is named,
 * and what passes after random damages can be rendered. LB_BLOCK_DAMAGES=N tries so many, LB_BLOCK_SEED=S others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "core/guiding/learn.h"
#include "test/block_damage.h"
#include "test/random_scenes.h"
#include "test/unit/scene_help.h"

enum { DAMAGES = 3000, WIDTH = 9, HEIGHT = 7 };

/* The room with a guide, by which its paths choose directions. */
#define GUIDED "./samples/room.pbrt"

static const char *const samples[] = {
    "test/scenes/headlight.pbrt", "test/scenes/instances.pbrt", "samples/mandelbrot.pbrt",
    "test/scenes/materials.pbrt", "test/scenes/media.pbrt",     "samples/motion.pbrt",
    "samples/room.pbrt",          "test/scenes/lights.pbrt",    GUIDED,
};

enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* The room with its guide, which is learned once for all tests. */
static lb_scene *guided_room;

static lb_scene *load(const char *sample)
{
    if (strcmp(sample, GUIDED) == 0)
        return block_copy(guided_room);
    struct lb_scene_options options = {.samples = 2, .width = WIDTH, .height = HEIGHT};
    struct lb_loaded loaded;
    struct lb_error error;
    options.channels.wanted = (1u << LB_CHANNEL_BUCKETS) - 1; /* these only spectra have */
    if (strcmp(sample, "samples/mandelbrot.pbrt") == 0)       /* it has no surfaces */
        options.channels.wanted =
            1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED;
    if (lb_scene_load(sample, &options, NULL, &loaded, &error) != LB_OK)
        fail_msg("%s", error.message);
    lb_scene *block = block_copy(loaded.scene);
    lb_scene_free(&loaded);
    return block;
}

/* ---- one damage ---- */

#define AT(field, type, number) (((type *)(void *)((char *)s + s->field.offset))[number])

/* The first element for which `holds` holds of the element `e`. */
#define FIND(field, type, holds)                                                                             \
    uint64_t n = 0;                                                                                          \
    for (; n < s->field.count; n++) {                                                                        \
        const type *e = &AT(field, type, n);                                                                 \
        if (holds)                                                                                           \
            break;                                                                                           \
    }                                                                                                        \
    assert_true(n < s->field.count);

/* Each damages one thing of a sample, and names the message that the check then gives. */
struct damage {
    const char *sample, *message;
    void (*make)(lb_scene *s);
};

#define DAMAGE(name, ...)                                                                                    \
    static void name(lb_scene *s)                                                                            \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

DAMAGE(magic, s->magic++;)
DAMAGE(size, s->size += 64;)
DAMAGE(array_beyond, s->positions.count = s->size / 4;)
DAMAGE(array_overflows, s->positions.count = UINT64_MAX / 2;)
DAMAGE(array_before, s->positions.offset = 64;)
DAMAGE(array_askew, s->positions.offset += 4;)
DAMAGE(few_corners, s->leaf_corners.count -= 64;)
DAMAGE(outlines, s->outlines.count--;)
DAMAGE(camera_medium, s->camera.medium = (uint32_t)s->media.count;)
DAMAGE(camera_lens, s->camera.kind = LB_CAMERA_REALISTIC;)
DAMAGE(film_size, s->film.width = s->film.full_width + 1;)
DAMAGE(film_filter, s->film.filter.marginal.offset = s->tables.count;)
DAMAGE(sums, s->channels.count++;)
DAMAGE(material, AT(shapes, lb_shape, 1).material = (uint32_t)s->materials.count;)
DAMAGE(vertex, AT(indices, uint32_t, 2) = (uint32_t)s->positions.count;)
DAMAGE(indices, FIND(shapes, lb_shape, e->kind == LB_SHAPE_MESH) AT(shapes, lb_shape, n).first_index =
                    s->indices.count - 1;)
DAMAGE(normals,
       FIND(shapes, lb_shape, e->kind == LB_SHAPE_MESH) AT(shapes, lb_shape, n).flags |= LB_SHAPE_HAS_NORMALS;
       AT(shapes, lb_shape, n).first_normal = s->normals.count;)
DAMAGE(shape_light, FIND(shapes, lb_shape, e->first_light != LB_NONE) AT(shapes, lb_shape, n).first_light =
                        (uint32_t)s->lights.count;)
DAMAGE(root, AT(geometries, lb_geometry, 0).root = (uint32_t)s->nodes.count;)
DAMAGE(circle, AT(nodes, lb_node, 0).child[0] = 0;)
DAMAGE(two_parents, AT(nodes, lb_node, 0).child[6] = AT(nodes, lb_node, 0).child[7] = 1;)
DAMAGE(leaf, FIND(nodes, lb_node, e->child[0] >= LB_CHILD_LEAF) AT(nodes, lb_node, n).child[0] |= 0x3fffffe;)
DAMAGE(order, AT(nodes, lb_node, 0).order[3] = 0x76543211;)
DAMAGE(leaf_shape, AT(leaf_primitives, lb_primitive, 0).shape = (uint32_t)s->shapes.count;)
DAMAGE(leaf_primitive, AT(leaf_primitives, lb_primitive, 0).primitive = 1u << 30;)
DAMAGE(instance_geometry, AT(instances, lb_instance, 0).geometry = 0;)
DAMAGE(move, AT(moves, lb_move, 0).outer = 1;)
DAMAGE(material_texture, AT(materials, lb_material, 0).amount.texture = (uint32_t)s->textures.count;)
DAMAGE(mix, AT(materials, lb_material, 1).kind = LB_MATERIAL_MIX; AT(materials, lb_material, 1).mixed[0] = 0;
       AT(materials, lb_material, 1).mixed[1] = 1;)
DAMAGE(walks, AT(materials, lb_material, 0).samples = 0xffffffff;)
DAMAGE(iterations, s->integrator.max_iterations = 0;)
DAMAGE(texture, AT(textures, lb_texture, 0).a.texture = 0;)
DAMAGE(pattern, AT(textures, lb_texture, 0).kind = LB_TEXTURE_FBM;
       AT(textures, lb_texture, 0).permutation = s->texels.count;)
DAMAGE(light_image, AT(lights, lb_light, 0).kind = LB_LIGHT_INFINITE_IMAGE;
       AT(lights, lb_light, 0).image = (uint32_t)s->images.count;)
DAMAGE(choice, AT(light_choice, lb_alias, 0).other = (uint32_t)s->lights.count;)
DAMAGE(light_child, AT(light_nodes, lb_light_node, 0).child[7] = 0;)
DAMAGE(light_leaf,
       AT(light_nodes, lb_light_node, 0).child[0] = LB_LIGHT_NODE_LEAF | (uint32_t)s->lights.count;)
DAMAGE(beside, AT(lights_beside, lb_light_beside, 0).light = (uint32_t)s->lights.count;)
DAMAGE(infinite, AT(infinite_lights, uint32_t, 0) = (uint32_t)s->lights.count;)
DAMAGE(grid,
       FIND(media, lb_medium, e->kind == LB_MEDIUM_GRID) AT(media, lb_medium, n).density.size[0] = 1u << 31;)
DAMAGE(cells, FIND(media, lb_medium, e->kind == LB_MEDIUM_GRID) AT(media, lb_medium, n).cells[1] = 0;)

DAMAGE(guide, s->guide.bits[0]++;)
DAMAGE(guide_of_media, s->any_volume = 1;)
DAMAGE(no_guide, s->guide.paths = 0;)
DAMAGE(few_ways, s->guide_ways.count--;)
DAMAGE(guide_way, AT(guide_ways, uint32_t, 99) = 4 * (uint32_t)s->guide_cells.count + LB_GUIDE_LEAF;)
DAMAGE(guide_circle, AT(guide_nodes, lb_guide_node, 3).ways[1] = 4 * 3;)
DAMAGE(guide_chance, AT(guide_cells, lb_guide_cell, 1).chance = 0;)
DAMAGE(guide_rows, AT(guide_cells, lb_guide_cell, 2).rows[0] = 1;)
DAMAGE(guide_columns, AT(guide_cells, lb_guide_cell, 2).columns[LB_GUIDE_BINS - 2] = 65535;
       AT(guide_cells, lb_guide_cell, 2).columns[LB_GUIDE_BINS - 1] = 65534;)

static const struct damage damages[] = {
    {GUIDED, "its guide has a wrong grid", guide},
    {GUIDED, "its guide has a wrong scene that it is of", guide_of_media},
    {GUIDED, "its array guide_cells is not all there", no_guide},
    {GUIDED, "its array guide_cells is not all there", few_ways},
    {GUIDED, "number 99 of its guide_ways has a wrong end", guide_way},
    {GUIDED, "number 3 of its guide_nodes has a wrong way", guide_circle},
    {GUIDED, "number 1 of its guide_cells has a wrong chance", guide_chance},
    {GUIDED, "number 2 of its guide_cells has a wrong histogram", guide_rows},
    {GUIDED, "number 2 of its guide_cells has a wrong histogram", guide_columns},
    {"samples/room.pbrt", "it is no scene", magic},
    {"samples/room.pbrt", "one of another size", size},
    {"samples/room.pbrt", "its array positions is not all there", array_beyond},
    {"samples/room.pbrt", "its array positions is not all there", array_overflows},
    {"samples/room.pbrt", "its array positions is not all there", array_before},
    {"samples/room.pbrt", "its array positions is not all there", array_askew},
    {"samples/room.pbrt", "its array leaf_corners is not all there", few_corners},
    {"samples/room.pbrt", "its array outlines is not all there", outlines},
    {"test/scenes/media.pbrt", "its camera has a wrong medium", camera_medium},
    {"samples/room.pbrt", "its camera has a wrong lens", camera_lens},
    {"samples/room.pbrt", "its film has a wrong size", film_size},
    {"samples/room.pbrt", "its film has a wrong filter", film_filter},
    {"samples/mandelbrot.pbrt", "its film has a wrong number of iterations", iterations},
    {"samples/room.pbrt", "its list of channels has a wrong place among the sums", sums},
    {"samples/room.pbrt", "number 1 of its shapes has a wrong material", material},
    {"samples/room.pbrt", "of its shapes has a wrong vertex", vertex},
    {"samples/room.pbrt", "of its shapes has a wrong range of indices", indices},
    {"samples/room.pbrt", "of its shapes has a wrong range of normals", normals},
    {"samples/room.pbrt", "of its shapes has a wrong light", shape_light},
    {"samples/room.pbrt", "number 0 of its geometries has a wrong child", root},
    {"samples/room.pbrt", "number 0 of its nodes has a wrong child", circle},
    {"samples/room.pbrt", "number 0 of its nodes has a wrong child", two_parents},
    {"samples/room.pbrt", "of its nodes has a wrong leaf", leaf},
    {"samples/room.pbrt", "number 0 of its nodes has a wrong order of children", order},
    {"samples/room.pbrt", "number 0 of its geometries has a wrong shape in a leaf", leaf_shape},
    {"samples/room.pbrt", "number 0 of its leaf_primitives has a wrong primitive", leaf_primitive},
    {"test/scenes/instances.pbrt", "number 0 of its instances has a wrong geometry", instance_geometry},
    {"samples/motion.pbrt", "number 0 of its moves has a wrong outer move", move},
    {"test/scenes/materials.pbrt", "number 0 of its materials has a wrong texture", material_texture},
    {"test/scenes/materials.pbrt", "number 1 of its materials has a wrong part, which contains it", mix},
    {"test/scenes/materials.pbrt", "number 0 of its materials has a wrong length of walks", walks},
    {"test/scenes/materials.pbrt", "number 0 of its textures has a wrong texture in it", texture},
    {"test/scenes/materials.pbrt", "number 0 of its textures has a wrong permutation", pattern},
    {"test/scenes/materials.pbrt", "number 0 of its lights has a wrong image", light_image},
    {"samples/room.pbrt", "number 0 of its light_choice has a wrong light", choice},
    {"test/scenes/lights.pbrt", "number 0 of its light_nodes has a wrong child", light_child},
    {"test/scenes/lights.pbrt", "number 0 of its light_nodes has a wrong light", light_leaf},
    {"test/scenes/lights.pbrt", "number 0 of its lights_beside has a wrong light", beside},
    {"test/scenes/materials.pbrt", "number 0 of its infinite_lights has a wrong light", infinite},
    {"test/scenes/media.pbrt", "of its media has a wrong grid", grid},
    {"test/scenes/media.pbrt", "of its media has a wrong number of cells", cells},
};

static void names_each_kind_of_damage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        lb_scene *block = load(damages[i].sample);
        uint64_t bytes = block->size;
        struct lb_error error;
        if (lb_scene_check(block, bytes, &error) != LB_OK)
            fail_msg("%s: %s", damages[i].sample, error.message);
        damages[i].make(block);
        assert_int_equal(lb_scene_check(block, bytes, &error), LB_ERROR);
        if (!strstr(error.message, damages[i].message))
            fail_msg("\"%s\" is not in \"%s\"", damages[i].message, error.message);
        free(block);
    }
    struct lb_error error;
    _Alignas(64) static const lb_scene none;
    assert_int_equal(lb_scene_check(&none, sizeof none - 1, &error), LB_ERROR);
}

/* A texture is looked at before its image, whose size may then be anything. */
static void looks_at_images_of_any_size(void **state)
{
    (void)state;
    static const float texels[12] = {0.5f};
    struct scene_file image = scene_image_write(2, 2, 3, texels);
    char text[512];
    snprintf(
        text, sizeof text,
        "Texture \"t\" \"spectrum\" \"imagemap\" \"string filter\" \"trilinear\" \"string filename\" \"%s\" "
        "Material \"diffuse\" \"texture reflectance\" \"t\" Shape \"sphere\"",
        image.path);
    struct lb_loaded loaded = scene_get("Camera \"perspective\"", text);
    unlink(image.path);
    struct lb_error error;
    lb_scene *s = loaded.scene;
    AT(images, lb_image, 0).width = UINT32_MAX;
    assert_int_equal(lb_scene_check(s, s->size, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "number 0 of its textures has a wrong image"));
    AT(images, lb_image, 0).smaller = 31;
    assert_int_equal(lb_scene_check(s, s->size, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "number 0 of its images has a wrong size"));
    lb_scene_free(&loaded);
}

/* ---- many at random ---- */

static uint32_t setting(const char *name, uint32_t otherwise)
{
    const char *text = getenv(name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static void renders_what_passes(void **state)
{
    (void)state;
    struct random random = {setting("LB_BLOCK_SEED", 1)};
    uint32_t tries = setting("LB_BLOCK_DAMAGES", DAMAGES), passed = 0;
    lb_scene *scenes[SAMPLES];
    for (uint32_t i = 0; i < SAMPLES; i++)
        scenes[i] = load(samples[i]);
    for (uint32_t i = 0; i < tries; i++) {
        lb_scene *block = block_copy(scenes[random_below(&random, SAMPLES)]);
        uint64_t bytes = block->size;
        struct block_part parts[BLOCK_PARTS];
        struct lb_error error;
        uint32_t count = block_parts(block, parts);
        for (uint32_t more = 1 + random_below(&random, 3); more > 0; more--) {
            uint32_t words[DAMAGE_BYTES / 4] = {random_bits(&random), random_bits(&random),
                                                random_bits(&random)};
            uint8_t damage[DAMAGE_BYTES];
            memcpy(damage, words, sizeof damage);
            block_damage(parts, count, damage);
        }
        if (lb_scene_check(block, bytes, &error) == LB_OK) {
            passed++;
            block_shorten(block);
            block_render(block, random_below(&random, 4), random_below(&random, WIDTH * HEIGHT));
        }
        free(block);
    }
    /* Else there was nothing to see. */
    assert_in_range(passed, tries / 10, tries * 9 / 10);
    for (uint32_t i = 0; i < SAMPLES; i++)
        free(scenes[i]);
}

static int learn_guide(void **state)
{
    (void)state;
    struct lb_learning learning = {.wish = LB_GUIDING_ALWAYS};
    struct lb_scene_options options = {.samples = 2, .width = WIDTH, .height = HEIGHT};
    struct lb_loaded loaded;
    struct lb_learned learned;
    struct lb_error error;
    if (lb_scene_load(GUIDED, &options, NULL, &loaded, &error) != LB_OK ||
        lb_guiding_learn(&loaded.scene, &learning, &learned, &error) != LB_OK)
        return -1;
    guided_room = block_copy(loaded.scene);
    lb_scene_free(&loaded);
    return 0;
}

static int forget_guide(void **state)
{
    (void)state;
    free(guided_room);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_each_kind_of_damage),
        cmocka_unit_test(looks_at_images_of_any_size),
        cmocka_unit_test(renders_what_passes),
    };
    return cmocka_run_group_tests(tests, learn_guide, forget_guide);
}
