/* How far from the origin shapes may be. */
#include "core/scene/builder/messages.h"
#include "core/scene/shapes/shapes.h"

#include "core/kernel/shapes/box.h"

enum lb_status lb_build_check_reach(const struct lb_builder *builder, const struct lb_location *location,
                                    const char *what, const lb_box *box)
{
    if (lb_box_is_regular(box))
        return LB_OK;
    return lb_build_error(builder, location,
                          "the %s is too far from the origin: at most %.3g can be calculated with", what,
                          (double)LB_COORDINATE_MAX);
}

enum lb_status lb_build_reach(struct lb_builder *builder, const struct lb_location *location,
                              const lb_box *box)
{
    lb_box_add_box(&builder->reach, box);
    return lb_build_check_reach(builder, location, "shape", box);
}
