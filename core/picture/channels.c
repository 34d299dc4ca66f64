#include "core/picture/channels.h"

#include "core/kernel/math.h"
#include "core/kernel/integrators/feature.h"

#include <stdio.h>
#include <string.h>

#define KIND(name) (1u << LB_CHANNEL_##name)
#define COVERED    (KIND(WEIGHT) | KIND(COVER))

const struct lb_output_about lb_outputs[LB_OUTPUTS] = {
    [LB_OUTPUT_ALPHA] = {"A", {"A"}, 1, COVERED, false, true},
    [LB_OUTPUT_ALBEDO] =
        {"albedo", {"Albedo.R", "Albedo.G", "Albedo.B"}, 3, KIND(WEIGHT) | KIND(ALBEDO), false, true},
    [LB_OUTPUT_P] = {"P", {"P.X", "P.Y", "P.Z"}, 3, KIND(COVER) | KIND(P), false, false},
    [LB_OUTPUT_Z] = {"Z", {"Z"}, 1, KIND(COVER) | KIND(Z), false, false},
    [LB_OUTPUT_N] = {"N", {"N.X", "N.Y", "N.Z"}, 3, KIND(N), false, true},
    [LB_OUTPUT_NS] = {"Ns", {"Ns.X", "Ns.Y", "Ns.Z"}, 3, KIND(NS), false, true},
    [LB_OUTPUT_UV] = {"uv", {"u", "v"}, 2, KIND(COVER) | KIND(UV), false, false},
    [LB_OUTPUT_DZ] = {"dz", {"dzdx", "dzdy"}, 2, KIND(COVER) | KIND(DZ), false, false},
    [LB_OUTPUT_MOTION] = {"motion", {"forward.u", "forward.v"}, 2, KIND(COVER) | KIND(MOTION), false, false},
    [LB_OUTPUT_OBJECT] = {"object", {"object"}, 1, KIND(OBJECT), true, false},
    [LB_OUTPUT_MATERIAL] = {"material", {"material"}, 1, KIND(MATERIAL), true, false},
    [LB_OUTPUT_SAMPLES] = {"samples", {"samples"}, 1, KIND(SAMPLES), true, false},
    [LB_OUTPUT_VARIANCE] = {"variance",
                            {"Variance.R", "Variance.G", "Variance.B"},
                            3,
                            KIND(SAMPLES) | KIND(SQUARES),
                            false,
                            false},
    [LB_OUTPUT_RELATIVE_VARIANCE] = {"relativevariance",
                                     {"RelativeVariance.R", "RelativeVariance.G", "RelativeVariance.B"},
                                     3,
                                     KIND(SAMPLES) | KIND(SQUARES),
                                     false,
                                     false},
    [LB_OUTPUT_BUCKETS] = {"buckets", {NULL}, 0, KIND(BUCKETS), false, true},
    [LB_OUTPUT_LIGHT_GROUPS] = {"lightgroups", {NULL}, 0, KIND(GROUPS), false, false},
    [LB_OUTPUT_CRYPTO_OBJECT] = {"cryptoobject", {NULL}, 0, KIND(WEIGHT) | KIND(OBJECTS), false, false},
    [LB_OUTPUT_CRYPTO_MATERIAL] = {"cryptomaterial", {NULL}, 0, KIND(WEIGHT) | KIND(MATERIALS), false, false},
};

uint32_t lb_outputs_kinds(uint32_t outputs)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < LB_OUTPUTS; i++)
        kinds |= outputs >> i & 1 ? lb_outputs[i].kinds : 0;
    return kinds;
}

static uint32_t find_word(const char *word, size_t length)
{
    static const char all[] = "gbuffer";
    if (length == strlen(all) && !memcmp(word, all, length))
        return LB_OUTPUTS_GBUFFER;
    for (uint32_t i = 0; i < LB_OUTPUTS; i++)
        if (length == strlen(lb_outputs[i].word) && !memcmp(word, lb_outputs[i].word, length))
            return 1u << i;
    return 0;
}

enum lb_status lb_outputs_parse(const char *text, uint32_t *outputs, struct lb_error *error)
{
    *outputs = 0;
    for (const char *word = text;; word++) {
        size_t length = strcspn(word, ",");
        uint32_t found = find_word(word, length);
        if (!found)
            return lb_error_set(
                error, LB_ERROR_USAGE,
                "--channels: there is no \"%.*s\"; there are A, albedo, P, Z, N, Ns, uv, dz, motion, object, "
                "material, samples, variance, relativevariance, buckets, lightgroups, cryptoobject, "
                "cryptomaterial, and gbuffer for pbrt's",
                (int)(length < 100 ? length : 100), word);
        *outputs |= found;
        word += length;
        if (!*word)
            return LB_OK;
    }
}

void lb_outputs_text(uint32_t outputs, char *text, size_t size)
{
    size_t used = 0;
    if (size > 0)
        *text = 0;
    for (uint32_t i = 0; i < LB_OUTPUTS && used < size; i++)
        if (outputs >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", lb_outputs[i].word);
}

/* ---- values ---- */

static double sum_of(const lb_channels *channels, const int64_t *sums, enum lb_channel_kind kind, uint32_t i)
{
    return (double)sums[channels->first[kind] + i];
}

/* Divides the kind's sums by the sum of weights: the mean values. All 0 where that sum is 0. */
static void means(const lb_channels *channels, const int64_t *sums, enum lb_channel_kind kind, double weight,
                  uint32_t count, float *values)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = weight > 0 ? (float)(sum_of(channels, sums, kind, i) / weight) : 0.0f;
}

static void unit_vector(const lb_channels *channels, const int64_t *sums, enum lb_channel_kind kind,
                        float values[3])
{
    double v[3], square = 0;
    for (uint32_t i = 0; i < 3; i++) {
        v[i] = sum_of(channels, sums, kind, i) * 0x1p-30;
        square += v[i] * v[i];
    }
    double length = lb_sqrt_d(square);
    for (uint32_t i = 0; i < 3; i++)
        values[i] = length > 0 ? (float)(v[i] / length) : 0.0f;
}

/* Of one sample: from the mean of squares and the square of the mean; where samples' weights are not all 1, of what
 * their mean, the pixel, is made of. */
static void variances(const lb_channels *channels, const lb_film_pixel *pixel, const int64_t *sums,
                      bool relative, float values[3])
{
    double n = sum_of(channels, sums, LB_CHANNEL_SAMPLES, 0), weight = (double)pixel->weight * 0x1p-30;
    for (uint32_t i = 0; i < 3; i++) {
        values[i] = 0.0f;
        if (n < 2 || !(weight > 0))
            continue;
        double sum = (double)pixel->sum[i] * 0x1p-30, mean = sum / weight;
        double squares = sum_of(channels, sums, LB_CHANNEL_SQUARES, 2 * i) * 0x1p-10 +
                         sum_of(channels, sums, LB_CHANNEL_SQUARES, 2 * i + 1) * 0x1p-46;
        double variance = (squares - sum * sum / n) / (n - 1) * (n / weight) * (n / weight);
        variance = variance > 0 ? variance : 0;
        values[i] = (float)(!relative ? variance : mean != 0 ? variance / mean : 0);
    }
}

/* The mean light of each bucket's samples; 0 where it has none, as in pbrt. */
static void buckets_of(const lb_channels *channels, const int64_t *sums, float *values)
{
    for (uint32_t i = 0; i < channels->buckets; i++) {
        double weight = sum_of(channels, sums, LB_CHANNEL_BUCKETS, channels->buckets + i);
        values[i] = weight > 0 ? (float)(sum_of(channels, sums, LB_CHANNEL_BUCKETS, i) / weight) : 0.0f;
    }
}

uint32_t lb_output_count(enum lb_output output, const lb_channels *channels)
{
    return output == LB_OUTPUT_BUCKETS ? channels->buckets : lb_outputs[output].count;
}

void lb_output_bucket_name(const lb_channels *channels, uint32_t bucket, char name[32])
{
    float part = ((float)bucket + 0.5f) / (float)channels->buckets;
    float middle = (1.0f - part) * channels->bucket_low + part * channels->bucket_high;
    snprintf(name, 32, "S0.%.3fnm", (double)middle);
    for (char *c = name + 3; *c; c++) /* a dot would divide layers */
        *c = *c == '.' ? ',' : *c;
}

void lb_output_values(enum lb_output output, const lb_channels *channels, const lb_film_pixel *pixel,
                      const int64_t *sums, float *values, uint32_t *whole)
{
    const uint32_t kinds = lb_outputs[output].kinds, count = lb_outputs[output].count;
    double all = kinds & KIND(WEIGHT) ? sum_of(channels, sums, LB_CHANNEL_WEIGHT, 0) : 0;
    double cover = kinds & KIND(COVER) ? sum_of(channels, sums, LB_CHANNEL_COVER, 0) : 0;
    double scaled = cover * (double)channels->scale;
    switch (output) {
    case LB_OUTPUT_ALPHA:
        values[0] = all > 0 ? lb_clamp((float)(cover / all), 0.0f, 1.0f) : 0.0f;
        break;
    case LB_OUTPUT_ALBEDO:
        means(channels, sums, LB_CHANNEL_ALBEDO, all, count, values);
        break;
    case LB_OUTPUT_P:
        means(channels, sums, LB_CHANNEL_P, scaled, count, values);
        break;
    case LB_OUTPUT_Z:
        means(channels, sums, LB_CHANNEL_Z, scaled, count, values);
        if (!(cover > 0))
            values[0] = LB_INFINITY;
        break;
    case LB_OUTPUT_N:
        unit_vector(channels, sums, LB_CHANNEL_N, values);
        break;
    case LB_OUTPUT_NS:
        unit_vector(channels, sums, LB_CHANNEL_NS, values);
        break;
    case LB_OUTPUT_UV:
        means(channels, sums, LB_CHANNEL_UV, cover, count, values);
        break;
    case LB_OUTPUT_DZ:
        means(channels, sums, LB_CHANNEL_DZ, scaled, count, values);
        break;
    case LB_OUTPUT_MOTION:
        means(channels, sums, LB_CHANNEL_MOTION, cover / (double)LB_MOTION_UNIT, count, values);
        break;
    case LB_OUTPUT_OBJECT:
        *whole = (uint32_t)sums[channels->first[LB_CHANNEL_OBJECT]];
        break;
    case LB_OUTPUT_MATERIAL:
        *whole = (uint32_t)sums[channels->first[LB_CHANNEL_MATERIAL]];
        break;
    case LB_OUTPUT_SAMPLES:
        *whole = (uint32_t)sums[channels->first[LB_CHANNEL_SAMPLES]];
        break;
    case LB_OUTPUT_BUCKETS:
        buckets_of(channels, sums, values);
        break;
    default:
        variances(channels, pixel, sums, output == LB_OUTPUT_RELATIVE_VARIANCE, values);
    }
}

lb_rgb lb_output_cut_out(const lb_channels *channels, const lb_film_pixel *pixel, const int64_t *sums,
                         float *alpha)
{
    lb_film_pixel front = *pixel;
    for (uint32_t i = 0; i < 3; i++)
        front.sum[i] =
            (int64_t)((uint64_t)front.sum[i] - (uint64_t)sums[channels->first[LB_CHANNEL_BACKGROUND] + i]);
    lb_output_values(LB_OUTPUT_ALPHA, channels, pixel, sums, alpha, NULL);
    return lb_film_rgb(&front);
}
