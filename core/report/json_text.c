#include "core/report/json_text.h"

#include "core/base/printable.h"
#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *lb_json_name(const char *name)
{
    char *text = lb_utf8_text(name);
    json_t *string = text ? json_string(text) : NULL;
    free(text);
    return string;
}

/* jansson escapes what JSON wants escaped, which is C0 alone; all else that controls stands in strings, where \u may
 * stand. */
static void write_character(struct lb_text *out, const char *text, size_t size, uint32_t c)
{
    if (c < 0x20 || !lb_character_controls(c))
        lb_text_add(out, "%.*s", (int)size, text);
    else if (c <= 0xffff)
        lb_text_add(out, "\\u%04X", c);
    else
        lb_text_add(out, "\\u%04X\\u%04X", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
}

char *lb_json_write(const json_t *root)
{
    char *text =
        root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) : NULL;
    struct lb_text out = {0};
    size_t length = text ? strlen(text) : 0;
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t character;
        size_t plain = 0;
        while (at + plain < length && text[at + plain] > 0 && text[at + plain] != 0x7f)
            plain++;
        size = plain;
        if (plain)
            lb_text_add(&out, "%.*s", (int)plain, text + at);
        else if (lb_utf8_decode(text + at, length - at, &character, &size))
            write_character(&out, text + at, size, character);
    }
    free(text);
    return lb_text_take(&out);
}

static json_t *figure_value(const struct lb_figure *figure, const void *of)
{
    double value;
    switch (figure->kind) {
    case LB_FIGURE_TEXT:
    case LB_FIGURE_LABEL:
        return lb_json_name(lb_figure_word(figure, of));
    case LB_FIGURE_NAME:
    case LB_FIGURE_WORD:
    case LB_FIGURE_DEVICE:
    case LB_FIGURE_SOURCE:
        return json_string(lb_figure_word(figure, of));
    case LB_FIGURE_COUNT:
        return json_integer((json_int_t)lb_figure_count(figure, of));
    case LB_FIGURE_FLAG:
        return json_boolean(lb_figure_count(figure, of) != 0);
    default:
        value = lb_figure_number(figure, of);
        return json_real(isfinite(value) ? value : 0);
    }
}

json_t *lb_json_figures(const struct lb_figures *figures, const void *of)
{
    json_t *object = json_object();
    for (size_t i = 0; i < figures->count; i++) {
        const struct lb_figure *figure = &figures->items[i];
        if ((figure->told == LB_TOLD_ALL || figure->told == LB_TOLD_JSON) &&
            json_object_set_new(object, figure->name, figure_value(figure, of))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}
