/* What scenes are made of: film, camera, filter, materials and textures. */
#include "core/kernel/film/film.h"
#include "core/base/color_space.h"
#include "core/scene/spectrum/color_space.h"
#include "scene_help.h"

static void film_has_its_window(void **state)
{
    (void)state;
    static const struct {
        const char *film;
        uint32_t x0, y0, width, height;
    } cases[] = {
        {"Film \"rgb\"", 0, 0, 1280, 720},
        {"Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 10 \"float cropwindow\" [ 0.25 "
         "0.75 0 0.5 ]",
         25, 0, 50, 5},
        {"Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 10 \"float cropwindow\" [ 0.75 "
         "0.25 2 -1 ]",
         25, 0, 50, 10},
        {"Film \"rgb\" \"integer xresolution\" 3 \"integer yresolution\" 3 \"float cropwindow\" [ 0.4 0.5 "
         "0.9 1 ]",
         2, 3, 0, 0},
        {"Film \"rgb\" \"integer xresolution\" 100 \"integer yresolution\" 10 \"integer pixelbounds\" [ 10 "
         "20 -3 400 ]",
         10, 0, 10, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error;
        if (scene_try(cases[i].film, "", NULL, NULL, &loaded, &error) != LB_OK) {
            assert_int_equal(cases[i].width, 0);
            continue;
        }
        assert_int_equal(loaded.scene->film.x0, cases[i].x0);
        assert_int_equal(loaded.scene->film.y0, cases[i].y0);
        assert_int_equal(loaded.scene->film.width, cases[i].width);
        assert_int_equal(loaded.scene->film.height, cases[i].height);
        lb_scene_free(&loaded);
    }
}

static void command_line_goes_before_the_file(void **state)
{
    (void)state;
    const struct lb_scene_options options = {.samples = 7,
                                             .has_seed = true,
                                             .seed = 5,
                                             .width = 30,
                                             .height = 20,
                                             .has_crop = true,
                                             .crop = {0.5f, 1.0f, 0.0f, 0.5f}};
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(
        scene_try("Film \"rgb\" \"float cropwindow\" [ 0 0.1 0 0.1 ] \"string filename\" \"a.exr\"\n"
                  "Sampler \"sobol\" \"integer pixelsamples\" 3 \"integer seed\" 9",
                  "", &options, NULL, &loaded, &error),
        LB_OK);
    assert_int_equal(loaded.scene->integrator.samples, 7);
    assert_int_equal(loaded.scene->integrator.seed, 5);
    assert_int_equal(loaded.scene->film.full_width, 30);
    assert_int_equal(loaded.scene->film.x0, 15);
    assert_int_equal(loaded.scene->film.width, 15);
    assert_int_equal(loaded.scene->film.height, 10);
    assert_string_equal(loaded.film_file, "a.exr");
    lb_scene_free(&loaded);
    assert_null(loaded.scene);
}

static void exposure_is_shutter_times_iso(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("Camera \"perspective\" \"float shutteropen\" 0.5 \"float shutterclose\" 0.75\n"
                  "Film \"rgb\" \"float iso\" 200 \"float maxcomponentvalue\" 3",
                  "");
    assert_near(loaded.scene->film.imaging_ratio, 0.5);
    assert_near(loaded.scene->film.max_component, 3.0);
    lb_scene_free(&loaded);
    loaded = scene_get("", "");
    assert_near(loaded.scene->film.imaging_ratio, 1.0);
    assert_true(loaded.scene->film.max_component == LB_INFINITY);
    lb_scene_free(&loaded);
}

static void field_of_view_is_on_the_shorter_axis(void **state)
{
    (void)state;
    static const struct {
        const char *size;
        double screen[4];
    } cases[] = {
        {"\"integer xresolution\" 200 \"integer yresolution\" 100", {-2, 2, -1, 1}},
        {"\"integer xresolution\" 100 \"integer yresolution\" 200", {-1, 1, -2, 2}},
        {"\"integer xresolution\" 100 \"integer yresolution\" 100", {-1, 1, -1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "Camera \"perspective\" \"float fov\" 60\nFilm \"rgb\" %s",
                 cases[i].size);
        struct lb_loaded loaded = scene_get(text, "");
        for (int k = 0; k < 4; k++)
            assert_near(loaded.scene->camera.screen[k], cases[i].screen[k] * 0.5773502691896257);
        lb_scene_free(&loaded);
    }
}

static void camera_looks_where_it_should(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("LookAt 1 2 3  1 2 -5  0 1 0\nCamera \"perspective\"", "");
    const lb_transform *t = &loaded.scene->camera.world_from_camera;
    lb_vec3 eye = lb_transform_point(t, lb_vec3_make(0, 0, 0));
    lb_vec3 ahead = lb_transform_vector(t, lb_vec3_make(0, 0, 1));
    lb_vec3 right = lb_transform_vector(t, lb_vec3_make(1, 0, 0));
    assert_near(eye.x, 1), assert_near(eye.y, 2), assert_near(eye.z, 3);
    assert_near(ahead.z, -1);
    assert_near(right.x, -1); /* left-handed: looking down -z, +x is on the left */
    lb_scene_free(&loaded);
}

static void samplers_have_their_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *sampler;
        uint32_t samples;
    } cases[] = {
        {"", 16},
        {"Sampler \"halton\"", 16},
        {"Sampler \"zsobol\" \"string randomization\" \"none\"", 16},
        {"Sampler \"pmj02bn\" \"integer pixelsamples\" 3", 3},
        {"Sampler \"independent\"", 4},
        {"Sampler \"stratified\"", 16},
        {"Sampler \"stratified\" \"integer xsamples\" 3 \"integer ysamples\" 5 \"bool jitter\" false", 15},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded = scene_get(cases[i].sampler, "");
        assert_int_equal(loaded.scene->integrator.samples, cases[i].samples);
        lb_scene_free(&loaded);
    }
}

static void integrators_are_path_tracing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned media, warnings;
    } cases[] = {{"path", 0, 0},          {"volpath", 1, 0},   {"simplepath", 0, 0},
                 {"simplevolpath", 1, 0}, {"bdpt", 1, 1},      {"mlt", 1, 1},
                 {"sppm", 0, 1},          {"lightpath", 0, 1}, {"randomwalk", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        struct lb_loaded loaded;
        struct lb_error error;
        struct scene_warnings warnings = {0};
        snprintf(text, sizeof text, "Integrator \"%s\" \"integer maxdepth\" 9", cases[i].name);
        assert_int_equal(scene_try(text, "", NULL, &warnings, &loaded, &error), LB_OK);
        assert_int_equal(loaded.scene->integrator.kind, LB_INTEGRATOR_PATH);
        assert_int_equal(loaded.scene->integrator.max_depth, 9);
        assert_int_equal(loaded.scene->integrator.media, cases[i].media);
        assert_int_equal(warnings.count, cases[i].warnings);
        lb_scene_free(&loaded);
    }
    struct lb_loaded loaded = scene_get("", "");
    assert_int_equal(loaded.scene->integrator.max_depth, 5);
    assert_int_equal(loaded.scene->integrator.media, 1);
    lb_scene_free(&loaded);
    loaded = scene_get(
        "Integrator \"mandelbrot\" \"point2 center\" [ -0.75 0.1 ] \"integer maxiterations\" 77", "");
    assert_int_equal(loaded.scene->integrator.kind, LB_INTEGRATOR_MANDELBROT);
    assert_true(loaded.scene->integrator.center[0] == -0.75 && loaded.scene->integrator.span == 3.0);
    assert_int_equal(loaded.scene->integrator.max_iterations, 77);
    lb_scene_free(&loaded);
}

/* The tables are distributions: from 0 to 1, never falling, and as steep as the filter is high. */
static void filters_have_tables(void **state)
{
    (void)state;
    static const char *const filters[] = {"", "PixelFilter \"mitchell\"",
                                          "PixelFilter \"sinc\" \"float xradius\" 3",
                                          "PixelFilter \"gaussian\" \"float yradius\" 0.7"};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        struct lb_loaded loaded = scene_get(filters[i], "");
        const lb_filter *f = &loaded.scene->film.filter;
        const float *tables = LB_ARRAY(loaded.scene, tables, float);
        const float *marginal = tables + f->marginal.offset, *values = tables + f->values.offset;
        double cell = 4.0 * (double)f->xradius * (double)f->yradius / ((double)f->nx * (double)f->ny);
        assert_int_equal(f->marginal.count, f->ny + 1);
        assert_int_equal(f->conditional.count, (size_t)f->ny * (f->nx + 1));
        assert_true(marginal[0] == 0.0f && marginal[f->ny] == 1.0f);
        for (uint32_t y = 0; y < f->ny; y++) {
            const float *row = tables + f->conditional.offset + (size_t)y * (f->nx + 1);
            assert_true(marginal[y] <= marginal[y + 1] && row[0] == 0.0f && row[f->nx] == 1.0f);
            for (uint32_t x = 0; x < f->nx; x++) {
                double chance =
                    ((double)marginal[y + 1] - (double)marginal[y]) * ((double)row[x + 1] - (double)row[x]);
                double due = (double)lb_abs(values[(size_t)y * f->nx + x]) * cell / (double)f->integral;
                assert_true(lb_abs_d(chance - due) < 1e-6);
            }
        }
        lb_scene_free(&loaded);
    }
}

static void materials_have_their_defaults(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "", "Shape \"sphere\" Material \"conductor\" Shape \"sphere\" Material \"coateddiffuse\" Shape "
            "\"sphere\"\n"
            "Material \"dielectric\" \"float roughness\" 0.3 \"float vroughness\" 0.5 Shape \"sphere\"\n"
            "Material \"thindielectric\" \"spectrum eta\" \"glass-BK7\" Shape \"sphere\"");
    const lb_material *m = LB_ARRAY(loaded.scene, materials, lb_material);
    assert_int_equal(loaded.scene->materials.count, 5);
    assert_near(m[0].reflectance.value.g, 0.5);
    assert_int_equal(m[1].kind, LB_MATERIAL_CONDUCTOR);
    assert_true(m[1].k.value.r > 1.0f && m[1].by_reflectance == 0 && m[1].remap_roughness == 1);
    assert_near(m[2].thickness.value.r, 0.01);
    assert_near(m[2].eta.value.r, 1.5);
    assert_int_equal(m[2].max_depth, 10);
    assert_int_equal(m[2].samples, 1);
    assert_near(m[3].uroughness.value.r, 0.3);
    assert_near(m[3].vroughness.value.r, 0.5);
    assert_near(m[4].eta.value.r, 1.5168);
    lb_scene_free(&loaded);
}

static void textures_refer_to_earlier_ones(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "", "Texture \"white\" \"spectrum\" \"constant\" \"rgb value\" [ 0.9 0.8 0.7 ]\n"
            "Texture \"half\" \"float\" \"constant\" \"float value\" 0.5\n"
            "Texture \"board\" \"spectrum\" \"checkerboard\" \"texture tex1\" \"white\" \"float uscale\" 4\n"
            "Texture \"dark\" \"spectrum\" \"scale\" \"texture tex\" \"board\" \"texture scale\" \"half\"\n"
            "Texture \"mixed\" \"spectrum\" \"mix\" \"texture tex1\" \"dark\" \"float amount\" 0.25\n"
            "Material \"diffuse\" \"texture reflectance\" \"mixed\" " QUAD);
    const lb_texture *t = LB_ARRAY(loaded.scene, textures, lb_texture);
    const lb_material *m = LB_ARRAY(loaded.scene, materials, lb_material);
    assert_int_equal(loaded.scene->textures.count, 3); /* constants are none */
    assert_int_equal(t[0].kind, LB_TEXTURE_CHECKERBOARD);
    assert_int_equal(t[0].a.texture, LB_NONE);
    assert_near(t[0].a.value.g, 0.8);
    assert_near(t[0].su, 4.0);
    assert_int_equal(t[1].kind, LB_TEXTURE_SCALE);
    assert_int_equal(t[1].a.texture, 0);
    assert_near(t[1].b.value.b, 0.5);
    assert_int_equal(t[2].a.texture, 1);
    assert_near(t[2].amount.value.r, 0.25);
    assert_int_equal(m[1].reflectance.texture, 2);
    lb_scene_free(&loaded);
}

static void textures_nest_so_deep_only(void **state)
{
    (void)state;
    char text[4096] = "Texture \"t1\" \"float\" \"checkerboard\"\n";
    for (int depth = 2; depth <= 12; depth++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length,
                 "Texture \"t%d\" \"float\" \"scale\" \"texture tex\" \"t%d\" \"float scale\" 0.5\n", depth,
                 depth - 1);
        struct lb_loaded loaded;
        struct lb_error error;
        char used[4200];
        snprintf(used, sizeof used, "%s%s \"texture alpha\" \"t%d\"", text, "Shape \"sphere\"", depth);
        enum lb_status status = scene_try("", used, NULL, NULL, &loaded, &error);
        assert_int_equal(status == LB_OK, depth <= LB_TEXTURE_DEPTH);
        if (status == LB_OK)
            lb_scene_free(&loaded);
        else
            assert_non_null(strstr(error.message, "nests"));
    }
}

/* What pbrt's points and vectors become under M, whose inverse is the Transform: points are divided by w, a ray's
 * direction is that of the linear part relative to where the camera stands. */
static void projective_cameras_are_as_in_pbrt(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("Transform [ 1 0 0 0.1  0 2 0 0  0 0 1 -0.2  3 0 5 1.5 ] Camera \"perspective\"", "");
    /* The inverse of that matrix, by hand for x: M = (1/d) adj; checked against a transform there and back. */
    const lb_transform *t = &loaded.scene->camera.world_from_camera;
    const double m[4][4] = {{1, 0, 0, 3}, {0, 2, 0, 0}, {0, 0, 1, 5}, {0.1, 0, -0.2, 1.5}};
    lb_vec3 eye = lb_transform_point(t, lb_vec3_make(0.0f, 0.0f, 0.0f));
    const double e[4] = {(double)eye.x, (double)eye.y, (double)eye.z, 1.0};
    double image[4] = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            image[i] += m[i][j] * e[j];
    for (int i = 0; i < 3; i++)
        assert_near(image[i] / image[3], 0.0);
    /* A step along a ray's direction leads to where that direction led in camera space. */
    lb_vec3 d = lb_transform_vector(t, lb_vec3_make(0.3f, -0.2f, 1.0f));
    double moved[4] = {0};
    const double h = 1e-6,
                 to[4] = {e[0] + h * (double)d.x, e[1] + h * (double)d.y, e[2] + h * (double)d.z, 1.0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            moved[i] += m[i][j] * to[j];
    double z = moved[2] / moved[3] - image[2] / image[3];
    assert_true(lb_abs_d((moved[0] / moved[3] - image[0] / image[3]) / z - 0.3) < 1e-4);
    assert_true(lb_abs_d((moved[1] / moved[3] - image[1] / image[3]) / z + 0.2) < 1e-4);
    lb_scene_free(&loaded);
}

static void projective_meshes_are_divided_by_w(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("", "Transform [ 1 0 0 0.5  0 1 0 0  0 0 1 0  0 0 0 1 ] " QUAD);
    const lb_vec3 *p = LB_ARRAY(loaded.scene, positions, lb_vec3);
    assert_near(p[1].x, 1.0 / 1.5);
    assert_near(p[2].x, 1.0 / 1.5);
    assert_near(p[2].y, 1.0 / 1.5);
    assert_near(p[3].y, 1.0);
    lb_scene_free(&loaded);
}

/* What the film of that description makes of white. */
static lb_rgb white_of(const char *film)
{
    const struct lb_scene_options rgb = {.rgb = true};
    struct lb_loaded loaded;
    struct lb_error error;
    lb_film_pixel pixel;
    assert_int_equal(scene_try(film, "", &rgb, NULL, &loaded, &error), LB_OK);
    memset(&pixel, 0, sizeof pixel);
    assert_true(lb_film_add(&pixel, &loaded.scene->film, 1, lb_rgb_grey(1.0f), 1.0f));
    lb_scene_free(&loaded);
    return lb_film_rgb(&pixel);
}

/* As in pbrt either bound may come first, and what lies beyond the film is left out, with a warning. */
static void pixel_bounds_may_be_exchanged_or_too_large(void **state)
{
    (void)state;
    static const struct {
        const char *bounds;
        uint32_t x0, y0, width, height, warnings;
    } cases[] = {{"10 30 5 9", 10, 5, 20, 4, 0},
                 {"30 10 9 5", 10, 5, 20, 4, 0},
                 {"-3 30 5 90", 0, 5, 30, 35, 1},
                 {"0 60 40 0", 0, 0, 60, 40, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[160];
        struct lb_loaded loaded;
        struct lb_error error;
        struct scene_warnings warnings = {0};
        snprintf(text, sizeof text,
                 "Film \"rgb\" \"integer xresolution\" 60 \"integer yresolution\" 40 \"integer pixelbounds\" "
                 "[ %s ]",
                 cases[i].bounds);
        assert_int_equal(scene_try(text, "", NULL, &warnings, &loaded, &error), LB_OK);
        const lb_film *film = &loaded.scene->film;
        assert_true(film->x0 == cases[i].x0 && film->y0 == cases[i].y0 && film->width == cases[i].width &&
                    film->height == cases[i].height);
        assert_int_equal(warnings.count, cases[i].warnings);
        lb_scene_free(&loaded);
    }
}

static void sensors_have_a_white(void **state)
{
    (void)state;
    lb_rgb c = white_of("Film \"rgb\" \"string sensor\" \"cie1931\"");
    assert_true(c.r == 1.0f && c.g == 1.0f && c.b == 1.0f);
    c = white_of("Film \"rgb\" \"float whitebalance\" 6500");
    assert_true(lb_abs(c.r - 1.0f) < 0.002f && lb_abs(c.g - 1.0f) < 0.002f && lb_abs(c.b - 1.0f) < 0.002f);
    /* D65 beside warmer whites is blue, also where daylight becomes a blackbody's. */
    c = white_of("Film \"rgb\" \"float whitebalance\" 4000");
    assert_true(lb_abs(c.r - 0.626f) < 0.003f && lb_abs(c.g - 1.057f) < 0.003f &&
                lb_abs(c.b - 1.914f) < 0.005f);
    c = white_of("Film \"rgb\" \"float whitebalance\" 3000");
    assert_true(lb_abs(c.r - 0.269f) < 0.003f && lb_abs(c.b - 3.086f) < 0.01f);
    c = white_of("Film \"rgb\" \"string sensor\" \"nikon_d850\"");
    assert_true(lb_abs(c.r - 1.0f) < 0.02f && lb_abs(c.g - 1.0f) < 0.02f && lb_abs(c.b - 1.0f) < 0.02f);
    c = white_of("Film \"rgb\" \"string sensor\" \"canon_eos_5d_mkiv\" \"float whitebalance\" 5000");
    assert_true(lb_abs(c.r - 0.814f) < 0.03f && lb_abs(c.g - 1.003f) < 0.03f && lb_abs(c.b - 1.312f) < 0.03f);
}

static void films_have_a_color_space(void **state)
{
    (void)state;
    static const char *const names[] = {"srgb", "dci-p3", "rec2020", "aces2065-1"};
    for (uint32_t i = 0; i < 4; i++) {
        char before[128];
        double m[3][3];
        lb_rgb back;
        assert_int_equal(lb_color_space_find(names[i]), i);
        snprintf(before, sizeof before, "ColorSpace \"%s\" Film \"rgb\"", names[i]);
        struct lb_loaded loaded = scene_get(before, QUAD);
        assert_int_equal(loaded.scene->film.color_space, i);
        assert_int_equal(loaded.scene->film.has_sensor, 0);
        lb_scene_free(&loaded);
        /* What a light of such a color is goes back to what it was. */
        lb_color_space_from_srgb(i, m);
        lb_rgb own = lb_rgb_make((float)(0.3 * m[0][0] + 0.6 * m[0][1] + 0.5 * m[0][2]),
                                 (float)(0.3 * m[1][0] + 0.6 * m[1][1] + 0.5 * m[1][2]),
                                 (float)(0.3 * m[2][0] + 0.6 * m[2][1] + 0.5 * m[2][2]));
        assert_true(lb_rgb_to_srgb(names[i], true, own, &back));
        assert_near((double)back.r, 0.3), assert_near((double)back.g, 0.6), assert_near((double)back.b, 0.5);
    }
    assert_int_equal(lb_color_space_find("adobe"), LB_COLOR_SPACES);
}

/* Sums are sRGB, whatever files hold, but for a white balance, whose white is the space's. */
static void a_white_balance_goes_to_the_space_of_the_film(void **state)
{
    (void)state;
    static const char *const films[] = {"Film \"rgb\" \"float whitebalance\" 6500",
                                        "Film \"rgb\" \"string sensor\" \"nikon_d850\""};
    double m[3][3];
    lb_color_space_from_srgb(lb_color_space_find("aces2065-1"), m);
    for (int i = 0; i < 2; i++) {
        char before[128];
        snprintf(before, sizeof before, "ColorSpace \"aces2065-1\" %s", films[i]);
        lb_rgb c = white_of(before);
        for (int k = 0; k < 3; k++) {
            double own = m[k][0] * (double)c.r + m[k][1] * (double)c.g + m[k][2] * (double)c.b;
            assert_true(lb_abs_d(own - 1.0) < 0.02);
        }
    }
    lb_rgb plain = white_of("Film \"rgb\" \"float whitebalance\" 3000");
    lb_rgb same = white_of("ColorSpace \"rec2020\" Film \"rgb\" \"float whitebalance\" 3000");
    assert_true(lb_abs(plain.r - same.r) < 1e-3f && lb_abs(plain.g - same.g) < 1e-3f &&
                lb_abs(plain.b - same.b) < 2e-3f);
}

static void a_spectral_film_says_what_it_lacks_in_three_colors(void **state)
{
    const struct lb_scene_options rgb = {.rgb = true};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene_warnings warnings = {0};
        struct lb_loaded loaded;
        struct lb_error error;
        assert_int_equal(
            scene_try(
                "Film \"spectral\" \"integer nbuckets\" 8 \"float lambdamin\" 400 \"float lambdamax\" 700",
                QUAD, i ? &rgb : NULL, &warnings, &loaded, &error),
            LB_OK);
        assert_int_equal(warnings.count, i);
        assert_int_equal(loaded.scene->quads.count, i ? 0 : LB_QUADS);
        lb_scene_free(&loaded);
    }
}

/* A camera's white balance takes the daylight of its temperature to white. */
static void a_camera_shows_its_daylight_white(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct scene_warnings warnings = {0};
        struct lb_loaded loaded;
        struct lb_error error;
        const char *film = i ? "Film \"rgb\" \"string sensor\" \"nikon_d850\" \"float whitebalance\" 6504"
                             : "Film \"rgb\" \"string sensor\" \"canon_eos_5d_mkii\"";
        assert_int_equal(scene_try(film, QUAD, NULL, &warnings, &loaded, &error), LB_OK);
        const lb_scene *scene = loaded.scene;
        double seen[3] = {0.0, 0.0, 0.0}, sensed[3] = {0.0, 0.0, 0.0};
        for (uint32_t q = 0; q < LB_QUADS; q++)
            for (int lane = 0; lane < 4; lane++) {
                const lb_quad *quad = LB_ARRAY(scene, quads, lb_quad) + q;
                const float *shows = &quad->shows[lane].r;
                for (int c = 0; c < 3; c++)
                    sensed[c] += (double)shows[c] * (double)quad->white[lane] / LB_QUADS;
            }
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                seen[c] += (double)scene->film.sensor[c][k] * sensed[k];
            assert_true(lb_abs_d(seen[c] - 1.0) < 0.02); /* swatches are fitted, of which white is one */
        }
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(film_has_its_window),
        cmocka_unit_test(pixel_bounds_may_be_exchanged_or_too_large),
        cmocka_unit_test(sensors_have_a_white),
        cmocka_unit_test(films_have_a_color_space),
        cmocka_unit_test(a_white_balance_goes_to_the_space_of_the_film),
        cmocka_unit_test(a_spectral_film_says_what_it_lacks_in_three_colors),
        cmocka_unit_test(a_camera_shows_its_daylight_white),
        cmocka_unit_test(command_line_goes_before_the_file),
        cmocka_unit_test(exposure_is_shutter_times_iso),
        cmocka_unit_test(field_of_view_is_on_the_shorter_axis),
        cmocka_unit_test(camera_looks_where_it_should),
        cmocka_unit_test(samplers_have_their_defaults),
        cmocka_unit_test(integrators_are_path_tracing),
        cmocka_unit_test(filters_have_tables),
        cmocka_unit_test(materials_have_their_defaults),
        cmocka_unit_test(textures_refer_to_earlier_ones),
        cmocka_unit_test(textures_nest_so_deep_only),
        cmocka_unit_test(projective_cameras_are_as_in_pbrt),
        cmocka_unit_test(projective_meshes_are_divided_by_w),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
