/* The reflectance of a colour as pbrt-v4 finds it: not that which shows the colour, but the one between those of the
 * eight nearest colours of a table. Of the table only these eight are made. */
#include "core/kernel/math.h"
#include "core/scene/spectrum/uplift.h"

/* pbrt's table has so many heights (of the largest component), and of each other component so many parts of it. */
enum { SIDE = 64 };

/* How far from its colour pbrt's reflectance may be, and the table's own ones from theirs. */
#define MOST_OFF   0.002
#define CORNER_OFF 1e-6

/* Heights lie closest near both ends. */
static double height_of(int row)
{
    double x = (double)row / (SIDE - 1);
    x = x * x * (3.0 - 2.0 * x);
    return x * x * (3.0 - 2.0 * x);
}

/* Where a colour lies in the table: cells, by height and by the two other components, and the parts of the way to the
 * next ones. */
struct lattice_place {
    int most; /* the largest component */
    int cell[3];
    double part[3];
};

static int largest(const double c[3])
{
    return c[0] > c[1] ? (c[0] > c[2] ? 0 : 2) : (c[1] > c[2] ? 1 : 2);
}

static void find_place(const double c[3], struct lattice_place *place)
{
    place->most = largest(c);
    double z = c[place->most];
    int row = 0;
    while (row < SIDE - 2 && height_of(row + 1) < z)
        row++;
    place->cell[0] = row;
    place->part[0] = (z - height_of(row)) / (height_of(row + 1) - height_of(row));
    for (int k = 1; k < 3; k++) {
        double x = c[(place->most + k) % 3] * (SIDE - 1) / z;
        place->cell[k] = (int)x < SIDE - 2 ? (int)x : SIDE - 2;
        place->part[k] = x - place->cell[k];
    }
}

/* The colour of a corner of the cell, one bit of `corner` a direction. Returns the corner's weight. */
static double find_corner(const struct lattice_place *place, int corner, lb_rgb *colour)
{
    double weight = 1.0, c[3], height = height_of(place->cell[0] + (corner & 1));
    for (int k = 0; k < 3; k++) {
        int next = corner >> k & 1;
        weight *= next != 0 ? place->part[k] : 1.0 - place->part[k];
        c[(place->most + k) % 3] = k == 0 ? height : height * (place->cell[k] + next) / (SIDE - 1);
    }
    *colour = lb_rgb_make((float)c[0], (float)c[1], (float)c[2]);
    return weight;
}

void lb_uplift_as_pbrt(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid)
{
    const double c[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
    struct lattice_place place;
    struct lb_sigmoid sum = {{0.0, 0.0, 0.0}};
    lb_uplift(uplifter, colour, sigmoid);
    if ((c[0] == c[1] && c[1] == c[2]) || !(c[0] >= 0.0 && c[1] >= 0.0 && c[2] >= 0.0) ||
        lb_uplift_error(uplifter, colour, sigmoid) > CORNER_OFF)
        return;
    find_place(c, &place);
    for (int corner = 0; corner < 8; corner++) {
        struct lb_sigmoid own;
        lb_rgb shown;
        double weight = find_corner(&place, corner, &shown);
        if (!(weight > 0.0))
            continue;
        lb_uplift(uplifter, shown, &own);
        if (lb_uplift_error(uplifter, shown, &own) > CORNER_OFF)
            return;
        for (int k = 0; k < 3; k++)
            sum.c[k] += weight * own.c[k];
    }
    if (lb_uplift_error(uplifter, colour, &sum) <= MOST_OFF)
        *sigmoid = sum;
}
