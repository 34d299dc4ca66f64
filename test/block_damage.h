/* Damages the blocks of loaded scenes at random, and renders what the check of core/scene/check/check.h lets pass. */
#ifndef LB_TEST_BLOCK_DAMAGE_H
#define LB_TEST_BLOCK_DAMAGE_H

#include "core/cpu/cpu.h"
#include "core/kernel/order/make.h"
#include "core/scene/block/block_arrays.h"
#include "core/scene/check/check.h"
#include "core/scene/check/parts.h"
#include "core/scene/load.h"
#include "core/wave/unfit.h"
#include "core/wave/wave_host.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The bytes that say what one damage is. */
enum { DAMAGE_BYTES = 12 };

/* A copy of a block for damages: memory of just its size, so that AddressSanitizer sees what is read beyond it. */
static inline lb_scene *block_copy(const lb_scene *scene)
{
    lb_scene *copy = aligned_alloc(64, scene->size);
    if (!copy)
        abort();
    return memcpy(copy, scene, scene->size);
}

/* A part of a block: its head, or an array. */
struct block_part {
    char *first;
    uint64_t count, element; /* so many elements of so many bytes */
};

enum { BLOCK_PARTS = 64 };

/* Lists the parts that are not empty. Returns how many they are. */
static inline uint32_t block_parts(lb_scene *block, struct block_part parts[BLOCK_PARTS])
{
    uint32_t count = 1;
    parts[0] = (struct block_part){(char *)block, 1, sizeof *block};
#define LIST(name, type, decides, check)                                                                     \
    if (block->name.count > 0)                                                                               \
        parts[count++] =                                                                                     \
            (struct block_part){(char *)block + block->name.offset, block->name.count, sizeof(type)};
    LB_SCENE_ARRAYS(LIST)
#undef LIST
    return count;
}

/* A word to write: any, a small one, the length of an array or nearly, a float that is seldom. */
static inline uint32_t damage_word(const struct block_part *parts, uint32_t count, uint8_t kind,
                                   uint32_t value, uint32_t before)
{
    static const uint32_t seldom[] = {0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u,
                                      0x00000001u, 0x7f7fffffu, 0xbf800000u, 0xffffffffu};
    switch (kind % 7) {
    case 0:
        return value;
    case 1:
        return value % 16;
    case 2:
        return (uint32_t)parts[value % count].count + (value >> 16) % 3 - 1;
    case 3:
        return seldom[value % 8];
    case 4:
        return before ^ 1u << value % 32;
    case 5:
        return before + (value & 1 ? 1u : -1u);
    default:
        return before * 2 + (value & 1);
    }
}

/* Damages a word of the block, of which the parts were listed before the first damage. */
static inline void block_damage(const struct block_part *parts, uint32_t count,
                                const uint8_t bytes[DAMAGE_BYTES])
{
    uint32_t element, value, before;
    memcpy(&element, bytes + 2, sizeof element);
    memcpy(&value, bytes + 8, sizeof value);
    const struct block_part *part = &parts[bytes[0] % count];
    uint64_t words = part->element / sizeof before;
    char *at = part->first + element % part->count * part->element;
    if (words == 0) { /* an array of bytes */
        *at = (char)value;
        return;
    }
    at += (uint64_t)(bytes[6] | bytes[7] << 8) % words * sizeof before;
    memcpy(&before, at, sizeof before);
    value = damage_word(parts, count, bytes[1], value, before);
    memcpy(at, &value, sizeof value);
}

/* Makes short what would only take long: the numbers are in their limits, but all at once they would keep a test busy.
 * The block was checked. */
static inline void block_shorten(lb_scene *block)
{
    lb_material *materials = (lb_material *)(void *)((char *)block + block->materials.offset);
    lb_texture *textures = (lb_texture *)(void *)((char *)block + block->textures.offset);
    lb_integrator *integrator = &block->integrator;
    integrator->max_depth = integrator->max_depth < 6 ? integrator->max_depth : 6;
    integrator->max_iterations = integrator->max_iterations < 1000 ? integrator->max_iterations : 1000;
    for (uint64_t i = 0; i < block->materials.count; i++) {
        materials[i].max_depth = materials[i].max_depth < 16 ? materials[i].max_depth : 16;
        materials[i].samples = materials[i].samples < 2 ? materials[i].samples : 2;
    }
    for (uint64_t i = 0; i < block->textures.count; i++)
        textures[i].octaves = textures[i].octaves < 8 ? textures[i].octaves : 8;
}

static inline double block_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Renders some pixels of a block that was checked, one after the other, until a second is over. `how` chooses the
 * renderer: 1 and 2 other instruction sets, 3 the pipeline of GPUs; 0, and what this machine lacks or cannot render the
 * block, is the portable one. */
static inline void block_render(const lb_scene *block, uint32_t how, uint64_t first)
{
    enum { PIXELS = 24, SUMS = 128 };
    const lb_film *film = &block->film;
    lb_order order = lb_order_curve(film->width, film->height, LB_CURVE_ROWS);
    struct lb_processor *processor;
    struct lb_error error;
    enum lb_isa isa = how == 1 ? LB_ISA_AVX2 : how == 2 ? LB_ISA_AVX512 : LB_ISA_PORTABLE;
    enum lb_status status =
        how == 3 && !lb_wave_unfit(block)
            ? lb_wave_host_open(block, 0, 16, &processor, &error)
            : lb_cpu_processor_open(block, 0, lb_isa_runs(isa) ? isa : LB_ISA_PORTABLE, &processor, &error);
    if (status == LB_ERROR_MEMORY)
        return;
    if (status != LB_OK || block->channels.count > SUMS)
        abort();
    double end = block_seconds() + 1;
    for (uint64_t i = 0; i < PIXELS && i < order.count && block_seconds() < end; i++) {
        lb_film_pixel pixel;
        int64_t sums[SUMS];
        float cost;
        bool lost;
        uint64_t at = (first + i) % order.count;
        struct lb_work work = {.scene = block, .order = &order, .range = {at, at + 1}};
        work.sample_end = block->integrator.samples < 2 ? block->integrator.samples : 2;
        work.coverage = i % 16 == 15 && how != 3;
        struct lb_result result = {.pixels = &pixel, .cost = &cost, .sum_count = block->channels.count};
        result.sums = result.sum_count ? sums : NULL;
        if (processor->table->render(processor, &work, &result, &lost, &error) != LB_OK &&
            error.status != LB_ERROR_MEMORY)
            abort();
    }
    processor->table->close(processor);
}

#endif
