/* Tests dispersion: the wavelengths that are laid out for a scene, and what paths do with them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/scene/spectrum/data.h"
#include "test/unit/mean_picture.h"
#include "test/unit/share_help.h"

#include "core/kernel/integrators/path.h"

#include <math.h>
#include <stdio.h>

/* ---- spectra, computed apart from the program's own sums ---- */

static double table_at(const float *table, double wavelength)
{
    double at = (wavelength - LB_SPECTRUM_FIRST) / LB_SPECTRUM_STEP;
    int i = (int)fmin(fmax(at, 0.0), LB_SPECTRUM_COUNT - 2);
    return (double)table[i] + (at - i) * ((double)table[i + 1] - (double)table[i]);
}

static const float *find_table(const struct lb_spectrum_table *list, const char *name)
{
    while (list->name && strcmp(list->name, name) != 0)
        list++;
    assert_non_null(list->name);
    return list->values;
}

/* How much of a component of linear sRGB D65 shows at a wavelength. */
static double shown_at(int component, double wavelength)
{
    static const double srgb_from_xyz[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                               {-0.9692660, 1.8760108, 0.0415560},
                                               {0.0556434, -0.2040259, 1.0572252}};
    static const float *white;
    double sum = 0.0;
    if (!white)
        white = find_table(lb_spectrum_illuminants, "stdillum-D65");
    for (int c = 0; c < 3; c++)
        sum += srgb_from_xyz[component][c] * table_at(lb_spectrum_cie[c].values, wavelength);
    return sum * table_at(white, wavelength);
}

#define EACH_WAVELENGTH(wavelength)                                                                          \
    for (double wavelength = LB_SPECTRUM_FIRST + 0.05; wavelength < LB_SPECTRUM_LAST; wavelength += 0.1)

/* ---- scenes ---- */

#define VIEW(integrator)                                                                                     \
    "LookAt 0 0 -4  0 0 0  0 1 0 Camera \"perspective\" \"float fov\" 25 Integrator \"" integrator "\" "     \
    "\"integer maxdepth\" 200 Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8 WorldBegin "
#define BALL " Shape \"sphere\" \"float radius\" 0.9 "

static void load(const char *world, struct lb_loaded *loaded)
{
    char text[3000];
    snprintf(text, sizeof text, VIEW("path") "%s", world);
    load_scene_text(text, loaded);
}

/* The index at each wavelength of the last material. */
static const float *indices_of(const struct lb_loaded *loaded)
{
    const lb_scene *scene = loaded->scene;
    const lb_material *material = LB_ARRAY(scene, materials, lb_material) + scene->materials.count - 1;
    assert_int_equal(material->indices.count, LB_WAVELENGTHS);
    return LB_ARRAY(scene, tables, float) + material->indices.offset;
}

static const lb_wavelength *wavelengths_of(const struct lb_loaded *loaded)
{
    assert_int_equal(loaded->scene->wavelengths.count, LB_WAVELENGTHS);
    return LB_ARRAY(loaded->scene, wavelengths, lb_wavelength);
}

/* ---- wavelengths ---- */

static float component(lb_rgb c, int i)
{
    return i == 0 ? c.r : i == 1 ? c.g : c.b;
}

/* A colour that takes a wavelength shows as itself on the mean, and white at each single one as what the wavelength
 * makes of white. */
static void test_colours_stay(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("Material \"dielectric\" \"spectrum eta\" \"glass-BK7\"" BALL, &loaded);
    const lb_wavelength *all = wavelengths_of(&loaded);
    for (int shown = 0; shown < 3; shown++)
        for (int colour = 0; colour < 3; colour++) {
            double mean = 0.0;
            for (int k = 0; k < LB_WAVELENGTHS; k++) {
                assert_true(component(all[k].brings, colour) >= 0.0f &&
                            component(all[k].brings, colour) <= 1.0f);
                mean += (double)component(all[k].brings, colour) * (double)component(all[k].shows, shown);
            }
            if (!(fabs(mean / LB_WAVELENGTHS - (shown == colour)) < 1e-4))
                fail_msg("colour %d shows %g of %d", colour, mean / LB_WAVELENGTHS, shown);
        }
    for (int k = 0; k < LB_WAVELENGTHS; k++)
        assert_true(lb_rgb_max(all[k].brings) == 1.0f);
    lb_scene_free(&loaded);
}

/* The mean of any function of the index, weighted by what wavelengths show, is its integral over wavelengths. */
static void test_indices(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("Material \"dielectric\" \"spectrum eta\" \"glass-F11\"" BALL, &loaded);
    const float *own = indices_of(&loaded), *glass = find_table(lb_spectrum_glasses, "glass-F11");
    const lb_wavelength *all = wavelengths_of(&loaded);
    for (int c = 0; c < 3; c++)
        for (int power = 1; power <= 3; power++) {
            double sum = 0.0, weights = 0.0, mean = 0.0;
            EACH_WAVELENGTH(wavelength)
            {
                double weight = shown_at(c, wavelength);
                sum += weight * pow(table_at(glass, wavelength) - 1.7, power);
                weights += weight;
            }
            for (int k = 0; k < LB_WAVELENGTHS; k++)
                mean += pow((double)own[k] - 1.7, power) * (double)component(all[k].shows, c) *
                        (double)(all[k].brings.r + all[k].brings.g + all[k].brings.b) / LB_WAVELENGTHS;
            if (!(fabs(mean - sum / weights) < 5e-4 * fabs(sum / weights)))
                fail_msg("component %d, power %d: %g, not %g", c, power, mean, sum / weights);
        }
    for (int k = 1; k < LB_WAVELENGTHS; k++)
        assert_true(own[k] <= own[k - 1]);
    lb_scene_free(&loaded);
}

/* Wavelengths lie as densely as the colour is long that white shows there: each stretch of 10 nm has as many as it is
 * due, to one. They are told apart by the index, which here falls by 0.001 a nanometre. */
static void test_density(void **state)
{
    (void)state;
    enum { CELLS = 47 };
    struct lb_loaded loaded;
    double due[CELLS] = {0.0}, counted[CELLS] = {0.0}, all = 0.0, sums[3] = {0.0, 0.0, 0.0};
    load("Material \"dielectric\" \"spectrum eta\" [360 1.83 830 1.36]" BALL, &loaded);
    const float *own = indices_of(&loaded);
    EACH_WAVELENGTH(wavelength)
    for (int c = 0; c < 3; c++)
        sums[c] += shown_at(c, wavelength);
    EACH_WAVELENGTH(wavelength)
    {
        double squares = 0.0;
        for (int c = 0; c < 3; c++)
            squares += pow(shown_at(c, wavelength) / sums[c], 2.0);
        due[(int)((wavelength - LB_SPECTRUM_FIRST) / 10.0)] += sqrt(squares);
        all += sqrt(squares);
    }
    for (int k = 0; k < LB_WAVELENGTHS; k++)
        counted[(int)fmin((1.83 - (double)own[k]) * 100.0, CELLS - 1)] += 1.0;
    for (int i = 0; i < CELLS; i++)
        if (!(fabs(counted[i] - due[i] / all * LB_WAVELENGTHS) < 1.1))
            fail_msg("from %d nm on: %g, not %g", LB_SPECTRUM_FIRST + 10 * i, counted[i],
                     due[i] / all * LB_WAVELENGTHS);
    lb_scene_free(&loaded);
}

/* All wavelengths are equally likely, within a pixel and over the picture (chi-square). */
static void test_draw(void **state)
{
    (void)state;
    enum { PIXELS = 64, SAMPLES = 1024, CELLS = 32 };
    struct lb_loaded loaded;
    double counted[LB_WAVELENGTHS] = {0.0}, chi = 0.0, due = PIXELS * SAMPLES / LB_WAVELENGTHS;
    load("Material \"dielectric\" \"spectrum eta\" \"glass-F11\"" BALL, &loaded);
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        uint32_t cells[CELLS] = {0};
        for (uint32_t i = 0; i < SAMPLES; i++) {
            lb_path path;
            lb_filter_place place;
            lb_path_start(loaded.scene, pixel % 8, pixel / 8, i, &path, &place);
            uint32_t number = lb_path_wavelength(loaded.scene, &path);
            assert_true(number < LB_WAVELENGTHS);
            counted[number] += 1.0;
            if (i < CELLS)
                cells[number * CELLS / LB_WAVELENGTHS]++;
        }
        for (int k = 0; k < CELLS; k++) /* the first samples are stratified */
            assert_int_equal(cells[k], 1);
    }
    for (int k = 0; k < LB_WAVELENGTHS; k++)
        chi += (counted[k] - due) * (counted[k] - due) / due;
    if (!(chi < LB_WAVELENGTHS + 6.0 * sqrt(2.0 * LB_WAVELENGTHS)))
        fail_msg("chi-square %g", chi);
    assert_int_equal(lb_wavelength_draw(0.0f), 0);
    assert_int_equal(lb_wavelength_draw(1.0f - 0x1p-24f), LB_WAVELENGTHS - 1);
    lb_scene_free(&loaded);
}

/* Beyond a spectrum's ends the index is 1, as in pbrt. */
static void test_ends(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("Material \"dielectric\" \"spectrum eta\" [500 1.6 600 1.5]" BALL, &loaded);
    const float *own = indices_of(&loaded);
    int inside = 0;
    for (int k = 0; k < LB_WAVELENGTHS; k++)
        inside += own[k] >= 1.5f;
    assert_true(own[0] == 1.0f && own[LB_WAVELENGTHS - 1] == 1.0f && inside > LB_WAVELENGTHS / 4 &&
                inside < LB_WAVELENGTHS / 2);
    lb_scene_free(&loaded);
}

/* What disperses and what does not: an index that is the same for all wavelengths, a number, a material that nothing
 * uses. */
static void test_which(void **state)
{
    (void)state;
    static const struct {
        bool disperses;
        const char *world;
    } cases[] = {
        {true, "Material \"dielectric\" \"spectrum eta\" \"glass-F11\"" BALL},
        {true, "Material \"dielectric\" \"spectrum eta\" [400 1.7 700 1.6]" BALL},
        {true, "Material \"thindielectric\" \"spectrum eta\" \"glass-F11\"" BALL},
        {true, "Material \"coateddiffuse\" \"spectrum eta\" \"glass-F11\"" BALL},
        {true, "Material \"coatedconductor\" \"spectrum interface.eta\" \"glass-F11\"" BALL},
        {false, "Material \"dielectric\" \"float eta\" 1.7" BALL},
        {false, "Material \"dielectric\" \"spectrum eta\" [300 1.7 900 1.7]" BALL},
        {false,
         "Material \"conductor\" \"spectrum eta\" \"metal-Au-eta\" \"spectrum k\" \"metal-Au-k\"" BALL},
        {false, "MakeNamedMaterial \"glass\" \"string type\" \"dielectric\" \"spectrum eta\" \"glass-F11\" "
                "Material \"diffuse\"" BALL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        load(cases[i].world, &loaded);
        assert_int_equal(loaded.scene->any_adjusted, cases[i].disperses);
        assert_int_equal(loaded.scene->wavelengths.count, cases[i].disperses ? LB_WAVELENGTHS : 0);
        lb_scene_free(&loaded);
    }
}

/* ---- paths ---- */

static void mean_of(const char *text, radiance_of *radiance, uint32_t samples, double mean[3])
{
    struct lb_loaded loaded;
    load_scene_text(text, &loaded);
    lb_rgb c = mean_picture(loaded.scene, radiance, samples);
    mean[0] = (double)c.r;
    mean[1] = (double)c.g;
    mean[2] = (double)c.b;
    lb_scene_free(&loaded);
}

/* Before a coloured light on one side of the sky, and with a coloured sheet behind. */
#define SIDE                                                                                                 \
    " LightSource \"infinite\" \"rgb L\" [0.5 0.5 0.5] AttributeBegin AreaLightSource \"diffuse\" \"rgb "    \
    "L\" "                                                                                                   \
    "[3 3 3] Shape \"trianglemesh\" \"integer indices\" [0 2 1 0 3 2] \"point3 P\" [0 -9 5 9 -9 5 9 9 5 0 "  \
    "9 5] "                                                                                                  \
    "AttributeEnd "

static const char *const forms[] = {
    "Material \"dielectric\" %s" BALL,
    "Material \"dielectric\" \"float roughness\" 0.2 %s" BALL,
    "Material \"thindielectric\" %s" BALL,
    "Material \"coateddiffuse\" \"float roughness\" 0.1 %s" BALL,
    "MakeNamedMaterial \"g\" \"string type\" \"dielectric\" %s MakeNamedMaterial \"d\" \"string type\" "
    "\"diffuse\" Material \"mix\" \"string materials\" [\"d\" \"g\"] \"float amount\" 0.7" BALL,
};

/* With an index of one value below a wavelength and another above, the picture is for each component the mean of the
 * pictures of both, by how much of it lies on either side. That may be less than nothing. */
static void test_mean_of_two(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i += test_share()) {
        char text[3000], form[2000];
        double both[3], low[3], high[3];
        snprintf(form, sizeof form, VIEW("path") SIDE "%s", forms[i]);
        snprintf(text, sizeof text, form, "\"spectrum eta\" [300 1.15 550 1.15 550.001 1.9 900 1.9]");
        mean_of(text, brute_path, 4096, both);
        snprintf(text, sizeof text, form, "\"float eta\" 1.15");
        mean_of(text, brute_path, 1024, low);
        snprintf(text, sizeof text, form, "\"float eta\" 1.9");
        mean_of(text, brute_path, 1024, high);
        for (int c = 0; c < 3; c++) {
            double above = 0.0, all = 0.0;
            EACH_WAVELENGTH(wavelength)
            {
                all += shown_at(c, wavelength);
                above += wavelength > 550.0 ? shown_at(c, wavelength) : 0.0;
            }
            double expected = low[c] + (high[c] - low[c]) * above / all;
            if (!(fabs(both[c] - expected) < 0.02 * expected))
                fail_msg("form %zu, component %d: %g, not %g (%g and %g)", i, c, both[c], expected, low[c],
                         high[c]);
        }
    }
}

/* An index that hardly differs changes nothing but noise, whatever the colours are on either side of the glass. */
static void test_colours(void **state)
{
    (void)state;
    static const char sheets[] =
        "LightSource \"infinite\" \"rgb L\" [0.2 0.5 1] Material \"diffuse\" \"rgb reflectance\" [0.9 0.5 "
        "0.1] Shape \"disk\" \"float radius\" 9 \"float height\" 2 AttributeBegin Material \"conductor\" "
        "\"rgb "
        "reflectance\" [0.4 0.8 0.9] Translate 0 -1 0 Rotate 90 1 0 0 Shape \"disk\" \"float radius\" 9 "
        "AttributeEnd Material \"dielectric\" ";
    char text[3000];
    double split[3], whole[3];
    snprintf(text, sizeof text, VIEW("path") "%s \"spectrum eta\" [300 1.5 900 1.50001]" BALL, sheets);
    mean_of(text, brute_path, 2048, split);
    snprintf(text, sizeof text, VIEW("path") "%s \"float eta\" 1.5" BALL, sheets);
    mean_of(text, brute_path, 256, whole);
    for (int c = 0; c < 3; c++)
        if (!(fabs(split[c] - whole[c]) < 0.02 * whole[c]))
            fail_msg("component %d: %g, not %g", c, split[c], whole[c]);
}

/* Under a sky that is 1 everywhere glass that disperses is not seen, nor where a medium that takes nothing away is in
 * it. */
static void test_furnace(void **state)
{
    (void)state;
    static const char sky[] = "LightSource \"infinite\" \"rgb L\" [1 1 1] ";
    static const char *const glasses[] = {
        "Material \"dielectric\" \"spectrum eta\" \"glass-F11\" ",
        "Material \"dielectric\" \"spectrum eta\" \"glass-F11\" \"float roughness\" 0.02 \"bool "
        "remaproughness\" false ",
        "Material \"thindielectric\" \"spectrum eta\" \"glass-F11\" ",
        "MakeNamedMedium \"fog\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [0 0 0] \"rgb sigma_s\" "
        "[0.2 0.5 1] "
        "MediumInterface \"fog\" \"\" Material \"dielectric\" \"spectrum eta\" \"glass-BK7\" ",
    };
    for (size_t i = 0; i < sizeof glasses / sizeof glasses[0]; i++) {
        char text[3000];
        double mean[3];
        bool media = i == 3;
        snprintf(text, sizeof text, "%s%s%s%s", media ? VIEW("volpath") : VIEW("path"), sky, glasses[i],
                 BALL);
        mean_of(text, media ? brute_volume : brute_path, 4096, mean);
        for (int c = 0; c < 3; c++)
            if (!(fabs(mean[c] - 1.0) < 0.02))
                fail_msg("glass %zu, component %d: %g", i, c, mean[c]);
    }
}

/* A path keeps its wavelength over all glasses that it meets, and keeps its colours where it meets none. */
static void test_one_wavelength(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    load("Material \"dielectric\" \"spectrum eta\" \"glass-F11\"" BALL, &loaded);
    lb_path path;
    lb_filter_place place;
    lb_path_start(loaded.scene, 3, 4, 5, &path, &place);
    path.radiance = lb_rgb_make(3.0f, 2.0f, 1.0f);
    lb_rgb whole = lb_path_result(loaded.scene, &path);
    assert_true(whole.r == 3.0f && whole.g == 2.0f && whole.b == 1.0f);
    path.flags = LB_PATH_ROUGH;
    uint32_t number = lb_path_wavelength(loaded.scene, &path);
    const lb_wavelength *own = wavelengths_of(&loaded) + number;
    lb_rgb throughput = path.throughput;
    assert_int_equal(lb_path_wavelength(loaded.scene, &path), number);
    assert_true((path.flags & LB_PATH_ROUGH) != 0);
    assert_memory_equal(&throughput, &own->brings, sizeof throughput);
    assert_memory_equal(&path.throughput, &throughput, sizeof throughput);
    path.radiance = lb_rgb_make(0.25f, 0.5f, 0.25f);
    lb_rgb result = lb_path_result(loaded.scene, &path);
    for (int c = 0; c < 3; c++)
        assert_true(component(result, c) == 3.0f - (float)c + component(own->shows, c));
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colours_stay),   cmocka_unit_test(test_indices), cmocka_unit_test(test_density),
        cmocka_unit_test(test_draw),           cmocka_unit_test(test_ends),    cmocka_unit_test(test_which),
        cmocka_unit_test(test_mean_of_two),    cmocka_unit_test(test_colours), cmocka_unit_test(test_furnace),
        cmocka_unit_test(test_one_wavelength),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
