/* Errors are values: a status and one line of text, owned by the caller. Only cli/ prints them. */
#ifndef LB_CORE_BASE_ERROR_H
#define LB_CORE_BASE_ERROR_H

enum lb_status {
    LB_OK = 0,
    LB_ERROR,        /* the message says what; exit status 1 */
    LB_ERROR_USAGE,  /* a wrong option or operand; exit status 2 */
    LB_ERROR_MEMORY, /* out of memory; exit status 1 */
};

struct lb_error {
    enum lb_status status;
    char message[1024]; /* one line without its newline: "scene.pbrt:12:4: unknown shape \"blob\"" */
};

/* Fills `error` (which may be NULL) and returns `status`, so that callers can `return lb_error_set(...)`. */
enum lb_status lb_error_set(struct lb_error *error, enum lb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* LB_ERROR_MEMORY, and "WHAT: out of memory, with 3.21 GB in use", where `what` names the file or thing that did not
 * fit, or is NULL. */
enum lb_status lb_error_memory(struct lb_error *error, const char *what);

/* Where warnings and notes go, which are less than errors. `write` may be called by any thread that was given the log,
 * and must not keep `message`. */
enum lb_level {
    LB_WARNING,
    LB_NOTE, /* shown under -v */
    LB_NEWS, /* what who waits wants to know, though nothing is wrong */
    LB_ALSO, /* one of several errors; the last of them is returned as a value instead */
};

struct lb_log {
    void (*write)(void *user, enum lb_level level, const char *message); /* NULL: dropped */
    void *user;
};

/* `log` may be NULL. */
void lb_log_write(const struct lb_log *log, enum lb_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
