/* What a picture holds beside its light. Part of core/kernel/scene/scene.h. */
#ifndef LB_CORE_KERNEL_SCENE_CHANNELS_H
#define LB_CORE_KERNEL_SCENE_CHANNELS_H

#include "core/kernel/scene/array.h"

/* What a picture may hold beside its light. Each kind is a bit of lb_channels.wanted and has a number of sums, given
 * here. */
enum lb_channel_kind {
    LB_CHANNEL_WEIGHT,     /* 1 sum: the filter weights of all samples */
    LB_CHANNEL_COVER,      /* 1: those of the samples that hit a surface, as in all kinds below */
    LB_CHANNEL_BACKGROUND, /* 3: the light of the samples that hit none */
    LB_CHANNEL_ALBEDO,     /* 3: the part of white light that is scattered */
    LB_CHANNEL_P,          /* 3: position */
    LB_CHANNEL_Z,  /* 1: distance ahead of the camera; for a camera for all directions, distance from it */
    LB_CHANNEL_N,  /* 3: geometric normal, towards the viewer */
    LB_CHANNEL_NS, /* 3: shading normal, towards the viewer, with bump and normal maps */
    LB_CHANNEL_UV, /* 2: surface coordinates */
    LB_CHANNEL_DZ, /* 2: how much z changes over a footprint, to the right and down, without its sign */
    LB_CHANNEL_MOTION,    /* 2: how far it moves on the film in the time range, in units of LB_MOTION_UNIT */
    LB_CHANNEL_OBJECT,    /* 1: 1 + index of the shape that sample 0 hits */
    LB_CHANNEL_MATERIAL,  /* 1: 1 + index of that shape's material */
    LB_CHANNEL_OBJECTS,   /* lb_matte.sums: how many samples hit shapes of which name */
    LB_CHANNEL_MATERIALS, /* the same of materials' names */
    LB_CHANNEL_SAMPLES,   /* 1: how many samples are in the picture, bad ones left out */
    LB_CHANNEL_SQUARES,   /* 6: squares of what samples add to R, G and B, each in a high and a low part */
    LB_CHANNEL_SCATTERED, /* 1: how often the samples' paths were scattered; iterations of the Mandelbrot set */
    LB_CHANNEL_BUCKETS, /* lb_channels.buckets of light by wavelength, then as many of the weights of these */
    LB_CHANNEL_GROUPS,  /* 3 for each group of lights, number 0 first: parts that R, G and B are made of, less
                           LB_CHANNEL_BACKGROUND where that is there */
    LB_CHANNEL_AROUND,  /* 32: what its samples are to the pixels around (core/kernel/film/around.h) */
    LB_CHANNEL_KINDS
};

/* How the sums of LB_CHANNEL_OBJECTS or LB_CHANNEL_MATERIALS tell what part of a pixel belongs to which of `names`
 * names, which count from 0. Where there are no more sums than names, each sum is that of a name: the filter weights of
 * its samples, each 1 or -1. Else sum j, from 0 on, adds up weight * (1 + name)^j modulo the prime LB_MATTE_PRIME.
 * From 2 k such sums the names of up to k in a pixel follow, and how many samples each of them has, exactly
 * (core/picture/matte.h). */
typedef struct lb_matte {
    uint32_t names, sums;
} lb_matte;

#define LB_MATTES      2
#define LB_MATTE_PRIME 0x7fffffffu
#define LB_MATTE_NAMES 0x1000000u /* the most names that there may be, */
#define LB_MATTE_RANKS 32u        /* and the most that files tell of a pixel */

/* The sums that pixels have, `count` of int64_t for each, in the order of their kinds. Like the film's sums they are
 * integers, so that they are the same in whatever order samples are added. All that a picture is beyond the film's own
 * sums is this struct and an array of them: whoever keeps or joins pictures needs to know no more. */
typedef struct lb_channels {
    uint32_t wanted; /* the sum of 1 << kind for all kinds that are wanted */
    uint32_t count;
    uint32_t first[LB_CHANNEL_KINDS]; /* for each kind its first sum; LB_NONE: it is not wanted */
    uint32_t world;                   /* 1: positions and normals are in world space, 0: in camera space */
    lb_transform camera_from_world;
    /* Of LB_CHANNEL_OBJECTS and LB_CHANNEL_MATERIALS; zeroed where those are not wanted. */
    lb_matte mattes[LB_MATTES];
    uint32_t matte_ranks; /* how many names a pixel's files tell at most */
    /* Positions are multiplied by this power of two before they are summed, so that all of the scene's fit. */
    float scale;
    /* Ranges of wavelengths that are equally wide, from bucket_low to bucket_high in nm, and the unit in which their
     * light is summed; the most that it may be, in what the light itself is in. */
    uint32_t buckets;
    float bucket_low, bucket_high, bucket_unit, bucket_most;
    /* Of LB_CHANNEL_GROUPS: how many groups have a name, counted from 1. Number 0 is that of all other light. */
    uint32_t groups;
} lb_channels;

/* In how many pixels motion is summed: more than a film's sides have. */
#define LB_MOTION_UNIT 65536.0f

#define LB_BUCKETS_MOST 512

/* The lists of names that a picture may have, each for a kind of channels: of objects, of materials, of groups of
 * lights. The first two are those of mattes. */
enum lb_list { LB_LIST_OBJECTS, LB_LIST_MATERIALS, LB_LIST_GROUPS, LB_LISTS };

/* The most groups of lights that have names, and the name of all other light. */
#define LB_GROUPS_MOST   64u
#define LB_GROUP_DEFAULT "default"

#endif
