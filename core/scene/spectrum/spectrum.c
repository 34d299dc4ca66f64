#include "core/scene/spectrum/spectrum.h"

#include "core/base/color_space.h"
#include "core/language/parameters.h"
#include "core/scene/spectrum/color_space.h"
#include "core/scene/spectrum/samples.h"

#include <stdio.h>
#include <string.h>

/* Linear sRGB from CIE XYZ (IEC 61966-2-1). */
static const double srgb_from_xyz[3][3] = {
    {3.2404542, -1.5371385, -0.4985314},
    {-0.9692660, 1.8760108, 0.0415560},
    {0.0556434, -0.2040259, 1.0572252},
};

struct colour {
    double c[3];
};

static struct colour by_matrix(const double m[3][3], const struct colour *xyz)
{
    struct colour rgb;
    for (int i = 0; i < 3; i++)
        rgb.c[i] = m[i][0] * xyz->c[0] + m[i][1] * xyz->c[1] + m[i][2] * xyz->c[2];
    return rgb;
}

static struct colour colour_from_xyz(const struct colour *xyz)
{
    return by_matrix(srgb_from_xyz, xyz);
}

/* Of light that has the spectrum times, where it is not NULL, `white`. */
static struct colour tristimulus(const struct lb_samples *spectrum, const struct lb_samples *white)
{
    struct colour xyz = {{0.0, 0.0, 0.0}};
    struct lb_samples matching;
    for (int c = 0; c < 3; c++) {
        lb_samples_expand(lb_spectrum_cie[c].values, &matching);
        for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
            double light = white ? spectrum->values[i] * white->values[i] : spectrum->values[i];
            xyz.c[c] += light * matching.values[i];
        }
    }
    return xyz;
}

void lb_spectrum_daylight(struct lb_samples *white)
{
    lb_samples_expand(lb_samples_table(lb_spectrum_illuminants, "stdillum-D65"), white);
}

/* The same as red, green and blue are made of it: from 780 nm on it is even. */
static void even_daylight(struct lb_samples *white)
{
    lb_spectrum_daylight(white);
    lb_samples_end_evenly(white);
}

/* Makes the white of a space of that of sRGB. */
static void adapt_white(uint32_t space, struct lb_samples *white)
{
    struct lb_samples own;
    if (strcmp(lb_color_spaces[space].name, "aces2065-1") != 0)
        return;
    lb_samples_expand(lb_samples_table(lb_spectrum_illuminants, "illum-acesD60"), &own);
    double scale = lb_spectrum_luminance(white) / lb_spectrum_luminance(&own);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        white->values[i] = own.values[i] * scale;
}

void lb_spectrum_space_white(uint32_t space, struct lb_samples *white)
{
    lb_spectrum_daylight(white);
    adapt_white(space, white);
}

/* Light of luminance 1. Colours that sRGB has not lose their negative part and keep their luminance.
 * False: the spectrum cannot be seen. */
static bool illuminant_rgb(const struct lb_samples *spectrum, lb_rgb *rgb)
{
    struct colour xyz = tristimulus(spectrum, NULL);
    if (!(xyz.c[1] > 0.0))
        return false;
    struct colour c = colour_from_xyz(&xyz);
    lb_rgb inside =
        lb_rgb_make(lb_max((float)(c.c[0] / xyz.c[1]), 0.0f), lb_max((float)(c.c[1] / xyz.c[1]), 0.0f),
                    lb_max((float)(c.c[2] / xyz.c[1]), 0.0f));
    *rgb = lb_rgb_scale(inside, 1.0f / lb_rgb_luminance(inside));
    return true;
}

/* What the colour space shows of each wavelength, from the eye's responses x, y and z. */
static void show_in(uint32_t space, const struct lb_samples matching[3], struct lb_samples shown[3])
{
    double m[3][3];
    lb_color_space_from_xyz(space, m);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        for (int c = 0; c < 3; c++)
            shown[c].values[i] = m[c][0] * matching[0].values[i] + m[c][1] * matching[1].values[i] +
                                 m[c][2] * matching[2].values[i];
}

void lb_spectrum_eye(uint32_t space, struct lb_samples shown[3])
{
    struct lb_samples matching[3];
    for (int c = 0; c < 3; c++)
        lb_samples_expand_smooth(lb_spectrum_cie[c].values, &matching[c]);
    show_in(space, matching, shown);
}

void lb_spectrum_white(struct lb_samples shown[3])
{
    struct lb_samples white, matching[3];
    even_daylight(&white);
    for (int c = 0; c < 3; c++)
        lb_samples_expand(lb_spectrum_cie[c].values, &matching[c]);
    show_in(LB_COLOR_SRGB, matching, shown);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        for (int c = 0; c < 3; c++)
            shown[c].values[i] *= white.values[i];
}

double lb_spectrum_luminance(const struct lb_samples *light)
{
    struct lb_samples efficiency;
    double sum = 0.0;
    lb_samples_expand_smooth(lb_spectrum_cie[1].values, &efficiency);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        sum += light->values[i] * efficiency.values[i];
    return sum;
}

/* What the spectrum makes of the white of sRGB, D65: lights of rgb (1, 1, 1) have that spectrum in pbrt,
 * and its film gives them that colour. A constant spectrum is exactly grey. */
static struct colour filtered_white(const struct lb_samples *spectrum)
{
    struct lb_samples white, one;
    even_daylight(&white);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        one.values[i] = 1.0;
    struct colour seen = tristimulus(spectrum, &white), all = tristimulus(&one, &white);
    struct colour rgb = colour_from_xyz(&seen), reference = colour_from_xyz(&all);
    for (int i = 0; i < 3; i++)
        rgb.c[i] /= reference.c[i];
    return rgb;
}

static enum lb_status plain_rgb(const struct lb_parameter *parameter, enum lb_spectrum_role role, lb_rgb *rgb,
                                struct lb_error *error)
{
    const float *v = parameter->floats;
    if (parameter->count != 3)
        return lb_error_at(error, &parameter->location, "\"%s\" needs 3 values, not %zu", parameter->name,
                           parameter->count);
    for (int i = 0; i < 3; i++)
        if (!(v[i] >= 0.0f && v[i] <= (role == LB_SPECTRUM_REFLECTANCE ? 1.0f : 1e30f)))
            return lb_error_at(error, &parameter->location, "\"%s\" has a value of %g", parameter->name,
                               (double)v[i]);
    if (!lb_rgb_to_srgb(parameter->color_space, role == LB_SPECTRUM_ILLUMINANT, lb_rgb_make(v[0], v[1], v[2]),
                        rgb))
        return lb_error_at(error, &parameter->location, "unknown colour space \"%s\"",
                           parameter->color_space);
    if (role == LB_SPECTRUM_REFLECTANCE)
        *rgb = lb_rgb_make(lb_min(rgb->r, 1.0f), lb_min(rgb->g, 1.0f), lb_min(rgb->b, 1.0f));
    return LB_OK;
}

enum lb_status lb_spectrum_rgb(const struct lb_description *description, const struct lb_parameter *parameter,
                               enum lb_spectrum_role role, struct lb_arena *arena, const struct lb_log *log,
                               lb_rgb *rgb, struct lb_error *error)
{
    if (parameter->type == LB_PARAMETER_RGB)
        return plain_rgb(parameter, role, rgb, error);
    if (parameter->type != LB_PARAMETER_BLACKBODY && parameter->type != LB_PARAMETER_SPECTRUM)
        return lb_error_at(error, &parameter->location, "\"%s\" must be an rgb, a blackbody or a spectrum",
                           parameter->name);
    struct lb_samples samples;
    enum lb_status status = lb_samples_read(description, parameter, arena, log, &samples, error);
    if (status != LB_OK)
        return status;
    if (role == LB_SPECTRUM_ILLUMINANT) {
        if (!illuminant_rgb(&samples, rgb))
            return lb_error_at(error, &parameter->location, "\"%s\" is no light that can be seen",
                               parameter->name);
        return LB_OK;
    }
    struct colour c = filtered_white(&samples);
    float high = role == LB_SPECTRUM_REFLECTANCE ? 1.0f : LB_INFINITY;
    *rgb = lb_rgb_make(lb_clamp((float)c.c[0], 0.0f, high), lb_clamp((float)c.c[1], 0.0f, high),
                       lb_clamp((float)c.c[2], 0.0f, high));
    return LB_OK;
}

void lb_spectrum_weights(uint32_t space, const float *wavelengths, size_t count, double *weights)
{
    struct lb_samples white, matching[3];
    double m[3][3];
    lb_color_space_from_xyz(space, m);
    even_daylight(&white);
    adapt_white(space, &white);
    for (int c = 0; c < 3; c++)
        lb_samples_expand(lb_spectrum_cie[c].values, &matching[c]);
    struct colour xyz = tristimulus(&white, NULL), reference = by_matrix(m, &xyz);
    for (size_t i = 0; i < 3 * count; i++)
        weights[i] = 0.0;
    size_t at = 0; /* of the last wavelength that is not above */
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        double now = LB_SPECTRUM_FIRST + i;
        while (at + 1 < count && (double)wavelengths[at + 1] <= now)
            at++;
        double part = 0.0;
        if (at + 1 < count && now > (double)wavelengths[at])
            part = (now - (double)wavelengths[at]) / ((double)wavelengths[at + 1] - (double)wavelengths[at]);
        for (int c = 0; c < 3; c++)
            xyz.c[c] = white.values[i] * matching[c].values[i];
        struct colour rgb = by_matrix(m, &xyz);
        for (size_t c = 0; c < 3; c++) {
            weights[3 * at + c] += (1.0 - part) * rgb.c[c] / reference.c[c];
            if (part > 0.0)
                weights[3 * (at + 1) + c] += part * rgb.c[c] / reference.c[c];
        }
    }
}

lb_rgb lb_spectrum_blackbody(double kelvin)
{
    struct lb_samples samples;
    lb_rgb rgb = lb_rgb_grey(0.0f);
    double part = lb_samples_blackbody(kelvin, &samples);
    if (!illuminant_rgb(&samples, &rgb))
        return lb_rgb_grey(0.0f);
    return lb_rgb_scale(rgb, (float)(part * tristimulus(&samples, NULL).c[1]));
}

enum lb_status lb_spectrum_given_luminance(const struct lb_description *description,
                                           const struct lb_parameter *parameter, struct lb_arena *arena,
                                           const struct lb_log *log, float *luminance, struct lb_error *error)
{
    struct lb_samples samples;
    *luminance = 1.0f;
    if ((parameter->type != LB_PARAMETER_BLACKBODY && parameter->type != LB_PARAMETER_SPECTRUM) ||
        (parameter->type == LB_PARAMETER_SPECTRUM && parameter->strings &&
         lb_samples_table(lb_spectrum_illuminants, parameter->strings[0])))
        return LB_OK;
    enum lb_status status = lb_samples_read(description, parameter, arena, log, &samples, error);
    if (status != LB_OK)
        return status;
    *luminance = parameter->type == LB_PARAMETER_BLACKBODY
                     ? lb_rgb_luminance(lb_spectrum_blackbody((double)parameter->floats[0]))
                     : (float)lb_spectrum_luminance(&samples);
    *luminance /= LB_LUMINOUS_INTEGRAL;
    return LB_OK;
}

/* Fraunhofer's d line, 587.6 nm, between two samples. */
static double at_d_line(const struct lb_samples *samples)
{
    const double *v = &samples->values[587 - LB_SPECTRUM_FIRST];
    return v[0] + 0.6 * (v[1] - v[0]);
}

enum lb_status lb_spectrum_number(const struct lb_description *description,
                                  const struct lb_parameter *parameter, struct lb_arena *arena,
                                  const struct lb_log *log, float *number, struct lb_error *error)
{
    if (parameter->type == LB_PARAMETER_RGB) {
        lb_rgb rgb = {0.0f, 0.0f, 0.0f};
        enum lb_status status = plain_rgb(parameter, LB_SPECTRUM_UNBOUNDED, &rgb, error);
        if (status == LB_OK)
            *number = lb_rgb_average(rgb);
        return status;
    }
    struct lb_samples samples;
    enum lb_status status = lb_samples_read(description, parameter, arena, log, &samples, error);
    if (status == LB_OK)
        *number = (float)at_d_line(&samples);
    return status;
}

/* ---- metals ---- */

/* How pbrt-v4 shows its metals at normal incidence under white light. Its tables are not ours: with these
 * figures ours give the same colours. */
static const struct {
    const char *name;
    double reflectance[3];
} shown_metals[] = {
    {"Cu", {0.955, 0.638, 0.537}}, {"Au", {1.02, 0.782, 0.343}},    {"Ag", {0.971, 0.960, 0.913}},
    {"Al", {0.913, 0.922, 0.922}}, {"CuZn", {0.910, 0.778, 0.422}},
};

static const double *find_shown(const char *name)
{
    for (size_t i = 0; i < sizeof shown_metals / sizeof shown_metals[0]; i++)
        if (strcmp(shown_metals[i].name, name) == 0)
            return shown_metals[i].reflectance;
    return NULL;
}

static struct colour normal_reflectance(const struct lb_samples *eta, const struct lb_samples *k)
{
    struct lb_samples reflectance;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
        double n = eta->values[i], k2 = k->values[i] * k->values[i];
        reflectance.values[i] = ((n - 1.0) * (n - 1.0) + k2) / ((n + 1.0) * (n + 1.0) + k2);
    }
    return filtered_white(&reflectance);
}

/* The mean of eta over what white light makes of each primary of sRGB, where that is more than nothing. */
static struct colour mean_eta(const struct lb_samples *eta)
{
    struct lb_samples shown[3];
    struct colour mean;
    lb_spectrum_white(shown);
    for (int c = 0; c < 3; c++) {
        double sum = 0.0, weights = 0.0;
        for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
            double weight = shown[c].values[i] > 0.0 ? shown[c].values[i] : 0.0;
            sum += weight * eta->values[i];
            weights += weight;
        }
        mean.c[c] = sum / weights;
    }
    return mean;
}

/* The k, or where there is none the eta, by which Fresnel's formula gives the reflectance. Three colours
 * cannot reflect more than all. */
static void fit(double reflectance, double n, float *eta, float *k)
{
    double r = reflectance < 0.0 ? 0.0 : reflectance > 0.9995 ? 0.9995 : reflectance;
    double k2 = (r * (n + 1.0) * (n + 1.0) - (n - 1.0) * (n - 1.0)) / (1.0 - r);
    if (k2 < 0.0) {
        double root = lb_sqrt_d(r);
        n = (1.0 + root) / (1.0 - root);
        k2 = 0.0;
    }
    *eta = (float)n;
    *k = (float)lb_sqrt_d(k2);
}

static void fit_colours(const double reflectance[3], const struct lb_samples *eta, lb_rgb *eta_rgb,
                        lb_rgb *k_rgb)
{
    struct colour n = mean_eta(eta);
    fit(reflectance[0], n.c[0], &eta_rgb->r, &k_rgb->r);
    fit(reflectance[1], n.c[1], &eta_rgb->g, &k_rgb->g);
    fit(reflectance[2], n.c[2], &eta_rgb->b, &k_rgb->b);
}

static const float *metal_table(const char *name, const char *quantity)
{
    char full[64];
    snprintf(full, sizeof full, "metal-%s-%s", name, quantity);
    return lb_samples_table(lb_spectrum_metals, full);
}

bool lb_spectrum_metal(const char *name, lb_rgb *eta, lb_rgb *k)
{
    const float *eta_table = metal_table(name, "eta"), *k_table = metal_table(name, "k");
    if (!eta_table || !k_table)
        return false;
    struct lb_samples eta_samples, k_samples;
    lb_samples_expand(eta_table, &eta_samples);
    lb_samples_expand(k_table, &k_samples);
    struct colour own = normal_reflectance(&eta_samples, &k_samples);
    const double *shown = find_shown(name);
    fit_colours(shown ? shown : own.c, &eta_samples, eta, k);
    return true;
}

/* The metal whose `quantity` the parameter names: "metal-Cu-eta" is that of Cu. NULL parameter: the
 * default, copper. */
static bool metal_name(const struct lb_parameter *parameter, const char *quantity, char name[32])
{
    if (!parameter) {
        snprintf(name, 32, "Cu");
        return true;
    }
    if (!parameter->strings || parameter->count != 1)
        return false;
    const char *text = parameter->strings[0];
    size_t length = strlen(text), tail = strlen(quantity) + 1;
    if (strncmp(text, "metal-", 6) != 0 || length < 6 + tail || length - 6 - tail >= 32 ||
        text[length - tail] != '-' || strcmp(text + length - tail + 1, quantity) != 0)
        return false;
    snprintf(name, 32, "%.*s", (int)(length - 6 - tail), text + 6);
    return true;
}

static enum lb_status read_constant(const struct lb_description *description,
                                    const struct lb_parameter *parameter, const char *quantity,
                                    struct lb_arena *arena, const struct lb_log *log,
                                    struct lb_samples *samples, struct lb_error *error)
{
    if (parameter)
        return lb_samples_read(description, parameter, arena, log, samples, error);
    lb_samples_expand(metal_table("Cu", quantity), samples);
    return LB_OK;
}

enum lb_status lb_spectrum_conductor(const struct lb_description *description, const struct lb_parameter *eta,
                                     const struct lb_parameter *k, struct lb_arena *arena,
                                     const struct lb_log *log, lb_rgb *eta_rgb, lb_rgb *k_rgb,
                                     struct lb_error *error)
{
    char eta_name[32], k_name[32];
    if (metal_name(eta, "eta", eta_name) && metal_name(k, "k", k_name) && strcmp(eta_name, k_name) == 0 &&
        lb_spectrum_metal(eta_name, eta_rgb, k_rgb))
        return LB_OK;
    struct lb_samples eta_samples, k_samples;
    enum lb_status status;
    if ((status = read_constant(description, eta, "eta", arena, log, &eta_samples, error)) != LB_OK ||
        (status = read_constant(description, k, "k", arena, log, &k_samples, error)) != LB_OK)
        return status;
    struct colour reflectance = normal_reflectance(&eta_samples, &k_samples);
    fit_colours(reflectance.c, &eta_samples, eta_rgb, k_rgb);
    return LB_OK;
}
