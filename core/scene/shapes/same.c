/* Objects of the same shapes, which may look different, and so need one tree. */
#include "core/scene/builder/messages.h"
#include "core/scene/shapes/shapes.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* What rays are tested against: all of a shape but what it looks like, which media it bounds, and the numbers of its
 * primitives. */
static lb_shape tested_part(const lb_shape *shape)
{
    lb_shape part = *shape;
    part.material = part.medium_inside = part.medium_outside = part.has_media_interface = 0;
    part.first_primitive = 0;
    return part;
}

/* May objects with such shapes have one geometry? Alpha is drawn by the numbers of primitives, which each shape has for
 * itself. */
static bool may_share(const lb_shape *shapes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (shapes[i].first_light != LB_NONE || (shapes[i].flags & LB_SHAPE_HAS_ALPHA) != 0)
            return false;
    return true;
}

static bool are_same(const lb_shape *one, const lb_shape *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        lb_shape a = tested_part(&one[i]), b = tested_part(&other[i]);
        if (memcmp(&a, &b, sizeof a) != 0)
            return false;
    }
    return true;
}

/* What an object's shapes are known by, 32 digits in the arena; NULL: out of memory. */
static char *name_shapes(const struct lb_builder *builder, const lb_shape *shapes, uint32_t count)
{
    char name[33];
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return NULL;
    XXH3_128bits_reset(state);
    for (uint32_t i = 0; i < count; i++) {
        lb_shape part = tested_part(&shapes[i]);
        XXH3_128bits_update(state, &part, sizeof part);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(name, sizeof name, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return lb_arena_text(builder->arena, name, sizeof name - 1);
}

enum lb_status lb_build_find_same(struct lb_builder *builder, const struct lb_geometry_source *source,
                                  uint32_t *geometry, uint32_t *shift)
{
    lb_shape *shapes = (lb_shape *)builder->arrays.shapes.data, *own = shapes + source->first_shape;
    const struct lb_geometry_source *sources = builder->sources.data;
    if (!may_share(own, source->shape_count))
        return LB_OK;
    char *name = name_shapes(builder, own, source->shape_count);
    uint32_t before = name ? lb_names_find(&builder->geometries, name) : LB_NONE;
    if (before == LB_NONE)
        return name && lb_names_set(&builder->geometries, builder->arena, name, *geometry)
                   ? LB_OK
                   : lb_build_no_memory(builder);
    const lb_shape *other = shapes + sources[before].first_shape;
    if (sources[before].shape_count != source->shape_count || !are_same(own, other, source->shape_count))
        return LB_OK;
    for (uint32_t i = 0; i < source->shape_count; i++)
        own[i].first_primitive = other[i].first_primitive;
    *geometry = before;
    *shift = source->first_shape - sources[before].first_shape;
    return LB_OK;
}
