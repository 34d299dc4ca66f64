/* Where a kernel that is compiled for light groups (LB_GROUPS) differs from one that is not: a path also knows of what
 * each group's lights have brought. Kernels without it have not an instruction more.
 *
 * Group 0 is that of all light that belongs to no named group, such as that of media. */
#ifndef LB_CORE_KERNEL_SCENE_LIGHT_GROUPS_H
#define LB_CORE_KERNEL_SCENE_LIGHT_GROUPS_H

#include "core/kernel/color.h"
#include "core/kernel/scene/scene.h"

#ifdef LB_GROUPS

/* What the members of lb_path of the same names hold, by group. Only the scene's groups, lb_channels.groups of them and
 * number 0, are set. */
typedef struct lb_path_groups {
    lb_color radiance[LB_GROUPS_MOST + 1], before[LB_GROUPS_MOST + 1];
} lb_path_groups;

/* Another member of a struct, or parameter of a function, which other kernels have no use for. */
#define LB_GROUP_MEMBER(declaration) declaration;
#define LB_AND_GROUP(x)              , x

/* The group of a light. A scene that tells no groups apart has no array of them. */
LB_INLINE uint32_t lb_light_group(const lb_scene *scene, uint32_t light)
{
    return scene->channels.groups != 0 ? LB_ARRAY(scene, light_groups, uint32_t)[light] : 0;
}

LB_INLINE void lb_groups_start(const lb_scene *scene, lb_path_groups *groups)
{
    for (uint32_t i = 0; i <= scene->channels.groups; i++)
        groups->radiance[i] = groups->before[i] = lb_color_grey(0.0f);
}

/* Does to each group what becomes of a path that gets a wavelength (lb_path.before). */
LB_INLINE void lb_groups_set_aside(const lb_scene *scene, lb_path_groups *groups)
{
    for (uint32_t i = 0; i <= scene->channels.groups; i++) {
        groups->before[i] = groups->radiance[i];
        groups->radiance[i] = lb_color_grey(0.0f);
    }
}

/* Adds light that the path's radiance gets, too. */
#define LB_GROUP_ADD(path, group, light)                                                                     \
    ((path)->groups.radiance[group] = lb_color_add((path)->groups.radiance[group], light))
#define LB_GROUPS_START(scene, path)        lb_groups_start(scene, &(path)->groups)
#define LB_GROUPS_SET_ASIDE(scene, path)    lb_groups_set_aside(scene, &(path)->groups)
#define LB_GROUP_NOTE(shadow, scene, light) ((shadow)->group = lb_light_group(scene, light))

#else

#define LB_GROUP_MEMBER(declaration)
#define LB_AND_GROUP(x)
#define LB_GROUP_ADD(path, group, light)    ((void)0)
#define LB_GROUPS_START(scene, path)        ((void)0)
#define LB_GROUPS_SET_ASIDE(scene, path)    ((void)0)
#define LB_GROUP_NOTE(shadow, scene, light) ((void)0)

#endif

#endif
