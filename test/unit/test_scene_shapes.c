/* Meshes, quadrics, media, objects and their uses. */
#include "scene_help.h"

static void vertices_go_to_world_space(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("", "Translate 10 0 0 Scale 2 1 -1 ReverseOrientation\n" QUAD
                                            "\"normal N\" [ 1 0 1 1 0 1 1 0 1 1 0 1 ] \"point2 uv\" [ 0 0 1 "
                                            "0 1 1 0 1 ] \"vector3 S\" [ 1 0 1 1 0 1 1 0 1 1 0 1 ]");
    const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
    lb_vec3 p = LB_ARRAY(loaded.scene, positions, lb_vec3)[2],
            n = LB_ARRAY(loaded.scene, normals, lb_vec3)[2];
    lb_vec3 s = LB_ARRAY(loaded.scene, tangents, lb_vec3)[2];
    assert_int_equal(shape->flags, LB_SHAPE_REVERSED | LB_SHAPE_SWAPS | LB_SHAPE_HAS_NORMALS |
                                       LB_SHAPE_HAS_UV | LB_SHAPE_HAS_TANGENTS);
    assert_near(p.x, 12.0), assert_near(p.y, 1.0);
    assert_near(n.x, 0.5), assert_near(n.z, -1.0); /* inverse transpose */
    assert_near(s.x, 2.0), assert_near(s.z, -1.0);
    lb_scene_free(&loaded);
}

static void degenerate_triangles_are_dropped(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    struct scene_warnings warnings = {0, ""};
    assert_int_equal(scene_try("",
                               "AreaLightSource \"diffuse\" Shape \"trianglemesh\" \"integer indices\" [ 0 0 "
                               "1  0 1 2  0 1 3  2 1 0 ]"
                               "\"point3 P\" [ 0 0 0  1 0 0  0 1 0  2 0 0 ]\n"
                               "Shape \"trianglemesh\" \"point3 P\" [ 0 0 0 1 1 1 2 2 2 ]",
                               NULL, &warnings, &loaded, &error),
                     LB_OK);
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_int_equal(loaded.scene->shapes.count, 1);
    assert_int_equal(shapes->primitive_count, 2);
    assert_int_equal(loaded.scene->indices.count, 6);
    assert_int_equal(LB_ARRAY(loaded.scene, indices, uint32_t)[3], 2);
    assert_int_equal(loaded.scene->lights.count, 2);
    assert_int_equal(loaded.triangles, 2);
    assert_int_equal(warnings.count, 2);
    lb_scene_free(&loaded);
}

static void arrays_of_another_length_are_left_out(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    struct scene_warnings warnings = {0, ""};
    assert_int_equal(scene_try("", QUAD "\"normal N\" [ 0 0 1 ] \"point2 uv\" [ 0 0 1 1 ]", NULL, &warnings,
                               &loaded, &error),
                     LB_OK);
    assert_int_equal(LB_ARRAY(loaded.scene, shapes, lb_shape)->flags, 0);
    assert_int_equal(warnings.count, 2);
    lb_scene_free(&loaded);
}

static void media_are_boundaries_where_they_differ(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("MakeNamedMedium \"ink\" \"string type\" \"homogeneous\" \"rgb "
                                        "sigma_a\" [ 1 2 3 ] \"rgb sigma_s\" [ 0 0 0 ] \"float scale\" 2",
                                        "Shape \"sphere\" MediumInterface \"ink\" \"\" Shape \"sphere\" "
                                        "MediumInterface \"ink\" \"ink\" Shape \"sphere\"");
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_near(LB_ARRAY(loaded.scene, media, lb_medium)->sigma_a.b, 6.0);
    assert_int_equal(shapes[0].has_media_interface, 0);
    assert_int_equal(shapes[1].has_media_interface, 1);
    assert_int_equal(shapes[1].medium_inside, 0);
    assert_int_equal(shapes[1].medium_outside, LB_NONE);
    assert_int_equal(shapes[2].has_media_interface, 0);
    lb_scene_free(&loaded);
}

static void alpha_of_one_is_none(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("", "Shape \"sphere\" \"float alpha\" 1");
    assert_int_equal(loaded.scene->any_alpha, 0);
    lb_scene_free(&loaded);
    loaded = scene_get("", "Shape \"sphere\" \"float alpha\" 0.5");
    assert_int_equal(loaded.scene->any_alpha, 1);
    assert_int_equal(LB_ARRAY(loaded.scene, shapes, lb_shape)->flags, LB_SHAPE_HAS_ALPHA);
    lb_scene_free(&loaded);
}

static void quadrics_are_clipped_to_themselves(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("", "Shape \"sphere\" \"float radius\" 2 \"float zmin\" 5 \"float zmax\" -1 "
                      "\"float phimax\" 400 Shape \"disk\" \"float height\" 3 \"float phimax\" 90");
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_near(shapes[0].z_min, -1.0), assert_near(shapes[0].z_max, 2.0);
    assert_near(shapes[0].phi_max, 2.0 * 3.141592653589793);
    assert_near(shapes[1].height, 3.0), assert_near(shapes[1].phi_max, 0.5 * 3.141592653589793);
    lb_scene_free(&loaded);
}

static void copies_cost_next_to_nothing(void **state)
{
    (void)state;
    static char text[65536];
    uint64_t sizes[2];
    for (int round = 0; round < 2; round++) {
        size_t length = (size_t)snprintf(text, sizeof text,
                                         "ObjectBegin \"o\" " QUAD QUAD "ObjectEnd\n"
                                         "ObjectBegin \"unused\" " QUAD "ObjectEnd\n"
                                         "ObjectBegin \"empty\" ObjectEnd ObjectInstance \"empty\"\n" QUAD);
        for (int i = 0; i < (round ? 100 : 1); i++)
            length += (size_t)snprintf(
                text + length, sizeof text - length,
                "AttributeBegin Translate %d 0 0 Scale -1 1 1 ObjectInstance \"o\" AttributeEnd\n", i);
        struct lb_loaded loaded = scene_get("", text);
        assert_int_equal(loaded.scene->geometries.count, 2);
        assert_int_equal(loaded.scene->shapes.count, 3);
        assert_int_equal(loaded.scene->instances.count, round ? 100 : 1);
        assert_int_equal(loaded.triangles, 6);
        const lb_instance *instances = LB_ARRAY(loaded.scene, instances, lb_instance);
        for (uint64_t i = 0; i < loaded.scene->instances.count; i++) {
            assert_int_equal(instances[i].geometry, 1);
            assert_int_equal(instances[i].swaps, 1);
            assert_near(instances[i].world_from_object.m[0][3], (double)i);
        }
        sizes[round] = loaded.scene->size;
        lb_scene_free(&loaded);
    }
    /* An instance and its place in the tree. */
    assert_true(sizes[1] - sizes[0] < 99 * (sizeof(lb_instance) + 2 * sizeof(lb_node)));
}

/* ---- frames ---- */

#define MOVING                                                                                               \
    "ActiveTransform EndTime Translate 8 0 0 Rotate 90 0 0 1 Scale 3 3 3 ActiveTransform All\n" QUAD

static void frames_show_the_middle_of_their_time(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(scene_try("", MOVING, NULL, NULL, &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "not rendered yet"));
    for (uint32_t frame = 0; frame < 5; frame++) {
        const struct lb_scene_options options = {.frame = frame, .frame_count = 5};
        double u = ((double)frame + 0.5) / 5.0;
        assert_int_equal(scene_try("", MOVING, &options, NULL, &loaded, &error), LB_OK);
        const lb_vec3 *p = LB_ARRAY(loaded.scene, positions, lb_vec3);
        double size = 1.0 + 2.0 * u;
        assert_near(p[0].x, 8.0 * u);
        assert_near(p[0].y, 0.0);
        lb_vec3 side = lb_sub(p[1], p[0]), other = lb_sub(p[3], p[0]);
        assert_near(lb_length(side), size);
        assert_near(lb_dot(side, other), 0.0);
        double angle = u * 90.0 * 3.141592653589793 / 180.0;
        assert_near(side.x, size * (double)lb_cos((float)angle));
        assert_near(side.y, size * (double)lb_sin((float)angle));
        assert_int_equal(loaded.scene->integrator.frame, frame);
        lb_scene_free(&loaded);
    }
}

static void cameras_move_themselves(void **state)
{
    (void)state;
    const struct lb_scene_options options = {.frame = 0, .frame_count = 1};
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(scene_try("ActiveTransform EndTime Scale -1 1 1 ActiveTransform All\n"
                               "ActiveTransform StartTime Scale -1 1 1 LookAt 0 0 0  0 0 1  0 1 0\n"
                               "ActiveTransform EndTime LookAt 4 0 0  5 0 0  0 1 0 ActiveTransform All\n"
                               "Camera \"perspective\"",
                               QUAD, &options, NULL, &loaded, &error),
                     LB_OK);
    const lb_transform *t = &loaded.scene->camera.world_from_camera;
    lb_vec3 eye = lb_transform_point(t, lb_vec3_make(0, 0, 0));
    lb_vec3 ahead = lb_transform_vector(t, lb_vec3_make(0, 0, 1)),
            right = lb_transform_vector(t, lb_vec3_make(1, 0, 0));
    assert_near(eye.x, 2.0), assert_near(eye.z, 0.0);
    assert_near(ahead.x, 0.7071067811865476), assert_near(ahead.z, 0.7071067811865476);
    assert_near(right.x, -0.7071067811865476), assert_near(right.z, 0.7071067811865476); /* mirrored */
    lb_scene_free(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_go_to_world_space),
        cmocka_unit_test(degenerate_triangles_are_dropped),
        cmocka_unit_test(arrays_of_another_length_are_left_out),
        cmocka_unit_test(media_are_boundaries_where_they_differ),
        cmocka_unit_test(alpha_of_one_is_none),
        cmocka_unit_test(quadrics_are_clipped_to_themselves),
        cmocka_unit_test(copies_cost_next_to_nothing),
        cmocka_unit_test(frames_show_the_middle_of_their_time),
        cmocka_unit_test(cameras_move_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
