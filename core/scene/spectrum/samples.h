/* Spectra as samples each nanometre. Private to core/scene. */
#ifndef LB_CORE_SCENE_SPECTRUM_SAMPLES_H
#define LB_CORE_SCENE_SPECTRUM_SAMPLES_H

#include "core/language/description.h"
#include "core/scene/spectrum/data.h"

enum { LB_SAMPLES_COUNT = LB_SPECTRUM_LAST - LB_SPECTRUM_FIRST + 1 };

/* values[i] is that at LB_SPECTRUM_FIRST + i nm. */
struct lb_samples {
    double values[LB_SAMPLES_COUNT];
};

/* The table of that name in a list, or NULL. */
const float *lb_samples_table(const struct lb_spectrum_table *list, const char *name);
/* Linear between the table's values. */
void lb_samples_expand(const float *table, struct lb_samples *samples);
/* Gives all wavelengths from 780 nm on the value there: the tables of the CIE's illuminants ended so when red, green
 * and blue were first made of them, and pictures keep their bytes. */
void lb_samples_end_evenly(struct lb_samples *samples);
/* Cubic between them, four at a time, as suits curves that are smooth: of the eye's responses that is within 0.0024 of
 * what the CIE has each nanometre, where straight lines are up to 0.016 off. */
void lb_samples_expand_smooth(const float *table, struct lb_samples *samples);
/* Planck's law for `kelvin` > 0, the largest value 1. Returns what part that value is of the largest at any
 * wavelength. */
double lb_samples_blackbody(double kelvin, struct lb_samples *samples);
/* What a parameter of type blackbody or spectrum says, where light is spectra: a name, a file of pairs, pairs (linear
 * between them, 0 outside them). Values that are negative or no numbers, and wavelengths that do not rise, are
 * errors. */
enum lb_status lb_samples_read_spectral(const struct lb_description *description,
                                        const struct lb_parameter *parameter, struct lb_arena *arena,
                                        const struct lb_log *log, struct lb_samples *samples,
                                        struct lb_error *error);
/* The same where red, green and blue are made of it: standard illuminants end evenly. */
enum lb_status lb_samples_read(const struct lb_description *description, const struct lb_parameter *parameter,
                               struct lb_arena *arena, const struct lb_log *log, struct lb_samples *samples,
                               struct lb_error *error);

#endif
