/* Which coordinates images of a material have. Assimp gives each transformation of a file's coordinates a set of its
 * own; pbrt's meshes have one set. So a mesh gets that of its normal map, or of its base colour, or of the first image,
 * and the others are scaled and shifted against it where they are no more than that. */
#include "core/model/import_work.h"

#include <math.h>
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

void lb_model_choose_coordinates(struct lb_model_work *work)
{
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

enum lb_model_fit lb_model_fit_coordinates(const struct lb_model_work *work, unsigned material,
                                           const char *image, float scale[2], float shift[2])
{
    const struct aiMaterial *from = work->scene->mMaterials[material];
    unsigned set = main_set(from), main = set;
    for (unsigned i = 0; i < from->mNumProperties; i++)
        if (is_image(from->mProperties[i]) && from->mProperties[i]->mData + 4 == image)
            set = set_beside(from, from->mProperties[i]);
    if (set == main)
        return LB_MODEL_SAME;
    set = set == 0 ? main : set; /* where lb_model_choose_coordinates() put it */
    for (unsigned i = 0; i < work->scene->mNumMeshes; i++) {
        const struct aiMesh *mesh = work->scene->mMeshes[i];
        const struct aiVector3D *ours = mesh->mTextureCoords[0], *others = mesh->mTextureCoords[set];
        if (mesh->mMaterialIndex != material || !ours || !others)
            continue;
        if (!fit(mesh, ours, others, 0, &scale[0], &shift[0]) ||
            !fit(mesh, ours, others, 1, &scale[1], &shift[1]))
            return LB_MODEL_OTHER;
        return scale[0] == 1.0f && scale[1] == 1.0f && shift[0] == 0.0f && shift[1] == 0.0f ? LB_MODEL_SAME
                                                                                            : LB_MODEL_MOVED;
    }
    return LB_MODEL_SAME;
}
