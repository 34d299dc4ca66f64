/* How a subsurface material spreads the light that goes in: by a profile of the distance to where it comes out (a
 * separable BSSRDF, as pbrt-v4's). core/scene/materials/diffusion.h tabulates it by albedo and radius. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSSRDF_H
#define LB_CORE_KERNEL_MATERIALS_BSSRDF_H

#include "core/kernel/materials/material.h"

/* The table holds floats: radii in mean free paths, from 0 up; albedos from 0 to 1; then for each albedo a row of
 * values, 2 pi r times the light that comes out per area at the radii r; then for each albedo a row of their integrals
 * from 0 to these radii. Between radii and between albedos all is linear. */
#define LB_PROFILE_VALUES (LB_PROFILE_RADII + LB_PROFILE_ALBEDOS)
#define LB_PROFILE_SUMS   (LB_PROFILE_VALUES + LB_PROFILE_ALBEDOS * LB_PROFILE_RADII)

/* Mean free paths below this would leave floats no room between two points of a surface. */
#define LB_BSSRDF_SHORTEST 1e-6f

/* What a material does to light that goes in at one point, by band. */
typedef struct lb_bssrdf {
    const float *table;
    float sigma[LB_LANE_COUNT];  /* extinction: 1 over the mean free path; 0: no light comes out */
    float albedo[LB_LANE_COUNT]; /* as a place among the table's rows, 0 .. LB_PROFILE_ALBEDOS - 1 */
    float reach[LB_LANE_COUNT];  /* within which exits are looked for; negative: nowhere */
} lb_bssrdf;

/* The place of x among `count` rising values that lie `stride` apart: the index of the one below, and the part of the
 * way to the next one. */
LB_FUNCTION float lb_profile_place(const float *values, uint32_t stride, uint32_t count, float x)
{
    uint32_t low = 0, high = count - 1;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (values[middle * stride] <= x)
            low = middle;
        else
            high = middle;
    }
    float first = values[low * stride], last = values[high * stride];
    return (float)low + (last > first ? lb_clamp((x - first) / (last - first), 0.0f, 1.0f) : 0.0f);
}

/* Two rows of the table, between which an albedo lies, and the part of the way from one to the other. */
typedef struct lb_profile_rows {
    const float *low, *high;
    float part;
} lb_profile_rows;

LB_INLINE lb_profile_rows lb_profile_between(const float *rows, float albedo)
{
    lb_profile_rows between;
    int32_t row = lb_to_int(lb_clamp(albedo, 0.0f, (float)(LB_PROFILE_ALBEDOS - 2)));
    between.low = rows + row * LB_PROFILE_RADII;
    between.high = between.low + LB_PROFILE_RADII;
    between.part = albedo - (float)row;
    return between;
}

LB_INLINE float lb_profile_at(lb_profile_rows rows, uint32_t radius)
{
    return lb_mix(rows.part, rows.low[radius], rows.high[radius]);
}

/* The part of the light that comes out at any radius. */
LB_INLINE float lb_profile_whole(const float *table, float albedo)
{
    return lb_profile_at(lb_profile_between(table + LB_PROFILE_SUMS, albedo), LB_PROFILE_RADII - 1);
}

/* The part of the light that comes out per area at a radius, both in units of the mean free path. */
LB_FUNCTION float lb_profile_evaluate(const float *table, float albedo, float radius)
{
    radius = lb_max(radius, 1e-6f);
    if (!(radius < table[LB_PROFILE_RADII - 1]))
        return 0.0f;
    lb_profile_rows rows = lb_profile_between(table + LB_PROFILE_VALUES, albedo);
    float place = lb_profile_place(table, 1, LB_PROFILE_RADII, radius);
    uint32_t cell = (uint32_t)lb_to_int(lb_min(place, (float)(LB_PROFILE_RADII - 2)));
    float value = lb_mix(place - (float)cell, lb_profile_at(rows, cell), lb_profile_at(rows, cell + 1));
    return value / (2.0f * LB_PI * radius);
}

/* The radius within which the part u, from 0 to 1, of what comes out does so; negative where nothing does. */
LB_FUNCTION float lb_profile_sample(const float *table, float albedo, float u)
{
    lb_profile_rows values = lb_profile_between(table + LB_PROFILE_VALUES, albedo);
    lb_profile_rows sums = lb_profile_between(table + LB_PROFILE_SUMS, albedo);
    float left = u * lb_profile_at(sums, LB_PROFILE_RADII - 1);
    uint32_t low = 0, high = LB_PROFILE_RADII - 1;
    if (!(lb_profile_at(sums, high) > 0.0f))
        return -1.0f;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (lb_profile_at(sums, middle) <= left)
            low = middle;
        else
            high = middle;
    }
    /* Within the cell the density rises or falls evenly, and its integral is a parabola. */
    float first = lb_profile_at(values, low), last = lb_profile_at(values, high);
    float width = table[high] - table[low];
    left = lb_max(left - lb_profile_at(sums, low), 0.0f);
    float root = lb_sqrt(lb_max(first * first + 2.0f * left * (last - first) / width, 0.0f));
    float way = first + root > 0.0f ? 2.0f * left / (first + root) : 0.0f;
    return table[low] + lb_min(way, width);
}

/* ---- materials ---- */

/* The part of the light that is looked for: the rest comes out so far away that searches would be long (pbrt). */
#define LB_BSSRDF_PART 0.999f

LB_INLINE float lb_bssrdf_coefficient(float sigma, float scale)
{
    return lb_clamp(sigma * scale, 0.0f, 0.5f / LB_BSSRDF_SHORTEST);
}

/* What a material does to light that goes in at `place`. */
LB_FUNCTION lb_bssrdf lb_bssrdf_make(const lb_scene *scene, const lb_material *material,
                                     const lb_texture_place *place)
{
    lb_bssrdf bssrdf;
    const float *table = LB_ARRAY(scene, tables, float) + material->profile;
    const float *wholes = table + LB_PROFILE_SUMS + LB_PROFILE_RADII - 1;
    bool by_reflectance = material->by_reflectance != 0;
    lb_color a = lb_texture_color(scene, by_reflectance ? &material->reflectance : &material->sigma_a, place);
    lb_color b = lb_texture_color(scene, by_reflectance ? &material->mfp : &material->sigma_s, place);
    bssrdf.table = table;
    for (uint32_t i = 0; i < LB_LANE_COUNT; i++) {
        float first = lb_color_lane(a, i), second = lb_color_lane(b, i);
        if (by_reflectance) {
            bssrdf.sigma[i] = 1.0f / lb_max(second * material->scale, LB_BSSRDF_SHORTEST);
            bssrdf.albedo[i] = lb_profile_place(wholes, LB_PROFILE_RADII, LB_PROFILE_ALBEDOS, first);
        } else {
            float absorbs = lb_bssrdf_coefficient(first, material->scale);
            float scatters = lb_bssrdf_coefficient(second, material->scale);
            bssrdf.sigma[i] = absorbs + scatters;
            bssrdf.albedo[i] = lb_profile_place(table + LB_PROFILE_RADII, 1, LB_PROFILE_ALBEDOS,
                                                bssrdf.sigma[i] > 0.0f ? scatters / bssrdf.sigma[i] : 0.0f);
        }
        bssrdf.reach[i] = -1.0f;
        if (bssrdf.sigma[i] > 0.0f)
            bssrdf.reach[i] = lb_profile_sample(table, bssrdf.albedo[i], LB_BSSRDF_PART) / bssrdf.sigma[i];
    }
    return bssrdf;
}

/* The part of a band's light that comes out per area at a radius, in units of the scene. */
LB_INLINE float lb_bssrdf_spread(const lb_bssrdf *bssrdf, uint32_t band, float radius)
{
    float sigma = bssrdf->sigma[band];
    return lb_profile_evaluate(bssrdf->table, bssrdf->albedo[band], radius * sigma) * sigma * sigma;
}

/* ---- where light comes out ---- */

/* Axes along which exits are looked for: the normal, and two directions across it, with these probabilities. Whatever
 * way a surface bends, one of the axes meets it (King, Kulla, Conty, Fajardo 2013). */
#define LB_BSSRDF_NORMAL 0.5f
#define LB_BSSRDF_ACROSS 0.25f

/* A search for where light comes out again that went in at `from`. */
typedef struct lb_bssrdf_probe {
    uint32_t active; /* the path's ray looks for exits */
    /* That light went in through. Surfaces that have it are exits, those of a mix that holds it are not, as in pbrt. */
    uint32_t material;
    uint32_t exits; /* met so far */
    /* Of the exit that is chosen of them, each as likely as the others: the ray that met it, and its hit. */
    lb_ray ray;
    lb_hit hit;
    lb_vec3 from, n; /* where light went in, and the normal there */
    lb_bssrdf bssrdf;
} lb_bssrdf_probe;

/* Makes `ray` the one that looks for exits, for a radius that `band` draws. False: it draws none. */
LB_FUNCTION bool lb_bssrdf_probe_aim(lb_bssrdf_probe *probe, uint32_t band, float axis, lb_vec2 u,
                                     lb_ray *ray)
{
    const lb_bssrdf *bssrdf = &probe->bssrdf;
    lb_vec3 n = probe->n, s, t, along = n;
    float reach = bssrdf->reach[band], sine, cosine;
    float radius = lb_profile_sample(bssrdf->table, bssrdf->albedo[band], u.x) / bssrdf->sigma[band];
    if (!(reach > 0.0f) || !(radius >= 0.0f && radius < reach))
        return false;
    lb_basis(n, &s, &t);
    if (axis >= LB_BSSRDF_NORMAL + LB_BSSRDF_ACROSS) {
        along = t;
        t = n;
    } else if (axis >= LB_BSSRDF_NORMAL) {
        along = s;
        s = n;
    }
    float half = lb_sqrt(reach * reach - radius * radius);
    lb_sincos_turn(u.y, &sine, &cosine);
    lb_vec3 middle = lb_add_scaled(lb_add_scaled(probe->from, s, radius * cosine), t, radius * sine);
    ray->origin = lb_add_scaled(middle, along, -half);
    ray->direction = along;
    ray->t_max = 2.0f * half;
    ray->from = 0;
    ray->from_instance = LB_NONE;
    return true;
}

/* Takes the ray over a surface that it met, which may be an exit. False: the search is at its end. */
LB_FUNCTION bool lb_bssrdf_probe_pass(const lb_scene *scene, const lb_hit *hit, lb_random *random,
                                      lb_bssrdf_probe *probe, lb_ray *ray)
{
    if (hit->primitive.shape == LB_NONE)
        return false;
    const lb_shape *shape = lb_hit_shape(scene, hit);
    lb_surface surface;
    lb_surface_make(scene, shape, ray, hit, &surface);
    if (shape->material == probe->material) {
        probe->exits++;
        if (probe->exits == 1 || lb_random_1d(random) * (float)probe->exits < 1.0f) {
            probe->ray = *ray;
            probe->hit = *hit;
        }
    }
    lb_surface_leave(shape, &surface, hit, ray->direction, ray);
    ray->t_max -= hit->t;
    return ray->t_max > 0.0f;
}

/* What comes out per area at a surface, and the density per area with which a search by each band's radii finds it. */
LB_FUNCTION void lb_bssrdf_probe_weigh(const lb_bssrdf_probe *probe, const lb_surface *surface,
                                       lb_color *spread, lb_color *density)
{
    const lb_bssrdf *bssrdf = &probe->bssrdf;
    lb_vec3 s, t, way = lb_sub(surface->position, probe->from);
    float distance = lb_length(way);
    lb_basis(probe->n, &s, &t);
    float x = lb_dot(way, s), y = lb_dot(way, t), z = lb_dot(way, probe->n), out[LB_LANE_COUNT],
          drawn[LB_LANE_COUNT];
    float across_n = lb_sqrt(x * x + y * y), across_s = lb_sqrt(y * y + z * z),
          across_t = lb_sqrt(z * z + x * x);
    float n_part = LB_BSSRDF_NORMAL * lb_abs(lb_dot(surface->ng, probe->n));
    float s_part = LB_BSSRDF_ACROSS * lb_abs(lb_dot(surface->ng, s));
    float t_part = LB_BSSRDF_ACROSS * lb_abs(lb_dot(surface->ng, t));
    for (uint32_t i = 0; i < LB_LANE_COUNT; i++) {
        float whole = lb_profile_whole(bssrdf->table, bssrdf->albedo[i]);
        out[i] = lb_bssrdf_spread(bssrdf, i, distance);
        drawn[i] = n_part * lb_bssrdf_spread(bssrdf, i, across_n) +
                   s_part * lb_bssrdf_spread(bssrdf, i, across_s) +
                   t_part * lb_bssrdf_spread(bssrdf, i, across_t);
        drawn[i] = whole > 0.0f && distance < bssrdf->reach[i] ? drawn[i] / whole : 0.0f;
    }
    *spread = lb_color_of_lanes(out);
    *density = lb_color_of_lanes(drawn);
}

#endif
