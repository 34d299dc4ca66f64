/* The metallic-roughness material of glTF 2.0, as appendix B of its specification defines it, with the extensions for
 * transmission, volume, ior, specular, clearcoat and sheen (KHR_materials_*):
 *
 *     clearcoat over (sheen over (mix of metal and dielectric by `metallic`)),
 *     dielectric = specular reflection over (mix of diffuse and transmitted by `transmission`).
 *
 * Microfacets are GGX with Smith's height-correlated masking; Fresnel factors are Schlick's. Where the specification
 * leaves open how much light a layer leaves to what lies below it, or gives a way that makes light or is not
 * reciprocal, this is reciprocal and never makes light: below the specular reflection lies a diffuse base that gets
 * what the reflection leaves, (1 - E(wo)) (1 - E(wi)) / (1 - mean of E), with the albedo E of the reflection (Kelemen,
 * Szirmay-Kalos 2001); below the coat it is what the coat's Fresnel factors for both directions leave.
 *
 * A wall that is not thin bends light. Seen from inside it is an interface in the part that lets light through, and
 * diffuse in the rest. */
#ifndef LB_CORE_KERNEL_MATERIALS_BSDF_METALLIC_H
#define LB_CORE_KERNEL_MATERIALS_BSDF_METALLIC_H

#include "core/kernel/materials/albedo_table.h"
#include "core/kernel/materials/bsdf_conductor.h"

/* What a direction is drawn by. LB_METALLIC_EVEN: by the cosine, for the diffuse part and for sheen. */
enum lb_metallic_lobe { LB_METALLIC_SPECULAR, LB_METALLIC_EVEN, LB_METALLIC_THROUGH, LB_METALLIC_COAT };

/* The two directions, turned over where wo is below the surface, so that it is above; and what is found out about them.
 * It stands in memory, so that on GPUs little is live across the calls that work on it. */
typedef struct lb_metallic_view {
    lb_vec3 wo, wi;
    float eta;   /* the index of the far side over that of the side of wo */
    bool inside; /* wo is in a body that light goes into */
    bool turned;
    lb_color sum; /* f |cosine of wi|, without what is smooth */
    float pdf;    /* the density of drawing wi, likewise */
} lb_metallic_view;

LB_INLINE void lb_metallic_look(const lb_bsdf *bsdf, lb_vec3 wi, lb_metallic_view *view)
{
    view->turned = bsdf->wo.z < 0.0f;
    view->inside = view->turned && bsdf->transmission > 0.0f && !bsdf->thin;
    view->wo = view->turned ? lb_negate(bsdf->wo) : bsdf->wo;
    view->wi = view->turned ? lb_negate(wi) : wi;
    view->eta = view->inside ? 1.0f / bsdf->eta : bsdf->eta;
    view->sum = lb_color_grey(0.0f);
    view->pdf = 0.0f;
}

/* ---- how much is reflected ---- */

/* What the dielectric part reflects at normal incidence. */
LB_INLINE lb_color lb_metallic_f0(float eta, lb_color color, float specular)
{
    float root = (eta - 1.0f) / (eta + 1.0f), f0 = root * root;
    return lb_color_scale(lb_color_clamp(lb_color_scale(color, f0), 0.0f, 1.0f), specular);
}

/* Schlick's approximation, which runs from f0 to f90. */
LB_INLINE lb_color lb_metallic_schlick(lb_color f0, float f90, float cosine)
{
    float rises = lb_schlick(cosine);
    return lb_color_add(lb_color_scale(f0, 1.0f - rises), lb_color_grey(f90 * rises));
}

/* The Fresnel factor of the dielectric part. From inside, the cosine of the refracted direction counts. */
LB_INLINE lb_color lb_metallic_fresnel(const lb_bsdf *bsdf, bool inside, float cosine)
{
    if (inside) {
        float sine2 = lb_max(0.0f, 1.0f - cosine * cosine) * bsdf->eta * bsdf->eta;
        if (sine2 >= 1.0f)
            return lb_color_grey(1.0f);
        if (bsdf->eta > 1.0f)
            cosine = lb_sqrt(1.0f - sine2);
    }
    return lb_metallic_schlick(bsdf->b, bsdf->f90, cosine);
}

/* The part of the light that facets reflect which wo meets at this cosine, metal and dielectric together. */
LB_INLINE lb_color lb_metallic_reflects(const lb_bsdf *bsdf, bool inside, float cosine)
{
    float rest = (1.0f - bsdf->metal) * (inside ? bsdf->transmission : 1.0f);
    return lb_color_add(lb_color_scale(lb_metallic_schlick(bsdf->a, 1.0f, cosine), bsdf->metal),
                        lb_color_scale(lb_metallic_fresnel(bsdf, inside, cosine), rest));
}

/* What the base lets through, for a direction below the surface: the part by colour of what is not reflected. */
LB_INLINE lb_color lb_metallic_passes(const lb_bsdf *bsdf, bool inside, float cosine)
{
    float rest = 1.0f - lb_color_max(lb_metallic_fresnel(bsdf, inside, cosine));
    return lb_color_scale(bsdf->a, (1.0f - bsdf->metal) * bsdf->transmission * rest);
}

/* The albedo of the dielectric part's reflection, where it is greatest. */
LB_INLINE float lb_metallic_albedo(const lb_bsdf *bsdf, float cosine)
{
    return lb_color_max(bsdf->b) *
               lb_albedo_at(bsdf->albedos + LB_ALBEDO_A, lb_albedo_row(bsdf->facets.ax), cosine) +
           bsdf->f90 * lb_albedo_at(bsdf->albedos + LB_ALBEDO_B, lb_albedo_row(bsdf->facets.ax), cosine);
}

/* The part of the light of a direction that the clear coat lets through. */
LB_INLINE float lb_metallic_under_coat(const lb_bsdf *bsdf, lb_vec3 w)
{
    float rises = lb_schlick(lb_abs(lb_dot(w, bsdf->metallic.coat_normal)));
    return 1.0f - bsdf->metallic.coat * (0.04f + 0.96f * rises);
}

/* The part that sheen leaves. */
LB_INLINE float lb_metallic_under_sheen(const lb_bsdf *bsdf, float cosine_o, float cosine_i)
{
    const float *s = bsdf->albedos + LB_ALBEDO_S;
    float most = lb_color_max(bsdf->albedo);
    if (!(most > 0.0f))
        return 1.0f;
    return 1.0f - most * lb_max(lb_albedo_at(s, lb_albedo_row(bsdf->metallic.sheen_alpha), cosine_o),
                                lb_albedo_at(s, lb_albedo_row(bsdf->metallic.sheen_alpha), cosine_i));
}

/* Do facets let light through straight, or bend it all alike? */
LB_INLINE bool lb_metallic_is_clear(const lb_bsdf *bsdf)
{
    return bsdf->smooth || (!bsdf->thin && lb_index_is_matched(bsdf->eta));
}

/* ---- evaluation: each adds its part to view->sum and view->pdf ---- */

/* The diffuse base: what the reflection lets go there and come out again. */
LB_SELDOM void lb_metallic_add_diffuse(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    float even = view->wi.z * LB_1_PI, coupled = (1.0f - bsdf->metal) * (1.0f - bsdf->transmission) * even;
    view->pdf += bsdf->metallic.chances[LB_METALLIC_EVEN] * even;
    if (coupled > 0.0f && !view->inside) {
        float mean =
            lb_color_max(bsdf->b) *
                lb_albedo_mean(bsdf->albedos + LB_ALBEDO_MEAN_A, lb_albedo_row(bsdf->facets.ax)) +
            bsdf->f90 * lb_albedo_mean(bsdf->albedos + LB_ALBEDO_MEAN_B, lb_albedo_row(bsdf->facets.ax));
        coupled *= lb_max(0.0f, 1.0f - lb_metallic_albedo(bsdf, view->wo.z));
        coupled *= lb_max(0.0f, 1.0f - lb_metallic_albedo(bsdf, view->wi.z)) / lb_max(1.0f - mean, 1e-3f);
    }
    view->sum = lb_color_add(view->sum, lb_color_scale(bsdf->a, coupled));
}

/* The facets' density of reflecting wo into wi, about a normal of z, and what of it masking leaves. */
LB_INLINE float lb_metallic_facets(lb_microfacet facets, lb_vec3 wo, lb_vec3 wi, lb_vec3 h, float *unmasked)
{
    float lambda_o = lb_microfacet_lambda(facets, wo), lambda_i = lb_microfacet_lambda(facets, wi);
    float reflected = lb_microfacet_d(facets, h) / (4.0f * wo.z);
    *unmasked = reflected / (1.0f + lambda_o + lambda_i);
    return reflected / (1.0f + lambda_o);
}

/* The facets: their reflection, or, below the surface, what a thin wall of them lets through, which is mirrored to the
 * other side. */
LB_SELDOM void lb_metallic_add_facets(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    bool below = view->wi.z < 0.0f;
    lb_vec3 wo = view->wo, wi = lb_vec3_make(view->wi.x, view->wi.y, lb_abs(view->wi.z)), h;
    float masked;
    if (bsdf->smooth || !lb_half_vector(wo, wi, &h))
        return;
    float pdf = lb_metallic_facets(bsdf->facets, wo, wi, h, &masked), cosine = lb_dot(wo, h);
    view->pdf += bsdf->metallic.chances[below ? LB_METALLIC_THROUGH : LB_METALLIC_SPECULAR] * pdf;
    lb_color part = below ? lb_metallic_passes(bsdf, view->inside, cosine)
                          : lb_metallic_reflects(bsdf, view->inside, cosine);
    view->sum = lb_color_add(view->sum, lb_color_scale(part, masked));
}

/* Light that the facets of a body refract (Walter et al. 2007). */
LB_SELDOM void lb_metallic_add_body(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    lb_vec3 wo = view->wo, wi = view->wi, h = lb_add_scaled(wo, wi, view->eta);
    if (!(lb_dot(h, h) > 0.0f))
        return;
    h = lb_normalize(h);
    if (h.z < 0.0f)
        h = lb_negate(h);
    float cosine_o = lb_dot(wo, h), cosine_i = lb_dot(wi, h);
    if (!(cosine_o > 0.0f && cosine_i < 0.0f)) /* the facet would be seen from behind */
        return;
    float lambda_o = lb_microfacet_lambda(bsdf->facets, wo),
          lambda_i = lb_microfacet_lambda(bsdf->facets, wi);
    float bend = cosine_i + cosine_o / view->eta;
    float all = lb_microfacet_d(bsdf->facets, h) / wo.z * lb_abs(cosine_i * cosine_o) / (bend * bend);
    view->pdf += bsdf->metallic.chances[LB_METALLIC_THROUGH] * all / (1.0f + lambda_o);
    view->sum =
        lb_color_add(view->sum, lb_color_scale(lb_metallic_passes(bsdf, view->inside, cosine_o),
                                               all / (view->eta * view->eta * (1.0f + lambda_o + lambda_i))));
}

/* Sheen, which dims what was added before. */
LB_SELDOM void lb_metallic_add_sheen(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    view->sum = lb_color_scale(view->sum, lb_metallic_under_sheen(bsdf, view->wo.z, lb_abs(view->wi.z)));
    if (view->wi.z > 0.0f)
        view->sum = lb_color_add(view->sum, lb_color_scale(bsdf->albedo, lb_sheen(bsdf->metallic.sheen_alpha,
                                                                                  view->wo, view->wi)));
}

/* To the frame of the coat. */
LB_INLINE lb_vec3 lb_metallic_to_coat(lb_vec3 s, lb_vec3 t, lb_vec3 n, lb_vec3 w)
{
    return lb_vec3_make(lb_dot(w, s), lb_dot(w, t), lb_dot(w, n));
}

/* The coat, which dims what was added before, and reflects about its own normal. */
LB_SELDOM void lb_metallic_add_coat(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    lb_vec3 s, t, h;
    float masked;
    view->sum = lb_color_scale(view->sum, lb_metallic_under_coat(bsdf, view->wo) *
                                              lb_metallic_under_coat(bsdf, view->wi));
    if (!(view->wi.z > 0.0f) || lb_microfacet_is_smooth(bsdf->base))
        return;
    lb_basis(bsdf->metallic.coat_normal, &s, &t);
    lb_vec3 wo = lb_metallic_to_coat(s, t, bsdf->metallic.coat_normal, view->wo),
            wi = lb_metallic_to_coat(s, t, bsdf->metallic.coat_normal, view->wi);
    if (!(wo.z > 1e-7f) || !lb_half_vector(wo, wi, &h))
        return;
    view->pdf +=
        bsdf->metallic.chances[LB_METALLIC_COAT] * lb_metallic_facets(bsdf->base, wo, wi, h, &masked);
    masked *= bsdf->metallic.coat * (0.04f + 0.96f * lb_schlick(lb_dot(wo, h)));
    view->sum = lb_color_add(view->sum, lb_color_grey(masked));
}

/* All of them. */
LB_INLINE void lb_metallic_scatters(const lb_bsdf *bsdf, lb_metallic_view *view)
{
    if (view->wi.z > 0.0f) {
        lb_metallic_add_diffuse(bsdf, view);
        lb_metallic_add_facets(bsdf, view);
    } else if (view->wi.z < 0.0f && bsdf->transmission > 0.0f && bsdf->metal < 1.0f &&
               !lb_metallic_is_clear(bsdf)) {
        if (bsdf->thin)
            lb_metallic_add_facets(bsdf, view);
        else
            lb_metallic_add_body(bsdf, view);
    }
    if (lb_color_max(bsdf->albedo) > 0.0f)
        lb_metallic_add_sheen(bsdf, view);
    if (bsdf->metallic.coat > 0.0f)
        lb_metallic_add_coat(bsdf, view);
}

LB_SELDOM lb_color lb_metallic_evaluate(const lb_bsdf *bsdf, lb_vec3 wi, float *pdf)
{
    lb_metallic_view view;
    lb_metallic_look(bsdf, wi, &view);
    lb_metallic_scatters(bsdf, &view);
    *pdf = view.pdf;
    return view.sum;
}

/* Does it scatter into single directions only? `smooth` is known to be so. */
LB_INLINE bool lb_metallic_is_specular(const lb_bsdf *bsdf)
{
    return bsdf->metallic.chances[LB_METALLIC_EVEN] == 0.0f &&
           (bsdf->metallic.coat == 0.0f || lb_microfacet_is_smooth(bsdf->base));
}

/* ---- sampling ---- */

/* Sets the chances by how much light each lobe reflects, roughly, and at least some for each that reflects any. `n` is
 * the coat's normal in world space. */
LB_SELDOM void lb_metallic_prepare(lb_bsdf *bsdf, lb_vec3 n)
{
    lb_metallic_view view;
    bsdf->metallic.coat_normal = lb_bsdf_local(bsdf, n);
    lb_metallic_look(bsdf, bsdf->wo, &view);
    float cosine = view.wo.z, rest = 1.0f - bsdf->metal, color = lb_color_max(bsdf->a);
    float coat = 1.0f - lb_metallic_under_coat(bsdf, view.wo), below = 1.0f - coat;
    float sheen = 1.0f - lb_metallic_under_sheen(bsdf, cosine, cosine);
    float specular = lb_color_max(lb_metallic_reflects(bsdf, view.inside, cosine)), passes = rest * color;
    if (!view.inside)
        passes *= 1.0f - lb_min(lb_metallic_albedo(bsdf, cosine), 0.98f);
    float even = passes * (1.0f - bsdf->transmission);
    float through = lb_max(lb_color_max(lb_metallic_passes(bsdf, view.inside, cosine)),
                           lb_metallic_is_clear(bsdf) ? 0.0f : 0.05f * rest * color * bsdf->transmission);
    specular = lb_max(specular, bsdf->smooth ? 0.0f : 0.02f * lb_max(bsdf->f90 * rest, bsdf->metal));
    below *= 1.0f - sheen;
    bsdf->metallic.chances[LB_METALLIC_COAT] = coat;
    bsdf->metallic.chances[LB_METALLIC_SPECULAR] = specular * below;
    bsdf->metallic.chances[LB_METALLIC_EVEN] = even * below + sheen * (1.0f - coat);
    bsdf->metallic.chances[LB_METALLIC_THROUGH] = through * below;
    float sum = coat + (specular + even + through) * below + sheen * (1.0f - coat);
    for (int i = 0; i < 4; i++)
        bsdf->metallic.chances[i] = sum > 0.0f ? bsdf->metallic.chances[i] / sum : 0.0f;
}

/* Draws view->wi by the coat; it may be below the surface. */
LB_SELDOM void lb_metallic_draw_coat(const lb_bsdf *bsdf, lb_vec2 u, lb_metallic_view *view)
{
    lb_vec3 s, t, n = bsdf->metallic.coat_normal, h = lb_vec3_make(0.0f, 0.0f, 1.0f);
    lb_basis(n, &s, &t);
    lb_vec3 wo = lb_metallic_to_coat(s, t, n, view->wo);
    if (!lb_microfacet_is_smooth(bsdf->base))
        h = lb_microfacet_sample(bsdf->base, wo, u);
    lb_vec3 wi = lb_reflect(wo, h);
    view->wi = lb_add(lb_add(lb_scale(s, wi.x), lb_scale(t, wi.y)), lb_scale(n, wi.z));
}

/* Draws it by the facets: mirrored or, where `through`, let through. False: there is no such direction. */
LB_SELDOM bool lb_metallic_draw_facets(const lb_bsdf *bsdf, bool through, lb_vec2 u, lb_metallic_view *view)
{
    lb_vec3 h = lb_vec3_make(0.0f, 0.0f, 1.0f);
    float relative;
    if (through ? !lb_metallic_is_clear(bsdf) : !bsdf->smooth)
        h = lb_microfacet_sample(bsdf->facets, view->wo, u);
    if (through && !bsdf->thin) {
        if (!lb_refract(view->wo, h, view->eta, &relative, &view->wi))
            return false;
        view->wi = lb_normalize(view->wi); /* an index far from 1 leaves it less exact than others need it */
        return view->wi.z < 0.0f;
    }
    view->wi = lb_reflect(view->wo, h);
    bool above = view->wi.z > 0.0f;
    if (through)
        view->wi.z = -view->wi.z;
    return above;
}

/* Draws view->wi by a lobe. False: there is none. */
LB_INLINE bool lb_metallic_draw(const lb_bsdf *bsdf, enum lb_metallic_lobe lobe, lb_vec2 u,
                                lb_metallic_view *view)
{
    if (lobe == LB_METALLIC_SPECULAR || lobe == LB_METALLIC_THROUGH)
        return lb_metallic_draw_facets(bsdf, lobe == LB_METALLIC_THROUGH, u, view);
    if (lobe == LB_METALLIC_EVEN)
        view->wi = lb_sample_cosine(u);
    else
        lb_metallic_draw_coat(bsdf, u, view);
    return view->wi.z > 0.0f;
}

/* Is what the lobe draws a single direction? */
LB_INLINE bool lb_metallic_mirrors(const lb_bsdf *bsdf, enum lb_metallic_lobe lobe)
{
    switch (lobe) {
    case LB_METALLIC_SPECULAR:
        return bsdf->smooth != 0;
    case LB_METALLIC_THROUGH:
        return lb_metallic_is_clear(bsdf);
    case LB_METALLIC_COAT:
        return lb_microfacet_is_smooth(bsdf->base);
    case LB_METALLIC_EVEN:
        break;
    }
    return false;
}

/* Sets view->sum to what such a lobe sends into view->wi. */
LB_SELDOM void lb_metallic_mirror(const lb_bsdf *bsdf, enum lb_metallic_lobe lobe, lb_metallic_view *view)
{
    float passes = lb_metallic_under_coat(bsdf, view->wo);
    view->sum = lb_color_grey(1.0f - passes);
    if (lobe == LB_METALLIC_COAT)
        return;
    float layers = passes * lb_metallic_under_coat(bsdf, view->wi) *
                   lb_metallic_under_sheen(bsdf, view->wo.z, lb_abs(view->wi.z));
    if (lobe == LB_METALLIC_THROUGH && !bsdf->thin)
        layers /= view->eta * view->eta;
    view->sum =
        lb_color_scale(lobe == LB_METALLIC_THROUGH ? lb_metallic_passes(bsdf, view->inside, view->wo.z)
                                                   : lb_metallic_reflects(bsdf, view->inside, view->wo.z),
                       layers);
}

/* The lobe that a random number in [0, 1) chooses. */
LB_INLINE enum lb_metallic_lobe lb_metallic_choose(const lb_bsdf *bsdf, float number)
{
    if (number < bsdf->metallic.chances[LB_METALLIC_EVEN])
        return LB_METALLIC_EVEN;
    number -= bsdf->metallic.chances[LB_METALLIC_EVEN];
    if (number < bsdf->metallic.chances[LB_METALLIC_THROUGH])
        return LB_METALLIC_THROUGH;
    number -= bsdf->metallic.chances[LB_METALLIC_THROUGH];
    return number < bsdf->metallic.chances[LB_METALLIC_COAT] ? LB_METALLIC_COAT : LB_METALLIC_SPECULAR;
}

LB_SELDOM bool lb_metallic_sample(const lb_bsdf *bsdf, float number, lb_vec2 u, lb_scatter *scatter)
{
    lb_metallic_view view;
    lb_metallic_look(bsdf, bsdf->wo, &view);
    enum lb_metallic_lobe lobe = lb_metallic_choose(bsdf, number);
    if (!(bsdf->metallic.chances[lobe] > 0.0f) || !lb_metallic_draw(bsdf, lobe, u, &view))
        return false;
    bool mirrors = lb_metallic_mirrors(bsdf, lobe);
    if (mirrors)
        lb_metallic_mirror(bsdf, lobe, &view);
    else
        lb_metallic_scatters(bsdf, &view);
    float chance = mirrors ? bsdf->metallic.chances[lobe] : view.pdf;
    if (!(chance > 0.0f))
        return false;
    lb_scatter_set(scatter, view.turned ? lb_negate(view.wi) : view.wi,
                   lb_color_scale(view.sum, 1.0f / chance), view.pdf);
    scatter->transmitted = lobe == LB_METALLIC_THROUGH;
    if (scatter->transmitted && !bsdf->thin)
        scatter->eta = view.eta;
    return true;
}

#endif
