// A GPU's render loop over core/kernel, compiled by nvcc to see that every header stays in the common subset of
// C17 and CUDA C++, and that its PTX holds no operation that rounds otherwise than a CPU. Nothing calls it.
// test/bats/kernel.bats makes all_headers.h, which includes every header of core/kernel.
#include "core/kernel/tree/brute.h"
#include "core/kernel/film/film.h"
#include "core/kernel/integrators/mandelbrot.h"
#include "core/kernel/order/order.h"

LB_FUNCTION bool lb_trace_closest(const lb_scene *scene, const lb_ray *ray, lb_hit *hit,
                                  lb_counters *counters)
{
    counters->rays++;
    return lb_brute_closest(scene, ray, hit);
}

LB_FUNCTION bool lb_trace_any(const lb_scene *scene, const lb_ray *ray, lb_counters *counters)
{
    counters->rays++;
    return lb_brute_any(scene, ray);
}

#include "all_headers.h"

__global__ void render(const lb_scene *scene, lb_order order, uint32_t samples, lb_film_pixel *pixels,
                       uint8_t *bytes)
{
    const uint64_t position = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t place = lb_order_pixel(&order, position);
    lb_counters counters = {};
    if (place == LB_NO_PIXEL)
        return;
    const uint32_t x = (uint32_t)(place % order.width), y = (uint32_t)(place / order.width);
    for (uint32_t sample = 0; sample < samples; sample++) {
        lb_filter_place at;
        uint32_t iterations;
        lb_rgb c = scene->integrator.kind == LB_INTEGRATOR_MANDELBROT
                       ? lb_mandelbrot_radiance(scene, x, y, sample, &at, &iterations)
                       : lb_path_radiance(scene, x, y, sample, &at, NULL, &counters);
        lb_film_add(&pixels[position], &scene->film, samples, c, at.weight);
    }
    bytes[position] = lb_srgb_byte(lb_film_rgb(&pixels[position]).g);
}

// All stages of the wavefront on one index.
__global__ void stages(lb_wave wave)
{
    __shared__ lb_wide_entry fast[LB_WIDE_FAST];
    __shared__ lb_wide_aside aside;
    lb_wide_stack stack;
    stack.aside = &aside;
    stack.fast = fast;
    stack.stride = 1;
    lb_wave_begin(&wave, threadIdx.x);
    lb_wave_trace(&wave, &stack, wave.tree.asks);
    lb_wave_shade(&wave, threadIdx.x);
    lb_wave_shadow(&wave, &stack, wave.tree.asks);
    lb_wave_shadow_passing(&wave, threadIdx.x, &stack, wave.tree.asks);
    lb_wave_shade_volume(&wave, threadIdx.x);
    lb_wave_shadow_volume(&wave, threadIdx.x, &stack, wave.tree.asks);
    lb_wave_turn(&wave, threadIdx.x);
    lb_wave_reckon(&wave);
}

// What renderers do not call.
__global__ void rest(const float *x, float *y)
{
    y[0] = lb_tan(x[0]) + lb_asin(x[1]) + lb_acos(x[2]) + lb_atan2(x[3], x[4]) + lb_pow(x[5], x[6]) +
           lb_log(x[7]);
    y[1] = lb_floor(x[0]) + (float)lb_to_int(x[1]) + lb_next_down(x[2]);
}
