/* Tests how meshes, quadrics, media, objects and their uses are built. */
#include "scene_help.h"

#include "core/kernel/tree/brute.h"
#include "core/kernel/shapes/surface.h"

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
    struct scene_warnings warnings = {0};
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
    assert_int_equal(warnings.count, 0);
    assert_int_equal(warnings.notes, 2);
    lb_scene_free(&loaded);
}

static void arrays_of_another_length_are_left_out(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    struct scene_warnings warnings = {0};
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

static lb_vec3 corner_of(const struct lb_loaded *loaded, const lb_shape *shape, uint32_t vertex)
{
    return LB_ARRAY(loaded->scene, positions, lb_vec3)[shape->first_position + vertex];
}

/* A parallelogram is two triangles with the uv of the unit square; a twisted patch is as many as it takes, and its
 * power is that of all of them together. */
static void patches_become_triangles(void **state)
{
    (void)state;
    struct lb_loaded loaded =
        scene_get("", "Shape \"bilinearmesh\" \"point3 P\" [ 0 0 0  2 0 0  1 1 0  3 1 0 ]\n"
                      "AreaLightSource \"diffuse\" \"float power\" 7\n"
                      "Shape \"bilinearmesh\" \"integer indices\" [ 0 1 2 3  0 1 4 5 ] \"point3 P\" "
                      "[ 0 0 0  1 0 0  0 1 0  1 1 1  0 -2 0  1 -2 0 ]");
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    const lb_light *lights = LB_ARRAY(loaded.scene, lights, lb_light);
    assert_int_equal(shapes[0].primitive_count, 2);
    assert_int_equal(shapes[0].flags, LB_SHAPE_HAS_UV);
    lb_vec2 uv = lb_mesh_uv(loaded.scene, &shapes[0], 1, 0.25f, 0.5f); /* of corners 00, 11, 01 */
    assert_near(uv.x, 0.25), assert_near(uv.y, 0.75);
    /* z = x y, which its vertices are on and its triangles off by less than a thousandth of its size. */
    uint32_t last = shapes[1].primitive_count - 2, n = 1;
    while (2 * n * n < last)
        n++;
    assert_true(2 * n * n == last && n >= 16 && n <= 32);
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++) {
        lb_vec3 p = corner_of(&loaded, &shapes[1], i);
        assert_near(p.z, (double)(p.x * p.y));
    }
    double power = 0.0;
    for (uint32_t i = 0; i < last; i++)
        power += (double)lights[i].power;
    assert_near(power / 7.0, 1.0);
    assert_near((double)lights[last].power, 3.5);
    lb_scene_free(&loaded);
}

/* The limit of a vertex does not depend on how often the surface was refined before. An octahedron's are at half of
 * its size. */
static void subdivision_goes_to_the_limit(void **state)
{
    (void)state;
    for (int levels = 0; levels < 5; levels++) {
        char text[512];
        snprintf(text, sizeof text,
                 "Shape \"loopsubdiv\" \"integer levels\" %d \"point3 P\" "
                 "[ 1 0 0 -1 0 0 0 1 0 0 -1 0 0 0 1 0 0 -1 ] \"integer indices\" "
                 "[ 0 2 4 2 1 4 1 3 4 3 0 4 2 0 5 1 2 5 3 1 5 0 3 5 ]",
                 levels);
        struct lb_loaded loaded = scene_get("", text);
        const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
        assert_int_equal(shape->primitive_count, 8 << 2 * levels);
        assert_int_equal(loaded.scene->positions.count, (4 << 2 * levels) + 2);
        lb_vec3 p = corner_of(&loaded, shape, 0);
        lb_vec3 n = lb_normalize(LB_ARRAY(loaded.scene, normals, lb_vec3)[shape->first_normal]);
        assert_near(p.x, 0.5), assert_near(p.y, 0.0), assert_near(p.z, 0.0);
        assert_near(n.x, -1.0); /* against the winding, as in pbrt */
        lb_scene_free(&loaded);
    }
}

/* At a boundary a vertex follows its two neighbours there alone, at last by pbrt's fifth; a vertex without a face does
 * not matter. */
static void subdivision_keeps_boundaries(void **state)
{
    (void)state;
    for (int levels = 0; levels < 4; levels++) {
        char text[512];
        snprintf(text, sizeof text,
                 "Shape \"loopsubdiv\" \"integer levels\" %d \"point3 P\" "
                 "[ 9 9 9  0 0 0  1 0 0  1 1 0  0 1 0  .5 .5 0 ] \"integer indices\" "
                 "[ 1 2 5 2 3 5 3 4 5 4 1 5 ]",
                 levels);
        struct lb_loaded loaded = scene_get("", text);
        const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
        lb_vec3 p = corner_of(&loaded, shape, 1), middle = corner_of(&loaded, shape, 5);
        lb_vec3 n = lb_normalize(LB_ARRAY(loaded.scene, normals, lb_vec3)[shape->first_normal + 1]);
        assert_near(p.x, (double)p.y);
        if (levels < 2)
            assert_near(p.x, levels ? 0.175 : 0.2);
        assert_near(middle.x, 0.5), assert_near(middle.y, 0.5);
        assert_near(n.z, -1.0);
        lb_scene_free(&loaded);
    }
}

static void bad_surfaces_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"Shape \"bilinearmesh\" \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ]", "the mesh has no \"indices\""},
        {"Shape \"bilinearmesh\" \"integer indices\" [ 0 1 2 ] \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ]",
         "\"indices\" has 3 values, not four a patch"},
        {"Shape \"bilinearmesh\" \"integer indices\" [ 0 1 2 4 ] \"point3 P\" [ 0 0 0 1 0 0 0 1 0 1 1 1 ]",
         "index 4 is out of range: there are 4 vertices"},
        {"Shape \"loopsubdiv\" \"integer indices\" [ 0 1 2 ]", "the mesh has no vertices \"P\""},
        {"Shape \"loopsubdiv\" \"integer indices\" [ 0 1 1 ] \"point3 P\" [ 0 0 0 1 0 0 0 1 0 ]",
         "triangle 0 has vertex 1 twice"},
        {"Shape \"loopsubdiv\" \"integer indices\" [ 0 1 2 0 1 3 ] \"point3 P\" [ 0 0 0 1 0 0 0 1 0 0 -1 0 ]",
         "triangles 0 and 1 have both an edge from vertex 0 to vertex 1"},
        {"Shape \"loopsubdiv\" \"integer levels\" 15 \"integer indices\" [ 0 1 2 1 0 3 ] \"point3 P\" "
         "[ 0 0 0 1 0 0 0 1 0 0 -1 0 ]",
         "15 levels of 2 triangles make more than can be counted"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error;
        struct scene_warnings warnings = {0};
        assert_int_equal(scene_try("", cases[i][0], NULL, &warnings, &loaded, &error), LB_ERROR);
        if (!strstr(error.message, cases[i][1]))
            fail_msg("%s: %s", cases[i][1], error.message);
    }
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

/* The ends of a cylinder are given in any order; uv run with the angle and the height. */
static void cylinders_are_given_by_their_ends(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "", "Shape \"cylinder\" \"float radius\" 2 \"float zmin\" 5 \"float zmax\" 1 \"float phimax\" 180\n"
            "Shape \"cylinder\" \"float zmin\" 2 \"float zmax\" 2");
    const lb_shape *shape = LB_ARRAY(loaded.scene, shapes, lb_shape);
    assert_int_equal(loaded.scene->shapes.count, 1); /* the other has no area */
    assert_near(shape->z_min, 1.0), assert_near(shape->z_max, 5.0);
    lb_ray ray = {.origin = {0, 9, 4}, .direction = {0, -1, 0}, .t_max = LB_INFINITY};
    lb_hit hit;
    assert_true(lb_brute_closest(loaded.scene, &ray, &hit));
    assert_near(hit.t, 7.0);
    lb_vec2 uv = lb_surface_uv(loaded.scene, shape, &ray, &hit);
    assert_near(uv.x, 0.5), assert_near(uv.y, 0.75);
    /* The half beyond phimax is missing, and so are the lids. */
    ray.origin = lb_vec3_make(0, -9, 4), ray.direction = lb_vec3_make(0, 1, 0);
    assert_true(lb_brute_closest(loaded.scene, &ray, &hit));
    assert_near(hit.t, 11.0);
    ray.origin = lb_vec3_make(0, 1, 9), ray.direction = lb_vec3_make(0, 0, -1);
    assert_false(lb_brute_closest(loaded.scene, &ray, &hit));
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
            assert_int_equal(instances[i].move, 0);
            assert_near(instances[i].world_from_object.m[0][3], (double)i);
        }
        sizes[round] = loaded.scene->size;
        lb_scene_free(&loaded);
    }
    /* An instance and its place in the tree. */
    assert_true(sizes[1] - sizes[0] < 99 * (sizeof(lb_instance) + 2 * sizeof(lb_node)));
}

/* ---- frames ---- */

/* A light, which stands still in each frame. */
#define MOVING                                                                                               \
    "AreaLightSource \"diffuse\" ActiveTransform EndTime Translate 8 0 0 Rotate 90 0 0 1 Scale 3 3 3 "       \
    "ActiveTransform All\n" QUAD

static void lights_stand_in_the_middle_of_their_frames(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(scene_try("", MOVING, NULL, NULL, &loaded, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "cannot be a light"));
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
        cmocka_unit_test(patches_become_triangles),
        cmocka_unit_test(subdivision_goes_to_the_limit),
        cmocka_unit_test(subdivision_keeps_boundaries),
        cmocka_unit_test(bad_surfaces_are_refused),
        cmocka_unit_test(quadrics_are_clipped_to_themselves),
        cmocka_unit_test(cylinders_are_given_by_their_ends),
        cmocka_unit_test(copies_cost_next_to_nothing),
        cmocka_unit_test(lights_stand_in_the_middle_of_their_frames),
        cmocka_unit_test(cameras_move_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
