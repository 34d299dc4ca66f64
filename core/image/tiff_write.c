/* TIFF files through libtiff: strips that zlib packs without a loss. */
#include "core/image/image.h"

#include "core/base/grow.h"
#include "core/base/replace.h"
#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tiffio.h>

/* The file in memory, in which the library goes back and forth. */
struct memory {
    uint8_t *data;
    size_t size, room, at;
    char reason[256]; /* why the library gave up */
};

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t count)
{
    struct memory *m = handle;
    size_t end = m->at + (size_t)count;
    uint8_t *grown = lb_grow(m->data, &m->room, end, 1);
    if (!grown) {
        snprintf(m->reason, sizeof m->reason, "out of memory");
        return 0;
    }
    m->data = grown;
    if (m->at > m->size)
        memset(m->data + m->size, 0, m->at - m->size);
    memcpy(m->data + m->at, from, (size_t)count);
    m->at = end;
    m->size = end > m->size ? end : m->size;
    return count;
}

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t count)
{
    struct memory *m = handle;
    size_t left = m->at < m->size ? m->size - m->at : 0, given = (size_t)count < left ? (size_t)count : left;
    if (given)
        memcpy(to, m->data + m->at, given);
    m->at += given;
    return (tmsize_t)given;
}

static toff_t seek(thandle_t handle, toff_t to, int from)
{
    struct memory *m = handle;
    m->at = (size_t)to + (from == SEEK_CUR ? m->at : from == SEEK_END ? m->size : 0);
    return m->at;
}

static toff_t size_of(thandle_t handle)
{
    return ((struct memory *)handle)->size;
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

/* What is wrong, kept in place of printed. */
static int keep_reason(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    struct memory *m = user;
    (void)tiff, (void)module;
    if (!*m->reason)
        vsnprintf(m->reason, sizeof m->reason, format, arguments);
    return 1;
}

static int drop_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments)
{
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

/* Files of 4 GB or more want wider offsets; packed pixels may be a little larger than they are. */
static const char *mode_of(const struct lb_tiff *picture)
{
    uint64_t bytes = (uint64_t)picture->width * picture->height * picture->channels * picture->bits / 8;
    return bytes > 3u << 30 ? "w8l" : "wl";
}

static TIFF *open_file(struct memory *memory, const char *path, const char *mode)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, keep_reason, memory);
    TIFFOpenOptionsSetWarningHandlerExtR(options, drop_warning, NULL);
    TIFF *tiff = TIFFClientOpenExt(path, mode, memory, read_bytes, write_bytes, seek, close_nothing, size_of,
                                   NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/* The program is the file's software; what else there is to say stands in its description, a line each. */
static bool set_notes(TIFF *tiff, const struct lb_tiff *picture)
{
    struct lb_text text = {.data = NULL};
    for (size_t i = 0; i < picture->note_count; i++) {
        const struct lb_image_note *note = &picture->notes[i];
        if (!strcmp(note->name, "Software"))
            TIFFSetField(tiff, TIFFTAG_SOFTWARE, note->text);
        else
            lb_text_add(&text, "%s%s: %s", text.data ? "\n" : "", note->name, note->text);
    }
    bool any = text.data != NULL;
    char *said = lb_text_take(&text);
    if (said)
        TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, said);
    free(said);
    return said || !any;
}

static void set_form(TIFF *tiff, const struct lb_tiff *picture)
{
    uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, picture->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, picture->height);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, picture->channels);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, picture->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    if (picture->channels == 4)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
}

/* The library filters rows in place: it gets a copy of each. */
static bool write_rows(TIFF *tiff, const struct lb_tiff *picture)
{
    size_t row = (size_t)picture->width * picture->channels * (picture->bits / 8);
    uint8_t *copy = malloc(row);
    bool done = copy != NULL;
    for (uint32_t y = 0; done && y < picture->height; y++) {
        memcpy(copy, (const uint8_t *)picture->pixels + row * y, row);
        done = TIFFWriteScanline(tiff, copy, y, 0) == 1;
    }
    free(copy);
    return done;
}

static bool encode(struct memory *memory, const char *path, const struct lb_tiff *picture)
{
    TIFF *tiff = open_file(memory, path, mode_of(picture));
    if (!tiff)
        return false;
    set_form(tiff, picture);
    bool done = set_notes(tiff, picture) && write_rows(tiff, picture) && TIFFFlush(tiff) == 1;
    TIFFClose(tiff);
    return done && !*memory->reason;
}

enum lb_status lb_tiff_write(const char *path, const struct lb_tiff *picture, struct lb_error *error)
{
    struct memory memory = {.data = NULL};
    enum lb_status status = encode(&memory, path, picture)
                                ? lb_file_replace(path, memory.data, memory.size, error)
                            : *memory.reason ? lb_error_set(error, LB_ERROR, "%s: %s", path, memory.reason)
                                             : lb_error_memory(error, path);
    free(memory.data);
    return status;
}
