/* JPEG files of 8-bit RGB through libjpeg-turbo, whose accurate DCT gives the same bytes on every processor. */
#include "core/base/replace.h"
#include "core/image/image.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct jpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf leave;
    char reason[JMSG_LENGTH_MAX]; /* why the library gave up */
    unsigned char *data;          /* the file so far */
    unsigned long size;
};

_Noreturn static void give_up(j_common_ptr jpeg)
{
    struct jpeg_writer *w = jpeg->client_data;
    jpeg->err->format_message(jpeg, w->reason);
    longjmp(w->leave, 1);
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

/* Colours as fine as brightness: a red edge on black would fray otherwise. */
static void choose_form(struct jpeg_compress_struct *jpeg, int quality)
{
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->optimize_coding = TRUE;
    for (int i = 0; i < 3; i++)
        jpeg->comp_info[i].h_samp_factor = jpeg->comp_info[i].v_samp_factor = 1;
}

/* A comment for each note, "Scene: room.pbrt". */
static void write_notes(struct jpeg_compress_struct *jpeg, const struct lb_image_note *notes, size_t count)
{
    char text[4096];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "%s: %s", notes[i].name, notes[i].text);
        jpeg_write_marker(jpeg, JPEG_COM, (const JOCTET *)text, (unsigned)strlen(text));
    }
}

/* False: the library gave up. */
static bool encode(struct jpeg_writer *w, const struct lb_jpeg *picture)
{
    struct jpeg_compress_struct *jpeg = &w->jpeg;
    jpeg->err = jpeg_std_error(&w->errors);
    w->errors.error_exit = give_up;
    w->errors.output_message = print_nothing;
    if (setjmp(w->leave))
        return false;
    jpeg->client_data = w;
    jpeg_create_compress(jpeg);
    jpeg_mem_dest(jpeg, &w->data, &w->size);
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = 3;
    jpeg->in_color_space = JCS_RGB;
    choose_form(jpeg, (int)picture->quality);
    jpeg_start_compress(jpeg, TRUE);
    write_notes(jpeg, picture->notes, picture->note_count);
    while (jpeg->next_scanline < jpeg->image_height) {
        /* The library reads from it alone. */
        JSAMPROW row =
            (JSAMPROW)(uintptr_t)(picture->pixels + 3 * (size_t)picture->width * jpeg->next_scanline);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
    return true;
}

enum lb_status lb_jpeg_write(const char *path, const struct lb_jpeg *picture, struct lb_error *error)
{
    struct jpeg_writer w = {.data = NULL};
    enum lb_status status = encode(&w, picture) ? lb_file_replace(path, w.data, w.size, error)
                                                : lb_error_set(error, LB_ERROR, "%s: %s", path, w.reason);
    jpeg_destroy_compress(&w.jpeg);
    free(w.data);
    return status;
}
