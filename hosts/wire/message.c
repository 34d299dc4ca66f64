#include "hosts/wire/message.h"

#include "core/base/printable.h"

#include <string.h>
#include <xxhash.h>

struct lb_build lb_build_own(void)
{
    struct lb_build build = {.byte_order = 0x01020304u,
                             .message = sizeof(struct lb_message),
                             .job = sizeof(struct lb_message_job),
                             .pixel = sizeof(lb_film_pixel),
                             .scene = sizeof(lb_scene)};
    strncpy(build.version, LB_VERSION, sizeof build.version - 1);
    return build;
}

bool lb_build_equal(const struct lb_build *a, const struct lb_build *b)
{
    return !memcmp(a->version, b->version, sizeof a->version) && a->byte_order == b->byte_order &&
           a->message == b->message && a->job == b->job && a->pixel == b->pixel && a->scene == b->scene;
}

struct lb_scene_mark lb_scene_mark_make(const void *block, size_t size)
{
    XXH128_hash_t hash = XXH3_128bits(block, size);
    return (struct lb_scene_mark){hash.low64, hash.high64};
}

bool lb_scene_mark_equal(struct lb_scene_mark a, struct lb_scene_mark b)
{
    return a.low == b.low && a.high == b.high;
}

/* May `rest` bytes follow a message of this kind? */
static bool fits(const struct lb_message *message, size_t rest)
{
    switch ((enum lb_message_kind)message->kind) {
    case LB_MESSAGE_HELLO:
    case LB_MESSAGE_ASK:
        return rest >= sizeof(struct lb_build); /* what follows may be longer or shorter in another version */
    case LB_MESSAGE_PIXELS:
    case LB_MESSAGE_BYTES:
    case LB_MESSAGE_LIST:
        return rest > 0 && rest <= LB_STRIPE_BYTES;
    case LB_MESSAGE_FAILED:
    case LB_MESSAGE_REFUSED:
    case LB_MESSAGE_SCENE:
        return rest <= LB_MESSAGE_TEXT;
    case LB_MESSAGE_DONE:
        return rest <= LB_PROCESSORS_TOLD * sizeof(struct lb_remote_did);
    case LB_MESSAGE_JOB:
        return rest >= sizeof(struct lb_message_job);
    case LB_MESSAGE_WANT:
    case LB_MESSAGE_READY:
    case LB_MESSAGE_LEAVE:
    case LB_MESSAGE_WELCOME:
    case LB_MESSAGE_STOP:
    case LB_MESSAGE_WHO:
    case LB_MESSAGE_HOME:
    case LB_MESSAGE_ALIVE:
        return rest == 0;
    case LB_MESSAGE_KINDS:
        break;
    }
    return false;
}

bool lb_message_read(const void *data, size_t size, struct lb_message *message)
{
    if (size < sizeof *message)
        return false;
    memcpy(message, data, sizeof *message);
    return fits(message, size - sizeof *message);
}

void lb_message_text(const void *text, size_t length, char *shown, size_t size)
{
    const char *at = text;
    char one[LB_SHOWN_MOST];
    size_t used = 0;
    length = strnlen(at, length);
    while (length) {
        size_t taken = lb_printable_next(at, length, one), longer = strlen(one);
        if (used + longer + 1 > size)
            break;
        memcpy(shown + used, one, longer);
        used += longer;
        at += taken;
        length -= taken;
    }
    shown[used] = 0;
}

/* ---- processors ---- */

uint32_t lb_processors_told(uint32_t count)
{
    return count < LB_PROCESSORS_TOLD ? count : LB_PROCESSORS_TOLD;
}

void lb_message_processors_write(const struct lb_remote_processor *processors, uint32_t count, void *into)
{
    for (uint32_t i = 0; i < count; i++) {
        struct lb_message_processor one;
        memcpy(one.name, processors[i].name, sizeof one.name);
        memcpy(one.kind, processors[i].kind, sizeof one.kind);
        memcpy((char *)into + i * sizeof one, &one, sizeof one);
    }
}

/* Is the word made of letters, followed by digits where `digits` wants them, and a 0? */
static bool is_word(const char word[32], bool digits)
{
    size_t letters = 0, end;
    while (letters < 32 && word[letters] >= 'a' && word[letters] <= 'z')
        letters++;
    for (end = letters; digits && end < 32 && word[end] >= '0' && word[end] <= '9';)
        end++;
    return letters > 0 && (end > letters) == digits && end < 32 && word[end] == 0;
}

bool lb_message_processors_read(const void *from, uint32_t count, struct lb_remote_processor *processors)
{
    for (uint32_t i = 0; i < count; i++) {
        struct lb_message_processor one;
        memcpy(&one, (const char *)from + i * sizeof one, sizeof one);
        if (!is_word(one.name, true) || !is_word(one.kind, false))
            return false;
        processors[i] = (struct lb_remote_processor){.did = {.ranges = 0}};
        memcpy(processors[i].name, one.name, sizeof one.name);
        memcpy(processors[i].kind, one.kind, sizeof one.kind);
    }
    return true;
}

bool lb_message_did_read(const void *from, size_t size, uint32_t count, uint64_t samples, double most,
                         struct lb_remote_processor *processors)
{
    struct lb_remote_did did;
    if (size != count * sizeof did)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&did, (const char *)from + i * sizeof did, sizeof did);
        if (did.samples > samples || did.ranges > UINT32_MAX)
            return false;
        samples -= did.samples;
        processors[i].did.ranges += did.ranges;
        processors[i].did.samples += did.samples;
        processors[i].did.busy_seconds +=
            did.busy_seconds >= 0 && did.busy_seconds <= most ? did.busy_seconds : most;
    }
    return true;
}

/* ---- jobs ---- */

/* Finds the rectangles of the order that hold the range, as all others would only lengthen the message, and returns how
 * many they are. */
static uint32_t rectangles(const struct lb_work *work, const lb_rectangle **first)
{
    const lb_order *order = work->order;
    if (order->kind != LB_ORDER_RECTANGLES || work->range.begin == work->range.end)
        return 0;
    *first = lb_rectangle_at(order, work->range.begin);
    return (uint32_t)(lb_rectangle_at(order, work->range.end - 1) - *first) + 1;
}

/* How many bytes the order's array of pixels that are left out has. */
static size_t left_out_bytes(const lb_order *order)
{
    return ((size_t)order->width * order->height + 63) / 64 * sizeof *order->left_out;
}

size_t lb_message_job_size(const struct lb_work *work)
{
    const lb_rectangle *first;
    return sizeof(struct lb_message_job) + rectangles(work, &first) * sizeof *first +
           (work->order->left_out ? left_out_bytes(work->order) : 0);
}

void lb_message_job_write(const struct lb_work *work, const struct lb_result *result, void *into)
{
    const lb_rectangle *first = NULL;
    uint32_t count = rectangles(work, &first);
    struct lb_message_job job;
    memset(&job, 0, sizeof job);
    job.order = *work->order;
    job.order.rectangle_count = count;
    job.order.rectangles = NULL;
    job.order.left_out = NULL;
    job.leaves_out = work->order->left_out != NULL;
    job.range = work->range;
    job.sample_begin = work->sample_begin;
    job.sample_end = work->sample_end;
    job.coverage = work->coverage;
    job.want_sums = result->sums != NULL;
    job.want_cost = result->cost != NULL;
    job.cost_in_seconds = result->cost_in_seconds;
    memcpy(into, &job, sizeof job);
    if (count)
        memcpy((char *)into + sizeof job, first, count * sizeof *first);
    if (job.leaves_out)
        memcpy((char *)into + sizeof job + count * sizeof *first, work->order->left_out,
               left_out_bytes(work->order));
}

/* Do all rectangles lie in the picture, and hold the range without a gap? */
static bool rectangles_hold(const lb_order *order, struct lb_range range)
{
    uint64_t at = range.begin;
    for (uint32_t i = 0; i < order->rectangle_count; i++) {
        const lb_rectangle *r = &order->rectangles[i];
        uint64_t size = (uint64_t)r->width * r->height;
        bool inside = r->width <= order->width && r->x <= order->width - r->width &&
                      r->height <= order->height && r->y <= order->height - r->height;
        if (!inside || size == 0 || r->begin > at || at - r->begin >= size)
            return false;
        at = r->begin + size;
    }
    return at >= range.end;
}

/* Has the order as many positions as core/kernel/order/order.h makes of its numbers? If so, it can be asked for each.
 * */
static bool count_is_right(const lb_order *order)
{
    uint64_t pixels = (uint64_t)order->width * order->height, side = order->side;
    uint64_t tiles = ((order->width + side - 1) / side) * ((order->height + side - 1) / side);
    switch (order->kind) {
    case LB_ORDER_CURVE:
    case LB_ORDER_TILES:
        return order->count == pixels;
    case LB_ORDER_REVERSED:
        return order->count == order->region << order->bits && order->tail <= (uint64_t)1 << order->bits;
    case LB_ORDER_DEALT:
        return order->count == (pixels + order->region - 1) / order->region * order->region;
    case LB_ORDER_SHUFFLED:
        return order->count == tiles * side * side;
    case LB_ORDER_HANDED:
        return order->count == tiles * side * side && order->region == side * side;
    case LB_ORDER_RECTANGLES:
        return true;
    }
    return false;
}

static bool order_is_sound(const lb_order *order, const lb_scene *scene)
{
    return order->width == scene->film.width && order->height == scene->film.height &&
           order->curve <= LB_CURVE_HILBERT && order->bits <= 31 && order->hands >= 1 && order->side >= 1 &&
           order->side <= 65535 && order->region >= 1 && order->region <= UINT32_MAX && order->blocks <= 1 &&
           count_is_right(order);
}

bool lb_message_job_read(const void *data, size_t size, const lb_scene *scene, lb_order *order,
                         struct lb_work *work, struct lb_message_job *job)
{
    const char *rest = lb_message_rest(data);
    memcpy(job, rest, sizeof *job);
    *order = job->order;
    size_t behind = size - sizeof(struct lb_message) - sizeof *job;
    size_t bits = job->leaves_out ? left_out_bytes(order) : 0;
    if (behind < bits || (behind - bits) % sizeof(lb_rectangle) ||
        (behind - bits) / sizeof(lb_rectangle) != order->rectangle_count)
        return false;
    order->rectangles = (const lb_rectangle *)(const void *)(rest + sizeof *job);
    order->left_out = bits ? (const uint64_t *)(const void *)(rest + sizeof *job + behind - bits) : NULL;
    *work = (struct lb_work){.order = order,
                             .range = job->range,
                             .whole = job->range,
                             .sample_begin = job->sample_begin,
                             .sample_end = job->sample_end,
                             .coverage = job->coverage != 0};
    if (job->coverage && !job->want_cost)
        return false; /* costs are all that comes of it */
    if (!order_is_sound(order, scene) || job->range.begin >= job->range.end ||
        job->range.end > order->count || job->sample_begin > job->sample_end ||
        job->sample_end > scene->integrator.samples)
        return false;
    return order->kind == LB_ORDER_RECTANGLES ? rectangles_hold(order, job->range)
                                              : order->rectangle_count == 0;
}

/* ---- stripes ---- */

static size_t sums_size(const struct lb_result *result)
{
    return result->sums ? result->sum_count * sizeof *result->sums : 0;
}

size_t lb_stripe_position(const struct lb_result *result)
{
    return sizeof *result->pixels + sums_size(result) + (result->cost ? sizeof *result->cost : 0);
}

void lb_stripe_write(const struct lb_result *result, uint64_t at, uint64_t count, char *into)
{
    size_t pixels = count * sizeof *result->pixels, sums = count * sums_size(result);
    memcpy(into, result->pixels + at, pixels);
    if (result->sums)
        memcpy(into + pixels, result->sums + at * result->sum_count, sums);
    if (result->cost)
        memcpy(into + pixels + sums, result->cost + at, count * sizeof *result->cost);
}

void lb_stripe_read(struct lb_result *result, uint64_t at, uint64_t count, const char *from)
{
    size_t pixels = count * sizeof *result->pixels, sums = count * sums_size(result);
    memcpy(result->pixels + at, from, pixels);
    if (result->sums)
        memcpy(result->sums + at * result->sum_count, from + pixels, sums);
    if (result->cost)
        memcpy(result->cost + at, from + pixels + sums, count * sizeof *result->cost);
}
