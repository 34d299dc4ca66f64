/* The formats of a picture's file. All that the program says, checks and does of a format follows from its word in the
 * list here and from one struct, which stands with the format's writer in a file of its own: png.c, jpeg.c, exr.c .. */
#ifndef LB_CORE_PICTURE_FORMATS_H
#define LB_CORE_PICTURE_FORMATS_H

#include "core/base/error.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name in messages; and the word of --format, which after a dot is the file's ending. The first is what is written
 * where nothing says otherwise. */
#define LB_FILM_FORMATS(X) X(PNG, png) X(JPEG, jpg) X(TIFF, tif) X(PFM, pfm) X(EXR, exr)
/* "png|jpg|tif|pfm|exr", as options tell the words that they take. */
#define LB_FILM_BAR_ENTRY(NAME, word) "|" #word
#define LB_FILM_WORDS_BARRED          (&("" LB_FILM_FORMATS(LB_FILM_BAR_ENTRY))[1])

enum lb_film_format {
#define LB_FILM_ENTRY(NAME, word) LB_FILM_##NAME,
    LB_FILM_FORMATS(LB_FILM_ENTRY)
#undef LB_FILM_ENTRY
        LB_FILM_NONE /* no file */
};

/* What files of a format hold beside R, G and B, and which options have an effect on them. */
enum lb_film_holds {
    LB_FILM_ALPHA = 1,      /* --transparent */
    LB_FILM_CHANNELS = 2,   /* --channels */
    LB_FILM_TONES = 4,      /* --tone-map and --exposure: values are what a screen shows, not light */
    LB_FILM_COMPRESSED = 8, /* --compression */
    LB_FILM_QUALITIES = 16, /* --quality: losses, the less the higher */
};

struct lb_film_form;
struct lb_film_picture;
struct lb_film_notes;

struct lb_film_format_about {
    const char *also;    /* another ending of its files, or NULL */
    uint32_t bits[2];    /* that a value may have; the first, where nothing says otherwise */
    bool bits_of_film;   /* a film that wants floats has the second unasked */
    uint32_t holds;      /* bits of enum lb_film_holds */
    uint32_t least_bits; /* that a pixel takes in the file; a guess where it is compressed */
    /* Can a picture of that size be written so? NULL: of any size. */
    enum lb_status (*fits)(const char *path, const struct lb_film_form *form, uint32_t width, uint32_t height,
                           struct lb_error *error);
    /* Does the work of lb_film_write (core/picture/picture.h). */
    enum lb_status (*write)(const char *path, const struct lb_film_form *form,
                            const struct lb_film_picture *picture, const struct lb_film_notes *notes,
                            uint32_t *checksum, struct lb_error *error);
};

/* By enum lb_film_format. The words end with NULL. */
extern const struct lb_film_format_about *const lb_film_formats[LB_FILM_NONE];
extern const char *const lb_film_names[LB_FILM_NONE];
extern const char *const lb_film_words[LB_FILM_NONE + 1];

#define LB_FILM_ENTRY(NAME, word) extern const struct lb_film_format_about lb_film_##word;
LB_FILM_FORMATS(LB_FILM_ENTRY)
#undef LB_FILM_ENTRY

/* The format that the path's ending says, in any case. False: none. */
bool lb_film_format_of(const char *path, enum lb_film_format *format);
/* Does the format hold that? LB_FILM_NONE holds nothing. */
bool lb_film_can(enum lb_film_format format, enum lb_film_holds what);
/* Adds the names of the formats that hold all of `what`, bits of enum lb_film_holds, as "PNG", "PNG or EXR" or
 * "A, B or C". */
void lb_film_name_those(uint32_t what, struct lb_text *text);
/* Adds the endings of all formats, as ".png, .pfm or .exr". */
void lb_film_name_endings(struct lb_text *text);

#endif
