#include "core/scene/materials/diffusion.h"

#include "core/kernel/materials/bssrdf.h"
#include "core/kernel/materials/fresnel.h"
#include "core/kernel/media/phase.h"

/* Points on the beam that light makes below the surface where it goes in. */
enum { BEAM_POINTS = 100 };

/* The first radius after 0, in mean free paths, and what each next one is multiplied with. */
static const double first_radius = 0.0025, next_radius = 1.128;

/* The integral of cosine^power times the reflection, over the cosines of 0 .. 1. */
static double reflection_moment(float eta, int power)
{
    enum { STEPS = 4096 };
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        float cosine = ((float)i + 0.5f) / STEPS;
        double weight = power == 1 ? (double)cosine : (double)cosine * (double)cosine;
        sum += weight * (double)lb_fresnel_dielectric(cosine, eta);
    }
    return sum / STEPS;
}

/* The part of even light that a surface of index `eta` lets through; more than 0 even where hardly any is, as it is
 * divided by. */
static double part_let_through(float eta)
{
    double part = 1.0 - 2.0 * reflection_moment(eta, 1);
    return part > 1e-6 ? part : 1e-6;
}

float lb_diffusion_leaving(float eta)
{
    return (float)((double)eta * (double)eta / part_let_through(eta));
}

/* The kernel's exponential: a library's would not be the same everywhere. */
static double falloff(double x)
{
    return (double)lb_exp((float)-x);
}

static double hypotenuse(double a, double b)
{
    return lb_sqrt_d(a * a + b * b);
}

/* A half space whose unit of length is its mean free path. */
struct half_space {
    double scatters, absorbs, g, eta;
    double reduced;             /* extinction, of whose scattering the forward part is left out */
    double reduced_albedo;      /* what one reduced scattering leaves */
    double diffusion;           /* Grosjean's coefficient */
    double transport;           /* by which fluence falls off */
    double mirror;              /* height above the surface of the plane where fluence is taken for 0 */
    double by_fluence, by_flow; /* what comes out, by fluence and by vector irradiance at the surface */
};

/* `passes` and `second`: the part of even light that leaves through the surface, and the second moment of what is
 * reflected on the way. */
static void prepare(float albedo, float g, float eta, double passes, double second, struct half_space *half)
{
    half->scatters = (double)albedo;
    half->absorbs = 1.0 - (double)albedo;
    half->g = (double)g;
    half->eta = (double)eta;
    double scatters = half->scatters * (1.0 - half->g);
    half->reduced = half->absorbs + scatters;
    half->reduced_albedo = scatters / half->reduced;
    half->diffusion = (2.0 * half->absorbs + scatters) / (3.0 * half->reduced * half->reduced);
    half->transport = lb_sqrt_d(half->absorbs / half->diffusion);
    half->mirror = 2.0 * half->diffusion * (1.0 + 3.0 * second) / passes;
    half->by_fluence = 0.25 * passes;
    half->by_flow = 0.5 * (1.0 - 3.0 * second);
}

/* A depth of the beam: so many points as equal parts of its light lie above one another. */
static double beam_depth(int point, double extinction)
{
    return (double)-lb_log(1.0f - ((float)point + 0.5f) / BEAM_POINTS) / extinction;
}

/* What a source of unit power at `depth`, negative above the surface, adds to fluence and flow at a distance; both
 * without 1 / (4 pi), the fluence without 1 / diffusion. */
static void add_source(const struct half_space *half, double depth, double distance, double sign,
                       double *fluence, double *flow)
{
    double left = falloff(half->transport * distance) / distance;
    *fluence += sign * left;
    *flow += sign * depth * (1.0 + half->transport * distance) * left / (distance * distance);
}

/* Light per area that comes out at a radius after many scatterings: each point of the beam makes a dipole with its
 * mirror image above the surface. Without `correction` too much would come out close to where the light went in. */
static double scattered_often(const struct half_space *half, double radius)
{
    const double per_sphere = 1.0 / (4.0 * (double)LB_PI);
    double sum = 0.0;
    for (int i = 0; i < BEAM_POINTS; i++) {
        double depth = beam_depth(i, half->reduced), image = -depth - 2.0 * half->mirror;
        double distance = hypotenuse(radius, depth), fluence = 0.0, flow = 0.0;
        add_source(half, depth, distance, 1.0, &fluence, &flow);
        add_source(half, image, hypotenuse(radius, image), -1.0, &fluence, &flow);
        double correction = 1.0 - falloff(2.0 * half->reduced * (distance + depth));
        sum += correction * (half->by_fluence * fluence / half->diffusion + half->by_flow * flow);
    }
    return half->reduced_albedo * half->reduced_albedo * per_sphere * sum / BEAM_POINTS;
}

/* Light per area that comes out at a radius after one scattering, upwards, from depths at which the surface does not
 * reflect all of it. */
static double scattered_once(const struct half_space *half, double radius)
{
    double square = half->eta * half->eta - 1.0, sum = 0.0;
    double least = square > 0.0 ? radius * lb_sqrt_d(square) : 0.0;
    for (int i = 0; i < BEAM_POINTS; i++) {
        double depth = least + beam_depth(i, 1.0), distance = hypotenuse(radius, depth);
        float cosine = (float)(depth / distance);
        double passes = 1.0 - (double)lb_fresnel_dielectric(-cosine, (float)half->eta);
        sum += falloff(distance + least) / (distance * distance) * (double)lb_phase(-cosine, (float)half->g) *
               passes * (double)cosine;
    }
    return half->scatters * sum / BEAM_POINTS;
}

static void fill_row(const struct half_space *half, const float *radii, float *values, float *sums)
{
    double sum = 0.0;
    for (int i = 0; i < LB_PROFILE_RADII; i++) {
        double radius = (double)radii[i];
        values[i] = (float)(2.0 * (double)LB_PI * radius *
                            (scattered_once(half, radius) + scattered_often(half, radius)));
        if (i > 0)
            sum += 0.5 * ((double)values[i] + (double)values[i - 1]) * (double)(radii[i] - radii[i - 1]);
        sums[i] = (float)sum;
    }
}

void lb_diffusion_tabulate(float eta, float g, float *table)
{
    float *radii = table, *albedos = table + LB_PROFILE_RADII;
    double passes = part_let_through(1.0f / eta), second = reflection_moment(1.0f / eta, 2);
    double radius = first_radius;
    radii[0] = 0.0f;
    for (int i = 1; i < LB_PROFILE_RADII; i++) {
        radii[i] = (float)radius;
        radius *= next_radius;
    }
    /* Close to one another towards 1, where they make the most difference. */
    for (int i = 0; i < LB_PROFILE_ALBEDOS; i++)
        albedos[i] = (float)((1.0 - falloff(8.0 * i / (LB_PROFILE_ALBEDOS - 1))) / (1.0 - falloff(8.0)));
    for (int i = 0; i < LB_PROFILE_ALBEDOS; i++) {
        struct half_space half;
        prepare(albedos[i], g, eta, passes, second, &half);
        fill_row(&half, radii, table + LB_PROFILE_VALUES + i * LB_PROFILE_RADII,
                 table + LB_PROFILE_SUMS + i * LB_PROFILE_RADII);
    }
}
