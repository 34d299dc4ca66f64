#include "core/scene/builder/mattes.h"

#include "core/base/printable.h"
#include "core/kernel/scene/channel_kinds.h"
#include "core/scene/builder/messages.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 6 }; /* where nothing else is asked for */

bool lb_build_has_matte(const struct lb_builder *builder, enum lb_channel_kind kind)
{
    return (builder->options->channels.wanted >> kind & 1) != 0;
}

enum lb_status lb_build_number_name(struct lb_builder *builder, const struct lb_name_list *list,
                                    const char *name, uint32_t *number)
{
    char *shown = lb_utf8_text(name);
    char *kept = shown ? lb_arena_text(builder->arena, shown, strlen(shown)) : NULL;
    free(shown);
    if (!kept)
        return lb_build_no_memory(builder);
    *number = lb_names_find(list->names, kept);
    if (*number != LB_NONE)
        return LB_OK;
    *number = *list->count;
    if (*number == list->most)
        return lb_error_set(builder->error, LB_ERROR, "%s: there are more than %u %s",
                            builder->description->main_file, list->most, list->what);
    char *text = lb_vector_add(list->texts, strlen(kept) + 1);
    if (!text || !lb_names_set(list->names, builder->arena, kept, *number))
        return lb_build_no_memory(builder);
    memcpy(text, kept, strlen(kept) + 1);
    ++*list->count;
    return LB_OK;
}

enum lb_status lb_build_matte_name(struct lb_builder *builder, enum lb_channel_kind kind, const char *name)
{
    uint32_t matte = kind - LB_CHANNEL_OBJECTS, number = 0;
    if (!lb_build_has_matte(builder, kind))
        return LB_OK;
    const struct lb_name_list list = {.names = &builder->matte_names[matte],
                                      .texts = matte ? &builder->arrays.material_texts
                                                     : &builder->arrays.object_texts,
                                      .count = &builder->head.channels.mattes[matte].names,
                                      .most = LB_MATTE_NAMES,
                                      .what = "names to be told apart"};
    enum lb_status status = lb_build_number_name(builder, &list, name, &number);
    if (status != LB_OK)
        return status;
    uint32_t *noted =
        lb_vector_add(matte ? &builder->arrays.material_names : &builder->arrays.shape_names, 1);
    if (!noted)
        return lb_build_no_memory(builder);
    *noted = number;
    return LB_OK;
}

void lb_build_mattes(struct lb_builder *builder)
{
    lb_channels *channels = &builder->head.channels;
    if (!lb_build_has_matte(builder, LB_CHANNEL_OBJECTS) &&
        !lb_build_has_matte(builder, LB_CHANNEL_MATERIALS))
        return;
    channels->matte_ranks =
        builder->options->channels.matte_ranks ? builder->options->channels.matte_ranks : RANKS;
    for (uint32_t i = 0; i < LB_MATTES; i++)
        channels->mattes[i].sums = lb_matte_sums(channels->mattes[i].names, channels->matte_ranks);
}
