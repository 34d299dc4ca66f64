#include "core/scene/body_albedos.h"

#include "core/kernel/fresnel.h"
#include "core/kernel/phase.h"
#include "core/kernel/hash.h"
#include "core/kernel/coat_interface.h"

/* Walks, and the scatterings after which what is left is taken for the last. */
enum { WALKS = 16384, LONGEST = 1024 };

/* The cosine, to the surface, of even light that has been let in. */
static float enter(float eta, lb_random *random)
{
    for (;;) {
        float sine2 = lb_random_1d(random);
        float cosine = lb_sqrt(1.0f - sine2);
        if (lb_random_1d(random) >= lb_fresnel_dielectric(cosine, eta))
            return lb_sqrt(lb_max(0.0f, 1.0f - sine2 / (eta * eta)));
    }
}

/* The number of scatterings until light comes out. Depths are in mean free paths. */
static int follow(float eta, float g, lb_random *random)
{
    float depth = 0.0f;
    lb_vec3 w = lb_vec3_make(0.0f, 0.0f, enter(eta, random)); /* z goes in; the others only have to fit it */
    w.x = lb_sqrt(lb_max(0.0f, 1.0f - w.z * w.z));
    for (int count = 0; count < LONGEST;) {
        float way = -lb_log(1.0f - lb_random_1d(random));
        if (depth + way * w.z > 0.0f) {
            depth += way * w.z;
            w = lb_normalize(lb_phase_sample(w, g, lb_random_2d(random)));
            count++;
        } else {
            if (lb_random_1d(random) >= lb_fresnel_dielectric(w.z, eta))
                return count;
            depth = 0.0f;
            w.z = -w.z;
        }
    }
    return LONGEST;
}

/* The part that comes out: a polynomial of the albedo. */
static double reflectance(const int *counts, double albedo)
{
    double sum = 0.0;
    for (int i = LONGEST; i >= 0; i--)
        sum = sum * albedo + (double)counts[i];
    return sum / WALKS;
}

void lb_body_albedos(float eta, float g, float *albedos)
{
    int counts[LONGEST + 1] = {0};
    lb_random random;
    lb_random_start(&random, 1);
    for (int i = 0; i < WALKS; i++)
        counts[follow(eta, g, &random)]++;
    for (int i = 0; i < LB_BODY_ALBEDOS; i++) {
        double low = 0.0, high = 1.0;
        for (int step = 0; step < 30; step++) {
            double middle = 0.5 * (low + high);
            if (reflectance(counts, middle) < (double)i / (LB_BODY_ALBEDOS - 1))
                low = middle;
            else
                high = middle;
        }
        albedos[i] = (float)high;
    }
}
