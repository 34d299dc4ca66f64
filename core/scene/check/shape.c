/* Checks shapes: their triangles, pieces of curves, materials and lights. */
#include "core/scene/check/parts.h"

static const lb_shape *shape_at(const struct lb_check *check, uint64_t number)
{
    return LB_ARRAY(check->scene, shapes, lb_shape) + number;
}

static uint32_t greatest(const uint32_t *indices, uint64_t count)
{
    uint32_t most = 0;
    for (uint64_t i = 0; i < count; i++)
        most = indices[i] > most ? indices[i] : most;
    return most;
}

static const char *check_mesh(const lb_scene *scene, const lb_shape *shape)
{
    uint64_t indices = 3 * (uint64_t)shape->primitive_count;
    if (!lb_check_within(shape->first_index, indices, scene->indices.count))
        return "range of indices";
    uint64_t vertices =
        (uint64_t)greatest(LB_ARRAY(scene, indices, uint32_t) + shape->first_index, indices) + 1;
    if (!lb_check_within(shape->first_position, vertices, scene->positions.count))
        return "vertex";
    if ((shape->flags & LB_SHAPE_HAS_NORMALS) != 0 &&
        !lb_check_within(shape->first_normal, vertices, scene->normals.count))
        return "range of normals";
    if ((shape->flags & LB_SHAPE_HAS_UV) != 0 &&
        !lb_check_within(shape->first_uv, vertices, scene->uvs.count))
        return "range of coordinates";
    if ((shape->flags & LB_SHAPE_HAS_SECOND_UV) != 0 &&
        !lb_check_within(shape->first_second_uv, vertices, scene->uvs.count))
        return "range of second coordinates";
    if ((shape->flags & LB_SHAPE_SHINES_BY_SECOND_UV) != 0 && (shape->flags & LB_SHAPE_HAS_SECOND_UV) == 0)
        return "second coordinates";
    if ((shape->flags & LB_SHAPE_HAS_TANGENTS) != 0 &&
        !lb_check_within(shape->first_tangent, vertices, scene->tangents.count))
        return "range of tangents";
    return NULL;
}

static const char *check_curves(const lb_scene *scene, const lb_shape *shape)
{
    if (!lb_check_within(shape->first_strand, shape->primitive_count, scene->strands.count))
        return "range of pieces";
    if (shape->strand_type == LB_STRAND_RIBBON &&
        !lb_check_within(shape->first_normal, 2 * (uint64_t)shape->primitive_count, scene->normals.count))
        return "range of normals";
    return NULL;
}

/* Has each of its primitives a light, with an image where the shape's lights have one? */
static bool lights_are_sound(const lb_scene *scene, const lb_shape *shape)
{
    if (shape->first_light == LB_NONE)
        return true;
    if (!lb_check_within(shape->first_light, shape->primitive_count, scene->lights.count))
        return false;
    const lb_light *light = LB_ARRAY(scene, lights, lb_light) + shape->first_light;
    if ((shape->flags & LB_SHAPE_SHINES_BY_IMAGE) != 0)
        for (uint32_t i = 0; i < shape->primitive_count; i++)
            if (light[i].image >= scene->images.count)
                return false;
    return true;
}

LB_CHECK_SIZE(lb_shape, 256);
const char *lb_check_shape(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    const lb_shape *shape = shape_at(check, number);
    /* Shapes may share triangles. The sum limits how often these are looked at, as it does where scenes are made. */
    check->primitives += shape->primitive_count;
    if (shape->kind > LB_SHAPE_CURVES)
        return "kind";
    if (check->primitives > UINT32_MAX || shape->primitive_count < 1)
        return "number of primitives";
    if (shape->material >= scene->materials.count)
        return "material";
    if (!lb_check_index(shape->medium_inside, scene->media.count) ||
        !lb_check_index(shape->medium_outside, scene->media.count))
        return "medium";
    if (!lb_check_index(shape->alpha.texture, scene->textures.count))
        return "texture";
    if (!lights_are_sound(scene, shape))
        return "light";
    if (shape->kind == LB_SHAPE_MESH)
        return check_mesh(scene, shape);
    if (shape->kind == LB_SHAPE_CURVES)
        return check_curves(scene, shape);
    return shape->primitive_count == 1 ? NULL : "number of primitives";
}

/* Is it a primitive of a shape of this kind? */
static const char *check_primitive(const struct lb_check *check, lb_primitive primitive, uint32_t kind)
{
    if (primitive.shape >= check->scene->shapes.count)
        return "shape";
    const lb_shape *shape = shape_at(check, primitive.shape);
    if (shape->kind != kind)
        return "kind of shape";
    return primitive.primitive < shape->primitive_count ? NULL : "primitive";
}

const char *lb_check_leaf_primitive(struct lb_check *check, uint64_t number)
{
    return check_primitive(check, LB_ARRAY(check->scene, leaf_primitives, lb_primitive)[number],
                           LB_SHAPE_MESH);
}

const char *lb_check_leaf_strand(struct lb_check *check, uint64_t number)
{
    return check_primitive(check, LB_ARRAY(check->scene, leaf_strands, lb_primitive)[number],
                           LB_SHAPE_CURVES);
}

const char *lb_check_shape_name(struct lb_check *check, uint64_t number)
{
    const lb_scene *scene = check->scene;
    return LB_ARRAY(scene, shape_names, uint32_t)[number] < scene->channels.mattes[0].names ? NULL : "name";
}
