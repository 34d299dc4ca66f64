#include "core/part/part_file.h"

#include "core/base/color_space.h"
#include "core/base/file.h"
#include "core/part/part_format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

struct part_reader {
    const char *name;
    const uint8_t *at, *end; /* what is left to read, without the checksum */
    uint64_t most;
    uint32_t version;
    struct lb_part *part;
    struct lb_part_summary *summary; /* is made, and no pixel is kept; or NULL */
    uint32_t file_sets;              /* numbers 1 .. file_sets; the part's are the same */
    ZSTD_DCtx *unpacker;
    uint8_t *plain;
    struct lb_error *error;
};

static enum lb_status damaged(const struct part_reader *r, const char *what)
{
    return lb_error_set(r->error, LB_ERROR, "%s: damaged part: %s", r->name, what);
}

static uint32_t read_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* ---- the header ---- */

/* A whole number of the header in low .. high; false: there is none. */
static bool get_number(const json_t *root, const char *name, uint32_t low, uint32_t high, uint32_t *value)
{
    const json_t *number = json_object_get(root, name);
    json_int_t whole = json_integer_value(number);
    if (!json_is_integer(number) || whole < (json_int_t)low || whole > (json_int_t)high)
        return false;
    *value = (uint32_t)whole;
    return true;
}

static bool get_text(const json_t *root, const char *name, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(root, name));
    if (!value || strlen(value) >= size)
        return false;
    memcpy(text, value, strlen(value) + 1);
    return true;
}

static bool is_identity(const char *digits)
{
    return strlen(digits) == 32 && strspn(digits, "0123456789abcdef") == 32;
}

/* Where nothing is said it is sRGB. */
static bool get_color_space(const json_t *root, uint32_t *space)
{
    const json_t *text = json_object_get(root, "color_space");
    const char *name = json_string_value(text);
    *space = LB_COLOR_SRGB;
    if (!text)
        return true;
    *space = name ? lb_color_space_find(name) : LB_COLOR_SPACES;
    return *space != LB_COLOR_SPACES;
}

static bool get_subject(const json_t *root, struct lb_part_subject *s)
{
    enum { MOST_SIDE = 65535, MOST_SAMPLES = 1 << 24, FINEST = 64 };
    uint32_t block;
    s->plain = json_is_true(json_object_get(root, "plain"));
    s->spectral = json_is_true(json_object_get(root, "spectral"));
    s->animation = json_is_true(json_object_get(root, "animation"));
    s->floats = json_is_true(json_object_get(root, "floats"));
    return get_color_space(root, &s->color_space) &&
           get_text(root, "lbrender", s->version, sizeof s->version) &&
           get_text(root, "identity", s->identity, sizeof s->identity) && is_identity(s->identity) &&
           get_text(root, "scene", s->scene, sizeof s->scene) &&
           get_number(root, "full_width", 1, MOST_SIDE, &s->full_width) &&
           get_number(root, "full_height", 1, MOST_SIDE, &s->full_height) &&
           get_number(root, "x0", 0, s->full_width - 1, &s->x0) &&
           get_number(root, "y0", 0, s->full_height - 1, &s->y0) &&
           get_number(root, "width", 1, s->full_width - s->x0, &s->width) &&
           get_number(root, "height", 1, s->full_height - s->y0, &s->height) &&
           get_number(root, "samples", 1, MOST_SAMPLES, &s->samples) &&
           get_number(root, "seed", 0, UINT32_MAX, &s->seed) &&
           get_number(root, "frame", 0, UINT32_MAX, &s->frame) &&
           get_number(root, "detail", 1, FINEST, &s->detail) &&
           (!json_object_get(root, "guided") || get_number(root, "guided", 1, UINT32_MAX, &s->guided)) &&
           (!json_object_get(root, "adaptive") || get_number(root, "adaptive", 1, s->samples, &s->mean)) &&
           get_number(root, "block", LB_PART_BLOCK, LB_PART_BLOCK, &block);
}

/* Reads by what noise the picture ends, and how far it is. False: something is not as it must be. */
static bool get_target(const json_t *root, struct lb_part_subject *s, struct lb_part_target *target)
{
    const json_t *said = json_object_get(root, "noise_target"), *reached = json_object_get(said, "reached");
    char by[8];
    if (!get_text(said, "by", by, sizeof by))
        return false;
    s->noise = json_number_value(json_object_get(said, "noise"));
    s->by_largest = !strcmp(by, "largest");
    target->noise = reached ? json_number_value(reached) : -1;
    return s->mean && s->noise > 0 && (s->by_largest || !strcmp(by, "mean")) &&
           get_number(said, "end", 0, s->samples, &target->end) &&
           get_number(said, "begin", 0, target->end, &target->begin) &&
           get_number(said, "sweeps", 0, UINT32_MAX, &target->sweeps) && (!reached || target->noise >= 0);
}

/* Is the plane of that name, and of integers? Their fraction bits go to `*bits`. */
static bool plane_is(const json_t *plane, const char *name, json_int_t *bits)
{
    const char *own = json_string_value(json_object_get(plane, "name"));
    const char *type = json_string_value(json_object_get(plane, "type"));
    const json_t *fraction = json_object_get(plane, "fraction_bits");
    *bits = json_integer_value(fraction);
    return own && !strcmp(own, name) && type && !strcmp(type, "int64") && json_is_integer(fraction);
}

/* Takes the planes of a kind where they follow; false: some follow, but not all of them, or not as they must be. */
static bool take_kind(const json_t *planes, size_t *at, uint32_t kind, lb_channels *channels)
{
    enum { LEAST_LOG2 = -149 }; /* of a float */
    const lb_channel_about *about = &lb_channel_kinds[kind];
    char name[32];
    json_int_t bits;
    uint32_t sums = lb_channel_sums(channels, kind);
    bool named = kind == LB_CHANNEL_OBJECTS || kind == LB_CHANNEL_MATERIALS || kind == LB_CHANNEL_GROUPS;
    if (named && (channels->wanted >> kind & 1) == 0) /* there is no list of its names */
        return true;
    for (uint32_t i = 0; i < sums; i++, ++*at) {
        lb_part_sum_name(kind, i, name, sizeof name);
        if (!plane_is(json_array_get(planes, *at), name, &bits))
            return i == 0 && !named;
        json_int_t log2_scale = bits - about->bits[i % 2];
        if (about->scaled ? log2_scale < LEAST_LOG2 || log2_scale > 0 : log2_scale != 0)
            return false;
        float scale = ldexpf(1.0f, (int)log2_scale);
        if (about->scaled && channels->scale != 0 && channels->scale != scale)
            return false;
        if (about->scaled)
            channels->scale = scale;
    }
    if (!named && sums > 0)
        channels->wanted |= 1u << kind;
    return true;
}

/* Of a film of wavelengths. False: they are not as they must be. */
static bool get_buckets(const json_t *root, lb_channels *channels)
{
    const json_t *buckets = json_object_get(root, "buckets");
    if (!buckets)
        return true;
    channels->bucket_low = (float)json_number_value(json_object_get(buckets, "low"));
    channels->bucket_high = (float)json_number_value(json_object_get(buckets, "high"));
    return get_number(buckets, "count", 1, LB_BUCKETS_MOST, &channels->buckets) &&
           channels->bucket_low >= 360.0f && channels->bucket_low < channels->bucket_high &&
           channels->bucket_high <= 830.0f;
}

/* Reads a list of names, where the header has one, into text that the part owns. */
static enum lb_status get_names(const struct part_reader *r, const json_t *root, uint32_t list,
                                struct lb_part_subject *s, char **own)
{
    const json_t *names = json_object_get(root, lb_part_lists[list]);
    size_t count = json_array_size(names), bytes = 0;
    lb_channels *channels = &s->channels;
    if (!names)
        return LB_OK;
    bool groups = list == LB_LIST_GROUPS;
    if (!json_is_array(names) || count > (groups ? LB_GROUPS_MOST : LB_MATTE_NAMES) ||
        (!groups && !get_number(root, "levels", 1, LB_MATTE_RANKS, &channels->matte_ranks)))
        return damaged(r, "its names are no list");
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!name)
            return damaged(r, "a name that is no text");
        bytes += strlen(name) + 1;
    }
    char *at = *own = malloc(bytes + 1);
    if (!at)
        return lb_error_memory(r->error, r->name);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, json_string_value(json_array_get(names, i))) + 1;
    s->list_texts[list] = bytes ? *own : NULL;
    s->list_bytes[list] = bytes;
    if (groups)
        channels->groups = (uint32_t)count;
    else
        channels->mattes[list] =
            (lb_matte){(uint32_t)count, lb_matte_sums((uint32_t)count, channels->matte_ranks)};
    channels->wanted |= 1u << lb_list_kind(list);
    return LB_OK;
}

/* The plane behind all others, where a picture ends by its noise. */
static bool is_squares(const json_t *plane)
{
    const char *name = json_string_value(json_object_get(plane, "name"));
    const char *type = json_string_value(json_object_get(plane, "type"));
    return name && !strcmp(name, LB_PART_SQUARES) && type && !strcmp(type, "float64");
}

/* Does a part of that version have channels? One of a picture that ends by its noise may. */
static bool may_have(uint32_t version, bool channels)
{
    return version == LB_PART_VERSION_NOISE || channels == (version == LB_PART_VERSION_CHANNELS);
}

/* Those of light, behind them those of channels in the order of their kinds. */
static enum lb_status get_planes(const struct part_reader *r, const json_t *root, lb_channels *channels)
{
    const json_t *planes = json_object_get(root, "planes");
    size_t last = r->version == LB_PART_VERSION_NOISE ? 1 : 0;
    json_int_t bits;
    size_t at = 0;
    for (; at < LB_PART_PLANES; at++)
        if (!plane_is(json_array_get(planes, at), lb_part_planes[at].name, &bits) || bits != LB_FILM_BITS)
            return damaged(r, "its planes do not begin with R, G, B and weight");
    if (!get_buckets(root, channels))
        return damaged(r, "its buckets are none");
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        if (!take_kind(planes, &at, kind, channels))
            return damaged(r, "its planes are not those of channels");
    if (at + last != json_array_size(planes) || !may_have(r->version, at > LB_PART_PLANES) ||
        (last && !is_squares(json_array_get(planes, at))))
        return damaged(r, "its planes are not those of its version");
    if (channels->scale == 0)
        channels->scale = 1;
    lb_channels_lay_out(channels);
    return LB_OK;
}

/* Reads which channels files of the picture have by default, and their space. */
static bool get_channels(const json_t *root, struct lb_part_subject *s)
{
    char space[8];
    if (!get_text(root, "outputs", s->outputs, sizeof s->outputs) ||
        !get_text(root, "space", space, sizeof space))
        return false;
    if (strspn(s->outputs, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ,") != strlen(s->outputs))
        return false;
    s->transparent = json_is_true(json_object_get(root, "transparent"));
    s->channels.world = !strcmp(space, "world");
    return s->channels.world || !strcmp(space, "camera");
}

/* Does the span, which ends a set of an adaptive picture, say how many samples pixels with that set are to get? */
static bool is_goal(const struct part_reader *r, json_int_t from, json_int_t to)
{
    const struct lb_part_subject *s = &r->part->subject;
    return s->mean && to == from + 1 && from > (json_int_t)LB_HELD_GOAL &&
           from <= (json_int_t)LB_HELD_GOAL + s->samples;
}

/* Reads one set of samples. It must be a new one, so that it gets the next number. */
static enum lb_status add_set(struct part_reader *r, const json_t *set, uint32_t expected)
{
    size_t count = json_array_size(set);
    uint32_t number = 0;
    int64_t end = -1, most = r->part->subject.samples;
    struct lb_sample_span *spans = count ? reallocarray(NULL, count, sizeof *spans) : NULL;
    if (count && !spans)
        return lb_error_memory(r->error, r->name);
    enum lb_status status = count ? LB_OK : damaged(r, "an empty set of samples");
    for (size_t i = 0; i < count && status == LB_OK; i++) {
        const json_t *span = json_array_get(set, i);
        json_int_t from = json_integer_value(json_array_get(span, 0)),
                   to = json_integer_value(json_array_get(span, 1));
        if (json_array_size(span) != 2 || from <= end || to <= from ||
            (to > most && !(i > 0 && i + 1 == count && is_goal(r, from, to))))
            status = damaged(r, "samples out of order");
        else
            spans[i] = (struct lb_sample_span){(uint32_t)from, (uint32_t)to};
        end = to;
    }
    if (status == LB_OK)
        status = lb_held_add(&r->part->held, spans, (uint32_t)count, &number, r->error);
    if (status == LB_OK && number != expected)
        status = damaged(r, "the same set of samples twice");
    free(spans);
    return status;
}

static enum lb_status add_sets(struct part_reader *r, const json_t *root)
{
    const json_t *sets = json_object_get(root, "sets");
    enum lb_status status = json_is_array(sets) ? LB_OK : damaged(r, "it has no sets of samples");
    r->file_sets = (uint32_t)json_array_size(sets);
    for (uint32_t i = 0; i < r->file_sets && status == LB_OK; i++)
        status = add_set(r, json_array_get(sets, i), i + 1);
    return status;
}

static enum lb_status read_header(struct part_reader *r)
{
    uint32_t length = read_u32(r->at + 12);
    r->at += LB_PART_HEAD;
    if (length > (size_t)(r->end - r->at))
        return damaged(r, "it ends in its header");
    json_t *root = json_loadb((const char *)r->at, length, JSON_REJECT_DUPLICATES, NULL);
    r->at += length;
    struct lb_part_subject subject = {.samples = 0};
    struct lb_part_target target = {.squares = NULL};
    bool whole = root && get_subject(root, &subject) &&
                 (r->version == LB_PART_VERSION || get_channels(root, &subject)) &&
                 (r->version != LB_PART_VERSION_NOISE || get_target(root, &subject, &target));
    char *own[LB_LISTS] = {NULL};
    enum lb_status status = whole ? LB_OK : damaged(r, "its header is wrong");
    for (uint32_t i = 0; i < LB_LISTS && status == LB_OK; i++)
        status = get_names(r, root, i, &subject, &own[i]);
    if (status == LB_OK)
        status = get_planes(r, root, &subject.channels);
    if (status == LB_OK && (uint64_t)subject.width * subject.height > r->most)
        status = lb_error_set(r->error, LB_ERROR, "%s: %u x %u pixels are too many", r->name, subject.width,
                              subject.height);
    if (status == LB_OK)
        status = lb_part_open(&subject, r->part, r->error);
    r->part->target = target;
    memcpy(r->part->own_texts, own, sizeof own); /* whose lb_part_free() frees them in any case */
    if (status == LB_OK)
        status = add_sets(r, root);
    json_decref(root);
    return status;
}

/* ---- blocks ---- */

/* What no samples have is there already, and memory that nothing is written to need not be there at all: so it is as
 * large as what the file holds, not as the picture. */
static void take_run(struct part_reader *r, uint64_t pixel, uint32_t length, uint32_t set)
{
    if (r->summary)
        lb_part_summary_add(r->summary, r->part, set, length);
    for (uint32_t i = 0; !r->summary && set != 0 && i < length; i++)
        r->part->held.pixels[pixel + i] = set;
}

/* The runs of the block's pixels; `*held` of them have samples. Their sums follow `*at`. */
static enum lb_status read_runs(struct part_reader *r, uint64_t begin, uint64_t end, size_t size, size_t *at,
                                size_t *held)
{
    uint32_t runs = size >= 4 ? read_u32(r->plain) : 0;
    uint64_t pixel = begin;
    *held = 0;
    if (runs == 0 || runs > (size - 4) / 8)
        return damaged(r, "a block without its runs");
    for (uint32_t i = 0; i < runs; i++) {
        uint32_t length = read_u32(r->plain + 4 + 8 * (size_t)i),
                 set = read_u32(r->plain + 8 + 8 * (size_t)i);
        if (length == 0 || length > end - pixel || set > r->file_sets)
            return damaged(r, "a run beyond its block");
        *held += set ? length : 0;
        take_run(r, pixel, length, set);
        pixel += length;
    }
    *at = 4 + 8 * (size_t)runs;
    return pixel == end ? LB_OK : damaged(r, "a block without all its pixels");
}

/* Numbers `at` .. at + some - 1 of a plane of `held` numbers, to some pixels, which have theirs `stride` apart. */
static void read_column(const uint8_t *plane, size_t held, size_t at, const uint32_t *pixels, size_t some,
                        int64_t *numbers, size_t stride)
{
    for (size_t i = 0; i < some; i++) {
        uint64_t value = 0;
        for (size_t byte = 0; byte < 8; byte++)
            value |= (uint64_t)plane[byte * held + at + i] << 8 * byte;
        numbers[pixels[i] * stride] = (int64_t)value;
    }
}

/* The same of numbers with a fraction, as they stand in memory. */
static void read_squares(const uint8_t *plane, size_t held, size_t at, const uint32_t *pixels, size_t some,
                         double *squares)
{
    int64_t words[LB_PART_SOME];
    uint32_t own[LB_PART_SOME];
    for (uint32_t i = 0; i < some; i++)
        own[i] = i;
    read_column(plane, held, at, own, some, words, 1);
    for (size_t i = 0; i < some; i++)
        memcpy(&squares[pixels[i]], &words[i], sizeof words[i]);
}

/* Some pixels of all planes at a time, whose sums the processor's cache then writes once. */
static void read_some(struct lb_part *part, uint64_t begin, const uint32_t *pixels, size_t some,
                      const uint8_t *from, size_t held, size_t at)
{
    enum { WORDS = sizeof *part->pixels / sizeof(int64_t) };
    size_t each = part->subject.channels.count;
    char *light = (char *)(part->pixels + begin);
    for (size_t plane = 0; plane < LB_PART_PLANES; plane++, from += 8 * held)
        read_column(from, held, at, pixels, some, (int64_t *)(void *)(light + lb_part_planes[plane].offset),
                    WORDS);
    for (size_t sum = 0; sum < each; sum++, from += 8 * held)
        read_column(from, held, at, pixels, some, part->sums + begin * each + sum, each);
    if (part->target.squares)
        read_squares(from, held, at, pixels, some, part->target.squares + begin);
}

static void read_planes(struct part_reader *r, uint64_t begin, uint64_t end, const uint8_t *from, size_t held)
{
    uint32_t pixels[LB_PART_SOME];
    size_t some = 0, read = 0;
    for (uint64_t i = begin; i < end; i++) {
        if (r->part->held.pixels[i] != 0)
            pixels[some++] = (uint32_t)(i - begin);
        if (some < LB_PART_SOME && i + 1 < end)
            continue;
        read_some(r->part, begin, pixels, some, from, held, read);
        read += some;
        some = 0;
    }
}

static enum lb_status read_block(struct part_reader *r, uint64_t begin, uint64_t end)
{
    if (r->end - r->at < 4 || read_u32(r->at) > (size_t)(r->end - r->at) - 4)
        return damaged(r, "it ends in a block");
    const struct lb_part_subject *s = &r->part->subject;
    size_t packed = read_u32(r->at), at = 0, held = 0;
    size_t size = ZSTD_decompressDCtx(r->unpacker, r->plain, lb_part_block_bytes(s), r->at + 4, packed);
    r->at += 4 + packed;
    if (ZSTD_isError(size))
        return damaged(r, ZSTD_getErrorName(size));
    enum lb_status status = read_runs(r, begin, end, size, &at, &held);
    if (status == LB_OK && size - at != 8 * held * lb_part_numbers(s))
        status = damaged(r, "a block without all its sums");
    if (status == LB_OK && held > 0 && !r->summary)
        read_planes(r, begin, end, r->plain + at, held);
    return status;
}

static enum lb_status make_room(struct part_reader *r)
{
    struct lb_part *part = r->part;
    size_t each = part->subject.channels.count;
    r->unpacker = ZSTD_createDCtx();
    r->plain = malloc(lb_part_block_bytes(&part->subject));
    if (!r->unpacker || !r->plain)
        return lb_error_memory(r->error, r->name);
    if (r->summary)
        return lb_part_summary_open(r->summary, part, r->error);
    part->pixels = calloc(part->held.count, sizeof *part->pixels);
    part->sums = each ? calloc(part->held.count, each * sizeof *part->sums) : NULL;
    if (part->subject.noise > 0 &&
        !(part->target.squares = calloc(part->held.count, sizeof *part->target.squares)))
        return lb_error_memory(r->error, r->name);
    if (!part->pixels || (each && !part->sums) || lb_held_spread(&part->held, r->error) != LB_OK)
        return lb_error_memory(r->error, r->name);
    return LB_OK;
}

static enum lb_status read_blocks(struct part_reader *r)
{
    const struct lb_part *part = r->part;
    uint64_t count = part->held.count, blocks = (count + LB_PART_BLOCK - 1) / LB_PART_BLOCK;
    if ((uint64_t)(r->end - r->at) / 4 < blocks)
        return damaged(r, "it ends in its blocks");
    enum lb_status status = make_room(r);
    for (uint64_t begin = 0; begin < count && status == LB_OK; begin += LB_PART_BLOCK)
        status = read_block(r, begin, count - begin < LB_PART_BLOCK ? count : begin + LB_PART_BLOCK);
    if (status == LB_OK && r->at != r->end)
        status = damaged(r, "there is more behind its end");
    return status;
}

/* ---- the whole ---- */

static enum lb_status check_file(const struct part_reader *r, const uint8_t *data, size_t size)
{
    if (size < 8 || memcmp(data, LB_PART_MAGIC, 8) != 0)
        return lb_error_set(r->error, LB_ERROR, "%s: it is no part of a picture", r->name);
    if (size < LB_PART_HEAD + LB_PART_TAIL)
        return damaged(r, "it ends in its header");
    if (r->version < LB_PART_VERSION || r->version > LB_PART_VERSION_NOISE)
        return lb_error_set(r->error, LB_ERROR, "%s: a part of version %u; this program reads %d to %d",
                            r->name, r->version, LB_PART_VERSION, LB_PART_VERSION_NOISE);
    XXH64_hash_t hash;
    memcpy(&hash, data + size - LB_PART_TAIL, sizeof hash);
    return hash == XXH3_64bits(data, size - LB_PART_TAIL) ? LB_OK : damaged(r, "its checksum is wrong");
}

static enum lb_status parse(const char *name, const uint8_t *data, size_t size, uint64_t most,
                            struct lb_part *part, struct lb_part_summary *summary, struct lb_error *error)
{
    struct part_reader r = {
        .name = name, .at = data, .most = most, .part = part, .summary = summary, .error = error};
    *part = (struct lb_part){0};
    r.version = size >= 12 ? read_u32(data + 8) : 0;
    enum lb_status status = check_file(&r, data, size);
    if (status == LB_OK) {
        r.end = data + size - LB_PART_TAIL;
        status = read_header(&r);
    }
    if (status == LB_OK)
        status = read_blocks(&r);
    if (status != LB_OK)
        lb_part_free(part);
    ZSTD_freeDCtx(r.unpacker);
    free(r.plain);
    return status;
}

enum lb_status lb_part_parse(const char *name, const uint8_t *data, size_t size, uint64_t most,
                             struct lb_part *part, struct lb_error *error)
{
    return parse(name, data, size, most, part, NULL, error);
}

static enum lb_status read_file(const char *path, struct lb_part *part, struct lb_part_summary *summary,
                                struct lb_error *error)
{
    struct lb_file file;
    *part = (struct lb_part){0};
    enum lb_status status = lb_file_read(path, SIZE_MAX / 2, &file, error);
    if (status != LB_OK)
        return status;
    status = parse(path, file.data, file.size, LB_PART_MOST_PIXELS, part, summary, error);
    lb_file_free(&file);
    return status;
}

enum lb_status lb_part_read(const char *path, struct lb_part *part, struct lb_error *error)
{
    return read_file(path, part, NULL, error);
}

enum lb_status lb_part_survey(const char *path, struct lb_part *part, struct lb_part_summary *summary,
                              struct lb_error *error)
{
    *summary = (struct lb_part_summary){0};
    return read_file(path, part, summary, error);
}
