/* Tests that random scenes in random spelling are read as they were meant. */
#include "unit/language_help.h"

#include <stdlib.h>

enum { MOST_SHAPES = 40, MOST_PARAMETERS = 5, MOST_VALUES = 9, DEEPEST = 8 };

struct meant_parameter {
    enum lb_parameter_type type;
    char name[16];
    size_t count;
    float floats[MOST_VALUES];
    int32_t integers[MOST_VALUES];
    bool bools[MOST_VALUES];
    char strings[MOST_VALUES][16];
    unsigned line, column;
};

/* Whole numbers, so that all sums are exact. */
struct meant_state {
    int offset[3];
    unsigned material;
    bool reversed, lit;
};

struct meant_shape {
    struct meant_state state;
    struct meant_parameter parameters[MOST_PARAMETERS];
    size_t parameter_count;
};

struct writer {
    uint64_t random;
    char text[1 << 16];
    size_t used;
    unsigned line;
    size_t line_start;
    struct meant_state state, saved[DEEPEST];
    unsigned depth, materials;
    struct meant_shape shapes[MOST_SHAPES];
    size_t shape_count;
};

static unsigned pick(struct writer *w, unsigned below)
{
    return next_random(&w->random) % below;
}

static void put(struct writer *w, const char *text)
{
    for (; *text; text++) {
        assert_true(w->used + 1 < sizeof w->text);
        w->text[w->used++] = *text;
        if (*text == '\n') {
            w->line++;
            w->line_start = w->used;
        }
    }
    w->text[w->used] = 0;
}

/* What may stand between two tokens, `needed` where they would else be one. */
static void put_space(struct writer *w, bool needed)
{
    static const char *const spaces[] = {" ",       "\n",  "\t", "  ", "\r\n", " # a \"comment\" [\n",
                                         "\n#\n\n", " #\r"};
    if (needed || pick(w, 2))
        put(w, spaces[pick(w, 3 + pick(w, 6))]);
}

static void put_word(struct writer *w, const char *word)
{
    put_space(w, w->used > 0 && !strchr("\"[] \n\t\r", w->text[w->used - 1]));
    put(w, word);
}

static void put_string(struct writer *w, const char *string)
{
    static const char special[] = "\b\f\n\r\t\\\"", letters[] = "bfnrt\\\"";
    put_space(w, false);
    put(w, "\"");
    for (; *string; string++) {
        const char *at = strchr(special, *string);
        char out[3] = {at ? '\\' : *string, at ? letters[at - special] : 0, 0};
        put(w, out);
    }
    put(w, "\"");
}

static void put_number(struct writer *w, float *meant)
{
    static const char *const formats[] = {"%.9g", "%.3f", "%+.8e", "%.0f", "%.17g"};
    char number[64];
    double value = ((double)next_random(&w->random) - 1073741824.0) / (double)(1u << pick(w, 31));
    snprintf(number, sizeof number, formats[pick(w, 5)], value);
    *meant = strtof(number, NULL);
    put_word(w, number);
}

static void put_integer(struct writer *w, int32_t *meant)
{
    char number[16];
    *meant = (int32_t)(next_random(&w->random) >> pick(w, 31)) * (pick(w, 2) ? 1 : -1);
    snprintf(number, sizeof number, "%d", *meant);
    put_word(w, number);
}

static void random_text(struct writer *w, char text[16])
{
    static const char letters[] = "abcXYZ019_-.: #[]\b\f\n\r\t\\\"\xc3\xa9";
    size_t length = pick(w, 15);
    for (size_t i = 0; i < length; i++)
        text[i] = letters[pick(w, sizeof letters - 1)];
    text[length] = 0;
}

static void put_value(struct writer *w, struct meant_parameter *p, size_t i)
{
    switch (p->type) {
    case LB_PARAMETER_BOOL:
        p->bools[i] = pick(w, 2);
        put_word(w, p->bools[i] ? "true" : "false");
        break;
    case LB_PARAMETER_INTEGER:
        put_integer(w, &p->integers[i]);
        break;
    case LB_PARAMETER_STRING:
    case LB_PARAMETER_TEXTURE:
        random_text(w, p->strings[i]);
        put_string(w, p->strings[i]);
        break;
    default:
        put_number(w, &p->floats[i]);
    }
}

static void put_parameter(struct writer *w, struct meant_parameter *p, size_t index)
{
    p->type = pick(w, LB_PARAMETER_TEXTURE + 1);
    snprintf(p->name, sizeof p->name, "p%zu", index);
    unsigned group = lb_parameter_type_floats(p->type);
    p->count = (1 + pick(w, 3)) * (group ? group : 1);
    char declaration[64];
    snprintf(declaration, sizeof declaration, "%s%s%s%s%s", pick(w, 4) ? "" : " ",
             lb_parameter_type_name(p->type), pick(w, 2) ? " " : "  ", p->name, pick(w, 4) ? "" : " ");
    put_space(w, false);
    p->line = w->line;
    p->column = (unsigned)(w->used - w->line_start) + 1;
    put(w, "\"");
    put(w, declaration);
    put(w, "\"");
    bool bracket = p->count > 1 || pick(w, 2);
    if (bracket) {
        put_space(w, false);
        put(w, "[");
    }
    for (size_t i = 0; i < p->count; i++)
        put_value(w, p, i);
    if (bracket) {
        put_space(w, false);
        put(w, "]");
    }
}

static void put_shape(struct writer *w)
{
    struct meant_shape *shape = &w->shapes[w->shape_count++];
    put_word(w, "Shape");
    put_string(w, "thing");
    shape->state = w->state;
    shape->parameter_count = pick(w, MOST_PARAMETERS + 1);
    for (size_t i = 0; i < shape->parameter_count; i++)
        put_parameter(w, &shape->parameters[i], i);
}

static void put_translate(struct writer *w)
{
    put_word(w, "Translate");
    for (int i = 0; i < 3; i++) {
        int by = (int)pick(w, 200) - 100;
        char number[16];
        snprintf(number, sizeof number, "%d", by);
        put_word(w, number);
        w->state.offset[i] += by;
    }
}

static void put_directive(struct writer *w)
{
    switch (pick(w, 7)) {
    case 0:
        put_translate(w);
        break;
    case 1:
        put_word(w, "Material");
        put_string(w, "diffuse");
        w->state.material = ++w->materials;
        break;
    case 2:
        put_word(w, "ReverseOrientation");
        w->state.reversed = !w->state.reversed;
        break;
    case 3:
        put_word(w, "AreaLightSource");
        put_string(w, w->state.lit ? "" : "diffuse");
        w->state.lit = !w->state.lit;
        break;
    case 4:
        if (w->depth < DEEPEST) {
            put_word(w, "AttributeBegin");
            w->saved[w->depth++] = w->state;
        }
        break;
    case 5:
        if (w->depth > 0) {
            put_word(w, "AttributeEnd");
            w->state = w->saved[--w->depth];
        }
        break;
    default:
        put_shape(w);
    }
}

static void compare_parameter(const struct lb_parameter *got, const struct meant_parameter *meant)
{
    assert_int_equal(got->type, meant->type);
    assert_string_equal(got->name, meant->name);
    assert_int_equal(got->count, meant->count);
    assert_int_equal(got->location.line, meant->line);
    assert_int_equal(got->location.column, meant->column);
    for (size_t i = 0; i < meant->count; i++) {
        if (got->floats)
            assert_memory_equal(&got->floats[i], &meant->floats[i], sizeof(float));
        else if (got->integers)
            assert_int_equal(got->integers[i], meant->integers[i]);
        else if (got->bools)
            assert_int_equal(got->bools[i], meant->bools[i]);
        else
            assert_string_equal(got->strings[i], meant->strings[i]);
    }
}

static void compare(const struct lb_description *description, const struct writer *w)
{
    assert_int_equal(description->shape_count, w->shape_count);
    assert_int_equal(description->material_count, w->materials + 1);
    for (size_t i = 0; i < w->shape_count; i++) {
        const struct lb_shape_entity *got = &description->shapes[i];
        const struct meant_shape *meant = &w->shapes[i];
        for (int k = 0; k < 3; k++) {
            assert_true(got->world_from_object->at[1].m[k][3] == meant->state.offset[k]);
            assert_true(got->world_from_object->at[0].inverse[k][3] == -meant->state.offset[k]);
        }
        assert_int_equal(got->material, meant->state.material);
        assert_int_equal(got->reverse_orientation, meant->state.reversed);
        assert_int_equal(got->area_light != UINT32_MAX, meant->state.lit);
        assert_int_equal(got->entity.parameters.count, meant->parameter_count);
        for (size_t k = 0; k < meant->parameter_count; k++)
            compare_parameter(&got->entity.parameters.items[k], &meant->parameters[k]);
    }
}

static void random_scenes(void **state)
{
    (void)state;
    struct writer *w = malloc(sizeof *w);
    assert_non_null(w);
    size_t shapes = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        memset(w, 0, sizeof *w);
        w->random = seed * 0x9e3779b97f4a7c15u;
        w->line = 1;
        put_word(w, "WorldBegin");
        for (unsigned i = pick(w, 200); i > 0 && w->shape_count < MOST_SHAPES; i--)
            put_directive(w);
        for (; w->depth > 0; w->depth--)
            put_word(w, "AttributeEnd");
        put_space(w, false);
        struct reading r;
        read_text(&r, w->text);
        if (r.status != LB_OK)
            fail_msg("seed %u: %s\n%s", (unsigned)seed, r.error.message, w->text);
        compare(&r.description, w);
        shapes += w->shape_count;
        free_reading(&r);
    }
    assert_true(shapes > 10000);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes)};
    return cmocka_run_group_tests_name("language_random", tests, NULL, NULL);
}
