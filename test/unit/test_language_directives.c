/* Tests each directive of pbrt-v4, and how the graphics state passes through blocks. */
#include "unit/language_help.h"

#include <math.h>

static void assert_point(const struct lb_matrix *matrix, const double p[3], const double expected[3])
{
    for (int i = 0; i < 3; i++) {
        const double *row = matrix->m[i];
        double got = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3];
        if (fabs(got - expected[i]) > 1e-12)
            fail_msg("coordinate %d is %.17g, not %.17g", i, got, expected[i]);
    }
}

#define ASSERT_MAPS(matrix, x, y, z, to_x, to_y, to_z)                                                       \
    assert_point(&(matrix), (const double[]){x, y, z}, (const double[]){to_x, to_y, to_z})

static void options_before_the_world(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r,
              "Film \"rgb\" \"integer xresolution\" 16 \"string filename\" [ \"a b.exr\" ]\n"
              "PixelFilter \"gaussian\" \"float xradius\" [1.5]\n"
              "Sampler \"zsobol\" \"integer pixelsamples\" +8\n"
              "Integrator \"volpath\" \"bool regularize\" true\n"
              "Accelerator \"bvh\"\n"
              "TransformTimes 0.25 2\n"
              "Option \"disable-Pixel_Jitter\" true Option \"seed\" -7 Option \"displacementedgescale\" 1.5\n"
              "Option \"msereferenceimage\" \"x.exr\"\n"
              "WorldBegin");
    const struct lb_description *d = &r.description;
    int32_t integer;
    bool boolean;
    float number;
    const char *text;
    assert_string_equal(d->film.type, "rgb");
    assert_int_equal(lb_parameters_integer(&d->film.parameters, "xresolution", 0, &integer, NULL), LB_OK);
    assert_int_equal(integer, 16);
    assert_int_equal(lb_parameters_string(&d->film.parameters, "filename", NULL, &text, NULL), LB_OK);
    assert_string_equal(text, "a b.exr");
    assert_string_equal(d->filter.type, "gaussian");
    assert_int_equal(lb_parameters_float(&d->filter.parameters, "xradius", 0, &number, NULL), LB_OK);
    assert_true(number == 1.5f);
    assert_string_equal(d->sampler.type, "zsobol");
    assert_int_equal(lb_parameters_integer(&d->sampler.parameters, "pixelsamples", 0, &integer, NULL), LB_OK);
    assert_int_equal(integer, 8);
    assert_string_equal(d->integrator.type, "volpath");
    assert_int_equal(lb_parameters_bool(&d->integrator.parameters, "regularize", false, &boolean, NULL),
                     LB_OK);
    assert_true(boolean);
    assert_string_equal(d->accelerator.type, "bvh");
    assert_int_equal(d->accelerator.parameters.location.line, 5);
    assert_true(d->transform_times[0] == 0.25 && d->transform_times[1] == 2);
    assert_int_equal(lb_parameters_bool(&d->options.parameters, "disablepixeljitter", false, &boolean, NULL),
                     LB_OK);
    assert_true(boolean);
    assert_int_equal(lb_parameters_integer(&d->options.parameters, "seed", 0, &integer, NULL), LB_OK);
    assert_int_equal(integer, -7);
    assert_int_equal(lb_parameters_float(&d->options.parameters, "displacementedgescale", 0, &number, NULL),
                     LB_OK);
    assert_true(number == 1.5f);
    assert_int_equal(lb_parameters_string(&d->options.parameters, "msereferenceimage", NULL, &text, NULL),
                     LB_OK);
    assert_string_equal(text, "x.exr");
    free_reading(&r);
}

static void an_empty_world_has_defaults(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "\xef\xbb\xbfWorldBegin");
    const struct lb_description *d = &r.description;
    assert_null(d->film.type);
    assert_null(d->camera.type);
    assert_int_equal(d->material_count, 1);
    assert_string_equal(d->materials[0].entity.type, "diffuse");
    assert_true(d->transform_times[0] == 0 && d->transform_times[1] == 1);
    assert_string_equal(d->camera_medium, "");
    ASSERT_MAPS(d->camera_from_world.at[0], 1, 2, 3, 1, 2, 3);
    free_reading(&r);
}

static void all_parameter_types(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin # comment \"with [ all\n"
                  "Shape \"x\" \"bool b\" [true false] \"integer i\" [-2147483648 2147483647 +5 007]\n"
                  "\"float f\" [1 .5 -.25e1 2. 1e-50 0x10 -0] \"point2 p2\" [1 2] \"vector2 v2\" [3 4 5 6]\n"
                  "\"point3 p3\"[1 2 3]\"vector3 v3\"[1 2 3]\"normal n\"[0 0 1]\"rgb\tc\" [.1 .2 .3]\n"
                  "\"blackbody k\" 6500 \"spectrum s\" [400 1 500 2] \"spectrum m\" \"metal-Au-eta\"\n"
                  "\"  string  s2 \" [\"\" \"q\\\"\\\\\\n\"] \"texture t\" \"name\"");
    assert_int_equal(r.description.shape_count, 1);
    const struct lb_parameters *p = &r.description.shapes[0].entity.parameters;
    assert_int_equal(p->count, 14);
    const struct lb_parameter *b = lb_parameters_find(p, "b"), *i = lb_parameters_find(p, "i");
    assert_true(b->type == LB_PARAMETER_BOOL && b->count == 2 && b->bools[0] && !b->bools[1]);
    assert_true(i->type == LB_PARAMETER_INTEGER && i->count == 4);
    assert_true(i->integers[0] == INT32_MIN && i->integers[1] == INT32_MAX && i->integers[2] == 5 &&
                i->integers[3] == 7);
    const float floats[] = {1, .5f, -2.5f, 2, 0, 16, 0};
    const struct lb_parameter *f = lb_parameters_find(p, "f");
    assert_int_equal(f->count, 7);
    for (size_t k = 0; k < 7; k++)
        assert_true(f->floats[k] == floats[k]);
    assert_true(signbit(f->floats[6]));
    const struct {
        const char *name;
        enum lb_parameter_type type;
        size_t count;
    } others[] = {
        {"p2", LB_PARAMETER_POINT2, 2},   {"v2", LB_PARAMETER_VECTOR2, 4}, {"p3", LB_PARAMETER_POINT3, 3},
        {"v3", LB_PARAMETER_VECTOR3, 3},  {"n", LB_PARAMETER_NORMAL3, 3},  {"c", LB_PARAMETER_RGB, 3},
        {"k", LB_PARAMETER_BLACKBODY, 1}, {"s", LB_PARAMETER_SPECTRUM, 4}, {"m", LB_PARAMETER_SPECTRUM, 1},
        {"s2", LB_PARAMETER_STRING, 2},   {"t", LB_PARAMETER_TEXTURE, 1},
    };
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        const struct lb_parameter *other = lb_parameters_find(p, others[k].name);
        assert_non_null(other);
        assert_int_equal(other->type, others[k].type);
        assert_int_equal(other->count, others[k].count);
    }
    assert_string_equal(lb_parameters_find(p, "s2")->strings[0], "");
    assert_string_equal(lb_parameters_find(p, "s2")->strings[1], "q\"\\\n");
    assert_string_equal(lb_parameters_find(p, "m")->strings[0], "metal-Au-eta");
    assert_null(lb_parameters_find(p, "m")->floats);
    assert_int_equal(b->location.line, 2);
    assert_int_equal(b->location.column, 11);
    assert_string_equal(b->color_space, "srgb");
    free_reading(&r);
}

static void transformations(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin\n"
                  "Translate 1 2 3 Shape \"0\"\n"
                  "Scale 2 4 -8 Shape \"1\"\n"
                  "Rotate 90 0 0 2 Shape \"2\"\n"
                  "CoordinateSystem \"here\" Identity Shape \"3\"\n"
                  "ConcatTransform [ 1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1 ] Shape \"4\"\n"
                  "Transform [ 0 2 0 0  2 0 0 0  0 0 2 0  0 0 0 2 ] Shape \"5\"\n"
                  "CoordSysTransform \"here\" Shape \"6\"\n"
                  "CoordSysTransform \"world\" Shape \"7\"\n"
                  "CoordSysTransform \"nowhere\" Shape \"8\"\n");
    const struct lb_shape_entity *s = r.description.shapes;
    ASSERT_MAPS(s[0].world_from_object->at[0], 0, 0, 0, 1, 2, 3);
    ASSERT_MAPS(s[1].world_from_object->at[0], 1, 1, 1, 3, 6, -5);
    ASSERT_MAPS(s[2].world_from_object->at[0], 1, 0, 0, 1, 6, 3);
    ASSERT_MAPS(s[3].world_from_object->at[0], 1, 2, 3, 1, 2, 3);
    ASSERT_MAPS(s[4].world_from_object->at[0], 1, 1, 1, 6, 7, 8);
    ASSERT_MAPS(s[5].world_from_object->at[0], 1, 2, 3, 2, 1, 3);
    ASSERT_MAPS(s[6].world_from_object->at[0], 1, 0, 0, 1, 6, 3);
    ASSERT_MAPS(s[7].world_from_object->at[1], 1, 2, 3, 1, 2, 3);
    ASSERT_MAPS(s[8].world_from_object->at[1], 1, 2, 3, 1, 2, 3);
    assert_false(s[6].world_from_object->moves);
    assert_string_equal(
        r.log, "warning: scene:10:1: no coordinate system is named \"nowhere\"; the transformation stays "
               "as it is\n");
    free_reading(&r);
}

static void the_camera_is_left_handed(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "LookAt 0 0 5  0 0 0  0 1 0 MediumInterface \"\" \"fog\" Camera \"perspective\"\n"
                  "Translate 7 7 7 MakeNamedMedium \"fog\" \"string type\" \"homogeneous\"\n"
                  "WorldBegin Shape \"0\" CoordSysTransform \"camera\" Shape \"1\" LightSource \"point\"");
    const struct lb_description *d = &r.description;
    /* Looking down -z, +x is on the left. */
    ASSERT_MAPS(d->camera_from_world.at[0], 1, 2, 2, -1, 2, 3);
    ASSERT_MAPS(d->shapes[0].world_from_object->at[0], 1, 2, 3, 1, 2, 3);
    ASSERT_MAPS(d->shapes[1].world_from_object->at[0], -1, 2, 3, 1, 2, 2);
    assert_string_equal(d->camera_medium, "fog");
    ASSERT_MAPS(d->media[0].world_from_medium->at[0], 0, 0, 5, -7, 7, -7);
    assert_string_equal(d->media[0].entity.type, "homogeneous");
    assert_string_equal(d->lights[0].medium, "fog");
    free_reading(&r);
}

static void motion(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin Translate 1 0 0 ActiveTransform EndTime Translate 0 1 0 Shape \"0\"\n"
                  "ActiveTransform StartTime Translate 0 1 0 Shape \"1\"\n"
                  "ActiveTransform All Translate 0 0 1 Shape \"2\"\n"
                  "ActiveTransform EndTime AttributeBegin Identity AttributeEnd CoordSysTransform \"world\" "
                  "Shape \"3\"");
    const struct lb_shape_entity *s = r.description.shapes;
    assert_true(s[0].world_from_object->moves);
    ASSERT_MAPS(s[0].world_from_object->at[0], 0, 0, 0, 1, 0, 0);
    ASSERT_MAPS(s[0].world_from_object->at[1], 0, 0, 0, 1, 1, 0);
    assert_false(s[1].world_from_object->moves);
    ASSERT_MAPS(s[1].world_from_object->at[0], 0, 0, 0, 1, 1, 0);
    ASSERT_MAPS(s[2].world_from_object->at[0], 0, 0, 0, 1, 1, 1);
    ASSERT_MAPS(s[2].world_from_object->at[1], 0, 0, 0, 1, 1, 1);
    ASSERT_MAPS(s[3].world_from_object->at[0], 0, 0, 0, 0, 0, 0);
    free_reading(&r);
}

static void blocks_restore_all(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r,
              "WorldBegin MakeNamedMedium \"fog\" \"string type\" \"homogeneous\"\n"
              "AttributeBegin Material \"conductor\" AreaLightSource \"diffuse\" ReverseOrientation "
              "Translate 1 1 1\n"
              "MediumInterface \"fog\" \"\" ColorSpace \"rec2020\" Attribute \"shape\" \"float radius\" 3\n"
              "Shape \"0\" \"rgb c\" [1 1 1] AttributeEnd\n"
              "Shape \"1\" \"rgb c\" [1 1 1]\n"
              "TransformBegin MediumInterface \"fog\" Material \"dielectric\" Shape \"2\" TransformEnd\n"
              "Shape \"3\" AreaLightSource \"diffuse\" AreaLightSource \"\" Shape \"4\"\n");
    const struct lb_shape_entity *s = r.description.shapes;
    assert_int_equal(s[0].material, 1);
    assert_int_equal(s[0].area_light, 0);
    assert_true(s[0].reverse_orientation);
    assert_string_equal(s[0].inside_medium, "fog");
    assert_string_equal(s[0].outside_medium, "");
    assert_string_equal(s[0].entity.parameters.items[0].color_space, "rec2020");
    assert_non_null(lb_parameters_find(&s[0].entity.parameters, "radius"));
    assert_int_equal(s[1].material, 0);
    assert_int_equal(s[1].area_light, UINT32_MAX);
    assert_false(s[1].reverse_orientation);
    assert_null(s[1].inside_medium);
    assert_null(s[1].outside_medium);
    assert_string_equal(s[1].entity.parameters.items[0].color_space, "srgb");
    assert_null(lb_parameters_find(&s[1].entity.parameters, "radius"));
    ASSERT_MAPS(s[1].world_from_object->at[0], 0, 0, 0, 0, 0, 0);
    assert_string_equal(s[2].outside_medium, "fog");
    assert_int_equal(s[3].material, 0);
    assert_int_equal(s[4].area_light, UINT32_MAX);
    assert_string_equal(r.log,
                        "warning: scene:6:1: TransformBegin and TransformEnd are read as AttributeBegin and "
                        "AttributeEnd\n");
    free_reading(&r);
}

static void names_may_come_before_definitions(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r,
              "WorldBegin NamedMaterial \"later\" Shape \"0\" Material \"diffuse\" Shape \"1\"\n"
              "MakeNamedMaterial \"later\" \"string type\" \"conductor\" \"float roughness\" 0 Shape \"2\"\n"
              "ObjectInstance \"thing\" NamedMaterial \"later\" Shape \"3\"\n"
              "ObjectBegin \"thing\" Shape \"4\" ObjectEnd");
    const struct lb_description *d = &r.description;
    assert_int_equal(d->shapes[0].material, d->shapes[3].material);
    assert_int_equal(d->shapes[1].material, d->shapes[2].material);
    const struct lb_material_entity *later = &d->materials[d->shapes[0].material];
    assert_string_equal(later->name, "later");
    assert_string_equal(later->entity.type, "conductor");
    assert_int_equal(later->entity.parameters.location.line, 2);
    assert_int_equal(lb_description_use(d, 0)->object, 0);
    assert_int_equal(d->objects[0].shape_count, 1);
    assert_string_equal(d->objects[0].name, "thing");
    assert_int_equal(d->objects[0].location.line, 4);
    free_reading(&r);
}

static void objects_and_instances(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r,
              "WorldBegin Translate 1 0 0\n"
              "ObjectBegin \"a\" Translate 0 1 0 Material \"conductor\" Shape \"0\" Shape \"1\" ObjectEnd\n"
              "ObjectBegin \"empty\" ObjectEnd\n"
              "Shape \"2\" Scale 2 2 2 ObjectInstance \"a\" ObjectInstance \"empty\"\n"
              "ActiveTransform EndTime Translate 1 0 0 ObjectInstance \"a\"");
    const struct lb_description *d = &r.description;
    assert_int_equal(d->object_count, 2);
    assert_int_equal(d->objects[0].shape_count, 2);
    assert_int_equal(d->objects[1].shape_count, 0);
    /* A shape is placed by its own transformation; its instance's comes on top. */
    ASSERT_MAPS(d->objects[0].shapes[0].world_from_object->at[0], 0, 0, 0, 1, 1, 0);
    assert_int_equal(d->objects[0].shapes[1].material, 1);
    assert_int_equal(d->shape_count, 1);
    assert_int_equal(d->shapes[0].material, 0);
    ASSERT_MAPS(d->shapes[0].world_from_object->at[0], 0, 0, 0, 1, 0, 0);
    assert_int_equal(d->use_count, 3);
    static const float doubled[2][3][4] = {{{2, 0, 0, 1}, {0, 2, 0, 0}, {0, 0, 2, 0}},
                                           {{0.5f, 0, 0, -0.5f}, {0, 0.5f, 0, 0}, {0, 0, 0.5f, 0}}};
    assert_null(lb_description_use(d, 0)->world_from_instance);
    assert_memory_equal(lb_description_use(d, 0)->rows, doubled, sizeof doubled);
    assert_int_equal(lb_description_use(d, 1)->object, 1);
    assert_int_equal(lb_description_use(d, 1)->location.column, 42);
    assert_true(lb_description_use(d, 2)->world_from_instance->moves);
    ASSERT_MAPS(lb_description_use(d, 2)->world_from_instance->at[1], 1, 1, 1, 5, 2, 2);
    free_reading(&r);
}

/* Numbers that are rounded to float do not do for what moves, has no inverse, or is projective; nor for an object whose
 * shapes move, or are not known yet. */
static void uses_whose_matrices_are_kept(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin ObjectInstance \"later\"\n"
                  "ObjectBegin \"later\" Shape \"0\" ObjectEnd\n"
                  "ObjectBegin \"mover\" ActiveTransform EndTime Translate 1 0 0 Shape \"1\" ObjectEnd\n"
                  "ObjectInstance \"mover\" ObjectInstance \"later\"\n"
                  "AttributeBegin Scale 0 1 1 ObjectInstance \"later\" AttributeEnd\n"
                  "ConcatTransform [1 0 0 0.5 0 1 0 0 0 0 1 0 0 0 0 1] ObjectInstance \"later\"");
    const struct lb_description *d = &r.description;
    assert_int_equal(d->use_count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_true((lb_description_use(d, i)->world_from_instance != NULL) == (i != 2));
    assert_non_null(lb_description_use(d, 3)->world_from_instance->flaw);
    assert_true(d->objects[1].moves && !d->objects[0].moves);
    free_reading(&r);
}

/* They stand in blocks, and the names of objects are looked up in two ways. */
static void many_uses(void **state)
{
    (void)state;
    enum { USES = 3 * LB_USES_A_BLOCK / 2 };
    static char text[64 * USES];
    static const char *names[] = {"a",
                                  "of a name that is so long that it is not looked up where short ones are"};
    size_t used = (size_t)snprintf(text, sizeof text, "WorldBegin");
    struct reading r;
    for (int i = 0; i < 2; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " ObjectBegin \"%s\" ObjectEnd", names[i]);
    for (int i = 0; i < USES; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " Translate 1 0 0\nObjectInstance \"%s\"",
                                 names[i % 7 == 0]);
    assert_true(used < sizeof text);
    read_good(&r, text);
    assert_int_equal(r.description.use_count, USES);
    assert_int_equal(r.description.object_count, 2);
    for (int i = 0; i < USES; i++) {
        const struct lb_object_use *use = lb_description_use(&r.description, (size_t)i);
        assert_int_equal(use->object, i % 7 == 0);
        assert_int_equal(use->location.line, i + 2);
        assert_true(use->rows[0][0][3] == (float)(i + 1));
    }
    free_reading(&r);
}

static void textures(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin Attribute \"texture\" \"float scale\" 2 Translate 0 0 3\n"
                  "Texture \"t\" \"float\" \"constant\" \"float value\" 1\n"
                  "Texture \"t\" \"spectrum\" \"imagemap\" \"string filename\" \"a.png\"");
    const struct lb_texture_entity *t = r.description.textures;
    assert_int_equal(r.description.texture_count, 2);
    assert_true(t[0].is_float && !t[1].is_float);
    assert_string_equal(t[0].name, "t");
    assert_string_equal(t[1].entity.type, "imagemap");
    assert_non_null(lb_parameters_find(&t[1].entity.parameters, "scale"));
    ASSERT_MAPS(t[0].world_from_texture->at[0], 0, 0, 0, 0, 0, 3);
    free_reading(&r);
}

static void lines_for_us_and_lines_for_pbrt(void **state)
{
    (void)state;
    struct reading r;
    read_good(&r, "WorldBegin\n"
                  "#@lbrender Material \"conductor\" # a comment\n"
                  "#@pbrt\nMaterial \"nonsense\" \"no end\n# Shape\n#@endless\n #@end\n#@end of it\n"
                  " #@lbrender Shape \"disk\"\n#@lbrenderShape \"disk\"\n#@lbrender\n"
                  "Shape \"sphere\" #@pbrt\n#@lbrender \"float radius\"\n2\n"
                  "#@pbrt\n#@end");
    const struct lb_description *d = &r.description;
    float radius;
    assert_int_equal(d->material_count, 2);
    assert_string_equal(d->materials[1].entity.type, "conductor");
    assert_int_equal(d->materials[1].entity.parameters.location.line, 2);
    assert_int_equal(d->shape_count, 1);
    assert_int_equal(d->shapes[0].entity.parameters.location.line, 12);
    assert_int_equal(lb_parameters_float(&d->shapes[0].entity.parameters, "radius", 0, &radius, NULL), LB_OK);
    assert_true(radius == 2.0f);
    free_reading(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_before_the_world),
        cmocka_unit_test(an_empty_world_has_defaults),
        cmocka_unit_test(all_parameter_types),
        cmocka_unit_test(transformations),
        cmocka_unit_test(the_camera_is_left_handed),
        cmocka_unit_test(motion),
        cmocka_unit_test(blocks_restore_all),
        cmocka_unit_test(names_may_come_before_definitions),
        cmocka_unit_test(objects_and_instances),
        cmocka_unit_test(uses_whose_matrices_are_kept),
        cmocka_unit_test(many_uses),
        cmocka_unit_test(textures),
        cmocka_unit_test(lines_for_us_and_lines_for_pbrt),
    };
    return cmocka_run_group_tests_name("language_directives", tests, NULL, NULL);
}
