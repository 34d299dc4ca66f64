#include "core/scene/spectrum/quads.h"

#include "core/kernel/elementary.h"
#include "core/scene/spectrum/spectrum.h"

/* e^x for x of any size that matters here, within some 1e-16 of itself, from the powers of a series; no libm, as the
 * same wavelengths are to come out everywhere. */
static double exponential(double x)
{
    double power = 1.0, sum = 1.0, small = x / 64.0;
    for (int i = 1; i < 20; i++) {
        power *= small / i;
        sum += power;
    }
    for (int i = 0; i < 6; i++)
        sum *= sum;
    return sum;
}

/* The part of the density that lies below a wavelength, but for a constant factor and term: tanh. */
static double below(double wavelength)
{
    double e = exponential(2.0 * 0.0072 * (wavelength - 538.0));
    return (e - 1.0) / (e + 1.0);
}

/* The wavelength below which the part u of the density lies, by bisection. */
static double place_of(double u)
{
    double low = LB_SPECTRUM_FIRST, high = LB_SPECTRUM_LAST;
    double wanted = below(low) + u * (below(high) - below(low));
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        if (below(middle) <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void lb_quads_place(double places[LB_QUAD_VALUES])
{
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        places[i] = place_of((i + 0.5) / LB_QUAD_VALUES);
}

/* Linear between samples. */
static double value_at(const struct lb_samples *samples, double wavelength)
{
    double at = wavelength - LB_SPECTRUM_FIRST;
    int i = (int)at;
    if (i >= LB_SAMPLES_COUNT - 1)
        return samples->values[LB_SAMPLES_COUNT - 1];
    return samples->values[i] + (at - i) * (samples->values[i + 1] - samples->values[i]);
}

void lb_quads_make(const double places[LB_QUAD_VALUES], lb_quad quads[LB_QUADS])
{
    double edges[LB_QUAD_VALUES + 1], widths[LB_QUAD_VALUES], sums[3] = {0.0, 0.0, 0.0};
    struct lb_samples eye[3], white;
    lb_spectrum_eye(eye);
    lb_spectrum_daylight(&white);
    for (int i = 0; i <= LB_QUAD_VALUES; i++)
        edges[i] = place_of((double)i / LB_QUAD_VALUES);
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        widths[i] = edges[i + 1] - edges[i];
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        for (int c = 0; c < 3; c++)
            sums[c] += value_at(&eye[c], places[i]) * value_at(&white, places[i]) * widths[i];
    for (int i = 0; i < LB_QUAD_VALUES; i++) {
        float shows[3];
        for (int c = 0; c < 3; c++)
            shows[c] = (float)(value_at(&eye[c], places[i]) * widths[i] * LB_QUADS / sums[c]);
        lb_quad *quad = &quads[i % LB_QUADS];
        quad->shows[i / LB_QUADS] = lb_rgb_make(shows[0], shows[1], shows[2]);
        quad->places[i / LB_QUADS] =
            (float)((places[i] - LB_SPECTRUM_FIRST) / (LB_SPECTRUM_LAST - LB_SPECTRUM_FIRST));
        quad->white[i / LB_QUADS] = (float)value_at(&white, places[i]);
    }
}

void lb_quads_take(const double places[LB_QUAD_VALUES], const struct lb_samples *spectrum,
                   float values[LB_QUAD_VALUES])
{
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        values[4 * (i % LB_QUADS) + i / LB_QUADS] = (float)value_at(spectrum, places[i]);
}
