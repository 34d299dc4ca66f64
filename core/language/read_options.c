/* Reads the directives that stand before WorldBegin, and WorldBegin itself. */
#include "core/language/parser.h"

#include <ctype.h>
#include <string.h>

#include "core/language/matrix.h"

enum lb_status lb_read_film(struct lb_parser *parser)
{
    return lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &parser->description->film);
}

enum lb_status lb_read_pixel_filter(struct lb_parser *parser)
{
    return lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &parser->description->filter);
}

enum lb_status lb_read_sampler(struct lb_parser *parser)
{
    return lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &parser->description->sampler);
}

enum lb_status lb_read_integrator(struct lb_parser *parser)
{
    return lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &parser->description->integrator);
}

enum lb_status lb_read_accelerator(struct lb_parser *parser)
{
    return lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &parser->description->accelerator);
}

enum lb_status lb_read_camera(struct lb_parser *parser)
{
    struct lb_description *description = parser->description;
    enum lb_status status = lb_read_entity(parser, LB_ATTRIBUTE_TARGETS, &description->camera);
    if (status != LB_OK)
        return status;
    description->camera_from_world = parser->state.transform;
    description->has_target = parser->has_target;
    memcpy(description->target, parser->target, sizeof description->target);
    description->camera_medium = parser->state.outside_medium ? parser->state.outside_medium : "";
    struct lb_motion world_from_camera = {
        .at = {lb_matrix_inverse(&parser->state.transform.at[0]),
               lb_matrix_inverse(&parser->state.transform.at[1])},
        .moves = parser->state.transform.moves,
        .flaw = parser->state.transform.flaw,
    };
    return lb_name_coordinate_system(parser, "camera", &world_from_camera);
}

enum lb_status lb_read_world_begin(struct lb_parser *parser)
{
    struct lb_motion *transform = &parser->state.transform;
    lb_matrix_identity(&transform->at[0]);
    lb_matrix_identity(&transform->at[1]);
    transform->moves = false;
    transform->flaw = NULL;
    parser->state.kept = NULL;
    parser->state.active = LB_ACTIVE_ALL;
    parser->in_world = true;
    return lb_name_coordinate_system(parser, "world", transform);
}

/* pbrt-v4's options, and of what type each one's value is. */
static const struct {
    const char *name;
    enum lb_parameter_type type;
} options[] = {
    {"disablepixeljitter", LB_PARAMETER_BOOL},
    {"disabletexturefiltering", LB_PARAMETER_BOOL},
    {"disablewavelengthjitter", LB_PARAMETER_BOOL},
    {"displacementedgescale", LB_PARAMETER_FLOAT},
    {"forcediffuse", LB_PARAMETER_BOOL},
    {"msereferenceimage", LB_PARAMETER_STRING},
    {"msereferenceout", LB_PARAMETER_STRING},
    {"pixelstats", LB_PARAMETER_BOOL},
    {"rendercoordsys", LB_PARAMETER_STRING},
    {"seed", LB_PARAMETER_INTEGER},
    {"wavefront", LB_PARAMETER_BOOL},
};

/* Does `written` mean the option `name`? Case, '-' and '_' do not matter. */
static bool same_option(const char *name, const char *written)
{
    for (; *written; written++) {
        if (*written == '-' || *written == '_')
            continue;
        if (*name == 0 || tolower((unsigned char)*written) != *name++)
            return false;
    }
    return *name == 0;
}

enum lb_status lb_read_option(struct lb_parser *parser)
{
    const char *written;
    enum lb_status status = lb_expect_string(parser, "an option's name", &written);
    if (status != LB_OK)
        return status;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (same_option(options[i].name, written))
            return lb_read_option_value(parser, options[i].name, options[i].type);
    struct lb_guess guess;
    lb_guess_start(&guess, written, strlen(written));
    lb_guess_try_rows(&guess, options, sizeof options / sizeof options[0], sizeof options[0]);
    return lb_error_at(parser->error, &parser->place, "unknown option \"%s\"%s", written, guess.text);
}
