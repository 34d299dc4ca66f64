/* Where there are many primitives, those that lie together are made a group first: Embree builds a tree of each group,
 * and one above them. Of many at once it would look at each for each level of the tree; one in eight tells as well
 * where those of many groups are to be split (bench/results/load.md). */
#include "core/machine/threads.h"
#include "core/scene/tree/parts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Fewer primitives make no groups. Where those of many groups are to be told apart, so many are looked at, or one in so
 * many; threads are made for no fewer than LEAST_PARTED. */
enum { LEAST_GROUPED = 1 << 16, LEAST_SEEN = 2048, ONE_IN = 8, LEAST_PARTED = 1 << 13 };
/* Beyond so many levels primitives are split in halves, so that none takes too long. */
enum { GROUPS_DEPTH = 64 };

bool lb_tree_is_grouped(const struct lb_tree_task *task)
{
    return !task->options.high_quality && task->options.max_width >= 4 &&
           task->primitives.count >= (task->options.group > 0 ? 1 : LEAST_GROUPED);
}

static size_t most_grouped(const struct lb_tree_options *options)
{
    size_t most = LB_TREE_GROUPED_LEAVES * lb_tree_binary_leaf(options);
    return options->group > 0 && options->group < most ? options->group : most;
}

/* ---- groups ---- */

/* Primitives that are to be groups, by so many threads. */
struct range {
    size_t first, count;
    uint32_t depth, threads;
};

static struct RTCBuildPrimitive *first_of(const struct lb_tree_task *task, const struct range *range)
{
    return (struct RTCBuildPrimitive *)task->primitives.data + range->first;
}

static bool add_group(const struct lb_tree_task *task, struct lb_vector *groups, const struct range *range)
{
    const struct RTCBuildPrimitive *primitives = first_of(task, range);
    struct lb_tree_group *group = lb_vector_add(groups, 1);
    if (!group)
        return false;
    *group = (struct lb_tree_group){.box = lb_box_empty(), .first = range->first, .count = range->count};
    for (size_t i = 0; i < range->count; i++) {
        lb_box one = lb_tree_builder_box(&primitives[i]);
        lb_box_add_box(&group->box, &one);
    }
    return true;
}

/* Each side gets threads in proportion to its primitives, and one or more if there are two. */
static void split_range(const struct lb_tree_task *task, const struct range *range, struct range side[2])
{
    size_t seen = range->count / ONE_IN > LEAST_SEEN ? range->count / ONE_IN : LEAST_SEEN,
           below = range->count / 2;
    if (range->depth < GROUPS_DEPTH)
        below = lb_tree_split(first_of(task, range), range->count, seen, lb_tree_binary_leaf(&task->options));
    uint32_t threads = (uint32_t)((double)below / (double)range->count * range->threads);
    if (threads == 0)
        threads = 1;
    side[0] = (struct range){range->first, below, range->depth + 1, threads};
    side[1] = (struct range){range->first + below, range->count - below, range->depth + 1,
                             range->threads > threads ? range->threads - threads : 1};
}

static bool add_groups(const struct lb_tree_task *task, struct lb_vector *groups, const struct range *range);

/* What another thread does. */
struct part {
    const struct lb_tree_task *task;
    struct lb_vector groups;
    struct range range;
    bool done; /* false: there was no memory */
};

static void *run_part(void *argument)
{
    struct part *part = argument;
    part->done = add_groups(part->task, &part->groups, &part->range);
    return NULL;
}

static bool add_at_once(const struct lb_tree_task *task, struct lb_vector *groups, const struct range side[2])
{
    struct part part = {.task = task, .groups = {.element = groups->element}, .range = side[1]};
    struct lb_tree_group *to = NULL;
    pthread_t thread;
    bool is_running = lb_thread_make(&thread, run_part, &part) == 0,
         done = add_groups(task, groups, &side[0]);
    if (is_running)
        pthread_join(thread, NULL);
    else
        run_part(&part);
    if (done && part.done)
        to = lb_vector_add(groups, part.groups.count);
    if (to)
        memcpy(to, part.groups.data, part.groups.count * sizeof *to);
    lb_vector_free(&part.groups);
    return to != NULL;
}

static bool add_groups(const struct lb_tree_task *task, struct lb_vector *groups, const struct range *range)
{
    if (range->count <= most_grouped(&task->options))
        return add_group(task, groups, range);
    struct range side[2];
    split_range(task, range, side);
    if (range->threads > 1 && range->count >= LEAST_PARTED)
        return add_at_once(task, groups, side);
    return add_groups(task, groups, &side[0]) && add_groups(task, groups, &side[1]);
}

bool lb_tree_groups(struct lb_tree_task *task)
{
    struct range all = {0, task->primitives.count, 0, task->options.threads};
    task->groups = (struct lb_vector){.element = sizeof(struct lb_tree_group)};
    return add_groups(task, &task->groups, &all);
}

/* ---- trees ---- */

static bool build_group(struct lb_tree_task *task, struct lb_tree_group *group)
{
    struct RTCBuildArguments arguments = lb_tree_arguments(task);
    group->bvh = rtcNewBVH(task->device);
    arguments.bvh = group->bvh;
    arguments.primitives += group->first;
    arguments.primitiveCount = arguments.primitiveArrayCapacity = group->count;
    arguments.maxDepth = LB_TREE_GROUP_DEPTH;
    group->root = group->bvh ? lb_tree_call(&arguments) : NULL;
    return group->root != NULL;
}

/* Which group is the next that a thread takes. */
struct queue {
    struct lb_tree_task *task;
    atomic_size_t next;
    atomic_bool failed;
};

static void *build_groups(void *argument)
{
    struct queue *queue = argument;
    struct lb_tree_group *groups = queue->task->groups.data;
    for (size_t i; (i = atomic_fetch_add(&queue->next, 1)) < queue->task->groups.count;)
        if (!build_group(queue->task, &groups[i]))
            atomic_store(&queue->failed, true);
    return NULL;
}

/* All groups' trees, by all threads. Were Embree asked for them when it comes to them, it would have one thread build
 * them all, as it has no second one begin on fewer than 1024 primitives, which are groups there. */
static bool build_each(struct lb_tree_task *task)
{
    struct queue queue = {.task = task};
    uint32_t most = task->options.threads - 1, made = 0;
    pthread_t *threads = malloc((most + 1) * sizeof *threads);
    while (threads && made < most && lb_thread_make(&threads[made], build_groups, &queue) == 0)
        made++;
    build_groups(&queue);
    for (uint32_t i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return !atomic_load(&queue.failed);
}

/* A group's tree, for which Embree wants a leaf. */
static void *take_group(RTCThreadLocalAllocator allocator, const struct RTCBuildPrimitive *primitive,
                        size_t count, void *user)
{
    (void)allocator, (void)count;
    const struct lb_tree_task *task = user;
    return ((const struct lb_tree_group *)task->groups.data)[primitive->primID].root;
}

void *lb_tree_of_groups(struct lb_tree_task *task)
{
    struct RTCBuildArguments arguments = lb_tree_arguments(task);
    struct lb_vector primitives = {.element = sizeof(struct RTCBuildPrimitive)};
    if (!lb_tree_groups(task) || !build_each(task))
        return NULL;
    const struct lb_tree_group *groups = task->groups.data;
    struct RTCBuildPrimitive *to = lb_vector_add(&primitives, task->groups.count);
    if (!to)
        return NULL;
    for (size_t i = 0; i < task->groups.count; i++)
        to[i] = lb_tree_build_primitive(&groups[i].box, 0, (uint32_t)i);
    arguments.primitives = to;
    arguments.primitiveCount = arguments.primitiveArrayCapacity = task->groups.count;
    arguments.sahBlockSize = arguments.maxLeafSize = 1;
    arguments.maxDepth -= LB_TREE_GROUP_DEPTH;
    arguments.createLeaf = take_group;
    void *root = lb_tree_call(&arguments);
    lb_vector_free(&primitives);
    return root;
}

void lb_tree_groups_free(struct lb_tree_task *task)
{
    struct lb_tree_group *groups = task->groups.data;
    for (size_t i = 0; i < task->groups.count; i++)
        if (groups[i].bvh)
            rtcReleaseBVH(groups[i].bvh);
    lb_vector_free(&task->groups);
}
