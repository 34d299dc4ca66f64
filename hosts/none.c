/* Takes the place of all other files of this folder where there is no libzmq. */
#include "hosts/hosts.h"

static enum lb_status missing(struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR,
                        "this lbrender was built without libzmq: it works with no other hosts");
}

enum lb_status lb_primary_open(const struct lb_primary_options *options, const struct lb_log *log,
                               struct lb_primary **primary, struct lb_error *error)
{
    (void)options, (void)log, (void)primary;
    return missing(error);
}

const char *lb_primary_address(const struct lb_primary *primary)
{
    (void)primary;
    return "";
}

uint32_t lb_primary_wait(struct lb_primary *primary, double seconds, const int *stop)
{
    (void)primary, (void)seconds, (void)stop;
    return 0;
}

uint32_t lb_primary_places(struct lb_primary *primary)
{
    (void)primary;
    return 0;
}

void lb_primary_offer(struct lb_primary *primary, const lb_scene *scene)
{
    (void)primary, (void)scene;
}

void lb_primary_watch(struct lb_primary *primary, struct lb_interrupt *interrupt)
{
    (void)primary, (void)interrupt;
}

void lb_primary_await_return(struct lb_primary *primary, double seconds, const struct lb_interrupt *interrupt)
{
    (void)primary, (void)seconds, (void)interrupt;
}

void lb_primary_close(struct lb_primary *primary)
{
    (void)primary;
}

enum lb_status lb_host_processor_open(struct lb_primary *primary, uint32_t index, bool at_once,
                                      struct lb_processor **processor, struct lb_error *error)
{
    (void)primary, (void)index, (void)at_once, (void)processor;
    return missing(error);
}

enum lb_status lb_primary_ask(const struct lb_ask_options *options, struct lb_listing *listing,
                              struct lb_error *error)
{
    (void)options, (void)listing;
    return missing(error);
}

void lb_listing_free(struct lb_listing *listing)
{
    (void)listing;
}

enum lb_status lb_worker_run(const struct lb_worker_options *options, const struct lb_worker_site *site,
                             const struct lb_log *log, struct lb_error *error)
{
    (void)options, (void)site, (void)log;
    return missing(error);
}

enum lb_status lb_key_make(const char *path, struct lb_error *error)
{
    (void)path;
    return missing(error);
}
