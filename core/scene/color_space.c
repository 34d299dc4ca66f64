#include "core/scene/color_space.h"

#include <string.h>

struct space {
    const char *name;
    double xyz_from_rgb[3][3];
};

/* From the primaries and whites of SMPTE EG 432-1 (with white D65), ITU-R BT.2020 and SMPTE ST 2065-1. */
static const struct space spaces[] = {
    {"dci-p3",
     {{0.4865709486, 0.2656676932, 0.1982172852},
      {0.2289745641, 0.6917385218, 0.0792869141},
      {0.0000000000, 0.0451133819, 1.0439443689}}},
    {"rec2020",
     {{0.6369580483, 0.1446169036, 0.1688809752},
      {0.2627002120, 0.6779980715, 0.0593017165},
      {0.0000000000, 0.0280726930, 1.0609850577}}},
    {"aces2065-1",
     {{0.9525523959, 0.0000000000, 0.0000936786},
      {0.3439664498, 0.7281660966, -0.0721325464},
      {0.0000000000, 0.0000000000, 1.0088251844}}},
};

static const double srgb_from_xyz[3][3] = {
    {3.2404542, -1.5371385, -0.4985314},
    {-0.9692660, 1.8760108, 0.0415560},
    {0.0556434, -0.2040259, 1.0572252},
};

static void multiply(const double m[3][3], const double v[3], double product[3])
{
    for (int i = 0; i < 3; i++)
        product[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

bool lb_color_space_to_srgb(const char *space, bool light, lb_rgb colour, lb_rgb *srgb)
{
    static const double one[3] = {1.0, 1.0, 1.0};
    *srgb = colour;
    if (!space || strcmp(space, "srgb") == 0)
        return true;
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strcmp(spaces[i].name, space) != 0)
            continue;
        const double own[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
        double xyz[3], rgb[3], white[3] = {1.0, 1.0, 1.0};
        if (!light) {
            multiply(spaces[i].xyz_from_rgb, one, xyz);
            multiply(srgb_from_xyz, xyz, white);
        }
        multiply(spaces[i].xyz_from_rgb, own, xyz);
        multiply(srgb_from_xyz, xyz, rgb);
        *srgb =
            lb_rgb_make(lb_max((float)(rgb[0] / white[0]), 0.0f), lb_max((float)(rgb[1] / white[1]), 0.0f),
                        lb_max((float)(rgb[2] / white[2]), 0.0f));
        return true;
    }
    return false;
}

/* Cramer's rule. */
static void invert(const double m[3][3], double inverse[3][3])
{
    double cofactor[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            cofactor[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    double determinant = m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse[i][j] = cofactor[j][i] / determinant;
}

bool lb_color_space_from_srgb(const char *space, double matrix[3][3])
{
    double to_srgb[3][3];
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strcmp(spaces[i].name, space) != 0)
            continue;
        for (int j = 0; j < 3; j++) {
            double unit[3] = {j == 0, j == 1, j == 2}, xyz[3], rgb[3];
            multiply(spaces[i].xyz_from_rgb, unit, xyz);
            multiply(srgb_from_xyz, xyz, rgb);
            for (int row = 0; row < 3; row++)
                to_srgb[row][j] = rgb[row];
        }
        invert(to_srgb, matrix);
        return true;
    }
    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = i % 4 == 0;
    return strcmp(space, "srgb") == 0;
}
