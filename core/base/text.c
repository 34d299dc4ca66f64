#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(struct lb_text *text, size_t length)
{
    if (text->capacity - text->length > length)
        return true;
    size_t capacity = 2 * (text->length + length) + 256;
    char *data = realloc(text->data, capacity);
    if (!data)
        return false;
    text->data = data;
    text->capacity = capacity;
    return true;
}

void lb_text_add(struct lb_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0 || text->failed || !reserve(text, (size_t)length))
        text->failed = true;
    else
        text->length += (size_t)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
}

char *lb_text_take(struct lb_text *text)
{
    char *data = text->data;
    if (text->failed) {
        free(data);
        data = NULL;
    }
    *text = (struct lb_text){0};
    return data;
}
