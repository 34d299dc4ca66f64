/* Tests how lights and environment maps are built, and how lights are chosen. */
#include "core/kernel/lights/light.h"
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
        struct lb_loaded loaded = scene_get("Integrator \"path\" \"string lightsampler\" \"power\"\n", text);
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

/* Lights without a color are as white as the color space is (pbrt). */
static void lights_are_white_by_their_color_space(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "", "ColorSpace \"aces2065-1\" LightSource \"point\" LightSource \"point\" \"rgb I\" [ 1 1 1 ]\n"
            "AreaLightSource \"diffuse\" \"float scale\" 2 " QUAD);
    const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
    for (int i = 0; i < 3; i++) { /* the shape's lights come first */
        double scale = i < 2 ? 2.0 : 1.0;
        assert_near(lights[i].emission.r, scale * (double)lights[3].emission.r);
        assert_near(lights[i].emission.b, scale * (double)lights[3].emission.b);
    }
    assert_true(lights[3].emission.r > 1.03f && lights[3].emission.b < 0.93f);
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
    struct scene_warnings warnings = {0};
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

/* An image as a light: 4 x 4, all `dark` but one texel; and what else `more` says. */
static struct lb_loaded load_environment_and(float dark, float bright, const char *more,
                                             struct lb_error *error, enum lb_status *status)
{
    float texels[16][3];
    for (int i = 0; i < 16; i++) /* of the lowest row but one */
        for (int c = 0; c < 3; c++)
            texels[i][c] = i == 10 ? bright : dark;
    struct scene_file image = scene_image_write(4, 4, 3, texels[0]);
    char text[4096];
    snprintf(text, sizeof text,
             "LightSource \"infinite\" \"string filename\" \"%s\" \"float scale\" 2 %s " QUAD, image.path,
             more);
    struct lb_loaded loaded;
    *status = scene_try("", text, NULL, NULL, &loaded, error);
    unlink(image.path);
    return loaded;
}

static struct lb_loaded load_environment(float dark, float bright, struct lb_error *error,
                                         enum lb_status *status)
{
    return load_environment_and(dark, bright, "", error, status);
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
        /* Mean 2: only the bright texel is above. */
        for (int i = 0; i < 16; i++)
            assert_near(density[i], uniform ? 1.0 : i == 10 ? 16.0 : 0.0);
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

/* Beside a sun of the same power a sky is chosen the less the more even it is: a density with the mean square m counts
 * m / (m + 64). */
static void even_skies_are_seldom_chosen(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        struct lb_error error;
        enum lb_status status;
        char sun[100];
        snprintf(sun, sizeof sun, "LightSource \"distant\" \"float scale\" %.9g",
                 8.0 * (double)LB_PI * (uneven ? 2.0 : 1.0));
        struct lb_loaded loaded = load_environment_and(1.0f, uneven ? 17.0f : 1.0f, sun, &error, &status);
        assert_int_equal(status, LB_OK);
        check_choice(loaded.scene);
        const lb_alias *choice = LB_ARRAY(loaded.scene, light_choice, lb_alias);
        double part = uneven ? 16.0 / (16.0 + 64.0) : 1.0 / (1.0 + 64.0);
        assert_near(choice[0].probability, part / (1.0 + part));
        lb_scene_free(&loaded);
    }
}

/* The same beside a tree of lamps. */
static void even_skies_are_seldom_chosen_beside_a_tree(void **state)
{
    (void)state;
    struct lb_error error;
    enum lb_status status;
    char more[2000];
    int length =
        snprintf(more, sizeof more, "LightSource \"distant\" \"float scale\" %.9g", 8.0 * (double)LB_PI);
    for (int i = 0; i < 12; i++)
        length += snprintf(more + length, sizeof more - (size_t)length,
                           " LightSource \"point\" \"point3 from\" [ %d 3 0 ]", i);
    struct lb_loaded loaded = load_environment_and(1.0f, 1.0f, more, &error, &status);
    assert_int_equal(status, LB_OK);
    const lb_light_beside *beside = LB_ARRAY(loaded.scene, lights_beside, lb_light_beside);
    assert_int_equal(loaded.scene->lights_beside.count, 3);
    assert_near(beside[0].probability / beside[1].probability, 1.0 / 65.0);
    assert_near(beside[0].probability + beside[1].probability + beside[2].probability, 1.0);
    assert_near(beside[0].until, beside[0].probability);
    assert_near(beside[2].until, 1.0);
    lb_scene_free(&loaded);
}

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

/* The luminances are those of pbrt's pictures: there such light is a picture of one texel of the spectrum's color. */
static void light_through_a_portal_is_as_bright_as_its_spectrum(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double luminance;
    } lights[] = {
        {"\"blackbody L\" 3000", 0.416},
        {"\"spectrum L\" [ 300 0.5 900 0.5 ]", 0.5},
        {"\"spectrum L\" \"stdillum-F2\"", 1.0},
        {"\"rgb L\" [ 2 2 2 ]", 2.0},
        {"\"blackbody L\" 3000 \"float illuminance\" 6.2831853", 1.0},
    };
    for (size_t i = 0; i < sizeof lights / sizeof lights[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "LightSource \"infinite\" %s " PORTAL QUAD, lights[i].text);
        struct lb_loaded loaded = scene_get("", text);
        const lb_light *light = LB_ARRAY(loaded.scene, lights, lb_light);
        double luminance = (double)lb_rgb_luminance(light->emission);
        if (!(luminance > 0.998 * lights[i].luminance && luminance < 1.002 * lights[i].luminance))
            fail_msg("%s: a luminance of %g", lights[i].text, luminance);
        lb_scene_free(&loaded);
    }
}

/* An area light that shines by this image, with `more`. */
static enum lb_status load_image_light(const struct scene_file *image, const char *more,
                                       struct lb_loaded *loaded, struct lb_error *error)
{
    char text[512];
    snprintf(text, sizeof text, "AreaLightSource \"diffuse\" \"string filename\" \"%s\" %s " QUAD QUAD,
             image->path, more);
    return scene_try("", text, NULL, NULL, loaded, error);
}

static void an_area_light_shines_by_its_image(void **state)
{
    (void)state;
    static const float texels[4][3] = {{1, 2, 3}, {0, 0, 0}, {-7, 4, 0}, {2, 2, 2}}, dark[4][3];
    const double mean = (0.2126 + 2 * 0.7152 + 3 * 0.0722 + 4 * 0.7152 + 2.0) / 4.0, pi = 3.141592653589793;
    struct scene_file image = scene_image_write(2, 2, 3, texels[0]);
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(load_image_light(&image, "\"float scale\" 3", &loaded, &error), LB_OK);
    const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_int_equal(loaded.scene->lights.count, 4);
    assert_int_equal(loaded.scene->images.count, 1);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true((shapes[i / 2].flags & LB_SHAPE_SHINES_BY_IMAGE) != 0 && lights[i].image == 0);
        assert_near(lights[i].emission.r, 3.0);
        assert_near(lights[i].power, 3.0 * mean * pi * 0.5);
    }
    check_choice(loaded.scene);
    lb_scene_free(&loaded);
    /* Each triangle sends the power. */
    assert_int_equal(load_image_light(&image, "\"float power\" 5 \"bool twosided\" true", &loaded, &error),
                     LB_OK);
    lights = LB_ARRAY(loaded.scene, lights, lb_light);
    assert_near(lights[1].emission.b, 5.0 / (pi * 2.0 * 0.5 * mean));
    assert_near(lights[1].power, 5.0);
    lb_scene_free(&loaded);
    assert_int_equal(load_image_light(&image, "\"rgb L\" [ 1 1 1 ]", &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "not both"));
    unlink(image.path);
    image = scene_image_write(2, 2, 3, dark[0]);
    assert_int_equal(load_image_light(&image, "\"float power\" 5", &loaded, &error), LB_OK);
    assert_int_equal(loaded.scene->lights.count, 0);
    lb_scene_free(&loaded);
    unlink(image.path);
}

static void images_of_lights_are_looked_at(void **state)
{
    (void)state;
    static const struct {
        float texel;
        int channels;
        const char *message;
    } wrong[] = {{1.0f, 1, "must have colours"},
                 {__builtin_nanf(""), 3, "not finite"},
                 {__builtin_inff(), 3, "not finite"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const float texel[3] = {1.0f, 1.0f, wrong[i].texel};
        struct scene_file image = scene_image_write(1, 1, wrong[i].channels, texel);
        struct lb_loaded loaded;
        struct lb_error error;
        char text[256];
        assert_int_equal(load_image_light(&image, "", &loaded, &error), LB_ERROR);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].message, error.message);
        snprintf(text, sizeof text, "LightSource \"projection\" \"string filename\" \"%s\"", image.path);
        assert_int_equal(scene_try("", text, NULL, NULL, &loaded, &error), LB_ERROR);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("\"%s\" is not in \"%s\"", wrong[i].message, error.message);
        unlink(image.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lights_are_chosen_by_their_chances),
        cmocka_unit_test(scattered_rays_alone_find_constant_environments),
        cmocka_unit_test(powers_and_illuminances),
        cmocka_unit_test(lights_are_white_by_their_color_space),
        cmocka_unit_test(each_triangle_has_the_full_power),
        cmocka_unit_test(some_shapes_do_not_shine),
        cmocka_unit_test(environments_are_drawn_by_their_light),
        cmocka_unit_test(even_skies_are_seldom_chosen),
        cmocka_unit_test(even_skies_are_seldom_chosen_beside_a_tree),
        cmocka_unit_test(light_comes_through_a_portal_alone),
        cmocka_unit_test(light_through_a_portal_is_as_bright_as_its_spectrum),
        cmocka_unit_test(an_area_light_shines_by_its_image),
        cmocka_unit_test(images_of_lights_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
