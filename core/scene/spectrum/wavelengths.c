#include "core/scene/spectrum/wavelengths.h"

#include "core/kernel/math.h"
#include "core/scene/spectrum/spectrum.h"

/* Wavelengths in samples of a spectrum: sample i stands for all from i - 0.5 to i + 0.5. */
struct wavelength_layout {
    /* The color that white light shows of each sample, a total of 1 in each component. */
    struct lb_samples shown[3];
    /* Wavelength k stands for all from places[2 k] to places[2 k + 2], with places[2 k + 1] in their middle. */
    double places[2 * LB_WAVELENGTHS + 1];
};

/* Sets what is shown, and in `density` how densely wavelengths are to lie so that the squares of what single paths show
 * have the least mean: a total of 1. */
static void weigh(struct wavelength_layout *layout, struct lb_samples *density)
{
    double sums[3] = {0.0, 0.0, 0.0}, all = 0.0;
    lb_spectrum_white(layout->shown);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < LB_SAMPLES_COUNT; i++)
            sums[c] += layout->shown[c].values[i];
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        double squares = 0.0;
        for (int c = 0; c < 3; c++) {
            double *value = &layout->shown[c].values[i];
            *value /= sums[c];
            squares += *value * *value;
        }
        density->values[i] = lb_sqrt_d(squares);
        all += density->values[i];
    }
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        density->values[i] /= all;
}

static void lay_out(struct wavelength_layout *layout)
{
    struct lb_samples density;
    double below = 0.0; /* the part of all that lies below sample i */
    int i = 0;
    weigh(layout, &density);
    for (int k = 0; k <= 2 * LB_WAVELENGTHS; k++) {
        double part = (double)k / (2 * LB_WAVELENGTHS);
        while (i < LB_SAMPLES_COUNT - 1 && below + density.values[i] <= part)
            below += density.values[i++];
        double place = i - 0.5 + (part - below) / density.values[i];
        layout->places[k] = place < LB_SAMPLES_COUNT - 0.5 ? place : LB_SAMPLES_COUNT - 0.5;
    }
}

/* The sum of the samples between two places. */
static double sum_between(const struct lb_samples *samples, double from, double to)
{
    double sum = 0.0;
    for (int i = (int)(from + 0.5); i < LB_SAMPLES_COUNT && i - 0.5 < to; i++) {
        double first = i - 0.5 > from ? i - 0.5 : from, last = i + 0.5 < to ? i + 0.5 : to;
        sum += samples->values[i] * (last - first);
    }
    return sum;
}

/* The value at a place: linear between samples, and that of the outermost ones beyond. */
static double value_at(const struct lb_samples *samples, double place)
{
    if (!(place > 0.0))
        return samples->values[0];
    if (!(place < LB_SAMPLES_COUNT - 1))
        return samples->values[LB_SAMPLES_COUNT - 1];
    int i = (int)place;
    return samples->values[i] + (place - i) * (samples->values[i + 1] - samples->values[i]);
}

void lb_wavelengths_make(lb_wavelength wavelengths[LB_WAVELENGTHS])
{
    struct wavelength_layout layout;
    struct lb_samples primaries[3];
    lay_out(&layout);
    for (int c = 0; c < 3; c++)
        lb_samples_expand(lb_spectrum_primaries[c].values, &primaries[c]);
    for (int k = 0; k < LB_WAVELENGTHS; k++) {
        const double *place = &layout.places[2 * k];
        double brings[3], shows[3], most = 0.0;
        for (int c = 0; c < 3; c++) {
            brings[c] = value_at(&primaries[c], place[1]);
            most = brings[c] > most ? brings[c] : most;
            shows[c] = sum_between(&layout.shown[c], place[0], place[2]) * LB_WAVELENGTHS;
        }
        wavelengths[k].brings =
            lb_rgb_make((float)(brings[0] / most), (float)(brings[1] / most), (float)(brings[2] / most));
        wavelengths[k].shows =
            lb_rgb_make((float)(shows[0] * most), (float)(shows[1] * most), (float)(shows[2] * most));
    }
}

void lb_wavelengths_take(const struct lb_samples *spectrum, float values[LB_WAVELENGTHS])
{
    struct wavelength_layout layout;
    lay_out(&layout);
    for (int k = 0; k < LB_WAVELENGTHS; k++)
        values[k] = (float)value_at(spectrum, layout.places[2 * k + 1]);
}
