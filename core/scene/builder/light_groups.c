#include "core/scene/builder/light_groups.h"

#include "core/scene/builder/mattes.h"
#include "core/scene/builder/messages.h"
#include "core/scene/builder/parameters.h"

#include <string.h>

static bool has_groups(const struct lb_builder *builder)
{
    return (builder->options->channels.wanted >> LB_CHANNEL_GROUPS & 1) != 0;
}

/* Groups are layers of an EXR beside others, whose names they must not have (core/picture/channels.c): those of the
 * layers that have R, G and B, and all of Cryptomatte's. */
static bool is_taken(const char *name)
{
    static const char *const layers[] = {"Albedo", "P", "N", "Ns", "S0", "Variance", "RelativeVariance"};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strcmp(name, layers[i]) == 0)
            return true;
    return strncmp(name, "Crypto", strlen("Crypto")) == 0;
}

static enum lb_status check_name(const struct lb_builder *builder, const struct lb_parameters *parameters,
                                 const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    size_t length = strlen(name);
    if (strspn(name, letters) != length || length > LB_GROUP_NAME)
        return lb_build_error(
            builder, lb_build_place(parameters, "lightgroup"),
            "a light group's name has up to %d letters of A to Z and a to z, digits, _ and -", LB_GROUP_NAME);
    if (is_taken(name))
        return lb_build_error(builder, lb_build_place(parameters, "lightgroup"),
                              "a light group cannot be called \"%s\", as other channels are", name);
    return LB_OK;
}

enum lb_status lb_build_light_group(struct lb_builder *builder, const struct lb_parameters *parameters,
                                    uint32_t *group)
{
    const char *name;
    uint32_t number;
    const struct lb_name_list list = {.names = &builder->group_names,
                                      .texts = &builder->arrays.group_texts,
                                      .count = &builder->head.channels.groups,
                                      .most = LB_GROUPS_MOST,
                                      .what = "light groups"};
    *group = 0;
    enum lb_status status = lb_parameters_string(parameters, "lightgroup", "", &name, builder->error);
    if (status != LB_OK || *name == 0 || strcmp(name, LB_GROUP_DEFAULT) == 0 ||
        (status = check_name(builder, parameters, name)) != LB_OK || !has_groups(builder))
        return status;
    status = lb_build_number_name(builder, &list, name, &number);
    if (status == LB_OK)
        *group = 1 + number;
    return status;
}

enum lb_status lb_build_note_group(struct lb_builder *builder, uint32_t group, size_t count)
{
    if (!has_groups(builder))
        return LB_OK;
    uint32_t *noted = lb_vector_add(&builder->arrays.light_groups, count);
    if (!noted)
        return lb_build_no_memory(builder);
    for (size_t i = 0; i < count; i++)
        noted[i] = group;
    return LB_OK;
}
