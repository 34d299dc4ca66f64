/* The chunks of a PNG file that say what its pixels are: sRGB (PNG specification, 11.3.2.5), and texts. */
#include "core/image/png_chunks.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static void put_u32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

/* Makes room for a chunk of `length` bytes of data, whose place it returns. NULL: out of memory. */
static uint8_t *begin_chunk(struct lb_png_chunks *chunks, const char *kind, size_t length)
{
    uint8_t *grown = realloc(chunks->data, chunks->size + length + 12);
    if (!grown)
        return NULL;
    chunks->data = grown;
    uint8_t *chunk = grown + chunks->size;
    put_u32(chunk, (uint32_t)length);
    memcpy(chunk + 4, kind, 4);
    chunks->size += length + 12;
    return chunk + 8;
}

static void end_chunk(uint8_t *data, size_t length)
{
    put_u32(data + length, libdeflate_crc32(0, data - 4, length + 4));
}

/* A text of ASCII is a tEXt chunk, any other an iTXt one, which is UTF-8: name, 0, neither compressed nor in a
 * language, text. */
static bool add_text(struct lb_png_chunks *chunks, const struct lb_image_note *note)
{
    static const uint8_t plain[5] = {0};
    bool ascii = is_ascii(note->text);
    size_t name = strlen(note->name), between = ascii ? 1 : sizeof plain, text = strlen(note->text);
    uint8_t *data = begin_chunk(chunks, ascii ? "tEXt" : "iTXt", name + between + text);
    if (!data)
        return false;
    memcpy(data, note->name, name);
    memcpy(data + name, plain, between);
    memcpy(data + name + between, note->text, text);
    end_chunk(data, name + between + text);
    return true;
}

bool lb_png_chunks_make(struct lb_png_chunks *chunks, const struct lb_image_note *notes, size_t count)
{
    *chunks = (struct lb_png_chunks){0};
    uint8_t *intent = begin_chunk(chunks, "sRGB", 1);
    bool made = intent != NULL;
    if (made) {
        intent[0] = 0; /* perceptual */
        end_chunk(intent, 1);
    }
    for (size_t i = 0; made && i < count; i++)
        made = add_text(chunks, &notes[i]);
    if (!made)
        free(chunks->data);
    return made;
}
