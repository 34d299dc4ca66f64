#include "core/scene/spectrum/samples.h"

#include "core/kernel/math.h"
#include "core/language/parameters.h"
#include "core/scene/spectrum/number_file.h"

#include <string.h>

const float *lb_samples_table(const struct lb_spectrum_table *list, const char *name)
{
    for (; list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list->values;
    return NULL;
}

void lb_samples_expand(const float *table, struct lb_samples *samples)
{
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        int cell = i / LB_SPECTRUM_STEP, rest = i % LB_SPECTRUM_STEP;
        double value = (double)table[cell];
        if (rest != 0)
            value += ((double)table[cell + 1] - value) * (double)rest / LB_SPECTRUM_STEP;
        samples->values[i] = value;
    }
}

void lb_samples_end_evenly(struct lb_samples *samples)
{
    const int end = 780 - LB_SPECTRUM_FIRST;
    for (int i = end + 1; i < LB_SAMPLES_COUNT; i++)
        samples->values[i] = samples->values[end];
}

void lb_samples_expand_smooth(const float *table, struct lb_samples *samples)
{
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        int cell = i / LB_SPECTRUM_STEP, first = cell < 1 ? 0 : cell - 1;
        if (first > LB_SPECTRUM_COUNT - 4)
            first = LB_SPECTRUM_COUNT - 4;
        double place = (double)i / LB_SPECTRUM_STEP - first, value = 0.0;
        for (int k = 0; k < 4; k++) { /* Lagrange's polynomial through four values */
            double weight = 1.0;
            for (int other = 0; other < 4; other++)
                if (other != k)
                    weight *= (place - other) / (k - other);
            value += weight * (double)table[first + k];
        }
        samples->values[i] = value;
    }
}

/* 1 - exp(-x) for x > 0, also where it is small. */
static double one_minus_exp(double x)
{
    if (x < 0.05)
        return x * (1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0)));
    return 1.0 - (double)lb_exp((float)-x);
}

double lb_samples_blackbody(double kelvin, struct lb_samples *samples)
{
    const double second_radiation_constant = 1.438777e7; /* nm K */
    double last = second_radiation_constant / (kelvin * LB_SPECTRUM_LAST);
    double largest = 0.0;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        /* Beside the value at the longest wavelength, lest low temperatures underflow. */
        double wavelength = LB_SPECTRUM_FIRST + i;
        double x = second_radiation_constant / (kelvin * wavelength);
        double ratio = LB_SPECTRUM_LAST / wavelength;
        double value = ratio * ratio * ratio * ratio * ratio * (double)lb_exp((float)(last - x)) *
                       one_minus_exp(last) / one_minus_exp(x);
        samples->values[i] = value;
        largest = value > largest ? value : largest;
    }
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        samples->values[i] /= largest;
    /* The maximum is where x is this (Wien); the value at the last wavelength beside it, and `largest` beside that. */
    const double wien = 4.965114231744276;
    double ratio = last / wien, exponential = (double)lb_exp((float)(wien - last));
    return largest * ratio * ratio * ratio * ratio * ratio * exponential * one_minus_exp(wien) /
           one_minus_exp(last);
}

/* ---- pairs ---- */

/* Pairs of a wavelength in nm and the value there. */
struct pairs {
    const float *floats;
    size_t count; /* floats */
};

static enum lb_status check_pairs(const struct pairs *pairs, const struct lb_parameter *parameter,
                                  const char *source, struct lb_error *error)
{
    if (pairs->count == 0 || pairs->count % 2 != 0)
        return lb_error_at(error, &parameter->location,
                           "%s: a spectrum is pairs of wavelength and value, not %zu numbers", source,
                           pairs->count);
    for (size_t i = 0; i < pairs->count; i += 2) {
        float wavelength = pairs->floats[i], value = pairs->floats[i + 1];
        if (!(wavelength > 0.0f && wavelength < 1e9f) || (i > 0 && wavelength <= pairs->floats[i - 2]))
            return lb_error_at(error, &parameter->location, "%s: the spectrum's wavelengths must rise: %g",
                               source, (double)wavelength);
        if (!(value >= 0.0f && value <= 1e30f))
            return lb_error_at(error, &parameter->location, "%s: the spectrum has a value of %g", source,
                               (double)value);
    }
    return LB_OK;
}

static void expand_pairs(const struct pairs *pairs, struct lb_samples *samples)
{
    const float *p = pairs->floats;
    size_t at = 0;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        double wavelength = LB_SPECTRUM_FIRST + i;
        while (at + 2 < pairs->count && (double)p[at + 2] < wavelength)
            at += 2;
        double x0 = (double)p[at], y0 = (double)p[at + 1];
        if (wavelength == x0) {
            samples->values[i] = y0;
        } else if (wavelength < x0 || at + 2 >= pairs->count) {
            samples->values[i] = 0.0;
        } else {
            double x1 = (double)p[at + 2], y1 = (double)p[at + 3];
            samples->values[i] = y0 + (y1 - y0) * (wavelength - x0) / (x1 - x0);
        }
    }
}

/* ---- files ---- */

static enum lb_status read_file(const char *path, const struct lb_parameter *parameter,
                                struct lb_arena *arena, struct pairs *pairs, struct lb_error *error)
{
    struct lb_number_file file;
    struct lb_error reason;
    enum lb_status status = lb_number_file_read(path, arena, &file, &reason);
    if (status == LB_ERROR_MEMORY)
        return lb_error_memory(error, path);
    if (status != LB_OK)
        return lb_error_at(error, &parameter->location, "%s", reason.message);
    pairs->floats = file.numbers;
    pairs->count = file.count;
    return LB_OK;
}

/* ---- parameters ---- */

static const float *find_named(const char *name)
{
    const struct lb_spectrum_table *lists[] = {lb_spectrum_illuminants, lb_spectrum_metals,
                                               lb_spectrum_glasses};
    const float *table = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !table; i++)
        table = lb_samples_table(lists[i], name);
    return table;
}

static enum lb_status read_string(const struct lb_description *description,
                                  const struct lb_parameter *parameter, struct lb_arena *arena,
                                  const struct lb_log *log, struct lb_samples *samples,
                                  struct lb_error *error)
{
    if (parameter->count != 1)
        return lb_error_at(error, &parameter->location, "\"%s\" needs one spectrum, not %zu", parameter->name,
                           parameter->count);
    const char *name = parameter->strings[0];
    const float *table = find_named(name);
    if (table) {
        lb_samples_expand(table, samples);
        return LB_OK;
    }
    struct pairs pairs;
    const char *path = lb_description_path(description, &parameter->location, name, arena, log);
    if (!path)
        return lb_error_memory(error, name);
    enum lb_status status = read_file(path, parameter, arena, &pairs, error);
    if (status == LB_OK)
        status = check_pairs(&pairs, parameter, path, error);
    if (status == LB_OK)
        expand_pairs(&pairs, samples);
    return status;
}

static enum lb_status read_blackbody(const struct lb_parameter *parameter, struct lb_samples *samples,
                                     struct lb_error *error)
{
    if (parameter->count != 1)
        return lb_error_at(error, &parameter->location, "\"%s\" needs one temperature, not %zu",
                           parameter->name, parameter->count);
    float kelvin = parameter->floats[0];
    if (!(kelvin >= 1.0f && kelvin <= 1e9f))
        return lb_error_at(error, &parameter->location, "\"%s\": a temperature of %g K", parameter->name,
                           (double)kelvin);
    lb_samples_blackbody((double)kelvin, samples);
    return LB_OK;
}

enum lb_status lb_samples_read_spectral(const struct lb_description *description,
                                        const struct lb_parameter *parameter, struct lb_arena *arena,
                                        const struct lb_log *log, struct lb_samples *samples,
                                        struct lb_error *error)
{
    if (parameter->type == LB_PARAMETER_BLACKBODY)
        return read_blackbody(parameter, samples, error);
    if (parameter->type != LB_PARAMETER_SPECTRUM)
        return lb_error_at(error, &parameter->location, "\"%s\" must be a spectrum", parameter->name);
    if (parameter->strings)
        return read_string(description, parameter, arena, log, samples, error);
    struct pairs pairs = {parameter->floats, parameter->count};
    enum lb_status status = check_pairs(&pairs, parameter, parameter->name, error);
    if (status == LB_OK)
        expand_pairs(&pairs, samples);
    return status;
}

enum lb_status lb_samples_read(const struct lb_description *description, const struct lb_parameter *parameter,
                               struct lb_arena *arena, const struct lb_log *log, struct lb_samples *samples,
                               struct lb_error *error)
{
    static const char standard[] = "stdillum-";
    enum lb_status status = lb_samples_read_spectral(description, parameter, arena, log, samples, error);
    if (status == LB_OK && parameter->strings && find_named(parameter->strings[0]) &&
        strncmp(parameter->strings[0], standard, sizeof standard - 1) == 0)
        lb_samples_end_evenly(samples);
    return status;
}
