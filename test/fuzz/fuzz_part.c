/* Any bytes as a part of a picture: all that its header promises, or an error of one line. The checksum, which would
 * keep all but whole files out, is made to fit. */
#include "core/part/part_file.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Sums are there, all of them, where kinds are; and are joined and narrowed within their arrays. */
static void check_channels(struct lb_part *part)
{
    const lb_channels *channels = &part->subject.channels;
    struct lb_error error;
    struct lb_part sum;
    if ((channels->wanted != 0) != (channels->count != 0) || (part->sums != NULL) != (channels->count != 0) ||
        channels->wanted >> LB_CHANNEL_KINDS || !(channels->scale > 0 && channels->scale <= 1))
        abort();
    if (lb_part_open(&part->subject, &sum, &error) != LB_OK)
        return;
    if (lb_part_add(&sum, part, "fuzz.part", &error) == LB_OK && part->sums &&
        memcmp(sum.sums, part->sums, part->held.count * channels->count * sizeof *sum.sums) != 0)
        abort();
    if (lb_part_narrow(&sum, channels->wanted & 0x1555, "fuzz.part", &error) == LB_OK &&
        sum.subject.channels.count > channels->count)
        abort();
    lb_part_free(&sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_part part;
    struct lb_error error = {0};
    uint8_t *file = malloc(size + 1);
    if (!file)
        return 0;
    memcpy(file, data, size);
    if (size >= 8) {
        XXH64_hash_t hash = XXH3_64bits(file, size - 8);
        memcpy(file + size - 8, &hash, sizeof hash);
    }
    if (lb_part_parse("fuzz.part", file, size, 1 << 18, &part, &error) == LB_OK) {
        uint64_t all = (uint64_t)part.subject.width * part.subject.height * part.subject.samples;
        if (lb_held_samples(&part.held) > all || part.held.count > 1 << 18)
            abort();
        for (uint64_t i = 0; i < part.held.count; i++)
            if (lb_held_set(&part.held, i) >= part.held.set_count)
                abort();
        check_channels(&part);
    } else if (strncmp(error.message, "fuzz.part:", 10) != 0 || strchr(error.message, '\n')) {
        abort();
    }
    lb_part_free(&part);
    free(file);
    return 0;
}
