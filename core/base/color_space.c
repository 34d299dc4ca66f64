#include "core/base/color_space.h"

#include <string.h>

/* From IEC 61966-2-1, SMPTE EG 432-1 (with white D65), ITU-R BT.2020 and SMPTE ST 2065-1. */
const struct lb_color_space lb_color_spaces[LB_COLOR_SPACES] = {
    {"srgb",
     {{0.64, 0.33}, {0.3, 0.6}, {0.15, 0.06}, {0.3127, 0.329}},
     {{0.4124564, 0.3575761, 0.1804375},
      {0.2126729, 0.7151522, 0.0721750},
      {0.0193339, 0.1191920, 0.9503041}}},
    {"dci-p3",
     {{0.68, 0.32}, {0.265, 0.69}, {0.15, 0.06}, {0.3127, 0.329}},
     {{0.4865709486, 0.2656676932, 0.1982172852},
      {0.2289745641, 0.6917385218, 0.0792869141},
      {0.0000000000, 0.0451133819, 1.0439443689}}},
    {"rec2020",
     {{0.708, 0.292}, {0.17, 0.797}, {0.131, 0.046}, {0.3127, 0.329}},
     {{0.6369580483, 0.1446169036, 0.1688809752},
      {0.2627002120, 0.6779980715, 0.0593017165},
      {0.0000000000, 0.0280726930, 1.0609850577}}},
    {"aces2065-1",
     {{0.7347, 0.2653}, {0.0, 1.0}, {0.0001, -0.077}, {0.32168, 0.33767}},
     {{0.9525523959, 0.0000000000, 0.0000936786},
      {0.3439664498, 0.7281660966, -0.0721325464},
      {0.0000000000, 0.0000000000, 1.0088251844}}},
};

static const double srgb_from_xyz[3][3] = {
    {3.2404542, -1.5371385, -0.4985314},
    {-0.9692660, 1.8760108, 0.0415560},
    {0.0556434, -0.2040259, 1.0572252},
};

uint32_t lb_color_space_find(const char *name)
{
    uint32_t space = 0;
    while (space < LB_COLOR_SPACES && strcmp(lb_color_spaces[space].name, name) != 0)
        space++;
    return space;
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

void lb_color_space_from_xyz(uint32_t space, double matrix[3][3])
{
    if (space != LB_COLOR_SRGB)
        invert(lb_color_spaces[space].xyz_from_rgb, matrix);
    else
        memcpy(matrix, srgb_from_xyz, sizeof srgb_from_xyz);
}

void lb_color_space_to_srgb(uint32_t space, double matrix[3][3])
{
    const double(*xyz)[3] = lb_color_spaces[space].xyz_from_rgb, (*rgb)[3] = srgb_from_xyz;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = space == LB_COLOR_SRGB
                               ? (double)(i == j)
                               : rgb[i][0] * xyz[0][j] + rgb[i][1] * xyz[1][j] + rgb[i][2] * xyz[2][j];
}

void lb_color_space_from_srgb(uint32_t space, double matrix[3][3])
{
    double to_srgb[3][3];
    lb_color_space_to_srgb(space, to_srgb);
    invert(to_srgb, matrix);
}
