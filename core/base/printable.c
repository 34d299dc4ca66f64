#include "core/base/printable.h"

#include <stdio.h>
#include <string.h>

/* How many bytes a character takes that begins with `first`, and the bits of it that are its own; 0: none does. */
static size_t sequence_size(unsigned char first, uint32_t *bits)
{
    *bits = first;
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return *bits = first & 0x1fu, 2;
    if (first >= 0xe0 && first < 0xf0)
        return *bits = first & 0x0fu, 3;
    if (first >= 0xf0 && first < 0xf5)
        return *bits = first & 0x07u, 4;
    return 0;
}

bool lb_utf8_decode(const char *text, size_t length, uint32_t *character, size_t *size)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c;
    size_t count = sequence_size((unsigned char)text[0], &c);
    *size = 1;
    if (count == 0 || count > length)
        return false;
    for (size_t i = 1; i < count; i++) {
        unsigned char more = (unsigned char)text[i];
        if ((more & 0xc0u) != 0x80u)
            return false;
        c = c << 6 | (more & 0x3fu);
    }
    if (c < least[count] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return false;
    *character = c;
    *size = count;
    return true;
}

bool lb_character_controls(uint32_t character)
{
    /* Unicode's general categories Cc, Cf, Zl and Zp, and letters that are blank. */
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c},
        {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},
        {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    return false;
}

static void show_control(uint32_t character, char shown[LB_SHOWN_MOST])
{
    static const char named[] = "\nn\rr\tt";
    const char *name = character ? strchr(named, (int)character) : NULL;
    if (character < 0x80 && name && (name - named) % 2 == 0)
        snprintf(shown, LB_SHOWN_MOST, "\\%c", name[1]);
    else if (character < 0x80)
        snprintf(shown, LB_SHOWN_MOST, "\\x%02X", character);
    else
        snprintf(shown, LB_SHOWN_MOST, character > 0xffff ? "\\U%08X" : "\\u%04X", character);
}

size_t lb_printable_next(const char *text, size_t length, char shown[LB_SHOWN_MOST])
{
    uint32_t character;
    size_t size;
    if (!lb_utf8_decode(text, length, &character, &size)) {
        snprintf(shown, LB_SHOWN_MOST, "\\x%02X", (unsigned char)text[0]);
    } else if (lb_character_controls(character)) {
        show_control(character, shown);
    } else {
        memcpy(shown, text, size);
        shown[size] = 0;
    }
    return size;
}

void lb_text_add_printable(struct lb_text *text, const char *name, size_t most)
{
    size_t length = strlen(name);
    for (size_t at = 0; at < length && most > 0; most--) {
        char shown[LB_SHOWN_MOST];
        at += lb_printable_next(name + at, length - at, shown);
        lb_text_add(text, "%s", shown);
    }
}

char *lb_utf8_text(const char *text)
{
    struct lb_text out = {0};
    size_t length = strlen(text), size;
    uint32_t character;
    lb_text_add(&out, "%s", "");
    for (size_t at = 0; at < length; at += size) {
        if (lb_utf8_decode(text + at, length - at, &character, &size))
            lb_text_add(&out, "%.*s", (int)size, text + at);
        else
            lb_text_add(&out, "\\x%02X", (unsigned char)text[at]);
    }
    return lb_text_take(&out);
}
