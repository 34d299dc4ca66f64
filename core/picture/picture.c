#include "core/picture/picture.h"

#include "core/base/path.h"
#include "core/base/printable.h"
#include "core/picture/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(struct lb_film_notes *notes, const char *name, const char *text)
{
    if (text)
        notes->items[notes->count++] = (struct lb_image_note){name, text};
}

/* False: out of memory. */
static bool notes_make(struct lb_film_notes *notes, const struct lb_film_picture *picture)
{
    *notes = (struct lb_film_notes){.count = 0};
    if (picture->scene && !(notes->scene = lb_utf8_text(lb_file_name(picture->scene))))
        return false;
    snprintf(notes->samples, sizeof notes->samples, "%u", picture->samples);
    snprintf(notes->seed, sizeof notes->seed, "%u", picture->seed);
    note(notes, "Software", "lbrender " LB_VERSION);
    note(notes, "Scene", notes->scene);
    note(notes, "Frame", picture->frame);
    note(notes, "Samples", notes->samples);
    note(notes, "Seed", notes->seed);
    note(notes, "Denoiser", picture->cleaned_by);
    return true;
}

enum lb_status lb_film_check(const char *path, const struct lb_film_form *form, uint32_t width,
                             uint32_t height, struct lb_error *error)
{
    if (form->format == LB_FILM_NONE || !lb_film_formats[form->format]->fits)
        return LB_OK;
    return lb_film_formats[form->format]->fits(path, form, width, height, error);
}

/* Without a file, the checksum of linear colours is all that there is of a picture. */
static enum lb_status sum_alone(const struct lb_film_form *form, const struct lb_film_picture *picture,
                                uint32_t *checksum, struct lb_error *error)
{
    float *floats = lb_film_colors(picture, form);
    if (!floats)
        return lb_error_memory(error, NULL);
    *checksum = lb_film_sum_floats(picture, floats);
    free(floats);
    return LB_OK;
}

enum lb_status lb_film_write(const char *path, const struct lb_film_form *form,
                             const struct lb_film_picture *picture, uint32_t *checksum,
                             struct lb_error *error)
{
    struct lb_film_notes notes;
    if (form->format == LB_FILM_NONE)
        return sum_alone(form, picture, checksum, error);
    enum lb_status status = lb_error_memory(error, NULL);
    if (notes_make(&notes, picture))
        status = lb_film_formats[form->format]->write(path, form, picture, &notes, checksum, error);
    free(notes.scene);
    return status;
}
