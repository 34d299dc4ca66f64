/* The channels of a picture beside its light: what the first surface is that a sample sees, where it is, how it is
 * turned, and how much the samples of a pixel differ. The loops that follow paths know nothing of this. Features are
 * gathered from the hits of the camera's rays, by functions of their own. */
#ifndef LB_CORE_KERNEL_INTEGRATORS_FEATURE_H
#define LB_CORE_KERNEL_INTEGRATORS_FEATURE_H

#include "core/kernel/film/around.h"
#include "core/kernel/integrators/path.h"

/* Does the picture have this kind of sums? */
LB_INLINE bool lb_channel_wanted(const lb_channels *channels, enum lb_channel_kind kind)
{
    return (channels->wanted & 1u << kind) != 0;
}

/* Does the picture have any of the kinds that come from a sample's first hit? */
LB_INLINE bool lb_channels_gather(const lb_channels *channels)
{
    return (channels->wanted & ((1u << LB_CHANNEL_SAMPLES) - 1)) != 0;
}

/* Does it have any of the kinds that come from a sample's light? */
LB_INLINE bool lb_channels_measure(const lb_channels *channels)
{
    return (channels->wanted & (1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES)) != 0;
}

/* Where the values of a sample go. */
typedef struct lb_gather {
    const lb_channels *channels;
    int64_t *sums;
    double bound;  /* lb_film_bound() of the picture */
    double weight; /* the sample's filter weight */
    bool shared;   /* as for lb_sum_add */
} lb_gather;

/* Adds weight * value, in the film's unit, to the sum at `place`. A value that is infinite or NaN adds nothing. */
LB_FUNCTION void lb_gather_value(const lb_gather *gather, uint32_t place, float value)
{
    if (lb_is_finite(value))
        lb_sum_add(gather->sums + place, lb_film_fixed((double)value * gather->weight, gather->bound),
                   gather->shared);
}

/* The same for the three sums of a kind. */
LB_FUNCTION void lb_gather_vec3(const lb_gather *gather, enum lb_channel_kind kind, lb_vec3 v)
{
    uint32_t place = gather->channels->first[kind];
    lb_gather_value(gather, place, v.x);
    lb_gather_value(gather, place + 1, v.y);
    lb_gather_value(gather, place + 2, v.z);
}

/* Adds a sample of a name to the sums of a matte (lb_matte). */
LB_FUNCTION void lb_gather_matte(const lb_gather *gather, uint32_t kind, uint32_t name)
{
    const lb_matte *matte = &gather->channels->mattes[kind - LB_CHANNEL_OBJECTS];
    int64_t *sums = gather->sums + gather->channels->first[kind], sign = gather->weight < 0.0 ? -1 : 1;
    uint64_t power = 1, prime = LB_MATTE_PRIME;
    if (matte->names == matte->sums) {
        lb_sum_add(sums + name, sign, gather->shared);
        return;
    }
    for (uint32_t j = 0; j < matte->sums; j++) {
        lb_sum_add(sums + j, sign * (int64_t)power, gather->shared);
        power *= 1 + (uint64_t)name;
        power = (power & prime) + (power >> 31);
        power = (power & prime) + (power >> 31);
    }
}

/* ---- what surface a sample sees ---- */

/* How many directions an albedo is estimated by. */
#define LB_ALBEDO_SAMPLES 16

/* Estimates the part of white light that the surface scatters towards the viewer, by a lattice of random numbers
 * (Roberts's R2 sequence) that `key` shifts. */
LB_FUNCTION lb_color lb_feature_albedo(const lb_bsdf *bsdf, uint32_t key)
{
    lb_color sum = lb_color_grey(0.0f);
    if (bsdf->kind == LB_MATERIAL_DIFFUSE)
        return bsdf->a;
    float shift = lb_unit_float(lb_hash_u32(key));
    for (uint32_t i = 0; i < LB_ALBEDO_SAMPLES; i++) {
        lb_scatter scatter;
        float n = (float)i + shift, x = n * 0.7548776662f, y = n * 0.5698402910f;
        if (lb_bsdf_sample(bsdf, n * (1.0f / LB_ALBEDO_SAMPLES),
                           lb_vec2_make(x - (float)(int32_t)x, y - (float)(int32_t)y), &scatter))
            sum = lb_color_add(sum, scatter.weight);
    }
    return lb_color_scale(sum, 1.0f / LB_ALBEDO_SAMPLES);
}

/* The transform from world space to the camera at the time of the ray. Where the camera moves it stands in `pose`. */
LB_FUNCTION const lb_transform *lb_feature_camera(const lb_scene *scene, const lb_ray *ray, lb_pose *pose)
{
    if (scene->camera.move == 0)
        return &scene->channels.camera_from_world;
    lb_move_pose(scene, scene->camera.move, ray->time, pose);
    return &pose->in;
}

/* A normal of world space in the space of a moving camera. */
LB_SELDOM lb_vec3 lb_feature_move_normal(const lb_scene *scene, lb_vec3 n, float time)
{
    lb_pose pose;
    lb_move_pose(scene, scene->camera.move, time, &pose);
    return lb_normalize(lb_transform_normal(&pose.out, n));
}

/* A unit normal of world space, turned towards where the ray comes from, in the space that the picture's channels are
 * to have. */
LB_FUNCTION lb_vec3 lb_feature_normal(const lb_scene *scene, lb_vec3 n, const lb_ray *ray)
{
    if (lb_dot(n, ray->direction) > 0.0f)
        n = lb_negate(n);
    if (scene->channels.world != 0)
        return n;
    if (scene->camera.move != 0)
        return lb_feature_move_normal(scene, n, ray->time);
    return lb_normalize(lb_transform_normal(&scene->camera.world_from_camera, n));
}

/* Adds where a point is, for the channels P and Z. */
LB_FUNCTION void lb_gather_position(const lb_scene *scene, const lb_gather *gather,
                                    const lb_transform *camera, lb_vec3 position)
{
    const lb_channels *channels = gather->channels;
    lb_vec3 seen = lb_transform_point(camera, position);
    if (lb_channel_wanted(channels, LB_CHANNEL_P))
        lb_gather_vec3(gather, LB_CHANNEL_P,
                       lb_scale(channels->world != 0 ? position : seen, channels->scale));
    if (lb_channel_wanted(channels, LB_CHANNEL_Z))
        lb_gather_value(gather, channels->first[LB_CHANNEL_Z],
                        (scene->camera.kind >= LB_CAMERA_EQUIRECTANGULAR ? lb_length(seen) : seen.z) *
                            channels->scale);
}

/* Adds where the surface is, and how its distance changes from pixel to pixel. */
LB_FUNCTION void lb_gather_place(const lb_scene *scene, const lb_gather *gather, const lb_surface *surface,
                                 const lb_ray *ray)
{
    const lb_channels *channels = gather->channels;
    lb_pose pose;
    const lb_transform *t = lb_feature_camera(scene, ray, &pose);
    lb_gather_position(scene, gather, t, surface->position);
    if (lb_channel_wanted(channels, LB_CHANNEL_DZ)) {
        lb_footprint footprint = lb_footprint_make(scene, surface->position, surface->ng, ray->time);
        uint32_t place = channels->first[LB_CHANNEL_DZ];
        bool world = channels->world != 0;
        lb_vec3 right = world ? footprint.dpdx : lb_transform_vector(t, footprint.dpdx);
        lb_vec3 down = world ? footprint.dpdy : lb_transform_vector(t, footprint.dpdy);
        lb_gather_value(gather, place, lb_abs(right.z) * channels->scale);
        lb_gather_value(gather, place + 1, lb_abs(down.z) * channels->scale);
    }
}

/* Where what was hit is seen on the film at the start (`time` 0) or the end (1) of the time range. False: nowhere. */
LB_FUNCTION bool lb_feature_film(const lb_scene *scene, const lb_ray *ray, const lb_hit *hit, float time,
                                 lb_vec2 *position)
{
    lb_vec3 point = lb_add_scaled(ray->origin, ray->direction, hit->t);
    uint32_t move =
        hit->instance == LB_NONE ? 0 : LB_ARRAY(scene, instances, lb_instance)[hit->instance].move;
    lb_pose pose;
    if (move != 0) {
        lb_move_pose(scene, move, ray->time, &pose);
        point = lb_transform_point(&pose.in, point);
        lb_move_pose(scene, move, time, &pose);
        point = lb_transform_point(&pose.out, point);
    }
    pose.in = scene->channels.camera_from_world;
    if (scene->camera.move != 0)
        lb_move_pose(scene, scene->camera.move, time, &pose);
    return lb_camera_film(scene, lb_transform_point(&pose.in, point), position);
}

/* Adds how far what was hit moves on the film in the whole time range, to the right and up. Where the camera sees all
 * directions by their longitude it moves the shorter way around. */
LB_SELDOM void lb_gather_motion(const lb_scene *scene, const lb_gather *gather, const lb_ray *ray,
                                const lb_hit *hit)
{
    uint32_t place = gather->channels->first[LB_CHANNEL_MOTION];
    float width = (float)scene->film.full_width;
    lb_vec2 from, to;
    if (scene->moves.count == 0 || !lb_feature_film(scene, ray, hit, 0.0f, &from) ||
        !lb_feature_film(scene, ray, hit, 1.0f, &to))
        return;
    float right = to.x - from.x;
    if (scene->camera.kind == LB_CAMERA_EQUIRECTANGULAR && lb_abs(right) > 0.5f * width)
        right -= right > 0.0f ? width : -width;
    lb_gather_value(gather, place, lb_clamp(right * (1.0f / LB_MOTION_UNIT), -1.0f, 1.0f));
    lb_gather_value(gather, place + 1, lb_clamp((from.y - to.y) * (1.0f / LB_MOTION_UNIT), -1.0f, 1.0f));
}

/* Adds what the material makes of the surface: shading normal and albedo. */
LB_FUNCTION void lb_gather_look(const lb_scene *scene, const lb_gather *gather, const lb_shape *shape,
                                const lb_surface *surface, const lb_path *path, const lb_hit *hit)
{
    const lb_channels *channels = gather->channels;
    lb_bsdf bsdf;
    bool scatters = lb_bsdf_make(scene, shape, surface, &path->ray, hit, NULL, &bsdf);
    if (lb_channel_wanted(channels, LB_CHANNEL_NS))
        lb_gather_vec3(gather, LB_CHANNEL_NS, lb_feature_normal(scene, bsdf.n, &path->ray));
    if (!scatters || !lb_channel_wanted(channels, LB_CHANNEL_ALBEDO))
        return;
    lb_rgb albedo =
        lb_color_albedo(scene, LB_QUAD_OF(&path->ray),
                        lb_feature_albedo(&bsdf, (uint32_t)path->sampler.key ^ path->sampler.sample));
    lb_gather_vec3(gather, LB_CHANNEL_ALBEDO, lb_vec3_make(albedo.r, albedo.g, albedo.b));
}

/* Adds which object and material the surface is of. `first`: the sample is number 0. */
LB_FUNCTION void lb_gather_numbers(const lb_scene *scene, const lb_gather *gather, const lb_shape *shape,
                                   bool first)
{
    const lb_channels *channels = gather->channels;
    /* Numbers of objects and materials have no mean, so those of sample 0 stand for the pixel. */
    if (first && lb_channel_wanted(channels, LB_CHANNEL_OBJECT))
        lb_sum_add(gather->sums + channels->first[LB_CHANNEL_OBJECT],
                   shape - LB_ARRAY(scene, shapes, lb_shape) + 1, gather->shared);
    if (first && lb_channel_wanted(channels, LB_CHANNEL_MATERIAL))
        lb_sum_add(gather->sums + channels->first[LB_CHANNEL_MATERIAL], (int64_t)shape->material + 1,
                   gather->shared);
    if (lb_channel_wanted(channels, LB_CHANNEL_OBJECTS))
        lb_gather_matte(gather, LB_CHANNEL_OBJECTS,
                        LB_ARRAY(scene, shape_names, uint32_t)[shape - LB_ARRAY(scene, shapes, lb_shape)]);
    if (lb_channel_wanted(channels, LB_CHANNEL_MATERIALS))
        lb_gather_matte(gather, LB_CHANNEL_MATERIALS,
                        LB_ARRAY(scene, material_names, uint32_t)[shape->material]);
}

/* Adds all that there is of the surface that was hit. */
LB_JOINED void lb_gather_surface(const lb_scene *scene, const lb_gather *gather, const lb_path *path,
                                 const lb_hit *hit)
{
    const lb_channels *channels = gather->channels;
    const lb_shape *shape = lb_hit_shape(scene, hit);
    lb_surface surface;
    /* First, as on GPUs what is live across a call takes registers. */
    lb_gather_numbers(scene, gather, shape, path->sampler.sample == 0);
    if (lb_channel_wanted(channels, LB_CHANNEL_MOTION))
        lb_gather_motion(scene, gather, &path->ray, hit);
    lb_surface_make(scene, shape, &path->ray, hit, &surface);
    lb_gather_place(scene, gather, &surface, &path->ray);
    if (lb_channel_wanted(channels, LB_CHANNEL_N))
        lb_gather_vec3(gather, LB_CHANNEL_N, lb_feature_normal(scene, surface.ng, &path->ray));
    if (lb_channel_wanted(channels, LB_CHANNEL_UV)) {
        lb_vec2 uv = lb_surface_uv(scene, shape, &path->ray, hit);
        lb_gather_value(gather, channels->first[LB_CHANNEL_UV], uv.x);
        lb_gather_value(gather, channels->first[LB_CHANNEL_UV] + 1, uv.y);
    }
    if ((channels->wanted & (1u << LB_CHANNEL_ALBEDO | 1u << LB_CHANNEL_NS)) != 0)
        lb_gather_look(scene, gather, shape, &surface, path, hit);
}

/* ---- groups of lights ---- */

#ifdef LB_GROUPS

/* What a group has brought to a path, as the film gets it of a sample whose light is scaled by `factor`. `path` becomes
 * one that has seen no other light. */
LB_FUNCTION lb_rgb lb_groups_light(const lb_scene *scene, lb_path *path, uint32_t group, float factor)
{
    path->radiance = path->groups.radiance[group];
    path->before = path->groups.before[group];
    lb_rgb c = lb_rgb_scale(lb_path_result(scene, path), scene->film.imaging_ratio);
    if (factor != 1.0f)
        c = lb_rgb_scale(c, factor);
    return scene->film.has_sensor != 0 ? lb_film_sense(&scene->film, c) : c;
}

/* Adds the parts of a path's light that groups have brought, or with `sign` -1 takes them away. `added` is what the
 * film got of the path. The parts add up to it exactly: what rounding would leave of each component goes to the group
 * that brought most of it, so that a group that brought nothing gets nothing. Afterwards `path` is of no use. */
LB_FUNCTION void lb_groups_add(const lb_scene *scene, lb_path *path, const int64_t added[3], float weight,
                               int64_t sign, int64_t *sums)
{
    double bound = lb_film_bound(scene->integrator.samples);
    float most = lb_rgb_max(lb_rgb_scale(lb_path_result(scene, path), scene->film.imaging_ratio));
    float factor = most > scene->film.max_component ? scene->film.max_component / most : 1.0f;
    float largest[3] = {-1.0f, -1.0f, -1.0f};
    int64_t left[3] = {added[0], added[1], added[2]};
    uint32_t whose[3] = {0, 0, 0};
    sums += scene->channels.first[LB_CHANNEL_GROUPS];
    for (uint32_t group = 0; group <= scene->channels.groups; group++) {
        lb_rgb c = lb_groups_light(scene, path, group, factor);
        const float parts[3] = {c.r, c.g, c.b};
        for (uint32_t i = 0; i < 3; i++) {
            int64_t part = lb_film_fixed((double)parts[i] * (double)weight, bound);
            sums[3 * group + i] += sign * part;
            left[i] -= part;
            if (lb_abs(parts[i]) > largest[i]) {
                largest[i] = lb_abs(parts[i]);
                whose[i] = group;
            }
        }
    }
    for (uint32_t i = 0; i < 3; i++)
        sums[3 * whose[i] + i] += sign * left[i];
}

#endif

/* ---- what lies behind all surfaces ---- */

/* Adds what the film gets of a camera ray that hits nothing, which light groups then do not have. `path` is left as it
 * is. */
LB_FUNCTION void lb_gather_background(const lb_scene *scene, const lb_gather *gather, const lb_path *path,
                                      float weight)
{
    lb_path escaping = *path;
    lb_film_pixel light;
    for (uint32_t i = 0; i < 3; i++)
        light.sum[i] = 0;
    light.weight = 0;
    escaping.throughput = lb_medium_passes(scene, path->medium, LB_INFINITY, path->throughput);
    lb_path_escape(scene, &escaping);
    if (!lb_film_add(&light, &scene->film, scene->integrator.samples,
                     lb_color_seen(scene, LB_QUAD_OF(&path->ray), escaping.radiance), weight))
        return;
    for (uint32_t i = 0; i < 3; i++)
        lb_sum_add(gather->sums + gather->channels->first[LB_CHANNEL_BACKGROUND] + i, light.sum[i],
                   gather->shared);
#ifdef LB_GROUPS
    if (lb_channel_wanted(gather->channels, LB_CHANNEL_GROUPS))
        lb_groups_add(scene, &escaping, light.sum, weight, -1, gather->sums);
#endif
}

/* ---- all that a sample sees ---- */

/* Adds what the path's sample sees to its pixel's sums. `hit` is that of path->ray, and the path has met nothing but
 * interfaces before. False: it has hit an interface again, and must go on behind it. The path is left as it is. */
LB_JOINED bool lb_feature_gather(const lb_scene *scene, const lb_path *path, const lb_hit *hit, float weight,
                                 int64_t *sums, bool shared)
{
    const lb_channels *channels = &scene->channels;
    lb_gather gather;
    bool escapes = hit->primitive.shape == LB_NONE;
    if (!escapes) {
        const lb_shape *shape = lb_hit_shape(scene, hit);
        if (LB_ARRAY(scene, materials, lb_material)[shape->material].kind == LB_MATERIAL_INTERFACE)
            return false;
    }
    gather.channels = channels;
    gather.sums = sums;
    gather.bound = lb_film_bound(scene->integrator.samples);
    gather.weight = (double)weight;
    gather.shared = shared;
    if (lb_channel_wanted(channels, LB_CHANNEL_WEIGHT))
        lb_gather_value(&gather, channels->first[LB_CHANNEL_WEIGHT], 1.0f);
    if (!escapes) {
        if (lb_channel_wanted(channels, LB_CHANNEL_COVER))
            lb_gather_value(&gather, channels->first[LB_CHANNEL_COVER], 1.0f);
        lb_gather_surface(scene, &gather, path, hit);
    } else if (lb_channel_wanted(channels, LB_CHANNEL_BACKGROUND)) {
        lb_gather_background(scene, &gather, path, weight);
    }
    return true;
}

/* ---- what light a sample brings ---- */

#ifdef LB_SPECTRAL

/* Adds what each wavelength of a path brings to its bucket, without exposure, as pbrt, and the sample's weight. */
LB_FUNCTION void lb_buckets_add(const lb_scene *scene, const lb_path *path, float weight, int64_t *sums,
                                bool shared)
{
    const lb_channels *channels = &scene->channels;
    double bound = lb_film_bound(scene->integrator.samples);
    float most = lb_color_max(path->radiance), factor = channels->bucket_unit;
    int64_t *light = sums + channels->first[LB_CHANNEL_BUCKETS], *weights = light + channels->buckets;
    if (most > channels->bucket_most)
        factor *= channels->bucket_most / most;
    for (uint32_t lane = 0; lane < 4; lane++) {
        uint64_t place = path->ray.quad + (uint64_t)lane * LB_QUADS;
        uint32_t bucket = (uint32_t)((2 * place + 1) * channels->buckets / (8 * LB_QUADS));
        double value = (double)(lb_color_lane(path->radiance, lane) * factor) * (double)weight;
        lb_sum_add(light + bucket, lb_film_fixed(value, bound), shared);
        lb_sum_add(weights + bucket, lb_film_fixed((double)weight, bound), shared);
    }
}

#endif

/* Squares are kept in two parts, so that small ones are exact and large ones fit: one in units of 2^-LB_SQUARE_HIGH,
 * and what is left of it in units of 2^-LB_SQUARE_LOW. */
#define LB_SQUARE_HIGH 10
#define LB_SQUARE_LOW  46

/* The two parts of the square of a value that is in the film's unit, rounded down. */
LB_INLINE void lb_square_parts(int64_t fixed, double bound, int64_t *high, int64_t *low)
{
    double x = (double)fixed * 0x1p-30, square = x * x * 0x1p10;
    square = square > bound ? bound : square;
    *high = (int64_t)square;
    *low = (int64_t)((square - (double)*high) * 0x1p36);
}

/* Adds a sample to the sums that tell how samples differ. `added` is what the film got of it, which is zero for a bad
 * sample. */
LB_FUNCTION void lb_feature_measure(const lb_scene *scene, const lb_film_pixel *added, int64_t *sums,
                                    bool shared)
{
    const lb_channels *channels = &scene->channels;
    double bound = lb_film_bound(scene->integrator.samples);
    if (lb_channel_wanted(channels, LB_CHANNEL_SAMPLES))
        lb_sum_add(sums + channels->first[LB_CHANNEL_SAMPLES], 1, shared);
    if (!lb_channel_wanted(channels, LB_CHANNEL_SQUARES))
        return;
    for (uint32_t i = 0; i < 3; i++) {
        int64_t high, low;
        int64_t *place = sums + channels->first[LB_CHANNEL_SQUARES] + 2 * i;
        lb_square_parts(added->sum[i], bound, &high, &low);
        lb_sum_add(place, high, shared);
        lb_sum_add(place + 1, low, shared);
    }
}

#endif
