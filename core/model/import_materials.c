/* Materials: what the file says of a surface, as our material metallicroughness, and beside it, for pbrt, as one of
 * pbrt's. */
#include "core/model/import_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is being written of one material. */
struct writing {
    struct lb_model_work *work;
    const struct lb_model_surface *surface;
    unsigned number;
    struct lb_text ours; /* parameters of metallicroughness */
    struct lb_model_textured textured;
};

/* ---- textures ---- */

/* Who reads a texture: lbrender alone, pbrt too, or both as the alpha of shapes, which has no second coordinates. */
enum reader { FOR_ALL, FOR_US, FOR_SHAPES };

/* What the image's coordinates are of those of the mesh, and what lies beyond it; pbrt has no second ones, and gets the
 * first. */
static void add_mapping(const struct writing *w, const struct lb_model_fit *fit, bool for_us,
                        const char *image)
{
    if (lb_model_clamps(w->work, w->number, image))
        lb_text_add(&w->work->text, " \"string wrap\" \"clamp\"");
    if (fit->second && for_us)
        lb_text_add(&w->work->text, " \"string mapping\" \"uv1\"");
    if (fit->found && fit->moved && fit->second <= for_us)
        lb_text_add(&w->work->text,
                    " \"float uscale\" [ %.9g ] \"float vscale\" [ %.9g ] \"float udelta\" [ %.9g ] \"float "
                    "vdelta\" [ %.9g ]",
                    (double)fit->scale[0], (double)fit->scale[1], (double)fit->shift[0],
                    (double)fit->shift[1]);
}

/* What a texture is: `type` float or spectrum; its values are multiplied by the scale, and linear or as the file says.
 */
struct image_texture {
    const char *type, *name, *file, *source;
    float scale;
    bool linear;
};

static void add_texture(struct writing *w, const struct image_texture *t, const struct lb_model_fit *fit,
                        bool for_us)
{
    lb_text_add(&w->work->text,
                "Texture \"%s-%u\" \"%s\" \"imagemap\" \"string filename\" \"%s\" \"string filter\" "
                "\"trilinear\"%s",
                t->name, w->number, t->type, t->file, t->linear ? " \"string encoding\" \"linear\"" : "");
    add_mapping(w, fit, for_us, t->source);
    if (t->scale != 1.0f)
        lb_text_add(&w->work->text, " \"float scale\" [ %.9g ]", (double)t->scale);
    lb_text_add(&w->work->text, "\n");
}

static void tell_other_coordinates(const struct writing *w, const char *image)
{
    lb_log_write(
        w->work->log, LB_WARNING,
        "%s: image \"%s\" has other texture coordinates than its material's main image, whose it gets",
        w->work->path, image);
}

/* Writes an image as a texture `name`-NUMBER, whose values the scale multiplies, and says in `*made` whether it could
 * be. `type`: float or spectrum. */
static enum lb_status write_texture(struct writing *w, enum reader reader, const char *source,
                                    const struct lb_model_change *change, float scale, const char *type,
                                    const char *name, bool *made)
{
    const char *file;
    enum lb_status status = lb_model_image(w->work, source, change, &file);
    *made = status == LB_OK && file;
    if (!*made)
        return status;
    const struct image_texture texture = {type, name, file, source, scale, change->kind != LB_MODEL_AS_IS};
    struct lb_model_fit fit = lb_model_fit_coordinates(
        w->work, w->number, source, reader == FOR_SHAPES ? LB_MODEL_FIRST : LB_MODEL_EITHER);
    bool apart = fit.second && reader == FOR_ALL;
    if (reader == FOR_US || apart)
        lb_text_add(&w->work->text, "#@lbrender ");
    add_texture(w, &texture, &fit, true);
    if (apart) {
        lb_text_add(&w->work->text, "#@pbrt\n");
        add_texture(w, &texture, &fit, false);
        lb_text_add(&w->work->text, "#@end\n");
    }
    if (!fit.found)
        tell_other_coordinates(w, source);
    return LB_OK;
}

/* A number from 0 to 1, which a channel of an image may multiply. */
static enum lb_status write_number(struct writing *w, enum reader reader, const char *name,
                                   const struct lb_model_number *value, uint32_t channel, float fallback,
                                   bool *textured)
{
    const struct lb_model_change change = {.kind = LB_MODEL_NUMBER, .channel = channel};
    float factor = fminf(1.0f, fmaxf(0.0f, value->factor));
    enum lb_status status = LB_OK;
    *textured = false;
    if (value->image && factor > 0.0f)
        status = write_texture(w, reader, value->image, &change, factor, "float", name, textured);
    if (*textured)
        lb_text_add(&w->ours, " \"texture %s\" \"%s-%u\"", name, name, w->number);
    else if (factor != fallback)
        lb_text_add(&w->ours, " \"float %s\" [ %.9g ]", name, (double)factor);
    return status;
}

/* A colour, which an image may multiply. Where its parts are alike the texture's scale has them; `scale` multiplies
 * both. */
static enum lb_status write_color(struct writing *w, enum reader reader, const char *name,
                                  const struct lb_model_color *value, float scale, float fallback,
                                  bool *textured)
{
    const float *f = value->factor;
    bool even = f[0] == f[1] && f[1] == f[2];
    struct lb_model_change change = {.kind = even ? LB_MODEL_AS_IS : LB_MODEL_TINTED};
    float most = fmaxf(f[0], fmaxf(f[1], f[2]));
    enum lb_status status = LB_OK;
    for (int i = 0; !even && i < 3; i++)
        change.factor[i] = f[i] / most;
    *textured = false;
    if (value->image && most > 0.0f)
        status = write_texture(w, reader, value->image, &change, most * scale, "spectrum", name, textured);
    if (*textured)
        lb_text_add(&w->ours, " \"texture %s\" \"%s-%u\"", name, name, w->number);
    else if (f[0] * scale != fallback || !even)
        lb_text_add(&w->ours, " \"rgb %s\" [ %.9g %.9g %.9g ]", name, (double)(f[0] * scale),
                    (double)(f[1] * scale), (double)(f[2] * scale));
    return status;
}

/* ---- parts of a material ---- */

/* Of a mesh with images: its colours are an image by its second coordinates, and a factor of the base colour, which
 * pbrt gets without them. */
static enum lb_status write_painted_base(struct writing *w, const struct lb_model_color *base)
{
    const float white[3] = {1.0f, 1.0f, 1.0f};
    struct lb_text ours = w->ours; /* which has the base colour of the two in place of the file's */
    w->ours = (struct lb_text){.data = NULL};
    enum lb_status status = write_color(w, FOR_ALL, "basecolor", base, 1.0f, -1.0f, &w->textured.base);
    free(lb_text_take(&w->ours));
    w->ours = ours;
    if (status == LB_OK)
        status = lb_model_write_paint(w->work, w->number, white);
    lb_text_add(&w->work->text, "#@lbrender Texture \"painted-%u\" \"spectrum\" \"scale\"", w->number);
    if (w->textured.base)
        lb_text_add(&w->work->text, " \"texture tex\" \"basecolor-%u\"", w->number);
    else
        lb_text_add(&w->work->text, " \"rgb tex\" [ %.9g %.9g %.9g ]", (double)base->factor[0],
                    (double)base->factor[1], (double)base->factor[2]);
    lb_text_add(&w->work->text, " \"texture tint\" \"vertexcolor-%u\"\n", w->number);
    lb_text_add(&w->ours, " \"texture basecolor\" \"painted-%u\"", w->number);
    return status;
}

static enum lb_status write_base(struct writing *w)
{
    struct lb_model_color base = w->surface->base;
    for (int i = 0; i < 3; i++)
        base.factor[i] = fminf(base.factor[i], 1.0f);
    if (w->work->places[w->number])
        return write_painted_base(w, &base);
    if (w->work->painted[w->number]) {
        w->textured.base = true;
        lb_text_add(&w->ours, " \"texture basecolor\" \"basecolor-%u\"", w->number);
        return lb_model_write_paint(w->work, w->number, base.factor);
    }
    return write_color(w, FOR_ALL, "basecolor", &base, 1.0f, 1.0f, &w->textured.base);
}

/* Roughness is squared for pbrt by an encoding of the same image, whose power is 2. */
static enum lb_status write_roughness(struct writing *w)
{
    const struct lb_model_surface *s = w->surface;
    float factor = fminf(1.0f, fmaxf(0.0f, s->roughness.factor));
    const struct lb_model_change change = {.kind = s->glossy ? LB_MODEL_OPPOSITE : LB_MODEL_NUMBER,
                                           .channel = s->glossy ? 3 : 1,
                                           .factor = {s->glossy ? factor : 0.0f}};
    const char *file = NULL;
    float scale = s->glossy ? 1.0f : factor;
    enum lb_status status = LB_OK;
    if (s->roughness.image)
        status = write_texture(w, FOR_US, s->roughness.image, &change, scale, "float", "roughness",
                               &w->textured.roughness);
    if (w->textured.roughness)
        status = lb_model_image(w->work, s->roughness.image, &change, &file);
    if (file) {
        lb_text_add(
            &w->work->text,
            "#@pbrt\nTexture \"alpha-of-roughness-%u\" \"float\" \"imagemap\" \"string filename\" \"%s\" "
            "\"string encoding\" \"gamma 2\" \"float scale\" [ %.9g ]",
            w->number, file, (double)(scale * scale));
        struct lb_model_fit fit =
            lb_model_fit_coordinates(w->work, w->number, s->roughness.image, LB_MODEL_EITHER);
        add_mapping(w, &fit, false, s->roughness.image);
        lb_text_add(&w->work->text, "\n#@end\n");
    }
    if (w->textured.roughness)
        lb_text_add(&w->ours, " \"texture roughness\" \"roughness-%u\"", w->number);
    else
        lb_text_add(&w->ours, " \"float roughness\" [ %.9g ]", (double)factor);
    return status;
}

/* The reflection of the dielectric; one that is given by what it reflects at normal incidence is a factor of that of
 * the index. */
static enum lb_status write_specular(struct writing *w)
{
    const struct lb_model_surface *s = w->surface;
    float root = (s->ior - 1.0f) / (s->ior + 1.0f), scale = s->specular_is_f0 ? 1.0f / (root * root) : 1.0f;
    bool textured;
    enum lb_status status = write_number(w, FOR_US, "specular", &s->specular, 3, 1.0f, &textured);
    if (status == LB_OK)
        status = write_color(w, FOR_US, "specularcolor", &s->specular_color, scale, 1.0f, &textured);
    if (s->ior != 1.5f)
        lb_text_add(&w->ours, " \"float ior\" [ %.9g ]", (double)s->ior);
    return status;
}

static enum lb_status write_layers(struct writing *w)
{
    const struct lb_model_surface *s = w->surface;
    const struct lb_model_color *c = &s->sheen;
    bool textured;
    enum lb_status status = LB_OK;
    if (s->clearcoat.factor > 0.0f) {
        if (s->coat_is_bent)
            lb_text_add(&w->ours, " \"bool clearcoatnormalmap\" true");
        status = write_number(w, FOR_US, "clearcoat", &s->clearcoat, 0, 0.0f, &textured);
        if (status == LB_OK)
            status =
                write_number(w, FOR_US, "clearcoatroughness", &s->clearcoat_roughness, 1, 0.0f, &textured);
    }
    if (status == LB_OK && c->factor[0] + c->factor[1] + c->factor[2] > 0.0f) {
        status = write_color(w, FOR_US, "sheencolor", c, 1.0f, 0.0f, &textured);
        if (status == LB_OK)
            status = write_number(w, FOR_US, "sheenroughness", &s->sheen_roughness, 3, 0.0f, &textured);
    }
    return status;
}

/* What light goes through, and what it meets inside. */
static enum lb_status write_transmission(struct writing *w)
{
    const struct lb_model_surface *s = w->surface;
    bool textured, body = !s->thin && s->transmission.factor > 0.0f;
    if (!(s->transmission.factor > 0.0f))
        return LB_OK;
    if (body)
        lb_text_add(&w->ours, " \"bool thinwalled\" false");
    w->work->bodies[w->number] = body && s->absorption[0] + s->absorption[1] + s->absorption[2] > 0.0f;
    if (w->work->bodies[w->number])
        lb_text_add(&w->work->text,
                    "MakeNamedMedium \"medium-%u\" \"string type\" \"homogeneous\" \"rgb sigma_a\" [ %.9g "
                    "%.9g %.9g ] "
                    "\"rgb sigma_s\" [ 0 0 0 ]\n",
                    w->number, (double)s->absorption[0], (double)s->absorption[1], (double)s->absorption[2]);
    return write_number(w, FOR_US, "transmission", &s->transmission, 0, 0.0f, &textured);
}

/* A parameter for a normal map, with y turned where it is for mirrored triangles. */
static enum lb_status write_normals(struct writing *w, const struct lb_model_number *normal,
                                    const char *parameter, bool mirrored, struct lb_text *text)
{
    const struct lb_model_change change = {
        .kind = LB_MODEL_NORMALS, .factor = {normal->factor, mirrored ? -normal->factor : normal->factor}};
    const char *file = NULL;
    enum lb_status status = normal->image ? lb_model_image(w->work, normal->image, &change, &file) : LB_OK;
    if (!file)
        return status;
    lb_text_add(text, " \"string %s\" \"%s\"", parameter, file);
    struct lb_model_fit fit = lb_model_fit_coordinates(w->work, w->number, normal->image, LB_MODEL_FIRST);
    if (!mirrored && (!fit.found || fit.moved))
        tell_other_coordinates(w, normal->image);
    return LB_OK;
}

/* ---- parts of its shapes ---- */

/* What shapes of this material have as alpha. Where nothing of it is seen through, they have none. */
static enum lb_status write_alpha(struct writing *w)
{
    const struct lb_model_surface *s = w->surface;
    struct lb_text text = {.data = NULL};
    bool textured = false;
    enum lb_status status = LB_OK;
    float opacity = fminf(1.0f, fmaxf(0.0f, s->opacity));
    struct lb_model_change change = {.kind = s->cut ? LB_MODEL_CUT : LB_MODEL_NUMBER,
                                     .channel = s->alpha_is_grey ? 0 : 3};
    if (s->cut)
        change.factor[0] = opacity, change.cutoff = s->cutoff;
    if (!s->cut && !s->blended)
        return LB_OK;
    if (s->alpha_image && opacity > 0.0f)
        status = write_texture(w, FOR_SHAPES, s->alpha_image, &change, s->cut ? 1.0f : opacity, "float",
                               "alpha", &textured);
    float whole = s->cut ? (opacity >= s->cutoff ? 1.0f : 0.0f) : opacity;
    if (textured)
        lb_text_add(&text, " \"texture alpha\" \"alpha-%u\"", w->number);
    else if (whole < 1.0f)
        lb_text_add(&text, " \"float alpha\" [ %.6g ]", (double)whole);
    w->work->alphas[w->number] = text.length ? lb_text_take(&text) : NULL;
    return status;
}

/* The light of its shapes, by a colour and an image; `scale` is a factor of both. */
static enum lb_status write_light(struct writing *w, const struct lb_model_color *light, double scale,
                                  bool two_sided)
{
    struct lb_text text = {.data = NULL};
    const char *file = NULL;
    const float *f = light->factor;
    float most = fmaxf(f[0], fmaxf(f[1], f[2]));
    struct lb_model_change change = {.kind = LB_MODEL_SHINING};
    enum lb_status status = LB_OK;
    if (!(most > 0.0f))
        return LB_OK;
    for (int i = 0; i < 3; i++)
        change.factor[i] = f[i] / most;
    if (light->image)
        status = lb_model_image(w->work, light->image, &change, &file);
    if (light->image && !file)
        return status;
    struct lb_model_fit fit = {.found = true};
    if (file)
        fit = lb_model_fit_coordinates(w->work, w->number, light->image, LB_MODEL_UNMOVED);
    w->work->shines_by_second[w->number] = fit.second;
    if (!fit.found)
        tell_other_coordinates(w, light->image);
    lb_text_add(&text, "AreaLightSource \"diffuse\" \"float scale\" [ %.9g ]",
                scale * (file ? (double)most : 1.0));
    if (file)
        lb_text_add(&text, " \"string filename\" \"%s\"", file);
    else
        lb_text_add(&text, " \"rgb L\" [ %.9g %.9g %.9g ]", (double)f[0], (double)f[1], (double)f[2]);
    lb_text_add(&text, "%s", two_sided ? " \"bool twosided\" true" : "");
    w->work->emissions[w->number] = lb_text_take(&text);
    return w->work->emissions[w->number] ? status : lb_error_memory(w->work->error, w->work->path);
}

/* ---- all ---- */

/* A material that shows its colour whatever shines on it is black, and shines itself. */
static enum lb_status write_unlit(struct writing *w)
{
    lb_text_add(
        &w->work->text,
        "MakeNamedMaterial \"material-%u\" \"string type\" \"diffuse\" \"rgb reflectance\" [ 0 0 0 ]\n",
        w->number);
    return write_light(w, &w->surface->base, 1.0, true);
}

static void write_diffuse_lines(struct writing *w, const char *suffix, const char *normals)
{
    const float *f = w->surface->base.factor;
    bool apart = w->work->places[w->number] != NULL;
    if (apart)
        lb_text_add(&w->work->text,
                    "#@lbrender MakeNamedMaterial \"material-%u%s\" \"string type\" \"diffuse\" \"texture "
                    "reflectance\" \"painted-%u\"%s\n#@pbrt\n",
                    w->number, suffix, w->number, normals);
    lb_text_add(&w->work->text, "MakeNamedMaterial \"material-%u%s\" \"string type\" \"diffuse\"", w->number,
                suffix);
    if (w->textured.base)
        lb_text_add(&w->work->text, " \"texture reflectance\" \"basecolor-%u\"", w->number);
    else
        lb_text_add(&w->work->text, " \"rgb reflectance\" [ %.9g %.9g %.9g ]", (double)fminf(f[0], 1.0f),
                    (double)fminf(f[1], 1.0f), (double)fminf(f[2], 1.0f));
    lb_text_add(&w->work->text, "%s\n%s", normals, apart ? "#@end\n" : "");
}

/* `coat`: the parameter of the clearcoat's own normals, which pbrt's material has not. */
static void write_layered_lines(struct writing *w, const char *suffix, const char *normals, const char *coat)
{
    lb_text_add(&w->work->text,
                "#@lbrender MakeNamedMaterial \"material-%u%s\" \"string type\" "
                "\"metallicroughness\"%s%s%s\n#@pbrt\n",
                w->number, suffix, w->ours.data ? w->ours.data : "", normals, coat);
    lb_model_write_substitute(&w->work->text, w->surface, w->number, suffix, &w->textured, normals);
    lb_text_add(&w->work->text, "#@end\n");
}

/* What the parameters name, and the parameters of metallicroughness. */
static enum lb_status write_parameters(struct writing *w)
{
    enum lb_status status = write_base(w);
    if (status != LB_OK || !w->surface->layered)
        return status;
    status = write_number(w, FOR_ALL, "metallic", &w->surface->metallic, 2, 1.0f, &w->textured.metal);
    if (status == LB_OK)
        status = write_roughness(w);
    if (status == LB_OK)
        status = write_specular(w);
    if (status == LB_OK)
        status = write_transmission(w);
    return status == LB_OK ? write_layers(w) : status;
}

/* The lines of the material, or of that for mirrored triangles. */
static enum lb_status write_lines(struct writing *w, bool mirrored)
{
    struct lb_text normals = {.data = NULL}, coat = {.data = NULL};
    const char *suffix = mirrored ? "-mirrored" : "";
    enum lb_status status = write_normals(w, &w->surface->normal, "normalmap", mirrored, &normals);
    if (status == LB_OK)
        status = write_normals(w, &w->surface->coat_normal, "clearcoatnormals", mirrored, &coat);
    if (normals.failed || coat.failed)
        status = lb_error_memory(w->work->error, w->work->path);
    if (status == LB_OK && w->surface->layered)
        write_layered_lines(w, suffix, normals.data ? normals.data : "", coat.data ? coat.data : "");
    else if (status == LB_OK)
        write_diffuse_lines(w, suffix, normals.data ? normals.data : "");
    free(lb_text_take(&normals));
    free(lb_text_take(&coat));
    return status;
}

static enum lb_status write_material(struct lb_model_work *work, unsigned number)
{
    struct lb_model_surface s = lb_model_read_surface(work, number);
    struct writing w = {.work = work, .surface = &s, .number = number};
    lb_model_tint(work, number, s.base.factor, &s.opacity);
    enum lb_status status = write_alpha(&w);
    if (status == LB_OK && s.unlit)
        status = write_unlit(&w);
    else if (status == LB_OK) {
        status = write_parameters(&w);
        if (status == LB_OK)
            status = write_lines(&w, false);
        if (status == LB_OK && work->mirrored[number])
            status = write_lines(&w, true);
        if (status == LB_OK)
            status = write_light(&w, &s.emission, work->gltf ? work->light_scale : 1.0, s.two_sided);
    }
    if (w.ours.failed)
        status = lb_error_memory(work->error, work->path);
    free(lb_text_take(&w.ours));
    return status;
}

enum lb_status lb_model_write_materials(struct lb_model_work *work)
{
    double light = lb_model_light(work);
    enum lb_status status = LB_OK;
    if (light > 0.0) /* then what the lights make of a white surface at the middle is white */
        work->light_scale = 3.14159265358979 / light;
    for (unsigned i = 0; status == LB_OK && i < work->scene->mNumMaterials; i++)
        if (work->used[i])
            status = write_material(work, i);
    return status;
}
