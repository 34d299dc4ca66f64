#include "core/scene/spectrum/quads.h"

#include "core/base/color_space.h"
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

/* Where the part u of all wavelengths lies below. */
static double place_in(const struct lb_quad_view *view, double u)
{
    return view->even ? view->low + u * (view->high - view->low) : place_of(u);
}

void lb_quads_place(const struct lb_quad_view *view, double places[LB_QUAD_VALUES])
{
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        places[i] = place_in(view, (i + 0.5) / LB_QUAD_VALUES);
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

/* The integral of how much more there is than `middle`, from the place where a weight is 0 to that where it is 1. */
static double side(const struct lb_samples *samples, double none, double whole, double middle)
{
    double low = none < whole ? none : whole, high = none < whole ? whole : none, sum = 0.0;
    for (double from = low, to; from < high; from = to) {
        to = (int)from + 1.0;
        to = to < high ? to : high;
        const double at[3] = {from, 0.5 * (from + to), to}, simpson[3] = {1.0, 4.0, 1.0};
        for (int k = 0; k < 3; k++)
            sum += (value_at(samples, at[k]) - middle) * (at[k] - none) / (whole - none) * simpson[k] *
                   (to - from) / 6.0;
    }
    return sum;
}

/* The mean over the range around wavelength i, weighted by how near it is on the way to the next ones, so that a line
 * of a lamp which lies between wavelengths has all of its light. A constant is its own mean to the bit. */
static double mean_at(const struct lb_samples *samples, const double places[LB_QUAD_VALUES], int i)
{
    double here = places[i], middle = value_at(samples, here);
    double low = i > 0 ? places[i - 1] : 2.0 * here - places[1];
    double high = i < LB_QUAD_VALUES - 1 ? places[i + 1] : 2.0 * here - places[i - 1];
    low = low < LB_SPECTRUM_FIRST ? LB_SPECTRUM_FIRST : low;
    high = high > LB_SPECTRUM_LAST ? LB_SPECTRUM_LAST : high;
    return middle +
           (side(samples, low, here, middle) + side(samples, high, here, middle)) / (0.5 * (high - low));
}

/* The wavelengths, and how wide the range is that each stands for. */
struct scale {
    const double *places;
    double widths[LB_QUAD_VALUES];
};

/* Sets values[i] to what of light under `light` is seen of the range of wavelength i: a total of 1 over all, or over
 * the whole range of spectra where that is not all of it. */
static void see(const struct lb_quad_view *view, const struct scale *scale, const struct lb_samples *response,
                const struct lb_samples *light, double values[LB_QUAD_VALUES])
{
    double sum = 0.0;
    for (int i = 0; i < LB_QUAD_VALUES; i++) {
        values[i] = value_at(response, scale->places[i]) * scale->widths[i];
        sum += values[i] * mean_at(light, scale->places, i);
    }
    if (view->even) {
        sum = 0.0;
        for (int i = 0; i < LB_SAMPLES_COUNT; i++)
            sum += response->values[i] * light->values[i];
    }
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        values[i] *= LB_QUADS / sum;
}

/* The same for a sensor, beside the white's luminance. */
static void sense(const struct scale *scale, const struct lb_samples *response, double luminance,
                  double values[LB_QUAD_VALUES])
{
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        values[i] = value_at(response, scale->places[i]) * scale->widths[i] * (LB_QUADS / luminance);
}

static void set(lb_rgb *color, int component, double value)
{
    if (component == 0)
        color->r = (float)value;
    else if (component == 1)
        color->g = (float)value;
    else
        color->b = (float)value;
}

void lb_quads_make(const struct lb_quad_view *view, const double places[LB_QUAD_VALUES],
                   lb_quad quads[LB_QUADS])
{
    double shows[LB_QUAD_VALUES], albedo[LB_QUAD_VALUES];
    struct scale scale = {.places = places};
    struct lb_samples eye[3], own[3], white, own_white;
    lb_spectrum_eye(LB_COLOR_SRGB, eye);
    lb_spectrum_eye(view->space, own);
    lb_spectrum_space_white(LB_COLOR_SRGB, &white);
    lb_spectrum_space_white(view->space, &own_white);
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        scale.widths[i] =
            place_in(view, (i + 1.0) / LB_QUAD_VALUES) - place_in(view, (double)i / LB_QUAD_VALUES);
    for (int c = 0; c < 3; c++) {
        see(view, &scale, &own[c], &own_white, albedo);
        if (view->by_sensor)
            sense(&scale, &view->responses[c], lb_spectrum_luminance(&white), shows);
        else
            see(view, &scale, &eye[c], &white, shows);
        for (int i = 0; i < LB_QUAD_VALUES; i++) {
            lb_quad *quad = &quads[i % LB_QUADS];
            set(&quad->shows[i / LB_QUADS], c, shows[i]);
            set(&quad->albedo[i / LB_QUADS], c, albedo[i] * mean_at(&own_white, places, i));
        }
    }
    for (int i = 0; i < LB_QUAD_VALUES; i++) {
        lb_quad *quad = &quads[i % LB_QUADS];
        quad->places[i / LB_QUADS] =
            (float)((places[i] - LB_SPECTRUM_FIRST) / (LB_SPECTRUM_LAST - LB_SPECTRUM_FIRST));
        quad->white[i / LB_QUADS] = (float)mean_at(&white, places, i);
    }
}

void lb_quads_take(const double places[LB_QUAD_VALUES], const struct lb_samples *spectrum,
                   float values[LB_QUAD_VALUES])
{
    for (int i = 0; i < LB_QUAD_VALUES; i++)
        values[4 * (i % LB_QUADS) + i / LB_QUADS] = (float)mean_at(spectrum, places, i);
}
