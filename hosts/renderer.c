#include "hosts/renderer.h"

#include <stdlib.h>
#include <string.h>

static void perform(struct lb_renderer *renderer, struct lb_task *task)
{
    const struct lb_worker_site *site = renderer->site;
    if (task->kind == LB_TASK_OPEN)
        task->status = site->open(site->user, task->scene, &task->error);
    else
        task->status = site->render(site->user, &task->work, &task->result, &task->error);
}

static void *serve(void *argument)
{
    struct lb_renderer *renderer = argument;
    pthread_mutex_lock(&renderer->lock);
    for (;;) {
        while (!renderer->busy)
            pthread_cond_wait(&renderer->changed, &renderer->lock);
        if (renderer->task.kind == LB_TASK_END)
            break;
        pthread_mutex_unlock(&renderer->lock);
        perform(renderer, &renderer->task);
        pthread_mutex_lock(&renderer->lock);
        renderer->busy = false;
        pthread_cond_broadcast(&renderer->changed);
        lb_link_wake(renderer->link);
    }
    pthread_mutex_unlock(&renderer->lock);
    return NULL;
}

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
    lb_renderer_drop(renderer);
    lb_renderer_start(renderer, &(struct lb_task){.kind = LB_TASK_END});
    pthread_join(renderer->thread, NULL);
    pthread_cond_destroy(&renderer->changed);
    pthread_mutex_destroy(&renderer->lock);
}

bool lb_renderer_is_busy(struct lb_renderer *renderer)
{
    pthread_mutex_lock(&renderer->lock);
    bool busy = renderer->busy || renderer->task.kind != LB_TASK_NONE;
    pthread_mutex_unlock(&renderer->lock);
    return busy;
}

void lb_renderer_start(struct lb_renderer *renderer, const struct lb_task *task)
{
    pthread_mutex_lock(&renderer->lock);
    renderer->task = *task;
    renderer->task.work.order = &renderer->task.order;
    renderer->task.work.stop = (const int *)&renderer->stop;
    renderer->busy = true;
    atomic_store(&renderer->stop, 0);
    pthread_cond_broadcast(&renderer->changed);
    pthread_mutex_unlock(&renderer->lock);
}

bool lb_renderer_finished(struct lb_renderer *renderer, struct lb_task *task)
{
    pthread_mutex_lock(&renderer->lock);
    bool finished = !renderer->busy && renderer->task.kind != LB_TASK_NONE;
    if (finished) {
        *task = renderer->task;
        renderer->task = (struct lb_task){.kind = LB_TASK_NONE};
    }
    pthread_mutex_unlock(&renderer->lock);
    return finished;
}

void lb_renderer_drop(struct lb_renderer *renderer)
{
    struct lb_task task;
    atomic_store(&renderer->stop, 1);
    pthread_mutex_lock(&renderer->lock);
    while (renderer->busy)
        pthread_cond_wait(&renderer->changed, &renderer->lock);
    pthread_mutex_unlock(&renderer->lock);
    if (lb_renderer_finished(renderer, &task))
        lb_task_free(&task);
}

void lb_task_free(struct lb_task *task)
{
    free(task->message);
    free(task->result.pixels);
    free(task->result.cost);
}
