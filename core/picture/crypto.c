#include "core/picture/crypto.h"

#include "core/kernel/math.h"
#include "core/picture/matte.h"
#include "core/picture/writer.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_A_LAYER = 2, CHANNELS_A_LAYER = 4, MOST_CHANNELS = 2 * LB_MATTE_RANKS };

struct matte_layer {
    struct lb_exr_channel channels[MOST_CHANNELS];
    char names[MOST_CHANNELS][32], keys[LB_CRYPTO_TEXTS][40];
    float *values; /* for each pixel its channels */
    float *ids;    /* for each name */
    char *manifest;
};

/* The layers are called as other renderers call them. */
static const char *const layers[LB_MATTES] = {"CryptoObject", "CryptoMaterial"};

/* ---- names ---- */

/* The names' numbers, and the list of both as a file has it. False: out of memory. */
static bool list_names(const char *texts, uint32_t count, struct matte_layer *own)
{
    json_t *manifest = json_object();
    own->ids = malloc((count + (size_t)1) * sizeof *own->ids);
    bool listed = manifest && own->ids;
    for (uint32_t i = 0; i < count && listed; i++, texts += strlen(texts) + 1) {
        char digits[16];
        uint32_t id = lb_matte_id(texts);
        memcpy(&own->ids[i], &id, sizeof id);
        snprintf(digits, sizeof digits, "%08x", id);
        listed = json_object_set_new(manifest, texts, json_string(digits)) == 0;
    }
    own->manifest = listed ? json_dumps(manifest, JSON_COMPACT) : NULL;
    json_decref(manifest);
    return own->manifest != NULL;
}

/* The metadata by which readers find the layer: its key is the first seven digits of its name's hash. */
static void make_notes(struct lb_crypto *crypto, struct matte_layer *own, const char *layer)
{
    const struct lb_image_note of[LB_CRYPTO_TEXTS] = {{"name", layer},
                                                      {"hash", "MurmurHash3_32"},
                                                      {"conversion", "uint32_to_float32"},
                                                      {"manifest", own->manifest}};
    char digits[16];
    snprintf(digits, sizeof digits, "%08x", lb_murmur3(layer, strlen(layer)));
    for (size_t i = 0; i < LB_CRYPTO_TEXTS; i++) {
        snprintf(own->keys[i], sizeof own->keys[i], "cryptomatte/%.7s/%s", digits, of[i].name);
        crypto->notes[i] = (struct lb_image_note){own->keys[i], of[i].text};
    }
}

/* ---- pixels ---- */

/* The pixel's ranks: a name's number and the part of the pixel that it has, one after the other. */
static bool fill_pixel(const struct lb_film_picture *picture, uint32_t matte, size_t pixel, const float *ids,
                       struct lb_matte_share *shares, uint32_t *count, float *values)
{
    const lb_channels *channels = picture->channels;
    const int64_t *sums = picture->sums + pixel * channels->count;
    double all = (double)sums[channels->first[LB_CHANNEL_WEIGHT]];
    if (!lb_matte_shares(&channels->mattes[matte], sums + channels->first[LB_CHANNEL_OBJECTS + matte], shares,
                         *count, count))
        return false;
    for (uint32_t i = 0; i < *count && i < channels->matte_ranks; i++) {
        float part = all > 0 ? lb_clamp((float)((double)shares[i].weight * 0x1p30 / all), 0.0f, 1.0f) : 0.0f;
        values[2 * i] = part > 0.0f ? ids[shares[i].name] : 0.0f;
        values[2 * i + 1] = part;
    }
    return true;
}

static bool fill(const struct lb_film_picture *picture, uint32_t matte, struct lb_crypto *crypto,
                 struct matte_layer *own)
{
    size_t pixels = lb_film_pixel_count(picture), each = crypto->channel_count;
    struct lb_matte_share shares[LB_MATTE_MOST];
    uint32_t count = 0;
    own->values = calloc(pixels, each * sizeof *own->values);
    for (size_t i = 0; own->values && i < pixels; i++)
        crypto->untold += !fill_pixel(picture, matte, i, own->ids, shares, &count, own->values + i * each);
    return own->values != NULL;
}

bool lb_crypto_make(const struct lb_film_picture *picture, enum lb_output output, struct lb_crypto *crypto)
{
    uint32_t matte = output - LB_OUTPUT_CRYPTO_OBJECT;
    uint32_t ranks = picture->channels->matte_ranks;
    struct matte_layer *own = calloc(1, sizeof *own);
    *crypto = (struct lb_crypto){.own = own};
    if (!own || !list_names(picture->list_texts[matte], picture->channels->mattes[matte].names, own))
        return false;
    make_notes(crypto, own, layers[matte]);
    crypto->channels = own->channels;
    crypto->channel_count = (size_t)CHANNELS_A_LAYER * ((ranks + 1) / RANKS_A_LAYER);
    if (!fill(picture, matte, crypto, own))
        return false;
    for (size_t i = 0; i < crypto->channel_count; i++) {
        snprintf(own->names[i], sizeof own->names[i], "%s%02u.%c", layers[matte],
                 (unsigned)(i / CHANNELS_A_LAYER), "RGBA"[i % CHANNELS_A_LAYER]);
        own->channels[i] = (struct lb_exr_channel){own->names[i], LB_EXR_FLOAT, own->values + i,
                                                   crypto->channel_count * sizeof *own->values};
    }
    return true;
}

void lb_crypto_free(struct lb_crypto *crypto)
{
    struct matte_layer *own = crypto->own;
    if (own) {
        free(own->values);
        free(own->ids);
        free(own->manifest);
    }
    free(own);
    *crypto = (struct lb_crypto){.own = NULL};
}
