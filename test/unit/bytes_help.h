/* A growing array of bytes: a file that a test makes. */
#ifndef LB_TEST_UNIT_BYTES_HELP_H
#define LB_TEST_UNIT_BYTES_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bytes {
    uint8_t *data;
    size_t size, room;
};

static void bytes_put(struct bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        b->room = (b->size + size) * 2;
        b->data = realloc(b->data, b->room);
        assert_non_null(b->data);
    }
    if (size)
        memcpy(b->data + b->size, data, size);
    b->size += size;
}

#endif
