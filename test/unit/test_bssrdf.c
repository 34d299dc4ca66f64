/* How light spreads below subsurface materials: the tables, what is drawn by them, and small scenes whose radiance is
 * known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/kernel/integrators/volume.h"
#include "core/kernel/tree/brute.h"
#include "core/scene/materials/diffusion.h"
#include "volume_picture.h"

static float table[LB_PROFILE_FLOATS];

/* Albedos as places among the rows of the table, from dark to the brightest. */
static const float places[] = {0.5f, 3.25f, 20.0f, 41.7f, 55.5f, 63.0f};

enum { PLACES = sizeof places / sizeof places[0] };

/* What lb_profile_sample draws falls into cells of radius as lb_profile_evaluate says (chi-squared). */
static void test_radii_follow_the_profile(void **state)
{
    (void)state;
    enum { COUNT = 40000, CELLS = 50, FINE = 400 };
    lb_random random;
    lb_random_start(&random, 5);
    lb_diffusion_tabulate(1.33f, 0.3f, table);
    for (int round = 0; round < PLACES; round++) {
        double counted[CELLS + 1] = {0}, chi = 0.0, sum = 0.0;
        double whole = (double)lb_profile_whole(table, places[round]);
        int used = 0;
        for (int i = 0; i < COUNT; i++) {
            float radius = lb_profile_sample(table, places[round], lb_random_1d(&random));
            assert_true(radius >= 0.0f && radius <= table[LB_PROFILE_RADII - 1]);
            int cell = (int)floor(log((double)radius / 0.001) * 4.0);
            counted[cell < 0 ? CELLS : cell < CELLS ? cell : CELLS]++;
        }
        for (int cell = 0; cell < CELLS; cell++) {
            double due = 0.0;
            for (int i = 0; i < FINE; i++) {
                double low = 0.001 * exp((cell + (double)i / FINE) / 4.0);
                double high = 0.001 * exp((cell + (i + 1.0) / FINE) / 4.0), middle = 0.5 * (low + high);
                due += (double)lb_profile_evaluate(table, places[round], (float)middle) * M_PI *
                       (high * high - low * low) / whole * COUNT;
            }
            sum += due;
            if (due < 8.0)
                continue;
            chi += (counted[cell] - due) * (counted[cell] - due) / due;
            used++;
        }
        assert_true(used > 10);
        assert_true(sum > 0.95 * COUNT && sum < 1.001 * COUNT);
        if (chi > used + 6.0 * sqrt(2.0 * used))
            fail_msg("albedo %g: chi-squared %g of %d cells", (double)places[round], chi, used);
    }
}

/* More light comes out the more a scattering leaves, and of a body that absorbs nothing about all. (With no surface, or
 * with light that is mostly scattered back, diffusion makes more come out than goes in, up to 1.26 times; so does
 * pbrt's.) */
static void test_energy_of_profiles(void **state)
{
    (void)state;
    static const float etas[] = {1.33f, 1.5f}, gs[] = {0.0f, 0.8f};
    for (int i = 0; i < 4; i++) {
        float last = -1.0f;
        lb_diffusion_tabulate(etas[i / 2], gs[i % 2], table);
        for (int row = 0; row < LB_PROFILE_ALBEDOS; row++) {
            float whole = lb_profile_whole(table, (float)row);
            assert_true(whole > last && whole >= 0.0f);
            last = whole;
        }
        assert_true(last > 0.88f && last < 1.03f);
    }
}

/* The part of a beam straight down into a half space that comes out again, by walks. */
static double walk(float albedo, float g, float eta, lb_random *random)
{
    enum { WALKS = 20000 };
    double out = 0.0;
    for (int i = 0; i < WALKS; i++) {
        double left = 1.0, depth = 0.0;
        lb_vec3 w = lb_vec3_make(0.0f, 0.0f, 1.0f); /* z goes down */
        while (left > 1e-4) {
            depth += -log(1.0 - (double)lb_random_1d(random)) * (double)w.z;
            if (depth > 0.0) {
                left *= (double)albedo;
                w = lb_normalize(lb_phase_sample(w, g, lb_random_2d(random)));
            } else if (lb_random_1d(random) >= lb_fresnel_dielectric(w.z, eta)) {
                out += left / WALKS;
                break;
            } else {
                depth = 0.0;
                w.z = -w.z;
            }
        }
    }
    return out;
}

/* What diffusion says differs from walks by some hundredths. */
static void test_profiles_beside_walks(void **state)
{
    (void)state;
    static const float albedos[] = {0.3f, 0.6f, 0.9f, 0.98f}, gs[] = {0.0f, 0.5f, 0.8f};
    lb_random random;
    lb_random_start(&random, 6);
    for (int i = 0; i < 12; i++) {
        float albedo = albedos[i % 4], g = gs[i / 4], eta = 1.33f;
        lb_diffusion_tabulate(eta, g, table);
        float place = lb_profile_place(table + LB_PROFILE_RADII, 1, LB_PROFILE_ALBEDOS, albedo);
        double whole = (double)lb_profile_whole(table, place), out = walk(albedo, g, eta, &random);
        if (fabs(whole - out) > 0.05)
            fail_msg("g %g, albedo %g: %g comes out, walks say %g", (double)g, (double)albedo, whole, out);
    }
}

/* Exits that a search finds on a sphere and on a box fall onto it as the density says: each that is chosen counts as
 * many times as there were exits to choose from. */
static void test_searches_follow_density(void **state)
{
    (void)state;
    enum { COUNT = 200000, BELTS = 8 };
    static const lb_vec3 up = {0.0f, 0.0f, 1.0f};
    struct lb_loaded loaded;
    lb_random random;
    lb_random_start(&random, 7);
    load_scene_text("Camera \"perspective\" Integrator \"volpath\" WorldBegin LightSource \"infinite\"\n"
                    "Material \"subsurface\" \"rgb reflectance\" [0.5 0.3 0.8] \"rgb mfp\" [0.1 0.05 0.02]\n"
                    "Shape \"sphere\"",
                    &loaded);
    const lb_material *material =
        LB_ARRAY(loaded.scene, materials, lb_material) + LB_ARRAY(loaded.scene, shapes, lb_shape)->material;
    lb_texture_place place = {.uv = {0.0f, 0.0f}};
    lb_bssrdf_probe probe = {.from = up, .n = up, .bssrdf = lb_bssrdf_make(loaded.scene, material, &place)};
    probe.material = LB_ARRAY(loaded.scene, shapes, lb_shape)->material;
    for (uint32_t band = 0; band < 3; band++) {
        double found[BELTS] = {0}, squares[BELTS] = {0}, due[BELTS] = {0};
        double most = (double)probe.bssrdf.reach[band];
        /* Belts of equal area from the pole as far down as searches go. */
        double lowest = most < 2.0 ? 1.0 - most * most / 2.0 : -1.0;
        for (int i = 0; i < COUNT; i++) {
            lb_ray ray = {.time = 0.0f};
            lb_hit hit;
            lb_surface surface;
            probe.exits = 0;
            float axis = lb_random_1d(&random);
            lb_vec2 u = lb_random_2d(&random);
            if (!lb_bssrdf_probe_aim(&probe, band, axis, u, &ray))
                continue;
            do {
                if (!lb_brute_closest(loaded.scene, &ray, &hit))
                    hit.primitive.shape = LB_NONE;
            } while (lb_bssrdf_probe_pass(loaded.scene, &hit, &random, &probe, &ray));
            if (probe.exits == 0)
                continue;
            lb_surface_make(loaded.scene, LB_ARRAY(loaded.scene, shapes, lb_shape), &probe.ray, &probe.hit,
                            &surface);
            int belt = (int)((1.0 - (double)surface.position.z) / (1.0 - lowest) * BELTS);
            if (belt >= BELTS)
                continue;
            found[belt] += probe.exits;
            squares[belt] += (double)probe.exits * probe.exits;
        }
        for (int belt = 0; belt < BELTS; belt++) {
            enum { FINE = 128 };
            for (int i = 0; i < FINE * FINE; i++) {
                lb_rgb spread, density;
                lb_surface surface;
                /* Closer to one another towards the pole, where the density is steep. */
                double part = (i / FINE + 0.5) / FINE, weight = belt ? 1.0 : 4.0 * part * part * part;
                double z = 1.0 - (1.0 - lowest) * (belt + (belt ? part : part * part * part * part)) / BELTS;
                surface.position = lb_vector_around((float)z, ((float)(i % FINE) + 0.5f) / FINE);
                surface.ng = surface.position;
                lb_bssrdf_probe_weigh(&probe, &surface, &spread, &density);
                due[belt] += weight * (double)lb_color_lane(density, band) * COUNT * 2.0 * M_PI *
                             (1.0 - lowest) / BELTS / (FINE * FINE);
            }
            double deviation = sqrt(squares[belt]);
            if (!(fabs(found[belt] - due[belt]) <= 5.0 * deviation + 0.01 * due[belt]))
                fail_msg("band %u, belt %d: %g exits, not %g +- %g", band, belt, found[belt], due[belt],
                         deviation);
        }
    }
    lb_scene_free(&loaded);
}

/* A sky, which no light sampling finds, and a sphere that glows, which is sampled too. */
static const char *const surroundings[] = {
    "LightSource \"infinite\" \"rgb L\" [1 1 1]\n",
    "AttributeBegin ReverseOrientation AreaLightSource \"diffuse\" \"rgb L\" [1 1 1]\n"
    "Material \"diffuse\" \"rgb reflectance\" [0 0 0] Shape \"sphere\" \"float radius\" 9 AttributeEnd\n",
};

/* A dense body in surroundings of radiance 1 is as bright as is said, all of it (1) or a part; in and out are one
 * vertex. */
static void test_furnace(void **state)
{
    (void)state;
    static const double reflected = 0.02006; /* by the surface, seen from above */
    static const struct {
        const char *colour;
        double parts[3];
    } bodies[] = {{"[0.25 0.5 0.75]", {0.25, 0.5, 0.75}}, {"[0.1 0.95 0.9]", {0.1, 0.95, 0.9}}};
    for (int i = 0; i < 8; i++) {
        char text[2000];
        double expected[3];
        for (int band = 0; band < 3; band++)
            expected[band] = reflected + (1.0 - reflected) * bodies[i / 4].parts[band];
        snprintf(text, sizeof text,
                 "LookAt 0 0 5  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 1\n"
                 "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"
                 "Integrator \"volpath\" \"integer maxdepth\" %d WorldBegin %s\n"
                 "Texture \"c\" \"spectrum\" \"constant\" \"rgb value\" %s\n"
                 "Material \"subsurface\" \"texture reflectance\" \"c\" \"rgb mfp\" [0.01 0.002 0.005]\n"
                 "Shape \"sphere\"",
                 i / 2 % 2 ? 100 : 1, surroundings[i % 2], bodies[i / 4].colour);
        assert_colour(bodies[i / 4].colour, picture_mean(text, 1024), expected, 0.02);
    }
}

/* Coefficients, a scale of them, and a body that absorbs all. */
static void test_coefficients(void **state)
{
    (void)state;
    lb_diffusion_tabulate(1.33f, 0.0f, table);
    double expected[3];
    for (int band = 0; band < 3; band++) {
        static const float albedos[3] = {0.0f, 0.8f, 0.99f};
        float place = lb_profile_place(table + LB_PROFILE_RADII, 1, LB_PROFILE_ALBEDOS, albedos[band]);
        expected[band] = 0.02006 + 0.97994 * (double)lb_profile_whole(table, place);
    }
    assert_colour(
        "coefficients",
        picture_mean(VIEW("100") "WorldBegin LightSource \"infinite\" \"rgb L\" [1 1 1]\n"
                                 "Material \"subsurface\" \"rgb sigma_a\" [5 1 0.05] \"rgb sigma_s\" "
                                 "[0 4 4.95] \"float scale\" 40 Shape \"sphere\"",
                     256),
        expected, 0.03);
}

/* As in pbrt, a mix is no exit, even for light that has gone in through it: only what has the subsurface material by
 * itself is. */
static void test_parts_of_mixes(void **state)
{
    (void)state;
    static const double lost[3] = {0.02006, 0.02006, 0.02006}, half[3] = {0.01003, 0.01003, 0.01003};
#define MIX(depth, parts)                                                                                    \
    VIEW(depth)                                                                                              \
    "WorldBegin LightSource \"infinite\" \"rgb L\" [1 1 1]\n"                                                \
    "MakeNamedMaterial \"s\" \"string type\" \"subsurface\" \"rgb reflectance\" [0.5 0.5 0.5] "              \
    "\"rgb mfp\" [0.1 0.1 0.1]\n"                                                                            \
    "MakeNamedMaterial \"b\" \"string type\" \"diffuse\" \"rgb reflectance\" [0 0 0]\n"                      \
    "MakeNamedMaterial \"m\" \"string type\" \"mix\" \"string materials\" [" parts "] NamedMaterial \"m\" "
    assert_colour("all of it", picture_mean(MIX("1", "\"s\" \"s\"") "Shape \"sphere\"", 256), lost, 0.02);
    assert_colour("a half", picture_mean(MIX("1", "\"s\" \"b\"") "Shape \"sphere\"", 256), half, 0.1);
    /* The part that the camera sees is small, and most of the light comes out around it. */
    lb_rgb around = picture_mean(MIX("1", "\"s\" \"s\"") "Shape \"disk\" \"float radius\" 0.05 "
                                                         "NamedMaterial \"s\" Shape \"disk\" "
                                                         "\"float radius\" 4 \"float innerradius\" 0.05",
                                 256);
    assert_true(around.g > 0.3f && around.g < 0.51f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radii_follow_the_profile),
        cmocka_unit_test(test_energy_of_profiles),
        cmocka_unit_test(test_profiles_beside_walks),
        cmocka_unit_test(test_searches_follow_density),
        cmocka_unit_test(test_furnace),
        cmocka_unit_test(test_coefficients),
        cmocka_unit_test(test_parts_of_mixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
