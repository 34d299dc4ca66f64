#include "core/model/import.h"

#include "core/base/ending.h"
#include "core/base/replace.h"
#include "core/model/import_bend.h"
#include "core/model/import_files.h"
#include "core/model/import_gltf.h"
#include "core/model/import_rewrite.h"
#include "core/scene/ply/ply.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool lb_model_can_import(struct lb_error *error)
{
    (void)error;
    return true;
}

/* ---- what Assimp makes of the file ---- */

/* Assimp reads what a damaged PLY file claims to have, however much that is: three in 200 kept it busy for all the time
 * that it may take. So the reader of our own meshes looks at such a file first, and its errors say where they are. */
static enum lb_status check_ply(const struct lb_model_work *work)
{
    struct lb_ply mesh;
    if (!lb_ends_in(work->path, ".ply"))
        return LB_OK;
    enum lb_status status = lb_ply_read(work->path, NULL, &mesh, work->error);
    lb_ply_free(&mesh);
    return status;
}

/* Points and lines are left out. Normals that the file lacks are not made up: its faces are flat. */
static enum lb_status read_scene(struct lb_model_work *work)
{
    const struct lb_assimp *assimp = work->assimp;
    struct lb_model_files files = {.count = 0};
    struct aiFileIO io = lb_model_files_make(&files);
    if (work->gltf && lb_gltf_rewrite(work, &files) != LB_OK)
        return work->error->status;
    struct aiPropertyStore *properties = assimp->make_properties();
    if (!properties)
        return lb_error_memory(work->error, work->path);
    assimp->set_integer(properties, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    /* Vertices that are alike but for what bends them are not the same; those of glTF are seldom there twice. */
    unsigned join = lb_gltf_bends(work) ? 0 : aiProcess_JoinIdenticalVertices;
    work->scene =
        assimp->import(work->path,
                       join | aiProcess_ValidateDataStructure | aiProcess_Triangulate |
                           aiProcess_SortByPType | aiProcess_FindDegenerates | aiProcess_FindInvalidData |
                           aiProcess_GenUVCoords | (work->gltf ? 0 : aiProcess_TransformUVCoords),
                       files.count ? &io : NULL, properties);
    if (!work->scene)
        return lb_error_set(work->error, LB_ERROR, "%s: %s", work->path, assimp->error_string());
    if (!work->scene->mRootNode || work->scene->mNumMeshes == 0)
        return lb_error_set(work->error, LB_ERROR, "%s: there is nothing in it that can be shown",
                            work->path);
    return LB_OK;
}

/* STL files, which are printed, have z upwards, though none says so. Assimp turns files that say it. */
static lb_model_pose upright_of(const char *path)
{
    static const lb_model_pose same = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                               z_up = {{{1, 0, 0, 0}, {0, 0, 1, 0}, {0, -1, 0, 0}}};
    return lb_ends_in(path, ".stl") ? z_up : same;
}

/* ---- the box around it ---- */

static void take_into_box(struct lb_model_work *work, const struct aiMesh *mesh, const lb_model_pose *pose)
{
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        const struct aiVector3D *v = &mesh->mVertices[i];
        double at[3] = {(double)v->x, (double)v->y, (double)v->z};
        lb_model_pose_point(pose, at, at);
        for (int axis = 0; axis < 3; axis++) {
            work->low[axis] = at[axis] < work->low[axis] ? at[axis] : work->low[axis];
            work->high[axis] = at[axis] > work->high[axis] ? at[axis] : work->high[axis];
        }
        lb_model_frame(work, at);
    }
}

static void take_in(struct lb_model_work *work, unsigned number, const lb_model_pose *shown)
{
    if (!lb_model_pose_usable(shown))
        return;
    work->ways[number] |= lb_model_pose_mirrors(shown) ? LB_MODEL_MIRRORED : LB_MODEL_STRAIGHT;
    take_into_box(work, work->scene->mMeshes[number], shown);
}

/* Counts who shows which mesh; nodes that squeeze theirs to nothing show none, unless an animation may widen them. */
static enum lb_status count_uses(struct lb_model_work *work, const struct aiNode *node,
                                 const lb_model_pose *pose)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        uint32_t number = node->mMeshes[i];
        if (number >= work->scene->mNumMeshes)
            return lb_error_set(work->error, LB_ERROR, "%s: a node shows mesh %u of %u", work->path, number,
                                work->scene->mNumMeshes);
        const struct aiMesh *mesh = work->scene->mMeshes[number];
        if (mesh->mMaterialIndex >= work->scene->mNumMaterials)
            return lb_error_set(work->error, LB_ERROR, "%s: a mesh has material %u of %u", work->path,
                                mesh->mMaterialIndex, work->scene->mNumMaterials);
        lb_model_pose shown = lb_model_pose_shown(work, number, pose);
        if (!lb_model_pose_usable(&shown) && !work->moves)
            continue;
        work->uses[number]++;
        work->used[mesh->mMaterialIndex] = true;
        take_in(work, number, &shown);
    }
    return LB_OK;
}

static enum lb_status take_in_node(struct lb_model_work *work, const struct aiNode *node,
                                   const lb_model_pose *pose)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        lb_model_pose shown = lb_model_pose_shown(work, node->mMeshes[i], pose);
        take_in(work, node->mMeshes[i], &shown);
    }
    return LB_OK;
}

/* All of the animation is looked at, whichever frames are rendered: so a frame is the same alone and among others. */
static enum lb_status take_in_animation(struct lb_model_work *work)
{
    enum { TIMES = 32 };
    enum lb_status status = LB_OK;
    for (int i = 0; status == LB_OK && i <= TIMES; i++) {
        lb_model_move_to(work, work->seconds * i / TIMES);
        status = lb_model_walk(work, take_in_node);
    }
    lb_model_move_to(work, 0.0);
    return status;
}

static enum lb_status measure(struct lb_model_work *work)
{
    for (int axis = 0; axis < 3; axis++)
        work->low[axis] = INFINITY, work->high[axis] = -INFINITY;
    lb_model_start_framing(work);
    enum lb_status status = lb_model_walk(work, count_uses);
    if (status == LB_OK && work->moves)
        status = take_in_animation(work);
    if (status != LB_OK)
        return status;
    double size = 0.0, distance = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(work->low[axis]) < 1e18 && fabs(work->high[axis]) < 1e18))
            return lb_error_set(work->error, LB_ERROR, "%s: there is nothing in it that can be shown",
                                work->path);
        size = fmax(size, work->high[axis] - work->low[axis]);
        distance = fmax(distance, fmax(fabs(work->low[axis]), fabs(work->high[axis])));
    }
    /* Of a model that is smaller than the steps between floats around it no camera sees more than noise. */
    return size > 1e-6 * distance ? LB_OK
                                  : lb_error_set(work->error, LB_ERROR, "%s: it has no extent", work->path);
}

/* ---- the scene ---- */

/* `materials`: their lines, which all frames share, or NULL where there are none. `suffix`: what follows the name. */
static enum lb_status write_scene(struct lb_model_work *work, const char *materials, const char *suffix)
{
    lb_text_add(&work->text, "# Made by lbrender " LB_VERSION " of the model \"");
    lb_text_add_printable(&work->text, work->path, SIZE_MAX);
    lb_text_add(&work->text, "\".\n");
    enum lb_status status = lb_model_write_view(work);
    lb_text_add(&work->text, "%s", materials ? materials : "");
    if (status == LB_OK)
        status = lb_model_write_shapes(work);
    if (status == LB_OK)
        status = lb_model_write_lights(work);
    struct lb_text file = {.data = NULL};
    lb_text_add(&file, "%s/%s%s.pbrt", work->folder, work->name, suffix);
    if (status == LB_OK && (work->text.failed || file.failed))
        status = lb_error_memory(work->error, work->path);
    if (status == LB_OK)
        status = lb_file_replace(file.data, work->text.data, work->text.length, work->error);
    free(lb_text_take(&file));
    free(lb_text_take(&work->text));
    return status;
}

static enum lb_status write_frames(struct lb_model_work *work, const char *materials)
{
    const struct lb_model_frames *frames = &work->options->frames;
    enum lb_status status = LB_OK;
    for (uint64_t frame = frames->first; status == LB_OK && frame <= frames->last; frame += frames->step) {
        char suffix[16];
        snprintf(suffix, sizeof suffix, "-%04u", (unsigned)frame);
        lb_model_move_to(work, lb_model_time_of(work, (uint32_t)frame));
        work->frame = suffix;
        status = lb_model_write_meshes(work, true);
        if (status == LB_OK)
            status = write_scene(work, materials, suffix);
        work->frame = "";
    }
    return status;
}

static enum lb_status write_all(struct lb_model_work *work)
{
    enum lb_status status = lb_model_write_materials(work);
    bool whole = !work->text.failed;
    char *materials = lb_text_take(&work->text);
    if (status == LB_OK && !whole)
        status = lb_error_memory(work->error, work->path);
    if (status == LB_OK)
        status = lb_model_write_meshes(work, false);
    if (status == LB_OK && !work->moves)
        status = lb_model_write_meshes(work, true);
    if (status == LB_OK)
        status = work->moves ? write_frames(work, materials) : write_scene(work, materials, "");
    free(materials);
    return status;
}

/* What is known of each mesh and each material. */
static bool make_lists(struct lb_model_work *work)
{
    size_t meshes = work->scene->mNumMeshes, materials = (size_t)work->scene->mNumMaterials + 1;
    work->uses = calloc(meshes, sizeof *work->uses);
    work->parts = calloc(meshes, sizeof *work->parts);
    work->ways = calloc(meshes, sizeof *work->ways);
    work->used = calloc(materials, sizeof *work->used);
    work->alphas = calloc(materials, sizeof *work->alphas);
    work->bodies = calloc(materials, sizeof *work->bodies);
    work->mirrored = calloc(materials, sizeof *work->mirrored);
    work->emissions = calloc(materials, sizeof *work->emissions);
    work->shines_by_second = calloc(materials, sizeof *work->shines_by_second);
    return work->uses && work->parts && work->ways && work->used && work->alphas && work->bodies &&
           work->mirrored && work->emissions && work->shines_by_second;
}

enum lb_status lb_model_import(const char *path, const struct lb_model_options *options, const char *folder,
                               const char *name, const struct lb_log *log, struct lb_error *error)
{
    struct lb_assimp assimp;
    struct lb_model_work work = {.assimp = &assimp,
                                 .path = path,
                                 .options = options,
                                 .folder = folder,
                                 .name = name,
                                 .log = log,
                                 .error = error,
                                 .light_scale = 1.0,
                                 .frame = "",
                                 .gltf = lb_ends_in(path, ".glb") || lb_ends_in(path, ".gltf"),
                                 .upright = upright_of(path)};
    enum lb_status status = lb_assimp_open(&assimp, error);
    if (status == LB_OK)
        status = check_ply(&work);
    lb_gltf_open(&work);
    if (status == LB_OK)
        status = lb_gltf_check(&work);
    if (status == LB_OK)
        status = read_scene(&work);
    if (status == LB_OK)
        status = lb_model_paint(&work);
    if (status == LB_OK)
        status = lb_model_choose_coordinates(&work);
    if (status != LB_OK)
        return status; /* the process ends soon, and what it holds with it */
    if (!make_lists(&work))
        return lb_error_memory(error, path);
    status = lb_model_choose_animation(&work);
    if (status == LB_OK)
        status = lb_model_find_bends(&work);
    if (status == LB_OK)
        status = measure(&work);
    if (status != LB_OK)
        return status;
    lb_model_find_mirrored(&work);
    return write_all(&work);
}
