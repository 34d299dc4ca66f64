/* Ambient occlusion over floors whose open part of the sky is known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/unit/mean_picture.h"

#include <math.h>
#include <stdio.h>

/* The spot of the floor y = 0 at the origin, from above; a wall of height 1 along x = 1, and more. */
static lb_rgb seen(const char *parameters, const char *more, bool wall, uint32_t samples)
{
    struct lb_loaded loaded;
    char text[2000];
    snprintf(
        text, sizeof text,
        "LookAt 0 0.5 0  0 0 0  0 0 1 Camera \"perspective\" \"float fov\" 0.5\n"
        "Film \"rgb\" \"integer xresolution\" 8 \"integer yresolution\" 8\n"
        "%s Integrator \"ambientocclusion\" %s\nWorldBegin\n"
        "LightSource \"infinite\" \"rgb L\" [ 7 7 7 ] AreaLightSource \"diffuse\" \"float scale\" 9\n%s\n"
        "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [ -9 0 -9 9 0 -9 9 0 9 -9 0 "
        "9 ]\n"
        "%s",
        strstr(parameters, "ColorSpace") ? "ColorSpace \"aces2065-1\"" : "",
        strstr(parameters, "ColorSpace") ? "" : parameters, more,
        wall ? "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [ 1 0 -1000 1 0 1000 "
               "1 1 1000 "
               "1 1 -1000 ]"
             : "");
    load_scene_text(text, &loaded);
    assert_int_equal(loaded.scene->lights.count, 0);
    lb_rgb mean = mean_picture(loaded.scene, brute_occlusion, samples);
    lb_scene_free(&loaded);
    return mean;
}

static void assert_near(float got, double expected, double slack)
{
    if (!(fabs((double)got - expected) <= slack))
        fail_msg("%g, not %g", (double)got, expected);
}

/* An infinitely long wall that reaches up to an angle of 45 degrees takes (1 - cos 45) / 2 of the cosine-weighted
 * hemisphere. */
static void test_wall(void **state)
{
    (void)state;
    const double open = 1.0 - (1.0 - sqrt(0.5)) / 2.0;
    assert_near(seen("", "", true, 400).g, open, 0.004);
    assert_near(seen("\"bool cossample\" false", "", true, 400).g, open, 0.008);
    assert_near(seen("\"float maxdistance\" 0.9", "", true, 40).g, 1.0, 1e-6);
    assert_near(seen("\"float maxdistance\" 0", "", true, 4).g, 1.0, 1e-6);
    float part = seen("\"float maxdistance\" 1.2", "", true, 400).g;
    assert_true((double)part > open + 0.02 && part < 0.99f);
}

/* Without a wall, one of the two directions' weights is 1 and the other's mean is. */
static void test_open_floor(void **state)
{
    (void)state;
    assert_near(seen("", "", false, 4).g, 1.0, 1e-6);
    assert_near(seen("\"bool cossample\" false", "", false, 400).g, 1.0, 0.006);
    /* Nothing but the floor's back from below: the same, for the side that is seen counts. */
    assert_near(seen("", "ReverseOrientation", false, 4).g, 1.0, 1e-6);
}

/* The camera sees through interfaces, which stop the second ray all the same, as glass does (pbrt). */
static void test_interface(void **state)
{
    (void)state;
    static const char lid[] =
        "Material \"%s\" Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [ "
        "-99 0.25 -99 99 0.25 -99 99 0.25 99 -99 0.25 99 ] Material \"diffuse\"";
    char text[400];
    snprintf(text, sizeof text, lid, "interface");
    assert_near(seen("", text, false, 40).g, 0.0, 0.01);
    assert_near(seen("\"float maxdistance\" 0.2", text, false, 4).g, 1.0, 1e-6);
    /* Glass is a surface like any other: open above. */
    snprintf(text, sizeof text, lid, "dielectric");
    assert_near(seen("", text, false, 4).g, 1.0, 1e-6);
}

/* The sky is the white of the current color space. */
static void test_white(void **state)
{
    (void)state;
    lb_rgb white = seen("ColorSpace", "", false, 4);
    assert_near(white.r, 1.0469, 0.002); /* D60 */
    assert_near(white.g, 0.9946, 0.002);
    assert_near(white.b, 0.9155, 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wall),
        cmocka_unit_test(test_open_floor),
        cmocka_unit_test(test_interface),
        cmocka_unit_test(test_white),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
