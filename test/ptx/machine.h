/* A GPU for C that test/ptx/translate.py made of PTX: what the instructions do, by the PTX ISA's words, and threads
 * that run in blocks and warps, each a fiber of its own that stops where it must meet others. */
#ifndef LB_TEST_PTX_MACHINE_H
#define LB_TEST_PTX_MACHINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PTX_UNSET 0xa5a5a5a5a5a5a5a5ull /* what a register holds before anything is put there */

struct ptx_block {
    uint32_t index, blocks, threads;
    char *shared;
};

struct ptx_thread {
    uint32_t thread; /* its number in the block */
    const struct ptx_block *block;
};

typedef void ptx_kernel(struct ptx_thread *self, char *result, char *parameter);

struct ptx_entry {
    const char *name;
    ptx_kernel *kernel;
};

/* Made by the translator: the kernels, ended by NULL, each of one parameter; and the shared memory that they take
 * together. */
extern const struct ptx_entry ptx_entries[];
extern const uint32_t ptx_shared_bytes;

/* Runs a kernel over a grid, block after block. `seed` chooses the order in which threads go on and which of those that
 * could meet without being told to (activemask) do. Aborts with a message on what a GPU would not survive. */
void ptx_launch(ptx_kernel *kernel, uint32_t blocks, uint32_t threads, const void *parameter, size_t size,
                uint32_t seed);

enum ptx_meeting { PTX_ACTIVE, PTX_SHUFFLE, PTX_BALLOT, PTX_MATCH, PTX_BARRIER };

/* Waits for the other threads of a warp (of the block: a barrier) at the same kind of instruction, and gives its
 * result. */
uint32_t ptx_meet(struct ptx_thread *self, enum ptx_meeting kind, uint32_t site, uint32_t mask,
                  uint32_t value, uint32_t source);

/* Made by the translator where it is to count (--lockstep), for each function and basic block: how many instructions a
 * GPU issues for it, and at which block threads that part behind it meet again; the number behind the last one is the
 * function's end. */
struct ptx_step_about {
    uint32_t slots, meet;
};
extern const struct ptx_step_about *const ptx_steps[];

/* Where there are steps: a thread is at the begin of a basic block, and waits until its warp runs that. */
void ptx_step(struct ptx_thread *self, uint32_t function, uint32_t block);

_Noreturn void ptx_fail(const char *what, uint64_t address);

#define ptx_need(condition) ((condition) ? (void)0 : ptx_fail("not expected: " #condition, 0))

/* ---- memory: addresses are the host's, shared ones offsets ---- */

static inline char *ptx_at(uint64_t address, uint32_t size)
{
    if (address < 4096)
        ptx_fail("a null pointer", address);
    if (address % size != 0)
        ptx_fail("a misaligned address", address);
    return (char *)address;
}

static inline uint64_t ptx_shared(const struct ptx_thread *self, uint64_t offset)
{
    return (uint64_t)self->block->shared + offset;
}

static inline uint64_t ptx_shared_offset(const struct ptx_thread *self, uint64_t address)
{
    return address - (uint64_t)self->block->shared;
}

#define PTX_MEMORY(bits)                                                                                     \
    static inline uint##bits##_t ptx_load##bits(const char *from)                                            \
    {                                                                                                        \
        uint##bits##_t value;                                                                                \
        memcpy(&value, from, sizeof value);                                                                  \
        return value;                                                                                        \
    }                                                                                                        \
    static inline void ptx_store##bits(char *to, uint##bits##_t value)                                       \
    {                                                                                                        \
        memcpy(to, &value, sizeof value);                                                                    \
    }
PTX_MEMORY(8)
PTX_MEMORY(16)
PTX_MEMORY(32)
PTX_MEMORY(64)

/* Threads take turns and stop at meetings alone, so that these need no lock. */
#define PTX_ATOM(name, bits, result)                                                                         \
    static inline uint##bits##_t ptx_atom_##name##_##bits(char *at, uint##bits##_t b)                        \
    {                                                                                                        \
        uint##bits##_t a = ptx_load##bits(at);                                                               \
        ptx_store##bits(at, (result));                                                                       \
        return a;                                                                                            \
    }
PTX_ATOM(add, 32, a + b)
PTX_ATOM(add, 64, a + b)
PTX_ATOM(max, 32, a > b ? a : b)
PTX_ATOM(max, 64, a > b ? a : b)
PTX_ATOM(min, 32, a < b ? a : b)
PTX_ATOM(min, 64, a < b ? a : b)
PTX_ATOM(or, 32, a | b)
PTX_ATOM(or, 64, a | b)
PTX_ATOM(and, 32, a &b)
PTX_ATOM(and, 64, a &b)
PTX_ATOM(exch, 32, b)
PTX_ATOM(exch, 64, b)

/* ---- floating point: the host's is IEEE's; every NaN that single precision makes is the GPU's one ---- */

static inline float ptx_f32(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double ptx_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t ptx_b32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7fffffffu : bits;
}

static inline uint64_t ptx_b64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float ptx_fma_f32(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}

static inline double ptx_fma_f64(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}

static inline float ptx_sqrt_f32(float a)
{
    return __builtin_sqrtf(a);
}

static inline double ptx_sqrt_f64(double a)
{
    return __builtin_sqrt(a);
}

/* The number where one is NaN; -0 is less than +0. */
#define PTX_EXTREMES(kind, type)                                                                             \
    static inline type ptx_min_##kind(type a, type b)                                                        \
    {                                                                                                        \
        if (a != a || b != b)                                                                                \
            return a != a ? b : a;                                                                           \
        return a == b ? (__builtin_signbit(a) ? a : b) : a < b ? a : b;                                      \
    }                                                                                                        \
    static inline type ptx_max_##kind(type a, type b)                                                        \
    {                                                                                                        \
        if (a != a || b != b)                                                                                \
            return a != a ? b : a;                                                                           \
        return a == b ? (__builtin_signbit(a) ? b : a) : a > b ? a : b;                                      \
    }
PTX_EXTREMES(f32, float)
PTX_EXTREMES(f64, double)

/* Towards zero; beyond the range its nearest end; NaN gives 0, but with 64 bits on either side the top bit alone. */
#define PTX_CONVERT(to, type, low, high, from, real, nan)                                                    \
    static inline type ptx_cvt_rzi_##to##_##from(real a)                                                     \
    {                                                                                                        \
        real whole =                                                                                         \
            sizeof(real) == 4 ? (real)__builtin_truncf((float)a) : (real)__builtin_trunc((double)a);         \
        if (a != a)                                                                                          \
            return (type)(nan);                                                                              \
        if (whole < (real)(low))                                                                             \
            return (low);                                                                                    \
        return whole >= (real)(high) ? (high) : (type)whole;                                                 \
    }
PTX_CONVERT(s32, int32_t, INT32_MIN, INT32_MAX, f32, float, 0)
PTX_CONVERT(u32, uint32_t, 0u, UINT32_MAX, f32, float, 0)
PTX_CONVERT(s64, int64_t, INT64_MIN, INT64_MAX, f32, float, INT64_MIN)
PTX_CONVERT(u64, uint64_t, 0u, UINT64_MAX, f32, float, 1ull << 63)
PTX_CONVERT(s32, int32_t, INT32_MIN, INT32_MAX, f64, double, INT32_MIN)
PTX_CONVERT(u32, uint32_t, 0u, UINT32_MAX, f64, double, 1u << 31)
PTX_CONVERT(s64, int64_t, INT64_MIN, INT64_MAX, f64, double, INT64_MIN)
PTX_CONVERT(u64, uint64_t, 0u, UINT64_MAX, f64, double, 1ull << 63)

/* ---- integers ---- */

#define PTX_INTEGER(kind, type)                                                                              \
    static inline type ptx_div_##kind(type a, type b)                                                        \
    {                                                                                                        \
        if (b == 0)                                                                                          \
            ptx_fail("a division by zero", 0);                                                               \
        return a / b;                                                                                        \
    }                                                                                                        \
    static inline type ptx_rem_##kind(type a, type b)                                                        \
    {                                                                                                        \
        if (b == 0)                                                                                          \
            ptx_fail("a division by zero", 0);                                                               \
        return a % b;                                                                                        \
    }                                                                                                        \
    static inline type ptx_min_##kind(type a, type b)                                                        \
    {                                                                                                        \
        return a < b ? a : b;                                                                                \
    }                                                                                                        \
    static inline type ptx_max_##kind(type a, type b)                                                        \
    {                                                                                                        \
        return a > b ? a : b;                                                                                \
    }
PTX_INTEGER(s16, int16_t)
PTX_INTEGER(u16, uint16_t)
PTX_INTEGER(s32, int32_t)
PTX_INTEGER(u32, uint32_t)
PTX_INTEGER(s64, int64_t)
PTX_INTEGER(u64, uint64_t)

/* `length` bits of a from `from` on; of signed ones the last is spread upwards. */
#define PTX_FIELD(width, last)                                                                               \
    static inline uint##width##_t ptx_bfe_u##width(uint##width##_t a, uint32_t from, uint32_t length)        \
    {                                                                                                        \
        from &= 255u;                                                                                        \
        length &= 255u;                                                                                      \
        if (from >= width || length == 0)                                                                    \
            return 0;                                                                                        \
        a >>= from;                                                                                          \
        return length < width ? a & (((uint##width##_t)1 << length) - 1) : a;                                \
    }                                                                                                        \
    static inline int##width##_t ptx_bfe_s##width(int##width##_t a, uint32_t from, uint32_t length)          \
    {                                                                                                        \
        from &= 255u;                                                                                        \
        length &= 255u;                                                                                      \
        uint32_t top = length == 0 ? 0 : from + length - 1 < last ? from + length - 1 : last;                \
        bool sign = length > 0 && (a >> top & 1) != 0;                                                       \
        uint##width##_t field = ptx_bfe_u##width((uint##width##_t)a, from, length);                          \
        if (sign && length < width)                                                                          \
            field |= ~(uint##width##_t)0 << (from >= width ? 0 : top - from);                                \
        return (int##width##_t)field;                                                                        \
    }                                                                                                        \
    static inline uint##width##_t ptx_bfi_b##width(uint##width##_t a, uint##width##_t b, uint32_t from,      \
                                                   uint32_t length)                                          \
    {                                                                                                        \
        from &= 255u;                                                                                        \
        length &= 255u;                                                                                      \
        if (from >= width || length == 0)                                                                    \
            return b;                                                                                        \
        uint##width##_t mask = (length < width ? ((uint##width##_t)1 << length) - 1 : ~(uint##width##_t)0)   \
                               << from;                                                                      \
        return (b & ~mask) | (a << from & mask);                                                             \
    }                                                                                                        \
    static inline uint##width##_t ptx_brev_b##width(uint##width##_t a)                                       \
    {                                                                                                        \
        uint##width##_t reversed = 0;                                                                        \
        for (int i = 0; i < width; i++)                                                                      \
            reversed |= (a >> i & 1) << (last - i);                                                          \
        return reversed;                                                                                     \
    }
PTX_FIELD(32, 31)
PTX_FIELD(64, 63)

static inline uint32_t ptx_prmt(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t choice = selector >> (4 * i) & 15u, byte = bytes >> (8 * (choice & 7u)) & 255u;
        if (choice & 8u)
            byte = byte & 128u ? 255u : 0u;
        result |= byte << (8 * i);
    }
    return result;
}

#endif
