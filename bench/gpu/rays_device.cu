extern "C" {
#include "bench/gpu/rays_device.h"
}
#include "cuda/kernels.h"
#include "cuda/try.h"
#include "cuda/wait.h"
extern "C" {
#include "core/wave/wave_place.h"
}

#include <cstdlib>
#include <cstring>

static const double PATIENCE = 60; // seconds

struct rays_device {
    lb_wave wave; // all pointers are the device's
    void *scene, *tree, *block;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    int blocks;
    uint32_t count;
    bool shadow;
};

static enum lb_status told(cudaError_t status, struct lb_error *error)
{
    return status == cudaSuccess ? LB_OK
                                 : lb_error_set(error, LB_ERROR, "GPU: %s", cudaGetErrorString(status));
}

static cudaError_t upload(void **device, const void *host, size_t size)
{
    LB_CUDA_TRY(cudaMalloc(device, size));
    return cudaMemcpy(*device, host, size, cudaMemcpyHostToDevice);
}

static cudaError_t open_device(struct rays_device *own, const lb_scene *scene, int gpu, uint32_t most,
                               const struct lb_wide_block *wide)
{
    int multiprocessors;
    LB_CUDA_TRY(cudaSetDevice(gpu));
    LB_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu));
    own->blocks = multiprocessors * LB_CUDA_BLOCKS;
    LB_CUDA_TRY(cudaStreamCreateWithFlags(&own->stream, cudaStreamNonBlocking));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&own->begin, cudaEventDefault));
    LB_CUDA_TRY(cudaEventCreateWithFlags(&own->end, cudaEventDefault));
    LB_CUDA_TRY(upload(&own->scene, scene, (size_t)scene->size));
    LB_CUDA_TRY(upload(&own->tree, wide->data, wide->size));
    struct lb_wave_sizes sizes = lb_wave_sizes_of(scene);
    LB_CUDA_TRY(cudaMalloc(&own->block, lb_wave_place(&own->wave, NULL, most, 0, 0, &sizes)));
    lb_wave_place(&own->wave, own->block, most, 0, 0, &sizes);
    own->wave.scene = (const lb_scene *)own->scene;
    own->wave.tree = lb_wide_at(wide, own->tree);
    lb_wave_suit(&own->wave, scene);
    return cudaDeviceSynchronize();
}

enum lb_status rays_device_open(const lb_scene *scene, const struct lb_wide_block *wide, int gpu,
                                uint32_t most, struct rays_device **device, struct lb_error *error)
{
    *device = (struct rays_device *)calloc(1, sizeof **device);
    if (!*device)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    return told(open_device(*device, scene, gpu, most, wide), error);
}

void rays_device_close(struct rays_device *own)
{
    if (!own)
        return;
    cudaDeviceSynchronize();
    if (own->begin)
        cudaEventDestroy(own->begin);
    if (own->end)
        cudaEventDestroy(own->end);
    if (own->stream)
        cudaStreamDestroy(own->stream);
    cudaFree(own->scene);
    cudaFree(own->tree);
    cudaFree(own->block);
    free(own);
}

// A slot a ray, in a queue that holds all of them in order; from `made`, which is as the kernel's stage finds it.
template <class Element>
static cudaError_t put(struct rays_device *own, Element *to, const Element *made, uint32_t *queue)
{
    uint32_t *numbers = (uint32_t *)malloc(own->count * sizeof *numbers);
    if (!numbers)
        return cudaErrorMemoryAllocation;
    for (uint32_t i = 0; i < own->count; i++)
        numbers[i] = i;
    cudaError_t status = cudaMemcpy(to, made, own->count * sizeof *to, cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(queue, numbers, own->count * sizeof *queue, cudaMemcpyHostToDevice);
    free(numbers);
    return status;
}

static cudaError_t load(struct rays_device *own, lb_path *paths, lb_shadow *shadows, const lb_ray *rays)
{
    lb_wave_counts counts;
    memset(&counts, 0, sizeof counts);
    (own->shadow ? counts.shadows : counts.active[0]) = own->count;
    for (uint32_t i = 0; i < own->count; i++) {
        paths[i].ray = shadows[i].ray = rays[i];
        shadows[i].contribution.r = 1.0f; // arrives where nothing was hit
        shadows[i].active = 1;
    }
    LB_CUDA_TRY(put(own, own->wave.paths, paths, own->wave.active[0]));
    LB_CUDA_TRY(put(own, own->wave.shadows, shadows, own->wave.shadow));
    LB_CUDA_TRY(cudaMemcpy(own->wave.counts, &counts, sizeof counts, cudaMemcpyHostToDevice));
    return cudaDeviceSynchronize();
}

enum lb_status rays_device_load(struct rays_device *own, const lb_ray *rays, uint32_t count, bool shadow,
                                struct lb_error *error)
{
    lb_path *paths = (lb_path *)calloc(count, sizeof *paths);
    lb_shadow *shadows = (lb_shadow *)calloc(count, sizeof *shadows);
    own->count = count;
    own->shadow = shadow;
    cudaError_t status = paths && shadows ? load(own, paths, shadows, rays) : cudaErrorMemoryAllocation;
    free(paths);
    free(shadows);
    return told(status, error);
}

void rays_device_ask(struct rays_device *own, uint32_t asks)
{
    own->wave.puts_off = asks == LB_WIDE_FIRST ? 1u : 0u;
    own->wave.tree.asks = own->wave.puts_off ? (uint32_t)LB_WIDE_ASKING : asks;
}

// What the last trace has counted, on the device, is none again.
static cudaError_t zero_counts(struct rays_device *own)
{
    lb_wave_counts *counts = own->wave.counts;
    uint32_t *taken = own->shadow ? &counts->shadowed : &counts->traced;
    LB_CUDA_TRY(cudaMemsetAsync(taken, 0, sizeof *taken, own->stream));
    LB_CUDA_TRY(cudaMemsetAsync(counts->put_off, 0, sizeof counts->put_off, own->stream));
    return cudaMemsetAsync(counts->resumed, 0, sizeof counts->resumed, own->stream);
}

static cudaError_t trace(struct rays_device *own, double *seconds)
{
    float milliseconds = 0.0f;
    enum lb_wave_stage first = own->shadow ? LB_WAVE_SHADOW : LB_WAVE_TRACE;
    enum lb_wave_stage rest = own->shadow ? LB_WAVE_SHADOW_REST : LB_WAVE_TRACE_REST;
    LB_CUDA_TRY(zero_counts(own));
    LB_CUDA_TRY(cudaEventRecord(own->begin, own->stream));
    LB_CUDA_TRY(lb_cuda_stage(first, &own->wave, own->blocks, own->stream));
    LB_CUDA_TRY(lb_cuda_stage(rest, &own->wave, own->blocks, own->stream));
    LB_CUDA_TRY(cudaEventRecord(own->end, own->stream));
    LB_CUDA_TRY(lb_cuda_wait(own->end, PATIENCE, NULL));
    LB_CUDA_TRY(cudaEventElapsedTime(&milliseconds, own->begin, own->end));
    *seconds = 1e-3 * (double)milliseconds;
    return cudaSuccess;
}

enum lb_status rays_device_trace(struct rays_device *own, double *seconds, struct lb_error *error)
{
    return told(trace(own, seconds), error);
}

enum lb_status rays_device_hits(struct rays_device *own, lb_hit *hits, struct lb_error *error)
{
    if (!own->shadow)
        return told(cudaMemcpy(hits, own->wave.hits, own->count * sizeof *hits, cudaMemcpyDeviceToHost),
                    error);
    lb_path *paths = (lb_path *)calloc(own->count, sizeof *paths);
    if (!paths)
        return lb_error_set(error, LB_ERROR_MEMORY, "out of memory");
    cudaError_t status =
        cudaMemcpy(paths, own->wave.paths, own->count * sizeof *paths, cudaMemcpyDeviceToHost);
    for (uint32_t i = 0; i < own->count; i++)
        hits[i].primitive.shape = paths[i].radiance.r > 0.0f ? LB_NONE : 0;
    free(paths);
    return told(status, error);
}
