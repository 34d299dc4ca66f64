/* What a film's sensor makes of spectra: the responses of its own, and a matrix that is fitted to a color chart, as
 * pbrt does it (Langlands, Fascione, "PhysLight: An End-to-End Pipeline for Scene-Referred Lighting", 2020). */
#include "core/scene/film/sensor.h"

#include "core/base/color_space.h"
#include "core/scene/spectrum/spectrum.h"

#include <stdio.h>
#include <string.h>

typedef double matrix3[3][3];

static double dot(const struct lb_samples *a, const struct lb_samples *b, const struct lb_samples *c)
{
    double sum = 0.0;
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        sum += a->values[i] * b->values[i] * (c ? c->values[i] : 1.0);
    return sum;
}

/* Daylight of the temperature (CIE 15), of a blackbody where that is not defined. */
static void daylight(double kelvin, struct lb_samples *light)
{
    double t = kelvin * 1.4388 / 1.4380; /* the scale of temperature has been changed since */
    struct lb_samples parts[3];
    if (t < 4000.0) {
        lb_samples_blackbody(t, light);
        return;
    }
    double x = t <= 7000.0 ? ((-4.6070e9 / t + 2.9678e6) / t + 99.11) / t + 0.244063
                           : ((-2.0064e9 / t + 1.9018e6) / t + 247.48) / t + 0.237040;
    double y = -3.0 * x * x + 2.870 * x - 0.275;
    double m = 0.0241 + 0.2562 * x - 0.7341 * y;
    double first = (-1.3515 - 1.7703 * x + 5.9114 * y) / m;
    double second = (0.0300 - 31.4424 * x + 30.0717 * y) / m;
    for (int k = 0; k < 3; k++)
        lb_samples_expand(lb_spectrum_daylight_parts[k].values, &parts[k]);
    for (int i = 0; i < LB_SAMPLES_COUNT; i++)
        light->values[i] = parts[0].values[i] + first * parts[1].values[i] + second * parts[2].values[i];
}

/* ---- the fit ---- */

/* Swatches as a sensor has them and as the eye is to see them. */
struct swatch_chart {
    double sensed[24][3], seen[24][3];
    int count;
};

static void look_at_chart(const struct lb_samples sensor[3], const struct lb_samples eye[3],
                          const struct lb_samples *light, const struct lb_samples *white,
                          struct swatch_chart *chart)
{
    double green = dot(&sensor[1], light, NULL), y = dot(&eye[1], white, NULL);
    double brightness = dot(&eye[1], light, NULL) / green;
    for (chart->count = 0; lb_spectrum_swatches[chart->count].name; chart->count++) {
        struct lb_samples swatch;
        lb_samples_expand(lb_spectrum_swatches[chart->count].values, &swatch);
        for (int c = 0; c < 3; c++) {
            chart->sensed[chart->count][c] = dot(&sensor[c], &swatch, light) / green;
            chart->seen[chart->count][c] = dot(&eye[c], &swatch, white) / y * brightness;
        }
    }
}

/* The x of a x = b, by Gauss's elimination with the largest pivots. */
static void solve(matrix3 a, double b[3], double x[3])
{
    for (int i = 0; i < 3; i++) {
        int pivot = i;
        for (int row = i + 1; row < 3; row++)
            if (a[row][i] * a[row][i] > a[pivot][i] * a[pivot][i])
                pivot = row;
        for (int k = 0; k < 3; k++) {
            double kept = a[i][k];
            a[i][k] = a[pivot][k];
            a[pivot][k] = kept;
        }
        double kept = b[i];
        b[i] = b[pivot];
        b[pivot] = kept;
        for (int row = i + 1; row < 3; row++) {
            double factor = a[row][i] / a[i][i];
            for (int k = i; k < 3; k++)
                a[row][k] -= factor * a[i][k];
            b[row] -= factor * b[i];
        }
    }
    for (int i = 2; i >= 0; i--) {
        x[i] = b[i];
        for (int k = i + 1; k < 3; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

/* The matrix that takes what is sensed closest to what is seen, in the sum of squares. */
static void fit(const struct swatch_chart *chart, matrix3 xyz_from_sensor)
{
    for (int c = 0; c < 3; c++) {
        matrix3 squares = {{0.0}};
        double sums[3] = {0.0, 0.0, 0.0};
        for (int s = 0; s < chart->count; s++)
            for (int i = 0; i < 3; i++) {
                sums[i] += chart->sensed[s][i] * chart->seen[s][c];
                for (int j = 0; j < 3; j++)
                    squares[i][j] += chart->sensed[s][i] * chart->sensed[s][j];
            }
        solve(squares, sums, xyz_from_sensor[c]);
    }
}

/* ---- sensors ---- */

static void find_responses(const char *camera, struct lb_samples responses[3])
{
    char name[64];
    for (int c = 0; c < 3; c++) {
        snprintf(name, sizeof name, "%s_%c", camera, "rgb"[c]);
        lb_samples_expand(lb_samples_table(lb_spectrum_cameras, name), &responses[c]);
    }
}

void lb_sensor_see(const char *camera, double kelvin, uint32_t space, struct lb_samples responses[3],
                   float matrix[3][3])
{
    matrix3 srgb_from_xyz, from_sensor;
    struct lb_samples eye[3], light, white;
    struct swatch_chart chart;
    float balance[3][3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    lb_color_space_from_xyz(LB_COLOR_SRGB, srgb_from_xyz);
    for (int c = 0; c < 3; c++)
        lb_samples_expand_smooth(lb_spectrum_cie[c].values, &eye[c]);
    if (camera) {
        find_responses(camera, responses);
        daylight(kelvin, &light);
        lb_spectrum_space_white(space, &white);
        look_at_chart(responses, eye, &light, &white, &chart);
        fit(&chart, from_sensor);
    } else {
        memcpy(responses, eye, sizeof eye);
        for (int i = 0; i < 9; i++)
            from_sensor[i / 3][i % 3] = i % 4 == 0;
        if (kelvin > 0.0)
            lb_sensor_matrix(false, kelvin, space, balance);
    }
    matrix3 srgb_from_sensor;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            srgb_from_sensor[i][j] = srgb_from_xyz[i][0] * from_sensor[0][j] +
                                     srgb_from_xyz[i][1] * from_sensor[1][j] +
                                     srgb_from_xyz[i][2] * from_sensor[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = (float)((double)balance[i][0] * srgb_from_sensor[0][j] +
                                   (double)balance[i][1] * srgb_from_sensor[1][j] +
                                   (double)balance[i][2] * srgb_from_sensor[2][j]);
}
