/* Opening a GPU: what it needs of memory, its code, the scene and the tree on it. */
#include "cuda/processor.h"
extern "C" {
#include "core/wave/wave_sizes.h"
#include "core/wave/wide_build.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum {
    /* The most and the fewest paths in step that a lane may have. The last rays of a launch are few, and take as long
     * however many there were: of 4 million they are a smaller part than of 1 million. */
    MOST_SLOTS = 1 << 22,
    LEAST_SLOTS = 1 << 14,
};

/* Opens the lanes, with as many paths in step as fit into half of the memory that is free, so that other programs keep
 * room. */
static cudaError_t open_lanes(struct lb_cuda_processor *own, size_t room)
{
    uint32_t slots = MOST_SLOTS, sums = own->host_scene->channels.count;
    struct lb_wave_sizes sizes = lb_wave_sizes_of(own->host_scene);
    while (slots > LEAST_SLOTS && slots / 2 >= own->options.part * MOST_SLOTS)
        slots /= 2;
    while (slots > LEAST_SLOTS && LB_CUDA_LANES * lb_lane_bytes(slots, sums, &sizes) > room / 2)
        slots /= 2;
    for (int i = 0; i < LB_CUDA_LANES; i++)
        LB_CUDA_TRY(lb_lane_open(&own->lane[i], slots, sums, &sizes, own->options.patience));
    return cudaSuccess;
}

/* Runs every kernel that the scene needs once, on no paths at all. So the memory that the device needs for its code and
 * stacks is taken before the free memory is counted, and a device for which there is no code is noticed now. */
static cudaError_t warm_up(const struct lb_cuda_processor *own)
{
    lb_wave nothing;
    memset(&nothing, 0, sizeof nothing);
    nothing.tree.asks = lb_wide_asks(own->host_scene);
    nothing.tree.few_ask = lb_wide_few_ask(own->host_scene) ? 1u : 0u;
    lb_wave_suit(&nothing, own->host_scene);
    nothing.gathers = lb_channels_gather(&own->host_scene->channels) ? 1u : 0u;
    nothing.volume = own->host_scene->any_volume;
    LB_CUDA_TRY(cudaMalloc((void **)&nothing.counts, sizeof *nothing.counts));
    lb_wave_at(&nothing, 0);
    cudaError_t status = cudaMemsetAsync(nothing.counts, 0, sizeof *nothing.counts, NULL);
    for (int stage = 0; stage < LB_WAVE_STAGES && status == cudaSuccess; stage++)
        status = lb_cuda_stage((enum lb_wave_stage)stage, &nothing, own->blocks, NULL);
    cudaError_t ended = cudaDeviceSynchronize();
    cudaError_t freed = cudaFree(nothing.counts);
    return status != cudaSuccess ? status : ended != cudaSuccess ? ended : freed;
}

/* Makes the device ready and tells how many bytes are free there. Threads that wait for it are to sleep. */
static cudaError_t prepare_device(struct lb_cuda_processor *own, size_t *room)
{
    int multiprocessors = 0;
    size_t all;
    LB_CUDA_TRY(cudaSetDevice(own->device));
    LB_CUDA_TRY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    LB_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, own->device));
    int used = (int)(multiprocessors * own->options.part);
    own->blocks = (used > 0 ? used : 1) * LB_CUDA_BLOCKS;
    LB_CUDA_TRY(warm_up(own));
    return cudaMemGetInfo(room, &all);
}

static cudaError_t upload(void **device, const void *host, size_t size)
{
    LB_CUDA_TRY(cudaMalloc(device, size));
    return cudaMemcpy(*device, host, size, cudaMemcpyHostToDevice);
}

/* Copies the scene and the tree to the device and opens the lanes. cudaMemcpy may return before its data has arrived,
 * and the lanes' streams do not wait for the default one: hence the wait. */
static cudaError_t fill_device(struct lb_cuda_processor *own, const struct lb_wide_block *wide, size_t room)
{
    size_t scene = (size_t)own->host_scene->size;
    LB_CUDA_TRY(upload(&own->scene, own->host_scene, scene));
    LB_CUDA_TRY(upload(&own->tree, wide->data, wide->size));
    LB_CUDA_TRY(cudaDeviceSynchronize());
    LB_CUDA_TRY(open_lanes(own, room - scene - wide->size));
    for (int i = 0; i < LB_CUDA_LANES; i++) {
        own->lane[i].wave.scene = (const lb_scene *)own->scene;
        own->lane[i].wave.tree = lb_wide_at(wide, own->tree);
        lb_wave_suit(&own->lane[i].wave, own->host_scene);
        if (own->host_scene->integrator.max_depth < LB_LANE_TURNS)
            own->lane[i].tail = own->host_scene->integrator.max_depth + 1;
    }
    return cudaSuccess;
}

static enum lb_status open_on_device(struct lb_cuda_processor *own, struct lb_error *error)
{
    const lb_scene *scene = own->host_scene;
    struct lb_wave_sizes sizes = lb_wave_sizes_of(scene);
    size_t room = 0, need = (size_t)scene->size + lb_wide_size(scene) +
                            LB_CUDA_LANES * lb_lane_bytes(LEAST_SLOTS, scene->channels.count, &sizes);
    cudaError_t status = prepare_device(own, &room);
    if (status != cudaSuccess)
        return lb_cuda_fail(own, "opening the device", status, error);
    if (need > room)
        return lb_error_set(error, LB_ERROR_MEMORY, "%s: the scene needs %.2f GiB, %.2f GiB are free there",
                            own->base.name, (double)need / 0x1p30, (double)room / 0x1p30);
    struct lb_wide_block wide;
    enum lb_status built = lb_wide_build(scene, &wide, error);
    if (built != LB_OK)
        return built;
    status = fill_device(own, &wide, room);
    lb_wide_free(&wide);
    return status == cudaSuccess ? LB_OK : lb_cuda_fail(own, "uploading the scene", status, error);
}

enum lb_status lb_cuda_processor_open(const lb_scene *scene, const struct lb_cuda_options *options,
                                      struct lb_processor **processor, struct lb_error *error)
{
    char reason[128];
    uint32_t count = lb_cuda_count(reason, sizeof reason);
    if (count == 0)
        return lb_error_set(error, LB_ERROR, "no CUDA device: %s", reason);
    if (options->index >= count)
        return lb_error_set(error, LB_ERROR, "no CUDA device %u: there are %u", options->index, count);
    struct lb_cuda_processor *own = (struct lb_cuda_processor *)calloc(1, sizeof *own);
    if (!own)
        return lb_error_memory(error, NULL);
    own->base.table = options->slow > 1 ? &lb_cuda_slow_table : &lb_cuda_processor_table;
    own->base.kind = LB_PROCESSOR_GPU;
    own->base.uncounted = true;
    snprintf(own->base.name, sizeof own->base.name, "cuda%u", options->index);
    own->host_scene = scene;
    own->options = *options;
    own->device = (int)options->index;
    own->lanes = LB_CUDA_LANES;
    enum lb_status status = open_on_device(own, error);
    if (status != LB_OK) {
        own->base.table->close(&own->base);
        return status;
    }
    *processor = &own->base;
    return LB_OK;
}
