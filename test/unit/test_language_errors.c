/* What is against the language: each error says what, and where. */
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
    {W "Texture \"t\" \"color\" \"scale\"", 2, 1, "\"color\" is pbrt-v3's"},
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

/* Whatever stands in the file, the message is one line. */
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
        cmocka_unit_test(lexical_errors),   cmocka_unit_test(parameter_errors),
        cmocka_unit_test(transform_errors), cmocka_unit_test(placement_errors),
        cmocka_unit_test(name_errors),      cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(limits_on_lists),  cmocka_unit_test(no_place_for_the_error),
    };
    return cmocka_run_group_tests_name("language_errors", tests, NULL, NULL);
}
