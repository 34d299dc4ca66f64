#include "cli/actions/costs.h"

#include "cli/outputs/names.h"
#include "cli/outputs/output_check.h"
#include "core/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- from files ---- */

/* Reads the first channel of a PFM. An error unless all costs are finite, not all are 0, and none is negative; of a map
 * of coverage, whose sign means something else, some may be. */
static enum lb_status read_map(const char *file, bool coverage, struct lb_estimate *map,
                               struct lb_error *error)
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
        sum += cost[i] >= 0 || coverage ? fabs((double)cost[i]) : NAN;
    }
    *map = (struct lb_estimate){picture.width, picture.height, cost};
    bool floats = picture.floats != NULL;
    lb_picture_free(&picture);
    if (!cost)
        return floats ? lb_error_memory(error, NULL)
                      : lb_error_set(error, LB_ERROR, "%s: not a cost map", file);
    if (isfinite(sum) && sum > 0)
        return LB_OK;
    free(cost);
    map->cost = NULL;
    return lb_error_set(error, LB_ERROR, "%s: costs must be finite, not negative, and not all 0", file);
}

static double sum_of(const struct lb_estimate *map)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++)
        sum += fabs((double)map->cost[i]);
    return sum;
}

/* A probe takes a small part of the picture's work. If its map says many times more, it is in another unit: seconds and
 * steps differ by a factor of some millions. */
static enum lb_status check_unit(const char *file, const char *beside, const struct lb_estimate *whole,
                                 const struct lb_estimate *probe, struct lb_error *error)
{
    enum { MOST_TIMES = 64 };
    if (!probe->cost || sum_of(probe) <= MOST_TIMES * sum_of(whole))
        return LB_OK;
    return lb_error_set(error, LB_ERROR,
                        "%.400s: not in the unit of %.400s: make both by one --cost-map and --cost-unit",
                        beside, file);
}

/* Reads what a probe found, if that stands in a file beside the cost map `file`, which was read as `whole`. */
static enum lb_status read_estimate(const char *file, const struct lb_estimate *whole, enum lb_probe probe,
                                    struct lb_estimate *map, struct lb_error *error)
{
    char *beside = cli_name_estimate(file, probe);
    enum lb_status status = beside ? LB_OK : lb_error_memory(error, NULL);
    if (status == LB_OK && access(beside, F_OK) == 0)
        status = read_map(beside, probe == LB_PROBE_COVERAGE, map, error);
    if (status == LB_OK)
        status = check_unit(file, beside, whole, map, error);
    free(beside);
    return status;
}

static enum lb_status read_frame(const struct cli_options *o, uint32_t number, struct cli_costs *costs,
                                 uint32_t i, struct lb_error *error)
{
    char *file = cli_name_frame(o->costs, number, o->frames.given);
    enum lb_status status =
        file ? read_map(file, false, &costs->maps[i], error) : lb_error_memory(error, NULL);
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES && status == LB_OK; probe++)
        status =
            read_estimate(file, &costs->maps[i], (enum lb_probe)probe, &costs->estimates[probe][i], error);
    free(file);
    return status;
}

/* ---- by rendering ---- */

static enum lb_status render_frame(struct cli_session *s, uint32_t number, struct cli_costs *costs,
                                   uint32_t i)
{
    struct lb_frame frame;
    enum lb_status status = cli_session_load(s, number);
    if (status == LB_OK && i == 0)
        status = cli_output_check(s->options, NULL, &s->scene, &s->error);
    if (status == LB_OK && !s->run)
        status = cli_session_start(s, lb_strategy_find("auto"), true, true);
    if (status == LB_OK)
        status = cli_session_render(s, number, NULL, &frame);
    if (status != LB_OK)
        return status;
    if (frame.complete) {
        costs->maps[i] = (struct lb_estimate){frame.width, frame.height, frame.cost};
        for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES; probe++) {
            costs->estimates[probe][i] = frame.estimates[probe];
            frame.estimates[probe].cost = NULL;
        }
        costs->samples = s->scene.scene->integrator.samples;
        frame.cost = NULL;
    } else {
        status = lb_error_set(&s->error, LB_ERROR, "the cost map was not finished");
    }
    lb_frame_free(&frame);
    cli_session_unload(s);
    return status;
}

/* ---- all frames ---- */

static void free_maps(struct lb_estimate *maps, uint32_t count)
{
    for (uint32_t i = 0; maps && i < count; i++)
        free(maps[i].cost);
    free(maps);
}

/* Strategies are shown what a probe found in all frames, or in none: forgets it where that of a frame is missing. */
static void check_estimates(struct cli_costs *costs, enum lb_probe probe)
{
    bool all = true;
    for (uint32_t i = 0; i < costs->frame_count; i++)
        all = all && costs->estimates[probe][i].cost;
    if (all)
        return;
    free_maps(costs->estimates[probe], costs->frame_count);
    costs->estimates[probe] = NULL;
}

static bool alloc_maps(struct cli_costs *costs)
{
    costs->maps = calloc(costs->frame_count, sizeof *costs->maps);
    bool all = costs->maps != NULL;
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES; probe++) {
        costs->estimates[probe] = calloc(costs->frame_count, sizeof *costs->estimates[probe]);
        all = all && costs->estimates[probe];
    }
    return all;
}

enum lb_status cli_costs_get(struct cli_session *s, struct cli_costs *costs)
{
    const struct cli_options *o = s->options;
    uint32_t step = o->frames.given ? o->frames.step : 1;
    *costs = (struct cli_costs){.frame_count = (o->frames.last - o->frames.first) / step + 1};
    enum lb_status status = alloc_maps(costs) ? LB_OK : lb_error_memory(&s->error, NULL);
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
    for (int probe = LB_PROBE_NONE + 1; probe < LB_PROBES; probe++)
        check_estimates(costs, (enum lb_probe)probe);
    return LB_OK;
}

void cli_costs_free(struct cli_costs *costs)
{
    free_maps(costs->maps, costs->frame_count);
    for (int probe = 0; probe < LB_PROBES; probe++)
        free_maps(costs->estimates[probe], costs->frame_count);
    *costs = (struct cli_costs){0};
}
