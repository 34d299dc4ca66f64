/* What bends meshes: skins, and morph targets. */
#ifndef LB_CORE_MODEL_IMPORT_BEND_H
#define LB_CORE_MODEL_IMPORT_BEND_H

#include "core/model/import_work.h"

/* Finds what bends which mesh, bends all as the file has them at rest, and warns of what is left out. To be called when
 * the animation is chosen. */
enum lb_status lb_model_find_bends(struct lb_model_work *work);

/* Bends all meshes as their nodes stand now, with the weights that morph targets have at that tick of the animation;
 * NAN: at rest. */
void lb_model_bend(struct lb_model_work *work, double tick);

/* Does anything bend it? */
bool lb_model_is_bent(const struct lb_model_work *work, unsigned mesh);
/* Do bones? Its vertices stand in the world then, whichever node shows it. */
bool lb_model_is_skinned(const struct lb_model_work *work, unsigned mesh);
/* Where a node that stands there shows one of its meshes. */
lb_model_pose lb_model_pose_shown(const struct lb_model_work *work, unsigned mesh, const lb_model_pose *node);

#endif
