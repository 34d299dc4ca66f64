#include "core/cpu/camera_rays.h"

#include "core/cpu/tracers.h"
#include "core/kernel/integrators/path.h"
#include "core/kernel/stop.h"

const struct lb_tracer *lb_tracer_of(enum lb_isa isa)
{
#if defined(__x86_64__)
    if (isa == LB_ISA_AVX512)
        return &lb_tracer_avx512;
    if (isa == LB_ISA_AVX2)
        return &lb_tracer_avx2;
#endif
    (void)isa;
    return &lb_tracer_portable;
}

/* The cost of the camera's first ray through a pixel, in steps as a sample's cost is counted: one, and the nodes
 * visited and groups of primitives tested. It is negative where the ray hits nothing. Every pixel of a Mandelbrot set
 * counts as covered. */
static float trace_pixel(const struct lb_work *work, const struct lb_tracer *tracer, uint32_t x, uint32_t y,
                         lb_counters *counters)
{
    lb_path path;
    lb_hit hit;
    lb_filter_place place;
    uint64_t before = counters->nodes + counters->groups;
    if (work->scene->integrator.kind == LB_INTEGRATOR_MANDELBROT)
        return 1;
    lb_path_start(work->scene, x, y, work->sample_begin, &path, &place);
    tracer->closest(work->scene, &path.ray, &hit, counters);
    float steps = (float)(counters->nodes + counters->groups - before + 1);
    return hit.primitive.shape == LB_NONE ? -steps : steps;
}

void lb_coverage_trace(const struct lb_work *work, const struct lb_tracer *tracer, struct lb_result *result)
{
    const lb_film *film = &work->scene->film;
    for (uint64_t position = work->range.begin; position < work->range.end; position++) {
        uint64_t pixel = lb_order_pixel(work->order, position);
        if (lb_stopped(work->stop)) {
            result->stopped = true;
            return;
        }
        if (pixel == LB_NO_PIXEL)
            continue;
        uint32_t x = film->x0 + (uint32_t)(pixel % work->order->width);
        uint32_t y = film->y0 + (uint32_t)(pixel / work->order->width);
        result->cost[position - work->range.begin] = trace_pixel(work, tracer, x, y, &result->counters);
        result->samples++;
    }
}
