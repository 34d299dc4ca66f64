/* Primitives in two by the surface-area heuristic, whose sums bins have (Wald, "On Fast Construction of SAH-Based
 * Bounding Volume Hierarchies", 2007). */
#include "core/scene/tree/parts.h"

#include <string.h>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

enum { BINS = 32, FEWEST_BINS = 4 };

/* ---- boxes ---- */

/* A box's three coordinates, and a zero. With vectors splitting takes three quarters of the time that it takes
 * with lb_box, of whose loops compilers make scalars here. */
typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_mask __attribute__((vector_size(16)));

struct quad_box {
    quad lower, upper;
};

static inline quad quad_min(quad a, quad b)
{
#if defined(__SSE__)
    return _mm_min_ps(a, b);
#else
    quad_mask first = a < b;
    return (quad)((first & (quad_mask)a) | (~first & (quad_mask)b));
#endif
}

static inline quad quad_max(quad a, quad b)
{
#if defined(__SSE__)
    return _mm_max_ps(a, b);
#else
    return -quad_min(-a, -b);
#endif
}

static inline struct quad_box box_of(const struct RTCBuildPrimitive *primitive)
{
    const quad_mask three = {-1, -1, -1, 0};
    struct quad_box box;
    _Static_assert(sizeof box == sizeof *primitive, "three coordinates and a number, twice");
    memcpy(&box, primitive, sizeof box);
    box.lower = (quad)((quad_mask)box.lower & three);
    box.upper = (quad)((quad_mask)box.upper & three);
    return box;
}

static inline struct quad_box empty_box(void)
{
    const float most = __builtin_inff();
    return (struct quad_box){{most, most, most, most}, {-most, -most, -most, -most}};
}

static inline void box_add(struct quad_box *box, const struct quad_box *other)
{
    box->lower = quad_min(other->lower, box->lower);
    box->upper = quad_max(other->upper, box->upper);
}

static inline float half_area(const struct quad_box *box)
{
    quad side = box->upper - box->lower;
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

/* ---- bins ---- */

struct bins {
    struct quad_box box[BINS];
    uint32_t count[BINS];
};

/* The primitives that are looked at, by twice their middles, along each axis. */
struct binning {
    const struct RTCBuildPrimitive *primitives;
    size_t count, stride;
    struct bins axis[3];
    quad lower,
        scale; /* a middle m is in bin (m - lower) * scale; along an axis whose scale is 0 nothing is told apart */
    uint32_t used; /* bins */
};

static void set_scale(struct binning *binning)
{
    struct quad_box middles = empty_box();
    for (size_t i = 0; i < binning->count; i += binning->stride) {
        struct quad_box box = box_of(&binning->primitives[i]);
        quad middle = box.lower + box.upper;
        box_add(&middles, &(struct quad_box){middle, middle});
    }
    size_t seen = (binning->count + binning->stride - 1) / binning->stride;
    binning->used = (uint32_t)(seen < 2 * (BINS - FEWEST_BINS) ? FEWEST_BINS + seen / 2 : BINS);
    binning->lower = middles.lower;
    for (int a = 0; a < 4; a++) {
        float scale = 0.999f * (float)binning->used / (middles.upper[a] - middles.lower[a]);
        binning->scale[a] = lb_is_finite(scale) ? scale : 0.0f;
    }
}

static inline void bins_add(struct bins *bins, uint32_t number, const struct quad_box *box)
{
    box_add(&bins->box[number], box);
    bins->count[number]++;
}

static void fill(struct binning *binning)
{
    for (int a = 0; a < 3; a++)
        for (uint32_t i = 0; i < binning->used; i++) {
            binning->axis[a].box[i] = empty_box();
            binning->axis[a].count[i] = 0;
        }
    for (size_t i = 0; i < binning->count; i += binning->stride) {
        struct quad_box box = box_of(&binning->primitives[i]);
        quad number = (box.lower + box.upper - binning->lower) * binning->scale;
        for (int a = 0; a < 3; a++)
            bins_add(&binning->axis[a], (uint32_t)(int32_t)number[a], &box);
    }
}

/* ---- the plane ---- */

/* Primitives whose middles, twice, are below `at` along the axis are one side. */
struct plane {
    float cost, at;
    int axis; /* -1: there is none */
};

/* About what a ray that meets both sides has to test in one of them: leaves of so many. */
static float cost_of(const struct quad_box *box, uint32_t count, uint32_t leaf)
{
    return count == 0 ? 0.0f : half_area(box) * (float)((count + leaf - 1) / leaf);
}

static void find_on_axis(const struct binning *binning, int axis, uint32_t leaf, struct plane *best)
{
    const struct bins *bins = &binning->axis[axis];
    float above[BINS];
    struct quad_box box = empty_box();
    uint32_t count = 0, all;
    for (uint32_t i = binning->used - 1; i > 0; i--) {
        box_add(&box, &bins->box[i]);
        count += bins->count[i];
        above[i] = cost_of(&box, count, leaf);
    }
    all = count + bins->count[0];
    box = empty_box();
    count = 0;
    for (uint32_t i = 1; i < binning->used; i++) {
        box_add(&box, &bins->box[i - 1]);
        count += bins->count[i - 1];
        float cost = cost_of(&box, count, leaf) + above[i];
        if (cost < best->cost && count > 0 && count < all)
            *best = (struct plane){cost, binning->lower[axis] + (float)i / binning->scale[axis], axis};
    }
}

static struct plane find_plane(struct binning *binning, uint32_t leaf)
{
    struct plane best = {__builtin_inff(), 0.0f, -1};
    set_scale(binning);
    fill(binning);
    for (int a = 0; a < 3; a++)
        if (binning->scale[a] > 0.0f)
            find_on_axis(binning, a, leaf, &best);
    return best;
}

static inline bool is_below(const struct RTCBuildPrimitive *primitive, const struct plane *plane)
{
    const float *lower = &primitive->lower_x + plane->axis, *upper = &primitive->upper_x + plane->axis;
    return *lower + *upper < plane->at;
}

/* Moves the primitives that are below the plane to the front; returns their number. */
static size_t divide(struct RTCBuildPrimitive *primitives, size_t count, const struct plane *plane)
{
    struct RTCBuildPrimitive *below = primitives, *above = primitives + count;
    for (;;) {
        while (below < above && is_below(below, plane))
            below++;
        while (below < above && !is_below(above - 1, plane))
            above--;
        if (below == above)
            return (size_t)(below - primitives);
        struct RTCBuildPrimitive moved = *below;
        *below++ = *--above;
        *above = moved;
    }
}

size_t lb_tree_split(struct RTCBuildPrimitive *primitives, size_t count, size_t most_seen, uint32_t leaf)
{
    struct binning binning = {
        .primitives = primitives, .count = count, .stride = (count + most_seen - 1) / most_seen};
    struct plane plane = find_plane(&binning, leaf);
    size_t below = plane.axis < 0 ? 0 : divide(primitives, count, &plane);
    return below == 0 || below == count ? count / 2 : below;
}
