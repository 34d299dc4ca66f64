/* Tests the light tree over random scenes: probabilities sum to one, a light that is picked has the probability that is
 * asked for, and no light that brings something is left out. */
#include "core/kernel/lights/light_tree.h"
#include "random_help.h"
#include "scene_help.h"

enum { SCENES = 60, PLACES = 60, PICKS = 40, DRAWS = 16, TEXT = 60000 };

/* One light of a random kind, size and power. */
static size_t write_light(char *text, size_t room)
{
    static const char *const kinds[] = {"point",    "spot", "sphere", "disk",
                                        "cylinder", "quad", "smooth", "distant"};
    const char *kind = kinds[random_below(8)];
    double power = 1.0;
    for (uint32_t i = random_below(8); i > 0; i--)
        power *= between(0.05, 4.0);
    size_t size = (size_t)snprintf(
        text, room, "AttributeBegin\nTranslate %g %g %g\nRotate %g %g %g %g\nScale %g %g %g\n%s",
        between(-9, 9), between(-9, 9), between(-9, 9), between(0, 360), between(-1, 1), between(-1, 1),
        between(0.1, 1), between(0.3, 2), between(0.3, 2), between(-2, -0.3),
        random_below(3) == 0 ? "ReverseOrientation\n" : "");
    if (strcmp(kind, "point") == 0 || strcmp(kind, "distant") == 0)
        size += (size_t)snprintf(text + size, room - size, "LightSource \"%s\" \"float scale\" %g\n", kind,
                                 power);
    else if (strcmp(kind, "spot") == 0)
        size += (size_t)snprintf(
            text + size, room - size,
            "LightSource \"spot\" \"float scale\" %g \"float coneangle\" %g \"float conedeltaangle\" %g\n",
            power, between(2, 170), between(0, 40));
    else if (strcmp(kind, "quad") == 0 || strcmp(kind, "smooth") == 0)
        size += (size_t)snprintf(
            text + size, room - size,
            "AreaLightSource \"diffuse\" \"float scale\" %g \"bool twosided\" %s\n" QUAD "%s\n", power,
            random_below(4) == 0 ? "true" : "false",
            strcmp(kind, "quad") == 0 ? "" : "\"normal N\" [ 0 0 1 0 1 1 1 0 -1 0 0 -1 ]");
    else
        size += (size_t)snprintf(text + size, room - size,
                                 "AreaLightSource \"diffuse\" \"float scale\" %g \"bool twosided\" %s\n"
                                 "Shape \"%s\" \"float radius\" %g \"float phimax\" %g\n",
                                 power, random_below(4) == 0 ? "true" : "false", kind, between(0.1, 1),
                                 random_below(2) ? 360.0 : between(20, 340));
    return size + (size_t)snprintf(text + size, room - size, "AttributeEnd\n");
}

/* At least 8 lights that have bounds, so that there is a tree. */
static struct lb_loaded random_scene(void)
{
    static char text[TEXT];
    size_t size = 0;
    for (uint32_t i = 0, count = 1 + random_below(100); i < count; i++)
        size += write_light(text + size, sizeof text - size);
    for (int i = 0; i < 8; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "LightSource \"point\" \"float scale\" 0.01\n");
    assert_true(size < sizeof text);
    struct lb_loaded loaded = scene_get("", text);
    struct lb_error error;
    assert_true(loaded.scene->light_nodes.count > 0);
    assert_int_equal(lb_scene_check(loaded.scene, loaded.scene->size, &error), LB_OK);
    return loaded;
}

static lb_vec3 random_unit(void)
{
    return lb_sample_sphere(lb_vec2_make((float)between(0, 1), (float)between(0, 1)));
}

static lb_light_place random_place(void)
{
    lb_light_place place;
    double size = random_below(8) == 0 ? 300.0 : 12.0;
    place.point =
        lb_vec3_make((float)between(-size, size), (float)between(-size, size), (float)between(-size, size));
    place.normal = random_unit();
    place.sides = random_below(3);
    return place;
}

/* The probability of coming to a node whose children bring nothing. */
static double lost_below(const lb_scene *scene, const lb_light_place *place, uint32_t child)
{
    float importance[8], until[8];
    if ((child & LB_LIGHT_NODE_LEAF) != 0)
        return 0.0;
    const lb_light_node *node = LB_ARRAY(scene, light_nodes, lb_light_node) + child;
    double sum = (double)lb_light_importances(node, place, importance, until), lost = 0.0;
    if (!(sum > 0.0))
        return 1.0;
    for (int i = 0; i < 8; i++)
        if (importance[i] > 0.0f)
            lost += (double)importance[i] / sum * lost_below(scene, place, node->child[i]);
    return lost;
}

static void check_sum(const lb_scene *scene, const lb_light_place *place)
{
    const lb_light_beside *beside = LB_ARRAY(scene, lights_beside, lb_light_beside);
    double sum = 0.0, tree = (double)beside[scene->lights_beside.count - 1].probability;
    for (uint32_t i = 0; i < scene->lights.count; i++)
        sum += (double)lb_light_chance(scene, place, i);
    assert_near(sum + tree * lost_below(scene, place, 0), 1.0);
}

static void check_picks(const lb_scene *scene, const lb_light_place *place)
{
    lb_sampler sampler;
    lb_sampler_start(&sampler, 1, 2, random_below(1000), random_below(1000), 0);
    for (uint32_t i = 0; i < PICKS; i++) {
        lb_vec2 u = lb_sampler_2d(&sampler);
        float probability;
        uint32_t light = lb_light_pick(scene, place, &u, &probability);
        assert_true(u.x >= 0.0f && u.x < 1.0f && u.y >= 0.0f && u.y < 1.0f);
        assert_true(light == LB_NONE || light < scene->lights.count);
        if (light != LB_NONE)
            assert_true(probability > 0.0f && probability == lb_light_chance(scene, place, light));
    }
}

/* A light that has no chance must bring nothing. */
static void check_none_is_missed(const lb_scene *scene, const lb_light_place *place)
{
    for (uint32_t i = 0; i < scene->lights.count; i++) {
        if (lb_light_chance(scene, place, i) > 0.0f)
            continue;
        for (int draw = 0; draw < DRAWS; draw++) {
            lb_light_sample sample;
            lb_light_draw(scene, i, place->point, lb_vec2_make((float)between(0, 1), (float)between(0, 1)),
                          &sample);
            float cosine = lb_dot(place->normal, sample.direction);
            assert_true(!(sample.pdf > 0.0f) || lb_rgb_is_black(sample.radiance) ||
                        (place->sides == LB_LIGHT_ONE_SIDE && cosine <= 0.0f));
        }
    }
}

static void random_scenes_keep_their_chances(void **state)
{
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        struct lb_loaded loaded = random_scene();
        for (int j = 0; j < PLACES; j++) {
            lb_light_place place = random_place();
            check_sum(loaded.scene, &place);
            check_picks(loaded.scene, &place);
            check_none_is_missed(loaded.scene, &place);
        }
        lb_scene_free(&loaded);
    }
}

/* Chi-squared of counts beside what is expected of each. */
static double chi_squared(const uint32_t *counts, const double *expected, int groups)
{
    double square = 0.0;
    for (int i = 0; i < groups; i++)
        square += ((double)counts[i] - expected[i]) * ((double)counts[i] - expected[i]) / expected[i];
    return square;
}

/* Lights are picked as often as their chances say, also far down where few bits of the sampler's number are left, and
 * what is left for points on them is spread evenly. */
static void picks_are_as_frequent_as_chances(void **state)
{
    (void)state;
    enum { COUNT = 1 << 20, GROUPS = 64 };
    static char text[TEXT];
    size_t size = 0;
    for (int i = 0; i < 512; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "LightSource \"point\" \"point3 from\" [ %d %d %d ] \"float scale\" %g\n",
                                 i % 8, i / 8 % 8, i / 64, between(0.5, 2));
    struct lb_loaded loaded = scene_get("", text);
    lb_light_place place = {{30.0f, 20.0f, 10.0f}, {0.0f, 0.0f, 1.0f}, LB_LIGHT_ALL_ROUND};
    uint32_t counts[GROUPS] = {0}, left[GROUPS] = {0};
    double expected[GROUPS] = {0.0}, even[GROUPS];
    for (uint32_t i = 0; i < 512; i++)
        expected[i % GROUPS] += (double)lb_light_chance(loaded.scene, &place, i) * COUNT;
    for (uint32_t i = 0; i < COUNT; i++) {
        lb_sampler sampler;
        float probability;
        lb_sampler_start(&sampler, 0, 0, i, 0, 0);
        lb_vec2 u = lb_sampler_2d(&sampler);
        counts[lb_light_pick(loaded.scene, &place, &u, &probability) % GROUPS]++;
        left[(int)(u.x * GROUPS)]++;
    }
    for (int i = 0; i < GROUPS; i++)
        even[i] = (double)COUNT / GROUPS;
    /* With 63 degrees of freedom it is so large once in a thousand times. */
    assert_true(chi_squared(counts, expected, GROUPS) < 103.4);
    assert_true(chi_squared(left, even, GROUPS) < 103.4);
    lb_scene_free(&loaded);
}

/* A wall of windows at x, which shine towards x = 0. */
static size_t write_wall(char *text, size_t room, double x)
{
    size_t size = 0;
    for (int i = 0; i < 32; i++) {
        double y = 2.0 * (i % 4), z = 2.0 * (double)(i / 4), turn = x > 0.0 ? 0.0 : 1.0;
        size += (size_t)snprintf(text + size, room - size,
                                 "Shape \"trianglemesh\" \"integer indices\" [ 0 1 2 0 2 3 ] \"point3 P\" [\n"
                                 "%g %g %g %g %g %g %g %g %g %g %g %g ]\n",
                                 x, y, z, x, y + turn, z + 1.0 - turn, x, y + 1.0, z + 1.0, x, y + 1.0 - turn,
                                 z + turn);
    }
    return size;
}

/* Windows in the wall of the place itself bring nothing to it, and take no samples from those in the wall opposite. */
static void windows_of_the_own_wall_are_not_chosen(void **state)
{
    (void)state;
    static char text[TEXT];
    size_t size = (size_t)snprintf(text, sizeof text, "AreaLightSource \"diffuse\"\n");
    size += write_wall(text + size, sizeof text - size, -8.0);
    write_wall(text + size, sizeof text - size, 8.0);
    struct lb_loaded loaded = scene_get("", text);
    assert_int_equal(loaded.scene->lights.count, 128);
    for (int i = 0; i < 64; i++) {
        float side = i % 2 ? 1.0f : -1.0f;
        lb_light_place place = {{8.02f * side, (float)between(0, 8), (float)between(0, 16)},
                                {-side, 0.0f, 0.0f},
                                LB_LIGHT_ONE_SIDE};
        double sum[2] = {0.0, 0.0};
        for (uint32_t light = 0; light < 128; light++)
            sum[light / 64] += (double)lb_light_chance(loaded.scene, &place, light);
        assert_true(sum[i % 2] < 1e-3);
        assert_near(sum[0] + sum[1], 1.0);
    }
    lb_scene_free(&loaded);
}

/* What stands alone at one place must come to an end, too. */
static void lights_at_one_place_have_a_tree(void **state)
{
    (void)state;
    static char text[TEXT];
    size_t size = 0;
    for (int i = 0; i < 700; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "LightSource \"point\" \"float scale\" 2\n");
    struct lb_loaded loaded = scene_get("", text);
    lb_light_place place = {{1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, 1.0f}, LB_LIGHT_ALL_ROUND};
    assert_true(loaded.scene->light_nodes.count >= 100 && loaded.scene->light_nodes.count < 400);
    for (uint32_t i = 0; i < 700; i++)
        assert_true(lb_abs(lb_light_chance(loaded.scene, &place, i) * 700.0f - 1.0f) < 0.5f);
    check_sum(loaded.scene, &place);
    place.point = lb_vec3_make(0.0f, 0.0f, 0.0f);
    check_sum(loaded.scene, &place);
    lb_scene_free(&loaded);
}

/* The option of pbrt's integrators decides. */
static void the_scene_says_how_lights_are_chosen(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        bool tree;
    } cases[] = {{"", true},
                 {"Integrator \"path\" \"string lightsampler\" \"bvh\"\n", true},
                 {"Integrator \"path\" \"string lightsampler\" \"power\"\n", false},
                 {"Integrator \"path\" \"string lightsampler\" \"uniform\"\n", false}};
    static char text[TEXT];
    size_t size = 0;
    for (int i = 0; i < 40; i++)
        size += (size_t)snprintf(text + size, sizeof text - size,
                                 "LightSource \"point\" \"float scale\" %d\n", i + 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded = scene_get(cases[i].before, text);
        assert_int_equal(loaded.scene->light_nodes.count != 0, cases[i].tree);
        assert_int_equal(loaded.scene->light_choice.count, cases[i].tree ? 0 : 40);
        if (i == 2)
            assert_true(lb_light_probability(loaded.scene, 39) >
                        1.5f * lb_light_probability(loaded.scene, 0));
        if (i == 3)
            assert_true(lb_abs(lb_light_probability(loaded.scene, 7) - 0.025f) < 1e-6f);
        lb_scene_free(&loaded);
    }
}

/* Two lamps have a tree where each lights an end of a hall of its own, and none where they are the halves of one, or
 * where they light none of the hall. */
static void few_lights_have_a_tree_where_they_stand_apart(void **state)
{
    (void)state;
    static const struct {
        const char *lights;
        bool tree;
    } cases[] = {
        {"ReverseOrientation AreaLightSource \"diffuse\" Translate 0 0 3.9 " QUAD, false},
        {"ReverseOrientation AreaLightSource \"diffuse\" Translate -18 0 3.9 " QUAD "Translate 36 0 0 " QUAD,
         true},
        {"AreaLightSource \"diffuse\" Translate -18 0 3.9 " QUAD "Translate 36 0 0 " QUAD, false},
        {"LightSource \"point\"", false},
        {"LightSource \"distant\" LightSource \"point\" \"point3 from\" [-18 0 3.9]\n"
         "LightSource \"point\" \"point3 from\" [18 0 3.9]",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "AttributeBegin Scale 20 4 4 Shape \"sphere\" AttributeEnd\nAttributeBegin %s\nAttributeEnd\n",
            cases[i].lights);
        struct lb_loaded loaded = scene_get("", text);
        assert_int_equal(loaded.scene->light_nodes.count != 0, cases[i].tree);
        assert_int_equal(loaded.scene->light_choice.count != 0, !cases[i].tree);
        lb_scene_free(&loaded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes_keep_their_chances),
        cmocka_unit_test(picks_are_as_frequent_as_chances),
        cmocka_unit_test(windows_of_the_own_wall_are_not_chosen),
        cmocka_unit_test(lights_at_one_place_have_a_tree),
        cmocka_unit_test(few_lights_have_a_tree_where_they_stand_apart),
        cmocka_unit_test(the_scene_says_how_lights_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
