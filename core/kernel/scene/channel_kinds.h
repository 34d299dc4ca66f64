/* What there is to know of each kind of channel: its name, and what its sums mean. Nothing that renders asks for it. */
#ifndef LB_CORE_KERNEL_SCENE_CHANNEL_KINDS_H
#define LB_CORE_KERNEL_SCENE_CHANNEL_KINDS_H

#include "core/kernel/scene/scene.h"

/* One kind of channel. */
typedef struct lb_channel_about {
    const char *name; /* its name in files */
    uint32_t sums;    /* how many sums a pixel has of it; 0: lb_channel_sums tells */
    int32_t bits[2];  /* the unit of sums of even and of odd number is 2^-bits */
    bool scaled;      /* is what they add up multiplied by lb_channels.scale before? */
    bool space;       /* does it depend on lb_channels.world? */
    bool unit;        /* is what a sample adds 1, at most 1 from 0, or a surface's coordinate? */
} lb_channel_about;

/* In the order of enum lb_channel_kind. */
static const lb_channel_about lb_channel_kinds[LB_CHANNEL_KINDS] = {
    {"all", 1, {30, 30}, false, false, true},
    {"cover", 1, {30, 30}, false, false, true},
    {"background", 3, {30, 30}, false, false, false},
    {"albedo", 3, {30, 30}, false, false, false},
    {"P", 3, {30, 30}, true, true, true},
    {"Z", 1, {30, 30}, true, false, true},
    {"N", 3, {30, 30}, false, true, true},
    {"Ns", 3, {30, 30}, false, true, true},
    {"uv", 2, {30, 30}, false, false, true},
    {"dz", 2, {30, 30}, true, true, false},
    {"motion", 2, {14, 14}, false, false, true},
    {"object", 1, {0, 0}, false, false, false},
    {"material", 1, {0, 0}, false, false, false},
    {"objects", 0, {0, 0}, false, false, false},
    {"materials", 0, {0, 0}, false, false, false},
    {"samples", 1, {0, 0}, false, false, false},
    {"squares", 6, {10, 46}, false, false, false},
    {"scattered", 1, {0, 0}, false, false, false},
    {"buckets", 0, {30, 30}, false, false, false},
    {"lightgroups", 0, {30, 30}, false, false, false},
    {"around", 32, {30, 30}, false, false, false},
};

/* How many sums a pixel has of a kind. */
static inline uint32_t lb_channel_sums(const lb_channels *channels, uint32_t kind)
{
    if (kind == LB_CHANNEL_OBJECTS || kind == LB_CHANNEL_MATERIALS)
        return channels->mattes[kind - LB_CHANNEL_OBJECTS].sums;
    if (kind == LB_CHANNEL_GROUPS)
        return 3 * (1 + channels->groups);
    return kind == LB_CHANNEL_BUCKETS ? 2 * channels->buckets : lb_channel_kinds[kind].sums;
}

/* The kind that a list of names belongs to. */
static inline uint32_t lb_list_kind(uint32_t list)
{
    return list == LB_LIST_GROUPS ? LB_CHANNEL_GROUPS : LB_CHANNEL_OBJECTS + list;
}

/* How many sums a matte needs so that pixels with up to two names more than `ranks` are told exactly. */
static inline uint32_t lb_matte_sums(uint32_t names, uint32_t ranks)
{
    uint32_t powers = 2 * (ranks + 2);
    return names < powers ? names : powers;
}

/* Lays out the sums of the kinds that are wanted, one after the other. */
static inline void lb_channels_lay_out(lb_channels *channels)
{
    channels->count = 0;
    for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++) {
        bool wanted = (channels->wanted >> kind & 1) != 0;
        channels->first[kind] = wanted ? channels->count : LB_NONE;
        channels->count += wanted ? lb_channel_sums(channels, kind) : 0;
    }
}

#endif
