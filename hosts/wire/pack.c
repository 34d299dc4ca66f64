#include "hosts/wire/pack.h"

#include "hosts/wire/message.h"

#include <string.h>
#include <zstd.h>

/* The level of zstd's that is its fastest one meant for all data. */
enum { LEVEL = 1 };
/* Fixed-point sums, weights and most arrays of a scene are numbers of 4 or 8 bytes whose upper bytes are much alike. So
 * the first bytes of all words of 8 bytes are put before all the second ones, and so on, before they are packed. */
enum { WORD = 8 };

static void spread(const unsigned char *from, size_t words, unsigned char *into)
{
    for (size_t byte = 0; byte < WORD; byte++)
        for (size_t i = 0; i < words; i++)
            into[byte * words + i] = from[i * WORD + byte];
}

static void gather(const unsigned char *from, size_t words, unsigned char *into)
{
    for (size_t byte = 0; byte < WORD; byte++)
        for (size_t i = 0; i < words; i++)
            into[i * WORD + byte] = from[byte * words + i];
}

size_t lb_pack(const void *from, size_t size, void *into)
{
    unsigned char planes[LB_STRIPE_BYTES];
    size_t words = size / WORD, tail = size % WORD;
    if (size > sizeof planes)
        return 0;
    spread(from, words, planes);
    memcpy(planes + words * WORD, (const unsigned char *)from + words * WORD, tail);
    size_t packed = ZSTD_compress(into, size - size / 16, planes, size, LEVEL);
    return ZSTD_isError(packed) ? 0 : packed;
}

bool lb_unpack(const void *from, size_t packed, void *into, size_t size)
{
    unsigned char planes[LB_STRIPE_BYTES];
    size_t words = size / WORD, tail = size % WORD;
    if (size > sizeof planes || ZSTD_decompress(planes, size, from, packed) != size)
        return false;
    gather(planes, words, into);
    memcpy((unsigned char *)into + words * WORD, planes + words * WORD, tail);
    return true;
}
