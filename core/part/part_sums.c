#include "core/part/part_sums.h"

#include "core/kernel/scene/channel_kinds.h"
#include "core/kernel/math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has(const lb_channels *channels, uint32_t kind)
{
    return (channels->wanted >> kind & 1) != 0;
}

/* ---- are they the same? ---- */

void lb_sums_names(const lb_channels *channels, char names[LB_SUMS_NAMES])
{
    size_t used = 0;
    snprintf(names, LB_SUMS_NAMES, "none");
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS && used < LB_SUMS_NAMES; kind++)
        if (has(channels, kind))
            used += (size_t)snprintf(names + used, LB_SUMS_NAMES - used, "%s%s", used ? " " : "",
                                     lb_channel_kinds[kind].name);
}

static bool any_in_space(const lb_channels *channels)
{
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        if (has(channels, kind) && lb_channel_kinds[kind].space)
            return true;
    return false;
}

static bool any_scaled(const lb_channels *channels)
{
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        if (has(channels, kind) && lb_channel_kinds[kind].scaled)
            return true;
    return false;
}

/* Do sums that belong to names mean the same? */
static bool same_names(const struct lb_part_subject *one, const struct lb_part_subject *other, uint32_t list)
{
    size_t bytes = one->list_bytes[list];
    return (list == LB_LIST_GROUPS || one->channels.matte_ranks == other->channels.matte_ranks) &&
           bytes == other->list_bytes[list] &&
           (bytes == 0 || memcmp(one->list_texts[list], other->list_texts[list], bytes) == 0);
}

enum lb_status lb_part_same_channels(const struct lb_part_subject *subject, const char *name,
                                     const struct lb_part_subject *others, const char *other_name,
                                     struct lb_error *error)
{
    const lb_channels *channels = &subject->channels, *other = &others->channels;
    char own[LB_SUMS_NAMES], theirs[LB_SUMS_NAMES];
    lb_sums_names(channels, own);
    lb_sums_names(other, theirs);
    if (channels->wanted != other->wanted)
        return lb_error_set(error, LB_ERROR,
                            "%.200s has not the channels of %.200s: it has sums of %s, not of %s", name,
                            other_name, own, theirs);
    if (any_in_space(channels) && channels->world != other->world)
        return lb_error_set(
            error, LB_ERROR,
            "%.200s has not the channels of %.200s: its positions and normals are of the %s's "
            "space, not the %s's",
            name, other_name, channels->world ? "world" : "camera", other->world ? "world" : "camera");
    if (has(channels, LB_CHANNEL_BUCKETS) &&
        (channels->buckets != other->buckets || channels->bucket_low != other->bucket_low ||
         channels->bucket_high != other->bucket_high))
        return lb_error_set(
            error, LB_ERROR,
            "%.200s has not the channels of %.200s: it has %u buckets of wavelengths from %g to "
            "%g nm, not %u from %g to %g nm",
            name, other_name, channels->buckets, (double)channels->bucket_low, (double)channels->bucket_high,
            other->buckets, (double)other->bucket_low, (double)other->bucket_high);
    if (any_scaled(channels) && channels->scale != other->scale)
        return lb_error_set(error, LB_ERROR,
                            "%.200s has not the channels of %.200s: its positions are in units of %g, not %g",
                            name, other_name, 1 / (double)channels->scale, 1 / (double)other->scale);
    for (uint32_t i = 0; i < LB_LISTS; i++)
        if (has(channels, lb_list_kind(i)) && !same_names(subject, others, i))
            return lb_error_set(error, LB_ERROR,
                                "%.200s has not the channels of %.200s: its %s have other names%s", name,
                                other_name, lb_channel_kinds[lb_list_kind(i)].name,
                                i == LB_LIST_GROUPS ? "" : ", or not as many levels");
    return LB_OK;
}

/* ---- joining and choosing ---- */

void lb_sums_join(int64_t *sums, const int64_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sums[i] = (int64_t)((uint64_t)sums[i] + (uint64_t)more[i]);
}

enum lb_status lb_part_narrow(struct lb_part *part, uint32_t wanted, const char *name, struct lb_error *error)
{
    lb_channels all = part->subject.channels, *left = &part->subject.channels;
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
        if ((wanted >> kind & 1) != 0 && !has(&all, kind))
            return lb_error_set(error, LB_ERROR,
                                "%.500s has no sums of \"%s\": it was made without that channel", name,
                                lb_channel_kinds[kind].name);
    if (has(&all, LB_CHANNEL_BACKGROUND) && (wanted >> LB_CHANNEL_BACKGROUND & 1) == 0 &&
        (wanted >> LB_CHANNEL_GROUPS & 1) != 0)
        return lb_error_set(error, LB_ERROR,
                            "%.500s has light groups without the background, as it was made with "
                            "--transparent, which must be given here, too",
                            name);
    if (has(&all, LB_CHANNEL_AROUND) && (wanted >> LB_CHANNEL_AROUND & 1) == 0)
        return lb_error_set(error, LB_ERROR,
                            "%.500s: its samples count for the pixels around, too (--around)", name);
    left->wanted = wanted;
    for (uint32_t i = 0; i < LB_LISTS; i++)
        if (!has(left, lb_list_kind(i))) {
            if (i == LB_LIST_GROUPS)
                left->groups = 0;
            else
                left->mattes[i] = (lb_matte){0, 0};
            part->subject.list_texts[i] = NULL;
            part->subject.list_bytes[i] = 0;
        }
    lb_channels_lay_out(left);
    if (left->count == all.count || !part->sums)
        return LB_OK;
    int64_t *sums = left->count ? calloc(part->held.count, left->count * sizeof *sums) : NULL;
    if (left->count && !sums)
        return lb_error_memory(error, name);
    for (uint64_t i = 0; sums && i < part->held.count; i++)
        for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
            if (has(left, kind))
                memcpy(sums + i * left->count + left->first[kind],
                       part->sums + i * all.count + all.first[kind],
                       lb_channel_sums(left, kind) * sizeof *sums);
    free(part->sums);
    part->sums = sums;
    return LB_OK;
}

/* ---- more samples ---- */

/* Positions are scaled to 1 or less, and normals are as long; coordinates on surfaces are what the scene says. */
float lb_sums_reach(const lb_scene *scene)
{
    const lb_vec2 *uvs = LB_ARRAY(scene, uvs, lb_vec2);
    float reach = 2.0f; /* what rounding adds to 1 is less */
    for (uint64_t i = 0; has(&scene->channels, LB_CHANNEL_UV) && i < scene->uvs.count; i++)
        reach = lb_max(reach, lb_max(lb_abs(uvs[i].x), lb_abs(uvs[i].y)));
    return reach;
}

/* As of the pixel's light (part.c), whose samples all have the weight 1: where the reach does not tell how much a
 * sample adds at most, it adds nothing negative, hence no more than all do. Whole numbers are not limited. */
bool lb_sums_bounded(const struct lb_part *part, uint64_t pixel, double bound, float reach)
{
    const lb_channels *channels = &part->subject.channels;
    const int64_t *sums = part->sums ? part->sums + pixel * channels->count : NULL;
    bool within = 0x1p30 * (double)reach <= bound;
    for (uint32_t kind = 0; sums && kind < LB_CHANNEL_KINDS; kind++) {
        const lb_channel_about *about = &lb_channel_kinds[kind];
        if (!has(channels, kind) || about->bits[0] == 0)
            continue;
        if (about->unit && !within)
            return false;
        for (uint32_t i = 0; i < lb_channel_sums(channels, kind) && !about->unit; i++)
            if (sums[channels->first[kind] + i] < 0 || (double)sums[channels->first[kind] + i] > 0.5 * bound)
                return false;
    }
    return true;
}
