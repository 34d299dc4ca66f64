/* Prints nothing and ends with 0 when all checksums of test/kernel_checksum.h hold for the compiler and
 * options that this was compiled with: see test/bats/kernel.bats. */
#include "test/kernel_checksum.h"

#include <stdio.h>

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < KERNEL_CHECKSUM_COUNT; i++) {
        uint64_t sum = kernel_checksum(i);
        if (sum != kernel_checksum_expected[i]) {
            printf("%s: checksum 0x%016llx, not 0x%016llx\n", kernel_checksum_names[i],
                   (unsigned long long)sum, (unsigned long long)kernel_checksum_expected[i]);
            wrong = 1;
        }
    }
    return wrong;
}
