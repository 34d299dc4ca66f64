#include "core/language/matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double identity[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

static void multiply(const double a[4][4], const double b[4][4], double product[4][4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j];
}

void lb_matrix_identity(struct lb_matrix *matrix)
{
    memcpy(matrix->m, identity, sizeof identity);
    memcpy(matrix->inverse, identity, sizeof identity);
}

struct lb_matrix lb_matrix_product(const struct lb_matrix *a, const struct lb_matrix *b)
{
    struct lb_matrix product;
    multiply(a->m, b->m, product.m);
    multiply(b->inverse, a->inverse, product.inverse);
    return product;
}

struct lb_matrix lb_matrix_inverse(const struct lb_matrix *matrix)
{
    struct lb_matrix inverse;
    memcpy(inverse.m, matrix->inverse, sizeof inverse.m);
    memcpy(inverse.inverse, matrix->m, sizeof inverse.inverse);
    return inverse;
}

bool lb_matrix_is_usable(const struct lb_matrix *matrix)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (!(fabs(matrix->m[i][j]) <= (double)FLT_MAX && fabs(matrix->inverse[i][j]) <= (double)FLT_MAX))
                return false;
    return true;
}

bool lb_matrix_translate(const double by[3], struct lb_matrix *matrix)
{
    lb_matrix_identity(matrix);
    for (int i = 0; i < 3; i++) {
        matrix->m[i][3] = by[i];
        matrix->inverse[i][3] = -by[i];
    }
    return lb_matrix_is_usable(matrix);
}

bool lb_matrix_scale(const double by[3], struct lb_matrix *matrix)
{
    lb_matrix_identity(matrix);
    for (int i = 0; i < 3; i++) {
        matrix->m[i][i] = by[i];
        matrix->inverse[i][i] = 1 / by[i];
    }
    return lb_matrix_is_usable(matrix);
}

/* Sine and cosine by the Taylor series on an eighth of a turn, good to the last bit or two. libm's may differ from
 * machine to machine, and pictures must not. remquo() is exact by its definition. */
static void sine_and_cosine(double degrees, double *sine, double *cosine)
{
    int quadrant;
    double x = remquo(degrees, 90, &quadrant) * (3.14159265358979323846 / 180);
    double s = 1, c = 1;
    for (int n = 20; n >= 2; n -= 2) {
        s = 1 - x * x / (n * (n + 1)) * s;
        c = 1 - x * x / (n * (n - 1)) * c;
    }
    s *= x;
    switch (quadrant & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool normalize(const double v[3], double unit[3])
{
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0) || !isfinite(largest))
        return false;
    double scaled[3] = {v[0] / largest, v[1] / largest, v[2] / largest};
    double length = sqrt(dot(scaled, scaled));
    for (int i = 0; i < 3; i++)
        unit[i] = scaled[i] / length;
    return true;
}

static void cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

/* By Rodrigues' formula. */
bool lb_matrix_rotate(double degrees, const double axis[3], struct lb_matrix *matrix)
{
    double a[3], s, c;
    if (!normalize(axis, a))
        a[0] = a[1] = a[2] = (double)NAN;
    sine_and_cosine(degrees, &s, &c);
    const double turned[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    lb_matrix_identity(matrix);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double element = a[i] * a[j] * (1 - c) + (i == j ? c : turned[i][j] * s);
            matrix->m[i][j] = element;
            matrix->inverse[j][i] = element;
        }
    return lb_matrix_is_usable(matrix);
}

bool lb_matrix_look_at(const double eye[3], const double target[3], const double up[3],
                       struct lb_matrix *matrix)
{
    double towards[3] = {target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]};
    double axes[3][3], unit_up[3];
    if (!normalize(towards, axes[2]) || !normalize(up, unit_up))
        return false;
    cross(unit_up, axes[2], axes[0]);
    /* Vectors that are parallel but for rounding are as useless as parallel ones. */
    if (dot(axes[0], axes[0]) < 1e-24 || !normalize(axes[0], axes[0]))
        return false;
    cross(axes[2], axes[0], axes[1]);
    lb_matrix_identity(matrix);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix->m[i][j] = axes[i][j];
            matrix->inverse[j][i] = axes[i][j];
        }
        matrix->m[i][3] = -dot(axes[i], eye);
        matrix->inverse[i][3] = eye[i];
    }
    return lb_matrix_is_usable(matrix);
}

/* Takes `factor` times the row `from` from the row `to`, in both halves of the elimination. */
static void subtract_row(double left[4][4], double right[4][4], int to, int from, double factor)
{
    for (int j = 0; j < 4; j++) {
        left[to][j] -= factor * left[from][j];
        right[to][j] -= factor * right[from][j];
    }
}

static void swap_rows(double rows[4][4], int a, int b)
{
    double row[4];
    memcpy(row, rows[a], sizeof row);
    memcpy(rows[a], rows[b], sizeof row);
    memcpy(rows[b], row, sizeof row);
}

/* Inverts by Gauss-Jordan elimination, with the largest element of each column as its pivot. False: there is no
 * inverse. */
static bool invert(const double m[4][4], double inverse[4][4])
{
    double left[4][4];
    memcpy(left, m, sizeof left);
    memcpy(inverse, identity, sizeof identity);
    for (int column = 0; column < 4; column++) {
        int pivot = column;
        for (int i = column + 1; i < 4; i++)
            if (fabs(left[i][column]) > fabs(left[pivot][column]))
                pivot = i;
        if (!(fabs(left[pivot][column]) > 0))
            return false;
        swap_rows(left, pivot, column);
        swap_rows(inverse, pivot, column);
        double scale = left[column][column];
        for (int j = 0; j < 4; j++) {
            left[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for (int i = 0; i < 4; i++)
            if (i != column)
                subtract_row(left, inverse, i, column, left[i][column]);
    }
    return true;
}

/* Do three vectors lie in one plane, but for rounding? Their lengths do not matter. */
static bool are_coplanar(const double a[3], const double b[3], const double c[3])
{
    double normal[3], volume = sqrt(dot(a, a)) * sqrt(dot(b, b)) * sqrt(dot(c, c));
    cross(a, b, normal);
    return !(fabs(dot(normal, c)) > 1e-13 * volume);
}

/* Has the upper left 3 x 3 part no inverse, but for rounding? Then both its rows and its columns lie in one plane. A
 * mere scaling, before or after, may make one of them look so, but not both. */
static bool is_singular(const double m[4][4])
{
    double columns[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            columns[j][i] = m[i][j];
    return are_coplanar(m[0], m[1], m[2]) && are_coplanar(columns[0], columns[1], columns[2]);
}

bool lb_matrix_from_columns(const double columns[16], struct lb_matrix *matrix)
{
    bool affine = columns[3] == 0 && columns[7] == 0 && columns[11] == 0;
    double w = affine && columns[15] != 0 ? columns[15] : 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            matrix->m[i][j] = columns[4 * j + i] / w;
    if ((!affine || !is_singular(matrix->m)) && invert(matrix->m, matrix->inverse))
        return lb_matrix_is_usable(matrix);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            matrix->inverse[i][j] = (double)NAN;
    return false;
}

bool lb_matrix_is_affine(const struct lb_matrix *matrix)
{
    return matrix->m[3][0] == 0 && matrix->m[3][1] == 0 && matrix->m[3][2] == 0 && matrix->m[3][3] == 1;
}

/* The affine map has the derivative of (M x) / w at the origin, and maps the origin to the same place. */
struct lb_matrix lb_matrix_affine(const struct lb_matrix *matrix)
{
    const double(*m)[4] = matrix->m;
    double columns[16] = {[15] = 1};
    if (lb_matrix_is_affine(matrix))
        return *matrix;
    for (int i = 0; i < 3; i++) {
        double place = m[i][3] / m[3][3];
        for (int j = 0; j < 3; j++)
            columns[4 * j + i] = (m[i][j] - place * m[3][j]) / m[3][3];
        columns[12 + i] = place;
    }
    struct lb_matrix affine;
    lb_matrix_from_columns(columns, &affine);
    return affine;
}
