#include "core/part/summary.h"

#include "core/base/printable.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/part/part_sums.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* The first sample that the set lacks. */
static uint32_t first_missing(const struct lb_held *held, uint32_t set)
{
    const struct lb_sample_set *s = &held->sets[set];
    return s->count > 0 && held->spans[s->first].begin == 0 ? held->spans[s->first].end : 0;
}

enum lb_status lb_part_summary_open(struct lb_part_summary *summary, const struct lb_part *part,
                                    struct lb_error *error)
{
    *summary = (struct lb_part_summary){.least = part->subject.samples,
                                        .undecided = part->target.begin != part->target.end};
    summary->having = calloc(part->held.set_count, sizeof *summary->having);
    return summary->having ? LB_OK : lb_error_memory(error, NULL);
}

void lb_part_summary_free(struct lb_part_summary *summary)
{
    free(summary->having);
    *summary = (struct lb_part_summary){0};
}

void lb_part_summary_add(struct lb_part_summary *summary, const struct lb_part *part, uint32_t set,
                         uint64_t count)
{
    const struct lb_part_subject *s = &part->subject;
    uint32_t all = lb_held_goal(&part->held, set, s->mean ? s->mean : s->samples);
    uint32_t size = lb_held_size(&part->held, set, 0, all);
    if (size < all && summary->missing == 0) {
        summary->x = (uint32_t)(summary->pixels % part->subject.width);
        summary->y = (uint32_t)(summary->pixels / part->subject.width);
        summary->sample = first_missing(&part->held, set);
    }
    summary->pixels += count;
    summary->having[set] += count;
    summary->whole += size == all ? count : 0;
    summary->begun += size > 0 && size < all ? count : 0;
    summary->samples += count * size;
    summary->missing += count * (all - size);
    summary->least = size < summary->least ? size : summary->least;
    summary->most = size > summary->most ? size : summary->most;
}

enum lb_status lb_part_summarise(const struct lb_part *part, struct lb_part_summary *summary,
                                 struct lb_error *error)
{
    const struct lb_held *held = &part->held;
    enum lb_status status = lb_part_summary_open(summary, part, error);
    for (uint64_t end, i = 0; status == LB_OK && i < held->count; i = end) {
        uint32_t set = lb_held_set(held, i);
        end = held->pixels ? i + 1 : held->count;
        while (end < held->count && held->pixels[end] == set)
            end++;
        lb_part_summary_add(summary, part, set, end - i);
    }
    return status;
}

void lb_part_missing(const struct lb_part_summary *s, char *text, size_t size)
{
    if (size > 0)
        *text = 0;
    if (s->missing > 0)
        snprintf(text, size,
                 "%" PRIu64 " of %" PRIu64 " samples are missing: all of %" PRIu64 " pixels, some of %" PRIu64
                 "; the first is sample %u of pixel %u,%u",
                 s->missing, s->missing + s->samples, s->pixels - s->whole - s->begun, s->begun, s->sample,
                 s->x, s->y);
    else if (s->undecided)
        snprintf(text, size, "it is not decided yet whether the noise of the pixels is low enough");
}

/* ---- text ---- */

static void add_set(struct lb_text *out, const struct lb_held *held, uint32_t set, uint64_t pixels)
{
    const struct lb_sample_set *s = &held->sets[set];
    lb_text_add(out, "  %" PRIu64 " pixels:", pixels);
    uint32_t goal = lb_held_goal(held, set, 0);
    for (uint32_t i = 0; i + (goal > 0) < s->count; i++)
        lb_text_add(out, " %u:%u", held->spans[s->first + i].begin, held->spans[s->first + i].end);
    if (goal > 0)
        lb_text_add(out, " of %u", goal);
    lb_text_add(out, s->count ? "\n" : " none\n");
}

/* What a picture ends by, where that is its noise. */
static void add_noise(struct lb_text *out, const struct lb_part *part)
{
    const struct lb_part_subject *p = &part->subject;
    if (!(p->noise > 0))
        return;
    lb_text_add(out, "to a noise of %.9g %s", p->noise,
                p->by_largest ? "in the noisiest pixel" : "in the mean of the pixels");
    if (part->target.noise >= 0)
        lb_text_add(out, ", which was %.3g after the last pass", part->target.noise);
    lb_text_add(out, "\n");
}

static void add_channels(struct lb_text *out, const struct lb_part_subject *p)
{
    char names[LB_SUMS_NAMES];
    lb_sums_names(&p->channels, names);
    if (p->channels.count)
        lb_text_add(out, "channels in %u sums a pixel, of the %s's space: %s\nfiles have %s%s\n",
                    p->channels.count, p->channels.world ? "world" : "camera", names,
                    *p->outputs ? p->outputs : "no channels", p->transparent ? ", and are transparent" : "");
}

char *lb_part_text(const char *name, const struct lb_part *part, const struct lb_part_summary *s)
{
    enum { MOST_SETS = 20 };
    const struct lb_part_subject *p = &part->subject;
    struct lb_text out = {0};
    lb_text_add_printable(&out, name, SIZE_MAX);
    lb_text_add(&out, ": part of a picture, by lbrender ");
    lb_text_add_printable(&out, p->version, SIZE_MAX);
    lb_text_add(&out, "\nscene ");
    lb_text_add_printable(&out, *p->scene ? p->scene : "without a name", SIZE_MAX);
    lb_text_add(&out, ", %s\n", p->identity);
    lb_text_add(&out, "%ux%u at %u,%u of a film of %ux%u, %u samples a pixel%s, seed %u, frame %u%s%s\n",
                p->width, p->height, p->x0, p->y0, p->full_width, p->full_height,
                p->mean ? p->mean : p->samples, p->mean ? " on average" : "", p->seed, p->frame,
                p->spectral ? ", wavelengths" : "", p->guided ? ", guided" : "");
    add_noise(&out, part);
    add_channels(&out, p);
    lb_text_add(&out,
                "%" PRIu64 " of %" PRIu64 " samples (%.2f %%); %" PRIu64 " of %" PRIu64
                " pixels have all, %" PRIu64 " some, the fewest %u, the most %u\n",
                s->samples, s->samples + s->missing,
                100 * (double)s->samples / (double)(s->samples + s->missing), s->whole, s->pixels, s->begun,
                s->least, s->most);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < part->held.set_count && shown <= MOST_SETS; i++)
        if (s->having[i] > 0 && shown++ < MOST_SETS)
            add_set(&out, &part->held, i, s->having[i]);
    if (shown > MOST_SETS)
        lb_text_add(&out, "  and more\n");
    return lb_text_take(&out);
}

/* ---- JSON ---- */

static json_t *sets_json(const struct lb_held *held, const struct lb_part_summary *summary)
{
    json_t *sets = json_array();
    for (uint32_t i = 0; i < held->set_count; i++) {
        if (summary->having[i] == 0)
            continue;
        json_t *spans = json_array();
        uint32_t goal = lb_held_goal(held, i, 0);
        for (uint32_t j = 0; j + (goal > 0) < held->sets[i].count; j++) {
            struct lb_sample_span span = held->spans[held->sets[i].first + j];
            json_array_append_new(spans, json_pack("[II]", (json_int_t)span.begin, (json_int_t)span.end));
        }
        json_array_append_new(sets,
                              json_pack("{sI so so*}", "pixels", (json_int_t)summary->having[i], "samples",
                                        spans, "goal", goal > 0 ? json_integer(goal) : NULL));
    }
    return sets;
}

/* Names the sums beside light; JSON's null where there are none. */
static json_t *channels_json(const struct lb_part_subject *p)
{
    if (!p->channels.count)
        return json_null();
    json_t *kinds = json_array();
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        if (p->channels.wanted >> kind & 1)
            json_array_append_new(kinds, json_string(lb_channel_kinds[kind].name));
    return json_pack("{so sI ss ss sb}", "kinds", kinds, "sums", (json_int_t)p->channels.count, "space",
                     p->channels.world ? "world" : "camera", "outputs", p->outputs, "transparent",
                     (int)p->transparent);
}

char *lb_part_json(const char *name, const struct lb_part *part, const struct lb_part_summary *s)
{
    const struct lb_part_subject *p = &part->subject;
    json_t *root = json_pack(
        "{ss* ss ss ss* sb sI sI sI sI sI sI sI sI sI so}", "file", name, "lbrender", p->version, "identity",
        p->identity, "scene", *p->scene ? p->scene : NULL, "complete", s->missing == 0 && !s->undecided,
        "width", (json_int_t)p->width, "height", (json_int_t)p->height, "x0", (json_int_t)p->x0, "y0",
        (json_int_t)p->y0, "full_width", (json_int_t)p->full_width, "full_height", (json_int_t)p->full_height,
        "samples_per_pixel", (json_int_t)p->samples, "seed", (json_int_t)p->seed, "frame",
        (json_int_t)p->frame, "channels", channels_json(p));
    json_t *held = json_pack("{sI sI sI sI sI sI so}", "samples", (json_int_t)s->samples, "missing",
                             (json_int_t)s->missing, "whole_pixels", (json_int_t)s->whole, "begun_pixels",
                             (json_int_t)s->begun, "fewest", (json_int_t)s->least, "most",
                             (json_int_t)s->most, "sets", sets_json(&part->held, s));
    if (root && p->mean)
        json_object_set_new(root, "adaptive", json_integer(p->mean));
    if (root && p->noise > 0)
        json_object_set_new(root, "noise_target",
                            json_pack("{sf ss so}", "noise", p->noise, "by",
                                      p->by_largest ? "largest" : "mean", "reached",
                                      part->target.noise >= 0 ? json_real(part->target.noise) : json_null()));
    if (root && p->spectral)
        json_object_set_new(root, "spectral", json_true());
    if (root && p->guided)
        json_object_set_new(root, "guided", json_integer(p->guided));
    char *text = root && held && json_object_update(root, held) == 0
                     ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER)
                     : NULL;
    json_decref(root);
    json_decref(held);
    struct lb_text out = {0};
    if (text)
        lb_text_add(&out, "%s\n", text);
    else
        out.failed = true;
    free(text);
    return lb_text_take(&out);
}
