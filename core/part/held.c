#include "core/part/held.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE = 64 };

/* ---- sets ---- */

static uint32_t hash_spans(const struct lb_sample_span *spans, uint32_t count)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ spans[i].begin) * 0xff51afd7ed558ccdu;
        hash = (hash ^ hash >> 32 ^ spans[i].end) * 0xc4ceb9fe1a85ec53u;
    }
    return (uint32_t)(hash >> 32);
}

static const struct lb_sample_span *spans_of(const struct lb_held *held, uint32_t set)
{
    return held->spans + held->sets[set].first;
}

static uint32_t *slot_of(const struct lb_held *held, uint32_t set)
{
    uint32_t hash = hash_spans(spans_of(held, set), held->sets[set].count);
    return &held->table[hash & (held->table_size - 1)];
}

/* Twice the slots when there are as many sets. */
static bool grow_table(struct lb_held *held)
{
    uint32_t size = held->table_size ? 2 * held->table_size : FIRST_TABLE;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(held->table);
    held->table = table;
    held->table_size = size;
    for (uint32_t i = 1; i < held->set_count; i++) {
        uint32_t *slot = slot_of(held, i);
        held->sets[i].next = *slot;
        *slot = i;
    }
    return true;
}

static bool make_room(struct lb_held *held, uint32_t spans)
{
    if (held->set_count == held->set_room) {
        uint32_t room = held->set_room ? 2 * held->set_room : 16;
        struct lb_sample_set *sets = reallocarray(held->sets, room, sizeof *sets);
        if (!sets)
            return false;
        held->sets = sets;
        held->set_room = room;
    }
    if (held->span_room - held->span_count < spans) {
        size_t room = 2 * held->span_room + spans + 16;
        struct lb_sample_span *more = reallocarray(held->spans, room, sizeof *more);
        if (!more)
            return false;
        held->spans = more;
        held->span_room = room;
    }
    return held->set_count < held->table_size || grow_table(held);
}

enum lb_status lb_held_add(struct lb_held *held, const struct lb_sample_span *spans, uint32_t count,
                           uint32_t *set, struct lb_error *error)
{
    *set = 0;
    if (count == 0)
        return LB_OK;
    size_t bytes = count * sizeof *spans;
    uint32_t hash = hash_spans(spans, count);
    for (uint32_t i = held->table[hash & (held->table_size - 1)]; i != 0; i = held->sets[i].next)
        if (held->sets[i].count == count && !memcmp(spans_of(held, i), spans, bytes)) {
            *set = i;
            return LB_OK;
        }
    if (held->set_count == UINT32_MAX / 2 || !make_room(held, count))
        return lb_error_memory(error, NULL);
    *set = held->set_count++;
    held->sets[*set] = (struct lb_sample_set){.first = held->span_count, .count = count};
    memcpy(held->spans + held->span_count, spans, bytes);
    held->span_count += count;
    uint32_t *slot = slot_of(held, *set);
    held->sets[*set].next = *slot;
    *slot = *set;
    return LB_OK;
}

/* Appends a span to a set. Where it begins at the end of the last one, that one grows instead. */
static void append(struct lb_sample_span *spans, uint32_t *count, struct lb_sample_span next)
{
    if (*count > 0 && spans[*count - 1].end == next.begin)
        spans[*count - 1].end = next.end;
    else
        spans[(*count)++] = next;
}

enum lb_status lb_held_join(struct lb_held *held, const struct lb_sample_span *one, uint32_t one_count,
                            const struct lb_sample_span *other, uint32_t other_count, uint32_t *set,
                            uint32_t *overlap, struct lb_error *error)
{
    struct lb_sample_span few[16], *joined = few;
    uint32_t count = 0, i = 0, j = 0, end = 0;
    size_t most = (size_t)one_count + other_count;
    *overlap = UINT32_MAX;
    *set = 0;
    if (most > sizeof few / sizeof *few && !(joined = reallocarray(NULL, most, sizeof *joined)))
        return lb_error_memory(error, NULL);
    while ((i < one_count || j < other_count) && *overlap == UINT32_MAX) {
        bool first = j == other_count || (i < one_count && one[i].begin <= other[j].begin);
        struct lb_sample_span next = first ? one[i++] : other[j++];
        if (next.begin < end)
            *overlap = next.begin;
        append(joined, &count, next);
        end = next.end;
    }
    enum lb_status status = *overlap == UINT32_MAX ? lb_held_add(held, joined, count, set, error) : LB_OK;
    if (joined != few)
        free(joined);
    return status;
}

enum lb_status lb_held_with(struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end, uint32_t *with,
                            struct lb_error *error)
{
    struct lb_sample_span more = {begin, end};
    uint32_t overlap;
    return lb_held_join(held, spans_of(held, set), held->sets[set].count, &more, 1, with, &overlap, error);
}

bool lb_held_has(const struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end)
{
    return lb_held_size(held, set, begin, end) == end - begin;
}

uint32_t lb_held_size(const struct lb_held *held, uint32_t set, uint32_t begin, uint32_t end)
{
    const struct lb_sample_span *spans = spans_of(held, set);
    uint32_t size = 0;
    for (uint32_t i = 0; i < held->sets[set].count; i++) {
        uint32_t from = spans[i].begin > begin ? spans[i].begin : begin;
        uint32_t to = spans[i].end < end ? spans[i].end : end;
        size += to > from ? to - from : 0;
    }
    return size;
}

uint32_t lb_held_cut(const struct lb_held *held, uint32_t from, uint32_t end)
{
    for (size_t i = 0; i < held->span_count; i++) {
        struct lb_sample_span span = held->spans[i];
        if (span.begin > from && span.begin < end)
            end = span.begin;
        if (span.end > from && span.end < end)
            end = span.end;
    }
    return end;
}

uint32_t lb_held_goal(const struct lb_held *held, uint32_t set, uint32_t otherwise)
{
    uint32_t count = held->sets[set].count;
    uint32_t last = count > 0 ? spans_of(held, set)[count - 1].begin : 0;
    return last >= LB_HELD_GOAL ? last - LB_HELD_GOAL : otherwise;
}

enum lb_status lb_held_with_goal(struct lb_held *held, uint32_t set, uint32_t goal, uint32_t *with,
                                 struct lb_error *error)
{
    struct lb_sample_span said = {LB_HELD_GOAL + goal, LB_HELD_GOAL + goal + 1};
    uint32_t overlap, count = held->sets[set].count - (lb_held_goal(held, set, 0) ? 1 : 0);
    return lb_held_join(held, spans_of(held, set), count, &said, 1, with, &overlap, error);
}

/* ---- pixels ---- */

enum lb_status lb_held_open(struct lb_held *held, uint64_t count, struct lb_error *error)
{
    *held = (struct lb_held){.count = count};
    if (!make_room(held, 1)) {
        lb_held_free(held);
        return lb_error_memory(error, NULL);
    }
    held->sets[held->set_count++] = (struct lb_sample_set){0};
    return LB_OK;
}

void lb_held_free(struct lb_held *held)
{
    free(held->pixels);
    free(held->sets);
    free(held->spans);
    free(held->table);
    *held = (struct lb_held){0};
}

enum lb_status lb_held_copy(const struct lb_held *held, struct lb_held *copy, struct lb_error *error)
{
    uint32_t number;
    enum lb_status status = lb_held_open(copy, held->count, error);
    for (uint32_t i = 1; i < held->set_count && status == LB_OK; i++)
        status = lb_held_add(copy, spans_of(held, i), held->sets[i].count, &number, error);
    copy->all = held->all;
    if (status == LB_OK && held->pixels) {
        status = lb_held_spread(copy, error);
        if (status == LB_OK)
            memcpy(copy->pixels, held->pixels, held->count * sizeof *held->pixels);
    }
    if (status != LB_OK)
        lb_held_free(copy);
    return status;
}

enum lb_status lb_held_spread(struct lb_held *held, struct lb_error *error)
{
    if (held->pixels)
        return LB_OK;
    held->pixels = calloc(held->count, sizeof *held->pixels);
    if (!held->pixels)
        return lb_error_memory(error, NULL);
    for (uint64_t i = 0; held->all != 0 && i < held->count; i++)
        held->pixels[i] = held->all;
    return LB_OK;
}

uint64_t lb_held_samples(const struct lb_held *held)
{
    if (!held->pixels)
        return held->count * lb_held_size(held, held->all, 0, LB_HELD_GOAL);
    uint64_t samples = 0;
    for (uint64_t i = 0; i < held->count; i++)
        samples += lb_held_size(held, held->pixels[i], 0, LB_HELD_GOAL);
    return samples;
}
