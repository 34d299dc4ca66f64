/* Tests scattering functions by their properties: samples follow the densities that are stated, densities integrate to
 * one, light is neither made nor lost where it may not be, and scattering is reciprocal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define LB_LED
#include "core/kernel/guiding/led.h"
#include "core/kernel/materials/albedo_table.h"
#include "core/kernel/materials/bsdf.h"
#include "core/kernel/media/phase.h"
#include "core/scene/materials/diffusion.h"
#include "bsdf_help.h"
#include "density_test.h"

#include <math.h>
#include <string.h>

static lb_vec3 random_above(lb_random *random)
{
    return lb_vector_around(between(random, 0.05f, 1.0f), unit(random));
}

/* A scattering function in the frame of world space. */
static lb_bsdf make(uint32_t kind, lb_vec3 wo, float ax, float ay, float eta)
{
    lb_bsdf bsdf = bsdf_flat(kind, wo);
    bsdf.facets = lb_microfacet_make(ax, ay);
    bsdf.eta = eta;
    bsdf.smooth =
        lb_microfacet_is_smooth(bsdf.facets) || (kind != LB_MATERIAL_CONDUCTOR && lb_index_is_matched(eta));
    bsdf.a = lb_rgb_make(0.5f, 0.5f, 0.5f);
    if (kind == LB_MATERIAL_CONDUCTOR) {
        bsdf.a = lb_rgb_make(0.2f, 0.9f, 1.1f);
        bsdf.b = lb_rgb_make(3.9f, 2.4f, 2.1f);
    }
    if (kind == LB_MATERIAL_COATED_DIFFUSE) {
        bsdf.thickness = 0.01f;
        bsdf.max_depth = 10;
        bsdf.samples = 1;
        lb_coat_prepare(&bsdf);
    }
    if (kind == LB_MATERIAL_DIFFUSE_TRANSMISSION)
        bsdf.b = lb_rgb_make(0.1f, 0.2f, 0.3f);
    if (kind == LB_MATERIAL_COATED_CONDUCTOR) {
        bsdf.a = lb_rgb_make(0.2f, 0.9f, 1.1f);
        bsdf.b = lb_rgb_make(3.9f, 2.4f, 2.1f);
        bsdf.base = lb_microfacet_make(ay, ax);
        bsdf.base_smooth = lb_microfacet_is_smooth(bsdf.base);
        bsdf.thickness = 0.01f;
        bsdf.max_depth = 10;
        bsdf.samples = 1;
    }
    return bsdf;
}

/* A scattering function of any kind that is not smooth, seen from any side. */
static lb_bsdf random_rough(lb_random *random)
{
    static const uint32_t kinds[] = {LB_MATERIAL_DIFFUSE,        LB_MATERIAL_CONDUCTOR,
                                     LB_MATERIAL_DIELECTRIC,     LB_MATERIAL_DIELECTRIC,
                                     LB_MATERIAL_COATED_DIFFUSE, LB_MATERIAL_DIFFUSE_TRANSMISSION};
    lb_vec3 wo = random_above(random);
    if (unit(random) < 0.5f)
        wo.z = -wo.z;
    float ax = between(random, 0.15f, 0.8f), ay = between(random, 0.15f, 0.8f);
    return make(kinds[(int)(unit(random) * 6.0f)], wo, ax, ay, between(random, 1.1f, 2.0f));
}

static void test_samples_follow_density(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 1);
    for (int round = 0; round < 40; round++) {
        lb_bsdf bsdf = random_rough(&random);
        check_density(&bsdf, round, &random);
    }
}

/* What sampling says agrees with what evaluating the same direction says: weight * pdf is f |cosine|, and the densities
 * are the same. */
static void test_sample_agrees_with_evaluation(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 2);
    for (int round = 0; round < 20000; round++) {
        lb_bsdf bsdf = random_rough(&random);
        lb_scatter scatter;
        float lobe = unit(&random), pdf;
        lb_vec2 u = lb_random_2d(&random);
        if (!lb_bsdf_sample(&bsdf, lobe, u, &scatter) || lb_abs(scatter.direction.z) < 1e-3f)
            continue;
        lb_rgb f = lb_bsdf_evaluate(&bsdf, scatter.direction, &pdf);
        assert_true(scatter.pdf > 0.0f);
        assert_true(fabsf(pdf - scatter.pdf) <= 2e-2f * pdf);
        assert_int_equal(scatter.transmitted, bsdf.wo.z * scatter.direction.z < 0.0f);
        if (bsdf.kind == LB_MATERIAL_COATED_DIFFUSE) /* lit directions are weighted otherwise */
            continue;
        assert_true(fabsf(f.g - scatter.weight.g * scatter.pdf) <= 2e-2f * f.g + 1e-6f);
    }
}

/* f(wo, wi) = f(wi, wo); through glass up to the square of the index. */
static void test_reciprocity(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 3);
    int met = 0;
    for (int round = 0; round < 20000; round++) {
        lb_bsdf there = random_rough(&random);
        lb_vec3 wi = random_above(&random);
        float pdf;
        if (there.kind == LB_MATERIAL_COATED_DIFFUSE)
            continue;
        if (unit(&random) < 0.5f)
            wi.z = -wi.z;
        lb_bsdf back = there;
        back.wo = wi;
        float f = lb_bsdf_evaluate(&there, wi, &pdf).g / lb_abs(wi.z);
        float g = lb_bsdf_evaluate(&back, there.wo, &pdf).g / lb_abs(there.wo.z);
        if (there.wo.z * wi.z < 0.0f && there.kind == LB_MATERIAL_DIELECTRIC) {
            float square = there.eta * there.eta;
            f *= there.wo.z > 0.0f ? square : 1.0f;
            g *= wi.z > 0.0f ? square : 1.0f;
        }
        met += f > 0.0f;
        assert_true(fabsf(f - g) <= 1e-3f * (f + g) + 1e-5f);
    }
    assert_true(met > 5000);
}

/* Smooth glass, thin glass and mirrors of reflectance 1 lose nothing; rough ones what their shadowing takes, never
 * more than all. */
static void test_energy(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 4);
    for (int round = 0; round < 300; round++) {
        lb_vec3 wo = random_above(&random);
        if (round % 2)
            wo.z = -wo.z;
        float eta = between(&random, 1.05f, 2.5f), rough = between(&random, 0.02f, 1.0f);
        lb_bsdf glass = make(LB_MATERIAL_DIELECTRIC, wo, 0.0f, 0.0f, eta);
        lb_bsdf pane = make(LB_MATERIAL_THIN_DIELECTRIC, wo, 0.0f, 0.0f, eta);
        assert_float_equal(albedo(&glass, 200, &random), 1.0, 1e-5);
        assert_float_equal(albedo(&pane, 200, &random), 1.0, 1e-5);
        lb_bsdf frosted = make(LB_MATERIAL_DIELECTRIC, wo, rough, rough, eta);
        lb_bsdf metal = make(LB_MATERIAL_CONDUCTOR, wo, rough, 0.5f * rough, 1.0f);
        metal.a = lb_rgb_grey(1.0f);
        metal.b = lb_rgb_grey(1e4f);
        double through = albedo(&frosted, 500, &random), back = albedo(&metal, 500, &random);
        assert_true(through <= 1.0 + 1e-4 && through > 0.3);
        assert_true(back <= 1.0 + 1e-4 && back > 0.3);
        if (rough < 0.1f && lb_abs(wo.z) > 0.5f)
            assert_true(through > 0.97 && back > 0.97);
    }
}

/* At normal incidence the metals have the reflectance that their eta and k say, and `reflectance` is met. */
static void test_fresnel(void **state)
{
    (void)state;
    assert_float_equal(lb_fresnel_dielectric(1.0f, 1.5f), 0.04f, 1e-6f);
    assert_float_equal(lb_fresnel_dielectric(-1.0f, 1.5f), 0.04f, 1e-6f);
    assert_float_equal(lb_fresnel_dielectric(-0.5f, 1.5f), 1.0f, 0.0f); /* total internal reflection */
    assert_float_equal(lb_fresnel_dielectric(0.0f, 1.5f), 1.0f, 1e-6f);
    assert_float_equal(lb_fresnel_conductor(1.0f, 1.5f, 0.0f), 0.04f, 1e-6f);
    for (int i = 1; i < 100; i++) {
        float eta = 0.05f * (float)i, k = 0.07f * (float)(100 - i);
        float normal = ((eta - 1) * (eta - 1) + k * k) / ((eta + 1) * (eta + 1) + k * k);
        assert_float_equal(lb_fresnel_conductor(1.0f, eta, k), normal, 2e-6f);
        assert_float_equal(lb_fresnel_conductor((float)i / 100.0f, 1.3f, 0.0f),
                           lb_fresnel_dielectric((float)i / 100.0f, 1.3f), 2e-5f);
    }
}

/* ---- coats ---- */

/* What pbrt-v4 shows: 0.304 by default, 0.865 with reflectance 1, seen at right angles under a white sky. */
static void test_coat_reflectance(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 5);
    float table[LB_COAT_CELLS];
    lb_coat_tabulate(0.0f, 1.5f, 0.01f, table);
    for (int i = 0; i < 2; i++) {
        lb_bsdf coat = make(LB_MATERIAL_COATED_DIFFUSE, lb_vec3_make(0.0f, 0.0f, 1.0f), 0.0f, 0.0f, 1.5f);
        coat.a = lb_rgb_grey(i ? 1.0f : 0.5f);
        coat.coat = table;
        lb_coat_prepare(&coat);
        double expected = i ? 0.865 : 0.304;
        assert_true(fabs(albedo(&coat, 100000, &random) - expected) < 0.01);
    }
}

/* The mean of many evaluations, as sampled directions get it. */
static double mean_f(const lb_bsdf *bsdf, lb_vec3 wi, enum lb_coat_use use, bool walk, int count,
                     lb_random *random)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += (double)(walk ? lb_coat_walk(bsdf, bsdf->wo, wi, use, random)
                             : lb_coat_base(bsdf, bsdf->wo, wi, use, random))
                   .g;
    return sum / count;
}

/* The random walk in a layer that does not scatter, single samples, and the table agree. */
static void test_coat_ways_agree(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 6);
    for (int round = 0; round < 12; round++) {
        float alpha = round % 3 == 0 ? 0.0f : between(&random, 0.1f, 0.5f),
              eta = between(&random, 1.2f, 1.8f);
        enum lb_coat_use use = round % 2 ? LB_COAT_LIT : LB_COAT_SAMPLED;
        lb_bsdf coat = make(LB_MATERIAL_COATED_DIFFUSE, random_above(&random), alpha, alpha, eta);
        lb_vec3 wi = random_above(&random);
        float table[LB_COAT_CELLS];
        coat.thickness = between(&random, 0.0f, 0.3f);
        coat.a = lb_rgb_grey(between(&random, 0.3f, 1.0f));
        double single = mean_f(&coat, wi, use, false, 40000, &random);
        double walk = mean_f(&coat, wi, use, true, 40000, &random);
        lb_coat_tabulate(alpha, eta, coat.thickness, table);
        coat.coat = table;
        double tabulated = mean_f(&coat, wi, use, false, 1, &random);
        assert_true(fabs(single / tabulated - 1.0) < 0.03);
        /* The walk lets light be absorbed on its way as the rest does, by how far it gets. */
        assert_true(fabs(walk / tabulated - 1.0) < 0.04);
    }
}

/* T or S of a coat at a cosine, from a fine grid of random numbers. */
static double fine_pass(const lb_coat *coat, float cosine, enum lb_coat_use use)
{
    enum { GRID = 160 };
    lb_vec3 w = lb_vec3_make(lb_sqrt(1.0f - cosine * cosine), 0.0f, cosine);
    double sum = 0.0;
    for (int i = 0; i < GRID * GRID; i++) {
        lb_vec2 u = lb_vec2_make(((float)(i % GRID) + 0.5f) / GRID, ((float)(i / GRID) + 0.5f) / GRID);
        sum += (double)lb_coat_pass(coat, w, u, use);
    }
    return sum / (GRID * GRID);
}

/* What the table says is within 0.15 % of what it stands for, so that rough coats are as bright with it as without. */
static void test_coat_table_is_exact(void **state)
{
    (void)state;
    const float alphas[] = {0.1f, 0.45f, 0.7f, 0.9f};
    for (int i = 0; i < 4; i++) {
        lb_coat coat = {lb_microfacet_make(alphas[i], alphas[i]), false, 1.5f, 0.01f};
        float table[LB_COAT_CELLS];
        lb_coat_tabulate(alphas[i], coat.eta, coat.thickness, table);
        for (int cell = LB_COAT_STEPS - 1; cell > 7; cell -= 14) {
            float root = (float)cell / (float)(LB_COAT_STEPS - 1);
            double t = fine_pass(&coat, root * root, LB_COAT_SAMPLED);
            double s = fine_pass(&coat, root * root, LB_COAT_LIT);
            assert_true(fabs((double)table[cell] / t - 1.0) < 0.0015);
            assert_true(fabs((double)table[LB_COAT_STEPS + cell] / s - 1.0) < 0.0015);
        }
    }
}

/* A, B and S of a row of the table of albedos and a cosine, from a fine grid of random numbers. */
static void fine_albedos(uint32_t row, float cosine, double albedos[3])
{
    enum { GRID = 160 };
    float root = (float)row / (float)(LB_ALBEDO_STEPS - 1), alpha = root * root;
    lb_vec3 wo = lb_vec3_make(lb_sqrt(1.0f - cosine * cosine), 0.0f, cosine);
    lb_microfacet facets = lb_microfacet_make(alpha, alpha);
    float lambda = lb_microfacet_lambda(facets, wo);
    albedos[0] = albedos[1] = albedos[2] = 0.0;
    for (int i = 0; i < GRID * GRID; i++) {
        lb_vec2 u = lb_vec2_make(((float)(i % GRID) + 0.5f) / GRID, ((float)(i / GRID) + 0.5f) / GRID);
        lb_vec3 h = lb_microfacet_sample(facets, wo, u), wi = lb_reflect(wo, h);
        albedos[2] += 2.0 * (double)LB_PI / (GRID * GRID) *
                      (double)lb_sheen(lb_sheen_alpha(alpha), wo, lb_vector_around(u.x, u.y));
        if (!(wi.z > 0.0f))
            continue;
        double passes = (double)lb_masking_ratio(lambda, lb_microfacet_lambda(facets, wi)) / (GRID * GRID);
        double rises = (double)lb_schlick(lb_dot(wo, h));
        albedos[0] += passes * (1.0 - rises);
        albedos[1] += passes * rises;
    }
}

/* What the table of albedos says is within 0.65 % of all light of what it stands for. */
static void test_albedo_table_is_exact(void **state)
{
    (void)state;
    static float table[LB_ALBEDO_FLOATS];
    lb_albedo_tabulate(table);
    for (uint32_t row = 6; row < LB_ALBEDO_STEPS; row += 8) {
        for (uint32_t column = 1; column < LB_ALBEDO_STEPS; column += 6) {
            double due[3];
            fine_albedos(row, (float)column / (float)(LB_ALBEDO_STEPS - 1), due);
            for (uint32_t part = 0; part < 3; part++) {
                float got = table[part * LB_ALBEDO_CELLS + row * LB_ALBEDO_STEPS + column];
                assert_true(fabs((double)got - fmin(due[part], 1.0)) < 0.0065);
            }
        }
    }
}

/* A layer that scatters and absorbs nothing over a white base sends all light back, given steps enough. */
static void test_coat_walk_keeps_energy(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 7);
    for (int round = 0; round < 4; round++) {
        lb_bsdf coat = make(LB_MATERIAL_COATED_DIFFUSE, random_above(&random), 0.0f, 0.0f, 1.4f);
        coat.a = coat.b = lb_rgb_grey(1.0f);
        coat.thickness = 0.5f;
        coat.g = between(&random, -0.6f, 0.6f);
        coat.max_depth = 1000;
        lb_coat_prepare(&coat);
        assert_float_equal(albedo(&coat, 20000, &random), 1.0, 0.04);
    }
}

/* f is a function: it has the same value whenever it is asked for the same directions, though it draws random
 * numbers. */
static void test_coat_is_a_function(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 8);
    for (int round = 0; round < 200; round++) {
        lb_bsdf coat = make(LB_MATERIAL_COATED_DIFFUSE, random_above(&random), 0.3f, 0.1f, 1.5f);
        lb_vec3 wi = random_above(&random);
        coat.b = lb_rgb_grey(round % 2 ? 0.5f : 0.0f);
        float pdf, again;
        lb_rgb f = lb_bsdf_evaluate(&coat, wi, &pdf), g = lb_bsdf_evaluate(&coat, wi, &again);
        assert_memory_equal(&f, &g, sizeof f);
        assert_memory_equal(&pdf, &again, sizeof pdf);
    }
}

/* ---- coated metals ---- */

static lb_bsdf random_coated(lb_random *random, float coat, float metal)
{
    lb_bsdf bsdf =
        make(LB_MATERIAL_COATED_CONDUCTOR, random_above(random), coat, coat, between(random, 1.2f, 1.8f));
    bsdf.base = lb_microfacet_make(metal, metal);
    bsdf.base_smooth = lb_microfacet_is_smooth(bsdf.base);
    bsdf.albedo = lb_rgb_grey(unit(random) < 0.5f ? 0.0f : 0.7f);
    bsdf.thickness = between(random, 0.0f, 0.5f);
    bsdf.g = between(random, -0.5f, 0.5f);
    bsdf.max_depth = 50;
    if (unit(random) < 0.5f)
        bsdf.wo.z = -bsdf.wo.z;
    return bsdf;
}

/* What samples bring, but for mirror images, is what evaluation brings summed up over all directions; through a rough
 * coat up to the weighting of pbrt's two ways, which light sampling shows. */
static void test_coated_ways_agree(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    lb_random random;
    lb_random_start(&random, 11);
    for (int round = 0; round < 8; round++) {
        bool rough = round % 2 != 0;
        lb_bsdf bsdf = random_coated(&random, rough ? 0.4f : 0.0f, between(&random, 0.3f, 0.7f));
        double sampled = 0.0, evaluated = 0.0;
        for (int i = 0; i < COUNT; i++) {
            lb_scatter scatter;
            float lobe = unit(&random), pdf;
            lb_vec2 u = lb_random_2d(&random), v = lb_random_2d(&random);
            if (lb_bsdf_sample(&bsdf, lobe, u, &scatter) && scatter.pdf > 0.0f)
                sampled += (double)scatter.weight.g / COUNT;
            evaluated += (double)lb_bsdf_evaluate(&bsdf, lb_sample_sphere(v), &pdf).g * 4.0 * M_PI / COUNT;
        }
        if (!(fabs(sampled / evaluated - 1.0) < (rough ? 0.12 : 0.04)))
            fail_msg("round %d: sampled %g, evaluated %g", round, sampled, evaluated);
    }
}

/* A metal that reflects all, under a coat and a layer that absorb nothing, sends all light back, given steps enough. */
static void test_coated_keeps_energy(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 12);
    for (int round = 0; round < 6; round++) {
        lb_bsdf bsdf = random_coated(&random, round < 3 ? 0.0f : 0.05f, round % 3 == 0 ? 0.0f : 0.05f);
        bsdf.a = lb_rgb_grey(1.0f);
        bsdf.b = lb_rgb_grey(1e5f);
        bsdf.max_depth = 2000;
        if (lb_coated_scatters(&bsdf))
            bsdf.albedo = lb_rgb_grey(1.0f);
        else
            bsdf.thickness = 0.0f;
        double all = albedo(&bsdf, 20000, &random);
        /* Rough facets lose what their shadows take, at each of many bounces. */
        if (!(all > (bsdf.smooth && bsdf.base_smooth ? 0.99 : 0.8) && all < 1.01))
            fail_msg("round %d: %g", round, all);
    }
}

/* Same directions, same value; a mirror under a clear smooth coat scatters into single directions alone. */
static void test_coated_is_a_function(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 13);
    for (int round = 0; round < 200; round++) {
        lb_bsdf bsdf = random_coated(&random, round % 2 ? 0.3f : 0.0f, round % 3 ? 0.2f : 0.0f);
        lb_vec3 wi = random_above(&random);
        lb_scatter scatter;
        float pdf, again;
        lb_rgb f = lb_bsdf_evaluate(&bsdf, wi, &pdf), g = lb_bsdf_evaluate(&bsdf, wi, &again);
        assert_memory_equal(&f, &g, sizeof f);
        assert_memory_equal(&pdf, &again, sizeof pdf);
        bool specular = bsdf.smooth && bsdf.base_smooth && bsdf.albedo.g == 0.0f;
        assert_int_equal(lb_bsdf_is_specular(&bsdf), specular);
        if (specular && lb_bsdf_sample(&bsdf, unit(&random), lb_random_2d(&random), &scatter))
            assert_true(scatter.pdf == 0.0f);
    }
}

/* ---- hair ---- */

static lb_bsdf random_hair(lb_random *random, float smoothest, float tilt)
{
    lb_bsdf bsdf = make(LB_MATERIAL_HAIR, lb_sample_sphere(lb_random_2d(random)), 0.0f, 0.0f,
                        between(random, 1.1f, 1.8f));
    bsdf.a = lb_rgb_make(between(random, 0.0f, 1.0f), between(random, 0.0f, 2.0f), 0.0f);
    lb_hair_make(&bsdf, between(random, -1.0f, 1.0f), between(random, smoothest, 1.0f),
                 between(random, smoothest, 1.0f), tilt);
    return bsdf;
}

static void test_hair_samples_follow_density(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 21);
    for (int round = 0; round < 8; round++) {
        lb_bsdf bsdf = random_hair(&random, 0.3f, round % 2 ? 0.1f : 0.0f);
        check_density(&bsdf, round, &random);
    }
}

/* Hair that absorbs nothing sends all light on, whatever its roughness, from wherever it is hit; what absorbs keeps
 * some. What samples bring is what evaluation brings summed up over all directions. */
static void test_hair_keeps_energy(void **state)
{
    (void)state;
    enum { COUNT = 40000 };
    lb_random random;
    lb_random_start(&random, 22);
    for (int round = 0; round < 40; round++) {
        lb_bsdf bsdf = random_hair(&random, round < 20 ? 0.05f : 0.4f, round % 2 ? 0.035f : 0.0f);
        lb_rgb sampled = lb_rgb_grey(0.0f), evaluated = lb_rgb_grey(0.0f);
        for (int i = 0; i < COUNT; i++) {
            lb_scatter scatter;
            float lobe = unit(&random), pdf;
            lb_vec2 u = lb_random_2d(&random), v = lb_random_2d(&random);
            if (lb_bsdf_sample(&bsdf, lobe, u, &scatter))
                sampled = lb_rgb_add(sampled, lb_rgb_scale(scatter.weight, 1.0f / COUNT));
            if (round >= 20)
                evaluated =
                    lb_rgb_add(evaluated, lb_rgb_scale(lb_bsdf_evaluate(&bsdf, lb_sample_sphere(v), &pdf),
                                                       4.0f * LB_PI / COUNT));
        }
        assert_float_equal(sampled.b, 1.0, 0.02);
        assert_true(sampled.r <= 1.01f && sampled.g <= 1.01f);
        if (round >= 20) {
            assert_float_equal(evaluated.b, 1.0, 0.05);
            assert_float_equal(evaluated.r, sampled.r, 0.05);
        }
    }
}

/* weight * pdf is f |cosine|; without tilted scales light goes back as it came, up to the widths of the lobes. */
static void test_hair_sample_agrees_with_evaluation(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 23);
    for (int round = 0; round < 20000; round++) {
        lb_bsdf bsdf = random_hair(&random, 0.2f, 0.035f);
        lb_scatter scatter;
        float lobe = unit(&random), pdf;
        lb_vec2 u = lb_random_2d(&random);
        assert_false(lb_bsdf_is_specular(&bsdf));
        if (!lb_bsdf_sample(&bsdf, lobe, u, &scatter)) {
            fail_msg("round %d: no sample", round);
            return;
        }
        lb_rgb f = lb_bsdf_evaluate(&bsdf, scatter.direction, &pdf);
        assert_true(scatter.pdf > 0.0f);
        assert_true(fabsf(pdf - scatter.pdf) <= 2e-2f * pdf);
        assert_true(fabsf(f.g - scatter.weight.g * scatter.pdf) <= 2e-2f * f.g + 1e-6f);
    }
}

static void test_hair_extremes(void **state)
{
    (void)state;
    static const float along[] = {-1.0f, -0.9999999f, -0.5f, 0.0f, 1e-30f, 1.0f};
    static const float betas[] = {0.0f, 0.01f, 0.1f, 1.0f, 1e3f}, etas[] = {1e-3f, 0.5f, 1.0f, 1.55f, 1e4f};
    static const float sigmas[] = {0.0f, 1.0f, 1e30f, 3e38f}, hs[] = {-1.0f, -0.5f, 0.0f, 1.0f};
    static const float tilts[] = {0.0f, 0.035f, 1.5707964f, -3.0f};
    lb_random random;
    lb_random_start(&random, 24);
    for (int round = 0; round < 100000; round++) {
        uint32_t pick = (uint32_t)(unit(&random) * 16777216.0f);
        float x = along[pick % 6], r = lb_sqrt(1.0f - x * x), s, c, pdf;
        lb_sincos_turn(unit(&random), &s, &c);
        lb_bsdf bsdf = make(LB_MATERIAL_HAIR, lb_vec3_make(x, r * c, r * s), 0.0f, 0.0f, etas[pick / 6 % 5]);
        lb_hair_make(&bsdf, hs[pick / 30 % 4], betas[pick / 120 % 5], betas[pick / 600 % 5],
                     tilts[pick / 3000 % 4]);
        bsdf.a = lb_rgb_grey(sigmas[pick / 12000 % 4]);
        lb_scatter scatter;
        float lobe = pick & 1 ? unit(&random) : pick & 2 ? 0.0f : 1.0f - 0x1p-24f;
        lb_vec2 u = lb_random_2d(&random);
        lb_vec3 wi = pick & 4 ? lb_sample_sphere(lb_random_2d(&random)) : lb_vec3_make(1.0f, 0.0f, 0.0f);
        lb_rgb f = lb_bsdf_evaluate(&bsdf, wi, &pdf);
        if (!(f.g >= 0.0f && lb_is_finite(f.g) && pdf >= 0.0f && lb_is_finite(pdf)))
            fail_msg("pick %u: f %g, pdf %g", pick, (double)f.g, (double)pdf);
        if (!lb_bsdf_sample(&bsdf, lobe, u, &scatter))
            continue;
        if (!(scatter.weight.g >= 0.0f && lb_is_finite(scatter.weight.g) && lb_is_finite(scatter.pdf)))
            fail_msg("pick %u: weight %g, pdf %g", pick, (double)scatter.weight.g, (double)scatter.pdf);
        assert_true(fabsf(lb_length(scatter.direction) - 1.0f) < 1e-3f);
    }
}

/* Whatever the parameters and directions: no NaN, nothing negative, no weight that is infinite. */
static void test_extremes(void **state)
{
    (void)state;
    static const uint32_t kinds[] = {LB_MATERIAL_DIFFUSE,         LB_MATERIAL_CONDUCTOR,
                                     LB_MATERIAL_DIELECTRIC,      LB_MATERIAL_THIN_DIELECTRIC,
                                     LB_MATERIAL_COATED_DIFFUSE,  LB_MATERIAL_DIFFUSE_TRANSMISSION,
                                     LB_MATERIAL_COATED_CONDUCTOR};
    static const float cosines[] = {1.0f, 0.5f, 1e-3f, 1e-7f, 1e-20f, 1e-40f}; /* the last two of wi alone */
    ;
    static const float alphas[] = {0.0f, 1e-3f, 1e-2f, 0.3f, 1.0f, 30.0f};
    static const float etas[] = {0.5f, 1.0f, 1.0000001f, 1.5f, 10.0f, 1e4f};
    static const float depths[] = {0.0f, 1e-6f, 0.5f, 1e6f};
    lb_random random;
    lb_random_start(&random, 10);
    for (int round = 0; round < 200000; round++) {
        uint32_t pick = (uint32_t)(unit(&random) * 16777216.0f);
        float z = cosines[pick % 4], ax = alphas[pick / 6 % 6], ay = alphas[pick / 36 % 6];
        lb_vec3 wo = lb_vector_around(pick & 1 ? z : -z, unit(&random));
        lb_bsdf bsdf = make(kinds[round % 7], wo, ax, ay, etas[pick / 1080 % 6]);
        bsdf.thickness = depths[pick / 6480 % 4];
        bsdf.a = pick & 2 ? lb_rgb_grey(1.0f) : bsdf.a;
        bsdf.b = pick & 4 ? lb_rgb_grey(0.9f) : bsdf.b;
        bsdf.g = pick & 8 ? 0.999f : -0.5f;
        bsdf.albedo = lb_rgb_grey(pick & 16 ? 0.9f : 0.0f);
        if (bsdf.kind == LB_MATERIAL_COATED_DIFFUSE)
            lb_coat_prepare(&bsdf);
        lb_scatter scatter;
        float lobe = unit(&random), pdf;
        lb_vec2 u = lb_random_2d(&random);
        lb_vec3 wi = lb_vector_around(cosines[pick / 25920 % 6], unit(&random));
        lb_rgb f = lb_bsdf_evaluate(&bsdf, wi, &pdf);
        if (!(f.g >= 0.0f && lb_is_finite(f.g) && pdf >= 0.0f && lb_is_finite(pdf)))
            fail_msg("kind %u: f %g, pdf %g; wo.z %g wi.z %g ax %g ay %g eta %g thickness %g albedo %g",
                     bsdf.kind, (double)f.g, (double)pdf, (double)wo.z, (double)wi.z, (double)bsdf.facets.ax,
                     (double)bsdf.facets.ay, (double)bsdf.eta, (double)bsdf.thickness, (double)bsdf.albedo.g);
        if (!lb_bsdf_sample(&bsdf, lobe, u, &scatter))
            continue;
        assert_true(scatter.weight.g >= 0.0f && lb_is_finite(scatter.weight.g));
        assert_true(scatter.pdf >= 0.0f && lb_is_finite(scatter.pdf));
        assert_true(fabsf(lb_length(scatter.direction) - 1.0f) < 1e-3f);
    }
}

/* The phase function is a density, and its samples have its mean cosine, g, and follow it (chi-squared, over the whole
 * sphere around directions of travel). */
static void test_phase(void **state)
{
    (void)state;
    lb_random random;
    lb_random_start(&random, 9);
    for (float g = -0.9f; g < 0.95f; g += 0.2f) {
        double sum = 0.0, mean = 0.0, chi = 0.0, counted[CELLS] = {0};
        int used = 0;
        lb_vec3 w = random_above(&random);
        for (int i = 0; i < 20000; i++) {
            lb_vec3 drawn = lb_phase_sample(w, g, lb_random_2d(&random));
            sum += (double)lb_phase(-1.0f + 2.0f * ((float)i + 0.5f) / 20000.0f, g) * 4.0 * M_PI / 20000.0;
            mean += (double)lb_dot(w, drawn) / 20000.0;
            counted[cell_of(drawn)] += 1.0;
        }
        for (int cell = 0; cell < CELLS; cell++) {
            enum { FINE = 32 };
            double due = 0.0;
            for (int i = 0; i < FINE * FINE; i++)
                due += (double)lb_phase(lb_dot(w, cell_point(cell, i, FINE)), g) * 4.0 * M_PI / CELLS /
                       (FINE * FINE) * 20000.0;
            if (due < 8.0)
                continue;
            chi += (counted[cell] - due) * (counted[cell] - due) / due;
            used++;
        }
        assert_float_equal(sum, 1.0, 1e-3);
        assert_float_equal(mean, (double)g, 0.02);
        if (chi > used + 6.0 * sqrt(2.0 * used))
            fail_msg("g %g: chi-squared %g of %d cells", (double)g, chi, used);
    }
}

/* Where light comes out of a body: its samples follow their density, and over all directions it is as much as the
 * square of the index makes of 1. */
static void test_leaving(void **state)
{
    (void)state;
    static const float etas[] = {1.0f, 1.33f, 1.5f, 0.8f, 2.4f};
    lb_random random;
    lb_random_start(&random, 10);
    for (int round = 0; round < 5; round++) {
        float eta = etas[round], pdf;
        lb_material material;
        lb_bsdf bsdf;
        double all = 0.0;
        memset(&material, 0, sizeof material);
        material.eta.value = lb_rgb_grey(eta);
        material.leaving = lb_diffusion_leaving(eta);
        lb_leaving_make(&material, lb_normalize(lb_vec3_make(0.3f, -0.5f, 0.7f)), &bsdf);
        check_density(&bsdf, round, &random);
        for (int i = 0; i < 40000; i++) {
            lb_vec3 w = lb_sample_sphere(
                lb_vec2_make(((float)(i / 200) + 0.5f) / 200.0f, ((float)(i % 200) + 0.5f) / 200.0f));
            lb_rgb f = lb_bsdf_evaluate(&bsdf, w, &pdf);
            assert_true(pdf > 0.0f || lb_rgb_is_black(f));
            all += (double)f.g * 4.0 * M_PI / 40000.0;
        }
        assert_true(fabs(all / (double)(eta * eta) - 1.0) < 0.01);
    }
}

/* ---- directions that a guide draws ---- */

/* A cell that leaves every second direction to the material, and draws the others evenly over the square. */
static void make_even_cell(lb_guide_cell *cell)
{
    memset(cell, 0, sizeof *cell);
    cell->chance = 0.5f;
    for (uint32_t i = 0; i < LB_GUIDE_SIDE; i++)
        cell->rows[i] = (uint16_t)(i * (65536 / LB_GUIDE_SIDE));
    for (uint32_t i = 0; i < LB_GUIDE_BINS; i++)
        cell->columns[i] = cell->rows[i % LB_GUIDE_SIDE];
}

/* As albedo(), of a path that is led by the cell. */
static double led_albedo(const lb_bsdf *bsdf, const lb_guide_cell *cell, int count, lb_random *random)
{
    lb_bsdf led = *bsdf;
    led.cell = cell;
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        lb_scatter scatter;
        float lobe = unit(random);
        lb_vec2 u = lb_random_2d(random);
        if (lb_led_scatter(&led, lobe, u, &scatter, NULL, NULL))
            sum += (double)scatter.weight.g;
    }
    return sum / count;
}

/* Whoever draws directions, as much light is scattered. A rough coat lets more of sampled light out than of light that
 * paths meet (core/kernel/materials/coat.h), and what a guide draws is no sampled light. */
static void test_guided_albedo(void **state)
{
    (void)state;
    enum { COUNT = 400000 };
    static const uint32_t kinds[] = {LB_MATERIAL_DIFFUSE, LB_MATERIAL_CONDUCTOR,
                                     LB_MATERIAL_DIFFUSE_TRANSMISSION, LB_MATERIAL_COATED_DIFFUSE};
    lb_guide_cell cell;
    lb_random random;
    lb_random_start(&random, 21);
    make_even_cell(&cell);
    for (int round = 0; round < 16; round++) {
        float alpha = round < 8 ? 0.3f : 0.1f, table[LB_COAT_CELLS];
        lb_vec3 wo = lb_vector_around(round % 8 < 4 ? 0.4f : -0.9f, unit(&random));
        lb_bsdf bsdf = make(kinds[round % 4], wo, alpha, alpha, 1.5f);
        bsdf.a = bsdf.kind == LB_MATERIAL_COATED_DIFFUSE ? lb_rgb_grey(0.9f) : bsdf.a;
        lb_coat_tabulate(alpha, bsdf.eta, bsdf.thickness, table);
        bsdf.coat = table;
        if (bsdf.kind == LB_MATERIAL_COATED_DIFFUSE)
            lb_coat_prepare(&bsdf);
        double alone = albedo(&bsdf, COUNT, &random);
        assert_float_equal((float)(led_albedo(&bsdf, &cell, COUNT, &random) / alone), 1.0, 0.008);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_follow_density),
        cmocka_unit_test(test_sample_agrees_with_evaluation),
        cmocka_unit_test(test_reciprocity),
        cmocka_unit_test(test_energy),
        cmocka_unit_test(test_fresnel),
        cmocka_unit_test(test_coat_reflectance),
        cmocka_unit_test(test_coat_ways_agree),
        cmocka_unit_test(test_coat_table_is_exact),
        cmocka_unit_test(test_albedo_table_is_exact),
        cmocka_unit_test(test_coat_walk_keeps_energy),
        cmocka_unit_test(test_coat_is_a_function),
        cmocka_unit_test(test_coated_ways_agree),
        cmocka_unit_test(test_coated_keeps_energy),
        cmocka_unit_test(test_coated_is_a_function),
        cmocka_unit_test(test_hair_samples_follow_density),
        cmocka_unit_test(test_hair_keeps_energy),
        cmocka_unit_test(test_hair_sample_agrees_with_evaluation),
        cmocka_unit_test(test_hair_extremes),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_phase),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_guided_albedo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
