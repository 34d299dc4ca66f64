#include "strategies/sample.h"

#include <stdlib.h>
#include <string.h>

/* Until nothing moves: between speeds of 1 : 20 eight leave some 1e-9. */
enum { ROUNDS = 20 };

static void free_processors(struct lb_sample *sample)
{
    free(sample->cost);
    free(sample->seconds);
    free(sample->speeds);
    sample->cost = sample->seconds = sample->speeds = NULL;
    sample->capacity = 0;
}

static void free_bands(struct lb_sample *sample)
{
    free(sample->bands);
    free(sample->groups);
    sample->bands = NULL;
    sample->groups = NULL;
    sample->band_capacity = 0;
}

enum lb_status lb_sample_start(struct lb_sample *sample, const struct lb_trial *trial, struct lb_error *error)
{
    bool all = true;
    sample->noise = 0;
    if (trial->processors > sample->capacity) {
        free_processors(sample);
        sample->cost = calloc(trial->processors, sizeof *sample->cost);
        sample->seconds = calloc(trial->processors, sizeof *sample->seconds);
        sample->speeds = calloc(trial->processors, sizeof *sample->speeds);
        all = sample->cost != NULL && sample->seconds != NULL && sample->speeds != NULL;
        sample->capacity = all ? trial->processors : 0;
    }
    if (trial->count > sample->band_capacity) {
        free_bands(sample);
        sample->bands = calloc(trial->count, sizeof *sample->bands);
        sample->groups = calloc(trial->count, sizeof *sample->groups);
        bool both = sample->bands != NULL && sample->groups != NULL;
        sample->band_capacity = both ? trial->count : 0;
        all = all && both;
    }
    return all ? LB_OK : lb_error_memory(error, NULL);
}

static double band_pixels(const struct lb_trial_block *block)
{
    return (double)block->area.width * block->rows;
}

double lb_sample_band(const struct lb_density *density, const struct lb_trial_block *block)
{
    const lb_rectangle *area = &block->area;
    uint32_t y = area->y + block->from;
    return lb_density_of(density, area->x, y, area->x + area->width, y + block->rows);
}

/* What a band should cost: as much a pixel as those of its group, by the speeds as they are taken to be. */
static void refer(const struct lb_sample *sample, struct lb_trial *trial)
{
    memset(sample->groups, 0, trial->count * sizeof *sample->groups);
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct lb_trial_block *block = &trial->blocks[i];
        struct lb_sample_group *group = &sample->groups[block->group];
        group->cost += block->rows > 0 ? block->seconds * sample->speeds[block->doer] : 0;
        group->pixels += band_pixels(block);
    }
    for (uint32_t i = 0; i < trial->count; i++) {
        struct lb_trial_block *block = &trial->blocks[i];
        const struct lb_sample_group *group = &sample->groups[block->group];
        if (block->rows > 0)
            block->sample = group->cost / group->pixels * band_pixels(block);
    }
}

/* Speeds that tell how long everybody took for what the bands should cost. */
static void compare(struct lb_sample *sample, const struct lb_trial *trial)
{
    memset(sample->cost, 0, trial->processors * sizeof *sample->cost);
    memset(sample->seconds, 0, trial->processors * sizeof *sample->seconds);
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct lb_trial_block *block = &trial->blocks[i];
        if (block->rows == 0)
            continue;
        sample->cost[block->doer] += block->sample;
        sample->seconds[block->doer] += block->seconds;
    }
    for (uint32_t k = 0; k < trial->processors; k++)
        if (sample->cost[k] > 0 && sample->seconds[k] > 0)
            sample->speeds[k] = sample->cost[k] / sample->seconds[k];
}

/* Costs tell speeds and speeds tell costs, alternately, which is least squares of their product. */
static void settle(struct lb_sample *sample, struct lb_trial *trial, const struct lb_pace *pace)
{
    memcpy(sample->speeds, pace->speeds, trial->processors * sizeof *sample->speeds);
    for (int round = 0; round < ROUNDS; round++) {
        refer(sample, trial);
        compare(sample, trial);
    }
}

/* Of the whole, by what neighbouring bands differ. */
static double noise_of(struct lb_sample *sample, const struct lb_trial *trial)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->blocks[i].rows > 0)
            sample->bands[count++] =
                (float)(trial->blocks[i].seconds * sample->speeds[trial->blocks[i].doer]);
    return lb_pace_noise(sample->bands, count);
}

void lb_sample_measure(struct lb_sample *sample, struct lb_trial *trial, const struct lb_density *known,
                       struct lb_pace *pace)
{
    for (uint32_t i = 0; known != NULL && i < trial->count; i++)
        trial->blocks[i].sample = lb_sample_band(known, &trial->blocks[i]);
    if (known == NULL)
        settle(sample, trial, pace);
    sample->noise = known == NULL ? noise_of(sample, trial) : 0;
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->blocks[i].rows > 0)
            lb_pace_add(pace, trial->blocks[i].doer, trial->blocks[i].sample, trial->blocks[i].seconds);
    lb_pace_learn(pace, sample->noise);
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->blocks[i].rows > 0)
            trial->blocks[i].sample = trial->blocks[i].seconds * pace->speeds[trial->blocks[i].doer];
}

void lb_sample_free(struct lb_sample *sample)
{
    free_processors(sample);
    free_bands(sample);
    *sample = (struct lb_sample){0};
}
