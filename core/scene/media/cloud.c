/* The medium cloud, whose density is a function of the place. */
#include "core/scene/media/media.h"
#include "core/scene/builder/parameters.h"
#include "core/scene/textures/textures.h"

enum lb_status lb_build_cloud(struct lb_builder *builder, const struct lb_medium_entity *entity,
                              lb_medium *built)
{
    const struct lb_parameters *parameters = &entity->entity.parameters;
    static const uint32_t single[3] = {1, 1, 1};
    enum lb_status status;
    built->kind = LB_MEDIUM_CLOUD;
    if ((status = lb_build_medium_sigmas(builder, parameters, built)) != LB_OK ||
        (status = lb_build_medium_phase(builder, parameters, built)) != LB_OK ||
        (status = lb_build_float(builder, parameters, "density", 1.0f, 0.0f, 1e9f, &built->amount)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "wispiness", 1.0f, -1e9f, 1e9f, &built->wispiness)) !=
            LB_OK ||
        (status = lb_build_float(builder, parameters, "frequency", 5.0f, -1e9f, 1e9f, &built->frequency)) !=
            LB_OK ||
        (status = lb_build_medium_box(builder, entity, built)) != LB_OK ||
        (status = lb_build_permutation(builder, &built->permutation)) != LB_OK ||
        (status = lb_build_medium_cells(builder, single, built)) != LB_OK)
        return status;
    lb_build_medium_bound(builder, built, &built->density, 1.0f);
    return LB_OK;
}
