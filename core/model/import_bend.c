#include "core/model/import_bend.h"

#include "core/base/ending.h"
#include "core/model/import_names.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A mesh that something bends. Its vertices and normals are made anew, from those that the file has, each time. */
struct lb_model_bent {
    struct aiMesh *mesh;
    bool skinned;
    struct aiVector3D *points, *normals; /* as the file has them; normals NULL: none */
    size_t *bones;   /* the node of each, by its number in a walk; SIZE_MAX: there is none */
    size_t home;     /* the first node that shows the mesh; SIZE_MAX: none does */
    double *weights; /* of the morph targets, now */
    const struct aiMeshMorphAnim *keys; /* NULL: the weights stay as they are */
    bool steps;
};

struct lb_model_bends {
    struct lb_model_bent *list;
    size_t count;
    size_t *of_mesh;      /* a mesh each: its number in the list, SIZE_MAX: nothing bends it */
    lb_model_pose *poses; /* a node each, as a walk meets them */
    size_t nodes, walked;
    struct blend *blends; /* a vertex each, of the largest mesh */
};

/* What bones make of a vertex: the sum of their poses, and of their weights. */
struct blend {
    double m[3][4], weight;
};

/* ---- finding ---- */

static bool has_targets(const struct lb_model_work *work, const struct aiMesh *mesh)
{
    bool known =
        work->gltf || lb_ends_in(work->path, ".dae"); /* of others Assimp's weights are not those at rest */
    for (unsigned i = 0; known && i < mesh->mNumAnimMeshes; i++)
        known = mesh->mAnimMeshes[i]->mNumVertices == mesh->mNumVertices;
    return known && mesh->mNumAnimMeshes > 0;
}

static bool take_bones(struct lb_model_bent *bent, const struct lb_model_names *nodes)
{
    const struct aiMesh *mesh = bent->mesh;
    bent->bones = calloc((size_t)mesh->mNumBones + 1, sizeof *bent->bones);
    for (unsigned i = 0; bent->bones && i < mesh->mNumBones; i++) {
        size_t found = lb_model_first_named(nodes, mesh->mBones[i]->mName.data);
        bent->bones[i] = found < nodes->count ? nodes->list[found].order : SIZE_MAX;
        bent->skinned = bent->skinned || found < nodes->count;
    }
    return bent->bones != NULL;
}

/* The animation of its targets, which has the name of the node that shows it, or of the mesh. */
static void take_keys(struct lb_model_bent *bent, const struct aiNode *home,
                      const struct lb_model_names *keys)
{
    size_t found = home ? lb_model_first_named(keys, home->mName.data) : keys->count;
    if (found == keys->count)
        found = lb_model_first_named(keys, bent->mesh->mName.data);
    if (found < keys->count)
        bent->keys = keys->list[found].thing;
}

static bool take_targets(struct lb_model_bent *bent)
{
    const struct aiMesh *mesh = bent->mesh;
    bent->weights = calloc((size_t)mesh->mNumAnimMeshes + 1, sizeof *bent->weights);
    for (unsigned i = 0; bent->weights && i < mesh->mNumAnimMeshes; i++)
        bent->weights[i] = (double)mesh->mAnimMeshes[i]->mWeight;
    return bent->weights != NULL;
}

/* The mesh gets arrays of its own, which are written into. */
static bool take_vertices(struct lb_model_bent *bent)
{
    struct aiMesh *mesh = bent->mesh;
    size_t size = mesh->mNumVertices * sizeof *mesh->mVertices;
    bent->points = mesh->mVertices;
    bent->normals = mesh->mNormals;
    mesh->mVertices = malloc(size + 1);
    mesh->mNormals = bent->normals ? malloc(size + 1) : NULL;
    if (!mesh->mVertices || (bent->normals && !mesh->mNormals))
        return false;
    memcpy(mesh->mVertices, bent->points, size);
    if (bent->normals)
        memcpy(mesh->mNormals, bent->normals, size);
    return true;
}

static bool is_there(const struct lb_model_bends *bends, size_t mesh)
{
    return bends && bends->of_mesh[mesh] != SIZE_MAX;
}

bool lb_model_is_bent(const struct lb_model_work *work, unsigned mesh)
{
    return is_there(work->bends, mesh);
}

bool lb_model_is_skinned(const struct lb_model_work *work, unsigned mesh)
{
    return is_there(work->bends, mesh) && work->bends->list[work->bends->of_mesh[mesh]].skinned;
}

lb_model_pose lb_model_pose_shown(const struct lb_model_work *work, unsigned mesh, const lb_model_pose *node)
{
    static const lb_model_pose world = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    return lb_model_is_skinned(work, mesh) ? world : *node;
}

/* One more in the list, if something bends the mesh. */
static enum lb_status take_mesh(struct lb_model_work *work, unsigned number,
                                const struct lb_model_names *nodes)
{
    struct lb_model_bends *bends = work->bends;
    struct aiMesh *mesh = work->scene->mMeshes[number];
    struct lb_model_bent bent = {.mesh = mesh, .home = SIZE_MAX};
    bends->of_mesh[number] = SIZE_MAX;
    if (!mesh->mVertices || mesh->mNumVertices == 0)
        return LB_OK;
    bool morphs = has_targets(work, mesh);
    if (!take_bones(&bent, nodes) || (morphs && !take_targets(&bent)))
        return lb_error_memory(work->error, work->path);
    if (!morphs && !bent.skinned)
        return LB_OK;
    bends->of_mesh[number] = bends->count;
    bends->list[bends->count++] = bent;
    return take_vertices(&bends->list[bends->count - 1]) ? LB_OK : lb_error_memory(work->error, work->path);
}

/* The first node that shows a mesh has the animation of its targets, and what no bone holds stands there. */
static void find_home(struct lb_model_work *work, const struct aiNode *node, size_t order,
                      const struct lb_model_names *keys)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        unsigned number = node->mMeshes[i];
        if (number >= work->scene->mNumMeshes || !is_there(work->bends, number))
            continue;
        struct lb_model_bent *bent = &work->bends->list[work->bends->of_mesh[number]];
        if (bent->home != SIZE_MAX)
            continue;
        bent->home = order;
        if (bent->weights)
            take_keys(bent, node, keys);
        bent->steps = lb_model_first_named(&work->stepping, node->mName.data) < work->stepping.count;
    }
}

static bool list_keys(const struct lb_model_work *work, struct lb_model_names *keys)
{
    const struct aiAnimation *animation = work->animation;
    for (unsigned i = 0; animation && i < animation->mNumMorphMeshChannels; i++) {
        struct aiMeshMorphAnim *channel = animation->mMorphMeshChannels[i];
        if (channel->mNumKeys > 0 && !lb_model_add_name(keys, channel->mName.data, channel))
            return false;
    }
    lb_model_sort_names(keys);
    return true;
}

static enum lb_status take_all(struct lb_model_work *work, const struct lb_model_names *nodes,
                               const struct lb_model_names *keys)
{
    size_t largest = 0;
    enum lb_status status = LB_OK;
    for (unsigned i = 0; status == LB_OK && i < work->scene->mNumMeshes; i++) {
        status = take_mesh(work, i, nodes);
        if (status == LB_OK && is_there(work->bends, i) && work->scene->mMeshes[i]->mNumVertices > largest)
            largest = work->scene->mMeshes[i]->mNumVertices;
    }
    for (size_t i = 0; status == LB_OK && i < nodes->count; i++)
        find_home(work, nodes->list[i].thing, nodes->list[i].order, keys);
    work->bends->nodes = nodes->count;
    work->bends->poses = calloc(nodes->count + 1, sizeof *work->bends->poses);
    work->bends->blends = calloc(largest + 1, sizeof *work->bends->blends);
    if (status == LB_OK && (!work->bends->poses || !work->bends->blends))
        status = lb_error_memory(work->error, work->path);
    return status;
}

static void warn_of(const struct lb_model_work *work, const char *what, unsigned count, const char *name)
{
    struct lb_text text = {.data = NULL};
    if (count == 0)
        return;
    lb_text_add_printable(&text, name, 60);
    lb_log_write(work->log, LB_WARNING, "%s: %s of meshes are left out: %u %s, as \"%s\"", work->path, what,
                 count, count == 1 ? "mesh has them" : "meshes have them", text.data ? text.data : "");
    free(lb_text_take(&text));
}

static void warn(const struct lb_model_work *work)
{
    unsigned skins = 0, morphs = 0;
    const char *skin = "", *morph = "";
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = work->scene->mMeshes[i];
        if (mesh->mNumBones > 0 && !lb_model_is_skinned(work, i) && skins++ == 0)
            skin = mesh->mName.data;
        if (mesh->mNumAnimMeshes > 0 && !has_targets(work, mesh) && morphs++ == 0)
            morph = mesh->mName.data;
    }
    warn_of(work, "skins (bones)", skins, skin);
    warn_of(work, "morph targets", morphs, morph);
}

enum lb_status lb_model_find_bends(struct lb_model_work *work)
{
    size_t meshes = work->scene->mNumMeshes;
    struct lb_model_names nodes = {.list = NULL}, keys = {.list = NULL};
    work->bends = calloc(1, sizeof *work->bends);
    if (!work->bends)
        return lb_error_memory(work->error, work->path);
    work->bends->list = calloc(meshes + 1, sizeof *work->bends->list);
    work->bends->of_mesh = calloc(meshes + 1, sizeof *work->bends->of_mesh);
    enum lb_status status = LB_OK;
    if (!work->bends->list || !work->bends->of_mesh || !lb_model_name_nodes(&nodes, work->scene->mRootNode) ||
        !list_keys(work, &keys))
        status = lb_error_memory(work->error, work->path);
    if (status == LB_OK)
        status = take_all(work, &nodes, &keys);
    free(nodes.list);
    free(keys.list);
    if (status != LB_OK)
        return status;
    warn(work);
    lb_model_bend(work, NAN);
    return LB_OK;
}

/* ---- bending ---- */

/* The weights of the targets at a tick: of a key, those that it names. */
static void weigh_targets(const struct lb_model_bent *bent, double tick)
{
    const struct aiMeshMorphAnim *keys = bent->keys;
    if (!keys || isnan(tick)) {
        for (unsigned i = 0; i < bent->mesh->mNumAnimMeshes; i++)
            bent->weights[i] = (double)bent->mesh->mAnimMeshes[i]->mWeight;
        return;
    }
    double part;
    unsigned at = lb_model_find_key(&keys->mKeys->mTime, sizeof *keys->mKeys, keys->mNumKeys, tick, &part);
    part = bent->steps ? 0.0 : part;
    for (unsigned end = 0; end <= (part > 0.0); end++) {
        const struct aiMeshMorphKey *key = &keys->mKeys[at + end];
        for (unsigned i = 0; i < key->mNumValuesAndWeights; i++) {
            if (key->mValues[i] >= bent->mesh->mNumAnimMeshes)
                continue;
            double *weight = &bent->weights[key->mValues[i]];
            *weight = end ? *weight + part * (key->mWeights[i] - *weight) : key->mWeights[i];
        }
    }
}

/* Adds to each vertex what a target has beyond the mesh, times its weight. */
static void add_target(struct aiVector3D *to, const struct aiVector3D *base, const struct aiVector3D *target,
                       unsigned count, float weight)
{
    for (unsigned i = 0; to && target && i < count; i++) {
        to[i].x += weight * (target[i].x - base[i].x);
        to[i].y += weight * (target[i].y - base[i].y);
        to[i].z += weight * (target[i].z - base[i].z);
    }
}

static void morph(const struct lb_model_bent *bent)
{
    struct aiMesh *mesh = bent->mesh;
    for (unsigned i = 0; i < mesh->mNumAnimMeshes; i++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[i];
        float weight = (float)bent->weights[i];
        if (!isfinite(weight) || weight == 0.0f)
            continue;
        add_target(mesh->mVertices, bent->points, target->mVertices, mesh->mNumVertices, weight);
        add_target(mesh->mNormals, bent->normals, target->mNormals, mesh->mNumVertices, weight);
    }
}

static void add_pose(struct blend *blend, const lb_model_pose *pose, double weight)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            blend->m[row][column] += weight * pose->m[row][column];
    blend->weight += weight;
}

static void blend_bones(const struct lb_model_bends *bends, const struct lb_model_bent *bent)
{
    const struct aiMesh *mesh = bent->mesh;
    memset(bends->blends, 0, mesh->mNumVertices * sizeof *bends->blends);
    for (unsigned i = 0; i < mesh->mNumBones; i++) {
        const struct aiBone *bone = mesh->mBones[i];
        if (bent->bones[i] >= bends->walked)
            continue;
        lb_model_pose offset = lb_model_pose_of(&bone->mOffsetMatrix);
        lb_model_pose pose = lb_model_pose_times(&bends->poses[bent->bones[i]], &offset);
        for (unsigned k = 0; k < bone->mNumWeights; k++) {
            double weight = (double)bone->mWeights[k].mWeight;
            if (bone->mWeights[k].mVertexId < mesh->mNumVertices && weight > 0.0 && weight < 1e18)
                add_pose(&bends->blends[bone->mWeights[k].mVertexId], &pose, weight);
        }
    }
}

/* A normal goes with the planes that it stands on: by the matrix of the pose's cofactors, and to the same side. */
static void turn_normal(const lb_model_pose *pose, struct aiVector3D *normal)
{
    const double(*m)[4] = pose->m, n[3] = {(double)normal->x, (double)normal->y, (double)normal->z};
    double turned[3], sign = lb_model_pose_mirrors(pose) ? -1.0 : 1.0;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turned[a] = sign * ((m[b][1] * m[c][2] - m[b][2] * m[c][1]) * n[0] +
                            (m[b][2] * m[c][0] - m[b][0] * m[c][2]) * n[1] +
                            (m[b][0] * m[c][1] - m[b][1] * m[c][0]) * n[2]);
    }
    lb_model_normalize(turned);
    *normal = (struct aiVector3D){(float)turned[0], (float)turned[1], (float)turned[2]};
}

static void skin(const struct lb_model_bends *bends, const struct lb_model_bent *bent)
{
    struct aiMesh *mesh = bent->mesh;
    blend_bones(bends, bent);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        struct blend *blend = &bends->blends[i];
        if (!(blend->weight > 0.0) && bent->home < bends->walked)
            add_pose(blend, &bends->poses[bent->home], 1.0);
        lb_model_pose pose;
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                pose.m[row][column] = blend->m[row][column] / blend->weight;
        struct aiVector3D *v = &mesh->mVertices[i];
        double at[3] = {(double)v->x, (double)v->y, (double)v->z};
        lb_model_pose_point(&pose, at, at);
        *v = (struct aiVector3D){(float)at[0], (float)at[1], (float)at[2]};
        if (mesh->mNormals)
            turn_normal(&pose, &mesh->mNormals[i]);
    }
}

static enum lb_status keep_pose(struct lb_model_work *work, const struct aiNode *node,
                                const lb_model_pose *pose)
{
    (void)node;
    if (work->bends->walked < work->bends->nodes)
        work->bends->poses[work->bends->walked++] = *pose;
    return LB_OK;
}

void lb_model_bend(struct lb_model_work *work, double tick)
{
    struct lb_model_bends *bends = work->bends;
    if (!bends || bends->count == 0)
        return;
    bends->walked = 0;
    if (lb_model_walk(work, keep_pose) != LB_OK)
        return; /* nodes that are too deep: whoever walks them next says so */
    for (size_t i = 0; i < bends->count; i++) {
        const struct lb_model_bent *bent = &bends->list[i];
        size_t size = bent->mesh->mNumVertices * sizeof *bent->points;
        memcpy(bent->mesh->mVertices, bent->points, size);
        if (bent->normals)
            memcpy(bent->mesh->mNormals, bent->normals, size);
        if (bent->weights) {
            weigh_targets(bent, tick);
            morph(bent);
        }
        if (bent->skinned)
            skin(bends, bent);
    }
}
