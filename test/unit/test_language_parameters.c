/* Tests look-ups in parameter lists. */
#include "unit/language_help.h"

static struct reading r;

static const struct lb_parameters *list(const char *text)
{
    static char scene[1024];
    snprintf(scene, sizeof scene, "WorldBegin %s", text);
    read_good(&r, scene);
    assert_int_equal(r.description.shape_count, 1);
    return &r.description.shapes[0].entity.parameters;
}

static void one_value(void **state)
{
    (void)state;
    const struct lb_parameters *p =
        list("Shape \"x\" \"float f\" [2] \"integer i\" 3 \"bool b\" true \"string s\" \"t\" "
             "\"point3 p\" [1 2 3] \"normal n\" [4 5 6]");
    float f, triple[3], none[3] = {7, 8, 9};
    int32_t i;
    bool b;
    const char *s;
    assert_int_equal(lb_parameters_float(p, "f", 9, &f, &r.error), LB_OK);
    assert_true(f == 2);
    assert_int_equal(lb_parameters_integer(p, "i", 9, &i, &r.error), LB_OK);
    assert_int_equal(i, 3);
    assert_int_equal(lb_parameters_bool(p, "b", false, &b, &r.error), LB_OK);
    assert_true(b);
    assert_int_equal(lb_parameters_string(p, "s", "u", &s, &r.error), LB_OK);
    assert_string_equal(s, "t");
    assert_int_equal(lb_parameters_triple(p, "p", LB_PARAMETER_POINT3, none, triple, &r.error), LB_OK);
    assert_true(triple[0] == 1 && triple[2] == 3);
    assert_int_equal(lb_parameters_triple(p, "n", LB_PARAMETER_NORMAL3, none, triple, &r.error), LB_OK);
    assert_true(triple[0] == 4);
    assert_int_equal(lb_parameters_triple(p, "absent", LB_PARAMETER_POINT3, none, triple, &r.error), LB_OK);
    assert_true(triple[2] == 9);
    assert_int_equal(lb_parameters_float(p, "absent", 9, &f, &r.error), LB_OK);
    assert_true(f == 9);
    assert_int_equal(lb_parameters_integer(p, "absent", 9, &i, &r.error), LB_OK);
    assert_int_equal(i, 9);
    assert_int_equal(lb_parameters_bool(p, "absent", true, &b, &r.error), LB_OK);
    assert_true(b);
    assert_int_equal(lb_parameters_string(p, "absent", "u", &s, &r.error), LB_OK);
    assert_string_equal(s, "u");
    free_reading(&r);
}

static void wrong_types_and_counts(void **state)
{
    (void)state;
    const struct lb_parameters *p =
        list("Shape \"x\" \"float f\" [2 3] \"string radius\" \"one\" \"point3 p\" [1 2 3 4 5 6]");
    float f, triple[3];
    int32_t i;
    const char *s;
    const float *floats;
    const int32_t *integers;
    size_t count;
    assert_int_equal(lb_parameters_float(p, "f", 9, &f, &r.error), LB_ERROR);
    assert_string_equal(r.error.message, "scene:1:22: \"float f\" has 2 values where it must have 1");
    assert_int_equal(lb_parameters_float(p, "radius", 9, &f, &r.error), LB_ERROR);
    assert_string_equal(r.error.message, "scene:1:38: \"string radius\" must be of type float");
    assert_int_equal(lb_parameters_integer(p, "f", 9, &i, &r.error), LB_ERROR);
    assert_int_equal(lb_parameters_string(p, "f", NULL, &s, &r.error), LB_ERROR);
    assert_int_equal(lb_parameters_triple(p, "p", LB_PARAMETER_POINT3, triple, triple, &r.error), LB_ERROR);
    assert_string_equal(r.error.message, "scene:1:60: \"point3 p\" has 2 values where it must have 1");
    assert_int_equal(lb_parameters_triple(p, "p", LB_PARAMETER_VECTOR3, triple, triple, &r.error), LB_ERROR);
    assert_string_equal(r.error.message, "scene:1:60: \"point3 p\" must be of type vector3");
    assert_int_equal(lb_parameters_floats(p, "p", LB_PARAMETER_FLOAT, &floats, &count, &r.error), LB_ERROR);
    assert_int_equal(lb_parameters_integers(p, "p", &integers, &count, &r.error), LB_ERROR);
    free_reading(&r);
}

static void arrays(void **state)
{
    (void)state;
    const struct lb_parameters *p = list("Shape \"x\" \"point2 uv\" [1 2 3 4] \"integer i\" [5 6 7]");
    const float *floats;
    const int32_t *integers;
    size_t count;
    assert_int_equal(lb_parameters_floats(p, "uv", LB_PARAMETER_POINT2, &floats, &count, &r.error), LB_OK);
    assert_int_equal(count, 4);
    assert_true(floats[3] == 4);
    assert_int_equal(lb_parameters_integers(p, "i", &integers, &count, &r.error), LB_OK);
    assert_int_equal(count, 3);
    assert_int_equal(integers[2], 7);
    assert_int_equal(lb_parameters_integers(p, "absent", &integers, &count, &r.error), LB_OK);
    assert_int_equal(count, 0);
    assert_null(integers);
    assert_int_equal(lb_parameters_floats(p, "absent", LB_PARAMETER_FLOAT, &floats, &count, &r.error), LB_OK);
    assert_int_equal(count, 0);
    assert_null(floats);
    free_reading(&r);
}

/* The first parameter of the list that no look-up found, or NULL. */
static const struct lb_parameter *first_unused(const struct lb_parameters *parameters)
{
    for (size_t i = 0; i < parameters->count; i++)
        if (!parameters->items[i].used)
            return &parameters->items[i];
    return NULL;
}

static void the_last_of_a_name_counts(void **state)
{
    (void)state;
    float f;
    const struct lb_parameters *p = list("Shape \"x\" \"float f\" 1 \"float f\" 2\n \"float f\" 3");
    assert_int_equal(lb_parameters_float(p, "f", 9, &f, &r.error), LB_OK);
    assert_true(f == 3);
    assert_null(first_unused(p));
    assert_string_equal(r.log,
                        "warning: scene:1:34: \"f\" was given before in this list; the last one counts\n"
                        "warning: scene:2:2: \"f\" was given before in this list; the last one counts\n");
    free_reading(&r);
}

static void defaults_of_attribute_directives(void **state)
{
    (void)state;
    float f;
    bool b;
    const struct lb_parameters *p = list(
        "Attribute \"shape\" \"float radius\" 1 \"float zmin\" -1 Attribute \"shape\" \"float radius\" 2\n"
        "Attribute \"material\" \"float roughness\" 1 Attribute \"shape\" \"float zmax\" 5 AttributeBegin\n"
        "Attribute \"shape\" \"float zmax\" 6 AttributeEnd Shape \"x\" \"float zmin\" -3 \"bool odd\" true");
    assert_int_equal(lb_parameters_float(p, "radius", 9, &f, &r.error), LB_OK);
    assert_true(f == 2);
    assert_int_equal(lb_parameters_float(p, "zmin", 9, &f, &r.error), LB_OK);
    assert_true(f == -3);
    assert_null(lb_parameters_find(p, "roughness"));
    /* Who asks for none of the defaults has no fault; whom nobody asks for what it says has. */
    assert_string_equal(first_unused(p)->name, "odd");
    assert_int_equal(lb_parameters_bool(p, "odd", false, &b, &r.error), LB_OK);
    assert_null(first_unused(p));
    assert_int_equal(lb_parameters_float(p, "zmax", 9, &f, &r.error), LB_OK);
    assert_true(f == 5);
    free_reading(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value),
        cmocka_unit_test(wrong_types_and_counts),
        cmocka_unit_test(arrays),
        cmocka_unit_test(the_last_of_a_name_counts),
        cmocka_unit_test(defaults_of_attribute_directives),
    };
    return cmocka_run_group_tests_name("language_parameters", tests, NULL, NULL);
}
