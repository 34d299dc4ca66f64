/* Which GPUs there are, and what they are called. */
#include "cuda/kernels.h"
extern "C" {
#include "cuda/cuda.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* Says why there is no GPU, in a few words. */
static void say_reason(cudaError_t status, char *reason, size_t size)
{
    int driver = 0, runtime = 0;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        snprintf(reason, size, "there is no NVIDIA driver, or its libcuda.so.1 is off the loader's path");
    else if (status == cudaErrorInsufficientDriver && cudaRuntimeGetVersion(&runtime) == cudaSuccess)
        snprintf(reason, size, "the driver, for CUDA %d.%d, is too old for this lbrender's CUDA %d.%d",
                 driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    else if (status == cudaErrorNoDevice && visible)
        snprintf(reason, size, "CUDA_VISIBLE_DEVICES is \"%s\"", visible);
    else
        snprintf(reason, size, "%s", cudaGetErrorString(status));
}

uint32_t lb_cuda_count(char *reason, size_t size)
{
    int count = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaSuccess && count == 0)
        status = cudaErrorNoDevice;
    if (status == cudaSuccess)
        return (uint32_t)count;
    say_reason(status, reason, size);
    cudaGetLastError();
    return 0;
}

void lb_cuda_describe(uint32_t index, char *text, size_t size)
{
    cudaDeviceProp properties;
    cudaError_t status = cudaGetDeviceProperties(&properties, (int)index);
    if (status != cudaSuccess)
        snprintf(text, size, "%s", cudaGetErrorString(status));
    else
        snprintf(text, size, "%s, %.1f GiB, sm_%d%d, %d multiprocessors", properties.name,
                 (double)properties.totalGlobalMem / 0x1p30, properties.major, properties.minor,
                 properties.multiProcessorCount);
}

bool lb_cuda_forewarn(uint32_t index, char *text, size_t size)
{
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, (int)index) != cudaSuccess ||
        lb_cuda_compiled_for(properties.major, properties.minor))
        return false;
    int arch = properties.major * 10 + properties.minor;
    const char *disabled = getenv("CUDA_CACHE_DISABLE"), *path = getenv("CUDA_CACHE_PATH");
    if (disabled && strcmp(disabled, "0") != 0)
        snprintf(text, size,
                 "the driver compiles the kernels for sm_%d, a minute's work every time, as "
                 "CUDA_CACHE_DISABLE is set",
                 arch);
    else
        snprintf(text, size,
                 "the driver compiles the kernels for sm_%d, a minute's work at first, and keeps them in %s",
                 arch, path ? path : "~/.nv/ComputeCache");
    return true;
}
