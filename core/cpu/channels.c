#include "core/cpu/channels.h"

#include "core/kernel/integrators/feature.h"
#include "core/kernel/order/walk.h"
#include "core/kernel/stop.h"
#include "core/kernel/integrators/volume.h"

/* Takes the path on behind a hit that was an interface, by shading it as the renderer would and counting nothing.
 * False: the path ends there, or a medium has scattered it, so that what it sees next is not what the camera sees. */
static bool go_on(const lb_scene *scene, lb_path *path, lb_volume *volume, const lb_hit *hit)
{
    lb_counters uncounted = {0};
    lb_shadow none;
    bool goes_on = scene->any_volume ? lb_volume_shade(scene, path, volume, hit, &none, &uncounted)
                                     : lb_path_shade(scene, path, hit, &none, &uncounted);
    return goes_on && path->depth == 0;
}

/* Follows one sample from the camera through interfaces to the first surface, and adds what that surface is to the
 * pixel's sums. */
static void gather_sample(const lb_scene *scene, const struct lb_tracer *tracer, uint32_t x, uint32_t y,
                          uint32_t sample, int64_t *sums)
{
    lb_counters uncounted = {0};
    lb_volume volume;
    lb_path path;
    lb_hit hit;
    float weight;
    lb_path_start(scene, x, y, sample, &path, &weight);
    lb_volume_start(&volume, &path.sampler);
    do {
        tracer->closest(scene, &path.ray, &hit, &uncounted);
    } while (!lb_feature_gather(scene, &path, &hit, weight, sums, false) &&
             go_on(scene, &path, &volume, &hit));
}

void lb_channels_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result)
{
    const lb_film *film = &work->scene->film;
    lb_order_walk walk;
    lb_order_walk_begin(work->order, &walk);
    for (uint64_t position = work->range.begin; position < work->range.end; position++) {
        uint64_t pixel = lb_order_walk_due(&walk, position);
        if (pixel == LB_NO_PIXEL)
            continue;
        uint32_t x = film->x0 + (uint32_t)(pixel % work->order->width);
        uint32_t y = film->y0 + (uint32_t)(pixel / work->order->width);
        int64_t *sums = result->sums + (position - work->range.begin) * result->sum_count;
        for (uint32_t sample = work->sample_begin; sample < work->sample_end; sample++) {
            if (lb_stopped(work->stop)) {
                result->stopped = true;
                return;
            }
            gather_sample(work->scene, tracer, x, y, sample, sums);
        }
    }
}
