/* Tests meshes that are cut finely and displaced by a texture. */
#include "scene_help.h"

#include "core/scene/shapes/displace.h"

#define SHEET                                                                                                \
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"        \
    "%s%selement face 1\nproperty list uchar int vertex_indices\nend_header\n"

static const lb_transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* Two triangles on the unit square. */
static struct lb_ply square(void)
{
    static const lb_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const lb_vec3 normals[] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    struct lb_ply ply = {.vertex_count = 4, .triangle_count = 2};
    ply.positions = malloc(sizeof positions);
    ply.normals = malloc(sizeof normals);
    ply.uvs = malloc(4 * sizeof *ply.uvs);
    ply.indices = malloc(sizeof indices);
    assert_true(ply.positions && ply.normals && ply.uvs && ply.indices);
    memcpy(ply.positions, positions, sizeof positions);
    memcpy(ply.normals, normals, sizeof normals);
    memcpy(ply.indices, indices, sizeof indices);
    for (int i = 0; i < 4; i++)
        ply.uvs[i] = lb_vec2_make(positions[i].x, positions[i].y);
    return ply;
}

static uint32_t corner(const struct lb_ply *ply, uint64_t triangle, uint64_t number)
{
    return ply->indices[3 * triangle + number % 3];
}

/* How many triangles have the edge from a to b, in this direction. */
static int edges(const struct lb_ply *ply, uint32_t a, uint32_t b)
{
    int found = 0;
    for (uint64_t i = 0; i < ply->triangle_count; i++)
        for (uint64_t k = 0; k < 3; k++)
            found += corner(ply, i, k) == a && corner(ply, i, k + 1) == b;
    return found;
}

static bool on_rim(lb_vec3 a, lb_vec3 b)
{
    return (a.x == b.x && (a.x == 0.0f || a.x == 1.0f)) || (a.y == b.y && (a.y == 0.0f || a.y == 1.0f));
}

static void short_edges_without_cracks(void **state)
{
    (void)state;
    struct lb_ply ply = square();
    struct lb_error error;
    double area = 0.0;
    assert_int_equal(lb_displace_refine(&ply, &identity, 0.13f, &error), LB_OK);
    for (uint64_t i = 0; i < ply.triangle_count; i++) {
        for (uint64_t k = 0; k < 3; k++) {
            uint32_t a = corner(&ply, i, k), b = corner(&ply, i, k + 1);
            lb_vec3 p = ply.positions[a], q = ply.positions[b];
            assert_true(lb_length(lb_sub(p, q)) < 0.13f);
            assert_int_equal(edges(&ply, a, b), 1);
            assert_int_equal(edges(&ply, b, a), on_rim(p, q) ? 0 : 1);
            assert_true(ply.uvs[a].x == p.x && ply.uvs[a].y == p.y && ply.normals[a].z == 1.0f);
        }
        lb_vec3 p = ply.positions[corner(&ply, i, 0)];
        area += 0.5 * (double)lb_cross(lb_sub(ply.positions[corner(&ply, i, 1)], p),
                                       lb_sub(ply.positions[corner(&ply, i, 2)], p))
                          .z;
    }
    assert_near(area, 1.0);
    /* Cut eight times: edges of 1/8 and sqrt(2) / 16. */
    assert_int_equal(ply.triangle_count, 256);
    lb_ply_free(&ply);
}

static void lengths_are_those_after_the_transform(void **state)
{
    (void)state;
    const lb_transform large = {{{10, 0, 0, 5}, {0, 10, 0, 0}, {0, 0, 10, 0}}};
    struct lb_ply ply = square();
    struct lb_error error;
    assert_int_equal(lb_displace_refine(&ply, &identity, 1.5f, &error), LB_OK);
    assert_int_equal(ply.triangle_count, 2);
    assert_int_equal(lb_displace_refine(&ply, &large, 1.3f, &error), LB_OK);
    assert_int_equal(ply.triangle_count, 256);
    lb_ply_free(&ply);
}

static void what_cannot_be_cut_stays(void **state)
{
    (void)state;
    struct lb_error error;
    struct lb_ply ply = square();
    ply.positions[1].x = LB_INFINITY;
    ply.positions[3].y = lb_sqrt(-1.0f);
    assert_int_equal(lb_displace_refine(&ply, &identity, 0.5f, &error), LB_OK);
    assert_int_equal(ply.triangle_count, 2);
    lb_ply_free(&ply);
    ply = square();
    for (int i = 0; i < 4; i++) /* steps of floats are 8 here */
        ply.positions[i] =
            lb_vec3_make(1e8f + 8.0f * ply.positions[i].x, 1e8f + 8.0f * ply.positions[i].y, 0);
    assert_int_equal(lb_displace_refine(&ply, &identity, 1.0f, &error), LB_OK);
    assert_int_equal(ply.triangle_count, 2);
    lb_ply_free(&ply);
}

static void a_length_too_short_is_told(void **state)
{
    (void)state;
    struct lb_error error;
    struct lb_ply ply = square();
    assert_int_equal(lb_displace_refine(&ply, &identity, 1e-20f, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "\"edgelength\" 1e-20 cuts"));
    /* The square's area alone allows this length; its right triangles would be twice as many as those of three equal
     * edges. Nothing is made before they are counted. */
    assert_int_equal(lb_displace_refine(&ply, &identity, 2.7e-4f, &error), LB_ERROR);
    assert_string_equal(error.message,
                        "\"edgelength\" 0.00027 cuts the mesh into more than 33554432 triangles");
    assert_int_equal(ply.vertex_count, 4);
    assert_int_equal(ply.triangle_count, 2);
    lb_ply_free(&ply);
}

/* ---- as a shape ---- */

static struct scene_file sheet(bool has_uv)
{
    char text[1024];
    int length =
        snprintf(text, sizeof text, SHEET "0 0 0%s\n1 0 0%s\n1 1 0%s\n0 1 0%s\n4 0 1 2 3\n",
                 has_uv ? "property float u\n" : "", has_uv ? "property float v\n" : "", has_uv ? " 0 0" : "",
                 has_uv ? " 1 0" : "", has_uv ? " 1 1" : "", has_uv ? " 0 1" : "");
    return scene_file_write(text, (size_t)length);
}

static enum lb_status load_sheet(const char *textures, const char *parameters, bool has_uv,
                                 struct lb_loaded *loaded, struct lb_error *error)
{
    char text[2048];
    struct scene_file file = sheet(has_uv);
    snprintf(text, sizeof text,
             "%s Translate 10 0 0 Scale 2 2 2 Shape \"plymesh\" \"string filename\" \"%s\" %s", textures,
             file.path, parameters);
    enum lb_status status = scene_try("", text, NULL, NULL, loaded, error);
    unlink(file.path);
    return status;
}

static void vertices_follow_the_texture(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    assert_int_equal(
        load_sheet("Texture \"h\" \"float\" \"bilerp\" \"float v10\" 0.25 \"float v01\" 0 \"float "
                   "v11\" 0.25",
                   "\"texture displacement\" \"h\" \"float edgelength\" 0.5", true, &loaded, &error),
        LB_OK);
    const lb_scene *scene = loaded.scene;
    const lb_vec3 *positions = LB_ARRAY(scene, positions, lb_vec3);
    assert_true(scene->positions.count > 20);
    assert_int_equal(scene->normals.count, scene->positions.count);
    for (uint64_t i = 0; i < scene->positions.count; i++) {
        lb_vec3 n = lb_normalize(LB_ARRAY(scene, normals, lb_vec3)[i]);
        /* The height, too, is scaled with the object. */
        assert_near((double)positions[i].z, 0.25 * ((double)positions[i].x - 10.0));
        assert_near((double)n.x, -0.242536), assert_near((double)n.z, 0.970143);
    }
    lb_scene_free(&loaded);
}

static void textures_in_space_see_the_object(void **state)
{
    (void)state;
    struct lb_loaded loaded;
    struct lb_error error;
    /* Over uv the sheet spans 0 to 1 in y, as its own space does; world space has 0 to 2. */
    assert_int_equal(
        load_sheet("Texture \"h\" \"float\" \"bilerp\" \"string mapping\" \"planar\" \"vector3 v1\" "
                   "[ 1 0 0 ] \"float v10\" 0.5 \"float v01\" 0 \"float v11\" 0.5 Texture \"h2\" "
                   "\"float\" \"scale\" \"texture tex\" \"h\" \"float scale\" 2",
                   "\"texture displacement\" \"h2\" \"float edgelength\" 1", true, &loaded, &error),
        LB_OK);
    const lb_vec3 *positions = LB_ARRAY(loaded.scene, positions, lb_vec3);
    for (uint64_t i = 0; i < loaded.scene->positions.count; i++)
        assert_near((double)positions[i].z, (double)positions[i].x - 10.0);
    lb_scene_free(&loaded);
}

static void cuts_follow_the_option(void **state)
{
    (void)state;
    uint64_t triangles[2];
    for (int i = 0; i < 2; i++) {
        struct scene_file file = sheet(true);
        struct lb_loaded loaded;
        struct lb_error error;
        char text[1024];
        snprintf(
            text, sizeof text,
            "Texture \"h\" \"float\" \"constant\" \"float value\" 1 Shape \"plymesh\" \"string filename\" "
            "\"%s\" \"texture displacement\" \"h\" \"float edgelength\" 0.13",
            file.path);
        assert_int_equal(
            scene_try(i ? "Option \"displacement-edge-scale\" 0.5" : "", text, NULL, NULL, &loaded, &error),
            LB_OK);
        triangles[i] = loaded.triangles;
        assert_near((double)LB_ARRAY(loaded.scene, positions, lb_vec3)[3].z, 1.0);
        lb_scene_free(&loaded);
        unlink(file.path);
    }
    assert_int_equal(triangles[0], 256);
    assert_int_equal(triangles[1], 1024);
}

static void what_cannot_be_displaced_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *textures, *parameters, *message;
        bool has_uv;
    } cases[] = {
        {"Texture \"h\" \"float\" \"constant\"", "\"texture displacement\" \"h\"",
         "a mesh without uv cannot be displaced", false},
        {"", "\"float displacement\" 1", "\"displacement\" of a plymesh is a texture", true},
        {"", "\"texture displacement\" \"h\"", "no float texture is named \"h\"", true},
        {"Texture \"h\" \"float\" \"constant\"", "\"texture displacement\" \"h\" \"float edgelength\" 0",
         "\"edgelength\" is 0", true},
        {"Texture \"h\" \"float\" \"constant\"", "\"texture displacement\" \"h\" \"float edgelength\" 1e-9",
         "cuts the mesh into more than", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lb_loaded loaded;
        struct lb_error error;
        assert_int_equal(load_sheet(cases[i].textures, cases[i].parameters, cases[i].has_uv, &loaded, &error),
                         LB_ERROR);
        assert_non_null(strstr(error.message, cases[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_edges_without_cracks),
        cmocka_unit_test(lengths_are_those_after_the_transform),
        cmocka_unit_test(what_cannot_be_cut_stays),
        cmocka_unit_test(a_length_too_short_is_told),
        cmocka_unit_test(vertices_follow_the_texture),
        cmocka_unit_test(textures_in_space_see_the_object),
        cmocka_unit_test(cuts_follow_the_option),
        cmocka_unit_test(what_cannot_be_displaced_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
