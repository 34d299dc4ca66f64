/* Cryptomatte 1.2.0 (Friedman and Jones, Psyop): for each pixel, which names its samples have and how large a part of
 * them each has, as channels and texts of an EXR. */
#ifndef LB_CORE_PICTURE_CRYPTO_H
#define LB_CORE_PICTURE_CRYPTO_H

#include "core/image/exr_write.h"
#include "core/picture/picture.h"

enum { LB_CRYPTO_TEXTS = 4 };

struct lb_crypto {
    struct lb_exr_channel *channels; /* channel_count of them */
    size_t channel_count;
    struct lb_image_note notes[LB_CRYPTO_TEXTS];
    uint64_t untold; /* pixels with more names than its sums can tell: they have none */
    void *own;
};

/* What `output`, one of the two that are of Cryptomatte, is of the picture. False: out of memory. Either way to be
 * freed by lb_crypto_free(). */
bool lb_crypto_make(const struct lb_film_picture *picture, enum lb_output output, struct lb_crypto *crypto);
void lb_crypto_free(struct lb_crypto *crypto);

#endif
