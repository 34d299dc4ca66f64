#include "core/option.h"

#include "core/base/number.h"

#include <string.h>

static enum lb_status parse_whole(const struct lb_option *option, const char *text, uint64_t *value,
                                  struct lb_error *error)
{
    int64_t low = (int64_t)option->low, high = (int64_t)option->high, number;
    if (!lb_number_whole(text, strlen(text), low, high, &number))
        return lb_error_set(error, LB_ERROR_USAGE, "--%s needs a whole number from %lld to %lld, not \"%s\"",
                            option->name, (long long)low, (long long)high, text);
    *value = (uint64_t)number;
    return LB_OK;
}

static enum lb_status parse_real(const struct lb_option *option, const char *text, double *value,
                                 struct lb_error *error)
{
    double number;
    if (!lb_number_real(text, strlen(text), &number) || number < option->low || number > option->high)
        return lb_error_set(error, LB_ERROR_USAGE, "--%s needs a number from %g to %g, not \"%s\"",
                            option->name, option->low, option->high, text);
    *value = number;
    return LB_OK;
}

static enum lb_status parse_word(const struct lb_option *option, const char *text, unsigned *value,
                                 struct lb_error *error)
{
    const char *const *words = option->words;
    char wanted[128] = "";
    for (unsigned i = 0; words[i]; i++) {
        if (!strcmp(words[i], text)) {
            *value = i;
            return LB_OK;
        }
        strncat(wanted, i == 0 ? "" : words[i + 1] ? ", " : " or ", sizeof wanted - strlen(wanted) - 1);
        strncat(wanted, words[i], sizeof wanted - strlen(wanted) - 1);
    }
    return lb_error_set(error, LB_ERROR_USAGE, "--%s needs %s, not \"%s\"", option->name, wanted, text);
}

enum lb_status lb_option_parse(const struct lb_option *option, const char *text, union lb_option_value *value,
                               struct lb_error *error)
{
    switch (option->type) {
    case LB_OPTION_WHOLE:
        return parse_whole(option, text, &value->whole, error);
    case LB_OPTION_REAL:
        return parse_real(option, text, &value->real, error);
    default:
        return parse_word(option, text, &value->word, error);
    }
}

void lb_option_give(struct lb_option_values *values, const struct lb_option *option,
                    union lb_option_value value)
{
    uint32_t i = 0;
    while (i < values->count && values->given[i].option != option)
        i++;
    if (i == LB_OPTIONS_MOST)
        return;
    values->given[i] = (struct lb_option_given){option, value};
    values->count += i == values->count;
}

bool lb_option_declared(const struct lb_option *const *options, const struct lb_option *option)
{
    for (; options && *options; options++)
        if (*options == option)
            return true;
    return false;
}

size_t lb_option_size(const struct lb_option *option)
{
    switch (option->type) {
    case LB_OPTION_WHOLE:
        return sizeof(uint64_t);
    case LB_OPTION_REAL:
        return sizeof(double);
    default:
        return sizeof(unsigned);
    }
}

void lb_option_fill(const struct lb_option_values *values, const struct lb_option *const *options, void *into)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const struct lb_option *option = values->given[i].option;
        /* All members of a union begin where it begins, so this copies whichever one the option has. */
        if (lb_option_declared(options, option))
            memcpy((char *)into + option->offset, &values->given[i].value, lb_option_size(option));
    }
}
