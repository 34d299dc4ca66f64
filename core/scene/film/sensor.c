#include "core/scene/film/sensor.h"

#include "core/base/color_space.h"
#include "core/scene/spectrum/samples.h"

#include <string.h>

static const char *const cameras[] = {
    "canon_eos_100d",    "canon_eos_1dx_mkii", "canon_eos_200d",     "canon_eos_200d_mkii", "canon_eos_5d",
    "canon_eos_5d_mkii", "canon_eos_5d_mkiii", "canon_eos_5d_mkiv",  "canon_eos_5ds",       "canon_eos_m",
    "nikon_d810",        "nikon_d850",         "hasselblad_l1d_20c", "sony_ilce_6400",      "sony_ilce_7m3",
    "sony_ilce_7rm3",    "sony_ilce_9",
};

/* What the seventeen cameras make of our colours in the mean. pbrt fits a matrix to the 24 swatches of a color chart,
 * from what the sensor gets of them under daylight of the white balance's temperature to what the eye gets under D65; a
 * second one, exact for white, goes from the swatches' RGB to what the sensor gets of them under D65; this is their
 * product. The cameras differ by less than what is lost by the step from spectra to three colours.
 * tools/make_sensors.py prints the rows. */
static const struct white_node {
    double kelvin, m[3][3];
} nodes[] = {
    {2000.0, {{0.4517, -0.1881, -1.1239}, {-0.0115, 1.5158, 0.1880}, {-0.0639, 1.0554, 6.3403}}},
    {2500.0, {{0.5467, -0.1114, -0.5134}, {-0.0150, 1.3094, 0.0003}, {-0.0223, 0.4712, 3.7250}}},
    {3000.0, {{0.6330, -0.0858, -0.2814}, {-0.0160, 1.2066, -0.0335}, {-0.0076, 0.2502, 2.5953}}},
    {3500.0, {{0.7077, -0.0707, -0.1715}, {-0.0150, 1.1441, -0.0344}, {-0.0021, 0.1464, 2.0001}}},
    {4000.0, {{0.7629, -0.0352, -0.1202}, {-0.0096, 1.0897, -0.0510}, {0.0022, 0.0876, 1.7148}}},
    {4500.0, {{0.8257, -0.0290, -0.0780}, {-0.0085, 1.0607, -0.0378}, {0.0031, 0.0547, 1.4685}}},
    {5000.0, {{0.8797, -0.0224, -0.0503}, {-0.0067, 1.0389, -0.0269}, {0.0028, 0.0328, 1.2939}}},
    {5500.0, {{0.9259, -0.0154, -0.0314}, {-0.0045, 1.0220, -0.0181}, {0.0020, 0.0177, 1.1658}}},
    {6000.0, {{0.9653, -0.0084, -0.0181}, {-0.0022, 1.0087, -0.0110}, {0.0010, 0.0067, 1.0692}}},
    {6500.0, {{0.9990, -0.0015, -0.0083}, {0.0001, 0.9978, -0.0052}, {-0.0001, -0.0014, 0.9944}}},
    {8000.0, {{1.0751, 0.0174, 0.0092}, {0.0067, 0.9751, 0.0068}, {-0.0034, -0.0166, 0.8478}}},
    {10000.0, {{1.1394, 0.0375, 0.0204}, {0.0139, 0.9572, 0.0158}, {-0.0067, -0.0268, 0.7436}}},
    {15000.0, {{1.2200, 0.0687, 0.0310}, {0.0252, 0.9364, 0.0259}, {-0.0117, -0.0369, 0.6331}}},
    {25000.0, {{1.2777, 0.0957, 0.0370}, {0.0350, 0.9223, 0.0322}, {-0.0156, -0.0429, 0.5656}}},
};

enum { NODES = sizeof nodes / sizeof nodes[0], CAMERAS = sizeof cameras / sizeof cameras[0] };

bool lb_sensor_is_known(const char *name, const char *const **names, int *count)
{
    if (names) {
        *names = cameras;
        *count = CAMERAS;
    }
    for (int i = 0; i < CAMERAS; i++)
        if (strcmp(cameras[i], name) == 0)
            return true;
    return false;
}

/* Linear in 1 / temperature between the table's rows, the first or the last outside them. */
static void camera_matrix(double kelvin, double matrix[3][3])
{
    int i = 0;
    while (i + 2 < NODES && nodes[i + 1].kelvin < kelvin)
        i++;
    double a = 1.0 / nodes[i].kelvin, b = 1.0 / nodes[i + 1].kelvin, t = (1.0 / kelvin - a) / (b - a);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            matrix[row][column] = nodes[i].m[row][column] * (1.0 - t) + nodes[i + 1].m[row][column] * t;
}

/* ---- the eye's sensor ---- */

typedef double matrix3[3][3];

static void product(const matrix3 a, const matrix3 b, matrix3 c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* X, Y = 1 and Z of daylight of the temperature (CIE 15), of a blackbody where that is not defined. */
static void daylight_xyz(double kelvin, double xyz[3])
{
    double t = kelvin * 1.4388 / 1.4380; /* the scale of temperature has been changed since */
    if (t < 4000.0) {
        struct lb_samples light, matching;
        lb_samples_blackbody(t, &light);
        for (int c = 0; c < 3; c++) {
            xyz[c] = 0.0;
            lb_samples_expand(lb_spectrum_cie[c].values, &matching);
            for (int i = 0; i < LB_SAMPLES_COUNT; i++)
                xyz[c] += light.values[i] * matching.values[i];
        }
        xyz[0] /= xyz[1];
        xyz[2] /= xyz[1];
    } else {
        double x = t <= 7000.0 ? ((-4.6070e9 / t + 2.9678e6) / t + 99.11) / t + 0.244063
                               : ((-2.0064e9 / t + 1.9018e6) / t + 247.48) / t + 0.237040;
        double y = -3.0 * x * x + 2.870 * x - 0.275;
        xyz[0] = x / y;
        xyz[2] = (1.0 - x - y) / y;
    }
    xyz[1] = 1.0;
}

/* Bradford's adaptation of linear sRGB values from one white to another, X, Y and Z of both. */
static void adapt(const double from[3], const double to[3], matrix3 adapted)
{
    static const matrix3 cones_from_xyz = {
        {0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}};
    static const matrix3 xyz_from_cones = {{0.9869929, -0.1470543, 0.1599627},
                                           {0.4323053, 0.5183603, 0.0492912},
                                           {-0.0085287, 0.0400428, 0.9684867}};
    static const matrix3 rgb_from_xyz = {{3.2404542, -1.5371385, -0.4985314},
                                         {-0.9692660, 1.8760108, 0.0415560},
                                         {0.0556434, -0.2040259, 1.0572252}};
    matrix3 to_cones, from_cones;
    product(cones_from_xyz, lb_color_spaces[LB_COLOR_SRGB].xyz_from_rgb, to_cones);
    product(rgb_from_xyz, xyz_from_cones, from_cones);
    for (int i = 0; i < 3; i++) {
        const double *row = cones_from_xyz[i];
        double seen = row[0] * from[0] + row[1] * from[1] + row[2] * from[2];
        double white = row[0] * to[0] + row[1] * to[1] + row[2] * to[2];
        for (int j = 0; j < 3; j++)
            to_cones[i][j] *= white / seen;
    }
    product(from_cones, to_cones, adapted);
}

static void white_xyz(uint32_t space, double xyz[3])
{
    const double(*m)[3] = lb_color_spaces[space].xyz_from_rgb;
    for (int i = 0; i < 3; i++)
        xyz[i] = m[i][0] + m[i][1] + m[i][2];
}

void lb_sensor_matrix(bool camera, double kelvin, uint32_t space, float matrix[3][3])
{
    double white[3], light[3];
    matrix3 to_white, own, all;
    white_xyz(space, white);
    if (camera) { /* of which is known what it makes of colours for the white of sRGB */
        white_xyz(LB_COLOR_SRGB, light);
        camera_matrix(kelvin, own);
        adapt(light, white, to_white);
        product(to_white, own, all);
    } else {
        daylight_xyz(kelvin, light);
        adapt(light, white, all);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = (float)all[i][j];
}
