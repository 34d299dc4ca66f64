#include "core/scene/block/identity.h"

#include "core/scene/block/block_arrays.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* The head of the block, without what may differ though the light of pixels does not: where the arrays stand, the box
 * of the tree, the number of samples, what is summed beside the light. */
static void add_head(XXH3_state_t *state, const lb_scene *scene)
{
    lb_scene head;
    memcpy(&head, scene, sizeof head);
    head.size = 0;
    head.integrator.samples = 0;
    memset(&head.bounds, 0, sizeof head.bounds);
    memset(&head.channels, 0, sizeof head.channels);
#define CLEAR(name, type, decides, check) head.name = (lb_array){0, 0};
    LB_SCENE_ARRAYS(CLEAR)
#undef CLEAR
    XXH3_128bits_update(state, &head, sizeof head);
}

/* An array's elements, and how many. */
static void add_array(XXH3_state_t *state, const lb_scene *scene, lb_array array, size_t size)
{
    XXH3_128bits_update(state, &array.count, sizeof array.count);
    XXH3_128bits_update(state, (const char *)scene + array.offset, (size_t)array.count * size);
}

static void skip_array(XXH3_state_t *state, const lb_scene *scene, lb_array array, size_t size)
{
    (void)state, (void)scene, (void)array, (void)size;
}

/* Which shapes stand where: what the tree's arrays say of the scene. */
static void add_places(XXH3_state_t *state, const lb_scene *scene)
{
    const lb_geometry *geometries = LB_ARRAY(scene, geometries, lb_geometry);
    const lb_instance *instances = LB_ARRAY(scene, instances, lb_instance);
    for (uint64_t i = 0; i < scene->geometries.count; i++) {
        XXH3_128bits_update(state, &geometries[i].first_shape, sizeof geometries[i].first_shape);
        XXH3_128bits_update(state, &geometries[i].shape_count, sizeof geometries[i].shape_count);
    }
    for (uint64_t i = 0; i < scene->instances.count; i++) {
        XXH3_128bits_update(state, &instances[i].world_from_object, sizeof instances[i].world_from_object);
        XXH3_128bits_update(state, &instances[i].geometry, sizeof instances[i].geometry);
        XXH3_128bits_update(state, &instances[i].move, sizeof instances[i].move);
        XXH3_128bits_update(state, &instances[i].shape_shift, sizeof instances[i].shape_shift);
    }
}

/* The fragments of split triangles, whose boxes a ray has to pass: in any order, as trees differ in it. */
static void add_fragments(XXH3_state_t *state, const lb_scene *scene)
{
    const lb_primitive *primitives = LB_ARRAY(scene, leaf_primitives, lb_primitive);
    const lb_box *boxes = LB_ARRAY(scene, leaf_boxes, lb_box);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < scene->leaf_boxes.count; i++)
        sum += XXH3_64bits_withSeed(&boxes[i], sizeof boxes[i],
                                    XXH3_64bits(&primitives[i], sizeof primitives[i]));
    XXH3_128bits_update(state, &sum, sizeof sum);
}

#define ADD_PIXELS add_array
#define ADD_TREE   skip_array
#define ADD_NAMES  skip_array

enum lb_status lb_scene_identity(const lb_scene *scene, char digits[33], struct lb_error *error)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return lb_error_memory(error, NULL);
    XXH3_128bits_reset(state);
    add_head(state, scene);
#define ADD(name, type, decides, check) ADD_##decides(state, scene, scene->name, sizeof(type));
    LB_SCENE_ARRAYS(ADD)
#undef ADD
    add_places(state, scene);
    add_fragments(state, scene);
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(digits, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    return LB_OK;
}
