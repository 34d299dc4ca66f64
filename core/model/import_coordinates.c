/* Which coordinates images of a material have. Assimp gives each transformation of a file's coordinates a set of its
 * own; pbrt's meshes have one set, and ours two. So a mesh gets that of its normal map, or of its base colour, or of
 * the first image, and the others are scaled and shifted against it where they are no more than that. The first one
 * that is more becomes the second set. */
#include "core/model/import_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = AI_MAX_NUMBER_OF_TEXTURECOORDS };

/* The set of the property's image. */
static unsigned set_beside(const struct aiMaterial *material, const struct aiMaterialProperty *image)
{
    int set = 0;
    for (unsigned i = 0; i < material->mNumProperties; i++) {
        const struct aiMaterialProperty *p = material->mProperties[i];
        if (p->mSemantic == image->mSemantic && p->mIndex == image->mIndex && p->mDataLength >= sizeof set &&
            strcmp(p->mKey.data, "$tex.uvwsrc") == 0)
            memcpy(&set, p->mData, sizeof set);
    }
    return set >= 0 && set < SETS ? (unsigned)set : 0;
}

static bool is_image(const struct aiMaterialProperty *p)
{
    return p->mType == aiPTI_String && strcmp(p->mKey.data, "$tex.file") == 0;
}

static unsigned main_set(const struct aiMaterial *material)
{
    static const unsigned wanted[] = {aiTextureType_NORMALS, aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE};
    const struct aiMaterialProperty *first = NULL;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        for (unsigned i = 0; i < material->mNumProperties; i++) {
            const struct aiMaterialProperty *p = material->mProperties[i];
            if (!is_image(p))
                continue;
            first = first || p->mSemantic == aiTextureType_LIGHTMAP ? first : p;
            if (p->mSemantic == wanted[k])
                return set_beside(material, p);
        }
    return first ? set_beside(material, first) : 0;
}

/* ---- transformations of glTF, which Assimp 5.2 scales about another point than it is told to ---- */

static struct aiMaterialProperty *beside(const struct aiMaterial *material,
                                         const struct aiMaterialProperty *image, const char *key,
                                         unsigned least)
{
    for (unsigned i = 0; i < material->mNumProperties; i++) {
        struct aiMaterialProperty *p = material->mProperties[i];
        if (p->mSemantic == image->mSemantic && p->mIndex == image->mIndex && p->mDataLength >= least &&
            strcmp(p->mKey.data, key) == 0)
            return p;
    }
    return NULL;
}

bool lb_model_clamps(const struct lb_model_work *work, unsigned material, const char *image)
{
    const struct aiMaterial *from = work->scene->mMaterials[material];
    for (unsigned i = 0; i < from->mNumProperties; i++) {
        const struct aiMaterialProperty *p = from->mProperties[i];
        if (!is_image(p) || p->mData + 4 != image)
            continue;
        int u = aiTextureMapMode_Wrap, v = aiTextureMapMode_Wrap;
        const struct aiMaterialProperty *across = beside(from, p, "$tex.mapmodeu", sizeof u),
                                        *along = beside(from, p, "$tex.mapmodev", sizeof v);
        if (across)
            memcpy(&u, across->mData, sizeof u);
        if (along)
            memcpy(&v, along->mData, sizeof v);
        return u == aiTextureMapMode_Clamp && v == aiTextureMapMode_Clamp;
    }
    return false;
}

/* KHR_texture_transform: scales, turns and shifts coordinates whose v points down; ours points up. `t`: what Assimp has
 * of it, a shift, scale and angle, of which it made the shift for a rotation about the middle. */
static void transform(const float t[5], const struct aiVector3D *from, struct aiVector3D *to)
{
    float sx = t[2], sy = t[3], s = sinf(-t[4]), c = cosf(-t[4]);
    float x = t[0] - 0.5f * sx * (1.0f - c + s), y = 0.5f * sy * (s + c - 1.0f) + 1.0f - sy - t[1];
    float u = sx * from->x, v = sy * (1.0f - from->y);
    *to = (struct aiVector3D){c * u + s * v + x, 1.0f - (c * v - s * u + y), 0.0f};
}

/* Fills set `to` of all meshes that have the material, or one that was made of it. */
static bool fill_set(const struct lb_model_work *work, unsigned material, unsigned from, unsigned to,
                     const float t[5])
{
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++) {
        struct aiMesh *mesh = work->scene->mMeshes[i];
        if (mesh->mMaterialIndex >= work->scene->mNumMaterials ||
            work->origins[mesh->mMaterialIndex] != material || !mesh->mTextureCoords[from])
            continue;
        struct aiVector3D *made = calloc((size_t)mesh->mNumVertices + 1, sizeof *made);
        if (!made)
            return false;
        for (unsigned v = 0; v < mesh->mNumVertices; v++)
            transform(t, &mesh->mTextureCoords[from][v], &made[v]);
        mesh->mTextureCoords[to] = made;
    }
    return true;
}

/* Each image with a transformation gets a set of its own, from the last one on; alike ones share it. */
static bool transform_all(const struct lb_model_work *work, unsigned material)
{
    const struct aiMaterial *of = work->scene->mMaterials[material];
    unsigned next = SETS, from[SETS], count = 0, made[SETS];
    float done[SETS][5];
    for (unsigned i = 0; i < of->mNumProperties; i++) {
        const struct aiMaterialProperty *image = of->mProperties[i];
        if (!is_image(image))
            continue;
        const struct aiMaterialProperty *trafo = beside(of, image, "$tex.uvtrafo", 5 * sizeof(float));
        struct aiMaterialProperty *source = beside(of, image, "$tex.uvwsrc", sizeof(int));
        float t[5];
        if (!trafo || !source)
            continue;
        unsigned set = set_beside(of, image), k = 0;
        memcpy(t, trafo->mData, sizeof t);
        while (k < count && (from[k] != set || memcmp(done[k], t, sizeof t) != 0))
            k++;
        if (k == count) {
            if (next <= 2 || !fill_set(work, material, set, --next, t))
                return next <= 2;
            from[count] = set, made[count] = next;
            memcpy(done[count++], t, sizeof t);
        }
        const int number = (int)made[k];
        memcpy(source->mData, &number, sizeof number);
    }
    return true;
}

/* ---- the main set ---- */

enum lb_status lb_model_choose_coordinates(struct lb_model_work *work)
{
    for (unsigned i = 0; work->gltf && i < work->scene->mNumMaterials; i++)
        if (work->origins[i] == i && !transform_all(work, i))
            return lb_error_memory(work->error, work->path);
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++) {
        struct aiMesh *mesh = work->scene->mMeshes[i];
        if (mesh->mMaterialIndex >= work->scene->mNumMaterials)
            continue;
        unsigned set = main_set(work->scene->mMaterials[mesh->mMaterialIndex]);
        struct aiVector3D *chosen = mesh->mTextureCoords[set];
        if (!chosen)
            continue;
        mesh->mTextureCoords[set] = mesh->mTextureCoords[0];
        mesh->mTextureCoords[0] = chosen;
    }
    return LB_OK;
}

static float part_of(const struct aiVector3D *at, int axis)
{
    return axis ? at->y : at->x;
}

/* to = scale * from + shift, for all vertices? */
static bool fit(const struct aiMesh *mesh, const struct aiVector3D *from, const struct aiVector3D *to,
                int axis, float *scale, float *shift)
{
    unsigned low = 0, high = 0;
    for (unsigned i = 1; i < mesh->mNumVertices; i++) {
        low = part_of(&from[i], axis) < part_of(&from[low], axis) ? i : low;
        high = part_of(&from[i], axis) > part_of(&from[high], axis) ? i : high;
    }
    float width = part_of(&from[high], axis) - part_of(&from[low], axis);
    *scale = width > 0.0f ? (part_of(&to[high], axis) - part_of(&to[low], axis)) / width : 1.0f;
    *shift = part_of(&to[low], axis) - *scale * part_of(&from[low], axis);
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        float wanted = part_of(&to[i], axis), got = *scale * part_of(&from[i], axis) + *shift;
        if (!(fabsf(wanted - got) <= 1e-4f * (1.0f + fabsf(wanted))))
            return false;
    }
    return true;
}

/* The first mesh that has the material and both sets; NULL: there is none. */
static const struct aiMesh *mesh_with(const struct lb_model_work *work, unsigned material, unsigned a,
                                      unsigned b)
{
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = work->scene->mMeshes[i];
        if (mesh->mMaterialIndex == material && mesh->mTextureCoords[a] && mesh->mTextureCoords[b])
            return mesh;
    }
    return NULL;
}

static bool suits(const struct aiMesh *mesh, unsigned from, unsigned to, enum lb_model_wish wish,
                  struct lb_model_fit *found)
{
    const struct aiVector3D *ours = mesh->mTextureCoords[from], *others = mesh->mTextureCoords[to];
    found->found = fit(mesh, ours, others, 0, &found->scale[0], &found->shift[0]) &&
                   fit(mesh, ours, others, 1, &found->scale[1], &found->shift[1]);
    found->moved = found->scale[0] != 1.0f || found->scale[1] != 1.0f || found->shift[0] != 0.0f ||
                   found->shift[1] != 0.0f;
    found->found = found->found && !(found->moved && wish == LB_MODEL_UNMOVED);
    return found->found;
}

struct lb_model_fit lb_model_fit_coordinates(const struct lb_model_work *work, unsigned material,
                                             const char *image, enum lb_model_wish wish)
{
    struct lb_model_fit same = {.found = true}, first = same, second = {.second = true};
    const struct aiMaterial *from = work->scene->mMaterials[material];
    unsigned set = main_set(from), main = set, *chosen = &work->second_sets[material];
    for (unsigned i = 0; i < from->mNumProperties; i++)
        if (is_image(from->mProperties[i]) && from->mProperties[i]->mData + 4 == image)
            set = set_beside(from, from->mProperties[i]);
    if (set == main)
        return same;
    set = set == 0 ? main : set; /* where lb_model_choose_coordinates() put it */
    const struct aiMesh *mesh = mesh_with(work, material, 0, set);
    if (!mesh)
        return same;
    if (suits(mesh, 0, set, wish, &first) || wish == LB_MODEL_FIRST || work->places[material])
        return first;
    *chosen = *chosen ? *chosen : set;
    mesh = mesh_with(work, material, *chosen, set);
    return mesh && suits(mesh, *chosen, set, wish, &second) ? second : first;
}
