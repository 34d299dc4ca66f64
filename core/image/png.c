/* PNG files through libpng. */
#include "core/image/formats.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lb_png_is(const struct lb_image_file *file)
{
    return file->size >= 8 && png_sig_cmp(file->data, 0, 8) == 0;
}

struct png_reader {
    const struct lb_image_file *file;
    size_t at; /* bytes that libpng has taken */
    png_structp png;
    png_infop info;
    uint32_t depth;    /* bits of a sample as libpng delivers it: 8 or 16 */
    uint32_t channels; /* of a pixel as libpng delivers it */
    bool grey;         /* as the file has it */
    uint8_t *pixels;
    uint8_t **rows;
    char reason[256]; /* why libpng gave up */
};

static void take(png_structp png, png_bytep to, size_t size)
{
    struct png_reader *r = png_get_io_ptr(png);
    if (size > r->file->size - r->at)
        png_error(png, "the PNG is cut short");
    memcpy(to, r->file->data + r->at, size);
    r->at += size;
}

static void keep_reason(png_structp png, png_const_charp reason)
{
    struct png_reader *r = png_get_error_ptr(png);
    snprintf(r->reason, sizeof r->reason, "%s", reason);
    png_longjmp(png, 1);
}

/* What libpng warns of, as of a text that is damaged, does not change the pixels. */
static void keep_quiet(png_structp png, png_const_charp warning)
{
    (void)png;
    (void)warning;
}

/* Samples of 8 or 16 bits, palettes as colours. As in pbrt only a file of the kind "colour with alpha" has an alpha
 * channel: that of grey, and colours that are transparent, are left out, unless they are asked for. Gamma is left to
 * the scene, which has "encoding" for it. */
static void choose_form(struct png_reader *r)
{
    png_byte kind = png_get_color_type(r->png, r->info);
    r->grey = !(kind & PNG_COLOR_MASK_COLOR);
    png_set_expand(r->png);
    if (r->file->any_alpha &&
        (kind == PNG_COLOR_TYPE_GRAY_ALPHA || png_get_valid(r->png, r->info, PNG_INFO_tRNS)))
        png_set_gray_to_rgb(r->png);
    else if (kind != PNG_COLOR_TYPE_RGB_ALPHA)
        png_set_strip_alpha(r->png);
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    r->depth = png_get_bit_depth(r->png, r->info);
    r->channels = png_get_channels(r->png, r->info);
}

static enum lb_status allocate(struct png_reader *r)
{
    size_t row = png_get_rowbytes(r->png, r->info), height = png_get_image_height(r->png, r->info);
    r->pixels = malloc(row * height);
    r->rows = malloc(height * sizeof *r->rows);
    for (size_t y = 0; r->pixels && r->rows && y < height; y++)
        r->rows[y] = r->pixels + y * row;
    return r->pixels && r->rows ? LB_OK : lb_error_memory(r->file->error, r->file->name);
}

/* Deflate packs at most 1032 bytes into one. */
static enum lb_status check_size(const struct png_reader *r)
{
    uint32_t bits = png_get_bit_depth(r->png, r->info) * (uint32_t)png_get_channels(r->png, r->info);
    return lb_image_check_size(r->file, png_get_image_width(r->png, r->info),
                               png_get_image_height(r->png, r->info),
                               (uint64_t)r->file->size * 1032 * 8 / bits);
}

/* Leaves by longjmp() where the file is damaged. */
static enum lb_status read_all(struct png_reader *r)
{
    png_set_read_fn(r->png, r, take);
    png_set_user_limits(r->png, LB_IMAGE_SIDE, LB_IMAGE_SIDE);
    /* Checksums that fail are errors, in chunks that pixels do not need too: nobody knows what was damaged. */
    png_set_crc_action(r->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_read_info(r->png, r->info);
    enum lb_status status = check_size(r);
    if (status != LB_OK)
        return status;
    choose_form(r);
    status = allocate(r);
    if (status != LB_OK)
        return status;
    png_read_image(r->png, r->rows);
    png_read_end(r->png, NULL);
    return LB_OK;
}

/* Pixels as lb_picture has them: 16 bits as floats. */
static enum lb_status deliver(struct png_reader *r, struct lb_picture *picture)
{
    size_t count = (size_t)picture->width * picture->height * r->channels;
    picture->channels = r->channels;
    if (r->depth == 8) {
        picture->bytes = r->pixels;
        r->pixels = NULL;
        return LB_OK;
    }
    picture->floats = malloc(count * sizeof *picture->floats);
    if (!picture->floats)
        return lb_error_memory(r->file->error, r->file->name);
    for (size_t i = 0; i < count; i++)
        picture->floats[i] = (float)(r->pixels[2 * i] << 8 | r->pixels[2 * i + 1]) / 65535.0f;
    return LB_OK;
}

static enum lb_status decode(struct png_reader *r)
{
    r->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, keep_reason, keep_quiet);
    r->info = r->png ? png_create_info_struct(r->png) : NULL;
    if (!r->info)
        return lb_error_memory(r->file->error, r->file->name);
    if (setjmp(png_jmpbuf(r->png)))
        return lb_image_fail(r->file, "byte %zu: %s", r->at, r->reason);
    return read_all(r);
}

enum lb_status lb_png_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    struct png_reader r = {.file = file};
    enum lb_status status = decode(&r);
    if (status == LB_OK) {
        picture->png = true;
        picture->grey = r.grey && r.channels >= 3;
        picture->width = png_get_image_width(r.png, r.info);
        picture->height = png_get_image_height(r.png, r.info);
        status = deliver(&r, picture);
    }
    png_destroy_read_struct(&r.png, &r.info, NULL);
    free(r.rows);
    free(r.pixels);
    return status;
}
