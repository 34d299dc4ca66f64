/* Looks textures up that are filtered over the footprint of a pixel, as pbrt-v4 does: trilinearly between two sizes of
 * the image (Williams, "Pyramidal Parametrics", 1983), or by weights that fall off over an ellipse (Greene, Heckbert,
 * "Creating Raster Omnimax Images from Multiple Perspective Views Using the Elliptical Weighted Average Filter",
 * 1986). */
#ifndef LB_CORE_KERNEL_TEXTURES_MIPMAP_H
#define LB_CORE_KERNEL_TEXTURES_MIPMAP_H

#include "core/kernel/textures/image_lookup.h"
#include "core/kernel/textures/pattern.h"

/* How far apart two neighbouring pixels lie on an image, along x and along y of the picture: in its widths and
 * heights, from its upper left corner. */
typedef struct lb_image_span {
    lb_vec2 dx, dy;
} lb_image_span;

/* How the texture's coordinates change, by all mappings but those by uv, over a small way from p. Both are in the
 * texture's space. What is not known, as at a pole, is 0. */
LB_SELDOM lb_vec2 lb_texture_projected_change(const lb_texture *texture, lb_vec3 p, lb_vec3 way)
{
    if (texture->mapping == LB_MAPPING_PLANAR)
        return lb_vec2_make(lb_dot(way, texture->s_axis), lb_dot(way, texture->t_axis));
    float square = p.x * p.x + p.y * p.y;
    float turn = (p.x * way.y - p.y * way.x) / square * (0.5f * LB_1_PI);
    turn = lb_is_finite(turn) ? turn : 0.0f;
    if (texture->mapping == LB_MAPPING_CYLINDRICAL)
        return lb_vec2_make(turn, way.z);
    float distance = lb_sqrt(square);
    float tilt = (p.z * (p.x * way.x + p.y * way.y) / distance - distance * way.z) / lb_dot(p, p) * LB_1_PI;
    return lb_vec2_make(lb_is_finite(tilt) ? tilt : 0.0f, turn);
}

/* How far apart pixels lie on the texture's image at a place whose footprint is known. */
LB_SELDOM lb_image_span lb_texture_span(const lb_texture *texture, const lb_texture_place *place)
{
    const lb_footprint *footprint = place->footprint;
    lb_image_span span;
    if (texture->mapping == LB_MAPPING_UV) {
        span.dx = lb_vec2_make(texture->su * footprint->duvdx.x, texture->sv * footprint->duvdx.y);
        span.dy = lb_vec2_make(texture->su * footprint->duvdy.x, texture->sv * footprint->duvdy.y);
    } else if (LB_ON_CPUS(texture->mapping == LB_MAPPING_SECOND_UV)) {
        span.dx = lb_vec2_make(texture->su * footprint->second_dx.x, texture->sv * footprint->second_dx.y);
        span.dy = lb_vec2_make(texture->su * footprint->second_dy.x, texture->sv * footprint->second_dy.y);
    } else {
        const lb_transform *own = &texture->texture_from_world;
        lb_vec3 p = lb_transform_point(own, place->position);
        span.dx = lb_texture_projected_change(texture, p, lb_transform_vector(own, footprint->dpdx));
        span.dy = lb_texture_projected_change(texture, p, lb_transform_vector(own, footprint->dpdy));
    }
    /* Images begin at the top. */
    span.dx = lb_vec2_make(lb_clamp(span.dx.x, -1e8f, 1e8f), -lb_clamp(span.dx.y, -1e8f, 1e8f));
    span.dy = lb_vec2_make(lb_clamp(span.dy.x, -1e8f, 1e8f), -lb_clamp(span.dy.y, -1e8f, 1e8f));
    return span;
}

/* A filtered look-up: weighted means of two levels, over an ellipse or over the four texels around the place. All of it
 * stands in memory, so that on GPUs little more than a pointer is kept in registers while texels are read: shading,
 * which is far above in the chain of calls, needs nearly all that there are. */
typedef struct lb_filtering {
    const lb_scene *scene;
    const lb_image *image;
    uint32_t wrap;
    bool as_number, elliptic;
    float s, t;       /* where: (0, 0) is the image's upper left corner */
    float anisotropy; /* of ellipses */
    lb_image_span span;
    int32_t level; /* the finer one of two levels, where 0 is the image itself; then the one at work */
    float part;    /* how much the coarser one counts */
    const lb_image *texels; /* the level at work */
    float x, y;             /* the place in its texels, from the centre of the upper left one */
    float a, b, c;          /* the ellipse a x^2 + b x y + c y^2 < 1 around the place */
    int32_t row, last_row, column, last_column; /* the texel at work, and where its row and all rows end */
    float weight;                               /* of that texel */
    lb_rgb sum;
    float weights;
    lb_rgb value; /* what the levels that are done make of it */
} lb_filtering;

/* The image itself (level 0), or one of its smaller versions. */
LB_INLINE const lb_image *lb_image_level(const lb_scene *scene, const lb_image *image, int32_t level)
{
    return level <= 0 ? image
                      : LB_ARRAY(scene, images, lb_image) + image->first_smaller + (uint32_t)(level - 1);
}

/* ---- which levels ---- */

/* Chooses the two levels between whose texels' widths `width` lies, where 1 is the width of the image. */
LB_FUNCTION void lb_filtering_levels(lb_filtering *at, float width)
{
    float level = (float)at->image->smaller + lb_log(lb_max(width, 1e-8f)) * 1.44269504088896340736f;
    level = lb_max(level, 0.0f);
    at->level = lb_to_int(level);
    at->part = level - (float)at->level;
}

/* The levels for a trilinear look-up. False: the image itself is seen, alone. As in pbrt it is until pixels are as far
 * apart as texels of level 1 are wide. */
LB_FUNCTION bool lb_filtering_fit(lb_filtering *at)
{
    float width = 2.0f * lb_max(lb_max(lb_abs(at->span.dx.x), lb_abs(at->span.dx.y)),
                                lb_max(lb_abs(at->span.dy.x), lb_abs(at->span.dy.y)));
    lb_filtering_levels(at, width);
    if (width >= 1.0f)
        at->level = (int32_t)at->image->smaller + 1;
    return at->level >= 1;
}

/* The levels for an ellipse: their texels are about as wide as it is. It is made no longer than `anisotropy` says.
 * False: it has no width. */
LB_FUNCTION bool lb_ellipse_fit(lb_filtering *at)
{
    lb_image_span *span = &at->span;
    float x = span->dx.x * span->dx.x + span->dx.y * span->dx.y;
    float y = span->dy.x * span->dy.x + span->dy.y * span->dy.y;
    float width = lb_sqrt(x < y ? x : y), length = lb_sqrt(x < y ? y : x);
    if (!(width > 0.0f))
        return false;
    if (width * at->anisotropy < length) {
        lb_vec2 *shorter = x < y ? &span->dx : &span->dy;
        float wider = length / (width * at->anisotropy);
        *shorter = lb_vec2_make(shorter->x * wider, shorter->y * wider);
        width *= wider;
    }
    lb_filtering_levels(at, width);
    return true;
}

/* ---- a level ---- */

/* Begins the row at work. */
LB_FUNCTION void lb_filtering_row(lb_filtering *at)
{
    float middle = at->x, half = 0.0f;
    if (at->elliptic) {
        float y = (float)at->row - at->y, beside = -0.5f * at->b * y / at->a;
        half = lb_sqrt(lb_max(beside * beside - (at->c * y * y - 1.0f) / at->a, 0.0f));
        middle += beside;
    }
    at->column = lb_to_int(lb_floor(middle - half)) - 1;
    at->last_column = lb_to_int(lb_floor(middle + half)) + 1;
}

/* Begins the level at work. Ellipses have the axes `span`, widened by one texel so that they hold some. */
LB_FUNCTION void lb_filtering_start(lb_filtering *at)
{
    at->texels = lb_image_level(at->scene, at->image, at->level);
    float width = (float)at->texels->width, height = (float)at->texels->height, half = 0.0f;
    if (at->elliptic) {
        float x0 = at->span.dx.x * width, y0 = at->span.dx.y * height;
        float x1 = at->span.dy.x * width, y1 = at->span.dy.y * height;
        float a = y0 * y0 + y1 * y1 + 1.0f, b = -2.0f * (x0 * y0 + x1 * y1), c = x0 * x0 + x1 * x1 + 1.0f;
        float inverse = 1.0f / (a * c - 0.25f * b * b);
        half = lb_sqrt(a);
        at->a = a * inverse;
        at->b = b * inverse;
        at->c = c * inverse;
    }
    at->x = lb_clamp(at->s * width, -1e9f, 1e9f) - 0.5f;
    at->y = lb_clamp(at->t * height, -1e9f, 1e9f) - 0.5f;
    at->row = lb_to_int(lb_floor(at->y - half));
    at->last_row = lb_to_int(lb_floor(at->y + half)) + 1;
    at->sum = lb_rgb_grey(0.0f);
    at->weights = 0.0f;
    lb_filtering_row(at);
}

/* How much the texel at work counts: by a Gaussian that is cut off at the ellipse's rim, or bilinearly. */
LB_FUNCTION float lb_filtering_weight(const lb_filtering *at)
{
    float x = (float)at->column - at->x, y = (float)at->row - at->y;
    if (!at->elliptic)
        return lb_max(1.0f - lb_abs(x), 0.0f) * lb_max(1.0f - lb_abs(y), 0.0f);
    float square = at->a * x * x + at->b * x * y + at->c * y * y;
    return square < 1.0f ? lb_exp(-2.0f * square) - 0.135335283f /* exp(-2) */ : 0.0f;
}

/* Goes on to the next texel that counts. False: there is none. */
LB_FUNCTION bool lb_filtering_next(lb_filtering *at)
{
    for (;;) {
        if (++at->column > at->last_column) {
            if (++at->row > at->last_row)
                return false;
            lb_filtering_row(at);
            continue;
        }
        at->weight = lb_filtering_weight(at);
        if (at->weight > 0.0f)
            return true;
    }
}

/* Adds the mean of the level at work to the value, weighted. False: it has none, so far from the origin that floats do
 * not tell texels apart. */
LB_FUNCTION bool lb_filtering_add(lb_filtering *at, float weight)
{
    if (at->level >
        (int32_t)at->image->smaller) { /* pixels are as large as the image: it has no edges then */
        const lb_image *last = lb_image_level(at->scene, at->image, (int32_t)at->image->smaller);
        at->sum = lb_image_texel(at->scene, last, LB_WRAP_CLAMP, at->as_number, 0, 0);
        at->weights = 1.0f;
    } else {
        lb_filtering_start(at);
        while (lb_filtering_next(at)) {
            lb_rgb texel =
                lb_image_texel(at->scene, at->texels, at->wrap, at->as_number, at->column, at->row);
            at->sum = lb_rgb_add(at->sum, lb_rgb_scale(texel, at->weight));
            at->weights += at->weight;
        }
    }
    at->value = lb_rgb_add(at->value, lb_rgb_scale(at->sum, weight / at->weights));
    return at->weights > 0.0f;
}

/* ---- all ---- */

/* Looks up a filtered texture's image at its coordinates st, at a place whose footprint is known. False: it looks there
 * as if it were not filtered. */
LB_SELDOM bool lb_texture_filtered(const lb_scene *scene, const lb_texture *texture,
                                   const lb_texture_place *place, lb_vec2 st, lb_rgb *value)
{
    lb_filtering at;
    at.scene = scene;
    at.image = LB_ARRAY(scene, images, lb_image) + texture->image;
    at.wrap = texture->wrap;
    at.as_number = texture->is_float != 0;
    at.elliptic = texture->filter == LB_FILTERED_ELLIPSE;
    at.s = st.x;
    at.t = 1.0f - st.y;
    at.anisotropy = texture->anisotropy;
    at.span = lb_texture_span(texture, place);
    at.value = lb_rgb_grey(0.0f);
    if (!(at.elliptic ? lb_ellipse_fit(&at) : lb_filtering_fit(&at)) ||
        !lb_filtering_add(&at, 1.0f - at.part))
        return false;
    at.level++;
    if (!lb_filtering_add(&at, at.part))
        return false;
    *value = at.value;
    return true;
}

#endif
