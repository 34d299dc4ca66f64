/* What a scene file may not say, and what is only not rendered yet. */
#include "scene_help.h"

/* Directives that stand alone on their line: 2 before WorldBegin, or on line 3 behind it. */
struct wrong {
    const char *before, *after;
    const char *message; /* a part of it */
};

static const struct wrong wrongs[] = {
    {"Film \"rgb\" \"string sensor\" \"canon_eos_5d_mk\"", "", "\"canon_eos_5d_mkii\""},
    {"Film \"rgb\" \"float whitebalance\" 500", "", "at least 1000 kelvin"},
    {"", "LightSource \"goniometric\"", "needs \"filename\""},
    {"", "LightSource \"projection\"", "needs \"filename\""},
    {"", "LightSource \"projection\" \"float fov\" 180", "\"fov\" is 180, not between"},
    {"", "LightSource \"infinite\" \"point3 portal\" [ 0 0 0 1 0 0 1 1 0 ]", "4 points, not 3"},
    {"", "LightSource \"infinite\" \"point3 portal\" [ 0 0 0 1 0 0 2 0 0 3 0 0 ]", "no area"},
    {"Film \"rgb\" \"integer xresolution\" 0", "", ":1:12: \"xresolution\" is 0"},
    {"Film \"rgb\" \"integer yresolution\" 65536", "", "\"yresolution\" is 65536"},
    {"Film \"rgb\" \"integer xresolution\" -4", "", "\"xresolution\" is -4"},
    {"Film \"rgb\" \"float cropwindow\" [ 0 1 0 ]", "", "needs 4 values, not 3"},
    {"Film \"rgb\" \"float cropwindow\" [ 0.5 0.5 0 1 ]", "", "leave no pixel"},
    {"Film \"rgb\" \"integer pixelbounds\" [ 5000 5001 0 1 ]", "", "leave no pixel"},
    {"Film \"rgb\" \"float iso\" -1", "", "\"iso\" is -1"},
    {"Film \"rgb\" \"float exposuretime\" 1", "", "unknown parameter \"exposuretime\" of rgb"},
    {"Film \"paper\"", "", "unknown film \"paper\""},
    {"Camera \"perspective\" \"float fov\" 180", "", ":1:22: \"fov\" is 180"},
    {"Camera \"perspective\" \"float fov\" 0", "", "\"fov\" is 0"},
    {"Camera \"perspective\" \"float screenwindow\" [ 1 1 0 1 ]", "", "is empty"},
    {"Camera \"perspective\" \"float lensradius\" -1", "", "\"lensradius\" is -1"},
    {"Camera \"perspective\" \"float halffov\" 1", "", "unknown parameter"},
    {"Camera \"pinhole\"", "", "unknown camera \"pinhole\""},
    {"Sampler \"independent\" \"integer pixelsamples\" 0", "", "\"pixelsamples\" is 0"},
    {"Sampler \"stratified\" \"integer xsamples\" -2", "", "\"xsamples\" is -2"},
    {"Sampler \"lattice\"", "", "unknown sampler \"lattice\""},
    {"Integrator \"path\" \"integer maxdepth\" -1", "", "\"maxdepth\" is -1"},
    {"Integrator \"whitted\"", "", "pbrt-v4 has no Integrator \"whitted\"; this is a scene of pbrt-v3"},
    {"Integrator \"guess\"", "", "unknown integrator \"guess\""},
    {"Integrator \"mandelbrot\" \"float width\" 0", "", "\"width\" is 0"},
    {"PixelFilter \"gaussian\" \"float xradius\" 0", "", "\"xradius\" is 0"},
    {"PixelFilter \"lanczos\"", "", "unknown filter \"lanczos\""},
    {"", "Shape \"sphere\" \"float radius\" -1", ":3:16: \"radius\" is -1"},
    {"", "Shape \"curve\"", "a curve of degree 3 has 4 points, or 3 more a segment, not 0"},
    {"", "Shape \"curve\" \"point3 P\" [ 0 0 0  1 0 0  2 0 0  3 0 0  4 0 0 ]", ":3:15: a curve of degree 3"},
    {"", "Shape \"curve\" \"string basis\" \"bspline\" \"integer degree\" 2 \"point3 P\" [ 0 0 0  1 0 0 ]",
     "a curve of degree 2 has 3 points or more, not 2"},
    {"", "Shape \"curve\" \"integer degree\" 4", "\"degree\" is 4"},
    {"", "Shape \"curve\" \"string type\" \"cylindre\"",
     ":3:15: unknown curve type \"cylindre\"; did you mean \"cylinder\"?"},
    {"", "Shape \"curve\" \"string basis\" \"hermite\"", "unknown curve basis \"hermite\""},
    {"", "Shape \"curve\" \"float width1\" -1", "\"width1\" is -1"},
    {"",
     "Shape \"curve\" \"string type\" \"ribbon\" \"point3 P\" [ 0 0 0  1 0 0  2 0 0  3 0 0 ] \"normal N\" [ "
     "0 0 1 ]",
     "a ribbon of 1 segments has 2 normals \"N\", not 1"},
    {"", "Shape \"curve\" \"point3 P\" [ 0 0 0  1 0 0  2 0 0  3e38 0 0 ]", "too far from the origin"},
    {"", "AreaLightSource \"diffuse\" Shape \"curve\" \"point3 P\" [ 0 0 0  1 0 0  2 0 0  3 0 0 ]",
     ":3:27: a curve cannot be a light"},
    {"", "Shape \"sphere\" \"float radius\" 0", "\"radius\" is 0"},
    {"", "Shape \"disk\" \"float innerradius\" -1", "\"innerradius\" is -1"},
    {"", "Shape \"sphere\" \"float size\" 1", "unknown parameter \"size\" of sphere"},
    {"", "Shape \"sphere\" Translate 0 0 3.4e38 Shape \"sphere\"",
     ":3:37: the shape is too far from the origin"},
    {"", "Translate 2e18 0 0 Shape \"sphere\"", ":3:20: the shape is too far"},
    {"", "Scale 1e20 1e20 1e20 Shape \"disk\"", ":3:22: the shape is too far"},
    {"", "Scale 3e38 3e38 3e38 Shape \"sphere\" \"float radius\" 9e17", "the shape is too far"},
    {"", "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 0 0 2e18 0 ]", ":3:1: the shape is too far"},
    {"",
     "ObjectBegin \"a\" Shape \"sphere\" \"float radius\" 1e17 ObjectEnd Scale 100 1 1 ObjectInstance \"a\"",
     ":3:76: the object is too far"},
    {"", "Shape \"teapot\"", ":3:1: unknown shape \"teapot\""},
    {"Rotate 30 0 0 0 Camera \"perspective\"", "", "has no inverse"},
    {"Transform [ 1 0 0 0  0 1 0 0  1 1 0 0  0 0 0 1 ] Camera \"perspective\"", "", "(since /tmp"},
    {"", "Scale 1e30 1 1 Scale 1e30 1 1 Shape \"sphere\"", "too large (since /tmp"},
    {"", "Scale 1e30 1 1 Translate 1e30 1 1 " QUAD, "too large (since /tmp"},
    {"", "Scale 1 0 1 LightSource \"infinite\" \"string filename\" \"x.pfm\"", "has no inverse"},
    {"Film \"rgbx\"", "", "did you mean \"rgb\"?"},
    {"Camera \"prespective\"", "", "did you mean \"perspective\"?"},
    {"Camera \"perspective\" \"float focaldistence\" 1", "", "did you mean \"focaldistance\"?"},
    {"Integrator \"volpth\"", "", "did you mean \"volpath\"?"},
    {"Sampler \"zsoblo\"", "", "did you mean \"zsobol\"?"},
    {"PixelFilter \"gausian\"", "", "did you mean \"gaussian\"?"},
    {"", "Material \"difuse\"", "did you mean \"diffuse\"?"},
    {"", "Material \"diffuse\" \"rgb reflectence\" [ 0 0 0 ] Shape \"sphere\"",
     "unknown parameter \"reflectence\" of diffuse; did you mean \"reflectance\"?"},
    {"", "MakeNamedMaterial \"wood\" \"string type\" \"diffuse\" NamedMaterial \"woood\" Shape \"sphere\"",
     "no material is named \"woood\"; did you mean \"wood\"?"},
    {"", "Texture \"stone\" \"float\" \"constant\" Shape \"sphere\" \"texture alpha\" \"sotne\"",
     "no float texture is named \"sotne\"; did you mean \"stone\"?"},
    {"", "Shape \"shpere\"", "did you mean \"sphere\"?"},
    {"", "LightSource \"infinte\"", "did you mean \"infinite\"?"},
    {"Accelerator \"octree\"", "", "unknown accelerator \"octree\""},
    {"Accelerator \"bvh\" \"integer maxprims\" 4", "", "unknown parameter \"maxprims\" of bvh"},
    {"Integrator \"volpath\" \"string lightsampler\" \"best\"", "", "unknown lightsampler \"best\""},
    {"Sampler \"halton\" \"string randomization\" \"much\"", "", "unknown randomization \"much\""},
    {"Sampler \"halton\" \"string randomization\" \"fastowen\"", "", "unknown randomization \"fastowen\""},
    {"Sampler \"pmj02bn\" \"string randomization\" \"owen\"", "", "unknown parameter \"randomization\""},
    {"Sampler \"independent\" \"bool jitter\" false", "", "unknown parameter \"jitter\""},
    {"Sampler \"stratified\" \"integer pixelsamples\" 9", "", "unknown parameter \"pixelsamples\""},
    {"Film \"spectral\" \"float lambdamax\" 900", "", "\"lambdamax\" is 900, not between 360 and 830"},
    {"Film \"spectral\" \"integer nbuckets\" 0", "", "\"nbuckets\" is 0"},
    {"", "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 ]", "no vertices"},
    {"", "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 0 0 1 0 1 1 0 ]", "no \"indices\""},
    {"", "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ] \"integer indices\" [ 0 1 3 ]",
     "index 3"},
    {"", "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ] \"integer indices\" [ 0 1 -1 ]",
     "index -1"},
    {"", "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ] \"integer indices\" [ 0 1 ]",
     "three a triangle"},
    {"", "Shape \"plymesh\"", "no \"filename\""},
    {"", "Shape \"sphere\" \"texture alpha\" \"nobody\"", "no float texture is named \"nobody\""},
    {"", "Material \"diffuse\" \"rgb reflectance\" [ 0.5 0.5 1.5 ] Shape \"sphere\"",
     ":3:20: \"reflectance\" has a value of 1.5"},
    {"", "Material \"diffuse\" \"rgb reflectance\" [ 0.5 0.5 -0.5 ] Shape \"sphere\"", "value of -0.5"},
    {"", "Material \"diffuse\" \"float reflectance\" 1 Shape \"sphere\"", "\"reflectance\" must be"},
    {"", "Material \"diffuse\" \"rgb colour\" [ 1 1 1 ] Shape \"sphere\"", "unknown parameter \"colour\""},
    {"",
     "Material \"conductor\" \"rgb reflectance\" [ 1 1 1 ] \"spectrum k\" \"metal-Cu-k\" Shape \"sphere\"",
     "not both"},
    {"", "Material \"conductor\" \"float roughness\" -1 Shape \"sphere\"", "\"roughness\" is -1"},
    {"", "Material \"dielectric\" \"float eta\" -1 Shape \"sphere\"", "\"eta\" is -1"},
    {"", "Material \"coateddiffuse\" \"float g\" 2 Shape \"sphere\"", "\"g\" is 2"},
    {"", "Material \"jelly\" Shape \"sphere\"", "unknown material \"jelly\""},
    {"", "MakeNamedMaterial \"a\" \"string type\" \"jelly\"", "unknown material \"jelly\""},
    {"", "Texture \"a\" \"float\" \"clouds\" Shape \"sphere\" \"texture alpha\" \"a\"",
     "unknown texture type \"clouds\""},
    {"",
     "Texture \"a\" \"spectrum\" \"imagemap\" Material \"diffuse\" \"texture reflectance\" \"a\" Shape "
     "\"sphere\"",
     "imagemap \"a\" has no \"filename\""},
    {"",
     "Texture \"a\" \"spectrum\" \"imagemap\" \"string filename\" \"/nowhere.png\" Material \"diffuse\" "
     "\"texture reflectance\" \"a\" Shape \"sphere\"",
     "/nowhere.png"},
    {"",
     "Texture \"a\" \"spectrum\" \"checkerboard\" \"integer dimension\" 4 Material \"diffuse\" \"texture "
     "reflectance\" \"a\" Shape \"sphere\"",
     "\"dimension\" is 4"},
    {"", "LightSource \"point\" \"rgb I\" [ 1 1 -1 ]", "value of -1"},
    {"", "LightSource \"point\" \"rgb L\" [ 1 1 1 ]", "unknown parameter \"L\" of point"},
    {"", "LightSource \"point\" \"float scale\" -2", "\"scale\" is -2"},
    {"", "LightSource \"spot\" \"point3 to\" [ 0 0 0 ]", "the same point"},
    {"", "LightSource \"torch\"", "unknown light \"torch\""},
    {"", "LightSource \"infinite\" \"string filename\" \"/nowhere.pfm\"", "/nowhere.pfm"},
    {"", "LightSource \"infinite\" \"blackbody L\" -3", "temperature of -3"},
    {"", "LightSource \"point\" \"rgb I\" [ 1e20 1 1 ] \"float scale\" 1e20", "infinitely bright"},
    {"", "AreaLightSource \"diffuse\" \"float power\" 1e30 Shape \"sphere\" \"float radius\" 1e-10",
     "infinitely bright"},
    {"", "AreaLightSource \"neon\" Shape \"sphere\"", "unknown area light \"neon\""},
    {"", "AreaLightSource \"diffuse\" \"rgb I\" [ 1 1 1 ] Shape \"sphere\"", "unknown parameter \"I\""},
    {"", "MakeNamedMedium \"m\" \"string type\" \"soup\"", "unknown medium type \"soup\""},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"integer nx\" 2 MediumInterface \"m\" Shape "
     "\"sphere\"",
     "needs \"density\""},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"integer nx\" 2 \"float density\" [1 2 3] "
     "MediumInterface \"m\" Shape \"sphere\"",
     "\"density\" has 3 values, not 2: nx ny nz is 2 x 1 x 1"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"float density\" -1 MediumInterface \"m\" Shape "
     "\"sphere\"",
     "\"density\" has a value of -1"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"integer nx\" 0 \"float density\" 1 "
     "MediumInterface \"m\" Shape \"sphere\"",
     "\"nx\" is 0, not between 1 and"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"float density\" 1 \"float temperature\" 900 "
     "\"rgb Le\" [1 1 1] MediumInterface \"m\" Shape \"sphere\"",
     "\"Le\" and \"temperature\" exclude each other"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"uniformgrid\" \"float density\" 1 \"point3 p1\" [1 0 1] "
     "MediumInterface \"m\" Shape \"sphere\"",
     "the medium's box, p0 to p1, is empty"},
    {"", "MakeNamedMedium \"m\" \"string type\" \"rgbgrid\" MediumInterface \"m\" Shape \"sphere\"",
     "needs \"sigma_a\" or \"sigma_s\""},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"rgbgrid\" \"rgb sigma_s\" [1 1 1] \"rgb Le\" [1 1 1] "
     "MediumInterface \"m\" Shape \"sphere\"",
     "\"Le\" needs \"sigma_a\""},
    {"", "MakeNamedMedium \"m\" \"string type\" \"nanovdb\" MediumInterface \"m\" Shape \"sphere\"",
     "needs \"filename\""},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"cloud\" \"float Le\" 1 MediumInterface \"m\" Shape \"sphere\"",
     "unknown parameter \"Le\""},
    {"", "MediumInterface \"m\" \"\" Shape \"sphere\"", "no medium is named \"m\""},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"string preset\" \"Whole milk\" MediumInterface "
     "\"m\" Shape \"sphere\"",
     "unknown preset of a medium \"Whole milk\"; did you mean \"Wholemilk\"?"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb sigma_s\" [1 -1 1] MediumInterface \"m\" "
     "Shape \"sphere\"",
     "\"sigma_s\" has a value of -1"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"float scale\" 1e20 MediumInterface \"m\" Shape "
     "\"sphere\"",
     "\"sigma_a\", scaled, is not between 0 and 1e+15"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"rgb Le\" [1 1 -1] MediumInterface \"m\" Shape "
     "\"sphere\"",
     "\"Le\" has a value of -1"},
    {"",
     "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" \"float g\" 1.5 MediumInterface \"m\" Shape "
     "\"sphere\"",
     "\"g\" is 1.5, not between -1 and 1"},
    {"MediumInterface \"m\" Camera \"perspective\"", "", "no medium is named \"m\""},
    {"", "NamedMaterial \"n\" Shape \"sphere\"", "no material is named \"n\""},
    /* Kinds that are not in the language, though nothing uses them. */
    {"", "Material \"jelly\"", "unknown material \"jelly\""},
    {"", "Texture \"a\" \"float\" \"clouds\"", "unknown texture type \"clouds\""},
    {"", "AreaLightSource \"neon\"", "unknown area light \"neon\""},
    {"", "ObjectBegin \"o\" Shape \"teapot\" ObjectEnd", "unknown shape \"teapot\""},
    {"Film \"gbuffer\" \"string coordinatesystem\" \"sky\"", "", "coordinate system \"sky\""},
    {"",
     "Texture \"a\" \"spectrum\" \"fbm\" Material \"diffuse\" \"texture reflectance\" \"a\" Shape \"sphere\"",
     "\"fbm\" are float textures"},
    {"", "Texture \"a\" \"float\" \"marble\" Shape \"sphere\" \"texture alpha\" \"a\"",
     "\"marble\" are spectrum textures"},
    {"", "Texture \"a\" \"float\" \"fbm\" \"integer octaves\" -1 Shape \"sphere\" \"texture alpha\" \"a\"",
     "\"octaves\" is -1"},
    {"",
     "Texture \"a\" \"float\" \"dots\" \"string mapping\" \"cubic\" Shape \"sphere\" \"texture alpha\" \"a\"",
     "mapping \"cubic\""},
    {"",
     "Texture \"a\" \"float\" \"directionmix\" \"vector3 dir\" [ 0 0 0 ] Shape \"sphere\" \"texture alpha\" "
     "\"a\"",
     "\"dir\" has no direction"},
    {"", "Material \"diffuse\" \"string normalmap\" \"no.png\" Shape \"sphere\"", "no.png"},
    {"", "Material \"mix\" \"string materials\" [ \"a\" ] Shape \"sphere\"", "two names"},
    {"", "Material \"mix\" \"string materials\" [ \"a\" \"b\" ] Shape \"sphere\"",
     "no material is named \"a\""},
    {"",
     "MakeNamedMaterial \"a\" \"string type\" \"mix\" \"string materials\" [ \"a\" \"a\" ] NamedMaterial "
     "\"a\" "
     "Shape \"sphere\"",
     "contains itself"},
    {"",
     "MakeNamedMaterial \"a\" \"string type\" \"interface\" Material \"mix\" \"string materials\" [ \"a\" "
     "\"a\" ] "
     "Shape \"sphere\"",
     "cannot be part of a mix"},
    {"",
     "Material \"coatedconductor\" \"rgb reflectance\" [ 1 1 1 ] \"rgb conductor.eta\" [ 1 1 1 ] Shape "
     "\"sphere\"",
     "\"conductor.eta\" and \"conductor.k\", not both"},
};

static void errors_have_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error = {LB_OK, ""};
        struct lb_scene_options lenient = {.lenient = true};
        for (int pass = 0; pass < 2; pass++) {
            if (scene_try(wrongs[i].before, wrongs[i].after, pass ? &lenient : NULL, NULL, &loaded, &error) ==
                LB_OK)
                fail_msg("accepted: %s%s", wrongs[i].before, wrongs[i].after);
            assert_null(loaded.scene);
            if (!strstr(error.message, wrongs[i].message))
                fail_msg("\"%s\" is not in \"%s\"", wrongs[i].message, error.message);
            unsigned line = 0, column = 0;
            assert_int_equal(sscanf(error.message, "/tmp/lbrender-scene-%*6s:%u:%u: ", &line, &column), 2);
            assert_int_equal(line, *wrongs[i].before ? 1 : 3);
        }
    }
}

/* Known to the language: an error, or under --lenient a warning. */
static const struct wrong laters[] = {
    {"Integrator \"function\" \"string function\" \"disk\"", "", "makes no picture"},
    {"",
     "Texture \"a\" \"float\" \"ptex\" \"string encoding\" \"linear\" Shape \"sphere\" \"texture alpha\" "
     "\"a\"",
     "\"ptex\""},
};

static void what_comes_later_is_named(void **state)
{
    (void)state;
    const struct lb_scene_options lenient = {.lenient = true};
    for (size_t i = 0; i < sizeof laters / sizeof laters[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error = {LB_OK, ""};
        struct scene_warnings warnings = {0};
        if (scene_try(laters[i].before, laters[i].after, NULL, NULL, &loaded, &error) == LB_OK)
            fail_msg("accepted: %s%s", laters[i].before, laters[i].after);
        if (strstr(error.message, "left out") || strstr(error.message, "taken"))
            fail_msg("says what an error does not do: %s", error.message);
        if (!strstr(error.message, laters[i].message) || !strstr(error.message, "--lenient"))
            fail_msg("\"%s\" is not in \"%s\"", laters[i].message, error.message);
        if (scene_try(laters[i].before, laters[i].after, &lenient, &warnings, &loaded, &error) != LB_OK)
            fail_msg("refused: %s", error.message);
        assert_true(warnings.count >= 1);
        if (!strstr(warnings.last, laters[i].message))
            fail_msg("\"%s\" is not in \"%s\"", laters[i].message, warnings.last);
        lb_scene_free(&loaded);
    }
}

struct heard {
    unsigned count;
    char text[8192];
};

static void hear(void *user, enum lb_level level, const char *message)
{
    struct heard *heard = user;
    if (level != LB_ALSO)
        return;
    heard->count++;
    size_t used = strlen(heard->text);
    snprintf(heard->text + used, sizeof heard->text - used, "%s\n", message);
}

/* An error that would only repeat another one is left out. Errors are sorted by their places in the file, not by when
 * they were found. */
static void all_errors_of_a_scene_are_shown(void **state)
{
    (void)state;
    static const char text[] =
        "Film \"rgb\" \"integer xresolution\" 0 \"integer yresolution\" 2\nCamera \"perspective\" \"float "
        "fov\" 180\n"
        "Sampler \"lattice\"\nWorldBegin\nTexture \"t\" \"float\" \"imagemap\"\n"
        "MediumInterface \"fog\" \"\"\nMaterial \"diffuse\" \"rgb c\" [ 1 1 1 ] \"rgb d\" [ 1 1 1 ]\n"
        "Shape \"sphere\" Shape \"disk\"\nMediumInterface \"\" \"\"\n"
        "Shape \"sphere\" \"texture alpha\" \"t\"\nShape \"disk\" \"texture alpha\" \"t\"\n"
        "AreaLightSource \"diffuse\" \"rgb I\" [ 1 1 1 ]\nShape \"sphere\" Shape \"disk\"\n"
        "LightSource \"torch\"\nShape \"sphere\" \"float radius\" -1\n";
    static const char *const expected[] = {
        ":1:12:", ":2:22:", ":3:1:", ":5:1:", ":6:1:", ":7:20:", ":7:38:", ":12:27:", ":14:1:", ":15:16:"};
    static const struct lb_scene_options none;
    struct heard heard = {0, ""};
    struct lb_log log = {hear, &heard};
    struct scene_file file = scene_file_write(text, strlen(text));
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(lb_scene_load(file.path, &none, &log, &loaded, &error), LB_ERROR);
    unlink(file.path);
    size_t count = sizeof expected / sizeof expected[0], used = strlen(heard.text);
    snprintf(heard.text + used, sizeof heard.text - used, "%s\n", error.message);
    const char *line = heard.text;
    for (size_t i = 0; i < count; i++) {
        line = strstr(line, expected[i]);
        if (!line)
            fail_msg("%s is missing, or not in its place, in\n%s", expected[i], heard.text);
    }
    if (heard.count + 1 != count)
        fail_msg("more than expected:\n%s", heard.text);
}

/* Nothing of these can be seen in a picture, so they are no errors. */
static void what_nothing_uses_stops_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Material \"subsurface\" \"string name\" \"Milk\" Material \"diffuse\" Shape \"sphere\"",
        "MakeNamedMaterial \"a\" \"string type\" \"measured\" Shape \"sphere\"",
        "Material \"diffuse\" \"rgb reflectance\" [ 2 2 2 ] \"float what\" 1 Material \"diffuse\" Shape "
        "\"sphere\"",
        "Material \"diffuse\" \"texture reflectance\" \"nobody\"",
        "NamedMaterial \"nobody\" Material \"diffuse\" Shape \"sphere\"",
        "Texture \"a\" \"float\" \"fbm\" Shape \"sphere\"",
        "Texture \"a\" \"spectrum\" \"imagemap\" \"string filename\" \"/nowhere.png\" Shape \"sphere\"",
        "Texture \"a\" \"float\" \"fbm\" Texture \"b\" \"float\" \"scale\" \"texture tex\" \"a\" Shape "
        "\"sphere\"",
        "Texture \"a\" \"float\" \"fbm\" ObjectBegin \"o\" Shape \"sphere\" \"texture alpha\" \"a\" "
        "ObjectEnd",
        "MakeNamedMedium \"m\" \"string type\" \"cloud\" MediumInterface \"m\" MediumInterface \"\" Shape "
        "\"sphere\"",
        "MediumInterface \"nothing\" \"\" MediumInterface \"\" \"\" Shape \"sphere\"",
        "MakeNamedMedium \"m\" \"string type\" \"homogeneous\" ObjectBegin \"o\" MediumInterface \"m\" Shape "
        "\"sphere\" ObjectEnd",
        "ObjectBegin \"o\" Material \"subsurface\" Shape \"curve\" Shape \"plymesh\" \"string filename\" "
        "\"/nowhere.ply\" ObjectEnd",
        "AttributeBegin AreaLightSource \"diffuse\" \"string filename\" \"/nowhere.png\" AttributeEnd Shape "
        "\"sphere\"",
        "AttributeBegin Scale 0 0 0 AttributeEnd Shape \"sphere\"",
        "AttributeBegin Rotate 0 0 0 0 Texture \"a\" \"float\" \"checkerboard\" \"integer dimension\" 3 "
        "AttributeEnd Shape \"sphere\"",
        "AttributeBegin Scale 1e-30 1 1 Scale 1e-30 1 1 CoordinateSystem \"tiny\" AttributeEnd Shape "
        "\"sphere\"",
        "AttributeBegin Scale 0 1 1 Identity Shape \"sphere\" AttributeEnd",
        "Scale 0 1 1 CoordSysTransform \"world\" Shape \"sphere\"",
        "Material \"interface\" \"rgb reflectance\" [ 1 1 1 ] \"texture displacement\" \"none\" Shape "
        "\"sphere\"",
        "Scale 0 1 1 LightSource \"point\" \"rgb I\" [ 1 1 1 ] Identity Shape \"sphere\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error = {LB_OK, ""};
        struct scene_warnings warnings = {0};
        if (scene_try("", texts[i], NULL, &warnings, &loaded, &error) != LB_OK)
            fail_msg("%s: %s", texts[i], error.message);
        if (warnings.count)
            fail_msg("%s: %s", texts[i], warnings.last);
        lb_scene_free(&loaded);
    }
}

/* As in pbrt: rays find nothing where no inverse is, but a mesh is only flat. */
static void shapes_without_an_inverse_are_flat_or_not_seen(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned shapes, warnings, notes;
    } cases[] = {
        {"Scale 1 1 0 Shape \"sphere\"", 0, 1, 0},
        {"Scale 0 0 0 Shape \"disk\"", 0, 1, 0},
        {"Scale 1 1 0 " QUAD, 1, 0, 0},
        {"Scale 1 1 0 Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 0 5 0 1 7 ] \"normal N\" [ 0 1 0 0 1 0 0 "
         "1 0 ]",
         1, 0, 0},
        {"Scale 0 1 1 " QUAD, 0, 0, 1}, /* triangles without an area */
        {"ObjectBegin \"o\" Shape \"sphere\" ObjectEnd Scale 1 0 1 ObjectInstance \"o\"", 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error = {LB_OK, ""};
        struct scene_warnings warnings = {0};
        if (scene_try("", cases[i].text, NULL, &warnings, &loaded, &error) != LB_OK)
            fail_msg("%s: %s", cases[i].text, error.message);
        assert_int_equal(loaded.scene->shapes.count, cases[i].shapes);
        assert_int_equal(loaded.scene->instances.count, 0);
        assert_int_equal(warnings.count, cases[i].warnings);
        assert_int_equal(warnings.notes, cases[i].notes);
        lb_scene_free(&loaded);
    }
}

/* No number that a shape, a camera or a light can be given makes loading fail other than by an error. */
static void odd_numbers_do_no_harm(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0",     "-0",     "1e-45", "-1e-45", "1e-38", "1e38",
                                          "-1e38", "3.4e38", "1",     "-1",     "180"};
    static const char *const directives[] = {
        "Translate %1$s %2$s 0 Shape \"sphere\" \"float radius\" %1$s \"float zmin\" %2$s",
        "Scale %1$s %2$s 1 Shape \"disk\" \"float radius\" %2$s \"float phimax\" %1$s",
        "AreaLightSource \"diffuse\" \"float power\" %1$s Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 %1$s 0 "
        "0 0 %2$s 0 ]",
        "LightSource \"spot\" \"float coneangle\" %1$s \"float conedeltaangle\" %2$s \"point3 from\" [ %1$s "
        "%2$s 1 ]",
        "LightSource \"distant\" \"float illuminance\" %1$s \"point3 from\" [ 0 %2$s 1 ] Shape \"sphere\"",
        "Material \"dielectric\" \"float eta\" %1$s \"float roughness\" %2$s Shape \"sphere\"",
    };
    size_t count = sizeof numbers / sizeof numbers[0];
    for (size_t d = 0; d < sizeof directives / sizeof directives[0]; d++)
        for (size_t i = 0; i < count * count; i++) {
            char text[512];
            struct lb_loaded loaded;
            struct lb_error error = {LB_OK, ""};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(text, sizeof text, directives[d], numbers[i / count], numbers[i % count]);
#pragma GCC diagnostic pop
            if (scene_try("", text, NULL, NULL, &loaded, &error) != LB_OK) {
                assert_non_null(strstr(error.message, ":3:"));
                continue;
            }
            const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
            for (uint64_t l = 0; l < loaded.scene->lights.count; l++)
                assert_true(lights[l].power >= 0.0f);
            assert_true(loaded.scene->radius > 0.0f && lb_is_finite(loaded.scene->radius));
            lb_scene_free(&loaded);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_have_places),
        cmocka_unit_test(what_comes_later_is_named),
        cmocka_unit_test(all_errors_of_a_scene_are_shown),
        cmocka_unit_test(what_nothing_uses_stops_nothing),
        cmocka_unit_test(shapes_without_an_inverse_are_flat_or_not_seen),
        cmocka_unit_test(odd_numbers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
