/* Whether a JPEG file is whole and has the tables that its scans use. The decoder (stb_image 2.27) writes over its
 * memory when a Huffman table has more than 256 codes, and takes what was never defined for zeros. */
#include "core/image/picture.h"

enum { BASELINE = 0xc0, PROGRESSIVE = 0xc2, DHT = 0xc4, EOI = 0xd9, SOS = 0xda, DQT = 0xdb };

struct walker {
    const struct lb_image_file *file;
    size_t at;           /* of the marker of the current segment */
    const uint8_t *body; /* of the current segment, behind its length */
    size_t size;         /* of `body` */
    bool huffman[2][4];  /* class (DC, AC), number: defined */
    bool quantization[4];
    uint8_t frame; /* its marker, or 0 */
    uint32_t components;
    uint8_t ids[4], quantizations[4];
    bool scanned;
};

static enum lb_status fail(const struct walker *w)
{
    return lb_image_fail(w->file, "byte %zu: the JPEG is cut short or damaged", w->at);
}

bool lb_jpg_is(const struct lb_image_file *file)
{
    return file->size >= 3 && file->data[0] == 0xff && file->data[1] == 0xd8 && file->data[2] == 0xff;
}

/* A table: class and number, how many codes there are of each of 16 lengths, then a value for each code. */
static enum lb_status check_huffman(struct walker *w)
{
    enum { HEAD = 17 };
    for (size_t at = 0; at < w->size;) {
        if (w->size - at < HEAD)
            return fail(w);
        const uint8_t *table = w->body + at;
        size_t codes = 0;
        for (int i = 1; i < HEAD; i++)
            codes += table[i];
        if (table[0] >> 4 > 1 || (table[0] & 15) > 3 || codes > 256 || codes > w->size - at - HEAD)
            return fail(w);
        w->huffman[table[0] >> 4][table[0] & 15] = true;
        at += HEAD + codes;
    }
    return LB_OK;
}

static enum lb_status check_quantization(struct walker *w)
{
    for (size_t at = 0; at < w->size;) {
        size_t values = w->body[at] >> 4 ? 128 : 64;
        if (w->body[at] >> 4 > 1 || (w->body[at] & 15) > 3 || w->size - at - 1 < values)
            return fail(w);
        w->quantization[w->body[at] & 15] = true;
        at += 1 + values;
    }
    return LB_OK;
}

static enum lb_status check_frame(struct walker *w, uint8_t marker)
{
    if (w->frame || w->size < 6 || w->body[5] < 1 || w->body[5] > 4 || w->size != 6 + 3u * w->body[5])
        return fail(w);
    w->frame = marker;
    w->components = w->body[5];
    for (uint32_t i = 0; i < w->components; i++) {
        w->ids[i] = w->body[6 + 3 * i];
        w->quantizations[i] = w->body[8 + 3 * i];
        if (w->quantizations[i] > 3)
            return fail(w);
    }
    /* Each block of 64 values takes a bit at least. */
    return lb_image_check_size(w->file, w->body[3] << 8 | w->body[4], w->body[1] << 8 | w->body[2],
                               (uint64_t)w->file->size * 8 * 64);
}

/* The component with that id must have its table of quantization and, in this scan, its Huffman tables. */
static bool has_tables(const struct walker *w, uint8_t id, uint8_t tables, const uint8_t *spectrum)
{
    bool progressive = w->frame == PROGRESSIVE;
    bool needs_dc = !progressive || (spectrum[0] == 0 && spectrum[2] >> 4 == 0),
         needs_ac = !progressive || spectrum[0];
    for (uint32_t i = 0; i < w->components; i++) {
        if (w->ids[i] != id)
            continue;
        return w->quantization[w->quantizations[i]] && tables >> 4 <= 3 && (tables & 15) <= 3 &&
               (!needs_dc || w->huffman[0][tables >> 4]) && (!needs_ac || w->huffman[1][tables & 15]);
    }
    return false;
}

/* Checks the scan's header and leaves `at` at the marker behind its data. */
static enum lb_status check_scan(struct walker *w)
{
    uint32_t count = w->size ? w->body[0] : 0;
    if (!w->frame || count < 1 || count > w->components || w->size != 4 + 2 * count)
        return fail(w);
    for (uint32_t i = 0; i < count; i++)
        if (!has_tables(w, w->body[1 + 2 * i], w->body[2 + 2 * i], w->body + 1 + 2 * count))
            return lb_image_fail(w->file, "byte %zu: a scan of the JPEG uses a table that it has not", w->at);
    const uint8_t *data = w->file->data;
    size_t at = (size_t)(w->body - data) + w->size, size = w->file->size;
    /* Within the data, ff is followed by 00 or is a restart marker. */
    while (at + 1 < size &&
           !(data[at] == 0xff && data[at + 1] && (data[at + 1] < 0xd0 || data[at + 1] > 0xd7)))
        at++;
    w->at = at;
    w->scanned = true;
    return at + 1 < size ? LB_OK : fail(w);
}

/* One segment, up to the next. */
static enum lb_status check_segment(struct walker *w, uint8_t marker)
{
    const uint8_t *data = w->file->data;
    size_t left = w->file->size - w->at;
    size_t length = left >= 4 ? (size_t)data[w->at + 2] << 8 | data[w->at + 3] : 0;
    if (length < 2 || length > left - 2)
        return fail(w);
    w->body = data + w->at + 4;
    w->size = length - 2;
    enum lb_status status = LB_OK;
    if (marker == SOS)
        return check_scan(w);
    if (marker == DHT)
        status = check_huffman(w);
    else if (marker == DQT)
        status = check_quantization(w);
    else if (marker >= BASELINE && marker <= PROGRESSIVE)
        status = check_frame(w, marker);
    w->at += 2 + length;
    return status;
}

enum lb_status lb_jpg_check(const struct lb_image_file *file)
{
    struct walker w = {.file = file, .at = 2};
    for (;;) {
        while (w.at + 1 < file->size && file->data[w.at] == 0xff && file->data[w.at + 1] == 0xff)
            w.at++;
        if (w.at + 1 >= file->size || file->data[w.at] != 0xff)
            return fail(&w);
        uint8_t marker = file->data[w.at + 1];
        if (marker == EOI)
            return w.scanned ? LB_OK : fail(&w);
        enum lb_status status = check_segment(&w, marker);
        if (status != LB_OK)
            return status;
    }
}
