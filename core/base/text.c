#include "core/base/text.h"

#include "core/base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(struct lb_text *text, size_t length)
{
    char *data = lb_grow(text->data, &text->capacity, text->length + length + 1, 1);
    text->data = data ? data : text->data;
    return data != NULL;
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
