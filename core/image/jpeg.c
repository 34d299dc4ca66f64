/* JPEG files through libjpeg-turbo. */
#include "core/image/formats.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

/* A file of more passes over its picture is made to keep readers busy. */
enum { MOST_SCANS = 500 };

struct jpeg_reader {
    const struct lb_image_file *file;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf leave;
    char reason[JMSG_LENGTH_MAX]; /* why the library gave up */
    uint8_t *pixels;
};

bool lb_jpeg_is(const struct lb_image_file *file)
{
    return file->size >= 2 && file->data[0] == 0xff && file->data[1] == 0xd8;
}

_Noreturn static void give_up(j_common_ptr jpeg)
{
    struct jpeg_reader *r = jpeg->client_data;
    jpeg->err->format_message(jpeg, r->reason);
    longjmp(r->leave, 1);
}

/* The library would make up for what is missing. Only warnings of what does not touch the pixels are no reason to
 * fail. */
static void judge_warning(j_common_ptr jpeg, int level)
{
    int code = jpeg->err->msg_code;
    bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM ||
                    code == JWRN_TOO_MUCH_DATA;
    if (level < 0 && !harmless)
        give_up(jpeg);
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void count_scans(j_common_ptr jpeg)
{
    struct jpeg_reader *r = jpeg->client_data;
    if (r->jpeg.input_scan_number <= MOST_SCANS)
        return;
    snprintf(r->reason, sizeof r->reason, "more than %d scans", MOST_SCANS);
    longjmp(r->leave, 1);
}

/* Grey, RGB or, which deliver() turns into RGB, CMYK. Accurate DCT and smooth chroma: stb_image, which pbrt reads with,
 * decodes alike. */
static enum lb_status choose_form(struct jpeg_reader *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    int components = jpeg->num_components;
    if (components != 1 && components != 3 && components != 4)
        return lb_image_fail(r->file, "JPEG files of %d components are not supported", components);
    jpeg->out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    jpeg->do_block_smoothing = FALSE;
    return LB_OK;
}

/* Leaves by longjmp() where the file is damaged. */
static enum lb_status read_all(struct jpeg_reader *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    jpeg_mem_src(jpeg, r->file->data, r->file->size);
    jpeg_read_header(jpeg, TRUE);
    /* Each block of 64 values takes a bit at least. */
    enum lb_status status =
        lb_image_check_size(r->file, jpeg->image_width, jpeg->image_height, (uint64_t)r->file->size * 8 * 64);
    if (status == LB_OK)
        status = choose_form(r);
    if (status != LB_OK)
        return status;
    jpeg_start_decompress(jpeg);
    size_t row = (size_t)jpeg->output_width * (size_t)jpeg->output_components;
    r->pixels = malloc(row * jpeg->output_height);
    if (!r->pixels)
        return lb_error_memory(r->file->error, r->file->name);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW line = r->pixels + row * jpeg->output_scanline;
        jpeg_read_scanlines(jpeg, &line, 1);
    }
    jpeg_finish_decompress(jpeg);
    return LB_OK;
}

static enum lb_status decode(struct jpeg_reader *r)
{
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->errors.error_exit = give_up;
    r->errors.emit_message = judge_warning;
    r->errors.output_message = print_nothing;
    r->progress.progress_monitor = count_scans;
    if (setjmp(r->leave))
        return lb_image_fail(r->file, "cannot be decoded: %s", r->reason);
    r->jpeg.client_data = r;
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.progress = &r->progress;
    return read_all(r);
}

/* Adobe's CMYK says how much of the light is left: red is what is left by cyan and by black. a * b / 255, rounded. */
static uint8_t left_by_both(uint8_t a, uint8_t b)
{
    uint32_t product = a * (uint32_t)b + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

static void make_rgb(uint8_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++)
            pixels[3 * i + c] = left_by_both(pixels[4 * i + c], pixels[4 * i + 3]);
}

enum lb_status lb_jpeg_parse(const struct lb_image_file *file, struct lb_picture *picture)
{
    struct jpeg_reader r = {.file = file};
    enum lb_status status = decode(&r);
    if (status == LB_OK) {
        picture->width = r.jpeg.output_width;
        picture->height = r.jpeg.output_height;
        picture->channels = (uint32_t)r.jpeg.output_components;
        picture->bytes = r.pixels;
        r.pixels = NULL;
        if (picture->channels == 4) {
            make_rgb(picture->bytes, (size_t)picture->width * picture->height);
            picture->channels = 3;
        }
    }
    jpeg_destroy_decompress(&r.jpeg);
    free(r.pixels);
    return status;
}
