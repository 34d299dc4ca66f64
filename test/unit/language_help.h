/* Reads scenes from texts, for the tests of core/language. */
#ifndef LB_TEST_UNIT_LANGUAGE_HELP_H
#define LB_TEST_UNIT_LANGUAGE_HELP_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/language/description.h"
#include "core/language/parameters.h"

#include <stdio.h>
#include <string.h>

/* A description, and all messages that reading it gave. */
struct reading {
    struct lb_arena arena;
    struct lb_description description;
    struct lb_error error;
    enum lb_status status;
    char log[4096]; /* a line for each message, beginning with "warning: " or "note: " */
};

static inline void write_log(void *user, enum lb_level level, const char *message)
{
    struct reading *reading = user;
    size_t used = strlen(reading->log);
    snprintf(reading->log + used, sizeof reading->log - used, "%s: %s\n",
             level == LB_WARNING ? "warning"
             : level == LB_NOTE  ? "note"
                                 : "error",
             message);
}

/* Reads `text` as if it were the file "scene". free_reading() frees the result. */
static inline void read_text(struct reading *reading, const char *text)
{
    memset(reading, 0, sizeof *reading);
    struct lb_log log = {.write = write_log, .user = reading};
    reading->status = lb_description_parse("scene", text, strlen(text), &reading->arena, &log,
                                           &reading->description, &reading->error);
}

/* The same for a file. */
static inline void read_file(struct reading *reading, const char *path)
{
    memset(reading, 0, sizeof *reading);
    struct lb_log log = {.write = write_log, .user = reading};
    reading->status =
        lb_description_read(path, &reading->arena, &log, &reading->description, &reading->error);
}

static inline void free_reading(struct reading *reading)
{
    lb_arena_free(&reading->arena);
}

/* Reads a text that must have no error. */
static inline void read_good(struct reading *reading, const char *text)
{
    read_text(reading, text);
    if (reading->status != LB_OK)
        fail_msg("%s", reading->error.message);
}

/* Returns 31 random bits. */
static inline uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

#endif
