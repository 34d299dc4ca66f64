/* Directions that a guide draws, at surfaces where it may: a cell or the material, one of both by chance, and the
 * density is that of both together (multiple importance sampling of one sample). */
#ifndef LB_CORE_KERNEL_GUIDING_LED_H
#define LB_CORE_KERNEL_GUIDING_LED_H

#include "core/kernel/guiding/guide.h"
#include "core/kernel/materials/bsdf.h"

#if defined(LB_GUIDED) || defined(LB_LED)

/* May directions be drawn by the guide there? The density of the material must be one that lb_bsdf_evaluate tells
 * exactly, and nothing may depend on the way on which light went through the surface. */
LB_INLINE bool lb_led_may(const lb_bsdf *bsdf)
{
    return bsdf->kind == LB_MATERIAL_DIFFUSE || bsdf->kind == LB_MATERIAL_COATED_DIFFUSE ||
           bsdf->kind == LB_MATERIAL_DIFFUSE_TRANSMISSION ||
           (bsdf->kind == LB_MATERIAL_CONDUCTOR && bsdf->smooth == 0);
}

/* The number of the guide's cell for a surface at this point; LB_NONE: no guide draws there. */
LB_INLINE uint32_t lb_led_number(const lb_guide *guide, const lb_bsdf *bsdf, lb_vec3 point)
{
    if (!lb_led_may(bsdf))
        return LB_NONE;
    return lb_guide_find(guide, point, bsdf->wo.z < 0.0f ? lb_negate(bsdf->n) : bsdf->n);
}

/* Lets the guide's cell of that number draw at a surface, if there is one that draws. */
LB_INLINE void lb_led_set(const lb_guide *guide, uint32_t number, lb_bsdf *bsdf)
{
    if (bsdf->kind == LB_MATERIAL_MEASURED)
        return;
    const lb_guide_cell *cell = number != LB_NONE ? guide->cells + number : NULL;
    bsdf->cell = cell != NULL && cell->chance < 1.0f ? cell : NULL;
}

/* The cell that draws there; NULL: the material alone does. */
LB_INLINE const lb_guide_cell *lb_led_cell(const lb_bsdf *bsdf)
{
    return bsdf->kind != LB_MATERIAL_MEASURED ? bsdf->cell : NULL;
}

/* Lets the scene's guide draw at a surface. (On GPUs kernels with LB_LED are for scenes that have one.) */
LB_INLINE void lb_led_enter(const lb_scene *scene, lb_bsdf *bsdf, lb_vec3 point)
{
    lb_guide guide = lb_guide_of(scene);
    bool none = LB_ON_CPUS(scene->guide.paths == 0);
    lb_led_set(&guide, none ? LB_NONE : lb_led_number(&guide, bsdf, point), bsdf);
}

/* The density with which a direction is drawn that the material draws with the density `pdf`. */
LB_INLINE float lb_led_density(const lb_bsdf *bsdf, lb_vec3 direction, float pdf)
{
    const lb_guide_cell *cell = lb_led_cell(bsdf);
    if (cell == NULL)
        return pdf;
    return cell->chance * pdf + (1.0f - cell->chance) * lb_guide_density(cell, direction);
}

/* As lb_bsdf_sample, by the cell or the material. Where they are not NULL, `*scattering` becomes the density with which
 * the material draws the direction, and `*guiding` that of the cell, over the one with which it was drawn; both become
 * 0 where no cell draws. */
LB_FUNCTION bool lb_led_scatter(const lb_bsdf *bsdf, float lobe, lb_vec2 u, lb_scatter *scatter,
                                float *scattering, float *guiding)
{
    const lb_guide_cell *cell = lb_led_cell(bsdf);
    float chance = cell != NULL ? cell->chance : 1.0f, pdf = 0.0f, guided = 0.0f, both = 1.0f;
    bool by_material = cell == NULL || u.x < chance;
    if (cell != NULL)
        u.x = lb_min(by_material ? u.x / chance : (u.x - chance) / (1.0f - chance), 0x1.fffffep-1f);
    if (by_material) {
        if (!lb_bsdf_sample(bsdf, lobe, u, scatter))
            return false;
        if (cell != NULL && !(scatter->pdf > 0.0f)) {
            scatter->weight = lb_color_scale(scatter->weight, 1.0f / chance);
            pdf = 1.0f;
            both = chance;
        } else if (cell != NULL) {
            pdf = scatter->pdf;
            guided = lb_guide_density(cell, scatter->direction);
            both = chance * pdf + (1.0f - chance) * guided;
            scatter->pdf = both;
            scatter->weight = lb_color_scale(scatter->weight, pdf / both);
        }
    } else {
        lb_vec3 direction = lb_guide_draw(cell, u);
        lb_color f = lb_bsdf_evaluate_path(bsdf, direction, &pdf);
        if (lb_color_is_black(f))
            return false;
        guided = lb_guide_density(cell, direction);
        both = chance * pdf + (1.0f - chance) * guided;
        if (!(both > 0.0f))
            return false;
        lb_scatter_set(scatter, direction, lb_color_scale(f, 1.0f / both), both);
    }
    if (scattering != NULL) {
        *scattering = pdf / both;
        *guiding = guided / both;
    }
    return true;
}

#endif

#endif
