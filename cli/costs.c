#include "cli/costs.h"

#include "cli/names.h"
#include "cli/outputs.h"
#include "core/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static enum lb_status out_of_memory(struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
}

static double sum_of(const struct lb_estimate *map)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++)
        sum += (double)map->cost[i];
    return sum;
}

/* ---- from files ---- */

/* The first channel of a PFM; a cost is finite, not negative, and not 0 everywhere. */
static enum lb_status read_map(const char *file, struct lb_estimate *map, struct lb_error *error)
{
    struct lb_picture picture;
    enum lb_status status = lb_picture_read(file, &picture, error);
    if (status != LB_OK)
        return status;
    size_t count = (size_t)picture.width * picture.height;
    float *cost = picture.floats ? malloc(count * sizeof *cost) : NULL;
    double sum = 0;
    for (size_t i = 0; cost && i < count; i++) {
        cost[i] = picture.floats[i * picture.channels];
        sum += cost[i] >= 0 ? (double)cost[i] : NAN;
    }
    *map = (struct lb_estimate){picture.width, picture.height, cost};
    bool floats = picture.floats != NULL;
    lb_picture_free(&picture);
    if (!cost)
        return floats ? out_of_memory(error) : lb_error_set(error, LB_ERROR, "%s: not a cost map", file);
    if (isfinite(sum) && sum > 0)
        return LB_OK;
    free(cost);
    map->cost = NULL;
    return lb_error_set(error, LB_ERROR, "%s: costs must be finite, not negative, and not all 0", file);
}

static enum lb_status read_frame(const struct cli_options *o, uint32_t number, struct cli_costs *costs,
                                 uint32_t i, struct lb_error *error)
{
    char *file = cli_name_frame(o->costs, number, o->frames.given);
    char *beside = file ? cli_outputs_estimate_name(file) : NULL;
    enum lb_status status = beside ? read_map(file, &costs->maps[i], error) : out_of_memory(error);
    if (status == LB_OK && access(beside, F_OK) == 0)
        status = read_map(beside, &costs->estimates[i], error);
    free(beside);
    free(file);
    return status;
}

/* ---- by rendering ---- */

static enum lb_status render_frame(struct cli_session *s, uint32_t number, struct cli_costs *costs,
                                   uint32_t i)
{
    struct lb_frame frame;
    enum lb_status status = cli_session_load(s, number);
    if (status == LB_OK && !s->run)
        status = cli_session_start(s, lb_strategy_find("auto"), true, true);
    if (status == LB_OK)
        status = cli_session_render(s, number, &frame);
    if (status != LB_OK)
        return status;
    if (frame.complete) {
        costs->maps[i] = (struct lb_estimate){frame.width, frame.height, frame.cost};
        costs->estimates[i] = frame.estimate;
        costs->samples = s->scene.scene->integrator.samples;
        frame.cost = NULL;
        frame.estimate.cost = NULL;
    } else {
        status = lb_error_set(&s->error, LB_ERROR, "the cost map was not finished");
    }
    lb_frame_free(&frame);
    cli_session_unload(s);
    return status;
}

/* ---- all frames ---- */

/* Estimates are shown for all frames or for none. */
static void check_estimates(struct cli_costs *costs)
{
    bool all = true;
    for (uint32_t i = 0; i < costs->frame_count; i++)
        all = all && costs->estimates[i].cost;
    if (all)
        costs->share = sum_of(&costs->estimates[0]) / sum_of(&costs->maps[0]);
    if (all)
        return;
    for (uint32_t i = 0; i < costs->frame_count; i++)
        free((float *)costs->estimates[i].cost);
    free(costs->estimates);
    costs->estimates = NULL;
}

enum lb_status cli_costs_get(struct cli_session *s, struct cli_costs *costs)
{
    const struct cli_options *o = s->options;
    uint32_t step = o->frames.given ? o->frames.step : 1;
    *costs = (struct cli_costs){.frame_count = (o->frames.last - o->frames.first) / step + 1};
    costs->maps = calloc(costs->frame_count, sizeof *costs->maps);
    costs->estimates = calloc(costs->frame_count, sizeof *costs->estimates);
    enum lb_status status = costs->maps && costs->estimates ? LB_OK : out_of_memory(&s->error);
    for (uint32_t i = 0; i < costs->frame_count && status == LB_OK; i++) {
        uint32_t number = o->frames.first + i * step;
        status = o->costs ? read_frame(o, number, costs, i, &s->error) : render_frame(s, number, costs, i);
        if (status == LB_OK &&
            (costs->maps[i].width != costs->maps[0].width || costs->maps[i].height != costs->maps[0].height))
            status = lb_error_set(&s->error, LB_ERROR, "the frames' cost maps are of different sizes");
    }
    if (status != LB_OK)
        return status;
    costs->width = costs->maps[0].width;
    costs->height = costs->maps[0].height;
    check_estimates(costs);
    return LB_OK;
}

void cli_costs_free(struct cli_costs *costs)
{
    for (uint32_t i = 0; i < costs->frame_count; i++) {
        if (costs->maps)
            free((float *)costs->maps[i].cost);
        if (costs->estimates)
            free((float *)costs->estimates[i].cost);
    }
    free(costs->maps);
    free(costs->estimates);
    *costs = (struct cli_costs){0};
}
