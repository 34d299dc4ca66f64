// The checksums of test/kernel_checksum.h as nvcc's host compiler and, where there is a GPU, as the GPU makes them.
#include "test/kernel_checksum.h"

#include <cstdio>

__global__ void checksums(unsigned long long *sums)
{
    const uint32_t threads = gridDim.x * blockDim.x, share = KERNEL_CHECKSUM_RESULTS / threads;
    const uint32_t first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
    for (int i = 0; i < KERNEL_CHECKSUM_COUNT; i++)
        atomicAdd(&sums[i], (unsigned long long)kernel_checksum_range(i, first, first + share));
}

static int differences(const char *where, const unsigned long long *sums)
{
    int wrong = 0;
    for (int i = 0; i < KERNEL_CHECKSUM_COUNT; i++) {
        if (sums[i] != kernel_checksum_expected[i]) {
            std::printf("%s: %s: checksum 0x%016llx, not 0x%016llx\n", where, kernel_checksum_names[i],
                        sums[i], (unsigned long long)kernel_checksum_expected[i]);
            wrong++;
        }
    }
    return wrong;
}

// Exit status 0: all equal; 1: not; 77: equal on the host, and there is no GPU.
int main()
{
    unsigned long long sums[KERNEL_CHECKSUM_COUNT], *device = nullptr;
    for (int i = 0; i < KERNEL_CHECKSUM_COUNT; i++)
        sums[i] = kernel_checksum(i);
    int wrong = differences("host", sums), gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
        return wrong != 0 ? 1 : 77;
    cudaMalloc(&device, sizeof sums);
    cudaMemset(device, 0, sizeof sums);
    checksums<<<128, 128>>>(device);
    if (cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost) != cudaSuccess) {
        std::printf("device: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaFree(device);
    return wrong + differences("device", sums) != 0 ? 1 : 0;
}
