/* The color spaces that the scene language knows, linear all, by their numbers here. */
#ifndef LB_CORE_BASE_COLOR_SPACE_H
#define LB_CORE_BASE_COLOR_SPACE_H

#include <stdint.h>

enum { LB_COLOR_SRGB, LB_COLOR_SPACES = 4 };

struct lb_color_space {
    const char *name;       /* as pbrt has it */
    double primaries[4][2]; /* chromaticities x, y of red, green, blue and white */
    double xyz_from_rgb[3][3];
};
/* "srgb" is the first; then "dci-p3" (with the white D65), "rec2020", "aces2065-1". */
extern const struct lb_color_space lb_color_spaces[LB_COLOR_SPACES];

/* The space of that name; LB_COLOR_SPACES: there is none. */
uint32_t lb_color_space_find(const char *name);
/* The matrix that takes CIE XYZ to the space's colors. */
void lb_color_space_from_xyz(uint32_t space, double matrix[3][3]);
/* The matrices that take linear sRGB to the space's colors, and back; white keeps its own color. */
void lb_color_space_from_srgb(uint32_t space, double matrix[3][3]);
void lb_color_space_to_srgb(uint32_t space, double matrix[3][3]);

#endif
