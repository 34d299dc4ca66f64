#include "core/scene/spectrum/number_file.h"

#include "core/base/file.h"
#include "core/base/number.h"

#include <stdint.h>

/* Is it between numbers? */
static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',';
}

/* At most `room` numbers; SIZE_MAX: a word is none. */
static size_t parse_numbers(const char *text, size_t size, float *numbers, size_t room)
{
    size_t count = 0, at = 0;
    while (at < size && count < room) {
        if (is_between(text[at])) {
            at++;
        } else if (text[at] == '#') {
            while (at < size && text[at] != '\n')
                at++;
        } else {
            size_t end = at;
            double number;
            while (end < size && !is_between(text[end]) && text[end] != '#')
                end++;
            if (!lb_number_parse(text + at, end - at, &number))
                return SIZE_MAX;
            numbers[count++] = (float)number;
            at = end;
        }
    }
    return count;
}

enum lb_status lb_number_file_read(const char *path, struct lb_arena *arena, struct lb_number_file *file,
                                   struct lb_error *error)
{
    static const size_t most = (size_t)16 << 20;
    struct lb_file bytes;
    enum lb_status status = lb_file_read(path, most, &bytes, error);
    if (status != LB_OK)
        return status;
    size_t room = bytes.size / 2 + 1;
    float *numbers = lb_arena_alloc(arena, room, sizeof *numbers);
    file->numbers = numbers;
    file->count = numbers ? parse_numbers((const char *)bytes.data, bytes.size, numbers, room) : 0;
    lb_file_free(&bytes);
    if (!numbers)
        return lb_error_memory(error, path);
    if (file->count == SIZE_MAX)
        return lb_error_set(error, LB_ERROR, "%s: a word is no number", path);
    return LB_OK;
}
