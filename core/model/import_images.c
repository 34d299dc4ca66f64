/* A model's images: embedded in it, or files beside it. */
#include "core/base/ending.h"
#include "core/base/file.h"
#include "core/base/replace.h"
#include "core/image/image.h"
#include "core/kernel/film/film.h"
#include "core/kernel/math.h"
#include "core/model/import_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finding ---- */

/* Scene and image are of some file's bytes, or of the scene's memory. */
struct found {
    struct lb_file file;
    const uint8_t *data;
    size_t size;
    struct lb_picture texels; /* that the file holds as numbers, in place of an image file */
};

static const size_t most_bytes = (size_t)4 << 30;

/* "*3" is the fourth image in the file itself; others are found there by their name. */
static const struct aiTexture *embedded(const struct aiScene *scene, const char *name)
{
    if (name[0] == '*') {
        char *end;
        unsigned long number = strtoul(name + 1, &end, 10);
        return *end == '\0' && number < scene->mNumTextures ? scene->mTextures[number] : NULL;
    }
    for (unsigned i = 0; i < scene->mNumTextures; i++)
        if (scene->mTextures[i]->mFilename.length > 0 && !strcmp(scene->mTextures[i]->mFilename.data, name))
            return scene->mTextures[i];
    return NULL;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Makes / of \, and where `percent` characters of their codes, as in "my%20image.png". */
static void clean(char *name, bool percent)
{
    char *to = name;
    for (const char *from = name; *from; from++) {
        int high = percent && *from == '%' ? digit_of(from[1]) : -1, low = high >= 0 ? digit_of(from[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *from == '\\' ? '/' : *from;
        from += low >= 0 ? 2 : 0;
    }
    *to = '\0';
}

bool lb_model_open_beside(const struct lb_model_work *work, const char *given, struct lb_file *file)
{
    const char *slash = strrchr(work->path, '/');
    for (int attempt = 0; attempt < 3; attempt++) {
        char *name = strdup(given);
        if (!name)
            return false;
        clean(name, attempt > 0);
        const char *last = strrchr(name, '/'), *wanted = attempt == 2 && last ? last + 1 : name;
        struct lb_text path = {.data = NULL};
        if (*wanted != '/' && slash)
            lb_text_add(&path, "%.*s/", (int)(slash - work->path), work->path);
        lb_text_add(&path, "%s", wanted);
        char *full = lb_text_take(&path);
        free(name);
        bool opened = full && access(full, R_OK) == 0 && lb_file_read(full, most_bytes, file, NULL) == LB_OK;
        free(full);
        if (opened)
            return true;
    }
    return false;
}

static bool take_texels(const struct aiTexture *texture, struct lb_picture *picture)
{
    size_t count = (size_t)texture->mWidth * texture->mHeight;
    if (count == 0 || texture->mWidth > 65535 || texture->mHeight > 65535)
        return false;
    *picture = (struct lb_picture){.width = texture->mWidth, .height = texture->mHeight, .channels = 4};
    picture->bytes = malloc(count * 4);
    for (size_t i = 0; picture->bytes && i < count; i++) {
        const struct aiTexel *texel = &texture->pcData[i];
        const uint8_t rgba[4] = {texel->r, texel->g, texel->b, texel->a};
        memcpy(picture->bytes + 4 * i, rgba, 4);
    }
    return picture->bytes != NULL;
}

static bool find(const struct lb_model_work *work, const char *name, struct found *found)
{
    *found = (struct found){.data = NULL};
    const struct aiTexture *texture = embedded(work->scene, name);
    if (texture && texture->mHeight > 0)
        return take_texels(texture, &found->texels);
    if (texture) {
        found->data = (const uint8_t *)texture->pcData;
        found->size = texture->mWidth;
        return found->size > 0;
    }
    if (!lb_model_open_beside(work, name, &found->file))
        return false;
    found->data = found->file.data;
    found->size = found->file.size;
    return true;
}

/* ---- changing ---- */

static float decode(float v)
{
    return v <= 0.04045f ? v / 12.92f : lb_pow((v + 0.055f) / 1.055f, 2.4f);
}

/* A colour's value `v` in this image, linear. */
static float linear_of(const struct lb_picture *picture, float v)
{
    return picture->bytes && picture->linear ? v : decode(v);
}

/* A channel of a pixel, 0 to 1, as the file has it. */
static float value_of(const struct lb_picture *picture, size_t pixel, uint32_t channel)
{
    if (channel == 3 && picture->channels < 4)
        return 1.0f;
    size_t at = pixel * picture->channels + (picture->channels < 3 ? 0 : channel);
    return picture->bytes ? (float)picture->bytes[at] / 255.0f : picture->floats[at];
}

static float changed(const struct lb_picture *picture, size_t pixel, uint32_t channel,
                     const struct lb_model_change *change)
{
    bool numbers =
        change->kind == LB_MODEL_NUMBER || change->kind == LB_MODEL_OPPOSITE || change->kind == LB_MODEL_CUT;
    float v = value_of(picture, pixel, numbers ? change->channel : channel);
    switch (change->kind) {
    case LB_MODEL_CUT:
        return v * change->factor[0] >= change->cutoff ? 1.0f : 0.0f;
    case LB_MODEL_OPPOSITE:
        return 1.0f - v * change->factor[0];
    case LB_MODEL_NORMALS:
        return channel < 2 ? 0.5f + (v - 0.5f) * change->factor[channel] : v;
    case LB_MODEL_TINTED:
        return linear_of(picture, v) * change->factor[channel];
    case LB_MODEL_SHINING:
        return lb_srgb_encode(linear_of(picture, v) * change->factor[channel]);
    case LB_MODEL_NUMBER:
    case LB_MODEL_AS_IS:
        break;
    }
    return v;
}

/* Values that change by no fraction of a step. */
static bool keeps_steps(const struct lb_model_change *change)
{
    bool whole = fabsf(change->factor[0]) == 1.0f && fabsf(change->factor[1]) == 1.0f;
    return change->kind != LB_MODEL_TINTED && change->kind != LB_MODEL_SHINING &&
           (change->kind != LB_MODEL_NORMALS || whole);
}

/* 8 bits a value where the image has them and that is enough, and then a grey image of a channel; else 16 of red, green
 * and blue. All are linear but what shines. */
static enum lb_status write_changed(const char *path, const struct lb_picture *picture,
                                    const struct lb_model_change *change, struct lb_error *error)
{
    bool small = picture->bytes && keeps_steps(change);
    size_t channels = small && change->kind != LB_MODEL_NORMALS ? 1 : 3,
           count = (size_t)picture->width * picture->height * channels;
    uint16_t *words = malloc(count * sizeof *words);
    uint8_t *bytes = (uint8_t *)words;
    if (!words)
        return lb_error_memory(error, path);
    for (size_t i = 0; i < count; i++) {
        float v =
            lb_min(lb_max(changed(picture, i / channels, (uint32_t)(i % channels), change), 0.0f), 1.0f);
        if (small)
            bytes[i] = (uint8_t)(v * 255.0f + 0.5f);
        else
            words[i] = (uint16_t)(v * 65535.0f + 0.5f);
    }
    struct lb_png png = {.width = picture->width,
                         .height = picture->height,
                         .channels = (uint32_t)channels,
                         .bits = small ? 8 : 16,
                         .pixels = words};
    enum lb_status status = lb_png_save(path, &png, error);
    free(words);
    return status;
}

/* ---- both ---- */

/* The ending that the bytes ask for; NULL: no image that the scene could have. */
static const char *ending_of(const uint8_t *data, size_t size)
{
    static const struct {
        const char *magic, *ending;
    } kinds[] = {{"\x89PNG", ".png"}, {"\xFF\xD8\xFF", ".jpg"}, {"BM", ".bmp"},
                 {"qoif", ".qoi"},    {"#?", ".hdr"},           {"v/1\x01", ".exr"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size > strlen(kinds[i].magic) && !memcmp(data, kinds[i].magic, strlen(kinds[i].magic)))
            return kinds[i].ending;
    return NULL;
}

static enum lb_status write_found(struct lb_model_work *work, const struct found *found,
                                  const struct lb_picture *picture, const struct lb_model_change *change,
                                  const char **file)
{
    bool as_numbers =
        change->kind == LB_MODEL_NORMALS && change->factor[0] == 1.0f && change->factor[1] == 1.0f;
    bool as_colours = change->kind == LB_MODEL_SHINING && change->factor[0] == 1.0f &&
                      change->factor[1] == 1.0f && change->factor[2] == 1.0f && picture->channels >= 3 &&
                      !picture->grey;
    bool copied =
        found->data && (change->kind == LB_MODEL_AS_IS || as_colours || (as_numbers && picture->png));
    const char *ending = copied ? ending_of(found->data, found->size) : ".png";
    struct lb_text name = {.data = NULL}, path = {.data = NULL};
    lb_text_add(&name, "%s-parts/texture-%u%s", work->name, work->textures++, ending ? ending : ".tga");
    lb_text_add(&path, "%s/%s", work->folder, name.data ? name.data : "");
    enum lb_status status = name.failed || path.failed ? lb_error_memory(work->error, work->path) : LB_OK;
    if (status == LB_OK)
        status = copied ? lb_file_replace(path.data, found->data, found->size, work->error)
                        : write_changed(path.data, picture, change, work->error);
    *file = lb_text_take(&name);
    free(lb_text_take(&path));
    return status;
}

/* An image that was written, or could not be. */
struct lb_model_file {
    const char *name;
    struct lb_model_change change;
    const char *file;
    struct lb_model_file *next;
};

static bool is_same(const struct lb_model_change *a, const struct lb_model_change *b)
{
    bool same = a->kind == b->kind && a->channel == b->channel && a->cutoff == b->cutoff;
    for (int i = 0; i < 3; i++)
        same = same && a->factor[i] == b->factor[i];
    return same;
}

static const struct lb_model_file *written(const struct lb_model_work *work, const char *name,
                                           const struct lb_model_change *change)
{
    for (const struct lb_model_file *f = work->files; f; f = f->next)
        if (strcmp(f->name, name) == 0 && is_same(&f->change, change))
            return f;
    return NULL;
}

static enum lb_status write_image(struct lb_model_work *work, const char *name,
                                  const struct lb_model_change *change, const char **file)
{
    struct found found;
    struct lb_picture picture = {.bytes = NULL};
    struct lb_error why;
    enum lb_status status = LB_OK;
    if (!find(work, name, &found)) {
        lb_log_write(work->log, LB_WARNING, "%s: its image \"%s\" is not there, and left out", work->path,
                     name);
        return LB_OK;
    }
    if (found.data && lb_picture_parse_alpha(name, found.data, found.size, &picture, &why) != LB_OK)
        lb_log_write(work->log, LB_WARNING, "%s: an image of it is left out: %s", work->path, why.message);
    else
        status = write_found(work, &found, found.data ? &picture : &found.texels, change, file);
    lb_picture_free(&picture);
    lb_picture_free(&found.texels);
    lb_file_free(&found.file);
    return status;
}

enum lb_status lb_model_image(struct lb_model_work *work, const char *name,
                              const struct lb_model_change *change, const char **file)
{
    const struct lb_model_file *before = written(work, name, change);
    *file = before ? before->file : NULL;
    if (before)
        return LB_OK;
    enum lb_status status = write_image(work, name, change, file);
    struct lb_model_file *entry = malloc(sizeof *entry);
    if (status != LB_OK || !entry)
        return status == LB_OK ? lb_error_memory(work->error, work->path) : status;
    *entry = (struct lb_model_file){name, *change, *file, work->files};
    work->files = entry;
    return LB_OK;
}
