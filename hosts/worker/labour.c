#include "hosts/worker/labour.h"

#include "hosts/worker/fetch.h"
#include "hosts/wire/pack.h"

#include <stdlib.h>
#include <string.h>

/* Makes a result with arrays for what the job wants. Sums of channels are made only where the scene has channels.
 * False: there is no memory. */
static bool make_result(struct lb_result *result, const lb_scene *scene, const struct lb_message_job *job)
{
    uint64_t count = job->range.end - job->range.begin;
    uint32_t sums = job->want_sums ? scene->channels.count : 0;
    *result = (struct lb_result){.sum_count = sums, .cost_in_seconds = job->cost_in_seconds != 0};
    result->pixels = calloc(count, sizeof *result->pixels);
    result->sums = sums ? calloc(count, sums * sizeof *result->sums) : NULL;
    result->cost = job->want_cost ? calloc(count, sizeof *result->cost) : NULL;
    return result->pixels && (result->sums || !sums) && (result->cost || !job->want_cost);
}

void lb_worker_take_job(struct lb_worker *w, const struct lb_message *message, const void *data, size_t size)
{
    const lb_scene *scene = (const lb_scene *)(void *)w->block.bytes;
    struct lb_task task = {.kind = LB_TASK_RENDER, .job = message->job};
    struct lb_message_job job;
    if (!w->open || !lb_scene_mark_equal(message->scene, w->block.mark)) {
        lb_worker_end(w, LB_ERROR, "the primary sent work out of turn");
        return;
    }
    task.message = malloc(size);
    if (task.message)
        memcpy(task.message, data, size);
    if (task.message && !lb_message_job_read(task.message, size, scene, &task.order, &task.work, &job)) {
        lb_task_free(&task);
        lb_worker_end(w, LB_ERROR, "the primary sent work that does not fit the scene");
        return;
    }
    task.did = calloc(w->options->processors + 1, sizeof *task.did);
    if (!task.message || !task.did || !make_result(&task.result, scene, &job)) {
        struct lb_error error;
        lb_task_free(&task);
        lb_error_memory(&error, "the work");
        lb_worker_fail(w, &error);
        return;
    }
    task.work.scene = scene;
    if (lb_renderer_add(&w->renderer, &task))
        return;
    lb_task_free(&task);
    lb_worker_end(w, LB_ERROR, "the primary sent more work than was agreed");
}

/* Sends positions of the task's result in stripes. */
static void send_range(struct lb_worker *w, const struct lb_task *task, struct lb_range range)
{
    const struct lb_result *result = &task->result;
    size_t each = lb_stripe_position(result);
    uint64_t most = LB_STRIPE_BYTES / each;
    char stripe[LB_STRIPE_BYTES], packed[LB_STRIPE_BYTES];
    while (range.begin < range.end) {
        uint64_t left = range.end - range.begin, count = left < most ? left : most;
        struct lb_message message = {
            .kind = LB_MESSAGE_PIXELS, .job = task->job, .begin = range.begin, .count = count};
        lb_stripe_write(result, range.begin, count, stripe);
        size_t size = w->raw_is_faster ? 0 : lb_pack(stripe, count * each, packed);
        message.packed = size > 0;
        lb_worker_send(w, &message, size ? packed : stripe, size ? size : count * each);
        range.begin += count;
    }
}

/* Sends what was rendered of the index-th task by now. */
static void send_rendered(struct lb_worker *w, const struct lb_task *task, uint32_t index)
{
    struct lb_rendered rendered = lb_renderer_take(&w->renderer, index);
    for (size_t i = 0; i < rendered.count; i++)
        send_range(w, task, rendered.ranges[i]);
    free(rendered.ranges);
}

static void send_done(struct lb_worker *w, const struct lb_task *task)
{
    const struct lb_result *result = &task->result;
    struct lb_message done = {.kind = LB_MESSAGE_DONE,
                              .stopped = result->stopped,
                              .job = task->job,
                              .samples = result->samples,
                              .seconds = result->render_seconds,
                              .counters = result->counters};
    lb_worker_send(w, &done, task->did, lb_processors_told(w->options->processors) * sizeof *task->did);
}

/* Ends the first task, which is done. */
static void end_task(struct lb_worker *w, const struct lb_task *task)
{
    enum lb_task_kind kind = task->kind;
    bool well = task->status == LB_OK;
    if (!well && kind != LB_TASK_READ)
        lb_worker_fail(w, &task->error);
    else if (kind == LB_TASK_RENDER)
        send_done(w, task);
    lb_renderer_drop(&w->renderer);
    if (kind == LB_TASK_READ) {
        lb_worker_looked(w, well);
    } else if (well && kind == LB_TASK_OPEN) {
        w->open = true;
        lb_worker_say_ready(w);
    }
}

void lb_worker_deliver(struct lb_worker *w)
{
    bool done;
    const struct lb_task *task;
    uint32_t under_way = 0; /* before this task */
    while (!w->leaves && (task = lb_renderer_task(&w->renderer, under_way, &done)) != NULL) {
        if (task->kind == LB_TASK_RENDER)
            send_rendered(w, task, under_way);
        /* Tasks end in the order in which they were given, however they are done. */
        if (done && under_way == 0)
            end_task(w, task);
        else
            under_way++;
    }
}
