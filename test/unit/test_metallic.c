/* Tests the metallic-roughness material by its properties: it never makes light, its samples follow the density that it
 * states, and it is reciprocal; and by values that appendix B of glTF's specification gives. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/kernel/materials/bsdf.h"
#include "bsdf_help.h"
#include "density_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float *table; /* of albedos, as scenes have it */

static int make_table(void **state)
{
    (void)state;
    table = calloc(LB_ALBEDO_FLOATS, sizeof *table);
    if (table)
        lb_albedo_tabulate(table);
    return table ? 0 : -1;
}

static int free_table(void **state)
{
    (void)state;
    free(table);
    return 0;
}

/* What a test asks of the material. */
struct setting {
    lb_rgb base, sheen;
    float metal, alpha, transmission, specular, ior, coat, coat_alpha, sheen_alpha;
    bool thin;
};

static const struct setting plain = {
    .base = {1.0f, 1.0f, 1.0f}, .alpha = 0.25f, .specular = 1.0f, .ior = 1.5f, .thin = true};

static lb_bsdf make(const struct setting *setting, lb_vec3 wo)
{
    lb_bsdf bsdf = bsdf_flat(LB_MATERIAL_METALLIC, wo);
    bsdf.a = setting->base;
    bsdf.eta = setting->ior;
    bsdf.facets = lb_microfacet_make(setting->alpha, setting->alpha);
    bsdf.smooth = lb_microfacet_is_smooth(bsdf.facets);
    bsdf.metal = setting->metal;
    bsdf.transmission = setting->transmission;
    bsdf.thin = setting->thin;
    bsdf.b = lb_metallic_f0(setting->ior, lb_rgb_grey(1.0f), setting->specular);
    bsdf.f90 = setting->specular;
    bsdf.metallic.coat = setting->coat;
    bsdf.base = lb_microfacet_make(setting->coat_alpha, setting->coat_alpha);
    bsdf.albedo = setting->sheen;
    bsdf.metallic.sheen_alpha = lb_sheen_alpha(setting->sheen_alpha);
    bsdf.albedos = table;
    lb_metallic_prepare(&bsdf, bsdf.n);
    return bsdf;
}

static lb_vec3 random_direction(lb_random *random)
{
    lb_vec3 w = lb_vector_around(between(random, 0.05f, 1.0f), unit(random));
    return unit(random) < 0.5f ? w : lb_negate(w);
}

/* Any setting; roughness from `least` on. */
static struct setting random_setting(lb_random *random, float least)
{
    struct setting s = plain;
    s.base = lb_rgb_make(unit(random), unit(random), unit(random));
    s.alpha = between(random, least, 1.0f);
    s.metal = unit(random) < 0.5f ? 0.0f : unit(random);
    s.transmission = unit(random) < 0.5f ? 0.0f : unit(random);
    s.specular = unit(random) < 0.5f ? 1.0f : unit(random);
    s.ior = between(random, 1.05f, 2.5f);
    s.thin = unit(random) < 0.5f;
    s.coat = unit(random) < 0.5f ? 0.0f : unit(random);
    s.coat_alpha = between(random, least, 1.0f);
    if (unit(random) < 0.5f)
        s.sheen = lb_rgb_make(unit(random), unit(random), unit(random));
    s.sheen_alpha = between(random, 0.02f, 1.0f);
    return s;
}

/* A hundred settings of white material under a white sky: none makes light, seen from any side. */
static void test_furnace(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 31);
    for (int round = 0; round < 100; round++) {
        struct setting s = random_setting(&random, round % 4 ? 0.01f : 0.0f);
        s.base = lb_rgb_grey(1.0f);
        if (round % 4 == 0)
            s.alpha = 0.0f;
        if (round % 8 == 0)
            s.coat_alpha = 0.0f;
        lb_bsdf bsdf = make(&s, random_direction(&random));
        double all = albedo(&bsdf, 20000, &random);
        if (!(all < 1.02))
            fail_msg("round %d: %g of the light; metal %g alpha %g through %g ior %g thin %d coat %g %g "
                     "sheen %g %g cosine %g",
                     round, all, (double)s.metal, (double)s.alpha, (double)s.transmission, (double)s.ior,
                     s.thin, (double)s.coat, (double)s.coat_alpha, (double)lb_rgb_max(s.sheen),
                     (double)s.sheen_alpha, (double)bsdf.wo.z);
    }
}

/* White dielectrics of any roughness, opaque ones and smooth clear ones, lose nothing; smooth white metals neither. */
static void test_keeps_light(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 32);
    for (int round = 0; round < 60; round++) {
        struct setting s = plain;
        s.alpha = round % 3 ? 0.0f : between(&random, 0.01f, 1.0f);
        s.metal = round % 3 == 1 ? 1.0f : 0.0f;
        s.transmission = round % 3 == 2 ? 1.0f : 0.0f;
        s.thin = round % 2;
        s.ior = between(&random, 1.1f, 2.2f);
        lb_bsdf bsdf = make(&s, random_direction(&random));
        double all = albedo(&bsdf, 40000, &random);
        /* Facets of a dielectric lose what their shadows take, which the diffuse base gets. */
        if (!(fabs(all - 1.0) < 0.02))
            fail_msg("round %d: %g of the light; alpha %g cosine %g", round, all, (double)s.alpha,
                     (double)bsdf.wo.z);
    }
}

static void test_samples_follow_density(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 33);
    for (int round = 0; round < 60; round++) {
        struct setting s = random_setting(&random, 0.15f);
        lb_bsdf bsdf = make(&s, random_direction(&random));
        check_density(&bsdf, round, &random);
    }
}

/* weight * pdf is f |cosine|, and the densities are the same. */
static void test_sample_agrees_with_evaluation(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 34);
    for (int round = 0; round < 20000; round++) {
        struct setting s = random_setting(&random, 0.1f);
        lb_bsdf bsdf = make(&s, random_direction(&random));
        lb_scatter scatter;
        float lobe = unit(&random), pdf;
        lb_vec2 u = lb_random_2d(&random);
        if (!lb_bsdf_sample(&bsdf, lobe, u, &scatter) || lb_abs(scatter.direction.z) < 1e-3f)
            continue;
        lb_rgb f = lb_bsdf_evaluate(&bsdf, scatter.direction, &pdf);
        assert_true(scatter.pdf > 0.0f);
        assert_true(fabsf(pdf - scatter.pdf) <= 2e-2f * pdf);
        assert_true(fabsf(f.g - scatter.weight.g * scatter.pdf) <= 2e-2f * f.g + 1e-6f);
        assert_int_equal(scatter.transmitted, bsdf.wo.z * scatter.direction.z < 0.0f);
    }
}

/* f(wo, wi) = f(wi, wo), through a body up to the square of the index. */
static void test_reciprocity(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 35);
    int met = 0;
    for (int round = 0; round < 20000; round++) {
        struct setting s = random_setting(&random, 0.1f);
        lb_vec3 wo = random_direction(&random), wi = random_direction(&random);
        lb_bsdf there = make(&s, wo), back = make(&s, wi);
        float pdf;
        float f = lb_bsdf_evaluate(&there, wi, &pdf).g / lb_abs(wi.z);
        float g = lb_bsdf_evaluate(&back, wo, &pdf).g / lb_abs(wo.z);
        if (wo.z * wi.z < 0.0f && !s.thin) {
            f *= wo.z > 0.0f ? s.ior * s.ior : 1.0f;
            g *= wi.z > 0.0f ? s.ior * s.ior : 1.0f;
        }
        met += f > 0.0f;
        if (!(fabsf(f - g) <= 2e-3f * (f + g) + 1e-4f))
            fail_msg("round %d: %g there, %g back; thin %d", round, (double)f, (double)g, s.thin);
    }
    assert_true(met > 12000);
}

/* Numbers that follow from appendix B by hand, at normal incidence and reflection, where D V = 1 / (4 pi alpha^2). */
static void test_values(void **state)
{
    (void)state;
    const lb_vec3 up = lb_vec3_make(0.0f, 0.0f, 1.0f);
    struct setting s = plain;
    float pdf, peak = 1.0f / (4.0f * LB_PI * 0.25f * 0.25f);
    s.base = lb_rgb_make(0.9f, 0.5f, 0.1f);
    s.metal = 1.0f;
    lb_bsdf bsdf = make(&s, up);
    lb_rgb metal = lb_bsdf_evaluate(&bsdf, up, &pdf);
    assert_float_equal(metal.r, 0.9f * peak, 1e-4f);
    assert_float_equal(metal.b, 0.1f * peak, 1e-4f);
    assert_float_equal(pdf, peak, 1e-4f); /* that of the only lobe */
    s.metal = 0.0f;
    bsdf = make(&s, up);
    lb_rgb dielectric = lb_bsdf_evaluate(&bsdf, up, &pdf);
    /* The specification's (1 - F) / pi, but for what couples the base to the reflection. */
    assert_float_equal(dielectric.g, 0.04f * peak + 0.96f * 0.5f * LB_1_PI, 0.01f);
    s.metal = 0.25f;
    bsdf = make(&s, up);
    assert_float_equal(lb_bsdf_evaluate(&bsdf, up, &pdf).g, lb_mix(0.25f, dielectric.g, metal.g), 1e-4f);
    s = plain;
    s.specular = 0.0f;
    s.base = lb_rgb_grey(0.5f);
    bsdf = make(&s, up);
    assert_float_equal(lb_bsdf_evaluate(&bsdf, up, &pdf).g, 0.5f * LB_1_PI, 1e-5f);
}

/* The mirrors among them scatter into single directions alone, and nothing else does. */
static void test_specular(void **state)
{
    (void)state;
    struct setting s = plain;
    const lb_vec3 up = lb_vec3_make(0.6f, 0.0f, 0.8f);
    s.alpha = 0.0f;
    s.metal = 1.0f;
    lb_bsdf bsdf = make(&s, up);
    assert_true(lb_bsdf_is_specular(&bsdf));
    s.coat = 1.0f;
    bsdf = make(&s, up);
    assert_true(lb_bsdf_is_specular(&bsdf));
    s.coat_alpha = 0.2f;
    bsdf = make(&s, up);
    assert_false(lb_bsdf_is_specular(&bsdf));
    s.coat = 0.0f;
    s.metal = 0.5f;
    bsdf = make(&s, up);
    assert_false(lb_bsdf_is_specular(&bsdf));
    s.metal = 0.0f;
    s.transmission = 1.0f;
    bsdf = make(&s, up);
    assert_true(lb_bsdf_is_specular(&bsdf));
    s.alpha = 0.1f;
    bsdf = make(&s, up);
    assert_false(lb_bsdf_is_specular(&bsdf));
}

/* Whatever the parameters and directions, also about a coat's own normal: no NaN, nothing negative or infinite. */
static void test_extremes(void **state)
{
    (void)state;
    static const float cosines[] = {1.0f, 0.5f, 1e-3f, 1e-7f, 1e-20f, 1e-40f}; /* the last two of wi alone */
    static const float alphas[] = {0.0f, 1e-3f, 1e-2f, 0.3f, 1.0f}, parts[] = {0.0f, 1e-6f, 0.5f, 1.0f};
    static const float iors[] = {1.0f, 1.0000001f, 1.5f, 100.0f};
    lb_random random;
    lb_random_start(&random, 36);
    for (int round = 0; round < 200000; round++) {
        uint32_t pick = lb_float_bits(unit(&random)) ^ (uint32_t)round * 2654435761u;
        struct setting s = {.base = lb_rgb_grey(parts[pick % 4]),
                            .metal = parts[pick / 4 % 4],
                            .alpha = alphas[pick / 16 % 5],
                            .transmission = parts[pick / 80 % 4],
                            .specular = parts[pick / 320 % 4],
                            .ior = iors[pick / 1280 % 4],
                            .coat = parts[pick / 5120 % 4],
                            .coat_alpha = alphas[pick / 20480 % 5],
                            .sheen = lb_rgb_grey(parts[pick / 102400 % 4]),
                            .sheen_alpha = alphas[pick / 409600 % 5],
                            .thin = pick / 2048000 % 2};
        float z = cosines[(uint32_t)round % 4], pdf;
        lb_vec3 wi = lb_vector_around(cosines[(uint32_t)round / 4 % 6], unit(&random));
        lb_bsdf bsdf = make(&s, lb_vector_around(round & 64 ? z : -z, unit(&random)));
        if (round & 128)
            lb_metallic_prepare(&bsdf, lb_sample_sphere(lb_random_2d(&random)));
        lb_rgb f = lb_bsdf_evaluate(&bsdf, round & 256 ? wi : lb_negate(wi), &pdf);
        if (!(f.g >= 0.0f && lb_is_finite(f.g) && pdf >= 0.0f && lb_is_finite(pdf)))
            fail_msg("round %d: f %g, pdf %g", round, (double)f.g, (double)pdf);
        lb_scatter scatter;
        float lobe = round & 512 ? unit(&random) : 1.0f - 0x1p-24f;
        if (!lb_bsdf_sample(&bsdf, lobe, lb_random_2d(&random), &scatter))
            continue;
        if (!(scatter.weight.g >= 0.0f && lb_is_finite(scatter.weight.g) && lb_is_finite(scatter.pdf)))
            fail_msg("round %d: weight %g, pdf %g", round, (double)scatter.weight.g, (double)scatter.pdf);
        if (!(fabsf(lb_length(scatter.direction) - 1.0f) < 1e-3f))
            fail_msg("round %d: direction %g %g %g; wo.z %g ior %g alpha %g transmitted %d", round,
                     (double)scatter.direction.x, (double)scatter.direction.y, (double)scatter.direction.z,
                     (double)bsdf.wo.z, (double)s.ior, (double)s.alpha, scatter.transmitted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_furnace),
        cmocka_unit_test(test_keeps_light),
        cmocka_unit_test(test_samples_follow_density),
        cmocka_unit_test(test_sample_agrees_with_evaluation),
        cmocka_unit_test(test_reciprocity),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_specular),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, make_table, free_table);
}
