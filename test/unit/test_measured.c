/* Tests measured materials: their files, and what is made of these. */
#include "scene_help.h"

#include "bsdf_help.h"

/* A file is made here: all of it is given by these. */
struct recipe {
    uint32_t phis, thetas, side;
    bool lambertian; /* it scatters all light evenly, but for the table's steps; else anyhow */
    float tint[3];   /* at 400, 550 and 700 nm */
};

struct bytes {
    uint8_t *data;
    size_t count, capacity;
};

static void put(struct bytes *bytes, const void *data, size_t count)
{
    if (bytes->count + count > bytes->capacity) {
        bytes->capacity = 2 * (bytes->count + count);
        bytes->data = realloc(bytes->data, bytes->capacity);
    }
    assert_non_null(bytes->data);
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
}

static void put_number(struct bytes *bytes, uint64_t number, unsigned width)
{
    uint8_t little[8];
    for (unsigned i = 0; i < width; i++)
        little[i] = (uint8_t)(number >> (8 * i));
    put(bytes, little, width);
}

struct array {
    const char *name;
    unsigned dimensions;
    uint64_t size[5];
    float *values;
};

static uint64_t count_of(const struct array *array)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < array->dimensions; i++)
        count *= array->size[i];
    return count;
}

/* Arrays of floats as a file; the first dimension of number `odd` says one more than there is. */
static struct bytes file_of(const struct array *arrays, unsigned count, unsigned odd)
{
    struct bytes file = {0}, body = {0};
    uint64_t head = 18;
    for (unsigned i = 0; i < count; i++)
        head += 2 + strlen(arrays[i].name) + 2 + 1 + 8 + 8 * arrays[i].dimensions;
    put(&file, "tensor_file\0\1\0", 14);
    put_number(&file, count, 4);
    for (unsigned i = 0; i < count; i++) {
        put_number(&file, strlen(arrays[i].name), 2);
        put(&file, arrays[i].name, strlen(arrays[i].name));
        put_number(&file, arrays[i].dimensions, 2);
        put_number(&file, 10, 1);
        put_number(&file, head + body.count, 8);
        for (unsigned d = 0; d < arrays[i].dimensions; d++)
            put_number(&file, arrays[i].size[d] + (i == odd && d == 0), 8);
        for (uint64_t v = 0; v < count_of(&arrays[i]); v++)
            put_number(&body, lb_float_bits(arrays[i].values[v]), 4);
    }
    put(&file, body.data, body.count);
    free(body.data);
    return file;
}

enum { THETA, PHI, WAVELENGTHS, NDF, SIGMA, VNDF, LUMINANCE, SPECTRA, ARRAYS };

static const float lengths[3] = {400.0f, 550.0f, 700.0f};

/* The cosine of what is scattered for a place of the square, and by how much it stretches solid angles. */
static float lit_cosine(float theta_o, float x, float y, float *stretch)
{
    float theta = x * x * 0.5f * LB_PI, phi = (2.0f * y - 1.0f) * LB_PI;
    lb_vec3 wo = lb_vec3_make(lb_sin(theta_o), 0.0f, lb_cos(theta_o));
    lb_vec3 wm = lb_vec3_make(lb_sin(theta) * lb_cos(phi), lb_sin(theta) * lb_sin(phi), lb_cos(theta));
    *stretch = 4.0f * lb_max(0.0f, lb_dot(wo, wm)) * 2.0f * LB_PI * LB_PI * x * lb_sin(theta);
    return lb_max(0.0f, lb_reflect(wo, wm).z);
}

static void fill(const struct recipe *recipe, struct array *arrays, lb_random *random)
{
    uint64_t cells = (uint64_t)recipe->side * recipe->side, slices = (uint64_t)recipe->phis * recipe->thetas;
    for (uint32_t i = 0; i < recipe->thetas; i++)
        arrays[THETA].values[i] = 0.5f * LB_PI * (float)i / (float)(recipe->thetas - 1);
    for (uint32_t i = 0; i < recipe->phis; i++)
        arrays[PHI].values[i] =
            recipe->phis == 1 ? 0.0f : LB_PI * (2.0f * (float)i / (float)(recipe->phis - 1) - 1.0f);
    memcpy(arrays[WAVELENGTHS].values, lengths, sizeof lengths);
    for (int which = NDF; which <= SIGMA; which++)
        for (uint64_t i = 0; i < count_of(&arrays[which]); i++) {
            float *value = &arrays[which].values[i];
            uint64_t width = arrays[which].size[1];
            *value = recipe->lambertian ? (which == NDF ? 4.0f : 1.0f) : 0.5f + unit(random);
            if (recipe->phis == 1 && i >= width) /* alike all around */
                *value = value[-(ptrdiff_t)width];
        }
    for (uint64_t slice = 0; slice < slices; slice++)
        for (uint64_t i = 0; i < cells; i++) {
            float x = (float)(i % recipe->side) / (float)(recipe->side - 1);
            float y = (float)(i / recipe->side) / (float)(recipe->side - 1), stretch;
            float cosine = lit_cosine(arrays[THETA].values[slice % recipe->thetas], x, y, &stretch);
            bool even = recipe->lambertian;
            arrays[VNDF].values[slice * cells + i] = even ? 1.0f : x * (0.2f + unit(random));
            arrays[LUMINANCE].values[slice * cells + i] = even ? cosine * stretch : 0.2f + unit(random);
            for (uint64_t w = 0; w < 3; w++)
                arrays[SPECTRA].values[(slice * 3 + w) * cells + i] =
                    recipe->tint[w] * (even ? cosine * LB_1_PI : 0.2f + unit(random));
        }
}

static void make_arrays(const struct recipe *recipe, struct array arrays[ARRAYS])
{
    uint64_t p = recipe->phis, t = recipe->thetas, s = recipe->side;
    const struct array forms[ARRAYS] = {
        [THETA] = {"theta_i", 1, {t}, NULL},
        [PHI] = {"phi_i", 1, {p}, NULL},
        [WAVELENGTHS] = {"wavelengths", 1, {3}, NULL},
        [NDF] = {"ndf", 2, {s + 1, s}, NULL},
        [SIGMA] = {"sigma", 2, {s, s + 2}, NULL},
        [VNDF] = {"vndf", 4, {p, t, s, s}, NULL},
        [LUMINANCE] = {"luminance", 4, {p, t, s, s}, NULL},
        [SPECTRA] = {"spectra", 5, {p, t, 3, s, s}, NULL},
    };
    lb_random random;
    lb_random_start(&random, 7);
    memcpy(arrays, forms, sizeof forms);
    for (int i = 0; i < ARRAYS; i++) {
        arrays[i].values = malloc(count_of(&arrays[i]) * sizeof(float));
        assert_non_null(arrays[i].values);
    }
    fill(recipe, arrays, &random);
}

static void free_arrays(struct array arrays[ARRAYS])
{
    for (int i = 0; i < ARRAYS; i++)
        free(arrays[i].values);
}

static struct scene_file measured_file(const struct recipe *recipe)
{
    struct array arrays[ARRAYS];
    make_arrays(recipe, arrays);
    struct bytes bytes = file_of(arrays, ARRAYS, ARRAYS);
    struct scene_file file = scene_file_write(bytes.data, bytes.count);
    free(bytes.data);
    free_arrays(arrays);
    return file;
}

static enum lb_status try_file(const struct scene_file *file, struct lb_loaded *loaded,
                               struct lb_error *error)
{
    char text[512];
    snprintf(text, sizeof text, "Material \"measured\" \"string filename\" \"%s\" " QUAD, file->path);
    return scene_try("", text, NULL, NULL, loaded, error);
}

static struct lb_loaded load_recipe(const struct recipe *recipe)
{
    struct scene_file file = measured_file(recipe);
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(try_file(&file, &loaded, &error), LB_OK);
    unlink(file.path);
    return loaded;
}

static const lb_material *material_of(const struct lb_loaded *loaded, uint32_t shape)
{
    const lb_material *materials = LB_ARRAY(loaded->scene, materials, lb_material);
    return materials + LB_ARRAY(loaded->scene, shapes, lb_shape)[shape].material;
}

static lb_bsdf seen(const struct lb_loaded *loaded, lb_vec3 wo)
{
    lb_bsdf bsdf = bsdf_flat(LB_MATERIAL_MEASURED, wo);
    bsdf.measured = LB_ARRAY(loaded->scene, measured, lb_measurement);
    bsdf.tables = LB_ARRAY(loaded->scene, tables, float);
    return bsdf;
}

static const struct recipe isotropic = {1, 5, 9, false, {0.1f, 0.2f, 0.3f}};
static const struct recipe anisotropic = {6, 4, 7, false, {0.1f, 0.2f, 0.3f}};
static const struct recipe even = {1, 24, 40, true, {1.0f, 1.0f, 1.0f}};

static lb_vec3 random_direction(lb_random *random)
{
    lb_vec3 w = lb_vector_around(0.1f + 0.9f * unit(random), unit(random));
    return unit(random) < 0.5f ? w : lb_negate(w);
}

static void samples_follow_density(void **state)
{
    (void)state;
    const struct recipe *recipes[] = {&isotropic, &anisotropic, &even};
    lb_random random;
    lb_random_start(&random, 3);
    for (int i = 0; i < 3; i++) {
        struct lb_loaded loaded = load_recipe(recipes[i]);
        for (int round = 0; round < 12; round++) {
            lb_bsdf bsdf = seen(&loaded, random_direction(&random));
            check_density(&bsdf, 100 * i + round, &random);
        }
        lb_scene_free(&loaded);
    }
}

/* What is drawn and what is evaluated are one: densities, and values by them. */
static void samples_agree_with_evaluation(void **state)
{
    (void)state;
    struct lb_loaded loaded = load_recipe(&anisotropic);
    lb_random random;
    int drawn = 0;
    lb_random_start(&random, 4);
    for (int i = 0; i < 20000; i++) {
        lb_bsdf bsdf = seen(&loaded, random_direction(&random));
        lb_scatter scatter;
        float pdf;
        if (!lb_bsdf_sample(&bsdf, 0.5f, lb_random_2d(&random), &scatter) ||
            lb_abs(scatter.direction.z) < 0.02f || lb_abs(scatter.direction.z) > 0.9999f)
            continue;
        lb_rgb f = lb_bsdf_evaluate(&bsdf, scatter.direction, &pdf);
        assert_true(fabsf(pdf - scatter.pdf) <= 2e-2f * scatter.pdf);
        assert_true(fabsf(f.g - scatter.weight.g * scatter.pdf) <= 2e-2f * f.g);
        assert_true(bsdf.wo.z * scatter.direction.z > 0.0f && !scatter.transmitted);
        drawn++;
    }
    assert_true(drawn > 5000);
    lb_scene_free(&loaded);
}

/* Even scattering is what the table says: the value, and all of it together. */
static void the_table_is_what_is_seen(void **state)
{
    (void)state;
    struct lb_loaded loaded = load_recipe(&even);
    lb_random random;
    lb_random_start(&random, 5);
    for (int round = 0; round < 20; round++) {
        lb_bsdf bsdf = seen(&loaded, lb_vector_around(0.2f + 0.75f * unit(&random), unit(&random)));
        double sum = 0.0;
        for (int i = 0; i < 4000; i++) {
            lb_scatter scatter;
            float pdf;
            lb_vec3 wi = lb_vector_around(0.3f + 0.69f * unit(&random), unit(&random));
            lb_rgb f = lb_bsdf_evaluate(&bsdf, wi, &pdf);
            assert_true(fabsf(f.g * LB_PI / wi.z - 1.0f) < 0.1f);
            if (lb_bsdf_sample(&bsdf, 0.5f, lb_random_2d(&random), &scatter))
                sum += (double)scatter.weight.g;
        }
        assert_true(fabs(sum / 4000 - 1.0) < 0.03);
    }
    lb_scene_free(&loaded);
}

static void an_isotropic_surface_may_be_turned(void **state)
{
    (void)state;
    struct lb_loaded loaded = load_recipe(&isotropic);
    float pdf[2];
    lb_bsdf bsdf = seen(&loaded, lb_vector_around(0.5f, 0.1f));
    lb_rgb before = lb_bsdf_evaluate(&bsdf, lb_vector_around(0.7f, 0.3f), &pdf[0]);
    assert_false(lb_bsdf_is_anisotropic(&bsdf));
    bsdf.wo = lb_vector_around(0.5f, 0.1f + 0.65f);
    lb_rgb after = lb_bsdf_evaluate(&bsdf, lb_vector_around(0.7f, 0.3f + 0.65f), &pdf[1]);
    assert_true(fabsf(before.r - after.r) <= 1e-3f * before.r);
    assert_true(fabsf(pdf[0] - pdf[1]) <= 1e-3f * pdf[0]);
    lb_scene_free(&loaded);
    loaded = load_recipe(&anisotropic);
    bsdf = seen(&loaded, lb_vector_around(0.5f, 0.1f));
    assert_true(lb_bsdf_is_anisotropic(&bsdf));
    lb_scene_free(&loaded);
}

/* The tint is the color that the same spectrum has elsewhere. */
static void spectra_become_colors(void **state)
{
    (void)state;
    const struct recipe tinted = {1, 4, 4, true, {0.2f, 0.9f, 0.4f}};
    struct lb_loaded loaded = load_recipe(&tinted);
    struct lb_loaded spectral =
        scene_get("", "Material \"diffuse\" \"spectrum reflectance\" [ 359 0.2 400 0.2 "
                      "550 0.9 700 0.4 831 0.4 ] " QUAD);
    lb_rgb color = material_of(&spectral, 0)->reflectance.value;
    lb_bsdf bsdf = seen(&loaded, lb_vector_around(0.9f, 0.2f));
    float pdf;
    lb_rgb f = lb_bsdf_evaluate(&bsdf, lb_vector_around(0.8f, 0.6f), &pdf);
    assert_true(fabsf(f.r / f.g - color.r / color.g) < 2e-3f);
    assert_true(fabsf(f.b / f.g - color.b / color.g) < 2e-3f);
    lb_scene_free(&loaded);
    lb_scene_free(&spectral);
}

/* ---- files ---- */

static void a_file_is_kept_once(void **state)
{
    (void)state;
    struct scene_file file = measured_file(&isotropic);
    char text[512];
    snprintf(text, sizeof text,
             "Material \"measured\" \"string filename\" \"%s\" " QUAD "Material \"measured\" \"string "
             "filename\" \"%s\" " QUAD,
             file.path, file.path);
    struct lb_loaded loaded = scene_get("", text);
    assert_int_equal(loaded.scene->measured.count, 1);
    assert_int_equal(material_of(&loaded, 0)->measured, 0);
    assert_int_equal(material_of(&loaded, 1)->measured, 0);
    assert_int_equal(material_of(&loaded, 1)->kind, LB_MATERIAL_MEASURED);
    lb_scene_free(&loaded);
    unlink(file.path);
}

static void assert_refused(const struct bytes *bytes, const char *message)
{
    struct scene_file file = scene_file_write(bytes->data, bytes->count);
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(try_file(&file, &loaded, &error), LB_ERROR);
    if (!strstr(error.message, message))
        fail_msg("%s\nis not: %s", error.message, message);
    unlink(file.path);
}

static void cut_files_are_refused(void **state)
{
    (void)state;
    const struct recipe small = {1, 2, 2, false, {1, 1, 1}};
    struct array arrays[ARRAYS];
    make_arrays(&small, arrays);
    struct bytes whole = file_of(arrays, ARRAYS, ARRAYS);
    for (size_t count = 0; count < whole.count; count += count < 400 ? 1 : 17)
        assert_refused(&(struct bytes){.data = whole.data, .count = count},
                       count < 18 ? "no tensor file" : "cut or damaged");
    whole.data[12] = 2;
    assert_refused(&whole, "version 2.0");
    free(whole.data);
    free_arrays(arrays);
}

static void arrays_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct array arrays[ARRAYS];
    make_arrays(&isotropic, arrays);
    for (unsigned i = 0; i < ARRAYS; i++) {
        struct bytes bytes = file_of(arrays, ARRAYS, i);
        if (i <= WAVELENGTHS) /* one more float is there: that of the next array */
            assert_refused(&bytes, i == PHI ? "not" : "do not");
        free(bytes.data);
        arrays[i].name = "other";
        bytes = file_of(arrays, ARRAYS, ARRAYS);
        assert_refused(&bytes, "has an array \"");
        free(bytes.data);
        free_arrays(arrays);
        make_arrays(&isotropic, arrays);
    }
    free_arrays(arrays);
}

static void numbers_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned array, element;
        float value;
        const char *message;
    } cases[] = {
        {THETA, 1, 0.0f, "do not rise"},           {WAVELENGTHS, 2, 1.0f, "do not rise"},
        {PHI, 0, LB_INFINITY, "do not rise"},      {NDF, 3, LB_INFINITY, "not finite"},
        {LUMINANCE, 9, LB_INFINITY, "not finite"}, {SPECTRA, 11, LB_INFINITY, "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct array arrays[ARRAYS];
        make_arrays(&isotropic, arrays);
        arrays[cases[i].array].values[cases[i].element] = cases[i].value;
        struct bytes bytes = file_of(arrays, ARRAYS, ARRAYS);
        assert_refused(&bytes, cases[i].message);
        free(bytes.data);
        free_arrays(arrays);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_follow_density),
        cmocka_unit_test(samples_agree_with_evaluation),
        cmocka_unit_test(the_table_is_what_is_seen),
        cmocka_unit_test(an_isotropic_surface_may_be_turned),
        cmocka_unit_test(spectra_become_colors),
        cmocka_unit_test(a_file_is_kept_once),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(arrays_that_do_not_fit_are_refused),
        cmocka_unit_test(numbers_that_mean_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
