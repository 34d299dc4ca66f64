/* What a model's file says of a material. */
#ifndef LB_CORE_MODEL_IMPORT_SURFACE_H
#define LB_CORE_MODEL_IMPORT_SURFACE_H

#include "core/model/import_work.h"

/* A factor and the image whose values it multiplies; image NULL: the factor alone. */
struct lb_model_number {
    float factor;
    const char *image;
};
struct lb_model_color {
    float factor[3]; /* linear */
    const char *image;
};

struct lb_model_surface {
    bool layered; /* it reflects as a material of glTF does; else it is diffuse */
    struct lb_model_color base, emission, specular_color, sheen;
    struct lb_model_number metallic, roughness, transmission, specular, clearcoat, clearcoat_roughness,
        sheen_roughness, normal;
    bool coat_is_bent;                  /* the clearcoat has the normals of the surface's map */
    struct lb_model_number coat_normal; /* or those of a map of its own */
    float ior;
    bool thin;           /* what goes through it goes through a thin wall */
    float absorption[3]; /* in the body that is no thin wall: a unit of length */
    float opacity, cutoff;
    const char *alpha_image; /* its alpha counts; NULL: there is none */
    bool alpha_is_grey;      /* the image shows alpha as a grey */
    bool cut;                /* alpha is 0 or 1, by the cutoff */
    bool blended;            /* alpha counts */
    bool glossy;             /* the image of roughness has its opposite, glossiness, as its alpha */
    bool specular_is_f0;     /* specular_color is what the dielectric reflects at normal incidence */
    bool unlit;              /* it shows its base colour whatever shines on it */
    bool two_sided;
};

/* Reads the material of that number. */
struct lb_model_surface lb_model_read_surface(const struct lb_model_work *work, unsigned number);

/* Adds the lines of a material for programs that do not know metallicroughness: it is called material-NUMBER and the
 * suffix ("" or "-mirrored"), and made as one of pbrt's. Textures basecolor-NUMBER, alpha-of-roughness-NUMBER and
 * metallic-NUMBER are there as `textured` says. `rest`: parameters that all materials have. */
struct lb_model_textured {
    bool base, roughness, metal;
};
void lb_model_write_substitute(struct lb_text *text, const struct lb_model_surface *s, unsigned number,
                               const char *suffix, const struct lb_model_textured *textured,
                               const char *rest);

#endif
