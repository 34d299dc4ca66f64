/* Temperatures of media, and the colours in which they glow. */
#include "core/scene/media/media.h"

#include "core/scene/spectrum/spectrum.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

enum lb_status lb_build_heat(struct lb_builder *builder, const struct lb_parameters *parameters,
                             lb_medium *built)
{
    float cutoff;
    enum lb_status status;
    if ((status = lb_build_float(builder, parameters, "temperaturecutoff", 0.0f, -1e9f, 1e9f, &cutoff)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "temperatureoffset", cutoff, -1e9f, 1e9f,
                                 &built->heat_offset)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "temperaturescale", 1.0f, -1e9f, 1e9f,
                                 &built->heat_scale)) != LB_OK)
        return status;
    const lb_grid *grid = &built->temperature;
    const float *values = (const float *)builder->arrays.tables.data + grid->first;
    size_t count = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
    /* Beyond the grid it is 0. */
    float hottest = lb_max(-built->heat_offset * built->heat_scale, LB_MEDIUM_COLD + 1.0f);
    for (size_t i = 0; i < count; i++)
        hottest = lb_max(hottest, (values[i] - built->heat_offset) * built->heat_scale);
    built->heat_last = lb_min(hottest, 1e6f);
    if (grid->channels == 0 || builder->spectra)
        return LB_OK;
    built->heat = builder->arrays.tables.count;
    float *rows = lb_vector_add(&builder->arrays.tables, (size_t)3 * LB_MEDIUM_HEAT_ROWS);
    if (!rows)
        return lb_build_no_memory(builder);
    for (int i = 0; i < LB_MEDIUM_HEAT_ROWS; i++) {
        float part = (float)i / (float)(LB_MEDIUM_HEAT_ROWS - 1);
        lb_rgb rgb = lb_spectrum_blackbody((double)lb_mix(part, LB_MEDIUM_COLD, built->heat_last));
        rows[3 * i] = rgb.r;
        rows[3 * i + 1] = rgb.g;
        rows[3 * i + 2] = rgb.b;
    }
    return LB_OK;
}
