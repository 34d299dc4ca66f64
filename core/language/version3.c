/* Recognises scenes of pbrt-v3 by words that pbrt-v4 does not have, as lexer and directives are much the same. */
#include "core/language/parser.h"

#include <stdio.h>
#include <string.h>

/* Types of directives that pbrt-v3 had and pbrt-v4 does not have. */
static const struct {
    const char *directive, *type;
} types[] = {
    {"Accelerator", "grid"},
    {"AreaLightSource", "area"},
    {"Camera", "environment"},
    {"Film", "image"},
    {"Integrator", "directlighting"},
    {"Integrator", "whitted"},
    {"MakeNamedMedium", "heterogeneous"},
    {"Material", "disney"},
    {"Material", "fourier"},
    {"Material", "glass"},
    {"Material", "kdsubsurface"},
    {"Material", "matte"},
    {"Material", "metal"},
    {"Material", "mirror"},
    {"Material", "plastic"},
    {"Material", "substrate"},
    {"Material", "translucent"},
    {"Material", "uber"},
    {"Sampler", "02sequence"},
    {"Sampler", "lowdiscrepancy"},
    {"Sampler", "maxmindist"},
    {"Sampler", "random"},
    {"Shape", "cone"},
    {"Shape", "heightfield"},
    {"Shape", "hyperboloid"},
    {"Shape", "nurbs"},
    {"Shape", "paraboloid"},
    {"Texture", "uv"},
};

/* Directives that pbrt-v3 had and pbrt-v4 does not have. */
static const char *const directives[] = {"WorldEnd", "SurfaceIntegrator", "VolumeIntegrator", "Renderer",
                                         "Volume"};

enum lb_status lb_error_version3(struct lb_parser *parser, const struct lb_location *location,
                                 const char *what)
{
    parser->is_version3 = true;
    return lb_error_at(
        parser->error, location,
        "%s; this is a scene of pbrt-v3: \"pbrt --upgrade OLD.pbrt >NEW.pbrt\" turns it into one of "
        "pbrt-v4",
        what);
}

enum lb_status lb_check_type_version(struct lb_parser *parser, const char *directive, const char *type)
{
    char what[128];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        /* The first letter is compared by itself, as it differs for nearly every type, and every entity comes here. */
        if (types[i].type[0] == type[0] && strcmp(types[i].type, type) == 0 &&
            strcmp(types[i].directive, directive) == 0) {
            snprintf(what, sizeof what, "pbrt-v4 has no %s \"%s\"", directive, type);
            return lb_error_version3(parser, &parser->place, what);
        }
    return LB_OK;
}

enum lb_status lb_check_directive_version(struct lb_parser *parser, const struct lb_token *token)
{
    char what[128];
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++)
        if (strlen(directives[i]) == token->length &&
            memcmp(directives[i], token->text, token->length) == 0) {
            snprintf(what, sizeof what, "pbrt-v4 has no %s%s", directives[i],
                     i == 0 ? ": the world ends where the file does" : "");
            return lb_error_version3(parser, &token->location, what);
        }
    return LB_OK;
}
