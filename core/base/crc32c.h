/* CRC-32C (Castagnoli), by which pictures are told apart. */
#ifndef LB_CORE_BASE_CRC32C_H
#define LB_CORE_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes that follow those of which `crc` is the checksum; 0 before the first. */
uint32_t lb_crc32c(uint32_t crc, const void *data, size_t size);

#endif
