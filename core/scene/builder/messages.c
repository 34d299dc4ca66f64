#include "core/scene/builder/messages.h"

#include "core/base/guess.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 640 };

#define FORMAT_MESSAGE(message, format)                                                                      \
    char message[MESSAGE_SIZE];                                                                              \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        vsnprintf(message, sizeof message, format, arguments);                                               \
        va_end(arguments);                                                                                   \
    } while (0)

enum lb_status lb_build_not_yet(const struct lb_builder *builder, const struct lb_location *location,
                                const char *format, ...)
{
    const char *instead = strstr(format, ": ");
    char missing[MESSAGE_SIZE];
    snprintf(missing, sizeof missing, "%.*s (--lenient goes on)", (int)(instead ? instead - format : 0),
             format);
    format = builder->options->lenient ? format : missing;
    FORMAT_MESSAGE(message, format);
    if (!builder->options->lenient)
        return lb_error_at(builder->error, location, "%s", message);
    lb_log_at(builder->log, LB_WARNING, location, "%s", message);
    return LB_OK;
}

const void *lb_build_row(const char *word, const void *rows, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const void *row = (const char *)rows + i * size;
        if (strcmp(*(const char *const *)row, word) == 0)
            return row;
    }
    return NULL;
}

enum lb_status lb_build_unknown(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *word, const void *rows, size_t count,
                                size_t size)
{
    struct lb_guess guess;
    lb_guess_start(&guess, word, strlen(word));
    lb_guess_try_rows(&guess, rows, count, size);
    return lb_build_error(builder, location, "unknown %s \"%s\"%s", what, word, guess.text);
}

enum lb_status lb_build_no_name(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *name, const struct lb_names *names)
{
    struct lb_guess guess;
    lb_guess_start(&guess, name, strlen(name));
    lb_guess_try_names(&guess, names);
    return lb_build_error(builder, location, "no %s is named \"%s\"%s", what, name, guess.text);
}

enum lb_status lb_build_error(const struct lb_builder *builder, const struct lb_location *location,
                              const char *format, ...)
{
    FORMAT_MESSAGE(message, format);
    return lb_error_at(builder->error, location, "%s", message);
}

void lb_build_warn(const struct lb_builder *builder, const struct lb_location *location, const char *format,
                   ...)
{
    FORMAT_MESSAGE(message, format);
    lb_log_at(builder->log, LB_WARNING, location, "%s", message);
}

enum lb_status lb_build_no_memory(const struct lb_builder *builder)
{
    return lb_error_memory(builder->error, builder->description->main_file);
}

enum lb_status lb_build_go_on(const struct lb_builder *builder, enum lb_status status)
{
    if (status == LB_OK || status == LB_ERROR_MEMORY)
        return status;
    lb_errors_keep(builder->errors, builder->error);
    return LB_OK;
}

static enum lb_status unknown_parameter(const struct lb_builder *builder, const struct lb_entity *entity,
                                        const struct lb_parameter *unused)
{
    struct lb_guess guess;
    lb_guess_start(&guess, unused->name, strlen(unused->name));
    lb_parameters_guess(&entity->parameters, &guess);
    return lb_build_error(builder, &unused->location, "unknown parameter \"%s\"%s%s%s", unused->name,
                          entity->type ? " of " : "", entity->type ? entity->type : "", guess.text);
}

enum lb_status lb_build_check_unused(const struct lb_builder *builder, const struct lb_entity *entity)
{
    enum lb_status status = LB_OK;
    for (size_t i = 0; i < entity->parameters.count; i++) {
        const struct lb_parameter *parameter = &entity->parameters.items[i];
        if (parameter->used)
            continue;
        lb_build_go_on(builder, status);
        status = unknown_parameter(builder, entity, parameter);
    }
    return status;
}

void lb_build_ignore(const struct lb_entity *entity, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lb_parameters_find(&entity->parameters, names[i]);
}
