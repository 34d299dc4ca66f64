/* Measured reflectance, as the tensor files of the RGL database have it: a table over the square that a warp takes to
 * the microfacets' normals that are seen, so that it is smooth (Dupuy, Jakob, "An Adaptive Parameterization for
 * Efficient Material Acquisition and Rendering", 2018; pbrt-v4 src/pbrt/bxdfs.cpp). Both sides of a surface reflect. */
#ifndef LB_CORE_KERNEL_BSDF_MEASURED_H
#define LB_CORE_KERNEL_BSDF_MEASURED_H

#include "core/kernel/bsdf_types.h"

/* ---- slices: tables for several directions of wo, between which is interpolated ---- */

/* A place in a warp's grid: its cell, and where in that. */
typedef struct lb_warp_place {
    uint32_t row, column;
    float x, y;
} lb_warp_place;

/* One of the tables as it is seen from wo. It also holds what is known so far: on GPUs what is live across these calls
 * would take registers that all materials' callers lack. */
typedef struct lb_warp_view {
    const lb_measurement *measured;
    const float *tables;
    const lb_warp *warp;
    lb_warp_place place;
    lb_vec2 u, normal,
        out; /* the same place before the warp of normals and after it, and wo, each in its square */
    float density, jacobian;    /* of the directions, one warp's; the other's, then that of the angles */
    uint64_t first;             /* slice below wo's phi and theta */
    uint64_t by_phi, by_theta;  /* slices from one to the next; 0 where there is but one */
    float phi_part, theta_part; /* how far wo is towards these */
} lb_warp_view;

/* Which two of `count` rising values x lies between, from *interval on, and how far it is; ends beyond the ends. */
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

/* Angles in the tables' square. */
LB_INLINE lb_vec2 lb_measured_square(float theta, float phi)
{
    float turn = phi * (0.5f * LB_1_PI) + 0.5f;
    return lb_vec2_make(lb_sqrt(theta * (2.0f * LB_1_PI)), turn - lb_floor(turn));
}

/* The slices for wo, on the upper side. */
LB_FUNCTION void lb_warp_view_make(const lb_measurement *measured, const float *tables, lb_vec3 wo,
                                   lb_warp_view *view)
{
    uint32_t row, column;
    float theta = lb_atan2(lb_sqrt(wo.x * wo.x + wo.y * wo.y), wo.z), phi = lb_atan2(wo.y, wo.x);
    view->out = lb_measured_square(theta, phi);
    view->measured = measured;
    view->tables = tables;
    view->phi_part = lb_measured_part(tables + measured->phi, measured->phis, phi, &row);
    view->theta_part = lb_measured_part(tables + measured->theta, measured->thetas, theta, &column);
    view->by_phi = measured->phis > 1 ? measured->thetas : 0;
    view->by_theta = measured->thetas > 1 ? 1 : 0;
    view->first = (uint64_t)row * measured->thetas + column;
}

/* Element number `element` of a table's slices, of `size` elements each. */
LB_INLINE float lb_warp_element(const lb_warp_view *view, uint64_t table, uint64_t size, uint64_t element)
{
    const float *at = view->tables + table + view->first * size + element;
    uint64_t phi = view->by_phi * size, theta = view->by_theta * size;
    return lb_mix(view->theta_part, lb_mix(view->phi_part, at[0], at[phi]),
                  lb_mix(view->phi_part, at[theta], at[theta + phi]));
}

/* ---- warps of the unit square ---- */

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

/* The value of a column at the part y of the way from a row to the next, in a table of the warp's size. */
LB_FUNCTION float lb_warp_column(const lb_warp_view *view, uint64_t table, uint32_t row, uint32_t column,
                                 float y)
{
    uint64_t size = (uint64_t)view->warp->width * view->warp->height;
    uint64_t element = (uint64_t)row * view->warp->width + column;
    float above = lb_warp_element(view, table, size, element);
    return lb_mix(y, above, lb_warp_element(view, table, size, element + view->warp->width));
}

/* Bilinear between the grid's values. */
LB_FUNCTION float lb_warp_value(lb_warp_view *view, const lb_vec2 *u)
{
    lb_warp_find(view->warp, *u, &view->place);
    float left = lb_warp_column(view, view->warp->values, view->place.row, view->place.column, view->place.y);
    return lb_mix(
        view->place.x, left,
        lb_warp_column(view, view->warp->values, view->place.row, view->place.column + 1, view->place.y));
}

/* Cells of the unit square: a density by area is that many times the one by cell. */
LB_INLINE float lb_warp_cells(const lb_warp *warp)
{
    return (float)(warp->width - 1) * (float)(warp->height - 1);
}

/* Where a density that goes from a to b over 0 .. 1 has `below` to the left. */
LB_INLINE float lb_warp_solve(float a, float b, float below)
{
    float root = a + lb_sqrt(lb_max(0.0f, a * a + 2.0f * (b - a) * below));
    return root > 0.0f ? lb_clamp(2.0f * below / root, 0.0f, 1.0f) : 0.0f;
}

/* The place's row and y, for a uniform number. */
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

/* The place's column and x, in its row, and the density by area there. */
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

/* Takes a uniform point to the warp's density, which is set. */
LB_INLINE void lb_warp_sample(lb_warp_view *view, lb_vec2 *u)
{
    lb_warp_draw_row(view, lb_clamp(u->y, 0x1p-24f, 1.0f - 0x1p-24f));
    lb_warp_draw_column(view, lb_clamp(u->x, 0x1p-24f, 1.0f - 0x1p-24f));
    *u = lb_vec2_make(((float)view->place.column + view->place.x) / (float)(view->warp->width - 1),
                      ((float)view->place.row + view->place.y) / (float)(view->warp->height - 1));
}

/* The inverse of lb_warp_sample: sets the uniform point that it took to u, and the density there. */
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

/* f |cosine| for view->u and what belongs to it. The view is used up. */
LB_FUNCTION void lb_measured_f(lb_warp_view *view, lb_rgb *f)
{
    /* The three colors of a slice follow each other, as slices of their own. */
    view->warp = &view->measured->spectra;
    view->first *= 3;
    view->by_phi *= 3;
    view->by_theta *= 3;
    f->r = lb_max(0.0f, lb_warp_value(view, &view->u));
    view->first++;
    f->g = lb_max(0.0f, lb_warp_value(view, &view->u));
    view->first++;
    f->b = lb_max(0.0f, lb_warp_value(view, &view->u));
    view->first = view->by_phi = view->by_theta = 0;
    view->warp = &view->measured->sigma;
    float sigma = lb_warp_value(view, &view->out);
    view->warp = &view->measured->ndf;
    *f = lb_rgb_scale(*f, sigma > 0.0f ? lb_warp_value(view, &view->normal) / (4.0f * sigma) : 0.0f);
}

/* The solid angle around wi for an area of the square around the microfacet's normal `wm`. */
LB_INLINE float lb_measured_jacobian(lb_vec3 wo, lb_vec3 wm, lb_vec2 normal)
{
    float sine = lb_sqrt(wm.x * wm.x + wm.y * wm.y);
    return 4.0f * lb_dot(wo, wm) * lb_max(2.0f * LB_PI * LB_PI * normal.x * sine, 1e-6f);
}

LB_INLINE float lb_measured_density(float density)
{
    return density > 0.0f && lb_is_finite(density) ? density : 0.0f;
}

LB_SELDOM lb_rgb lb_measured_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_vec3 wo = bsdf->wo;
    lb_warp_view view;
    lb_rgb f;
    *pdf = 0.0f;
    if (!(wo.z * wi.z > 0.0f))
        return lb_rgb_grey(0.0f);
    if (wo.z < 0.0f) {
        wo = lb_negate(wo);
        wi = lb_negate(wi);
    }
    lb_vec3 wm = lb_normalize(lb_add(wo, wi));
    /* The angle of wm about the normal, beside wo's where that is all that counts. */
    float x = wm.x, y = wm.y;
    if (bsdf->measured->isotropic && (wo.x != 0.0f || wo.y != 0.0f)) {
        x = wm.x * wo.x + wm.y * wo.y;
        y = wm.y * wo.x - wm.x * wo.y;
    }
    view.normal = lb_measured_square(lb_atan2(lb_sqrt(wm.x * wm.x + wm.y * wm.y), wm.z), lb_atan2(y, x));
    view.u = view.normal;
    view.jacobian = lb_measured_jacobian(wo, wm, view.normal);
    lb_warp_view_make(bsdf->measured, bsdf->tables, wo, &view);
    view.warp = &view.measured->vndf;
    lb_warp_invert(&view, &view.u);
    view.warp = &view.measured->luminance;
    view.density *= lb_warp_value(&view, &view.u) * lb_warp_cells(view.warp);
    *pdf = lb_measured_density(view.density / view.jacobian);
    lb_measured_f(&view, &f);
    return f;
}

/* wo, or what is opposite to it, on the upper side. */
LB_INLINE lb_vec3 lb_measured_above(const lb_bsdf *bsdf)
{
    return bsdf->wo.z < 0.0f ? lb_negate(bsdf->wo) : bsdf->wo;
}

/* The microfacet's normal that view->normal stands for. */
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
    lb_warp_view_make(bsdf->measured, bsdf->tables, lb_measured_above(bsdf), &view);
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
    lb_scatter_set(scatter, bsdf->wo.z < 0.0f ? lb_negate(wi) : wi, lb_rgb_grey(0.0f), view.density);
    lb_measured_f(&view, &scatter->weight);
    scatter->weight = lb_rgb_scale(scatter->weight, 1.0f / view.density);
    return true;
}

#endif
