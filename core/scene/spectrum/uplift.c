#include "core/scene/spectrum/uplift.h"

#include "core/kernel/math.h"
#include "core/scene/spectrum/spectrum.h"

void lb_uplifter_make(uint32_t space, struct lb_uplifter *uplifter)
{
    struct lb_samples white, eye[3];
    lb_spectrum_space_white(space, &white);
    lb_spectrum_eye(space, eye);
    for (int c = 0; c < 3; c++) {
        double all = 0.0;
        for (int i = 0; i < LB_SAMPLES_COUNT; i++)
            all += white.values[i] * eye[c].values[i];
        for (int i = 0; i < LB_SPECTRUM_COUNT; i++)
            uplifter->weights[i][c] = 0.0;
        /* Straight lines lead from one value of a reflectance to the next. */
        for (int i = 0; i < LB_SAMPLES_COUNT; i++) {
            int cell = i / LB_SPECTRUM_STEP;
            double part = (double)(i % LB_SPECTRUM_STEP) / LB_SPECTRUM_STEP;
            double seen = white.values[i] * eye[c].values[i] / all;
            uplifter->weights[cell][c] += (1.0 - part) * seen;
            if (part > 0.0)
                uplifter->weights[cell + 1][c] += part * seen;
        }
    }
}

/* The colour less `target`, how it changes with each coefficient, and the sum of the squares of the former. */
struct error {
    double off[3], slope[3][3], square;
};

static void look(const struct lb_uplifter *uplifter, const struct lb_sigmoid *sigmoid, const double target[3],
                 struct error *error)
{
    /* Roots and quotients take longest: a loop of their own is one that compilers make vectors of. */
    double values[LB_SPECTRUM_COUNT], steep[LB_SPECTRUM_COUNT];
    for (int i = 0; i < LB_SPECTRUM_COUNT; i++) {
        double x = (double)i / (LB_SPECTRUM_COUNT - 1);
        double y = (sigmoid->c[0] * x + sigmoid->c[1]) * x + sigmoid->c[2];
        double inverse = 1.0 / lb_sqrt_d(1.0 + y * y);
        values[i] = 0.5 + 0.5 * y * inverse;
        steep[i] = 0.5 * inverse * inverse * inverse;
    }
    for (int c = 0; c < 3; c++) {
        error->off[c] = -target[c];
        for (int k = 0; k < 3; k++)
            error->slope[c][k] = 0.0;
    }
    for (int i = 0; i < LB_SPECTRUM_COUNT; i++) {
        double x = (double)i / (LB_SPECTRUM_COUNT - 1), first = steep[i] * x, second = first * x;
        for (int c = 0; c < 3; c++) {
            double weight = uplifter->weights[i][c];
            error->off[c] += weight * values[i];
            error->slope[c][0] += weight * second;
            error->slope[c][1] += weight * first;
            error->slope[c][2] += weight * steep[i];
        }
    }
    error->square =
        error->off[0] * error->off[0] + error->off[1] * error->off[1] + error->off[2] * error->off[2];
}

/* Solves a x = b for a symmetric, positive matrix a by Cholesky's decomposition. False: it is not positive. */
static bool solve(double a[3][3], const double b[3], double x[3])
{
    double l[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            l[i][j] = i == j ? lb_sqrt_d(sum) : sum / l[j][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        x[i] = b[i];
        for (int k = 0; k < i; k++)
            x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++)
            x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
    return true;
}

/* A step of Levenberg and Marquardt's method from where `error` is. False: there is none. */
static bool step(const struct error *error, double damping, struct lb_sigmoid *sigmoid)
{
    double a[3][3], b[3], x[3];
    for (int i = 0; i < 3; i++) {
        b[i] = 0.0;
        for (int j = 0; j < 3; j++)
            a[i][j] = 0.0;
        for (int c = 0; c < 3; c++) {
            b[i] -= error->slope[c][i] * error->off[c];
            for (int j = 0; j < 3; j++)
                a[i][j] += error->slope[c][i] * error->slope[c][j];
        }
    }
    for (int i = 0; i < 3; i++)
        a[i][i] += damping * a[i][i] + 1e-30;
    if (!solve(a, b, x))
        return false;
    for (int i = 0; i < 3; i++)
        sigmoid->c[i] += x[i];
    return true;
}

enum { STEPS = 400 };

/* Goes on from `sigmoid` until the colour is as close as this. */
static void search(const struct lb_uplifter *uplifter, const double target[3], double close_enough,
                   double damping, struct lb_sigmoid *sigmoid)
{
    struct error error, next;
    look(uplifter, sigmoid, target, &error);
    for (int i = 0; i < STEPS && error.square > close_enough * close_enough && damping < 1e12; i++) {
        struct lb_sigmoid tried = *sigmoid;
        bool better = step(&error, damping, &tried);
        if (better) {
            look(uplifter, &tried, target, &next);
            better = next.square < error.square;
        }
        damping = better ? damping * 0.3 : damping * 4.0;
        if (!better)
            continue;
        *sigmoid = tried;
        error = next;
    }
}

void lb_uplift(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid)
{
    const double target[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
    double middle = (target[0] + target[1] + target[2]) / 3.0;
    middle = middle < 1e-4 ? 1e-4 : middle > 1.0 - 1e-4 ? 1.0 - 1e-4 : middle;
    /* It begins with the grey of the same brightness. */
    sigmoid->c[0] = sigmoid->c[1] = 0.0;
    sigmoid->c[2] = (middle - 0.5) / lb_sqrt_d(middle * (1.0 - middle));
    search(uplifter, target, 1e-7, 1e-3, sigmoid);
}

void lb_uplift_from(const struct lb_uplifter *uplifter, lb_rgb colour, struct lb_sigmoid *sigmoid)
{
    const double target[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
    search(uplifter, target, 1e-5, 1e-6, sigmoid);
}

double lb_uplift_error(const struct lb_uplifter *uplifter, lb_rgb colour, const struct lb_sigmoid *sigmoid)
{
    const double target[3] = {(double)colour.r, (double)colour.g, (double)colour.b};
    struct error error;
    double most = 0.0;
    look(uplifter, sigmoid, target, &error);
    for (int c = 0; c < 3; c++) {
        double off = error.off[c] < 0.0 ? -error.off[c] : error.off[c];
        most = off > most ? off : most;
    }
    return most;
}

double lb_sigmoid_at(const struct lb_sigmoid *sigmoid, double wavelength)
{
    double x = (wavelength - LB_SPECTRUM_FIRST) / (LB_SPECTRUM_LAST - LB_SPECTRUM_FIRST);
    double y = (sigmoid->c[0] * x + sigmoid->c[1]) * x + sigmoid->c[2];
    return 0.5 + 0.5 * y / lb_sqrt_d(1.0 + y * y);
}
