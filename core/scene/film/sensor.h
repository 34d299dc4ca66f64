/* What a film's sensor and its white balance make of a colour. Private to core/scene. */
#ifndef LB_CORE_SCENE_FILM_SENSOR_H
#define LB_CORE_SCENE_FILM_SENSOR_H

#include "core/scene/spectrum/samples.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether there is a sensor of that name besides the default, "cie1931". `names`, which may be NULL: all of them. */
bool lb_sensor_is_known(const char *name, const char *const **names, int *count);

/* The matrix that linear sRGB values are multiplied with. `camera`: of a camera's sensor, else of cie1931. `kelvin`,
 * from 1000 on: of the daylight that the picture is to show as the white of `space` (core/base/color_space.h). */
void lb_sensor_matrix(bool camera, double kelvin, uint32_t space, float matrix[3][3]);

/* The same where colours are spectra: how the sensor responds to light, which may be a camera's by its name, else
 * cie1931 (NULL), and the matrix that takes the responses to linear sRGB. `kelvin` 0: cie1931 leaves colours alone. */
void lb_sensor_see(const char *camera, double kelvin, uint32_t space, struct lb_samples responses[3],
                   float matrix[3][3]);

#endif
