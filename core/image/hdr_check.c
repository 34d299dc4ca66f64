/* Whether Radiance HDR files are whole. The decoder (stb_image) reads zeros behind the end, and without one where a run
 * has no length. */
#include "core/image/formats.h"

#include <string.h>

/* Sides of this length on are packed in runs, up to that of the other. */
enum { SHORTEST_RUNS = 8, LONGEST_RUNS = 32767, MOST_DIGITS = 9 };

struct hdr_reader {
    const struct lb_image_file *file;
    size_t at;
};

bool lb_hdr_is(const struct lb_image_file *file)
{
    return (file->size > 10 && memcmp(file->data, "#?RADIANCE", 10) == 0) ||
           (file->size > 6 && memcmp(file->data, "#?RGBE", 6) == 0);
}

static enum lb_status cut_short(const struct hdr_reader *reader)
{
    return lb_image_fail(reader->file, "the HDR is cut short");
}

/* Goes behind the empty line that ends the head. */
static bool skip_head(struct hdr_reader *reader)
{
    const struct lb_image_file *file = reader->file;
    for (size_t i = 0; i + 1 < file->size; i++)
        if (file->data[i] == '\n' && file->data[i + 1] == '\n') {
            reader->at = i + 2;
            return true;
        }
    return false;
}

/* "-Y " or "+X ", and a number. */
static bool take_side(struct hdr_reader *reader, const char *word, uint32_t *side)
{
    const struct lb_image_file *file = reader->file;
    if (file->size - reader->at < 3 || memcmp(file->data + reader->at, word, 3) != 0)
        return false;
    reader->at += 3;
    size_t first = reader->at;
    *side = 0;
    while (reader->at < file->size && file->data[reader->at] >= '0' && file->data[reader->at] <= '9' &&
           reader->at - first < MOST_DIGITS)
        *side = *side * 10 + (uint32_t)(file->data[reader->at++] - '0');
    return reader->at > first && reader->at < file->size;
}

/* One channel of a row in runs: of one value where the count is above 128, else of that many. */
static enum lb_status check_runs(struct hdr_reader *reader, uint32_t width)
{
    const struct lb_image_file *file = reader->file;
    for (uint32_t left = width; left > 0;) {
        if (reader->at >= file->size)
            return cut_short(reader);
        uint32_t count = file->data[reader->at++];
        uint32_t bytes = count > 128 ? 1 : count;
        count -= count > 128 ? 128 : 0;
        if (count == 0 || count > left)
            return lb_image_fail(file, "the HDR is damaged");
        if (bytes > file->size - reader->at)
            return cut_short(reader);
        reader->at += bytes;
        left -= count;
    }
    return LB_OK;
}

static enum lb_status check_rows(struct hdr_reader *reader, uint32_t width, uint32_t height)
{
    const struct lb_image_file *file = reader->file;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *head = file->data + reader->at;
        if (file->size - reader->at < 4)
            return cut_short(reader);
        bool packed = head[0] == 2 && head[1] == 2 && head[2] < 128;
        if (!packed && y == 0)
            return file->size - reader->at < (uint64_t)4 * width * height ? cut_short(reader) : LB_OK;
        if (!packed || (head[2] * 256u + head[3]) != width)
            return lb_image_fail(file, "the HDR is damaged");
        reader->at += 4;
        for (int channel = 0; channel < 4; channel++) {
            enum lb_status status = check_runs(reader, width);
            if (status != LB_OK)
                return status;
        }
    }
    return LB_OK;
}

enum lb_status lb_hdr_check(const struct lb_image_file *file)
{
    struct hdr_reader reader = {file, 0};
    uint32_t width = 0, height = 0;
    if (!skip_head(&reader))
        return cut_short(&reader);
    if (!take_side(&reader, "-Y ", &height) || file->data[reader.at++] != ' ' ||
        !take_side(&reader, "+X ", &width) || file->data[reader.at++] != '\n')
        return lb_image_fail(file, "the HDR's size is not written as \"-Y height +X width\"");
    /* A run of two bytes is of 127 values at most, in each of four channels. */
    uint64_t left = file->size - reader.at;
    enum lb_status status = lb_image_check_size(file, width, height, left * 16);
    if (status != LB_OK)
        return status;
    if (width >= SHORTEST_RUNS && width <= LONGEST_RUNS)
        return check_rows(&reader, width, height);
    return left < (uint64_t)4 * width * height ? cut_short(&reader) : LB_OK;
}
