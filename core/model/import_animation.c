/* Animations: where nodes stand at a time. */
#include "core/model/import_bend.h"
#include "core/model/import_names.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which one ---- */

static double seconds_of(const struct aiAnimation *animation)
{
    /* Where a file leaves open what a tick is, it is taken for the 25th part of a second, as Assimp's viewer does. */
    double rate = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    double seconds = animation->mDuration / rate;
    return seconds > 0.0 && seconds < 1e9 ? seconds : 0.0;
}

static void add_names(const struct lb_model_work *work, unsigned but, struct lb_text *names)
{
    const char *between = "";
    for (unsigned i = 0; i < work->scene->mNumAnimations && names->length < 300; i++) {
        if (i == but)
            continue;
        lb_text_add(names, "%s\"", between);
        lb_text_add_printable(names, work->scene->mAnimations[i]->mName.data, 40);
        lb_text_add(names, "\"");
        between = ", ";
    }
}

static enum lb_status refuse(const struct lb_model_work *work)
{
    struct lb_text names = {.data = NULL};
    add_names(work, UINT_MAX, &names);
    return lb_error_set(work->error, LB_ERROR, "%s: no animation is called \"%s\"%s%s", work->path,
                        work->options->animation,
                        work->scene->mNumAnimations ? "; there are: " : ", nor is there any other",
                        names.data ? names.data : "");
}

/* ---- its channels ---- */

/* What a node's transformation is made of. */
struct node_pose {
    double shift[3], turn[4] /* a quaternion: w, x, y, z */, scale[3];
};

struct lb_model_moved {
    struct aiNode *node;
    const struct aiNodeAnim *keys;
    struct node_pose rest; /* for what the channel says nothing of */
    bool steps[3];         /* glTF: shift, turn and scale stay as they are up to the next key */
};

/* A rotation's quaternion, by Shepperd's method: the largest of four numbers is the one that is divided by. */
static void turn_of(double m[3][3], double q[4])
{
    double trace = m[0][0] + m[1][1] + m[2][2];
    int largest = 0;
    for (int i = 1; i <= 3; i++)
        largest = m[i - 1][i - 1] > (largest ? m[largest - 1][largest - 1] : trace) ? i : largest;
    if (largest == 0) {
        double root = sqrt(1.0 + trace);
        q[0] = 0.5 * root;
        q[1] = (m[2][1] - m[1][2]) * 0.5 / root;
        q[2] = (m[0][2] - m[2][0]) * 0.5 / root;
        q[3] = (m[1][0] - m[0][1]) * 0.5 / root;
        return;
    }
    int a = largest - 1, b = (a + 1) % 3, c = (a + 2) % 3;
    double root = sqrt(fmax(1.0 + m[a][a] - m[b][b] - m[c][c], 1e-30));
    q[0] = (m[c][b] - m[b][c]) * 0.5 / root;
    q[1 + a] = 0.5 * root;
    q[1 + b] = (m[b][a] + m[a][b]) * 0.5 / root;
    q[1 + c] = (m[c][a] + m[a][c]) * 0.5 / root;
}

static struct node_pose take_apart(const struct aiMatrix4x4 *matrix)
{
    lb_model_pose pose = lb_model_pose_of(matrix);
    struct node_pose parts;
    double columns[3][3];
    for (int axis = 0; axis < 3; axis++) {
        double squares = 0.0;
        for (int row = 0; row < 3; row++)
            squares += pose.m[row][axis] * pose.m[row][axis];
        parts.shift[axis] = pose.m[axis][3];
        parts.scale[axis] = sqrt(squares);
    }
    if (lb_model_pose_mirrors(&pose))
        parts.scale[0] = -parts.scale[0];
    for (int row = 0; row < 3; row++)
        for (int axis = 0; axis < 3; axis++)
            columns[row][axis] =
                parts.scale[axis] != 0.0 ? pose.m[row][axis] / parts.scale[axis] : row == axis;
    turn_of(columns, parts.turn);
    return parts;
}

static lb_model_pose put_together(const struct node_pose *p)
{
    const double w = p->turn[0], x = p->turn[1], y = p->turn[2], z = p->turn[3];
    const double turn[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
                               {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
                               {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
    lb_model_pose pose;
    for (int row = 0; row < 3; row++) {
        for (int axis = 0; axis < 3; axis++)
            pose.m[row][axis] = turn[row][axis] * p->scale[axis];
        pose.m[row][3] = p->shift[row];
    }
    return pose;
}

/* Assimp 5.2 does not say which channels of glTF step, so the file's own text does. */
static bool mark_steps(struct lb_model_work *work, const struct lb_model_names *channels, const char *name,
                       const char *path)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    for (size_t k = lb_model_first_named(channels, name);
         k < channels->count && !strcmp(channels->list[k].name, name); k++)
        for (int part = 0; part < 3; part++)
            if (!strcmp(path, paths[part]))
                work->channels[channels->list[k].order].steps[part] = true;
    if (strcmp(path, "weights") != 0)
        return true;
    char *kept = strdup(name); /* as long as the process */
    return kept && lb_model_add_name(&work->stepping, kept, NULL);
}

static bool find_steps(struct lb_model_work *work, unsigned number, const struct lb_model_names *bound)
{
    const json_t *about = json_array_get(json_object_get(work->document, "animations"), number),
                 *channels = json_object_get(about, "channels"),
                 *samplers = json_object_get(about, "samplers"),
                 *nodes = json_object_get(work->document, "nodes");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *channel = json_array_get(channels, i), *target = json_object_get(channel, "target"),
                     *sampler = json_object_get(channel, "sampler"), *index = json_object_get(target, "node");
        if (!json_is_integer(sampler) || !json_is_integer(index))
            continue;
        const char *way = json_string_value(json_object_get(
                       json_array_get(samplers, (size_t)json_integer_value(sampler)), "interpolation")),
                   *path = json_string_value(json_object_get(target, "path")),
                   *name = json_string_value(
                       json_object_get(json_array_get(nodes, (size_t)json_integer_value(index)), "name"));
        if (!way || strcmp(way, "STEP") != 0 || !path)
            continue;
        char numbered[32];
        snprintf(numbered, sizeof numbered, "nodes_%lld", (long long)json_integer_value(index));
        if (!mark_steps(work, bound, name ? name : numbered, path))
            return false;
    }
    lb_model_sort_names(&work->stepping);
    return true;
}

/* The node of each channel; channels of nodes that are not there move nothing. */
static bool bind_channels(struct lb_model_work *work, const struct aiAnimation *animation,
                          const struct lb_model_names *nodes, struct lb_model_names *bound)
{
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        const struct aiNodeAnim *keys = animation->mChannels[i];
        size_t found = lb_model_first_named(nodes, keys->mNodeName.data);
        if (found == nodes->count)
            continue;
        struct aiNode *node = nodes->list[found].thing;
        work->channels[work->channel_count++] =
            (struct lb_model_moved){.node = node, .keys = keys, .rest = take_apart(&node->mTransformation)};
        if (!lb_model_add_name(bound, keys->mNodeName.data, NULL))
            return false;
    }
    lb_model_sort_names(bound);
    return true;
}

static enum lb_status bind(struct lb_model_work *work, unsigned number)
{
    const struct aiAnimation *animation = work->scene->mAnimations[number];
    struct lb_model_names nodes = {.list = NULL}, bound = {.list = NULL};
    work->seconds = seconds_of(animation);
    work->ticks = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    work->channels = calloc((size_t)animation->mNumChannels + 1, sizeof *work->channels);
    work->animation = animation;
    bool done = work->channels && lb_model_name_nodes(&nodes, work->scene->mRootNode) &&
                bind_channels(work, animation, &nodes, &bound) && find_steps(work, number, &bound);
    free(nodes.list);
    free(bound.list);
    work->moves = work->channel_count > 0 || animation->mNumMorphMeshChannels > 0;
    return done ? LB_OK : lb_error_memory(work->error, work->path);
}

/* ---- at a time ---- */

static void vector_at(const struct aiVectorKey *keys, unsigned count, bool steps, double time, double to[3])
{
    double part;
    if (count == 0)
        return;
    unsigned at = lb_model_find_key(&keys->mTime, sizeof *keys, count, time, &part);
    const struct aiVector3D *a = &keys[at].mValue, *b = part > 0.0 && !steps ? &keys[at + 1].mValue : a;
    const double from[3] = {(double)a->x, (double)a->y, (double)a->z},
                 till[3] = {(double)b->x, (double)b->y, (double)b->z};
    for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis] + part * (till[axis] - from[axis]);
}

static void to_quaternion(const struct aiQuaternion *q, double to[4])
{
    to[0] = (double)q->w, to[1] = (double)q->x, to[2] = (double)q->y, to[3] = (double)q->z;
}

/* Along the shorter way around, at an even speed. */
static void turn_at(const struct aiQuatKey *keys, unsigned count, bool steps, double time, double to[4])
{
    double part, from[4], till[4], cosine = 0.0, squares = 0.0;
    if (count == 0)
        return;
    unsigned at = lb_model_find_key(&keys->mTime, sizeof *keys, count, time, &part);
    part = steps ? 0.0 : part;
    to_quaternion(&keys[at].mValue, from);
    to_quaternion(&keys[part > 0.0 ? at + 1 : at].mValue, till);
    for (int i = 0; i < 4; i++)
        cosine += from[i] * till[i];
    double sign = cosine < 0.0 ? -1.0 : 1.0, angle = acos(fmin(1.0, fabs(cosine)));
    double a = 1.0 - part, b = part; /* of two that are nearly the same */
    if (angle > 1e-4)
        a = sin((1.0 - part) * angle) / sin(angle), b = sin(part * angle) / sin(angle);
    for (int i = 0; i < 4; i++) {
        to[i] = a * from[i] + sign * b * till[i];
        squares += to[i] * to[i];
    }
    for (int i = 0; i < 4; i++)
        to[i] = squares > 0.0 ? to[i] / sqrt(squares) : i == 0;
}

void lb_model_move_to(struct lb_model_work *work, double seconds)
{
    double time = fmin(seconds, work->seconds) * work->ticks;
    for (unsigned i = 0; i < work->channel_count; i++) {
        const struct lb_model_moved *channel = &work->channels[i];
        const struct aiNodeAnim *keys = channel->keys;
        struct node_pose parts = channel->rest;
        vector_at(keys->mPositionKeys, keys->mNumPositionKeys, channel->steps[0], time, parts.shift);
        turn_at(keys->mRotationKeys, keys->mNumRotationKeys, channel->steps[1], time, parts.turn);
        vector_at(keys->mScalingKeys, keys->mNumScalingKeys, channel->steps[2], time, parts.scale);
        lb_model_pose pose = put_together(&parts);
        struct aiMatrix4x4 *m = &channel->node->mTransformation;
        ai_real *rows[3] = {&m->a1, &m->b1, &m->c1};
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                rows[row][column] = (ai_real)pose.m[row][column];
    }
    lb_model_bend(work, time);
}

double lb_model_time_of(const struct lb_model_work *work, uint32_t frame)
{
    const struct lb_model_frames *frames = &work->options->frames;
    if (frames->count && frames->rate <= 0.0)
        return work->seconds * frame / frames->count;
    return frame / (frames->rate > 0.0 ? frames->rate : 24.0);
}

/* ---- the choice ---- */

enum lb_status lb_model_choose_animation(struct lb_model_work *work)
{
    const struct aiScene *scene = work->scene;
    const char *name = work->options->animation;
    unsigned chosen = 0;
    while (name && chosen < scene->mNumAnimations &&
           strcmp(scene->mAnimations[chosen]->mName.data, name) != 0)
        chosen++;
    if (name && chosen == scene->mNumAnimations)
        return refuse(work);
    if (!work->options->frames.given || scene->mNumAnimations == 0)
        return LB_OK;
    if (!name && scene->mNumAnimations > 1) {
        struct lb_text others = {.data = NULL};
        add_names(work, chosen, &others);
        lb_log_write(work->log, LB_WARNING,
                     "%s: of its %u animations the first one is shown; --animation chooses another: %s",
                     work->path, scene->mNumAnimations, others.data ? others.data : "");
        free(lb_text_take(&others));
    }
    return bind(work, chosen);
}
