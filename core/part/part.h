/* A part: the state of a picture, or of some of it, as it is kept in a file (lbrender-part(5)). Which samples of
 * which pixels there are, their sums, and what the picture is. Sums are integers: parts are joined in any order, to
 * the same bytes. */
#ifndef LB_CORE_PART_PART_H
#define LB_CORE_PART_PART_H

#include "core/kernel/film/film.h"
#include "core/kernel/scene/scene.h"
#include "core/part/held.h"

/* Room for the names of all channels. */
#define LB_PART_OUTPUTS 256

/* What a part is of. Parts of which all of this is the same are of one picture. */
struct lb_part_subject {
    char identity
        [33]; /* 128 bits as hexadecimal digits: of all that decides pixels but the number of samples */
    char version[16];                 /* of the program: another's samples may differ */
    uint32_t width, height;           /* of the picture */
    uint32_t x0, y0;                  /* its first pixel in the whole film, */
    uint32_t full_width, full_height; /* which is this large */
    uint32_t samples;                 /* that a pixel is to get in all, or at most */
    /* Samples that pixels are to get on average, where they get unlike numbers; 0: they do not. */
    uint32_t mean;
    /* The noise of pixels at which it ends, if that is not 0: in the noisiest one, or in the mean. */
    double noise;
    bool by_largest;
    uint32_t seed, frame;
    uint32_t guided; /* from how many paths a guide has learned by which its paths go; 0: there is none */
    uint32_t detail; /* samples that the detail of textures is chosen for: 1 .. 64, 64 for more (pbrt) */
    bool plain;      /* no sample adds anything negative to a sum */
    bool spectral;   /* light has wavelengths, not red, green and blue */
    /* What files of the picture say or are by default, and no pixel depends on. */
    char scene[256];               /* the scene file's name without folders, in UTF-8; "": it has none */
    bool animation;                /* `frame` is one of several */
    bool floats;                   /* the film asks for 32 bits a value */
    uint32_t color_space;          /* of the film: core/base/color_space.h */
    bool transparent;              /* it was asked for without what lies behind all surfaces, */
    char outputs[LB_PART_OUTPUTS]; /* and with these channels, as --channels names them; "": none */
    /* What is summed beside light; of its members, camera_from_world is not used. */
    lb_channels channels;
    /* The names in its lists, each with a 0 at its end, `list_bytes` in all; lent by the scene or by the part that
     * was read. NULL: there are none. */
    const char *list_texts[LB_LISTS];
    size_t list_bytes[LB_LISTS];
    /* No sample's coordinate of a surface, nor a 1, is further from 0. Not known of a part that was read: 0. */
    float reach;
};

/* How far a picture is that ends by its noise (core/run/adaptive_target.h). The sets of its pixels say how many samples
 * each is to get next. */
struct lb_part_target {
    uint32_t begin,
        end; /* the samples of the pass that was begun or is next; equal: the picture is complete */
    uint32_t sweeps;
    double noise;    /* as of the last pass that was complete; negative: not known */
    double *squares; /* by pixel, what its samples have told of their variance; NULL: it is no such picture */
};

struct lb_part {
    struct lb_part_subject subject;
    struct lb_part_target target;
    struct lb_held held;
    lb_film_pixel *pixels; /* width x height, row by row from the upper left; NULL: there are no samples */
    int64_t *sums; /* subject.channels.count a pixel; NULL where that is 0, or where there are no samples */
    char *own_texts[LB_LISTS]; /* what subject.list_texts lends of a part that was read */
};

/* A loaded scene as the subject of parts. The tree does not belong to it: it is not what decides pixels. */
enum lb_status lb_part_subject_of(const lb_scene *scene, struct lb_part_subject *subject,
                                  struct lb_error *error);
/* LB_OK: both are of one picture. `name` and `other` begin and stand in the message that says where they differ. */
enum lb_status lb_part_same(const struct lb_part_subject *subject, const char *name,
                            const struct lb_part_subject *other, const char *other_name,
                            struct lb_error *error);

/* The same of the channels alone, which lb_part_same() compares too. */
enum lb_status lb_part_same_channels(const struct lb_part_subject *subject, const char *name,
                                     const struct lb_part_subject *other, const char *other_name,
                                     struct lb_error *error);
/* Forgets all sums of channels but those of the kinds `wanted` (bits of 1 << enum lb_channel_kind). An error where some
 * of these are not there. */
enum lb_status lb_part_narrow(struct lb_part *part, uint32_t wanted, const char *name,
                              struct lb_error *error);

/* A part without samples. */
enum lb_status lb_part_open(const struct lb_part_subject *subject, struct lb_part *part,
                            struct lb_error *error);
/* Freeing twice, or freeing a zeroed struct, does nothing. */
void lb_part_free(struct lb_part *part);
/* Adds all of `more` to `part`, of the same picture. An error when both hold a sample, or out of memory: then `part`
 * is of no more use. Messages begin with `name`, of `more`. */
enum lb_status lb_part_add(struct lb_part *part, const struct lb_part *more, const char *name,
                           struct lb_error *error);
/* Makes a part of a picture of fewer samples one of `whole`, which is the same but for its larger number: pixels in
 * which some sample may have been brighter than lb_film_bound() lets it be there give theirs up, `*dropped` of them,
 * to be rendered again. An error where the samples would not be those of the larger picture. Both have the same
 * channels. */
enum lb_status lb_part_extend(struct lb_part *part, const struct lb_part_subject *whole, const char *name,
                              uint64_t *dropped, struct lb_error *error);

#endif
