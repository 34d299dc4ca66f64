/* --devices: words with commas between, each "[N*]KIND[:number][:name=value...]". Names and values may have commas
 * between them too: a word that only is "name=value" belongs to the kind before it. */
#include "core/processors/words.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts `text` at the first of the `separators`; the part before it is returned, the part behind it stays. */
static struct lb_slice cut(struct lb_slice *text, const char *separators)
{
    size_t length = 0;
    while (length < text->length && !strchr(separators, text->at[length]))
        length++;
    struct lb_slice head = {text->at, length};
    size_t used = length < text->length ? length + 1 : length;
    text->at += used;
    text->length -= used;
    return head;
}

static bool has(struct lb_slice slice, char character)
{
    return memchr(slice.at, character, slice.length) != NULL;
}

static enum lb_status bad_word(struct lb_slice word, const char *why, struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_USAGE, "--devices: \"%.*s\": %s", (int)word.length, word.at, why);
}

static enum lb_status bad_form(struct lb_slice word, const struct lb_processor_type *type,
                               struct lb_error *error)
{
    char why[128];
    snprintf(why, sizeof why, "expected %s", type->form);
    return bad_word(word, why, error);
}

static enum lb_status unknown_kind(struct lb_slice word, struct lb_error *error)
{
    struct lb_text forms = {0};
    for (size_t i = 0; i < lb_processor_type_count; i++)
        lb_text_add(&forms, "%s%s", i ? "; " : "expected ", lb_processor_types[i]->form);
    char *why = lb_text_take(&forms);
    enum lb_status status = why ? bad_word(word, why, error) : lb_error_memory(error, NULL);
    free(why);
    return status;
}

/* "number" behind the kind. */
static enum lb_status read_number(struct lb_slice word, struct lb_slice part, struct lb_device_group *group,
                                  struct lb_error *error)
{
    const struct lb_processor_type *type = group->device.type;
    char why[80];
    bool counts = type->number == LB_NUMBER_COUNT;
    int64_t low = counts ? 1 : 0, high = counts ? LB_MAX_PROCESSORS : 65535;
    if (type->number == LB_NUMBER_NONE || group->number >= 0)
        return bad_form(word, type, error);
    if (lb_number_whole(part.at, part.length, low, high, &group->number))
        return LB_OK;
    if (!counts)
        return bad_form(word, type, error);
    snprintf(why, sizeof why, "%s:N needs a number from 1 to %d", type->name, LB_MAX_PROCESSORS);
    return bad_word(word, why, error);
}

/* Is `name` set among the `before` characters before it? */
static bool is_set(struct lb_slice before, struct lb_slice name)
{
    while (before.length) {
        struct lb_slice part = cut(&before, ":,"), other = cut(&part, "=");
        if (other.length == name.length && !memcmp(other.at, name.at, name.length))
            return true;
    }
    return false;
}

/* "name=value": one setting. `before`: the settings that were read. */
static enum lb_status read_setting(struct lb_slice before, struct lb_slice part,
                                   struct lb_device_group *group, struct lb_error *error)
{
    struct lb_slice value = part, name = cut(&value, "=");
    const struct lb_device_setting *setting = group->device.type->settings;
    while (setting && setting->name && !lb_slice_is(name, setting->name))
        setting++;
    if (!setting || !setting->name)
        return bad_form(part, group->device.type, error);
    if (is_set(before, name))
        return bad_word(part, "this is set twice", error);
    return setting->set(&group->device, value) ? LB_OK : bad_word(part, setting->complaint, error);
}

/* Reads the number and the settings behind a kind. */
static enum lb_status read_parts(struct lb_slice word, struct lb_slice rest, struct lb_device_group *group,
                                 struct lb_error *error)
{
    enum lb_status status = LB_OK;
    const char *begin = rest.at;
    while (rest.length && status == LB_OK) {
        struct lb_slice before = {begin, (size_t)(rest.at - begin)}, part = cut(&rest, ":,");
        status =
            has(part, '=') ? read_setting(before, part, group, error) : read_number(word, part, group, error);
    }
    return status;
}

/* Takes the next words into `rest`, as long as they are settings of the kind before them. */
static void take_settings(struct lb_slice *rest, struct lb_slice *left)
{
    while (left->length) {
        struct lb_slice behind = *left, word = cut(&behind, ",");
        if (!has(word, '=') || has(word, ':'))
            return;
        rest->length = (size_t)(word.at + word.length - rest->at);
        *left = behind;
    }
}

static enum lb_status append_word(struct lb_slice word, struct lb_slice *left,
                                  const struct lb_device_request *request, uint32_t fed,
                                  struct lb_device_list *list, struct lb_error *error)
{
    struct lb_device_group group;
    struct lb_slice rest = word;
    int64_t times = 1;
    if (has(word, '*')) {
        struct lb_slice number = cut(&rest, "*");
        if (!lb_number_whole(number.at, number.length, 1, LB_MAX_PROCESSORS, &times))
            return lb_error_set(error, LB_ERROR_USAGE, "--devices: \"%.*s\": N* needs a number from 1 to %d",
                                (int)word.length, word.at, LB_MAX_PROCESSORS);
    }
    struct lb_slice name = cut(&rest, ":");
    const struct lb_processor_type *type = lb_processor_type_find(name);
    if (word.length && word.at[word.length - 1] == ':')
        return bad_word(word, "nothing behind the colon", error);
    if (!type)
        return unknown_kind(word, error);
    if (times != 1 && !type->multiplied)
        return bad_word(word, "this kind cannot be multiplied", error);
    if (rest.length)
        take_settings(&rest, left);
    enum lb_status status = lb_group_begin(&group, type, error);
    if (status != LB_OK)
        return status;
    group.times = times;
    status = read_parts(word, rest, &group, error);
    if (status == LB_OK && request->counted && !group.device.counts_steps) {
        char why[160];
        snprintf(why, sizeof why, "%s measures no costs: a cost map needs CPU threads alone", type->noun);
        status = bad_word(word, why, error);
    }
    if (status == LB_OK)
        status = lb_group_append(&group, request, fed, list, error);
    lb_group_free(&group);
    return status;
}

enum lb_status lb_words_append(const struct lb_device_request *request, uint32_t fed,
                               struct lb_device_list *list, struct lb_error *error)
{
    struct lb_slice left = {request->devices, strlen(request->devices)};
    enum lb_status status = LB_OK;
    if (left.length && left.at[left.length - 1] == ',')
        return lb_error_set(error, LB_ERROR_USAGE, "--devices: nothing behind the last comma");
    do {
        struct lb_slice word = cut(&left, ",");
        status = append_word(word, &left, request, fed, list, error);
    } while (status == LB_OK && left.length);
    return status;
}
