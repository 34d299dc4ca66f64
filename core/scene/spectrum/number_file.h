/* Text files of numbers: spectra, lenses. */
#ifndef LB_CORE_SCENE_SPECTRUM_NUMBER_FILE_H
#define LB_CORE_SCENE_SPECTRUM_NUMBER_FILE_H

#include "core/base/arena.h"
#include "core/base/error.h"

#include <stddef.h>

struct lb_number_file {
    const float *numbers; /* in the arena */
    size_t count;
};

/* Reads the numbers of a file of at most 16 MiB, between which are white space and commas; # begins a comment. An
 * error, whose message begins with the path, where it cannot be read or a word is no number. */
enum lb_status lb_number_file_read(const char *path, struct lb_arena *arena, struct lb_number_file *file,
                                   struct lb_error *error);

#endif
