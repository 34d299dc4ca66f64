#include "strategies/sample.h"

#include <stdlib.h>
#include <string.h>

/* So many rounds of refinement that nothing moves any more: between speeds of 1 : 20 eight leave an error of 1e-9. */
enum { ROUNDS = 20 };

enum lb_status lb_sample_start(struct lb_sample *sample, const struct lb_trial *trial, struct lb_error *error)
{
    if (trial->processors > sample->capacity || trial->count > sample->band_capacity) {
        lb_sample_free(sample);
        sample->processors = calloc(trial->processors, sizeof *sample->processors);
        sample->bands = calloc(trial->count, sizeof *sample->bands);
        sample->groups = calloc(trial->count, sizeof *sample->groups);
        if (sample->processors == NULL || sample->bands == NULL || sample->groups == NULL)
            return lb_error_memory(error, NULL);
        sample->capacity = trial->processors;
        sample->band_capacity = trial->count;
    }
    sample->noise = 0;
    return LB_OK;
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
        group->cost += block->rows > 0 ? block->seconds * sample->processors[block->doer].speed : 0;
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
    for (uint32_t k = 0; k < trial->processors; k++)
        sample->processors[k].measured = (struct lb_speed){0};
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct lb_trial_block *block = &trial->blocks[i];
        if (block->rows > 0)
            lb_speed_add(&sample->processors[block->doer].measured, block->sample, block->seconds,
                         LB_SPEED_ALL);
    }
    for (uint32_t k = 0; k < trial->processors; k++) {
        struct lb_sample_processor *one = &sample->processors[k];
        double speed = lb_speed_of(&one->measured);
        if (speed > 0)
            one->speed = speed;
    }
}

/* Costs tell speeds and speeds tell costs, alternately, which is least squares of their product. */
static void settle(struct lb_sample *sample, struct lb_trial *trial, const struct lb_pace *pace)
{
    for (uint32_t k = 0; k < trial->processors; k++)
        sample->processors[k].speed = pace->speeds[k];
    for (int round = 0; round < ROUNDS; round++) {
        refer(sample, trial);
        compare(sample, trial);
    }
}

/* The noise of the sampled cost of the whole, told from how much neighbouring bands differ. */
static double noise_of(struct lb_sample *sample, const struct lb_trial *trial)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->blocks[i].rows > 0)
            sample->bands[count++] =
                (float)(trial->blocks[i].seconds * sample->processors[trial->blocks[i].doer].speed);
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
    free(sample->processors);
    free(sample->bands);
    free(sample->groups);
    *sample = (struct lb_sample){0};
}
