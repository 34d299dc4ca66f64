#include "core/picture/tone_map.h"

#include "core/kernel/math.h"

static float aces(float x)
{
    x = lb_max(x, 0.0f);
    return lb_clamp((x * (2.51f * x + 0.03f)) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f, 1.0f);
}

static float hable_curve(float x)
{
    /* Strengths of shoulder, line, toe, the line's angle, toe's numerator and denominator. */
    const float a = 0.15f, b = 0.50f, c = 0.10f, d = 0.20f, e = 0.02f, f = 0.30f;
    return ((x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f)) - e / f;
}

static float hable(float x)
{
    /* Twice the light, as Hable shows it. */
    return lb_clamp(hable_curve(2.0f * lb_max(x, 0.0f)) / hable_curve(11.2f), 0.0f, 1.0f);
}

/* Both of the curves below give what a screen of this power shows. */
static float shown(float encoded)
{
    return lb_pow(lb_clamp(encoded, 0.0f, 1.0f), 2.2f);
}

static float filmic(float x)
{
    x = lb_max(x - 0.004f, 0.0f);
    return shown((x * (6.2f * x + 0.5f)) / (x * (6.2f * x + 1.7f) + 0.06f));
}

/* AgX's curve: of slope 2 at middle grey, which stands at 10 of the 16.5 stops and is shown as 0.5; below and above it
 * a hyperbola whose scale makes it end in 0 and in 1. */
static float agx_curve(float x)
{
    const float pivot = 10.0f / 16.5f, height = 0.5f, slope = 2.0f;
    float scale = x < pivot ? -0.51227738f : 0.54146416f, power = x < pivot ? 3.0f : 3.25f;
    float term = slope * (x - pivot) / scale;
    return scale * term / lb_pow(1.0f + lb_pow(term, power), 1.0f / power) + height;
}

/* From 10 stops below a grey of 0.18 to 6.5 above it, as 0 to 1. */
static float agx_stops(float x)
{
    const float least = -12.47393f, per_log = 1.44269504f;
    return lb_clamp((lb_log(lb_max(x, 1e-10f)) * per_log - least) / 16.5f, 0.0f, 1.0f);
}

/* A row of a matrix times a colour. */
static float mixed(const float row[3], lb_rgb c)
{
    return row[0] * c.r + row[1] * c.g + row[2] * c.b;
}

/* The primaries are drawn inwards, and out again once the curve has been along each of them. */
static lb_rgb agx(lb_rgb c)
{
    static const float in[3][3] = {{0.842479062f, 0.0784336f, 0.0792237451f},
                                   {0.0423282423f, 0.878468636f, 0.0791661275f},
                                   {0.0423756549f, 0.0784336f, 0.879142974f}};
    static const float out[3][3] = {{1.19687901f, -0.0980208811f, -0.0990297441f},
                                    {-0.0528968518f, 1.15190313f, -0.0989611768f},
                                    {-0.0529716355f, -0.0980434501f, 1.15107367f}};
    c = lb_rgb_make(agx_stops(mixed(in[0], c)), agx_stops(mixed(in[1], c)), agx_stops(mixed(in[2], c)));
    c = lb_rgb_make(agx_curve(c.r), agx_curve(c.g), agx_curve(c.b));
    return lb_rgb_make(shown(mixed(out[0], c)), shown(mixed(out[1], c)), shown(mixed(out[2], c)));
}

float lb_exposure_factor(float stops)
{
    return lb_pow(2.0f, stops);
}

lb_rgb lb_tone_map(enum lb_tone_map map, float exposure_factor, lb_rgb color)
{
    lb_rgb c = lb_rgb_scale(color, exposure_factor);
    if (map != LB_TONE_NONE) { /* far beyond white, and short of what the curves' squares overflow with */
        const float most = 1e9f;
        c = lb_rgb_make(lb_clamp(c.r, -most, most), lb_clamp(c.g, -most, most), lb_clamp(c.b, -most, most));
    }
    switch (map) {
    case LB_TONE_REINHARD:
        return lb_rgb_scale(c, 1.0f / (1.0f + lb_max(lb_rgb_luminance(c), 0.0f)));
    case LB_TONE_HABLE:
        return lb_rgb_make(hable(c.r), hable(c.g), hable(c.b));
    case LB_TONE_ACES:
        return lb_rgb_make(aces(c.r), aces(c.g), aces(c.b));
    case LB_TONE_AGX:
        return agx(c);
    case LB_TONE_FILMIC:
        return lb_rgb_make(filmic(c.r), filmic(c.g), filmic(c.b));
    default:
        return c;
    }
}
