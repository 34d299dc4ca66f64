#include "cli/session/checkpoint.h"

#include "cli/console/signals.h"
#include "core/machine/clock.h"
#include "core/machine/timed_wait.h"
#include "core/part/part_file.h"

/* The share of the time that writing may take: after a long write the next one waits longer than the interval. */
static const double MOST_SHARE = 0.005;
/* Seconds between two looks at whether a signal asked for the state. */
static const double LOOK_SECONDS = 0.1;

/* What the main thread, which gets the program's signals and writes, shares with the thread that renders the frame. */
struct watch {
    struct cli_session *s;
    uint32_t number;
    const struct cli_parts *parts;
    struct lb_frame *frame;
    enum lb_status status;
    pthread_mutex_t lock;
    pthread_cond_t ended_now;
    bool ended; /* under lock */
};

static void *render(void *argument)
{
    struct watch *watch = argument;
    struct cli_session *s = watch->s;
    watch->status =
        lb_run_frame(s->run, s->scene.scene, watch->number, &watch->parts->wish, watch->frame, &s->error);
    pthread_mutex_lock(&watch->lock);
    watch->ended = true;
    pthread_cond_signal(&watch->ended_now);
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

static void write_state(const struct watch *watch, bool asked)
{
    const struct cli_parts *parts = watch->parts;
    struct lb_part part;
    struct lb_error error;
    enum lb_status status = lb_run_look(watch->s->run, &parts->subject, &part, &error);
    if (status == LB_OK && part.pixels) {
        status = lb_part_write(parts->checkpoint, &part, NULL, &error);
        if (asked)
            parts->show(parts->user, &part);
    }
    if (status != LB_OK)
        lb_log_write(&watch->s->log, LB_WARNING, "%s", error.message);
    lb_part_free(&part);
}

/* Waits for LOOK_SECONDS, or until the frame is rendered, and then returns true. */
static bool wait_a_moment(struct watch *watch)
{
    double until = lb_clock_now() + LOOK_SECONDS;
    pthread_mutex_lock(&watch->lock);
    while (!watch->ended && lb_timed_wait(&watch->ended_now, &watch->lock, until))
        continue;
    bool ended = watch->ended;
    pthread_mutex_unlock(&watch->lock);
    return ended;
}

static void watch_frame(struct watch *watch)
{
    double seconds = watch->parts->checkpoint_seconds, due = lb_clock_now() + seconds;
    while (!wait_a_moment(watch)) {
        bool asked = cli_signals_asked();
        double begin = lb_clock_now();
        if (!asked && begin < due)
            continue;
        write_state(watch, asked);
        double end = lb_clock_now(), least = (end - begin) / MOST_SHARE;
        due = end + (least > seconds ? least : seconds);
    }
}

enum lb_status cli_checkpoint_render(struct cli_session *s, uint32_t number, const struct cli_parts *parts,
                                     struct lb_frame *frame)
{
    struct watch watch = {.s = s, .number = number, .parts = parts, .frame = frame};
    pthread_t thread;
    lb_timed_open(&watch.ended_now);
    pthread_mutex_init(&watch.lock, NULL);
    if (pthread_create(&thread, NULL, render, &watch) == 0) {
        watch_frame(&watch);
        pthread_join(thread, NULL);
    } else {
        lb_log_write(&s->log, LB_WARNING, "--checkpoint: no thread: it is written at the end alone");
        render(&watch);
    }
    pthread_cond_destroy(&watch.ended_now);
    pthread_mutex_destroy(&watch.lock);
    return watch.status;
}
