/* Lights, how they are chosen, and environment maps. */
#include "core/kernel/light.h"
#include "scene_help.h"

/* What the alias table really gives each light. */
static void check_choice(const lb_scene *scene)
{
    const lb_alias *alias = LB_ARRAY(scene, light_choice, lb_alias);
    const lb_light *lights = LB_ARRAY(scene, lights, lb_light);
    size_t count = scene->light_choice.count;
    double *chances = calloc(count, sizeof *chances), sum = 0.0;
    assert_int_equal(count, scene->lights.count);
    for (size_t i = 0; i < count; i++) {
        assert_true(alias[i].threshold >= 0.0f && alias[i].threshold <= 1.0f && alias[i].other < count);
        chances[i] += (double)alias[i].threshold / (double)count;
        chances[alias[i].other] += (1.0 - (double)alias[i].threshold) / (double)count;
        sum += (double)alias[i].probability;
    }
    assert_near(sum, 1.0);
    for (size_t i = 0; i < count; i++) {
        assert_true(lb_abs_d(chances[i] - (double)alias[i].probability) < 1e-6);
        bool chosen = lights[i].kind != LB_LIGHT_INFINITE_CONSTANT;
        assert_int_equal(alias[i].probability > 0.0f, chosen);
        if (!chosen)
            assert_true(chances[i] == 0.0);
    }
    free(chances);
}

static void lights_are_chosen_by_their_chances(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 200; round++) {
        static char text[16000];
        size_t length = 0;
        int count = 1 + round % 60;
        text[0] = 0;
        for (int i = 0; i < count; i++) {
            random = random * 1664525u + 1013904223u;
            double scale =
                (random >> 8 & 7) == 0 ? 1e-30 : (double)(random >> 16) * ((random >> 11 & 7) ? 1.0 : 1e20);
            static const char *const kinds[] = {"point", "spot", "distant", "infinite"};
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "LightSource \"%s\" \"float scale\" %g\n", kinds[random >> 28 & 3],
                                       scale + 1e-30);
        }
        snprintf(text + length, sizeof text - length, "AreaLightSource \"diffuse\" " QUAD);
        struct lb_loaded loaded = scene_get("", text);
        check_choice(loaded.scene);
        lb_scene_free(&loaded);
    }
}

static void scattered_rays_alone_find_constant_environments(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("", "LightSource \"infinite\" \"rgb L\" [ 1 2 3 ] \"float illuminance\" 3\n" QUAD);
    assert_int_equal(loaded.scene->light_choice.count, 0);
    assert_int_equal(loaded.scene->infinite_lights.count, 1);
    const lb_light *light = LB_ARRAY(loaded.scene, lights, lb_light);
    assert_near(light->emission.g, 2.0 * 3.0 / 3.141592653589793);
    lb_scene_free(&loaded);
}

static void powers_and_illuminances(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "",
        "LightSource \"point\" \"rgb I\" [ 1 2 3 ] \"float scale\" 2 \"float power\" 10 \"point3 from\" [ 1 "
        "2 3 ]\n"
        "LightSource \"distant\" \"rgb L\" [ 1 2 3 ] \"float illuminance\" 5 \"point3 from\" [ 0 4 0 ] "
        "\"point3 to\" [ 0 1 0 ]\n"
        "LightSource \"spot\" \"rgb I\" [ 1 1 1 ] \"float coneangle\" 60 \"float conedeltaangle\" 60\n" QUAD);
    const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
    assert_near(lights[0].emission.b, 3.0 * 2.0 * 10.0 / (4.0 * 3.141592653589793));
    assert_near(lights[0].position.y, 2.0);
    assert_near(lights[1].emission.b, 15.0);
    assert_near(lights[1].direction.y, 1.0); /* towards the light */
    assert_near(lights[2].cos_start, 1.0);
    assert_near(lights[2].cos_total, 0.5);
    assert_near(lights[2].direction.z, 1.0);
    lb_scene_free(&loaded);
}

static void each_triangle_has_the_full_power(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("", "Scale 2 2 2 AreaLightSource \"diffuse\" \"rgb L\" [ 1 1 1 ] \"float power\" 6 "
                      "\"bool twosided\" true \"float scale\" 3\n" QUAD);
    const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
    const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_int_equal(loaded.scene->lights.count, 2);
    assert_int_equal(shape->first_light, 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_near(lights[i].emission.r, 3.0 * 6.0 / (3.141592653589793 * 2.0 * 2.0));
        assert_int_equal(lights[i].primitive.primitive, i);
        assert_int_equal(lights[i].twosided, 1);
    }
    lb_scene_free(&loaded);
}

static void some_shapes_do_not_shine(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    struct scene_warnings warnings = {0, ""};
    assert_int_equal(
        scene_try("",
                  "AreaLightSource \"diffuse\" Material \"interface\" Shape \"sphere\" Material \"diffuse\"\n"
                  "ObjectBegin \"o\" " QUAD "ObjectEnd ObjectInstance \"o\"\n"
                  "AreaLightSource \"diffuse\" \"float scale\" 0 Shape \"sphere\"",
                  NULL, &warnings, &loaded, &error),
        LB_OK);
    assert_int_equal(loaded.scene->lights.count, 0);
    assert_int_equal(loaded.scene->light_choice.count, 0);
    assert_int_equal(warnings.count, 2);
    assert_int_equal(loaded.scene->any_interface, 1);
    lb_scene_free(&loaded);
}

/* An image as a light: 4 x 4, all `dark` but one texel. */
static struct lb_loaded load_environment(float dark, float bright, struct lb_error *error,
                                         enum lb_status *status)
{
    struct {
        char head[16];
        float texels[16][3];
    } pfm;
    memset(&pfm, 0, sizeof pfm);
    int length = snprintf(pfm.head, sizeof pfm.head, "PF\n4 4\n-1.000\n");
    assert_true(length > 0);
    memset(pfm.head + length, 0, sizeof pfm.head - (size_t)length);
    for (int i = 0; i < 16; i++)
        for (int c = 0; c < 3; c++)
            pfm.texels[i][c] = i == 6 ? bright : dark;
    char bytes[sizeof pfm];
    memcpy(bytes, pfm.head, (size_t)length);
    memcpy(bytes + length, pfm.texels, sizeof pfm.texels);
    struct scene_file image = scene_file_write(bytes, (size_t)length + sizeof pfm.texels);
    char text[256];
    snprintf(text, sizeof text, "LightSource \"infinite\" \"string filename\" \"%s\" \"float scale\" 2 " QUAD,
             image.path);
    struct lb_loaded loaded;
    *status = scene_try("", text, NULL, NULL, &loaded, error);
    unlink(image.path);
    return loaded;
}

static void environments_are_drawn_by_their_light(void **state)
{
    (void)state;
    struct lb_error error;
    enum lb_status status;
    for (int uniform = 0; uniform < 2; uniform++) {
        struct lb_loaded loaded = load_environment(1.0f, uniform ? 1.0f : 17.0f, &error, &status);
        assert_int_equal(status, LB_OK);
        const lb_light *light = LB_ARRAY(loaded.scene, lights, lb_light);
        const float *density = LB_ARRAY(loaded.scene, tables, float) + light->density.offset;
        assert_int_equal(light->kind, LB_LIGHT_INFINITE_IMAGE);
        assert_int_equal(light->map_size, 4);
        assert_near(light->emission.g, 2.0);
        /* Mean 2: only the bright texel is above. PFM's first row is the lowest. */
        for (int i = 0; i < 16; i++)
            assert_near(density[i], uniform ? 1.0 : i == (3 - 1) * 4 + 2 ? 16.0 : 0.0);
        check_choice(loaded.scene);
        lb_scene_free(&loaded);
    }
    load_environment(1.0f, __builtin_nanf(""), &error, &status);
    assert_int_equal(status, LB_ERROR);
    load_environment(1.0f, __builtin_inff(), &error, &status);
    assert_int_equal(status, LB_ERROR);
}

static lb_rgb radiance_at(const lb_scene *scene, lb_vec3 from, lb_vec3 direction, float *pdf)
{
    lb_ray ray = {.origin = from, .direction = direction};
    return lb_infinite_radiance(scene, LB_ARRAY(scene, lights, lb_light), &ray, 0.0f, pdf);
}

/* A point's view: the density of what is drawn is that of what is met, and directions fill the portal's solid angle. */
static void check_portal(const lb_scene *scene, lb_vec3 from, double solid_angle)
{
    enum { SAMPLES = 100000 };
    double sum = 0.0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        lb_light_sample sample;
        lb_vec2 u =
            lb_vec2_make(((float)i + 0.5f) / (float)SAMPLES, (float)(i * 7919u % SAMPLES) / (float)SAMPLES);
        float pdf;
        lb_light_draw(scene, 0, from, u, &sample);
        assert_true(sample.pdf > 0.0f && !sample.delta);
        lb_vec3 p = lb_add_scaled(from, sample.direction, -from.z / sample.direction.z);
        assert_true(sample.direction.z < 0.0f && lb_abs(p.x) <= 1.0001f && lb_abs(p.y - 1.0f) <= 0.5001f);
        lb_rgb met = radiance_at(scene, from, sample.direction, &pdf);
        if (pdf > 0.0f) { /* not just beyond the rim, by rounding */
            assert_true(lb_abs(pdf - sample.pdf) <= 1e-3f * pdf || lb_abs(met.g - sample.radiance.g) > 0.0f);
        }
        sum += 1.0 / (double)sample.pdf;
    }
    assert_true(lb_abs_d(sum / SAMPLES - solid_angle) < 0.01 * solid_angle);
}

/* Of a rectangle of 2 x 1 at this distance, seen from opposite its middle. */
static double solid_angle_of(float distance)
{
    return 4.0 * (double)lb_atan2(0.5f, distance * lb_sqrt(1.25f + distance * distance));
}

#define PORTAL "\"point3 portal\" [ -1 0.5 0  1 0.5 0  1 1.5 0  -1 1.5 0 ] "

static void light_comes_through_a_portal_alone(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("", "Rotate 40 1 2 3 LightSource \"infinite\" \"rgb L\" [ 3 2 1 ] " PORTAL QUAD);
    const lb_scene *scene = loaded.scene;
    const lb_light *light = LB_ARRAY(scene, lights, lb_light);
    assert_int_equal(light->kind, LB_LIGHT_INFINITE_PORTAL);
    check_choice(scene);
    check_portal(scene, lb_vec3_make(0.0f, 1.0f, 0.25f), solid_angle_of(0.25f));
    check_portal(scene, lb_vec3_make(0.0f, 1.0f, 3.0f), solid_angle_of(3.0f));
    check_portal(scene, lb_vec3_make(0.0f, 1.0f, 1e-3f), solid_angle_of(1e-3f));
    float pdf;
    lb_vec3 in = lb_vec3_make(0.0f, 1.0f, 2.0f), out = lb_vec3_make(0.0f, 1.0f, -2.0f);
    lb_vec3 ahead = lb_vec3_make(0.0f, 0.0f, -1.0f), up = lb_vec3_make(0.0f, 1.0f, 0.0f);
    assert_near(radiance_at(scene, in, ahead, &pdf).r, 3.0);
    assert_true(pdf > 0.0f);
    assert_near(radiance_at(scene, in, up, &pdf).r, 0.0);
    assert_near(radiance_at(scene, in, lb_negate(ahead), &pdf).r, 0.0);
    assert_near(radiance_at(scene, out, ahead, &pdf).r, 0.0);
    lb_light_sample sample;
    lb_light_draw(scene, 0, out, lb_vec2_make(0.5f, 0.5f), &sample);
    assert_true(sample.pdf == 0.0f);
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lights_are_chosen_by_their_chances),
        cmocka_unit_test(scattered_rays_alone_find_constant_environments),
        cmocka_unit_test(powers_and_illuminances),
        cmocka_unit_test(each_triangle_has_the_full_power),
        cmocka_unit_test(some_shapes_do_not_shine),
        cmocka_unit_test(environments_are_drawn_by_their_light),
        cmocka_unit_test(light_comes_through_a_portal_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
