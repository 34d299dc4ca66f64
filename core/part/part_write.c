#include "core/part/part_file.h"

#include "core/base/color_space.h"
#include "core/base/replace.h"
#include "core/part/part_format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* The level of compression. It is a fast one: the order of the bytes has made most of what repeats easy to find
 * already. */
enum { LEVEL = 1 };

struct part_writer {
    struct lb_replacement file;
    const struct lb_part *part;
    uint32_t *number; /* in the file, of a set of the part; UINT32_MAX: no pixel has it */
    XXH3_state_t *hash;
    ZSTD_CCtx *packer;
    uint8_t *plain, *packed;
    size_t block_bytes; /* that `plain` has room for */
    uint64_t bytes;
};

static enum lb_status put(struct part_writer *w, const void *data, size_t size, struct lb_error *error)
{
    XXH3_64bits_update(w->hash, data, size);
    w->bytes += size;
    return lb_replace_write(&w->file, data, size, error);
}

/* ---- the header ---- */

/* Numbers from 1 on for the sets that pixels have, in the order of their own numbers; the empty one stays 0. */
static void number_sets(struct part_writer *w)
{
    const struct lb_held *held = &w->part->held;
    uint32_t next = 1;
    memset(w->number, 0xff, held->set_count * sizeof *w->number);
    for (uint64_t i = 0; i < (held->pixels ? held->count : 1); i++)
        w->number[lb_held_set(held, i)] = 0;
    for (uint32_t i = 1; i < held->set_count; i++)
        if (w->number[i] == 0)
            w->number[i] = next++;
    w->number[0] = 0;
}

static json_t *sets_json(const struct part_writer *w)
{
    const struct lb_held *held = &w->part->held;
    json_t *sets = json_array();
    for (uint32_t i = 1; i < held->set_count; i++) {
        if (w->number[i] == UINT32_MAX)
            continue;
        json_t *set = json_array();
        const struct lb_sample_span *spans = held->spans + held->sets[i].first;
        for (uint32_t j = 0; j < held->sets[i].count; j++)
            json_array_append_new(set,
                                  json_pack("[II]", (json_int_t)spans[j].begin, (json_int_t)spans[j].end));
        json_array_append_new(sets, set);
    }
    return sets;
}

/* A version's members are there, whatever the part has of them. */
static uint32_t version_of(const struct lb_part_subject *subject)
{
    return subject->noise > 0        ? LB_PART_VERSION_NOISE
           : subject->channels.count ? LB_PART_VERSION_CHANNELS
                                     : LB_PART_VERSION;
}

static void add_plane(json_t *planes, const char *name, int bits)
{
    json_array_append_new(planes,
                          json_pack("{ss ss si}", "name", name, "type", "int64", "fraction_bits", bits));
}

static json_t *planes_json(const struct lb_part_subject *subject)
{
    const lb_channels *channels = &subject->channels;
    json_t *planes = json_array();
    int log2_scale = 0;
    if (channels->count)
        frexpf(channels->scale, &log2_scale);
    for (int i = 0; i < LB_PART_PLANES; i++)
        add_plane(planes, lb_part_planes[i].name, LB_FILM_BITS);
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++) {
        const lb_channel_about *about = &lb_channel_kinds[kind];
        for (uint32_t i = 0; i < lb_channel_sums(channels, kind) && (channels->wanted >> kind & 1) != 0;
             i++) {
            char name[32];
            lb_part_sum_name(kind, i, name, sizeof name);
            add_plane(planes, name, about->bits[i % 2] + (about->scaled ? log2_scale - 1 : 0));
        }
    }
    if (subject->noise > 0)
        json_array_append_new(planes, json_pack("{ss ss}", "name", LB_PART_SQUARES, "type", "float64"));
    return planes;
}

/* The names of a list. */
static json_t *names_json(const char *texts, size_t bytes)
{
    json_t *names = json_array();
    for (size_t at = 0; at < bytes; at += strlen(texts + at) + 1)
        json_array_append_new(names, json_string(texts + at));
    return names;
}

/* Adds to the header the lists of names, and how many of a matte's a file tells in a pixel. */
static int say_names(json_t *root, const struct lb_part_subject *s)
{
    int failed = 0;
    for (uint32_t i = 0; i < LB_LISTS && !failed; i++)
        if (s->channels.wanted >> lb_list_kind(i) & 1)
            failed =
                (i != LB_LIST_GROUPS &&
                 json_object_set_new(root, "levels", json_integer(s->channels.matte_ranks))) ||
                json_object_set_new(root, lb_part_lists[i], names_json(s->list_texts[i], s->list_bytes[i]));
    return failed;
}

/* Adds to the header what it says of channels, where there are any. Returns 0, or another number where there was no
 * memory. */
static int say_channels(json_t *root, const struct lb_part_subject *s)
{
    const lb_channels *channels = &s->channels;
    if (version_of(s) == LB_PART_VERSION)
        return 0;
    if ((channels->wanted >> LB_CHANNEL_BUCKETS & 1) != 0 &&
        json_object_set_new(root, "buckets",
                            json_pack("{sI sf sf}", "count", (json_int_t)channels->buckets, "low",
                                      (double)channels->bucket_low, "high", (double)channels->bucket_high)))
        return 1;
    return json_object_set_new(root, "outputs", json_string(s->outputs)) ||
           json_object_set_new(root, "transparent", json_boolean(s->transparent)) ||
           json_object_set_new(root, "space", json_string(s->channels.world ? "world" : "camera")) ||
           say_names(root, s);
}

/* Adds to the header how far a picture is that ends by its noise. Numbers are written so that the same are read. */
static int say_target(json_t *root, const struct lb_part *part)
{
    const struct lb_part_subject *s = &part->subject;
    const struct lb_part_target *target = &part->target;
    if (!(s->noise > 0))
        return 0;
    json_t *said = json_pack("{sf ss sI sI sI}", "noise", s->noise, "by", s->by_largest ? "largest" : "mean",
                             "begin", (json_int_t)target->begin, "end", (json_int_t)target->end, "sweeps",
                             (json_int_t)target->sweeps);
    int failed =
        !said || (target->noise >= 0 && json_object_set_new(said, "reached", json_real(target->noise)));
    return json_object_set_new(root, "noise_target", said) || failed;
}

/* The caller's to free; NULL: out of memory. */
static char *header_text(const struct part_writer *w)
{
    const struct lb_part_subject *s = &w->part->subject;
    json_t *root = json_object();
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {{"width", s->width},
                   {"height", s->height},
                   {"x0", s->x0},
                   {"y0", s->y0},
                   {"full_width", s->full_width},
                   {"full_height", s->full_height},
                   {"samples", s->samples},
                   {"seed", s->seed},
                   {"frame", s->frame},
                   {"detail", s->detail},
                   {"block", (uint32_t)LB_PART_BLOCK}};
    int failed = json_object_set_new(root, "lbrender", json_string(s->version)) ||
                 json_object_set_new(root, "identity", json_string(s->identity)) ||
                 json_object_set_new(root, "scene", json_string(s->scene)) ||
                 json_object_set_new(root, "plain", json_boolean(s->plain)) ||
                 json_object_set_new(root, "animation", json_boolean(s->animation)) ||
                 json_object_set_new(root, "floats", json_boolean(s->floats));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !failed; i++)
        failed = json_object_set_new(root, numbers[i].name, json_integer(numbers[i].value));
    if (!failed && s->mean)
        failed = json_object_set_new(root, "adaptive", json_integer(s->mean));
    if (!failed && s->guided)
        failed = json_object_set_new(root, "guided", json_integer(s->guided));
    if (!failed && s->spectral)
        failed = json_object_set_new(root, "spectral", json_true());
    if (!failed && s->color_space != LB_COLOR_SRGB)
        failed = json_object_set_new(root, "color_space", json_string(lb_color_spaces[s->color_space].name));
    failed = failed || say_target(root, w->part) || say_channels(root, s) ||
             json_object_set_new(root, "planes", planes_json(s)) ||
             json_object_set_new(root, "sets", sets_json(w));
    char *text = failed ? NULL : json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(root);
    return text;
}

static enum lb_status put_header(struct part_writer *w, struct lb_error *error)
{
    number_sets(w);
    char *text = header_text(w);
    size_t length = text ? strlen(text) : 0;
    uint32_t numbers[2] = {version_of(&w->part->subject), (uint32_t)length};
    enum lb_status status = LB_OK;
    if (!text)
        status = lb_error_memory(error, w->file.path);
    else if (length > UINT32_MAX)
        status = lb_error_set(error, LB_ERROR, "%s: too many sets of samples", w->file.path);
    if (status == LB_OK)
        status = put(w, LB_PART_MAGIC, 8, error);
    if (status == LB_OK)
        status = put(w, numbers, sizeof numbers, error);
    if (status == LB_OK)
        status = put(w, text, length, error);
    free(text);
    return status;
}

/* ---- blocks ---- */

/* Runs of pixels with the same set; returns the bytes. `*count` of the pixels have samples. */
static size_t lay_runs(const struct part_writer *w, uint64_t begin, uint64_t end, size_t *count)
{
    const struct lb_held *held = &w->part->held;
    uint32_t runs = 0;
    *count = 0;
    for (uint64_t i = begin, first = begin; i < end; i = first) {
        uint32_t set = lb_held_set(held, i);
        while (first < end && lb_held_set(held, first) == set)
            first++;
        *count += set ? first - i : 0;
        uint32_t run[2] = {(uint32_t)(first - i), w->number[set]};
        memcpy(w->plain + 4 + 8 * (size_t)runs++, run, sizeof run);
    }
    memcpy(w->plain, &runs, sizeof runs);
    return 4 + 8 * (size_t)runs;
}

/* The numbers of some pixels, `stride` apart, of a plane of `count` numbers, whose bytes stand apart: all lowest ones
 * first, as what they have in common then stands together. */
static void lay_column(const int64_t *numbers, size_t stride, const uint32_t *pixels, size_t some,
                       size_t count, uint8_t *out)
{
    for (size_t i = 0; i < some; i++) {
        uint64_t number = (uint64_t)numbers[pixels[i] * stride];
        for (size_t byte = 0; byte < 8; byte++)
            out[byte * count + i] = (uint8_t)(number >> 8 * byte);
    }
}

/* The same of numbers with a fraction, as they stand in memory. */
static void lay_squares(const double *squares, const uint32_t *pixels, size_t some, size_t count,
                        uint8_t *out)
{
    int64_t words[LB_PART_SOME];
    uint32_t own[LB_PART_SOME];
    for (uint32_t i = 0; i < some; i++) {
        memcpy(&words[i], &squares[pixels[i]], sizeof words[i]);
        own[i] = i;
    }
    lay_column(words, 1, own, some, count, out);
}

/* Some pixels of all planes at a time, whose sums the processor's cache then reads once. */
static void lay_some(const struct lb_part *part, uint64_t begin, const uint32_t *pixels, size_t some,
                     size_t count, uint8_t *out)
{
    enum { WORDS = sizeof *part->pixels / sizeof(int64_t) };
    size_t each = part->subject.channels.count;
    const char *light = (const char *)(part->pixels + begin);
    for (size_t plane = 0; plane < LB_PART_PLANES; plane++, out += 8 * count)
        lay_column((const int64_t *)(const void *)(light + lb_part_planes[plane].offset), WORDS, pixels, some,
                   count, out);
    for (size_t sum = 0; sum < each; sum++, out += 8 * count)
        lay_column(part->sums + begin * each + sum, each, pixels, some, count, out);
    if (part->subject.noise > 0)
        lay_squares(part->target.squares + begin, pixels, some, count, out);
}

/* The planes of the block's `count` pixels that have samples. */
static void lay_planes(const struct part_writer *w, uint64_t begin, uint64_t end, size_t count, uint8_t *out)
{
    uint32_t pixels[LB_PART_SOME];
    size_t some = 0, laid = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (lb_held_set(&w->part->held, i) != 0)
            pixels[some++] = (uint32_t)(i - begin);
        if (some < LB_PART_SOME && i + 1 < end)
            continue;
        lay_some(w->part, begin, pixels, some, count, out + laid);
        laid += some;
        some = 0;
    }
}

static enum lb_status put_block(struct part_writer *w, uint64_t begin, uint64_t end, struct lb_error *error)
{
    size_t count, size = lay_runs(w, begin, end, &count);
    if (count > 0 && w->part->pixels) {
        lay_planes(w, begin, end, count, w->plain + size);
        size += 8 * count * lb_part_numbers(&w->part->subject);
    }
    size_t packed =
        ZSTD_compressCCtx(w->packer, w->packed, ZSTD_compressBound(w->block_bytes), w->plain, size, LEVEL);
    if (ZSTD_isError(packed)) {
        lb_replace_abandon(&w->file);
        return lb_error_set(error, LB_ERROR, "%s: %s", w->file.path, ZSTD_getErrorName(packed));
    }
    uint32_t length = (uint32_t)packed;
    enum lb_status status = put(w, &length, sizeof length, error);
    return status == LB_OK ? put(w, w->packed, packed, error) : status;
}

/* ---- the whole ---- */

static bool writer_make(struct part_writer *w)
{
    w->number = calloc(w->part->held.set_count, sizeof *w->number);
    w->hash = XXH3_createState();
    w->packer = ZSTD_createCCtx();
    w->block_bytes = lb_part_block_bytes(&w->part->subject);
    w->plain = malloc(w->block_bytes);
    w->packed = malloc(ZSTD_compressBound(w->block_bytes));
    return w->number && w->hash && w->packer && w->plain && w->packed;
}

static void writer_free(struct part_writer *w)
{
    free(w->number);
    XXH3_freeState(w->hash);
    ZSTD_freeCCtx(w->packer);
    free(w->plain);
    free(w->packed);
}

static enum lb_status write_all(struct part_writer *w, struct lb_error *error)
{
    uint64_t count = w->part->held.count;
    enum lb_status status = put_header(w, error);
    for (uint64_t begin = 0; begin < count && status == LB_OK; begin += LB_PART_BLOCK)
        status = put_block(w, begin, count - begin < LB_PART_BLOCK ? count : begin + LB_PART_BLOCK, error);
    XXH64_hash_t hash = XXH3_64bits_digest(w->hash);
    return status == LB_OK ? put(w, &hash, sizeof hash, error) : status;
}

enum lb_status lb_part_write(const char *path, const struct lb_part *part, uint64_t *bytes,
                             struct lb_error *error)
{
    struct part_writer w = {.part = part};
    enum lb_status status = writer_make(&w) ? LB_OK : lb_error_memory(error, path);
    if (status == LB_OK)
        status = lb_replace_start(&w.file, path, error);
    if (status == LB_OK) {
        XXH3_64bits_reset(w.hash);
        status = write_all(&w, error);
        if (status == LB_OK)
            status = lb_replace_end(&w.file, error);
        else
            lb_replace_abandon(&w.file);
    }
    if (bytes)
        *bytes = w.bytes;
    writer_free(&w);
    return status;
}
