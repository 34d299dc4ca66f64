#include "core/scene/spectrum/color_space.h"

#include "core/base/color_space.h"

bool lb_rgb_to_srgb(const char *space, bool light, lb_rgb colour, lb_rgb *srgb)
{
    const double own[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
    uint32_t number = space ? lb_color_space_find(space) : LB_COLOR_SRGB;
    double m[3][3];
    float rgb[3];
    *srgb = colour;
    if (number == LB_COLOR_SPACES)
        return false;
    if (number == LB_COLOR_SRGB)
        return true;
    lb_color_space_to_srgb(number, m);
    for (int i = 0; i < 3; i++) {
        double white = light ? 1.0 : m[i][0] + m[i][1] + m[i][2];
        rgb[i] = lb_max((float)((m[i][0] * own[0] + m[i][1] * own[1] + m[i][2] * own[2]) / white), 0.0f);
    }
    *srgb = lb_rgb_make(rgb[0], rgb[1], rgb[2]);
    return true;
}
