/* A scene's bytes, as a worker has them. */
#ifndef LB_HOSTS_WORKER_BLOCK_H
#define LB_HOSTS_WORKER_BLOCK_H

#include "hosts/wire/message.h"

/* A scene's block, while it comes and afterwards. Times are those of lb_clock_now(). */
struct lb_block {
    struct lb_scene_mark mark; /* tells it from other scenes' */
    char *bytes;               /* NULL: there is none */
    uint64_t size;             /* how many bytes it has, */
    uint64_t asked;            /* up to where they were asked for, */
    uint64_t received;         /* and up to where they have come */
    uint64_t moved_bytes; /* how many bytes came in all, those that were damaged and came again included */
    bool lent;    /* some came from another worker: where the whole is damaged, the primary gives it anew */
    double moved; /* when bytes last came, or were first asked for */
    double heard; /* when the other worker last said anything, or bytes were first asked for */
    double begun; /* when the stripes that are timed began to come, */
    double raw;   /* and how many seconds those took that came as they are */
};

#endif
