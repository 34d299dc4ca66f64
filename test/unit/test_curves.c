/* Tests curves: rays meet what lies within half the width of the curve, however it is cut into pieces; and what the
 * scene language says of curves and of hair. */
#include "scene_help.h"

#include "core/kernel/tree/brute.h"
#include "core/kernel/shapes/surface.h"
#include "test/random_scenes.h"

#include <math.h>

/* A geometry of one piece, with what the search reads of a scene. */
struct one {
    lb_scene scene;
    lb_shape shape;
    lb_strand strand;
    lb_vec3 normals[2];
};

static void one_start(struct one *one)
{
    memset(one, 0, sizeof *one);
    one->scene.shapes.offset = offsetof(struct one, shape);
    one->scene.strands.offset = offsetof(struct one, strand);
    one->scene.normals.offset = offsetof(struct one, normals);
    one->shape.kind = LB_SHAPE_CURVES;
    one->shape.primitive_count = 1;
    one->shape.alpha.texture = LB_NONE;
    for (int i = 0; i < 3; i++)
        one->shape.world_from_object.m[i][i] = one->shape.object_from_world.m[i][i] = 1.0f;
    one->strand.u[1] = 1.0f;
}

static bool one_hit(const struct one *one, const lb_ray *ray, lb_hit *hit)
{
    lb_search search;
    lb_search_space space;
    lb_primitive primitive = {0, 0};
    lb_search_start(&search, &one->scene, ray);
    assert_true(lb_search_enter_world(&search, &space));
    lb_search_strand(&search, &space, primitive);
    return lb_search_end(&search, hit);
}

/* The least distance of the line of `ray` from the curve, over its half width, and where that is. */
static double nearest(const lb_strand *strand, const lb_ray *ray, double *u, double *t)
{
    enum { STEPS = 1000 };
    double least = 1e30;
    for (int i = 0; i <= STEPS; i++) {
        lb_vec3 along, at = lb_sub(lb_strand_point(strand->point, (float)i / STEPS, &along), ray->origin);
        float way = lb_dot(at, ray->direction) / lb_dot(ray->direction, ray->direction);
        lb_vec3 off = lb_add_scaled(at, ray->direction, -way);
        double width = (double)lb_strand_width(strand, (float)i / STEPS);
        double distance = 2.0 * (double)lb_length(off) / width;
        if (distance < least) {
            least = distance;
            *u = (double)i / STEPS;
            *t = (double)way;
        }
    }
    return least;
}

static void rays_meet_what_is_within_the_width(void **state)
{
    (void)state;
    struct random random = {7};
    unsigned met = 0, missed = 0;
    for (int round = 0; round < 4000; round++) {
        struct one one;
        one_start(&one);
        for (int i = 0; i < 4; i++)
            one.strand.point[i] = random_vector(&random, 1.0f);
        one.strand.width[0] = random_between(&random, 0.02f, 0.2f);
        one.strand.width[1] = random_between(&random, 0.02f, 0.2f);
        one.shape.strand_type = round % 2 ? LB_STRAND_FLAT : LB_STRAND_CYLINDER;
        lb_vec3 along, target = lb_strand_point(one.strand.point, random_unit(&random), &along);
        lb_ray ray = {.t_max = LB_INFINITY};
        ray.origin = lb_scale(random_vector(&random, 4.0f), random_size(&random, 2));
        ray.direction = lb_sub(lb_add(target, random_vector(&random, 0.15f)), ray.origin);
        lb_hit hit;
        double u = 0.0, t = 0.0, distance = nearest(&one.strand, &ray, &u, &t);
        bool found = one_hit(&one, &ray, &hit);
        /* At the ends and at the rim it is a matter of how straight the parts are. */
        if (u < 0.02 || u > 0.98 || fabs(distance - 1.0) < 0.15 || t < 0.0)
            continue;
        if (found != (distance < 1.0))
            fail_msg("round %d: %g half widths off at u %g, found %d", round, distance, u, found);
        met += found;
        missed += !found;
        if (found)
            assert_true(hit.b1 >= 0.0f && hit.b1 <= 1.0f && hit.b2 >= 0.0f && hit.b2 <= 1.0f &&
                        hit.t >= 0.0f);
    }
    assert_true(met > 800 && missed > 800);
}

/* Along the axis of a straight curve u is the height, and v the side; ribbons are as wide as they are seen. */
static void straight_curves(void **state)
{
    (void)state;
    struct one one;
    one_start(&one);
    for (int i = 0; i < 4; i++)
        one.strand.point[i] = lb_vec3_make(0.0f, (float)i, 0.0f);
    one.strand.width[0] = one.strand.width[1] = 0.5f;
    lb_ray ray = {.origin = {0.125f, 0.75f, 5.0f}, .direction = {0, 0, -1}, .t_max = LB_INFINITY};
    lb_hit hit, other;
    assert_true(one_hit(&one, &ray, &hit));
    assert_near(hit.t, 5.0), assert_near(hit.b1, 0.25);
    assert_near(fabs((double)hit.b2 - 0.5), 0.25);
    ray.origin.x = -0.125f;
    assert_true(one_hit(&one, &ray, &other));
    assert_near(hit.b2 + other.b2, 1.0);
    ray.origin.x = 0.26f;
    assert_false(one_hit(&one, &ray, &hit));
    one.shape.strand_type = LB_STRAND_RIBBON;
    one.normals[0] = one.normals[1] = lb_normalize(lb_vec3_make(1.0f, 0.0f, 1.0f));
    for (int i = -20; i <= 20; i++) {
        ray.origin.x = 0.02f * (float)i;
        assert_int_equal(one_hit(&one, &ray, &hit), abs(i) <= 8); /* 0.25 cos 45 deg = 0.177 */
    }
    lb_vec3 x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f}, ends[2] = {x, z};
    lb_vec3 between = lb_strand_normal(ends, 0.5f);
    assert_near(between.x, 0.70710678), assert_near(between.z, 0.70710678);
}

/* The normal of a cylinder turns from the one rim to the other; that of a flat curve faces the ray. */
static void normals(void **state)
{
    (void)state;
    for (uint32_t type = LB_STRAND_FLAT; type <= LB_STRAND_CYLINDER; type++) {
        struct one one;
        one_start(&one);
        one.shape.strand_type = type;
        for (int i = 0; i < 4; i++)
            one.strand.point[i] = lb_vec3_make(0.0f, (float)i, 0.0f);
        one.strand.width[0] = one.strand.width[1] = 1.0f;
        for (int i = -9; i <= 9; i++) {
            lb_ray ray = {
                .origin = {0.05f * (float)i, 1.0f, 5.0f}, .direction = {0, 0, -1}, .t_max = LB_INFINITY};
            lb_hit hit;
            lb_surface surface;
            assert_true(one_hit(&one, &ray, &hit));
            lb_surface_make(&one.scene, &one.shape, &ray, &hit, &surface);
            double turn = type == LB_STRAND_CYLINDER ? 3.14159265358979 * 0.05 * i : 0.0;
            assert_near(fabs((double)surface.ng.z), cos(turn));
            assert_near(fabs((double)surface.ng.x), fabs(sin(turn)));
            assert_near(surface.ng.y, 0.0);
            assert_near(surface.position.z, 0.0);
        }
    }
}

/* A piece that turns back is met twice by rays beside its turn, and each time alpha decides anew; where the ray meets
 * it once, or parts of one surface, it decides once. */
static void alpha_of_both_sheets(void **state)
{
    (void)state;
    struct one one;
    one_start(&one);
    one.shape.flags = LB_SHAPE_HAS_ALPHA;
    one.shape.alpha.value = lb_rgb_grey(0.5f);
    one.strand.width[0] = one.strand.width[1] = 0.02f;
    for (int folded = 0; folded < 2; folded++) {
        const float heights[4] = {0.0f, 1.0f, 1.0f, folded ? 0.0f : 2.0f};
        int passed = 0, met = 0;
        for (int i = 0; i < 4; i++)
            one.strand.point[i] = lb_vec3_make(0.0f, heights[i], -(float)i);
        for (int i = 0; i < 4000; i++) {
            lb_ray ray = {
                .origin = {0.0f, 0.1f + 1e-4f * (float)i, 5.0f}, .direction = {0, 0, -1}, .t_max = 99};
            lb_hit hit;
            passed += !one_hit(&one, &ray, &hit);
            one.shape.flags = 0;
            met += one_hit(&one, &ray, &hit);
            one.shape.flags = LB_SHAPE_HAS_ALPHA;
        }
        assert_int_equal(met, 4000);
        if (abs(passed - (folded ? 1000 : 2000)) > 150)
            fail_msg("%d of 4000 rays pass %d surfaces", passed, 1 + folded);
    }
}

/* ---- the scene language ---- */

static lb_vec3 point_at(const struct lb_loaded *loaded, uint32_t strand, float part)
{
    lb_vec3 along;
    return lb_strand_point(LB_ARRAY(loaded->scene, strands, lb_strand)[strand].point, part, &along);
}

static void assert_point(lb_vec3 p, double x, double y, double z)
{
    assert_near(p.x, x), assert_near(p.y, y), assert_near(p.z, z);
}

/* Splines pass through what their knots say; widths change over the whole; segments share their ends. */
static void bases_and_degrees(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get(
        "",
        "Shape \"curve\" \"string basis\" \"bspline\" \"float width0\" 1 \"float width1\" 3\n"
        "\"point3 P\" [ 0 0 0  6 0 0  6 6 0  0 6 6  0 0 6 ] \"integer splitdepth\" 3\n"
        "Shape \"curve\" \"string basis\" \"bspline\" \"integer degree\" 2 \"float width\" 1 \"point3 P\" "
        "[ 0 0 0  4 0 0  4 4 0 ]\n"
        "Shape \"curve\" \"integer degree\" 2 \"point3 P\" [ 0 0 0  1 2 0  2 0 0  3 -2 0  4 0 0 ]");
    const lb_strand *strands = LB_ARRAY(loaded.scene, strands, lb_strand);
    assert_int_equal(loaded.scene->shapes.count, 1); /* alike: they are one */
    assert_int_equal(LB_ARRAY(loaded.scene, shapes, lb_shape)->primitive_count, 5);
    assert_point(point_at(&loaded, 0, 0.0f), 5.0, 1.0, 0.0); /* (P0 + 4 P1 + P2) / 6 */
    assert_point(point_at(&loaded, 0, 1.0f), 5.0, 5.0, 1.0); /* (P1 + 4 P2 + P3) / 6 */
    assert_point(point_at(&loaded, 1, 0.0f), 5.0, 5.0, 1.0);
    assert_near(strands[0].width[0], 1.0), assert_near(strands[0].width[1], 2.0);
    assert_near(strands[1].width[1], 3.0);
    assert_point(point_at(&loaded, 2, 0.0f), 2.0, 0.0, 0.0);
    assert_point(point_at(&loaded, 2, 0.5f), 3.5, 0.5, 0.0); /* (P0 + 6 P1 + P2) / 8 */
    assert_point(point_at(&loaded, 2, 1.0f), 4.0, 2.0, 0.0);
    assert_point(point_at(&loaded, 3, 0.5f), 1.0, 1.0, 0.0);
    assert_point(point_at(&loaded, 4, 0.5f), 3.0, -1.0, 0.0);
    lb_scene_free(&loaded);
}

/* Long thin curves are cut into pieces with small boxes: the pieces are the same curve, with the same u. */
static void pieces_are_the_curve(void **state)
{
    (void)state;
    struct lb_loaded loaded = scene_get("", "Shape \"curve\" \"float width\" 0.01 \"point3 P\" "
                                            "[ 0 0 0  1 2 3  3 2 1  4 4 4 ] \"string type\" \"ribbon\" "
                                            "\"normal N\" [ 0 0 2  0 3 0 ]");
    const lb_strand *strands = LB_ARRAY(loaded.scene, strands, lb_strand);
    const lb_vec3 *normals = LB_ARRAY(loaded.scene, normals, lb_vec3);
    const lb_vec3 whole[4] = {{0, 0, 0}, {1, 2, 3}, {3, 2, 1}, {4, 4, 4}};
    uint32_t count = (uint32_t)loaded.scene->strands.count;
    assert_int_equal(count, 8);
    for (uint32_t i = 0; i < count; i++) {
        assert_near(strands[i].u[0], i / 8.0), assert_near(strands[i].u[1], (i + 1) / 8.0);
        lb_vec3 along, p = lb_strand_point(whole, ((float)i + 0.25f) / 8.0f, &along);
        assert_point(point_at(&loaded, i, 0.25f), (double)p.x, (double)p.y, (double)p.z);
        double angle = 3.14159265358979 / 2.0 * i / 8.0;
        assert_near(normals[2 * i].y, sin(angle)), assert_near(normals[2 * i].z, cos(angle));
    }
    lb_scene_free(&loaded);
}

/* Curves that differ in anything are shapes of their own, and a use of an object has its own. */
static void unlike_curves_stay_apart(void **state)
{
    (void)state;
#define HAIR "Shape \"curve\" \"point3 P\" [ 0 0 0  0 1 0  0 2 0  0 3 0 ] "
    struct lb_loaded loaded =
        scene_get("", HAIR HAIR
                  "Material \"diffuse\"\n" HAIR "Translate 1 0 0 " HAIR HAIR HAIR "\"float alpha\" 0.5\n" HAIR
                  "\"string type\" \"cylinder\" ObjectBegin \"o\" " HAIR "\"string type\" \"cylinder\" " HAIR
                  "\"string type\" \"cylinder\" ObjectEnd ObjectInstance \"o\"");
    const lb_shape *shapes = LB_ARRAY(loaded.scene, shapes, lb_shape);
    static const uint32_t expected[] = {2, 1, 2, 1, 1, 2};
    assert_int_equal(loaded.scene->shapes.count, 6);
    for (uint32_t i = 0, first = 0; i < 6; first += expected[i++]) {
        assert_int_equal(shapes[i].primitive_count, expected[i]);
        assert_int_equal(shapes[i].first_primitive, first);
        assert_int_equal(shapes[i].first_strand, first);
    }
    lb_scene_free(&loaded);
}

/* The first that is given of absorption, colour and pigments counts; without any it is brown. */
static void hair_is_coloured_by_one_thing(void **state)
{
    (void)state;
    static const struct {
        const char *parameters;
        uint32_t color;
        double eumelanin, pheomelanin;
    } cases[] = {
        {"", LB_HAIR_MELANIN, 1.3, 0.0},
        {"\"float pheomelanin\" 2", LB_HAIR_MELANIN, 0.0, 2.0},
        {"\"float eumelanin\" 3 \"float pheomelanin\" 2", LB_HAIR_MELANIN, 3.0, 2.0},
        {"\"rgb color\" [ .1 .2 .3 ] \"float eumelanin\" 3", LB_HAIR_REFLECTANCE, 3.0, 0.0},
        {"\"rgb reflectance\" [ .1 .2 .3 ] \"rgb sigma_a\" [ 1 2 3 ]", LB_HAIR_ABSORPTION, 1.3, 0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "Material \"hair\" %s Shape \"sphere\"", cases[i].parameters);
        struct lb_loaded loaded = scene_get("", text);
        const lb_material *hair = LB_ARRAY(loaded.scene, materials, lb_material) + 1;
        assert_int_equal(hair->kind, LB_MATERIAL_HAIR);
        assert_int_equal(hair->hair_color, cases[i].color);
        assert_near(hair->eumelanin.value.r, cases[i].eumelanin);
        assert_near(hair->pheomelanin.value.r, cases[i].pheomelanin);
        if (hair->hair_color == LB_HAIR_REFLECTANCE)
            assert_near(hair->reflectance.value.g, 0.2);
        assert_near(hair->eta.value.r, 1.55);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_what_is_within_the_width),
        cmocka_unit_test(straight_curves),
        cmocka_unit_test(alpha_of_both_sheets),
        cmocka_unit_test(normals),
        cmocka_unit_test(bases_and_degrees),
        cmocka_unit_test(pieces_are_the_curve),
        cmocka_unit_test(unlike_curves_stay_apart),
        cmocka_unit_test(hair_is_coloured_by_one_thing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
