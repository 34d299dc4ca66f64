#include "core/picture/tone_map.h"

#include "core/kernel/elementary.h"

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
    default:
        return c;
    }
}
