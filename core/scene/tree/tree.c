#include "core/scene/tree/tree.h"

#include "core/scene/tree/parts.h"

#include <stdio.h>

/* Traversals read whole vectors of leaf_corners, beyond the last triangle. */
enum { CORNERS_BEHIND = 64, DEFAULT_LEAF = 8, CURVES_LEAF = 2 };

static struct lb_tree_options options_of(const struct lb_tree_options *given)
{
    struct lb_tree_options options = *given;
    if (options.max_leaf == 0 || options.max_leaf > LB_TREE_MAX_LEAF)
        options.max_leaf = DEFAULT_LEAF;
    if (options.max_width < 2 || options.max_width > 8)
        options.max_width = 8;
    if (options.threads == 0)
        options.threads = 1;
    return options;
}

/* Curves are tested one by one, triangles of a leaf together: where most is curves, few of them make a leaf. */
static void fit_leaves(struct lb_tree_task *task)
{
    if (task->source.shape_count == 0)
        return;
    const lb_shape *shapes = (const lb_shape *)task->arrays->shapes.data + task->source.first_shape;
    uint64_t curves = 0, all = 0;
    for (uint32_t i = 0; i < task->source.shape_count; i++) {
        all += shapes[i].primitive_count;
        curves += shapes[i].kind == LB_SHAPE_CURVES ? shapes[i].primitive_count : 0;
    }
    if (2 * curves > all && task->options.max_leaf > CURVES_LEAF)
        task->options.max_leaf = CURVES_LEAF;
}

/* Fills task->bvh, and those of groups, which own the nodes, and task->root. */
static enum lb_status build_tree(struct lb_tree_task *task, struct lb_error *error)
{
    if (task->primitives.count == 0)
        return LB_OK;
    task->bvh = rtcNewBVH(task->device);
    if (task->bvh)
        task->root = lb_tree_is_grouped(task) ? lb_tree_of_groups(task) : lb_tree_of_all(task);
    enum RTCError code = rtcGetDeviceError(task->device);
    if (code == RTC_ERROR_OUT_OF_MEMORY || (code == RTC_ERROR_NONE && !task->root))
        return lb_error_memory(error, "a tree");
    if (code != RTC_ERROR_NONE)
        return lb_error_set(error, LB_ERROR, "Embree could not build the tree (error %d)", (int)code);
    return LB_OK;
}

/* Frees temporaries as soon as they are used up, since the process needs most memory while it builds trees. */
static enum lb_status build_geometry(struct lb_tree_task *task, uint32_t number, struct lb_error *error)
{
    enum lb_status status = lb_tree_primitives(task, error);
    if (status == LB_OK)
        status = build_tree(task, error);
    if (status == LB_OK)
        status = lb_tree_reinsert(task, error);
    if (status == LB_OK)
        status = lb_tree_layout(task, (lb_geometry *)task->arrays->geometries.data + number, error);
    if (task->bvh)
        rtcReleaseBVH(task->bvh);
    lb_tree_groups_free(task);
    lb_vector_free(&task->primitives);
    return status;
}

static enum lb_status build_all(struct lb_scene_arrays *arrays, const struct lb_geometry_source *sources,
                                size_t source_count, const struct lb_tree_options *options, RTCDevice device,
                                struct lb_error *error)
{
    /* The world comes last, as it needs the boxes of what is instanced in it. */
    for (size_t i = 0; i < source_count; i++) {
        uint32_t number = i + 1 < source_count ? (uint32_t)(i + 1) : 0;
        struct lb_tree_task task = {.arrays = arrays,
                                    .source = sources[number],
                                    .is_world = number == 0,
                                    .options = *options,
                                    .device = device};
        fit_leaves(&task);
        enum lb_status status = build_geometry(&task, number, error);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}

enum lb_status lb_tree_build(struct lb_scene_arrays *arrays, const struct lb_geometry_source *sources,
                             size_t source_count, const struct lb_tree_options *given, struct lb_error *error)
{
    struct lb_tree_options options = options_of(given);
    if (source_count == 0)
        return lb_error_set(error, LB_ERROR, "a scene needs a geometry for its world");
    if (!lb_vector_add(&arrays->geometries, source_count))
        return lb_error_memory(error, "the tree");
    char config[64];
    snprintf(config, sizeof config, "threads=%u", options.threads);
    RTCDevice device = rtcNewDevice(config);
    if (!device)
        return lb_error_set(error, LB_ERROR, "Embree could not start (error %d)",
                            (int)rtcGetDeviceError(NULL));
    enum lb_status status = build_all(arrays, sources, source_count, &options, device, error);
    rtcReleaseDevice(device);
    if (status == LB_OK && !lb_vector_add(&arrays->leaf_corners, CORNERS_BEHIND))
        return lb_error_memory(error, "the tree's leaves");
    return status;
}
