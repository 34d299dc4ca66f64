#include "core/option.h"

#include "core/base/ending.h"
#include "core/base/number.h"

#include <stdio.h>
#include <string.h>

enum lb_status lb_option_refuse(const struct lb_option *option, const char *wanted, const char *text,
                                struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_USAGE, "--%s needs %s, not \"%s\"", option->name, wanted, text);
}

static enum lb_status parse_whole(const struct lb_option *option, const char *text, int64_t *number,
                                  struct lb_error *error)
{
    int64_t low = (int64_t)option->low, high = (int64_t)option->high;
    char wanted[80];
    if (lb_number_count(text, strlen(text), low, high, number))
        return LB_OK;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)low, (long long)high);
    return lb_option_refuse(option, option->wanted ? option->wanted : wanted, text, error);
}

static enum lb_status parse_real(const struct lb_option *option, const char *text, double *value,
                                 struct lb_error *error)
{
    char wanted[80];
    bool seconds = option->type == LB_OPTION_SECONDS;
    bool right = seconds                           ? lb_number_seconds(text, strlen(text), value)
                 : option->type == LB_OPTION_SHARE ? lb_number_share(text, strlen(text), value)
                                                   : lb_number_real(text, strlen(text), value);
    if (right && *value >= option->low && *value <= option->high)
        return LB_OK;
    if (seconds)
        snprintf(wanted, sizeof wanted, "a time from %g to %g s, as 90, 5m or 1h30m", option->low,
                 option->high);
    else
        snprintf(wanted, sizeof wanted, "a number from %g to %g", option->low, option->high);
    return lb_option_refuse(option, option->wanted ? option->wanted : wanted, text, error);
}

/* "a", "a or b", "a, b or c". */
static void list_words(const char *const *words, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; words[i]; i++) {
        strncat(text, i == 0 ? "" : words[i + 1] ? ", " : " or ", size - strlen(text) - 1);
        strncat(text, words[i], size - strlen(text) - 1);
    }
}

static enum lb_status parse_word(const struct lb_option *option, const char *text, unsigned *number,
                                 struct lb_error *error)
{
    char wanted[128];
    for (*number = 0; option->words[*number]; ++*number)
        if (!strcmp(option->words[*number], text))
            return LB_OK;
    list_words(option->words, wanted, sizeof wanted);
    return lb_option_refuse(option, wanted, text, error);
}

static enum lb_status parse_file(const struct lb_option *option, const char *text, struct lb_error *error)
{
    char wanted[128];
    for (size_t i = 0; option->words[i]; i++)
        if (lb_ends_in(text, option->words[i]))
            return LB_OK;
    list_words(option->words, wanted, sizeof wanted);
    return lb_error_set(error, LB_ERROR_USAGE, "--%s: \"%s\" must end in %s", option->name, text, wanted);
}

enum lb_status lb_option_parse(const struct lb_option *option, const char *text, union lb_option_value *value,
                               struct lb_error *error)
{
    enum lb_status status = LB_OK;
    int64_t number = 0;
    unsigned word = 0;
    switch (option->type) {
    case LB_OPTION_WHOLE:
    case LB_OPTION_COUNT:
        status = parse_whole(option, text, &number, error);
        if (option->type == LB_OPTION_COUNT)
            value->count = (uint32_t)number;
        else
            value->whole = (uint64_t)number;
        return status;
    case LB_OPTION_REAL:
    case LB_OPTION_SHARE:
    case LB_OPTION_SECONDS:
        return parse_real(option, text, &value->real, error);
    case LB_OPTION_WORD:
        status = parse_word(option, text, &word, error);
        value->word = status == LB_OK && option->values ? option->values[word] : word;
        return status;
    case LB_OPTION_EITHER:
        status = parse_word(option, text, &word, error);
        value->flag = word == 1;
        return status;
    case LB_OPTION_TEXT:
        value->text = text;
        return option->words ? parse_word(option, text, &word, error) : LB_OK;
    case LB_OPTION_FILE:
        value->text = text;
        return parse_file(option, text, error);
    case LB_OPTION_FLAG:
        value->flag = true;
        return LB_OK;
    }
    return LB_OK;
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
    static const size_t sizes[] = {
        [LB_OPTION_WHOLE] = sizeof(uint64_t), [LB_OPTION_COUNT] = sizeof(uint32_t),
        [LB_OPTION_REAL] = sizeof(double),    [LB_OPTION_WORD] = sizeof(unsigned),
        [LB_OPTION_EITHER] = sizeof(bool),    [LB_OPTION_TEXT] = sizeof(char *),
        [LB_OPTION_FILE] = sizeof(char *),    [LB_OPTION_FLAG] = sizeof(bool),
        [LB_OPTION_SHARE] = sizeof(double),   [LB_OPTION_SECONDS] = sizeof(double)};
    return sizes[option->type];
}

/* All members of a union begin where it begins, so this copies whichever one the option has. */
void lb_option_keep(const struct lb_option *option, const union lb_option_value *value, void *into)
{
    memcpy((char *)into + option->offset, value, lb_option_size(option));
}

void lb_option_fill(const struct lb_option_values *values, const struct lb_option *const *options, void *into)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (lb_option_declared(options, values->given[i].option))
            lb_option_keep(values->given[i].option, &values->given[i].value, into);
}
