/* Hair as pbrt-v4 has it: a dielectric cylinder with tilted scales (Chiang, Bitterli, Tappan, Burley, "A Practical and
 * Controllable Hair and Fur Model for Production Path Tracing", 2016; d'Eon et al. 2011). The x axis of the shading
 * frame is the direction of the hair, and directions on the whole sphere count. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_HAIR_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_HAIR_H

#include "core/kernel/materials/bsdf_types.h"
#include "core/kernel/materials/fresnel.h"

/* The lobes: light that is reflected (R), that passes through (TT), that is reflected inside once (TRT), and all the
 * rest. */
#define LB_HAIR_LOBES 4

/* What becomes of light on each of its ways through a hair, for a viewer in direction wo. */
typedef struct lb_hair_ways {
    float sin_o, cos_o, phi_o;    /* wo as an angle to the plane across the hair, and as one in it */
    float gamma_o, gamma_t;       /* angles to the surface's normal in that plane, outside and inside */
    lb_color part[LB_HAIR_LOBES]; /* the part of the light that goes each way */
    /* That with which each lobe is sampled; all are 0 where no light comes. */
    float probability[LB_HAIR_LOBES];
} lb_hair_ways;

/* A square root that takes what rounding made negative for 0. */
LB_INLINE float lb_hair_root(float x)
{
    return lb_sqrt(lb_max(0.0f, x));
}

/* ---- along the hair ---- */

/* The logarithm of the modified Bessel function of order 0. */
LB_FUNCTION float lb_hair_log_bessel(float x)
{
    float quarter = 0.25f * x * x, term = 1.0f, sum = 1.0f, i;
    if (x > 12.0f)
        return x + 0.5f * (1.0f / (8.0f * x) - lb_log(2.0f * LB_PI * x));
    for (i = 1.0f; i < 10.0f; i += 1.0f) {
        term = term * quarter / (i * i);
        sum += term;
    }
    return lb_log(sum);
}

/* The density of the angle of wi to the plane across the hair, for a lobe of this variance. */
LB_FUNCTION float lb_hair_along(float sin_i, float cos_i, float sin_o, float cos_o, float variance)
{
    float rcp = 1.0f / variance;
    float exponent = lb_hair_log_bessel(cos_i * cos_o * rcp) - sin_i * sin_o * rcp;
    /* Twice the hyperbolic sine is the exponential function, as far as a float can tell. */
    if (variance <= 0.1f)
        return lb_exp(exponent - rcp) * rcp;
    return lb_exp(exponent) / (variance * (lb_exp(rcp) - lb_exp(-rcp)));
}

/* The angle of wo to the plane across the hair, as the tilt of the scales changes it for a lobe. */
LB_FUNCTION void lb_hair_tilt(const lb_bsdf *bsdf, const lb_hair_ways *ways, uint32_t lobe, float *sine,
                              float *cosine)
{
    /* It is tilted by -2, 1 and 4 times the angle of the scales. */
    uint32_t power = lobe == 0 ? 1u : lobe == 1 ? 0u : 2u;
    float s = bsdf->hair.sin_alpha[power], c = bsdf->hair.cos_alpha[power];
    s = lobe == 0 ? -s : s;
    *sine = ways->sin_o;
    *cosine = ways->cos_o;
    if (lobe >= LB_HAIR_LOBES - 1)
        return;
    *sine = ways->sin_o * c + ways->cos_o * s;
    *cosine = lb_abs(ways->cos_o * c - ways->sin_o * s);
}

/* The variance of a lobe along the hair. */
LB_INLINE float lb_hair_variance(const lb_bsdf *bsdf, uint32_t lobe)
{
    return bsdf->hair.variance * (lobe == 0 ? 1.0f : lobe == 1 ? 0.25f : 4.0f);
}

/* ---- around the hair ---- */

/* The change of azimuth on a way that is specular all along. */
LB_INLINE float lb_hair_turn(const lb_hair_ways *ways, uint32_t lobe)
{
    return 2.0f * (float)lobe * ways->gamma_t - 2.0f * ways->gamma_o + (float)lobe * LB_PI;
}

/* The part of the logistic distribution that lies below x. */
LB_INLINE float lb_hair_logistic_below(float x, float scale)
{
    return 1.0f / (1.0f + lb_exp(-x / scale));
}

/* The density of an azimuth: a logistic distribution around the specular one, cut to one turn. */
LB_FUNCTION float lb_hair_around(const lb_bsdf *bsdf, const lb_hair_ways *ways, uint32_t lobe, float phi)
{
    float scale = bsdf->hair.scale, off = phi - lb_hair_turn(ways, lobe), tail;
    if (lobe >= LB_HAIR_LOBES - 1)
        return 0.5f * LB_1_PI;
    while (off > LB_PI)
        off -= 2.0f * LB_PI;
    while (off < -LB_PI)
        off += 2.0f * LB_PI;
    tail = lb_exp(-lb_abs(off) / scale);
    return tail / (scale * (1.0f + tail) * (1.0f + tail)) /
           (lb_hair_logistic_below(LB_PI, scale) - lb_hair_logistic_below(-LB_PI, scale));
}

/* Draws a change of azimuth with that density, by u in [0, 1). */
LB_INLINE float lb_hair_draw_around(const lb_bsdf *bsdf, const lb_hair_ways *ways, uint32_t lobe, float u)
{
    float scale = bsdf->hair.scale, low = lb_hair_logistic_below(-LB_PI, scale);
    float part = low + u * (lb_hair_logistic_below(LB_PI, scale) - low);
    if (lobe >= LB_HAIR_LOBES - 1)
        return 2.0f * LB_PI * u;
    return lb_hair_turn(ways, lobe) + lb_clamp(-scale * lb_log(1.0f / part - 1.0f), -LB_PI, LB_PI);
}

/* ---- absorption ---- */

/* Fills the parts and probabilities for a hair that lets `passed` of the light through once and reflects `reflected` of
 * it at its surface. */
LB_INLINE void lb_hair_parts(lb_hair_ways *ways, float reflected, lb_color passed)
{
    lb_color within = lb_color_scale(passed, reflected);
    float sum = 0.0f;
    uint32_t i;
    ways->part[0] = lb_color_grey(reflected);
    ways->part[1] = lb_color_scale(passed, (1.0f - reflected) * (1.0f - reflected));
    ways->part[2] = lb_color_mul(ways->part[1], within);
    /* All further reflections are a geometric series. Where it does not converge, no light went in. */
#define LB_LANE(l) within.l < 1.0f ? 1.0f / (1.0f - within.l) : 0.0f
    ways->part[3] = lb_color_mul(lb_color_mul(ways->part[2], within), LB_LANES(LB_LANE));
#undef LB_LANE
    for (i = 0; i < LB_HAIR_LOBES; i++) {
        ways->probability[i] = lb_color_average(ways->part[i]);
        sum += ways->probability[i];
    }
    for (i = 0; i < LB_HAIR_LOBES; i++)
        ways->probability[i] = sum > 0.0f ? ways->probability[i] / sum : 0.0f;
}

/* Fills `ways` for the direction wo of the bsdf. */
LB_FUNCTION void lb_hair_follow(const lb_bsdf *bsdf, lb_hair_ways *ways)
{
    lb_vec3 wo = bsdf->wo;
    float h = bsdf->hair.h, eta = bsdf->eta, sin_t, cos_t, way;
    ways->sin_o = wo.x;
    ways->cos_o = lb_hair_root(1.0f - wo.x * wo.x);
    ways->phi_o = lb_atan2(wo.z, wo.y);
    sin_t = ways->sin_o / eta;
    cos_t = lb_max(lb_hair_root(1.0f - sin_t * sin_t), 1e-6f);
    /* The relative index is the one that holds for the ways' projections into the plane across the hair. */
    sin_t = lb_clamp(h * ways->cos_o / lb_max(lb_hair_root(eta * eta - ways->sin_o * ways->sin_o), 1e-6f),
                     -1.0f, 1.0f);
    ways->gamma_o = lb_asin(h);
    ways->gamma_t = lb_asin(sin_t);
    way = 2.0f * lb_hair_root(1.0f - sin_t * sin_t) / cos_t;
#define LB_LANE(l) lb_exp(-bsdf->a.l *way)
    lb_hair_parts(ways, lb_fresnel_dielectric(ways->cos_o * lb_hair_root(1.0f - h * h), eta),
                  LB_LANES(LB_LANE));
#undef LB_LANE
}

/* ---- all together ---- */

/* The sum over all lobes of f |cosine of wi|, and the density of drawing wi. */
LB_JOINED lb_color lb_hair_sum(const lb_bsdf *bsdf, const lb_hair_ways *ways, lb_vec3 wi, float *pdf)
{
    float sin_i = wi.x, cos_i = lb_hair_root(1.0f - wi.x * wi.x), phi = lb_atan2(wi.z, wi.y) - ways->phi_o;
    lb_color sum = lb_color_grey(0.0f);
    uint32_t lobe;
    *pdf = 0.0f;
    for (lobe = 0; lobe < LB_HAIR_LOBES; lobe++) {
        float sine, cosine, density;
        lb_hair_tilt(bsdf, ways, lobe, &sine, &cosine);
        density = lb_hair_along(sin_i, cos_i, sine, cosine, lb_hair_variance(bsdf, lobe)) *
                  lb_hair_around(bsdf, ways, lobe, phi);
        sum = lb_color_add(sum, lb_color_scale(ways->part[lobe], density));
        *pdf += ways->probability[lobe] * density;
    }
    return sum;
}

LB_SELDOM lb_color lb_hair_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_hair_ways ways;
    lb_hair_follow(bsdf, &ways);
    return lb_hair_sum(bsdf, &ways, wi, pdf);
}

/* Chooses a lobe by `*u` in [0, 1), which becomes a random number that is as good as new. */
LB_INLINE uint32_t lb_hair_choose(const lb_hair_ways *ways, float *u)
{
    uint32_t lobe = 0;
    float before = 0.0f;
    while (lobe < LB_HAIR_LOBES - 1 && *u >= before + ways->probability[lobe])
        before += ways->probability[lobe++];
    *u = lb_clamp((*u - before) / ways->probability[lobe], 0.0f, 1.0f - 0x1p-24f);
    return lobe;
}

LB_SELDOM bool lb_hair_sample(const lb_bsdf *bsdf, float u, lb_vec2 v, lb_scatter *scatter)
{
    lb_hair_ways ways;
    float sine, cosine, variance, along, across, sin_i, cos_i, s, c, pdf;
    uint32_t lobe;
    lb_hair_follow(bsdf, &ways);
    lobe = lb_hair_choose(&ways, &u);
    lb_hair_tilt(bsdf, &ways, lobe, &sine, &cosine);
    variance = lb_hair_variance(bsdf, lobe);
    along = 1.0f + variance * lb_log(lb_max(v.x, 1e-5f) + (1.0f - v.x) * lb_exp(-2.0f / variance));
    across = lb_hair_root(1.0f - along * along);
    lb_sincos_turn(v.y, &s, &c);
    sin_i = lb_clamp(across * c * cosine - along * sine, -1.0f, 1.0f);
    cos_i = lb_hair_root(1.0f - sin_i * sin_i);
    lb_sincos(ways.phi_o + lb_hair_draw_around(bsdf, &ways, lobe, u), &s, &c);
    lb_vec3 wi = lb_vec3_make(sin_i, cos_i * c, cos_i * s);
    lb_color f = lb_hair_sum(bsdf, &ways, wi, &pdf);
    if (!(pdf > 0.0f) || !lb_is_finite(pdf))
        return false;
    lb_scatter_set(scatter, wi, lb_color_scale(f, 1.0f / pdf), pdf);
    return true;
}

/* ---- its parameters ---- */

/* The absorption that gives a hair this color on the whole, where light scatters often (Chiang et al., equation 9). */
LB_INLINE float lb_hair_absorption(float reflectance, float beta_n)
{
    float b = beta_n, b2 = b * b;
    float root =
        lb_log(lb_clamp(reflectance, 1e-6f, 1.0f)) /
        (5.969f - 0.215f * b + 2.532f * b2 - 10.73f * b2 * b + 5.574f * b2 * b2 + 0.245f * b2 * b2 * b);
    return root * root;
}

/* Sets bsdf->hair from the roughness along the hair (beta_m) and around it (beta_n), the tilt of the scales in radians,
 * and the place h across the hair where the ray hits it, from -1 to 1. */
LB_INLINE void lb_hair_make(lb_bsdf *bsdf, float h, float beta_m, float beta_n, float tilt)
{
    float m4, m8, m16, n2, n4, n8, n16, root;
    uint32_t i;
    beta_m = lb_clamp(beta_m, 0.01f, 1.0f);
    beta_n = lb_clamp(beta_n, 0.01f, 1.0f);
    m4 = beta_m * beta_m * (beta_m * beta_m);
    m8 = m4 * m4;
    m16 = m8 * m8;
    root = 0.726f * beta_m + 0.812f * beta_m * beta_m + 3.7f * m16 * m4;
    bsdf->hair.variance = root * root;
    n2 = beta_n * beta_n;
    n4 = n2 * n2;
    n8 = n4 * n4;
    n16 = n8 * n8;
    bsdf->hair.scale = 0.626657069f * (0.265f * beta_n + 1.194f * n2 + 5.372f * n16 * n4 * n2);
    bsdf->hair.h = lb_clamp(h, -1.0f, 1.0f);
    bsdf->hair.sin_alpha[0] = lb_sin(tilt);
    bsdf->hair.cos_alpha[0] = lb_hair_root(1.0f - bsdf->hair.sin_alpha[0] * bsdf->hair.sin_alpha[0]);
    for (i = 1; i < 3; i++) {
        float s = bsdf->hair.sin_alpha[i - 1], c = bsdf->hair.cos_alpha[i - 1];
        bsdf->hair.sin_alpha[i] = 2.0f * c * s;
        bsdf->hair.cos_alpha[i] = c * c - s * s;
    }
}

#endif
