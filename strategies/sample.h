/* What a sample of a frame tells: what its bands cost, and how fast the processors are that did them. */
#ifndef LB_STRATEGIES_SAMPLE_H
#define LB_STRATEGIES_SAMPLE_H

#include "strategies/pace.h"
#include "strategies/trial.h"

/* What a processor measured in all bands that it did. */
struct lb_sample_processor {
    struct lb_speed measured; /* in what the bands should cost */
    double speed;
};

struct lb_sample_group {
    double cost, pixels;
};

/* Memory for the counting, kept from frame to frame; all zero before the first. */
struct lb_sample {
    struct lb_sample_processor *processors;
    float *bands;                   /* the cost of each band */
    struct lb_sample_group *groups; /* of blocks; at most as many */
    uint32_t capacity;
    size_t band_capacity;
    double noise; /* the relative standard error of the sample's whole; 0: costs known, or no bands */
};

/* After lb_trial_start. */
enum lb_status lb_sample_start(struct lb_sample *sample, const struct lb_trial *trial,
                               struct lb_error *error);
/* Once all bands are done: the pace follows, and each band's `sample` becomes its time by its doer's speed. `known`:
 * the true costs, or NULL. */
void lb_sample_measure(struct lb_sample *sample, struct lb_trial *trial, const struct lb_density *known,
                       struct lb_pace *pace);
/* The cost of a block's band. */
double lb_sample_band(const struct lb_density *density, const struct lb_trial_block *block);
void lb_sample_free(struct lb_sample *sample);

#endif
