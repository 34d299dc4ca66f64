/* Measured reflectance, as the tensor files of the RGL database hold it: a table over a square, which a warp takes to
 * the visible normals of microfacets, so that the table is smooth (Dupuy, Jakob, "An Adaptive Parameterization for
 * Efficient Material Acquisition and Rendering", 2018; pbrt-v4 src/pbrt/bxdfs.cpp). Both sides of a surface reflect. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_MEASURED_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_MEASURED_H

#include "core/kernel/materials/bsdf_types.h"

/* ---- slices: a table each for several directions wo, between which it interpolates ---- */

/* A place in a warp's grid: a cell, and the place in that cell from 0 to 1. */
typedef struct lb_warp_place {
    uint32_t row, column;
    float x, y;
} lb_warp_place;

/* The tables as they are seen from wo. The struct also holds what has been computed so far, as on GPUs whatever is live
 * across the calls below would take registers that the callers of all materials lack. */
typedef struct lb_warp_view {
    const lb_measurement *measured;
    const float *tables;
    const lb_warp *warp;
    lb_warp_place place;
    /* A place before the warp of normals and after it, and wo, each as a point of its square. */
    lb_vec2 u, normal, out;
    /* Density of the directions, first of one warp; that of the other, then the change of angles. */
    float density, jacobian;
    uint64_t first; /* number of the slice below wo's phi and theta */
    /* How many slices it is to the next phi and theta; 0 where there is only one. */
    uint64_t by_phi, by_theta;
    float phi_part, theta_part; /* how far wo is on the way to these, 0 to 1 */
#ifdef LB_SPECTRAL
    const float *lanes; /* as in lb_bsdf */
#endif
} lb_warp_view;

/* Finds the two of `count` rising values that x lies between: `*interval` is the lower one's index. Returns how far x
 * is on the way to the upper one, 0 to 1; beyond the ends it is the end. */
LB_FUNCTION float lb_measured_part(const float *values, uint32_t count, float x, uint32_t *interval)
{
    uint32_t low = 0, high = count - 1;
    *interval = 0;
    if (count < 2)
        return 0.0f;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (values[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    *interval = low;
    return lb_clamp((x - values[low]) / (values[low + 1] - values[low]), 0.0f, 1.0f);
}

/* The point of the tables' square for a direction's angles. */
LB_INLINE lb_vec2 lb_measured_square(float theta, float phi)
{
    float turn = phi * (0.5f * LB_1_PI) + 0.5f;
    return lb_vec2_make(lb_sqrt(theta * (2.0f * LB_1_PI)), turn - lb_floor(turn));
}

/* Finds the slices for wo, which is on the upper side. */
LB_FUNCTION void lb_warp_view_make(const lb_bsdf *bsdf, lb_vec3 wo, lb_warp_view *view)
{
    const lb_measurement *measured = bsdf->measured;
    const float *tables = bsdf->tables;
    uint32_t row, column;
    float theta = lb_atan2(lb_sqrt(wo.x * wo.x + wo.y * wo.y), wo.z), phi = lb_atan2(wo.y, wo.x);
    view->out = lb_measured_square(theta, phi);
    view->measured = measured;
    view->tables = tables;
#ifdef LB_SPECTRAL
    view->lanes = bsdf->lanes;
#endif
    view->phi_part = lb_measured_part(tables + measured->phi, measured->phis, phi, &row);
    view->theta_part = lb_measured_part(tables + measured->theta, measured->thetas, theta, &column);
    view->by_phi = measured->phis > 1 ? measured->thetas : 0;
    view->by_theta = measured->thetas > 1 ? 1 : 0;
    view->first = (uint64_t)row * measured->thetas + column;
}

/* Element `element` of a table whose slices have `size` elements, interpolated between the slices around wo. */
LB_INLINE float lb_warp_element(const lb_warp_view *view, uint64_t table, uint64_t size, uint64_t element)
{
    const float *at = view->tables + table + view->first * size + element;
    uint64_t phi = view->by_phi * size, theta = view->by_theta * size;
    return lb_mix(view->theta_part, lb_mix(view->phi_part, at[0], at[phi]),
                  lb_mix(view->phi_part, at[theta], at[theta + phi]));
}

/* ---- warps of the unit square ---- */

/* Finds the cell of a point of the unit square. */
LB_INLINE void lb_warp_find(const lb_warp *warp, lb_vec2 u, lb_warp_place *place)
{
    float x = lb_clamp(u.x, 0.0f, 1.0f) * (float)(warp->width - 1);
    float y = lb_clamp(u.y, 0.0f, 1.0f) * (float)(warp->height - 1);
    float column = lb_min(lb_floor(x), (float)(warp->width - 2));
    float row = lb_min(lb_floor(y), (float)(warp->height - 2));
    place->row = (uint32_t)lb_to_int(row);
    place->column = (uint32_t)lb_to_int(column);
    place->x = x - column;
    place->y = y - row;
}

/* The value of a column of the grid, the part y of the way from a row to the next, in a table of the warp's size. */
LB_FUNCTION float lb_warp_column(const lb_warp_view *view, uint64_t table, uint32_t row, uint32_t column,
                                 float y)
{
    uint64_t size = (uint64_t)view->warp->width * view->warp->height;
    uint64_t element = (uint64_t)row * view->warp->width + column;
    float above = lb_warp_element(view, table, size, element);
    return lb_mix(y, above, lb_warp_element(view, table, size, element + view->warp->width));
}

/* The warp's value at a point, bilinear between the values of its grid. */
LB_FUNCTION float lb_warp_value(lb_warp_view *view, const lb_vec2 *u)
{
    lb_warp_find(view->warp, *u, &view->place);
    float left = lb_warp_column(view, view->warp->values, view->place.row, view->place.column, view->place.y);
    return lb_mix(
        view->place.x, left,
        lb_warp_column(view, view->warp->values, view->place.row, view->place.column + 1, view->place.y));
}

/* How many cells the unit square has: a density by area is so many times the density by cell. */
LB_INLINE float lb_warp_cells(const lb_warp *warp)
{
    return (float)(warp->width - 1) * (float)(warp->height - 1);
}

/* The place in [0, 1] to whose left lies `below` of a density that goes linearly from a to b. */
LB_INLINE float lb_warp_solve(float a, float b, float below)
{
    float root = a + lb_sqrt(lb_max(0.0f, a * a + 2.0f * (b - a) * below));
    return root > 0.0f ? lb_clamp(2.0f * below / root, 0.0f, 1.0f) : 0.0f;
}

/* Draws the place's row and y by a uniform number. */
LB_FUNCTION void lb_warp_draw_row(lb_warp_view *view, float u)
{
    uint32_t row = 0, end = view->warp->height - 1;
    while (end - row > 1) {
        uint32_t middle = row + (end - row) / 2;
        if (lb_warp_element(view, view->warp->marginal, view->warp->height, middle) < u)
            row = middle;
        else
            end = middle;
    }
    u = lb_max(u - lb_warp_element(view, view->warp->marginal, view->warp->height, row), 0.0f);
    view->place.row = row;
    float upper = lb_warp_column(view, view->warp->conditional, row, view->warp->width - 1, 0.0f);
    view->place.y = lb_warp_solve(
        upper, lb_warp_column(view, view->warp->conditional, view->place.row, view->warp->width - 1, 1.0f),
        u);
}

/* Draws the place's column and x in its row by a uniform number, and sets the density by area there. */
LB_FUNCTION void lb_warp_draw_column(lb_warp_view *view, float u)
{
    lb_warp_place *place = &view->place;
    uint32_t end = view->warp->width - 1;
    place->column = 0;
    u *= lb_warp_column(view, view->warp->conditional, place->row, end, place->y);
    while (end - place->column > 1) {
        uint32_t middle = place->column + (end - place->column) / 2;
        if (lb_warp_column(view, view->warp->conditional, place->row, middle, place->y) < u)
            place->column = middle;
        else
            end = middle;
    }
    u = lb_max(u - lb_warp_column(view, view->warp->conditional, place->row, place->column, place->y), 0.0f);
    float left = lb_warp_column(view, view->warp->values, place->row, place->column, place->y);
    float right = lb_warp_column(view, view->warp->values, place->row, place->column + 1, place->y);
    place->x = lb_warp_solve(left, right, u);
    view->density = lb_mix(place->x, left, right) * lb_warp_cells(view->warp);
}

/* Takes a uniform point to one that is distributed like the warp's values, and sets view->density there. */
LB_INLINE void lb_warp_sample(lb_warp_view *view, lb_vec2 *u)
{
    lb_warp_draw_row(view, lb_clamp(u->y, 0x1p-24f, 1.0f - 0x1p-24f));
    lb_warp_draw_column(view, lb_clamp(u->x, 0x1p-24f, 1.0f - 0x1p-24f));
    *u = lb_vec2_make(((float)view->place.column + view->place.x) / (float)(view->warp->width - 1),
                      ((float)view->place.row + view->place.y) / (float)(view->warp->height - 1));
}

/* The inverse of lb_warp_sample: replaces u by the uniform point that is taken to it, and sets view->density there. */
LB_FUNCTION void lb_warp_invert(lb_warp_view *view, lb_vec2 *u)
{
    lb_warp_place *place = &view->place;
    lb_warp_find(view->warp, *u, place);
    float left = lb_warp_column(view, view->warp->values, place->row, place->column, place->y);
    float right = lb_warp_column(view, view->warp->values, place->row, place->column + 1, place->y);
    view->density = lb_mix(place->x, left, right) * lb_warp_cells(view->warp);
    u->x = place->x * (left + 0.5f * place->x * (right - left));
    u->x += lb_warp_column(view, view->warp->conditional, place->row, place->column, place->y);
    float upper = lb_warp_column(view, view->warp->conditional, place->row, view->warp->width - 1, 0.0f);
    float lower = lb_warp_column(view, view->warp->conditional, place->row, view->warp->width - 1, 1.0f);
    float all = lb_mix(place->y, upper, lower);
    u->x = all > 0.0f ? lb_clamp(u->x / all, 0.0f, 1.0f) : 0.0f;
    u->y = place->y * (upper + 0.5f * place->y * (lower - upper));
    u->y = lb_clamp(u->y + lb_warp_element(view, view->warp->marginal, view->warp->height, place->row), 0.0f,
                    1.0f);
}

/* ---- the material ---- */

/* Sets `*f` to f |cosine of wi| for view->u and view->normal. The view is of no use afterwards. */
LB_FUNCTION void lb_measured_f(lb_warp_view *view, lb_color *f)
{
    /* The colors of a slice follow each other, like slices of their own. */
    view->warp = &view->measured->spectra;
#ifdef LB_SPECTRAL
    float values[4];
    lb_warp_view slice = *view;
    slice.by_phi *= view->measured->wavelengths;
    slice.by_theta *= view->measured->wavelengths;
    for (uint32_t i = 0; i < 4; i++) {
        float low = lb_floor(view->lanes[i]), part = view->lanes[i] - low;
        slice.first = view->first * view->measured->wavelengths + (uint32_t)lb_to_int(low);
        values[i] = lb_warp_value(&slice, &view->u);
        slice.first++;
        if (part > 0.0f)
            values[i] = lb_mix(part, values[i], lb_warp_value(&slice, &view->u));
        values[i] = lb_max(0.0f, values[i]);
    }
    *f = lb_color_of_lanes(values);
#else
    view->first *= 3;
    view->by_phi *= 3;
    view->by_theta *= 3;
    f->r = lb_max(0.0f, lb_warp_value(view, &view->u));
    view->first++;
    f->g = lb_max(0.0f, lb_warp_value(view, &view->u));
    view->first++;
    f->b = lb_max(0.0f, lb_warp_value(view, &view->u));
#endif
    view->first = view->by_phi = view->by_theta = 0;
    view->warp = &view->measured->sigma;
    float sigma = lb_warp_value(view, &view->out);
    view->warp = &view->measured->ndf;
    *f = lb_color_scale(*f, sigma > 0.0f ? lb_warp_value(view, &view->normal) / (4.0f * sigma) : 0.0f);
}

/* The solid angle around wi over the area of the square around the microfacet's normal `wm`, whose point is
 * `normal`. */
LB_INLINE float lb_measured_jacobian(lb_vec3 wo, lb_vec3 wm, lb_vec2 normal)
{
    float sine = lb_sqrt(wm.x * wm.x + wm.y * wm.y);
    return 4.0f * lb_dot(wo, wm) * lb_max(2.0f * LB_PI * LB_PI * normal.x * sine, 1e-6f);
}

/* A density, or 0 for what rounding has made useless. */
LB_INLINE float lb_measured_density(float density)
{
    return density > 0.0f && lb_is_finite(density) ? density : 0.0f;
}

LB_SELDOM lb_color lb_measured_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_vec3 wo = bsdf->wo;
    lb_warp_view view;
    lb_color f;
    *pdf = 0.0f;
    if (!(wo.z * wi.z > 0.0f))
        return lb_color_grey(0.0f);
    if (wo.z < 0.0f) {
        wo = lb_negate(wo);
        wi = lb_negate(wi);
    }
    lb_vec3 wm = lb_normalize(lb_add(wo, wi));
    /* The azimuth of wm; where the material is isotropic, counted from wo's, as nothing else matters. */
    float x = wm.x, y = wm.y;
    if (bsdf->measured->isotropic && (wo.x != 0.0f || wo.y != 0.0f)) {
        x = wm.x * wo.x + wm.y * wo.y;
        y = wm.y * wo.x - wm.x * wo.y;
    }
    view.normal = lb_measured_square(lb_atan2(lb_sqrt(wm.x * wm.x + wm.y * wm.y), wm.z), lb_atan2(y, x));
    view.u = view.normal;
    view.jacobian = lb_measured_jacobian(wo, wm, view.normal);
    lb_warp_view_make(bsdf, wo, &view);
    view.warp = &view.measured->vndf;
    lb_warp_invert(&view, &view.u);
    view.warp = &view.measured->luminance;
    view.density *= lb_warp_value(&view, &view.u) * lb_warp_cells(view.warp);
    *pdf = lb_measured_density(view.density / view.jacobian);
    lb_measured_f(&view, &f);
    return f;
}

/* wo, or its opposite, on the upper side. */
LB_INLINE lb_vec3 lb_measured_above(const lb_bsdf *bsdf)
{
    return bsdf->wo.z < 0.0f ? lb_negate(bsdf->wo) : bsdf->wo;
}

/* The normal of a microfacet that the point view->normal stands for. */
LB_FUNCTION lb_vec3 lb_measured_normal(const lb_warp_view *view, lb_vec3 wo)
{
    float s, c, sine, cosine, turn = (2.0f * view->normal.y - 1.0f) * LB_PI;
    lb_sincos(turn + (view->measured->isotropic ? lb_atan2(wo.y, wo.x) : 0.0f), &s, &c);
    lb_sincos(view->normal.x * view->normal.x * (0.5f * LB_PI), &sine, &cosine);
    return lb_vec3_make(sine * c, sine * s, cosine);
}

LB_SELDOM bool lb_measured_sample(const lb_bsdf *bsdf, lb_vec2 u, lb_scatter *scatter)
{
    lb_warp_view view;
    view.u = u;
    lb_warp_view_make(bsdf, lb_measured_above(bsdf), &view);
    view.warp = &view.measured->luminance;
    lb_warp_sample(&view, &view.u);
    view.normal = view.u;
    view.jacobian = view.density;
    view.warp = &view.measured->vndf;
    lb_warp_sample(&view, &view.normal);
    lb_vec3 wm = lb_measured_normal(&view, lb_measured_above(bsdf));
    lb_vec3 wo = lb_measured_above(bsdf), wi = lb_reflect(wo, wm);
    float density = view.density * view.jacobian / lb_measured_jacobian(wo, wm, view.normal);
    view.density = lb_measured_density(density);
    if (!(wi.z > 0.0f) || !(view.density > 0.0f))
        return false;
    lb_scatter_set(scatter, bsdf->wo.z < 0.0f ? lb_negate(wi) : wi, lb_color_grey(0.0f), view.density);
    lb_measured_f(&view, &scatter->weight);
    scatter->weight = lb_color_scale(scatter->weight, 1.0f / view.density);
    return true;
}

#endif
