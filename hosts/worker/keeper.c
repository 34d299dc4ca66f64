#include "hosts/worker/keeper.h"

#include "core/machine/clock.h"
#include "hosts/worker/store.h"

/* The seconds between two looks whether the block is kept. */
static const double NAP_SECONDS = 0.01;

static void *keep(void *argument)
{
    struct lb_keeper *keeper = argument;
    lb_store_write(keeper->folder, keeper->mark, keeper->bytes, keeper->size, &keeper->stop);
    atomic_store(&keeper->ended, true);
    return NULL;
}

void lb_keeper_begin(struct lb_keeper *keeper, const char *folder, struct lb_scene_mark mark,
                     const void *bytes, size_t size)
{
    lb_keeper_stop(keeper);
    atomic_store(&keeper->stop, false);
    atomic_store(&keeper->ended, false);
    keeper->folder = folder;
    keeper->mark = mark;
    keeper->bytes = bytes;
    keeper->size = size;
    keeper->running = pthread_create(&keeper->thread, NULL, keep, keeper) == 0;
}

void lb_keeper_await(struct lb_keeper *keeper, const int *stop)
{
    while (keeper->running && !atomic_load(&keeper->ended) && !lb_stopped(stop))
        lb_clock_sleep_until(lb_clock_now() + NAP_SECONDS);
}

void lb_keeper_stop(struct lb_keeper *keeper)
{
    if (!keeper->running)
        return;
    atomic_store(&keeper->stop, true);
    pthread_join(keeper->thread, NULL);
    keeper->running = false;
}
