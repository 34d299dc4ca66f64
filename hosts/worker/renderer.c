#include "hosts/worker/renderer.h"

#include "core/base/grow.h"
#include "core/interrupt.h"
#include "core/machine/clock.h"
#include "hosts/worker/store.h"

#include <stdlib.h>
#include <string.h>

/* The seconds that go by at least before the link is woken for pixels again. */
static const double WAKE_SECONDS = 0.02;

/* ---- the renderer's threads ---- */

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

static atomic_int *stop_of(struct lb_renderer *renderer, const struct lb_task *task)
{
    return &renderer->stops[task - renderer->tasks];
}

static void perform(struct lb_renderer *renderer, struct lb_task *task)
{
    const struct lb_worker_site *site = renderer->site;
    atomic_int *stop = stop_of(renderer, task);
    struct performance performance = {renderer, task};
    struct lb_listener listener = {note_rendered, &performance};
    struct lb_error error = {LB_OK, ""};
    enum lb_status status = LB_OK;
    if (task->kind == LB_TASK_READ)
        status = lb_store_read(renderer->store, task->mark, task->block, task->size, &renderer->read, stop)
                     ? LB_OK
                     : LB_ERROR;
    else if (task->kind == LB_TASK_OPEN)
        status = site->open(site->user, task->scene, &error);
    else if (atomic_load(stop))
        task->result.stopped = true;
    else
        status = site->render(site->user, &task->work, &listener, &task->result, task->did, &error);
    if (status == LB_OK)
        return;
    task->status = status;
    task->error = error;
}

static struct lb_task *task_at(struct lb_renderer *renderer, uint32_t index)
{
    return &renderer->tasks[(renderer->first + index) % LB_TASKS];
}

/* May the next task be begun? A work goes beside other works, anything else alone. */
static bool may_begin(struct lb_renderer *renderer)
{
    if (renderer->begun == renderer->count)
        return false;
    bool alone = task_at(renderer, renderer->begun)->kind != LB_TASK_RENDER;
    for (uint32_t i = 0; i < renderer->begun; i++) {
        const struct lb_task *task = task_at(renderer, i);
        if (!task->done && (alone || task->kind != LB_TASK_RENDER))
            return false;
    }
    return true;
}

static void *serve(void *argument)
{
    struct lb_renderer *renderer = argument;
    pthread_mutex_lock(&renderer->lock);
    for (;;) {
        while (!may_begin(renderer) && !renderer->ends)
            pthread_cond_wait(&renderer->changed, &renderer->lock);
        if (!may_begin(renderer))
            break;
        struct lb_task *task = task_at(renderer, renderer->begun++);
        renderer->idle--;
        pthread_mutex_unlock(&renderer->lock);
        perform(renderer, task);
        pthread_mutex_lock(&renderer->lock);
        renderer->idle++;
        task->done = true;
        pthread_cond_broadcast(&renderer->changed);
        lb_link_wake(renderer->link);
    }
    pthread_mutex_unlock(&renderer->lock);
    return NULL;
}

/* Under the lock: one thread more. Where there is none to be had, those that are there do all. */
static void make_thread(struct lb_renderer *renderer)
{
    if (renderer->made == LB_TASKS ||
        pthread_create(&renderer->threads[renderer->made], NULL, serve, renderer) != 0)
        return;
    renderer->made++;
    renderer->idle++;
}

/* ---- for the thread that owns the socket ---- */

static void free_locks(struct lb_renderer *renderer)
{
    pthread_cond_destroy(&renderer->changed);
    pthread_mutex_destroy(&renderer->lock);
}

enum lb_status lb_renderer_open(struct lb_renderer *renderer, const struct lb_worker_site *site,
                                struct lb_link *link, struct lb_error *error)
{
    *renderer = (struct lb_renderer){.site = site, .link = link};
    pthread_mutex_init(&renderer->lock, NULL);
    pthread_cond_init(&renderer->changed, NULL);
    pthread_mutex_lock(&renderer->lock);
    make_thread(renderer);
    pthread_mutex_unlock(&renderer->lock);
    if (renderer->made > 0)
        return LB_OK;
    free_locks(renderer);
    return lb_error_set(error, LB_ERROR, "no thread to render on");
}

void lb_renderer_close(struct lb_renderer *renderer)
{
    lb_renderer_drop_all(renderer);
    pthread_mutex_lock(&renderer->lock);
    renderer->ends = true;
    pthread_cond_broadcast(&renderer->changed);
    pthread_mutex_unlock(&renderer->lock);
    for (uint32_t i = 0; i < renderer->made; i++)
        pthread_join(renderer->threads[i], NULL);
    free_locks(renderer);
}

/* Under the lock: is no task under way, and none waiting? */
static bool is_idle(struct lb_renderer *renderer)
{
    for (uint32_t i = 0; i < renderer->count; i++)
        if (!task_at(renderer, i)->done)
            return false;
    return true;
}

bool lb_renderer_add(struct lb_renderer *renderer, const struct lb_task *task)
{
    pthread_mutex_lock(&renderer->lock);
    bool fits = renderer->count < LB_TASKS;
    if (fits) {
        struct lb_task *own = task_at(renderer, renderer->count);
        *own = *task;
        own->work.order = &own->order;
        own->work.stop = lb_interrupt_number(stop_of(renderer, own));
        atomic_store(stop_of(renderer, own), 0);
        renderer->count++;
        if (renderer->count - renderer->begun > renderer->idle)
            make_thread(renderer);
        pthread_cond_broadcast(&renderer->changed);
    }
    pthread_mutex_unlock(&renderer->lock);
    return fits;
}

const struct lb_task *lb_renderer_task(struct lb_renderer *renderer, uint32_t index, bool *done)
{
    pthread_mutex_lock(&renderer->lock);
    const struct lb_task *task = index < renderer->count ? task_at(renderer, index) : NULL;
    *done = task && task->done;
    pthread_mutex_unlock(&renderer->lock);
    return task;
}

struct lb_rendered lb_renderer_take(struct lb_renderer *renderer, uint32_t index)
{
    struct lb_rendered *own = &task_at(renderer, index)->rendered;
    pthread_mutex_lock(&renderer->lock);
    struct lb_rendered rendered = *own;
    *own = (struct lb_rendered){.ranges = NULL};
    pthread_mutex_unlock(&renderer->lock);
    return rendered;
}

void lb_renderer_drop(struct lb_renderer *renderer)
{
    pthread_mutex_lock(&renderer->lock);
    lb_task_free(task_at(renderer, 0));
    renderer->first = (renderer->first + 1) % LB_TASKS;
    renderer->count--;
    renderer->begun--;
    pthread_mutex_unlock(&renderer->lock);
}

void lb_renderer_stop(struct lb_renderer *renderer)
{
    for (uint32_t i = 0; i < renderer->count; i++)
        atomic_store(stop_of(renderer, task_at(renderer, i)), 1);
}

void lb_renderer_drop_all(struct lb_renderer *renderer)
{
    lb_renderer_stop(renderer);
    pthread_mutex_lock(&renderer->lock);
    while (!is_idle(renderer))
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
