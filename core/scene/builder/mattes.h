/* The names of objects and materials, which mattes tell apart by numbers. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_MATTES_H
#define LB_CORE_SCENE_BUILDER_MATTES_H

#include "core/scene/builder/builder.h"

/* Names that have numbers, from 0 on. */
struct lb_name_list {
    struct lb_names *names;  /* the numbers by name, */
    struct lb_vector *texts; /* and the names one after the other, each with a 0 at its end */
    uint32_t *count, most;
    const char *what; /* of what there may be no more than `most`, as messages call it */
};
/* The number of a name, as UTF-8. One that was not there before gets the next. */
enum lb_status lb_build_number_name(struct lb_builder *builder, const struct lb_name_list *list,
                                    const char *name, uint32_t *number);

/* Is the picture to have this kind of sums, LB_CHANNEL_OBJECTS or LB_CHANNEL_MATERIALS? */
bool lb_build_has_matte(const struct lb_builder *builder, enum lb_channel_kind kind);
/* Notes the name of the next element of the array of shapes or of materials. Nothing happens where the picture does not
 * have that kind of sums. */
enum lb_status lb_build_matte_name(struct lb_builder *builder, enum lb_channel_kind kind, const char *name);
/* How the sums tell names apart, once all are noted. */
void lb_build_mattes(struct lb_builder *builder);

#endif
