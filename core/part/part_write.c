#include "core/part/part_file.h"

#include "core/image/replace.h"
#include "core/part/part_format.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

/* Fast, and what the bytes' order leaves is little that more effort could find. */
enum { LEVEL = 1 };

struct writer {
    struct lb_replacement file;
    const struct lb_part *part;
    uint32_t *number; /* in the file, of a set of the part; UINT32_MAX: no pixel has it */
    XXH3_state_t *hash;
    ZSTD_CCtx *packer;
    uint8_t *plain, *packed;
    int64_t *column; /* LB_PART_BLOCK */
    uint64_t bytes;
};

static enum lb_status put(struct writer *w, const void *data, size_t size, struct lb_error *error)
{
    XXH3_64bits_update(w->hash, data, size);
    w->bytes += size;
    return lb_replace_write(&w->file, data, size, error);
}

/* ---- the header ---- */

/* Numbers from 1 on for the sets that pixels have, in the order of their own numbers; the empty one stays 0. */
static void number_sets(struct writer *w)
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

static json_t *sets_json(const struct writer *w)
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

static json_t *planes_json(void)
{
    json_t *planes = json_array();
    for (int i = 0; i < LB_PART_PLANES; i++)
        json_array_append_new(planes, json_pack("{ss ss si}", "name", lb_part_planes[i].name, "type", "int64",
                                                "fraction_bits", LB_FILM_BITS));
    return planes;
}

/* The caller's to free; NULL: out of memory. */
static char *header_text(const struct writer *w)
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
    failed = failed || json_object_set_new(root, "planes", planes_json()) ||
             json_object_set_new(root, "sets", sets_json(w));
    char *text = failed ? NULL : json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(root);
    return text;
}

static enum lb_status put_header(struct writer *w, struct lb_error *error)
{
    number_sets(w);
    char *text = header_text(w);
    size_t length = text ? strlen(text) : 0;
    uint32_t numbers[2] = {LB_PART_VERSION, (uint32_t)length};
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

/* Runs of pixels with the same set; returns the bytes. */
static size_t lay_runs(const struct writer *w, uint64_t begin, uint64_t end)
{
    const struct lb_held *held = &w->part->held;
    uint32_t runs = 0;
    for (uint64_t i = begin, first = begin; i < end; i = first) {
        uint32_t set = lb_held_set(held, i);
        while (first < end && lb_held_set(held, first) == set)
            first++;
        uint32_t run[2] = {(uint32_t)(first - i), w->number[set]};
        memcpy(w->plain + 4 + 8 * (size_t)runs++, run, sizeof run);
    }
    memcpy(w->plain, &runs, sizeof runs);
    return 4 + 8 * (size_t)runs;
}

/* The bytes of a plane's numbers, all lowest ones first: what they have in common then stands together. */
static void lay_column(const int64_t *column, size_t count, uint8_t *out)
{
    for (int byte = 0; byte < 8; byte++)
        for (size_t i = 0; i < count; i++)
            *out++ = (uint8_t)((uint64_t)column[i] >> 8 * byte);
}

static size_t lay_planes(const struct writer *w, uint64_t begin, uint64_t end, uint8_t *out)
{
    const struct lb_part *part = w->part;
    size_t count = 0;
    for (int plane = 0; plane < LB_PART_PLANES && part->pixels; plane++) {
        count = 0;
        for (uint64_t i = begin; i < end; i++)
            if (lb_held_set(&part->held, i) != 0)
                memcpy(&w->column[count++], (const char *)&part->pixels[i] + lb_part_planes[plane].offset, 8);
        lay_column(w->column, count, out + 8 * count * (size_t)plane);
    }
    return 8 * count * LB_PART_PLANES;
}

static enum lb_status put_block(struct writer *w, uint64_t begin, uint64_t end, struct lb_error *error)
{
    size_t size = lay_runs(w, begin, end);
    size += lay_planes(w, begin, end, w->plain + size);
    size_t packed = ZSTD_compressCCtx(w->packer, w->packed, ZSTD_compressBound(LB_PART_BLOCK_BYTES), w->plain,
                                      size, LEVEL);
    if (ZSTD_isError(packed)) {
        lb_replace_abandon(&w->file);
        return lb_error_set(error, LB_ERROR, "%s: %s", w->file.path, ZSTD_getErrorName(packed));
    }
    uint32_t length = (uint32_t)packed;
    enum lb_status status = put(w, &length, sizeof length, error);
    return status == LB_OK ? put(w, w->packed, packed, error) : status;
}

/* ---- the whole ---- */

static bool writer_make(struct writer *w)
{
    w->number = calloc(w->part->held.set_count, sizeof *w->number);
    w->hash = XXH3_createState();
    w->packer = ZSTD_createCCtx();
    w->plain = malloc(LB_PART_BLOCK_BYTES);
    w->packed = malloc(ZSTD_compressBound(LB_PART_BLOCK_BYTES));
    w->column = malloc(LB_PART_BLOCK * sizeof *w->column);
    return w->number && w->hash && w->packer && w->plain && w->packed && w->column;
}

static void writer_free(struct writer *w)
{
    free(w->number);
    XXH3_freeState(w->hash);
    ZSTD_freeCCtx(w->packer);
    free(w->plain);
    free(w->packed);
    free(w->column);
}

static enum lb_status write_all(struct writer *w, struct lb_error *error)
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
    struct writer w = {.part = part};
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
