/* Materials for programs that know those of pbrt alone. */
#include "core/model/import_surface.h"

#include <math.h>
#include <string.h>

static void add_reflectance(struct lb_text *text, const struct lb_model_surface *s, unsigned number,
                            bool textured)
{
    const float *base = s->base.factor;
    if (textured)
        lb_text_add(text, " \"texture reflectance\" \"basecolor-%u\"", number);
    else
        lb_text_add(text, " \"rgb reflectance\" [ %.6g %.6g %.6g ]", (double)fminf(base[0], 1.0f),
                    (double)fminf(base[1], 1.0f), (double)fminf(base[2], 1.0f));
}

/* pbrt's roughness is the alpha of the distribution, which is glTF's roughness squared. */
static void add_roughness(struct lb_text *text, const struct lb_model_surface *s, unsigned number,
                          bool textured)
{
    if (textured)
        lb_text_add(text, " \"texture roughness\" \"alpha-of-roughness-%u\"", number);
    else
        lb_text_add(text, " \"float roughness\" [ %.6g ]",
                    (double)fminf(1.0f, fmaxf(0.0f, s->roughness.factor * s->roughness.factor)));
    lb_text_add(text, " \"bool remaproughness\" false");
}

/* A material of one type, which is called material-NUMBER and the suffix. */
static void write_plain(struct lb_text *text, const struct lb_model_surface *s, const char *type,
                        unsigned number, const char *suffix, const struct lb_model_textured *textured,
                        const char *rest)
{
    bool glass = strstr(type, "dielectric") != NULL, thin = !strcmp(type, "thindielectric");
    lb_text_add(text, "MakeNamedMaterial \"material-%u%s\" \"string type\" \"%s\"", number, suffix, type);
    if (glass || !strcmp(type, "coateddiffuse"))
        lb_text_add(text, " \"float eta\" [ %.6g ]", (double)s->ior);
    if (!glass)
        add_reflectance(text, s, number, textured->base);
    if (!thin && strcmp(type, "diffuse") != 0)
        add_roughness(text, s, number, textured->roughness);
    lb_text_add(text, "%s\n", rest);
}

/* What is metal to a part is, as glTF says, so much of the metal and else the coated diffuse. */
static void write_part_metal(struct lb_text *text, const struct lb_model_surface *s, unsigned number,
                             const char *suffix, const struct lb_model_textured *textured, const char *rest)
{
    const char *base = *suffix ? "-mirrored-base" : "-base", *metal = *suffix ? "-mirrored-metal" : "-metal";
    write_plain(text, s, "coateddiffuse", number, base, textured, rest);
    write_plain(text, s, "conductor", number, metal, textured, rest);
    lb_text_add(text,
                "MakeNamedMaterial \"material-%u%s\" \"string type\" \"mix\" \"string materials\" [ "
                "\"material-%u%s\" \"material-%u%s\" ]",
                number, suffix, number, base, number, metal);
    if (textured->metal)
        lb_text_add(text, " \"texture amount\" \"metallic-%u\"\n", number);
    else
        lb_text_add(text, " \"float amount\" [ %.6g ]\n", (double)fminf(1.0f, s->metallic.factor));
}

void lb_model_write_substitute(struct lb_text *text, const struct lb_model_surface *s, unsigned number,
                               const char *suffix, const struct lb_model_textured *textured, const char *rest)
{
    const char *type = s->metallic.factor <= 0.0f ? "coateddiffuse" : "conductor";
    if (s->transmission.factor > 0.5f)
        write_plain(text, s, s->thin ? "thindielectric" : "dielectric", number, suffix, textured, rest);
    else if (s->metallic.factor > 0.0f && (s->metallic.factor < 1.0f || textured->metal))
        write_part_metal(text, s, number, suffix, textured, rest);
    else
        write_plain(text, s, type, number, suffix, textured, rest);
}
