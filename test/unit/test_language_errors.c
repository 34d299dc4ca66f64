/* Tests errors against the language: each must say what is wrong, and where. */
#include "unit/language_help.h"

struct wrong {
    const char *text;
    unsigned line, column;
    const char *message; /* part of it */
};

/* W is a line, so that what follows is on line 2. */
#define W "WorldBegin\n"

static const struct wrong lexical[] = {
    {"", 1, 1, "without WorldBegin"},
    {"\n\n  # comment\n", 4, 1, "without WorldBegin"},
    {"Sharpen", 1, 1, "unknown directive Sharpen"},
    {W "Shapes \"sphere\"", 2, 1, "unknown directive Shapes"},
    {W "Sha", 2, 1, "unknown directive Sha"},
    {W "Shpae \"sphere\"", 2, 1, "unknown directive Shpae; did you mean \"Shape\"?"},
    {W "attributebegin", 2, 1, "did you mean \"AttributeBegin\"?"},
    {W "\xff\xe9", 2, 1, "unknown directive \\xFF\\xE9"},
    {W "WorldEnd", 2, 1, "the world ends where the file does"},
    {W "\x01\x7f", 2, 1, "unknown directive \\x01\\x7F"},
    {W "  \"loose\"", 2, 3, "a directive was expected, not \"loose\""},
    {W " [", 2, 2, "a directive was expected, not ["},
    {W "\t12", 2, 2, "unknown directive 12"},
    {"Camera \"persp", 1, 8, "no closing quote"},
    {"Camera \"persp\nective\"", 1, 8, "no closing quote"},
    {"Camera \"persp\\\"", 1, 8, "no closing quote"},
    {"Camera \"persp\\q\"", 1, 8, "unknown escape \"\\q\""},
    {"\xff\xfeW", 1, 1, "UTF-16"},
    {W "#@pbrt\nSharpen\n #@end\n", 2, 1, "#@pbrt without a line #@end"},
    {W "#@lbrender  Sharpen\n", 2, 13, "unknown directive Sharpen"},
};

static const struct wrong version3[] = {
    {"Film \"image\" \"integer what\" 1.5\nnonsense", 1, 1,
     "pbrt-v4 has no Film \"image\"; this is a scene of pbrt-v3"},
    {W "Material \"matte\" \"color Kd\" 1", 2, 1,
     "Material \"matte\"; this is a scene of pbrt-v3: \"pbrt --upgrade"},
    {W "MakeNamedMaterial \"a\" \"string type\" \"uber\"", 2, 1, "this is a scene of pbrt-v3"},
    {W "Texture \"t\" \"color\" \"scale\"", 2, 1, "this is a scene of pbrt-v3"},
    {W "Shape \"x\" \"point P\" [1 2 3]", 2, 11, "this is a scene of pbrt-v3"},
    {W "Shape \"x\" \"bool b\" \"true\"", 2, 20, "this is a scene of pbrt-v3"},
    {W "WorldEnd", 2, 1, "this is a scene of pbrt-v3"},
    {"SurfaceIntegrator \"path\"", 1, 1, "pbrt-v4 has no SurfaceIntegrator; this is a scene of pbrt-v3"},
};

/* Each of these errors is told once, and does not keep the reader from finding the others. */
static const struct several {
    const char *text;
    const char *errors[5]; /* parts of them, in order */
} severals[] = {
    {W "Shape \"sphere\" \"float radius\" one\nTranslate 1 2 x\nShpae \"sphere\" \"float radius\" 2\nRotate "
       "1 2 3 4",
     {"2:31: one", "3:15: x", "4:1: unknown directive Shpae"}},
    {"Camera \"persp\nFilm rgb\nWorldBegin", {"1:8: the string", "2:6: a type in quotes"}},
    {"WorldBegn\nShape \"sphere\" Material \"diffuse\"\nAttributeBegin\nAttributeEnd",
     {"1:1: unknown directive WorldBegn; did you mean \"WorldBegin\"?"}},
    {"Shape \"sphere\" LightSource \"infinite\"\nAttributeBegin\nAttributeEnd\nTranslate 1 2 Scale 1 1 "
     "1\nWorldBegin",
     {"1:1: Shape before WorldBegin", "4:15: Scale is no number"}},
    {W "AtributeBegin\nShape \"sphere\"\nAttributeEnd\nAttributeEnd\nScale 1 1 [",
     {"2:1: unknown directive AtributeBegin", "6:11: [ is no number"}},
    {W "Include \"nowhere\"\nObjectInstance \"o\"\nNamedMaterial \"m\"\nShape \"sphere\" \"float radius\" "
       "\"r\"",
     {"2:9: nowhere: No such file", "5:31: \"r\" is not a number"}},
    {W "ObjectBegin \"a\"\nObjectBegin \"b\"\nShape \"sphere\"\nObjectEnd ObjectEnd\nObjectInstance \"b\"",
     {"3:1: ObjectBegin inside ObjectBegin"}},
    {W "ObjectInstance \"a\"\nObjectInstance \"b\"\nObjectInstance \"a\"",
     {"2:1: no object is named \"a\"", "3:1: no object is named \"b\""}},
    {W "Shape \"sphere\" \"integer n\" [ 1 2 1.5\nShape \"disk\" \"float r\" [ 1 2 ] 3",
     {"2:34: 1.5", "3:32: unknown directive 3"}},
    {W "Shape \"sphere\" \"float a\" [ 1 2\nShape \"disk\" \"bool b\" 1",
     {"3:1: Shape is not a number", "3:23: 1 is neither"}},
    {"Option \"seed\" x Option \"what\" 1\nColorSpace \"cmyk\"",
     {"1:15: x", "1:17: unknown option \"what\"", "2:1: unknown color space"}},
    {W "Texture \"a\" \"float\" \"scale\"\nTexture \"a\" \"float\" \"scale\"\nTexture \"b\" \"rgb\" "
       "\"scale\"\nAttributeBegin",
     {"3:1:", "4:1:", "5:1: AttributeBegin without"}},
    {W "Material \"diffuse\" \"rgb c\" [ 1 1 ]\nMaterial \"matte\"\nShape 1",
     {"2:20:", "3:1: pbrt-v4 has no Material \"matte\""}},
};

static const struct wrong parameters[] = {
    {W "Shape sphere", 2, 7, "a type in quotes was expected before sphere"},
    {W "Shape", 2, 6, "a type in quotes was expected before the end of the file"},
    {W "Shape \"sphere\" \"radius\" 1", 2, 16, "\"radius\" is no parameter's type and name"},
    {W "Shape \"sphere\" \"float radius big\" 1", 2, 16, "no parameter's type and name"},
    {W "Shape \"sphere\" \" \" 1", 2, 16, "no parameter's type and name"},
    {W "Shape \"sphere\" \"number radius\" 1", 2, 16, "unknown parameter type \"number\""},
    {W "Shape \"x\" \"point P\" [1 2 3]", 2, 11, "no parameter type \"point\"; it says \"point3\""},
    {W "Shape \"x\" \"vector P\" [1 2 3]", 2, 11, "it says \"vector3\""},
    {W "Shape \"x\" \"normal3 P\" [1 2 3]", 2, 11, "it says \"normal\""},
    {W "Shape \"x\" \"color P\" [1 2 3]", 2, 11, "it says \"rgb\""},
    {W "Shape \"x\" \"xyz P\" [1 2 3]", 2, 11, "it says \"rgb\""},
    {W "Shape \"sphere\" \"float radius\" one", 2, 31, "one is not a number"},
    {W "Shape \"sphere\" \"float radius\" \"1\"", 2, 31, "\"1\" is not a number"},
    {W "Shape \"sphere\" \"float radius\" nan", 2, 31, "nan is not a number"},
    {W "Shape \"sphere\" \"float radius\" -inf", 2, 31, "-inf is not a number"},
    {W "Shape \"sphere\" \"float radius\" [ 1\n 1e39 ]", 3, 2, "1e39 is too large"},
    {W "Shape \"sphere\" \"float radius\" 1.2.3", 2, 31, "1.2.3 is not a number"},
    {W "Shape \"sphere\" \"float radius\" 1e", 2, 31, "1e is not a number"},
    {W "Shape \"sphere\" \"float radius\" true", 2, 31, "true is not a number"},
    {W "Shape \"sphere\" \"float radius\"", 2, 30, "a value was expected before the end of the file"},
    {W "Shape \"sphere\" \"float radius\" ]", 2, 31, "a value was expected before ]"},
    {W "Shape \"sphere\" \"float radius\" []", 2, 16, "\"float radius\" has no values"},
    {W "Shape \"sphere\" \"float radius\" [ 1", 2, 31, "the bracket is not closed"},
    {W "Shape \"sphere\" \"float radius\" [ [ 1 ] ]", 2, 33, "a value was expected before ["},
    {W "Shape \"sphere\" \"float radius\" 1 2", 2, 33, "unknown directive 2"},
    {W "Shape \"x\" \"integer indices\" [ 0 1 1.5 ]", 2, 35, "1.5 is not an integer"},
    {W "Shape \"x\" \"integer indices\" 2147483648", 2, 29, "2147483648 is too large for an integer"},
    {W "Shape \"x\" \"integer indices\" -", 2, 29, "- is not an integer"},
    {W "Shape \"x\" \"bool b\" \"true\"", 2, 20, "\"true\" is neither true nor false"},
    {W "Shape \"x\" \"bool b\" 1", 2, 20, "1 is neither true nor false"},
    {W "Shape \"x\" \"string s\" true", 2, 22, "true is not a quoted string"},
    {W "Shape \"x\" \"texture s\" 1", 2, 23, "1 is not a quoted string"},
    {W "Shape \"x\" \"point2 uv\" [ 1 2 3 ]", 2, 11, "\"point2 uv\" has 3 numbers, not a multiple of 2"},
    {W "Shape \"x\" \"point3 P\" 1", 2, 11, "has 1 numbers, not a multiple of 3"},
    {W "Shape \"x\" \"rgb c\" [1 2]", 2, 11, "has 2 numbers, not a multiple of 3"},
    {W "Shape \"x\" \"spectrum s\" [400 1 500]", 2, 11, "has 3 numbers, not a multiple of 2"},
    {W "Shape \"x\" \"spectrum s\" [400 1 \"glass\"]", 2, 11, "mixes numbers and strings"},
};

static const struct wrong transforms[] = {
    {"Translate 1 2", 1, 14, "the end of the file is no number; 3 numbers were expected"},
    {"Translate 1 2 x", 1, 15, "x is no number"},
    {"Translate nan 0 0", 1, 11, "nan is no number"},
    {"Translate 1e39 0 0", 1, 1, "numbers that are too large"},
    {"Translate 1e400 0 0", 1, 11, "1e400 is too large"},
    {"Scale 1 1 -1e39", 1, 1, "numbers that are too large"},
    {"LookAt 0 1 4  0 1 4  0 1 0", 1, 1, "LookAt needs a target apart from the eye"},
    {"LookAt 0 1 4  0 0 4  0 1 0", 1, 1, "an up vector across the view"},
    {"LookAt 0 1 4  0 1 0  0 0 0", 1, 1, "an up vector across the view"},
    {"Transform 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1", 1, 11, "[ was expected before 1"},
    {"Transform [ 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 ]", 1, 46, "] is no number; 16 numbers"},
    {"Transform [ 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1 1 ]", 1, 48, "] was expected before 1"},
    {"Transform [ 1 0 0 0  0 1 0 0  1 1 0 0  0 0 0 1e39 ]", 1, 1, "too large"},
    {"ActiveTransform Middle", 1, 17, "All, StartTime or EndTime was expected, not Middle"},
    {"ActiveTransform \"All\"", 1, 17, "All, StartTime or EndTime was expected, not \"All\""},
    {"CoordinateSystem here", 1, 18, "a coordinate system's name in quotes was expected"},
    {"TransformTimes 0", 1, 17, "2 numbers were expected"},
};

static const struct wrong placement[] = {
    {W "Camera \"perspective\"", 2, 1, "Camera after WorldBegin"},
    {W "Film \"rgb\"", 2, 1, "Film after WorldBegin"},
    {W "Sampler \"rgb\"", 2, 1, "Sampler after WorldBegin"},
    {W "Integrator \"path\"", 2, 1, "Integrator after WorldBegin"},
    {W "Accelerator \"bvh\"", 2, 1, "Accelerator after WorldBegin"},
    {W "PixelFilter \"box\"", 2, 1, "PixelFilter after WorldBegin"},
    {W "TransformTimes 0 1", 2, 1, "TransformTimes after WorldBegin"},
    {W "WorldBegin", 2, 1, "WorldBegin after WorldBegin"},
    {"Shape \"sphere\"", 1, 1, "Shape before WorldBegin"},
    {" LightSource \"infinite\"", 1, 2, "LightSource before WorldBegin"},
    {"AreaLightSource \"diffuse\"", 1, 1, "AreaLightSource before WorldBegin"},
    {"AttributeBegin", 1, 1, "AttributeBegin before WorldBegin"},
    {"AttributeEnd", 1, 1, "AttributeEnd before WorldBegin"},
    {"TransformBegin", 1, 1, "TransformBegin before WorldBegin"},
    {"TransformEnd", 1, 1, "TransformEnd before WorldBegin"},
    {"Material \"diffuse\"", 1, 1, "Material before WorldBegin"},
    {"MakeNamedMaterial \"a\"", 1, 1, "MakeNamedMaterial before WorldBegin"},
    {"NamedMaterial \"a\"", 1, 1, "NamedMaterial before WorldBegin"},
    {"Texture \"a\"", 1, 1, "Texture before WorldBegin"},
    {"ObjectBegin \"a\"", 1, 1, "ObjectBegin before WorldBegin"},
    {"ObjectEnd", 1, 1, "ObjectEnd before WorldBegin"},
    {"ObjectInstance \"a\"", 1, 1, "ObjectInstance before WorldBegin"},
    {"ReverseOrientation", 1, 1, "ReverseOrientation before WorldBegin"},
    {"Import \"a\"", 1, 1, "Import before WorldBegin"},
    {W "AttributeBegin", 2, 1, "AttributeBegin without AttributeEnd"},
    {W "AttributeBegin\n AttributeBegin\nAttributeEnd", 2, 1, "AttributeBegin without AttributeEnd"},
    {W "AttributeEnd", 2, 1, "AttributeEnd without AttributeBegin"},
    {W "ObjectBegin \"a\"", 2, 1, "ObjectBegin without ObjectEnd"},
    {W "ObjectEnd", 2, 1, "ObjectEnd without ObjectBegin"},
    {W "ObjectBegin \"a\" AttributeBegin\nObjectEnd", 3, 1, "ObjectEnd inside AttributeBegin of line 2"},
    {W "ObjectBegin \"a\"\nAttributeEnd", 3, 1, "AttributeEnd inside ObjectBegin of line 2"},
    {W "ObjectBegin \"a\"\nObjectBegin \"b\"", 3, 1, "ObjectBegin inside ObjectBegin"},
    {W "ObjectBegin \"a\"\nObjectEnd ObjectBegin \"a\"", 3, 11, "\"a\" was made on line 2 already"},
    {W "ObjectBegin \"a\"\n ObjectInstance \"b\"", 3, 2, "ObjectInstance inside ObjectBegin"},
};

static const struct wrong names[] = {
    {W "  ObjectInstance \"nobody\"", 2, 3, "no object is named \"nobody\""},
    {W "MakeNamedMaterial \"a\"", 2, 1, "\"a\" has no \"string type\""},
    {W "MakeNamedMaterial \"a\" \"float type\" 1", 2, 23, "must be of type string"},
    {W "MakeNamedMedium \"a\"", 2, 1, "\"a\" has no \"string type\""},
    {W "MakeNamedMaterial \"a\" \"string type\" \"diffuse\"\nMakeNamedMaterial \"a\"", 3, 1,
     "line 2 already"},
    {W "MakeNamedMedium \"a\" \"string type\" \"homogeneous\"\nMakeNamedMedium \"a\"", 3, 1,
     "line 2 already"},
    {W "Texture \"t\" \"float\" \"scale\"\nTexture \"t\" \"float\" \"scale\"", 3, 1, "made before"},
    {W "Texture \"t\" \"rgb\" \"scale\"", 2, 1, "must be \"float\" or \"spectrum\""},
    {W "Attribute \"camera\" \"float x\" 1", 2, 1, "must be \"shape\", "},
    {"ColorSpace \"cmyk\"", 1, 1, "unknown color space \"cmyk\""},
    {"Option \"quality\" 3", 1, 1, "unknown option \"quality\""},
    {"Option \"seed\" 1.5", 1, 15, "1.5 is not an integer"},
    {"Option \"wavefornt\" 1", 1, 1, "did you mean \"wavefront\"?"},
    {W "ObjectBegin \"chair\" ObjectEnd\nObjectInstance \"chiar\"", 3, 1, "did you mean \"chair\"?"},
    {W "Shape \"x\" \"flaot r\" 1", 2, 11, "unknown parameter type \"flaot\"; did you mean \"float\"?"},
    {"Option \"see\" 1", 1, 1, "unknown option \"see\""},
    {"Option \"seeds\" 1", 1, 1, "unknown option \"seeds\""},
    {"Include \"/no/such/file\"", 1, 9, "/no/such/file: No such file"},
    {"Include file", 1, 9, "a file's name in quotes was expected before file"},
    {"Include \"/\"", 1, 9, "/: Is a directory"},
};

static void check_all(const struct wrong *wrong, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct reading reading;
        char place[64];
        read_text(&reading, wrong[i].text);
        snprintf(place, sizeof place, "scene:%u:%u: ", wrong[i].line, wrong[i].column);
        if (reading.status != LB_ERROR || strncmp(reading.error.message, place, strlen(place)) != 0 ||
            !strstr(reading.error.message, wrong[i].message))
            fail_msg("%s\ngave status %d, %s\nin place of %s%s", wrong[i].text, reading.status,
                     reading.error.message, place, wrong[i].message);
        if (strstr(reading.log, "error: "))
            fail_msg("%s\nalso gave %s", wrong[i].text, reading.log);
        free_reading(&reading);
    }
}

#define CHECK_ALL(table) check_all(table, sizeof(table) / sizeof(table)[0])

static void lexical_errors(void **state)
{
    (void)state;
    CHECK_ALL(lexical);
}

static void parameter_errors(void **state)
{
    (void)state;
    CHECK_ALL(parameters);
}

static void transform_errors(void **state)
{
    (void)state;
    CHECK_ALL(transforms);
}

static void placement_errors(void **state)
{
    (void)state;
    CHECK_ALL(placement);
}

static void name_errors(void **state)
{
    (void)state;
    CHECK_ALL(names);
}

static void scenes_of_version_3_are_told(void **state)
{
    (void)state;
    CHECK_ALL(version3);
}

static void all_errors_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof severals / sizeof severals[0]; i++) {
        struct reading reading;
        char all[8192];
        read_text(&reading, severals[i].text);
        assert_int_equal(reading.status, LB_ERROR);
        snprintf(all, sizeof all, "%serror: %s\n", reading.log, reading.error.message);
        const char *line = all;
        for (int k = 0; k < 5 && severals[i].errors[k]; k++) {
            const char *found = strstr(line, severals[i].errors[k]), *end = strchr(line, '\n');
            if (!found || !end || found > end)
                fail_msg("%s\ngave\n%s in place of %s", severals[i].text, all, severals[i].errors[k]);
            line = end + 1;
        }
        if (*line)
            fail_msg("%s\nalso gave\n%s", severals[i].text, line);
        free_reading(&reading);
    }
}

static void twenty_errors_are_shown_and_the_others_counted(void **state)
{
    (void)state;
    for (unsigned count = 19; count <= 23; count++) {
        struct reading reading;
        char text[4096] = W;
        for (unsigned i = 0; i < count; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "Translate 1 2 x%u\n", i);
        read_text(&reading, text);
        unsigned lines = 0;
        for (const char *at = reading.log; (at = strstr(at, "error: ")) != NULL; at++)
            lines++;
        assert_int_equal(lines, count <= 20 ? count - 1 : 20);
        char more[32];
        snprintf(more, sizeof more, "scene: %u more errors", count - 20);
        assert_true(count <= 20 ? strstr(reading.error.message, "no number") != NULL
                                : strcmp(reading.error.message, more) == 0);
        free_reading(&reading);
    }
}

static void other_files_are_refused_as_such(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } files[] = {{"\x89PNG\r\n\x1a\n", 8, "scene:1:1: a PNG picture, not a scene"},
                 {"\xff\xd8\xff\xe0", 4, "scene:1:1: a JPEG picture, not a scene"},
                 {"ply\nformat", 10, "scene:1:1: a PLY mesh, not a scene"},
                 {"(\xb5/\xfd", 4, "scene:1:1: packed by zstd"},
                 {"W\0o\0", 4, "scene:1:1: a binary file, not a scene"},
                 {W "\0", 12, "scene:1:1: a binary file, not a scene"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct lb_arena arena = {0};
        struct lb_description description;
        struct lb_error error;
        assert_int_equal(
            lb_description_parse("scene", files[i].bytes, files[i].size, &arena, NULL, &description, &error),
            LB_ERROR);
        if (strncmp(error.message, files[i].message, strlen(files[i].message)) != 0)
            fail_msg("%s", error.message);
        lb_arena_free(&arena);
    }
}

/* Whatever bytes the file has, the message is one line. */
static void messages_are_one_line(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, W "ObjectInstance \"a\\nb\\tc\"");
    assert_int_equal(reading.status, LB_ERROR);
    assert_null(strpbrk(reading.error.message, "\n\t"));
    free_reading(&reading);
}

static void limits_on_lists(void **state)
{
    (void)state;
    static char text[64 * 1024];
    struct reading reading;
    size_t used = (size_t)snprintf(text, sizeof text, W "Shape \"x\"\n");
    for (int i = 0; i <= 1000; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "\"float f%d\" 1\n", i);
    read_text(&reading, text);
    assert_string_equal(reading.error.message, "scene:1003:1: more than 1000 parameters in one list");
    free_reading(&reading);

    used = (size_t)snprintf(text, sizeof text, W);
    for (int i = 0; i <= 64; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "Attribute \"shape\" \"float f%d\" 1\n", i);
    read_text(&reading, text);
    assert_string_equal(reading.error.message, "scene:66:1: more than 64 defaults for one kind");
    free_reading(&reading);
}

/* Of memory and file names alike: no value is kept by an error without a place for it. */
static void no_place_for_the_error(void **state)
{
    (void)state;
    struct lb_arena arena = {0};
    struct lb_description description;
    assert_int_equal(lb_description_parse("scene", "x", 1, &arena, NULL, &description, NULL), LB_ERROR);
    assert_int_equal(lb_description_read("/no/such/file", &arena, NULL, &description, NULL), LB_ERROR);
    lb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lexical_errors),
        cmocka_unit_test(parameter_errors),
        cmocka_unit_test(transform_errors),
        cmocka_unit_test(placement_errors),
        cmocka_unit_test(name_errors),
        cmocka_unit_test(scenes_of_version_3_are_told),
        cmocka_unit_test(all_errors_are_shown),
        cmocka_unit_test(twenty_errors_are_shown_and_the_others_counted),
        cmocka_unit_test(other_files_are_refused_as_such),
        cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(limits_on_lists),
        cmocka_unit_test(no_place_for_the_error),
    };
    return cmocka_run_group_tests_name("language_errors", tests, NULL, NULL);
}
