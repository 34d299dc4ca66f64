/* Rays through the GPU's own kernels, one stage at a time, for bench/gpu/rays.c. */
#ifndef LB_BENCH_GPU_RAYS_DEVICE_H
#define LB_BENCH_GPU_RAYS_DEVICE_H

#include "core/base/error.h"
#include "core/kernel/scene/scene.h"
#include "core/wave/wide_build.h"

struct rays_device;

/* Uploads the scene and its tree; room for `most` rays. Closed by rays_device_close, also after an error. */
enum lb_status rays_device_open(const lb_scene *scene, const struct lb_wide_block *wide, int gpu,
                                uint32_t most, struct rays_device **device, struct lb_error *error);
void rays_device_close(struct rays_device *device);
/* Gives the device rays to trace: as a path's next (closest hit), or as shadow rays (any hit). */
enum lb_status rays_device_load(struct rays_device *device, const lb_ray *rays, uint32_t count, bool shadow,
                                struct lb_error *error);
/* Says which kernel traces from now on: the scene's own (LB_WIDE_OPAQUE for triangles alone), or one that asks what it
 * meets (enum lb_wide_asks), as scenes with disks, spheres or alpha need it; LB_WIDE_FIRST: the two that take that
 * one's place where few primitives ask. */
void rays_device_ask(struct rays_device *device, uint32_t asks);
/* Traces them once. `seconds`: the kernel's, or both kernels', by the device's clock. */
enum lb_status rays_device_trace(struct rays_device *device, double *seconds, struct lb_error *error);
/* The closest hits of the last trace, `count` of them, as lb_wide_name takes them; or of shadow rays whether something
 * was hit: shape is then LB_NONE or 0. */
enum lb_status rays_device_hits(struct rays_device *device, lb_hit *hits, struct lb_error *error);

#endif
