/* Integrator and sampler. All of pbrt's integrators but ambient occlusion are rendered by path tracing. */
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/integrators/integrators.h"

#include <string.h>

struct integrator_name {
    const char *name;
    bool media;          /* absorbs light in media */
    const char *warning; /* how it differs; NULL: it converges to the same picture */
};

static const struct integrator_name integrators[] = {
    {"volpath", true, NULL},
    {"path", false, NULL},
    {"simplepath", false, NULL},
    {"simplevolpath", true, NULL},
    {"randomwalk", false, "path tracing, which also finds lights of no size and scatters at mirrors"},
    {"bdpt", true, "path tracing"},
    {"mlt", true, "path tracing"},
    {"sppm", false, "path tracing"},
    {"lightpath", false, "path tracing, which also shows environments and what mirrors show"},
    {"ambientocclusion", false, NULL},
    {"function", false, NULL},
};

/* Is the text, where there is one, one of the `count` words? */
static enum lb_status check_word(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 const char *name, const char *const *words, size_t count)
{
    uint32_t which;
    return lb_build_word(builder, parameters, name, name, words, count, &which);
}

static enum lb_status build_path(struct lb_builder *builder, const struct integrator_name *kind)
{
    /* What steers noise or other algorithms, not the picture. */
    static const char *const no_matter[] = {
        "samplelights", "samplebsdf",       "visualizestrategies", "visualizeweights",
        "chains",       "bootstrapsamples", "mutationsperpixel",   "largestepprobability",
        "sigma",        "radius",           "photonsperiteration", "seed",
    };
    static const char *const light_samplers[] = {"bvh", "exhaustive", "power", "uniform"};
    static const enum lb_light_sampler taken[] = {LB_LIGHT_SAMPLER_BVH, LB_LIGHT_SAMPLER_BVH,
                                                  LB_LIGHT_SAMPLER_POWER, LB_LIGHT_SAMPLER_UNIFORM};
    const struct lb_entity *entity = &builder->description->integrator;
    lb_integrator *integrator = &builder->head.integrator;
    int32_t depth;
    uint32_t sampler;
    enum lb_status status;
    if (kind->warning)
        lb_build_warn(builder, &entity->parameters.location, "integrator \"%s\" is rendered by %s",
                      kind->name, kind->warning);
    lb_build_ignore(entity, no_matter, sizeof no_matter / sizeof no_matter[0]);
    if ((status = lb_build_word(builder, &entity->parameters, "lightsampler", "lightsampler", light_samplers,
                                sizeof light_samplers / sizeof light_samplers[0], &sampler)) != LB_OK ||
        (status = lb_build_integer(builder, &entity->parameters, "maxdepth", 5, 0, INT32_MAX, &depth)) !=
            LB_OK ||
        (status = lb_build_bool(builder, &entity->parameters, "regularize", false,
                                &integrator->regularize)) != LB_OK)
        return status;
    if (builder->options->regularize)
        integrator->regularize = 1;
    builder->light_sampler = taken[sampler];
    integrator->kind = LB_INTEGRATOR_PATH;
    integrator->max_depth = (uint32_t)depth;
    integrator->media = kind->media;
    return LB_OK;
}

static enum lb_status build_mandelbrot(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->integrator.parameters;
    lb_integrator *integrator = &builder->head.integrator;
    const float *center;
    size_t count;
    float span;
    int32_t iterations;
    enum lb_status status;
    if ((status = lb_parameters_floats(parameters, "center", LB_PARAMETER_POINT2, &center, &count,
                                       builder->error)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "width", 3.0f, 1e-30f, 1e30f, &span)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "maxiterations", 256, 1, INT32_MAX, &iterations)) !=
            LB_OK)
        return status;
    if (count && (count != 2 || !(lb_abs(center[0]) < 1e30f) || !(lb_abs(center[1]) < 1e30f)))
        return lb_build_error(builder, lb_build_place(parameters, "center"),
                              "\"center\" needs two finite values");
    integrator->kind = LB_INTEGRATOR_MANDELBROT;
    integrator->center[0] = count ? (double)center[0] : -0.5;
    integrator->center[1] = count ? (double)center[1] : 0.0;
    integrator->span = (double)span;
    integrator->max_iterations = (uint32_t)iterations;
    return LB_OK;
}

/* Its sky is the white of the current colour space (pbrt). */
static enum lb_status build_occlusion(struct lb_builder *builder)
{
    const struct lb_parameters *parameters = &builder->description->integrator.parameters;
    lb_integrator *integrator = &builder->head.integrator;
    enum lb_status status;
    if ((status = lb_build_bool(builder, parameters, "cossample", true, &integrator->cosine)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "maxdistance", LB_INFINITY, 0.0f, LB_INFINITY,
                                 &integrator->reach)) != LB_OK)
        return status;
    integrator->kind = LB_INTEGRATOR_OCCLUSION;
    integrator->max_depth = 1;
    integrator->white = lb_build_white(parameters);
    return LB_OK;
}

/* pbrt's test of samplers by functions of two variables, which writes a table of errors. */
static enum lb_status build_function(struct lb_builder *builder)
{
    static const char *const theirs[] = {"function", "filename", "skipbad", "imagefilename"};
    const struct lb_entity *entity = &builder->description->integrator;
    enum lb_status status =
        lb_build_not_yet(builder, &entity->parameters.location,
                         "integrator \"function\" tests samplers and makes no picture: \"path\" is taken");
    lb_build_ignore(entity, theirs, sizeof theirs / sizeof theirs[0]);
    return status == LB_OK ? build_path(builder, lb_build_row("path", LB_ROWS(integrators))) : status;
}

enum lb_status lb_build_integrator(struct lb_builder *builder)
{
    const struct lb_entity *entity = &builder->description->integrator;
    const char *type = entity->type ? entity->type : "volpath";
    const struct integrator_name *kind = lb_build_row(type, LB_ROWS(integrators));
    enum lb_status status = LB_OK;
    if (strcmp(type, "mandelbrot") == 0)
        status = build_mandelbrot(builder);
    else if (strcmp(type, "ambientocclusion") == 0)
        status = build_occlusion(builder);
    else if (strcmp(type, "function") == 0)
        status = build_function(builder);
    else if (kind)
        status = build_path(builder, kind);
    else
        status =
            lb_build_unknown(builder, &entity->parameters.location, "integrator", type, LB_ROWS(integrators));
    return status == LB_OK ? lb_build_check_unused(builder, entity) : status;
}

/* ---- sampler ---- */

enum { MOST_SAMPLES = 1 << 24 };

/* pbrt's samplers, and how many of the words of `randomizations` each takes; 0: it has no such parameter. */
static const struct sampler_name {
    const char *name;
    size_t randomizations;
} samplers[] = {
    {"zsobol", 4},  {"paddedsobol", 4}, {"halton", 3},     {"sobol", 4},
    {"pmj02bn", 0}, {"independent", 0}, {"stratified", 0},
};
static const char *const randomizations[] = {"permutedigits", "owen", "none", "fastowen"};

/* Samples a pixel as the file says it. */
static enum lb_status file_samples(const struct lb_builder *builder, const char *type, int32_t *samples)
{
    const struct lb_parameters *parameters = &builder->description->sampler.parameters;
    int32_t x, y;
    enum lb_status status;
    if (strcmp(type, "stratified") != 0)
        return lb_build_integer(builder, parameters, "pixelsamples",
                                strcmp(type, "independent") == 0 ? 4 : 16, 1, MOST_SAMPLES, samples);
    if ((status = lb_build_integer(builder, parameters, "xsamples", 4, 1, 4096, &x)) != LB_OK ||
        (status = lb_build_integer(builder, parameters, "ysamples", 4, 1, 4096, &y)) != LB_OK)
        return status;
    *samples = x * y;
    return LB_OK;
}

/* Puts all samples of a pixel where the middle one would be: of the pixel, of the lens, and of the time. */
static void center_samples(struct lb_builder *builder)
{
    lb_scene *head = &builder->head;
    lb_filter *filter = &head->film.filter;
    float middle = 0.5f * (head->shutter[0] + head->shutter[1]);
    memset(filter, 0, sizeof *filter);
    filter->kind = LB_FILTER_BOX;
    head->shutter[0] = head->shutter[1] = middle;
    /* Orthographic rays begin on the lens, if there is one: it is left with no width to speak of. */
    bool parallel = head->camera.kind == LB_CAMERA_ORTHOGRAPHIC;
    head->camera.lens_radius = parallel && head->camera.lens_radius > 0.0f ? 1e-30f : 0.0f;
}

/* The Options that change the picture. */
static enum lb_status read_options(struct lb_builder *builder, int32_t *seed)
{
    static const char *const spaces[] = {"cameraworld", "camera", "world"};
    const struct lb_parameters *parameters = &builder->description->options.parameters;
    lb_integrator *integrator = &builder->head.integrator;
    uint32_t centered, unfiltered;
    enum lb_status status;
    if ((status = lb_build_bool(builder, parameters, "disablepixeljitter", false, &centered)) != LB_OK ||
        (status = lb_build_bool(builder, parameters, "disabletexturefiltering", false, &unfiltered)) !=
            LB_OK ||
        (status = lb_build_bool(builder, parameters, "forcediffuse", false, &integrator->force_diffuse)) !=
            LB_OK ||
        (status = check_word(builder, parameters, "rendercoordsys", spaces, 3)) != LB_OK)
        return status;
    integrator->footprint = unfiltered ? LB_FOOTPRINT_POINT
                            : centered ? LB_FOOTPRINT_PIXEL
                                       : LB_FOOTPRINT_SAMPLE;
    if (centered)
        center_samples(builder);
    if (integrator->force_diffuse) /* what is diffuse is rough enough */
        integrator->regularize = 0;
    return lb_parameters_integer(parameters, "seed", 0, seed, builder->error);
}

enum lb_status lb_build_sampler(struct lb_builder *builder)
{
    const struct lb_entity *entity = &builder->description->sampler;
    const struct lb_scene_options *options = builder->options;
    lb_integrator *integrator = &builder->head.integrator;
    const char *type = entity->type ? entity->type : "zsobol";
    const struct sampler_name *sampler = lb_build_row(type, LB_ROWS(samplers));
    int32_t samples, seed;
    enum lb_status status;
    if (!sampler)
        return lb_build_unknown(builder, &entity->parameters.location, "sampler", type, LB_ROWS(samplers));
    if ((status = file_samples(builder, type, &samples)) != LB_OK ||
        (sampler->randomizations > 0 &&
         (status = check_word(builder, &entity->parameters, "randomization", randomizations,
                              sampler->randomizations)) != LB_OK) ||
        (status = read_options(builder, &seed)) != LB_OK ||
        (status = lb_parameters_integer(&entity->parameters, "seed", seed, &seed, builder->error)) != LB_OK)
        return status;
    if (strcmp(type, "stratified") == 0)
        lb_parameters_find(&entity->parameters, "jitter"); /* it has no effect */
    integrator->samples = options->samples ? options->samples : (uint32_t)samples;
    integrator->samples *= options->most_times ? options->most_times : 1;
    integrator->seed = options->has_seed ? options->seed : (uint32_t)seed;
    integrator->frame = options->frame;
    return lb_build_check_unused(builder, entity);
}

/* ---- accelerator ---- */

enum lb_status lb_build_accelerator(struct lb_builder *builder)
{
    static const struct {
        const char *name, *parameters[5]; /* which have no effect */
    } kinds[] = {{"bvh", {"maxnodeprims", "splitmethod"}},
                 {"kdtree", {"intersectcost", "traversalcost", "emptybonus", "maxprims", "maxdepth"}}};
    const struct lb_entity *entity = &builder->description->accelerator;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(entity->type ? entity->type : "bvh", kinds[i].name) != 0)
            continue;
        for (int p = 0; p < 5 && kinds[i].parameters[p]; p++)
            lb_build_ignore(entity, &kinds[i].parameters[p], 1);
        return lb_build_check_unused(builder, entity);
    }
    return lb_build_unknown(builder, &entity->parameters.location, "accelerator", entity->type,
                            LB_ROWS(kinds));
}
