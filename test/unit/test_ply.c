/* The PLY reader: every way of writing a mesh gives the same mesh, and what is damaged gives an error. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/scene/ply/ply.h"
#include "test/unit/skip_test.h"
#include "test/unit/bytes_help.h"
#include "test/unit/random_help.h"
#include "test/unit/share_help.h"

#include <libdeflate.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char data_folder[] = "../shared/data";

static void put_text(struct bytes *b, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bytes_put(b, text, (size_t)length);
}

/* A polygon mesh with whole numbers of a byte as coordinates, so that any type can hold them. */
struct model {
    uint32_t vertices, faces;
    int8_t values[64][10]; /* x y z nx ny nz u v u1 v1 */
    uint32_t lengths[64], corners[64][6];
    bool normals, uvs, second, strips;
};

static void make_model(struct model *m)
{
    *m = (struct model){.vertices = 1 + random_below(60), .faces = 1 + random_below(60)};
    m->normals = random_below(2);
    m->uvs = random_below(2);
    m->second = random_below(2);
    m->strips = random_below(4) == 0;
    for (uint32_t i = 0; i < m->vertices; i++)
        for (int k = 0; k < 10; k++)
            m->values[i][k] = (int8_t)random_below(128);
    for (uint32_t i = 0; i < m->faces; i++) {
        m->lengths[i] = random_below(3) ? 3 : 3 + random_below(4);
        for (uint32_t k = 0; k < m->lengths[i]; k++)
            m->corners[i][k] = random_below(m->vertices);
    }
}

/* What the file is to look like. Types index `types`. */
struct variant {
    int format, count_type, index_type, extra_type, types[10];
    const char *line_end;
    bool faces_first, gzip, extras, singular;
    int uv_names;
};

static const char *const types[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                       {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                       {"float", "float32"}, {"double", "float64"}};
static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};

static const char *type_name(int type)
{
    return types[type][random_below(2)];
}

static void put_number(struct bytes *b, const struct variant *v, int type, double number)
{
    if (v->format == 0) {
        static const char *const spellings[] = {"%.0f ", "%.1f ", "%e\t", " +%.0f\n", "%.25f ", "%.3E "};
        bool spelled = type >= 6;
        put_text(b, number < 0 ? "%.0f " : spellings[spelled ? random_below(6) : 0], number);
        return;
    }
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
        double f64;
        uint8_t bytes[8];
    } as = {0};
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    switch (type) {
    case 0:
        as.i8 = (int8_t)number;
        break;
    case 1:
        as.u8 = (uint8_t)number;
        break;
    case 2:
        as.i16 = (int16_t)number;
        break;
    case 3:
        as.u16 = (uint16_t)number;
        break;
    case 4:
        as.i32 = (int32_t)number;
        break;
    case 5:
        as.u32 = (uint32_t)number;
        break;
    case 6:
        as.f32 = (float)number;
        break;
    default:
        as.f64 = number;
        break;
    }
    for (size_t i = 0; i < sizes[type]; i++)
        bytes_put(b, &as.bytes[v->format == 2 ? sizes[type] - 1 - i : i], 1);
}

static bool has_column(const struct model *m, int k)
{
    return k < 3 || (k < 6 ? m->normals : k < 8 ? m->uvs : m->second);
}

static void put_vertex_header(struct bytes *b, const struct model *m, const struct variant *v)
{
    static const char *const uv_names[][2] = {
        {"u", "v"}, {"s", "t"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}};
    static const char *const names[] = {"x", "y", "z", "nx", "ny", "nz"}, *const second_names[][2] = {
                                                                              {"u1", "v1"}, {"s1", "t1"}};
    put_text(b, "element vertex %u%s", m->vertices, v->line_end);
    for (int k = 0; k < 10; k++) {
        if (!has_column(m, k))
            continue;
        put_text(b, "property %s %s%s", type_name(v->types[k]),
                 k < 6   ? names[k]
                 : k < 8 ? uv_names[v->uv_names][k - 6]
                         : second_names[v->uv_names & 1][k - 8],
                 v->line_end);
        if (v->extras && k == 1)
            put_text(b, "property list %s %s many%s", type_name(v->count_type), type_name(v->extra_type),
                     v->line_end);
    }
    if (v->extras)
        put_text(b, "property %s extra%s", type_name(v->extra_type), v->line_end);
}

static void put_face_header(struct bytes *b, const struct model *m, const struct variant *v)
{
    put_text(b, "element %s %u%s", m->strips ? "tristrips" : "face", m->strips ? 1 : m->faces, v->line_end);
    if (v->extras)
        put_text(b, "property %s flag%s", type_name(v->extra_type), v->line_end);
    put_text(b, "property list %s %s %s%s", type_name(m->strips ? 5 : v->count_type),
             type_name(v->index_type), v->singular ? "vertex_index" : "vertex_indices", v->line_end);
    if (v->extras)
        put_text(b, "property list %s %s more%s", type_name(v->count_type), type_name(v->extra_type),
                 v->line_end);
}

static void put_extra_list(struct bytes *b, const struct variant *v)
{
    uint32_t length = random_below(4);
    put_number(b, v, v->count_type, length);
    for (uint32_t i = 0; i < length; i++)
        put_number(b, v, v->extra_type, random_below(100));
}

static void put_vertices(struct bytes *b, const struct model *m, const struct variant *v)
{
    for (uint32_t i = 0; i < m->vertices; i++) {
        for (int k = 0; k < 10; k++) {
            if (!has_column(m, k))
                continue;
            put_number(b, v, v->types[k], m->values[i][k]);
            if (v->extras && k == 1)
                put_extra_list(b, v);
        }
        if (v->extras)
            put_number(b, v, v->extra_type, 7);
        if (v->format == 0)
            put_text(b, "%s", v->line_end);
    }
}

static void put_faces(struct bytes *b, const struct model *m, const struct variant *v)
{
    if (m->strips) {
        size_t length = 0;
        for (uint32_t i = 0; i < m->faces; i++)
            length += m->lengths[i] + 1;
        if (v->extras)
            put_number(b, v, v->extra_type, 7);
        put_number(b, v, 5, (double)length);
    }
    for (uint32_t i = 0; i < m->faces; i++) {
        if (!m->strips) {
            if (v->extras)
                put_number(b, v, v->extra_type, 7);
            put_number(b, v, v->count_type, m->lengths[i]);
        }
        for (uint32_t k = 0; k < m->lengths[i]; k++)
            put_number(b, v, v->index_type, m->corners[i][k]);
        if (m->strips)
            put_number(b, v, v->index_type, -1);
        else if (v->extras)
            put_extra_list(b, v);
    }
    if (m->strips && v->extras)
        put_extra_list(b, v);
}

static void compress(struct bytes *b, uint32_t members)
{
    struct bytes packed = {0};
    size_t each = b->size / members + 1;
    struct libdeflate_compressor *machine = libdeflate_alloc_compressor(6);
    for (size_t at = 0; at < b->size; at += each) {
        size_t size = b->size - at < each ? b->size - at : each;
        size_t bound = libdeflate_gzip_compress_bound(machine, size);
        uint8_t *out = malloc(bound);
        size_t made = libdeflate_gzip_compress(machine, b->data + at, size, out, bound);
        assert_true(made > 0);
        bytes_put(&packed, out, made);
        free(out);
    }
    libdeflate_free_compressor(machine);
    free(b->data);
    *b = packed;
}

static struct bytes write_model(const struct model *m, const struct variant *v)
{
    struct bytes b = {0};
    put_text(&b, "ply%scomment before the format%sformat %s 1.0%sobj_info none%s", v->line_end, v->line_end,
             formats[v->format], v->line_end, v->line_end);
    if (v->faces_first)
        put_face_header(&b, m, v);
    else
        put_vertex_header(&b, m, v);
    if (v->extras)
        put_text(&b, "element none 99999999999999%selement edge 2%sproperty int a%sproperty uchar b%s",
                 v->line_end, v->line_end, v->line_end, v->line_end);
    if (v->faces_first)
        put_vertex_header(&b, m, v);
    else
        put_face_header(&b, m, v);
    put_text(&b, "end_header%s", v->line_end);
    (v->faces_first ? put_faces : put_vertices)(&b, m, v);
    for (int i = 0; v->extras && i < 4; i++)
        put_number(&b, v, i % 2 ? 1 : 4, i);
    (v->faces_first ? put_vertices : put_faces)(&b, m, v);
    if (v->gzip)
        compress(&b, 1 + random_below(3));
    return b;
}

static void make_variant(struct variant *v, const struct model *m)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    *v = (struct variant){.format = (int)random_below(3),
                          .line_end = ends[random_below(8) < 6 ? 0 : random_below(3)]};
    v->count_type = random_below(2) ? 1 : (int)random_below(8);
    v->index_type = random_below(2) ? 4 : (int)random_below(8);
    if (m->strips)
        v->index_type = (int[]){0, 2, 4, 6, 7}[random_below(5)];
    v->extra_type = (int)random_below(8);
    bool floats = random_below(2);
    for (int k = 0; k < 10; k++)
        v->types[k] = floats ? 6 : (int)random_below(8);
    v->faces_first = random_below(4) == 0;
    v->gzip = random_below(3) == 0;
    v->extras = random_below(2);
    v->singular = random_below(2);
    v->uv_names = (int)random_below(4);
}

static void check_triangle(const struct lb_ply *ply, uint64_t *at, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(*at < ply->triangle_count);
    const uint32_t *got = ply->indices + 3 * (*at)++;
    assert_int_equal(got[0], a);
    assert_int_equal(got[1], b);
    assert_int_equal(got[2], c);
}

static void check_model(const struct model *m, const struct lb_ply *ply)
{
    assert_int_equal(ply->vertex_count, m->vertices);
    assert_int_equal(ply->normals != NULL, m->normals);
    assert_int_equal(ply->uvs != NULL, m->uvs);
    assert_int_equal(ply->second_uvs != NULL, m->second);
    for (uint32_t i = 0; i < m->vertices; i++) {
        const int8_t *want = m->values[i];
        lb_vec3 p = ply->positions[i];
        assert_true(p.x == want[0] && p.y == want[1] && p.z == want[2]);
        if (m->normals)
            assert_true(ply->normals[i].x == want[3] && ply->normals[i].y == want[4] &&
                        ply->normals[i].z == want[5]);
        if (m->uvs)
            assert_true(ply->uvs[i].x == want[6] && ply->uvs[i].y == want[7]);
        if (m->second)
            assert_true(ply->second_uvs[i].x == want[8] && ply->second_uvs[i].y == want[9]);
    }
    uint64_t at = 0;
    for (uint32_t i = 0; i < m->faces; i++) {
        const uint32_t *c = m->corners[i];
        for (uint32_t k = 2; k < m->lengths[i]; k++) {
            if (!m->strips)
                check_triangle(ply, &at, c[0], c[k - 1], c[k]);
            else if (c[k] != c[k - 1] && c[k] != c[k - 2] && c[k - 1] != c[k - 2])
                check_triangle(ply, &at, c[k & 1 ? k - 1 : k - 2], c[k & 1 ? k - 2 : k - 1], c[k]);
        }
    }
    assert_int_equal(at, ply->triangle_count);
}

static void same_mesh_from_every_format(void **state)
{
    (void)state;
    for (uint32_t i = share_of(20000); i > 0; i--) {
        struct model model;
        struct variant variant;
        make_model(&model);
        make_variant(&variant, &model);
        struct bytes file = write_model(&model, &variant);
        struct lb_ply ply;
        struct lb_error error;
        enum lb_status status = lb_ply_parse("made.ply", file.data, file.size, NULL, &ply, &error);
        if (status == LB_OK)
            check_model(&model, &ply);
        else if (model.strips)
            assert_string_equal(error.message, "made.ply: no face has three corners");
        else
            fail_msg("%s", error.message);
        lb_ply_free(&ply);
        free(file.data);
    }
}

/* A file that ends early is an error, wherever it ends; in text, what stands behind the last number may be missing. */
static void truncated_files(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct model model;
        struct variant variant;
        do {
            make_model(&model);
        } while (model.strips || model.faces > 12 || model.vertices > 12);
        make_variant(&variant, &model);
        struct bytes file = write_model(&model, &variant);
        for (size_t size = 0; size < file.size; size++) {
            uint8_t *part = malloc(size ? size : 1); /* a copy, so that reading on is found out */
            memcpy(part, file.data, size);
            struct lb_ply ply;
            struct lb_error error = {0};
            enum lb_status status = lb_ply_parse("cut.ply", part, size, NULL, &ply, &error);
            bool text = variant.format == 0 && !variant.gzip;
            if (!text || size + 40 < file.size)
                assert_int_equal(status, LB_ERROR);
            if (status != LB_OK)
                assert_true(strncmp(error.message, "cut.ply:", 8) == 0 && !strchr(error.message, '\n'));
            lb_ply_free(&ply);
            free(part);
        }
        free(file.data);
    }
}

/* AddressSanitizer keeps what was freed: 0 then. */
static long peak_kib(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 0;
#endif
#endif
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Whatever changes in a file, nothing crashes, what is accepted is in range, and memory stays near the file's
 * size. */
static void random_damage(void **state)
{
    (void)state;
    long before = peak_kib();
    for (uint32_t i = share_of(20000); i > 0; i--) {
        struct model model;
        struct variant variant;
        make_model(&model);
        make_variant(&variant, &model);
        struct bytes file = write_model(&model, &variant);
        for (uint32_t k = 1 + random_below(4); k > 0; k--)
            file.data[random_below((uint32_t)file.size)] =
                (uint8_t)(random_below(3) ? '0' + random_below(10) : random_below(256));
        struct lb_ply ply;
        struct lb_error error;
        if (lb_ply_parse("bad.ply", file.data, file.size, NULL, &ply, &error) == LB_OK) {
            for (uint64_t k = 0; k < ply.triangle_count * 3; k++)
                assert_true(ply.indices[k] < ply.vertex_count);
            for (uint32_t k = 0; k < ply.vertex_count; k++)
                assert_true(isfinite(ply.positions[k].x) && isfinite(ply.positions[k].y) &&
                            isfinite(ply.positions[k].z));
        }
        lb_ply_free(&ply);
        free(file.data);
    }
    assert_true(peak_kib() - before < 64 * 1024);
}

static enum lb_status parse_text(const char *text, struct lb_error *error)
{
    struct lb_ply ply;
    enum lb_status status = lb_ply_parse("t.ply", (const uint8_t *)text, strlen(text), NULL, &ply, error);
    lb_ply_free(&ply);
    return status;
}

#define HEAD(vertices, faces)                                                                                \
    "ply\nformat ascii 1.0\nelement vertex " vertices                                                        \
    "\nproperty float x\nproperty float y\nproperty float z\n"                                               \
    "element face " faces "\nproperty list uchar int vertex_indices\nend_header\n"

static void messages_name_the_place(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", NULL},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2", NULL},
        {HEAD("3", "1") "0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n", "t.ply:11: \"x\" is not a number"},
        {HEAD("3", "1") "0 0 0\n1 0x1 0\n0 1 0\n3 0 1 2\n", "t.ply:11: \"0x1\" is not a number"},
        {HEAD("3", "1") "0 0 0\n1 1e 0\n0 1 0\n3 0 1 2\n", "t.ply:11: \"1e\" is not a number"},
        {HEAD("3", "1") "0 0 0\n1 1,5 0\n0 1 0\n3 0 1 2\n", "t.ply:11: \"1,5\" is not a number"},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
         "t.ply:13: face 0, corner 2: there is no vertex 3 (of 3)"},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 0.5\n",
         "t.ply:13: face 0, corner 2: there is no vertex 0.5 (of 3)"},
        {HEAD("3", "1") "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "t.ply: vertex 1 is not finite: 1 nan 0"},
        {HEAD("3", "1") "0 0 0\n1 1e99 0\n0 1 0\n3 0 1 2\n", "t.ply: vertex 1 is not finite: 1 inf 0"},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "t.ply: no face has three corners"},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
         "t.ply:14: the file ends in element \"face\", row 0 of 1"},
        {HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "t.ply:13: row 0: impossible list length -3"},
        {HEAD("3", "0") "0 0 0\n1 0 0\n0 1 0\n", "t.ply:9: the file has no faces"},
        {HEAD("0", "1") "3 0 1 2\n", "t.ply:3: 0 vertices; 1 to 4294967295 are possible"},
        {HEAD("-3", "1") "\n", "t.ply:3: impossible count \"-3\" of element \"vertex\""},
        {HEAD("3", "99999999999999999999") "\n",
         "t.ply:7: impossible count \"99999999999999999999\" of element \"face\""},
        {"ply\nformat ascii 2.0\n", "t.ply:2: unknown PLY version \"2.0\""},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", "t.ply:4: unknown type \"half\""},
        {"ply\nformat ascii 1.0\nelement vertex 1\n", "t.ply:4: the header has no \"end_header\""},
        {"", "t.ply:1: not a PLY file: the first line is not \"ply\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lb_error error = {0};
        enum lb_status status = parse_text(cases[i][0], &error);
        assert_int_equal(status, cases[i][1] ? LB_ERROR : LB_OK);
        if (cases[i][1])
            assert_string_equal(error.message, cases[i][1]);
    }
}

struct heard {
    int warnings;
    char last[1024];
};

static void hear(void *user, enum lb_level level, const char *message)
{
    struct heard *heard = user;
    heard->warnings += level == LB_WARNING;
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

static void warnings_for_what_is_left_out(void **state)
{
    (void)state;
    static const char text[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                               "property float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
                               "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                               "0 0 0 0 0 1\n1 0 0 nan 1 1\n0 1 0 0 0 1\n%s\n";
    char file[sizeof text + 64];
    struct heard heard = {0};
    struct lb_log log = {.write = hear, .user = &heard};
    struct lb_ply ply;
    struct lb_error error;
    int length = snprintf(file, sizeof file, text, "3 0 1 2\n2 0 1");
    assert_int_equal(lb_ply_parse("t.ply", (uint8_t *)file, (size_t)length, &log, &ply, &error), LB_OK);
    assert_int_equal(heard.warnings, 2);
    assert_string_equal(heard.last, "t.ply: 1 faces with fewer than three corners are left out");
    assert_int_equal(ply.triangle_count, 1);
    assert_true(ply.normals[1].x == 0 && ply.normals[1].y == 0 && ply.normals[1].z == 0);
    assert_true(ply.normals[2].z == 1);
    lb_ply_free(&ply);
}

/* A gigabyte of zeros behind a tiny mesh is refused without being held. */
static void gzip_bomb(void **state)
{
    (void)state;
    static const char mesh[] = HEAD("3", "1") "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    struct bytes file = {0};
    bytes_put(&file, mesh, sizeof mesh - 1);
    compress(&file, 1);
    struct bytes zeros = {.data = calloc(1, 1 << 24), .size = 1 << 24};
    compress(&zeros, 1);
    for (int i = 0; i < 64; i++)
        bytes_put(&file, zeros.data, zeros.size);
    long before = peak_kib();
    struct lb_ply ply;
    struct lb_error error;
    assert_int_equal(lb_ply_parse("b.ply", file.data, file.size, NULL, &ply, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "more than its contents can need"));
    assert_true(peak_kib() - before < 8 * 1024);
    free(zeros.data);
    free(file.data);
}

static void damaged_files(void **state)
{
    (void)state;
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s/damaged/list.tsv", data_folder);
    skip_without_data();
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    int seen = 0;
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\t")] = 0;
        if (strncmp(line, "ply-", 4) != 0)
            continue;
        snprintf(path, sizeof path, "%s/damaged/%s", data_folder, line);
        struct lb_ply ply;
        struct lb_error error = {0};
        enum lb_status status = lb_ply_read(path, NULL, &ply, &error);
        if (strcmp(line, "ply-gzip-is-not.ply.gz") == 0) {
            assert_int_equal(status, LB_OK);
        } else {
            if (status != LB_ERROR)
                fail_msg("%s was accepted", path);
            assert_ptr_equal(strstr(error.message, path), error.message);
        }
        lb_ply_free(&ply);
        seen++;
    }
    fclose(list);
    assert_true(seen > 20);
}

static void scenes_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t vertices;
        uint64_t triangles;
    } files[] = {{"features/geometry/ascii.ply", 8, 12},
                 {"features/geometry/big.ply", 8, 12},
                 {"features/geometry/other.ply", 8, 12},
                 {"caustic-glass/geometry/glass.ply.gz", 0, 88064},
                 {"dragon/geometry/dragon.ply.gz", 437645, 871414}};
    char path[4096];
    skip_without_data();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/scenes/%s", data_folder, files[i].name);
        struct lb_ply ply;
        struct lb_error error;
        if (lb_ply_read(path, NULL, &ply, &error) != LB_OK)
            fail_msg("%s", error.message);
        if (files[i].vertices)
            assert_int_equal(ply.vertex_count, files[i].vertices);
        assert_int_equal(ply.triangle_count, files[i].triangles);
        lb_ply_free(&ply);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_bomb), /* first: it looks at the peak of memory */
        cmocka_unit_test(random_damage),
        cmocka_unit_test(same_mesh_from_every_format),
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(messages_name_the_place),
        cmocka_unit_test(warnings_for_what_is_left_out),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(scenes_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
