#include "hosts/renderer.h"

#include "core/base/grow.h"
#include "core/machine/clock.h"
#include "hosts/store.h"

#include <stdlib.h>
#include <string.h>

/* The seconds that go by at least before the link is woken for pixels again. */
static const double WAKE_SECONDS = 0.02;

/* ---- the renderer's thread ---- */

struct performance {
    struct lb_renderer *renderer;
    struct lb_task *task;
};

/* Notes one more range that is to be sent. Where it goes on where the last one ends, as one thread's pieces mostly do,
 * it becomes a part of that. False: there is no memory. */
static bool add(struct lb_rendered *rendered, struct lb_range piece)
{
    struct lb_range *last = rendered->count ? &rendered->ranges[rendered->count - 1] : NULL;
    if (last && last->end == piece.begin) {
        last->end = piece.end;
        return true;
    }
    struct lb_range *ranges =
        lb_grow(rendered->ranges, &rendered->capacity, rendered->count + 1, sizeof *ranges);
    if (!ranges)
        return false;
    rendered->ranges = ranges;
    ranges[rendered->count++] = piece;
    return true;
}

/* Notes that a piece was rendered. Any thread of the site calls it. */
static void note_rendered(void *user, struct lb_range piece)
{
    struct performance *p = user;
    struct lb_renderer *renderer = p->renderer;
    double now = lb_clock_now();
    pthread_mutex_lock(&renderer->lock);
    if (!add(&p->task->rendered, piece))
        p->task->status = lb_error_memory(&p->task->error, "what is to be sent");
    bool wakes = now - renderer->woken > WAKE_SECONDS;
    if (wakes)
        renderer->woken = now;
    pthread_mutex_unlock(&renderer->lock);
    if (wakes)
        lb_link_wake(renderer->link);
}

static void perform(struct lb_renderer *renderer, struct lb_task *task)
{
    const struct lb_worker_site *site = renderer->site;
    struct performance performance = {renderer, task};
    struct lb_listener listener = {note_rendered, &performance};
    double begin = lb_clock_now();
    struct lb_error error = {LB_OK, ""};
    enum lb_status status = LB_OK;
    if (task->kind == LB_TASK_READ)
        status = lb_store_read(renderer->store, task->mark, task->block, task->size, &renderer->read,
                               &renderer->stop)
                     ? LB_OK
                     : LB_ERROR;
    else if (task->kind == LB_TASK_OPEN)
        status = site->open(site->user, task->scene, &error);
    else if (atomic_load(&renderer->stop))
        task->result.stopped = true;
    else
        status = site->render(site->user, &task->work, &listener, &task->result, task->did, &error);
    task->seconds = lb_clock_now() - begin;
    if (status == LB_OK)
        return;
    task->status = status;
    task->error = error;
}

static void *serve(void *argument)
{
    struct lb_renderer *renderer = argument;
    pthread_mutex_lock(&renderer->lock);
    for (;;) {
        while (renderer->done == renderer->count && !renderer->ends)
            pthread_cond_wait(&renderer->changed, &renderer->lock);
        if (renderer->done == renderer->count)
            break;
        struct lb_task *task = &renderer->tasks[(renderer->first + renderer->done) % LB_TASKS];
        pthread_mutex_unlock(&renderer->lock);
        perform(renderer, task);
        pthread_mutex_lock(&renderer->lock);
        renderer->done++;
        pthread_cond_broadcast(&renderer->changed);
        lb_link_wake(renderer->link);
    }
    pthread_mutex_unlock(&renderer->lock);
    return NULL;
}

/* ---- for the thread that owns the socket ---- */

enum lb_status lb_renderer_open(struct lb_renderer *renderer, const struct lb_worker_site *site,
                                struct lb_link *link, struct lb_error *error)
{
    *renderer = (struct lb_renderer){.site = site, .link = link};
    pthread_mutex_init(&renderer->lock, NULL);
    pthread_cond_init(&renderer->changed, NULL);
    if (pthread_create(&renderer->thread, NULL, serve, renderer) == 0)
        return LB_OK;
    pthread_cond_destroy(&renderer->changed);
    pthread_mutex_destroy(&renderer->lock);
    return lb_error_set(error, LB_ERROR, "no thread to render on");
}

void lb_renderer_close(struct lb_renderer *renderer)
{
    lb_renderer_drop_all(renderer);
    pthread_mutex_lock(&renderer->lock);
    renderer->ends = true;
    pthread_cond_broadcast(&renderer->changed);
    pthread_mutex_unlock(&renderer->lock);
    pthread_join(renderer->thread, NULL);
    pthread_cond_destroy(&renderer->changed);
    pthread_mutex_destroy(&renderer->lock);
}

bool lb_renderer_add(struct lb_renderer *renderer, const struct lb_task *task)
{
    pthread_mutex_lock(&renderer->lock);
    bool fits = renderer->count < LB_TASKS;
    if (fits) {
        struct lb_task *own = &renderer->tasks[(renderer->first + renderer->count) % LB_TASKS];
        *own = *task;
        own->work.order = &own->order;
        own->work.stop = (const int *)&renderer->stop;
        if (renderer->count == renderer->done)
            atomic_store(&renderer->stop, 0);
        renderer->count++;
        pthread_cond_broadcast(&renderer->changed);
    }
    pthread_mutex_unlock(&renderer->lock);
    return fits;
}

const struct lb_task *lb_renderer_first(struct lb_renderer *renderer, bool *done)
{
    pthread_mutex_lock(&renderer->lock);
    const struct lb_task *task = renderer->count > 0 ? &renderer->tasks[renderer->first] : NULL;
    *done = renderer->done > 0;
    pthread_mutex_unlock(&renderer->lock);
    return task;
}

struct lb_rendered lb_renderer_take(struct lb_renderer *renderer)
{
    struct lb_rendered *own = &renderer->tasks[renderer->first].rendered;
    pthread_mutex_lock(&renderer->lock);
    struct lb_rendered rendered = *own;
    *own = (struct lb_rendered){.ranges = NULL};
    pthread_mutex_unlock(&renderer->lock);
    return rendered;
}

void lb_renderer_drop(struct lb_renderer *renderer)
{
    pthread_mutex_lock(&renderer->lock);
    lb_task_free(&renderer->tasks[renderer->first]);
    renderer->first = (renderer->first + 1) % LB_TASKS;
    renderer->count--;
    renderer->done--;
    pthread_mutex_unlock(&renderer->lock);
}

void lb_renderer_stop(struct lb_renderer *renderer)
{
    atomic_store(&renderer->stop, 1);
}

void lb_renderer_drop_all(struct lb_renderer *renderer)
{
    lb_renderer_stop(renderer);
    pthread_mutex_lock(&renderer->lock);
    while (renderer->done < renderer->count)
        pthread_cond_wait(&renderer->changed, &renderer->lock);
    pthread_mutex_unlock(&renderer->lock);
    while (renderer->count > 0)
        lb_renderer_drop(renderer);
}

void lb_task_free(struct lb_task *task)
{
    free(task->message);
    free(task->result.pixels);
    free(task->result.sums);
    free(task->result.cost);
    free(task->did);
    free(task->rendered.ranges);
    *task = (struct lb_task){.kind = LB_TASK_OPEN};
}
