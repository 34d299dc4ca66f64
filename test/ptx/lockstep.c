/* Runs the kernels of test/ptx/lockstep.ptx on a warp in lockstep, and prints for each what it issued, over how many
 * lanes, and what the kernel left in memory. */
#include "bench/gpu/lockstep.h"

#include <stdio.h>

int main(void)
{
    static const char *const kernels[] = {"parts", "loops", "meets"};
    for (int i = 0; i < 3; i++) {
        struct lockstep_count count = {0};
        uint32_t memory = 0;
        const uint32_t *parameter = &memory;
        lockstep_launch(kernels[i], 1, 32, &parameter, sizeof parameter, &count);
        printf("%s %llu %llu %u\n", kernels[i], (unsigned long long)count.slots,
               (unsigned long long)count.lanes, memory);
    }
    return 0;
}
