#include "cli/outputs/parts.h"

#include "cli/options/rules.h"
#include "cli/outputs/names.h"
#include "cli/outputs/picture.h"
#include "cli/outputs/rescue.h"
#include "core/base/printable.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/part/part_file.h"
#include "core/part/share.h"
#include "core/processors/given_weights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is asked for ---- */

static void name_scene(struct lb_part_subject *subject, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = strcmp(path, "-") ? lb_utf8_text(slash ? slash + 1 : path) : NULL;
    if (name && strlen(name) < sizeof subject->scene)
        memcpy(subject->scene, name, strlen(name) + 1);
    free(name);
}

static enum lb_status choose_samples(struct cli_parts *parts, const struct cli_part_options *o,
                                     struct lb_error *error)
{
    uint32_t samples = parts->subject.samples;
    if (o->sample_end > samples)
        return lb_error_set(error, LB_ERROR_USAGE,
                            "--samples=%u:%u: a pixel gets %u samples in all; --spp says how many",
                            o->sample_begin, o->sample_end, samples);
    parts->wish.sample_begin = o->sample_begin;
    parts->wish.sample_end = o->sample_end ? o->sample_end : samples;
    return LB_OK;
}

static enum lb_status choose_share(struct cli_parts *parts, const struct cli_part_options *o,
                                   struct lb_error *error)
{
    double *weights = NULL;
    uint32_t count = o->shares;
    enum lb_status status = LB_OK;
    if (o->shares == 0)
        return LB_OK;
    if (o->share_weights)
        status = lb_weights_parse("--share", o->share_weights, &weights, &count, error);
    if (status == LB_OK && count != o->shares)
        status = lb_error_set(error, LB_ERROR_USAGE, "--share: %u weights for %u shares", count, o->shares);
    if (status == LB_OK)
        status = lb_share_pixels(parts->subject.width, parts->subject.height, o->share, o->shares, weights,
                                 &parts->share, error);
    parts->wish.share = parts->share;
    free(weights);
    return status;
}

static void count_due(struct cli_parts *parts)
{
    const struct lb_wish *wish = &parts->wish;
    const struct lb_held *held = &parts->begun.held;
    uint32_t mean = parts->subject.mean, wanted = wish->sample_end - wish->sample_begin;
    const struct lb_part_target *target = &parts->begun.target;
    parts->due = 0;
    if (target->squares) { /* what is left at most */
        parts->due = target->begin < target->end ? held->count * mean - lb_held_samples(held) : 0;
        return;
    }
    for (uint64_t i = 0; i < (uint64_t)parts->subject.width * parts->subject.height; i++) {
        if (mean)
            wanted = wish->begun ? lb_held_goal(held, lb_held_set(held, i), mean) : mean;
        if (!wish->share || (wish->share[i / 64] >> i % 64 & 1) != 0)
            parts->due += wanted - (wish->begun ? lb_held_size(held, lb_held_set(held, i), wish->sample_begin,
                                                               wish->sample_end)
                                                : 0);
    }
}

/* ---- what there is ---- */

/* What is asked for must have been summed from the first sample on; more than that is of no use here. */
static enum lb_status take_channels(struct cli_parts *parts, const char *file, const struct lb_log *log,
                                    struct lb_error *error)
{
    struct lb_part *begun = &parts->begun;
    uint32_t wanted = parts->subject.channels.wanted, had = begun->subject.channels.wanted;
    enum lb_status status = lb_part_narrow(begun, wanted, file, error);
    if (status == LB_OK)
        status = lb_part_same_channels(&begun->subject, file, &parts->subject, "this picture", error);
    if (status == LB_OK && had != wanted)
        lb_log_write(log, LB_NOTE, "%s: its channels that are not asked for are left out", file);
    return status;
}

/* Where nobody says whether samples count for the pixels around, that is as in the part. */
static void follow_around(struct cli_parts *parts, lb_scene *scene)
{
    const uint32_t around = 1u << LB_CHANNEL_AROUND;
    lb_channels *channels = &scene->channels;
    channels->wanted = (channels->wanted & ~around) | (parts->begun.subject.channels.wanted & around);
    lb_channels_lay_out(channels);
    parts->subject.channels = *channels;
}

static enum lb_status resume(struct cli_parts *parts, lb_scene *scene, bool around_given, const char *file,
                             const struct lb_log *log, struct lb_error *error)
{
    struct lb_part *begun = &parts->begun;
    uint32_t samples = parts->subject.samples;
    uint64_t dropped = 0;
    enum lb_status status = lb_part_read(file, begun, error);
    if (status != LB_OK)
        return status;
    if (!around_given)
        follow_around(parts, scene);
    struct lb_part_subject subject = begun->subject;
    subject.samples = samples;                  /* there may be more than it was for, */
    subject.channels = parts->subject.channels; /* and of those */
    status = lb_part_same(&subject, file, &parts->subject, "this scene", error);
    if (status == LB_OK && begun->subject.samples > samples)
        status = lb_error_set(error, LB_ERROR, "%.500s is for %u samples a pixel, more than the %u asked for",
                              file, begun->subject.samples, samples);
    if (status == LB_OK && parts->subject.mean && !begun->target.squares &&
        !lb_held_goal(&begun->held, lb_held_set(&begun->held, 0), 0)) {
        lb_log_write(log, LB_NOTE, "%s ends before the samples were shared out: the frame is begun anew",
                     file);
        lb_part_free(begun);
        return LB_OK;
    }
    if (status == LB_OK)
        status = take_channels(parts, file, log, error);
    if (status == LB_OK)
        status = lb_part_extend(begun, &parts->subject, file, &dropped, error);
    if (status == LB_OK && dropped > 0)
        lb_log_write(log, LB_NOTE,
                     "%s: %llu pixels may be limited otherwise with %u samples: they are rendered anew", file,
                     (unsigned long long)dropped, samples);
    parts->wish.begun = begun;
    return status;
}

enum lb_status cli_parts_open(struct cli_parts *parts, const struct cli_options *options,
                              const struct lb_loaded *scene, uint32_t number, const struct lb_log *log,
                              struct lb_error *error)
{
    const struct cli_part_options *o = &options->parts;
    const lb_film *film = &scene->scene->film;
    *parts = (struct cli_parts){.due = (uint64_t)film->width * film->height *
                                       cli_options_samples(options, scene->scene)};
    if (!o->part && !o->checkpoint && !o->resume)
        return LB_OK;
    enum lb_status status = lb_part_subject_of(scene->scene, &parts->subject, error);
    parts->subject.mean = options->growth.adaptive ? cli_options_samples(options, scene->scene) : 0;
    parts->subject.noise = options->growth.adaptive ? options->growth.noise : 0;
    parts->subject.by_largest = options->growth.by_largest;
    name_scene(&parts->subject, options->scene);
    parts->subject.animation = options->frames.given;
    parts->subject.floats = scene->film_floats;
    parts->subject.transparent = options->form.transparent;
    if (parts->subject.channels.count)
        lb_outputs_text(cli_picture_outputs(options, scene), parts->subject.outputs,
                        sizeof parts->subject.outputs);
    parts->wish.keep_held = true;
    char *file = o->resume ? cli_name_frame(o->resume, number, options->frames.given) : NULL;
    parts->part = o->part ? cli_name_frame(o->part, number, options->frames.given) : NULL;
    parts->checkpoint = o->checkpoint ? cli_name_frame(o->checkpoint, number, options->frames.given) : NULL;
    parts->checkpoint_seconds = o->checkpoint_seconds;
    if (status == LB_OK &&
        ((o->resume && !file) || (o->part && !parts->part) || (o->checkpoint && !parts->checkpoint)))
        status = lb_error_memory(error, NULL);
    if (status == LB_OK)
        status = choose_samples(parts, o, error);
    if (status == LB_OK)
        status = choose_share(parts, o, error);
    if (status == LB_OK && file && parts->checkpoint && !strcmp(file, parts->checkpoint) &&
        access(file, F_OK) != 0)
        lb_log_write(log, LB_NOTE, "%s is not there yet: the frame is begun", file);
    else if (status == LB_OK && file)
        status = resume(parts, scene->scene, options->around_given, file, log, error);
    free(file);
    if (status == LB_OK)
        count_due(parts);
    if (status == LB_OK && parts->due == 0)
        lb_log_write(log, LB_NOTE, "nothing is left to render");
    return status;
}

void cli_parts_free(struct cli_parts *parts)
{
    lb_part_free(&parts->begun);
    free(parts->share);
    free(parts->part);
    free(parts->checkpoint);
    *parts = (struct cli_parts){.due = 0};
}

/* ---- what is kept ---- */

static enum lb_status write_part(const char *file, const void *what, struct lb_error *error)
{
    return lb_part_write(file, what, NULL, error);
}

enum lb_status cli_parts_write(struct cli_console *console, const struct cli_parts *parts,
                               const struct lb_frame *frame, char *said, size_t size, struct lb_error *error)
{
    /* Only lent: neither is changed. */
    const struct lb_part part = {.subject = parts->subject,
                                 .target = frame->target,
                                 .held = frame->held,
                                 .pixels = frame->pixels,
                                 .sums = frame->sums};
    const struct lb_held *held = &frame->held;
    const char *files[] = {parts->part, parts->checkpoint};
    char *elsewhere[sizeof files / sizeof *files] = {NULL};
    enum lb_status status = LB_OK;
    *said = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == LB_OK; i++)
        if (files[i])
            status = cli_rescue_write(console, files[i], write_part, &part, &elsewhere[i], error);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        files[i] = elsewhere[i] ? elsewhere[i] : files[i];
    if (status == LB_OK && (files[0] || files[1]))
        snprintf(said, size, "wrote %.300s%s%.300s with %llu of %llu samples%s", files[0] ? files[0] : "",
                 files[0] && files[1] ? " and " : "", files[1] ? files[1] : "",
                 (unsigned long long)lb_held_samples(held),
                 (unsigned long long)(held->count *
                                      (parts->subject.mean ? parts->subject.mean : parts->subject.samples)),
                 parts->subject.noise > 0 ? " at most" : "");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        free(elsewhere[i]);
    return status;
}
