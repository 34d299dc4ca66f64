#include "hosts/worker/worker_state.h"

#include <string.h>

bool lb_worker_send(struct lb_worker *w, const struct lb_message *message, const void *rest, size_t size)
{
    static const struct lb_peer primary = {.size = 0};
    return lb_link_send(&w->link, &primary, message, rest, size);
}

void lb_worker_end(struct lb_worker *w, enum lb_status status, const char *why)
{
    w->leaves = true;
    w->status = status == LB_OK ? LB_OK : lb_error_set(&w->error, status, "%s: %s", w->options->address, why);
}

void lb_worker_fail(struct lb_worker *w, const struct lb_error *error)
{
    struct lb_message message = {.kind = LB_MESSAGE_FAILED};
    size_t length = strnlen(error->message, LB_MESSAGE_TEXT);
    lb_worker_send(w, &message, error->message, length);
    w->leaves = true;
    w->status = lb_error_set(&w->error, error->status, "%s", error->message);
}
