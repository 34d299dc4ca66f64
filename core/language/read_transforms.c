/* Reads the directives that change the current transformation. */
#include "core/language/parser.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/language/matrix.h"

static bool differ(const struct lb_matrix *a, const struct lb_matrix *b)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (a->m[i][j] < b->m[i][j] || a->m[i][j] > b->m[i][j])
                return true;
    return false;
}

/* Notes where the transformation lost its inverse. That is an error only once something is to stand there. */
static enum lb_status find_flaw(struct lb_parser *parser)
{
    struct lb_motion *motion = &parser->state.transform;
    if (lb_matrix_is_usable(&motion->at[0]) && lb_matrix_is_usable(&motion->at[1])) {
        motion->flaw = NULL;
    } else if (!motion->flaw) {
        struct lb_location *flaw = lb_arena_alloc(parser->arena, 1, sizeof *flaw);
        if (!flaw)
            return lb_parser_memory(parser);
        *flaw = parser->place;
        motion->flaw = flaw;
    }
    return LB_OK;
}

/* Replaces the active transformations by `matrix`, or multiplies them by it. */
static enum lb_status apply(struct lb_parser *parser, const struct lb_matrix *matrix, bool replaces)
{
    struct lb_motion *motion = &parser->state.transform;
    bool alike = parser->state.active == LB_ACTIVE_ALL &&
                 memcmp(&motion->at[0], &motion->at[1], sizeof motion->at[0]) == 0;
    parser->state.kept = NULL;
    for (unsigned i = 0; i < (alike ? 1 : 2); i++)
        if (parser->state.active & (i == 0 ? LB_ACTIVE_START : LB_ACTIVE_END))
            motion->at[i] = replaces ? *matrix : lb_matrix_product(&motion->at[i], matrix);
    if (alike)
        motion->at[1] = motion->at[0];
    motion->moves = !alike && differ(&motion->at[0], &motion->at[1]);
    return find_flaw(parser);
}

/* Reads numbers, which a float must be able to hold. */
static enum lb_status expect_floats(struct lb_parser *parser, double *numbers, size_t count)
{
    enum lb_status status = lb_expect_numbers(parser, numbers, count);
    for (size_t i = 0; i < count && status == LB_OK; i++)
        if (!(fabs(numbers[i]) <= (double)FLT_MAX))
            return lb_error_at(parser->error, &parser->place,
                               "the transformation has numbers that are too large");
    return status;
}

enum lb_status lb_read_identity(struct lb_parser *parser)
{
    struct lb_matrix matrix;
    lb_matrix_identity(&matrix);
    return apply(parser, &matrix, true);
}

static enum lb_status read_three(struct lb_parser *parser, bool (*make)(const double[3], struct lb_matrix *))
{
    double by[3];
    struct lb_matrix matrix;
    enum lb_status status = expect_floats(parser, by, 3);
    if (status != LB_OK)
        return status;
    make(by, &matrix);
    return apply(parser, &matrix, false);
}

enum lb_status lb_read_translate(struct lb_parser *parser)
{
    return read_three(parser, lb_matrix_translate);
}

enum lb_status lb_read_scale(struct lb_parser *parser)
{
    return read_three(parser, lb_matrix_scale);
}

enum lb_status lb_read_rotate(struct lb_parser *parser)
{
    double numbers[4];
    struct lb_matrix matrix;
    enum lb_status status = expect_floats(parser, numbers, 4);
    if (status != LB_OK)
        return status;
    lb_matrix_rotate(numbers[0], numbers + 1, &matrix);
    return apply(parser, &matrix, false);
}

/* Keeps what is looked at as the space has it that was current before: the camera's, if a Camera follows. */
static void note_target(struct lb_parser *parser, const double target[3])
{
    const struct lb_matrix *all = &parser->state.transform.at[0];
    for (int row = 0; row < 3; row++)
        parser->target[row] = all->m[row][0] * target[0] + all->m[row][1] * target[1] +
                              all->m[row][2] * target[2] + all->m[row][3];
    parser->has_target = true;
}

enum lb_status lb_read_look_at(struct lb_parser *parser)
{
    double numbers[9];
    struct lb_matrix matrix;
    enum lb_status status = expect_floats(parser, numbers, 9);
    if (status != LB_OK)
        return status;
    if (!lb_matrix_look_at(numbers, numbers + 3, numbers + 6, &matrix))
        return lb_error_at(parser->error, &parser->place,
                           "LookAt needs a target apart from the eye, and an up vector across the view");
    if ((status = apply(parser, &matrix, false)) == LB_OK)
        note_target(parser, numbers + 3);
    return status;
}

static enum lb_status expect(struct lb_parser *parser, enum lb_token_kind kind, const char *what)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status == LB_OK && token.kind != kind)
        return lb_error_at(parser->error, &token.location, "%s was expected before %s", what,
                           lb_token_show(&token).text);
    return status;
}

static enum lb_status read_matrix(struct lb_parser *parser, bool replaces)
{
    double columns[16];
    struct lb_matrix matrix;
    enum lb_status status = expect(parser, LB_TOKEN_OPEN, "[");
    if (status == LB_OK)
        status = expect_floats(parser, columns, 16);
    if (status == LB_OK)
        status = expect(parser, LB_TOKEN_CLOSE, "]");
    if (status != LB_OK)
        return status;
    lb_matrix_from_columns(columns, &matrix);
    return apply(parser, &matrix, replaces);
}

enum lb_status lb_read_transform(struct lb_parser *parser)
{
    return read_matrix(parser, true);
}

enum lb_status lb_read_concat_transform(struct lb_parser *parser)
{
    return read_matrix(parser, false);
}

const struct lb_motion *lb_keep_transform(struct lb_parser *parser)
{
    if (!parser->state.kept) {
        struct lb_motion *copy = lb_arena_alloc(parser->arena, 1, sizeof *copy);
        if (copy)
            *copy = parser->state.transform;
        parser->state.kept = copy;
    }
    return parser->state.kept;
}

enum lb_status lb_name_coordinate_system(struct lb_parser *parser, const char *name,
                                         const struct lb_motion *transform)
{
    uint32_t earlier = lb_names_find(&parser->system_names, name), index = (uint32_t)parser->systems.count;
    struct lb_coordinate_system *system = lb_list_add(&parser->systems);
    if (!system || !lb_names_set(&parser->system_names, parser->arena, name, index))
        return lb_parser_memory(parser);
    *system = (struct lb_coordinate_system){.name = name, .transform = *transform, .earlier = earlier};
    return LB_OK;
}

enum lb_status lb_forget_coordinate_systems(struct lb_parser *parser, size_t count)
{
    while (parser->systems.count > count) {
        const struct lb_coordinate_system *system = lb_list_at(&parser->systems, --parser->systems.count);
        if (!lb_names_set(&parser->system_names, parser->arena, system->name, system->earlier))
            return lb_parser_memory(parser);
    }
    return LB_OK;
}

enum lb_status lb_read_coordinate_system(struct lb_parser *parser)
{
    const char *name;
    enum lb_status status = lb_expect_string(parser, "a coordinate system's name", &name);
    return status == LB_OK ? lb_name_coordinate_system(parser, name, &parser->state.transform) : status;
}

/* It sets both transformations, whichever of them are active. */
enum lb_status lb_read_coord_sys_transform(struct lb_parser *parser)
{
    const char *name;
    enum lb_status status = lb_expect_string(parser, "a coordinate system's name", &name);
    if (status != LB_OK)
        return status;
    uint32_t index = lb_names_find(&parser->system_names, name);
    parser->state.kept = NULL;
    if (index != UINT32_MAX)
        parser->state.transform =
            ((const struct lb_coordinate_system *)lb_list_at(&parser->systems, index))->transform;
    else
        lb_log_at(parser->log, LB_WARNING, &parser->place,
                  "no coordinate system is named \"%s\"; the transformation stays as it is", name);
    return LB_OK;
}

enum lb_status lb_read_active_transform(struct lb_parser *parser)
{
    static const struct {
        const char *name;
        unsigned active;
    } choices[] = {{"All", LB_ACTIVE_ALL}, {"StartTime", LB_ACTIVE_START}, {"EndTime", LB_ACTIVE_END}};
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    if (status != LB_OK)
        return status;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (token.kind == LB_TOKEN_WORD && strlen(choices[i].name) == token.length &&
            memcmp(choices[i].name, token.text, token.length) == 0) {
            parser->state.active = choices[i].active;
            return LB_OK;
        }
    return lb_error_at(parser->error, &token.location, "All, StartTime or EndTime was expected, not %s",
                       lb_token_show(&token).text);
}

enum lb_status lb_read_transform_times(struct lb_parser *parser)
{
    return lb_expect_numbers(parser, parser->description->transform_times, 2);
}
