#include "core/base/crc32c.h"

#include <string.h>

/* Remainders of 4 bits, reflected polynomial 0x82f63b78. */
static uint32_t by_nibbles(uint32_t crc, const uint8_t *data, size_t size)
{
    static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
                                       0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *data,
                                                                 size_t size)
{
    uint64_t state = crc;
    for (; size >= 8; data += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, data, sizeof word);
        state = __builtin_ia32_crc32di(state, word);
    }
    for (; size; data++, size--)
        state = __builtin_ia32_crc32qi((uint32_t)state, *data);
    return (uint32_t)state;
}
#endif

uint32_t lb_crc32c(uint32_t crc, const void *data, size_t size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return ~by_instruction(~crc, data, size);
#endif
    return ~by_nibbles(~crc, data, size);
}
