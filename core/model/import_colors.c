/* Colours of vertices. Neither pbrt nor the kernel has them, so a mesh with such colours gets an image: 2 x 2 texels
 * for each triangle, three of which are its corners' and the fourth is such that what lies between the centres of the
 * texels is what lies between the corners. The mesh's triangles share no vertices any more, and their texture
 * coordinates are those centres, or their second ones where the material has other images. */
#include "core/image/image.h"
#include "core/kernel/film/film.h"
#include "core/kernel/math.h"
#include "core/model/import_work.h"

#include "core/base/ending.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which meshes ---- */

/* In these formats the colours are those of the surface; in others they may be anything. */
static bool says_albedo(const struct lb_model_work *work)
{
    return work->gltf || lb_ends_in(work->path, ".ply") || lb_ends_in(work->path, ".obj") ||
           lb_ends_in(work->path, ".off");
}

/* The mesh's texture coordinates are needed for others then. */
static bool has_images(const struct aiMaterial *material)
{
    for (unsigned i = 0; i < material->mNumProperties; i++)
        if (strcmp(material->mProperties[i]->mKey.data, "$tex.file") == 0)
            return true;
    return false;
}

static bool is_even(const struct aiMesh *mesh)
{
    const struct aiColor4D *first = mesh->mColors[0];
    for (unsigned i = 1; i < mesh->mNumVertices; i++) {
        const struct aiColor4D *c = &first[i];
        if (!(c->r == first->r && c->g == first->g && c->b == first->b && c->a == first->a))
            return false;
    }
    return true;
}

static bool is_white(const struct aiMesh *mesh)
{
    const struct aiColor4D *first = mesh->mColors[0];
    return is_even(mesh) && first->r == 1.0f && first->g == 1.0f && first->b == 1.0f && first->a == 1.0f;
}

/* How a mesh gets the colours of its vertices: not at all, by an image, or, where all are alike, by the base colour's
 * factor. */
enum paint { NOT_PAINTED, PAINTED, TINTED, LEFT_OUT };

static bool is_coloured(const struct lb_model_work *work, const struct aiMesh *mesh)
{
    return mesh->mColors[0] && mesh->mVertices && mesh->mNumVertices > 0 &&
           (mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE) &&
           mesh->mMaterialIndex < work->scene->mNumMaterials && !is_white(mesh);
}

/* Bones and targets have the vertices that they bend in the file's order. */
static enum paint paint_of(const struct lb_model_work *work, const struct aiMesh *mesh)
{
    if (!is_coloured(work, mesh))
        return NOT_PAINTED;
    bool images = has_images(work->scene->mMaterials[mesh->mMaterialIndex]),
         bent = mesh->mNumBones > 0 || mesh->mNumAnimMeshes > 0;
    if ((images || bent) && is_even(mesh))
        return TINTED;
    if (bent || mesh->mNumFaces > UINT32_MAX / 3)
        return LEFT_OUT;
    for (unsigned i = 0; i < mesh->mNumFaces; i++)
        if (!lb_model_is_triangle(mesh, i))
            return NOT_PAINTED;
    return PAINTED;
}

/* ---- the mesh ---- */

/* The image has so many triangles in a row, and rows. */
static void size_of(const struct aiMesh *mesh, uint32_t *across, uint32_t *down)
{
    *across = (uint32_t)ceil(sqrt((double)mesh->mNumFaces));
    *across = *across ? *across : 1;
    *down = (mesh->mNumFaces + *across - 1) / *across;
}

/* Where the texel of a corner is. The second corner's is right of the first one's, the third one's below it. */
static void texel_of(uint32_t across, uint32_t corner, uint32_t at[2])
{
    uint32_t triangle = corner / 3;
    at[0] = 2 * (triangle % across) + (corner % 3 == 1);
    at[1] = 2 * (triangle / across) + (corner % 3 == 2);
}

/* The coordinates of a set, for a vertex of its own for each corner; NULL stays NULL. False: there is no memory. */
static bool part_set(const struct aiMesh *mesh, struct aiVector3D **set)
{
    size_t count = (size_t)mesh->mNumFaces * 3;
    struct aiVector3D *parted = *set ? calloc(count, sizeof *parted) : NULL;
    if (*set && !parted)
        return false;
    for (size_t i = 0; *set && i < count; i++)
        parted[i] = (*set)[mesh->mFaces[i / 3].mIndices[i % 3]];
    *set = parted;
    return true;
}

/* Gives each triangle vertices of its own; what the mesh had is kept until the process ends. `*paint`: where they are
 * in the image of the colours. */
static bool part_triangles(struct aiMesh *mesh, struct aiVector3D **paint)
{
    size_t count = (size_t)mesh->mNumFaces * 3;
    for (unsigned i = 0; i < AI_MAX_NUMBER_OF_TEXTURECOORDS; i++)
        if (!part_set(mesh, &mesh->mTextureCoords[i]))
            return false;
    struct aiVector3D *points = calloc(count, sizeof *points), *normals = calloc(count, sizeof *normals),
                      *places = calloc(count, sizeof *places);
    struct aiColor4D *colors = calloc(count, sizeof *colors);
    uint32_t across, down;
    if (!points || !normals || !places || !colors)
        return false;
    size_of(mesh, &across, &down);
    for (uint32_t i = 0; i < count; i++) {
        unsigned *index = &mesh->mFaces[i / 3].mIndices[i % 3];
        uint32_t at[2];
        points[i] = mesh->mVertices[*index];
        if (mesh->mNormals)
            normals[i] = mesh->mNormals[*index];
        colors[i] = mesh->mColors[0][*index];
        *index = i;
        texel_of(across, i, at);
        places[i].x = ((float)at[0] + 0.5f) / (float)(2 * across);
        places[i].y = 1.0f - ((float)at[1] + 0.5f) / (float)(2 * down);
    }
    mesh->mVertices = points;
    mesh->mNormals = mesh->mNormals ? normals : NULL;
    mesh->mColors[0] = colors;
    mesh->mNumVertices = (unsigned)count;
    *paint = places;
    return true;
}

/* The mesh and its material, of that number, get the image's coordinates. */
static bool paint_mesh(struct lb_model_work *work, struct aiMesh *mesh, unsigned material)
{
    struct aiVector3D *places;
    if (!part_triangles(mesh, &places))
        return false;
    work->painted[material] = mesh;
    if (has_images(work->scene->mMaterials[mesh->mMaterialIndex]))
        work->places[material] = places;
    else
        mesh->mTextureCoords[0] = places;
    return true;
}

static void tell_left_out(const struct lb_model_work *work, const struct aiMesh *mesh, bool *told)
{
    if (!*told)
        lb_log_write(work->log, LB_WARNING,
                     "%s: colors of vertices are left out where they differ and bones or targets bend the "
                     "mesh (mesh \"%.200s\")",
                     work->path, mesh->mName.data);
    *told = true;
}

/* Each such mesh has a material of its own: the same, with the mesh's image or colour. */
enum lb_status lb_model_paint(struct lb_model_work *work)
{
    struct aiScene *scene = (struct aiScene *)(uintptr_t)work->scene;
    size_t most = (size_t)scene->mNumMaterials + scene->mNumMeshes;
    struct aiMaterial **materials = calloc(most + 1, sizeof *materials);
    bool told = false;
    work->origins = calloc(most + 1, sizeof *work->origins);
    work->painted = calloc(most + 1, sizeof *work->painted);
    work->tinted = calloc(most + 1, sizeof *work->tinted);
    work->places = calloc(most + 1, sizeof *work->places);
    work->second_sets = calloc(most + 1, sizeof *work->second_sets);
    if (!materials || !work->origins || !work->painted || !work->tinted || !work->places ||
        !work->second_sets)
        return lb_error_memory(work->error, work->path);
    for (unsigned i = 0; i < scene->mNumMaterials; i++)
        materials[i] = scene->mMaterials[i], work->origins[i] = i;
    unsigned count = scene->mNumMaterials;
    for (unsigned i = 0; says_albedo(work) && i < scene->mNumMeshes; i++) {
        struct aiMesh *mesh = scene->mMeshes[i];
        enum paint paint = paint_of(work, mesh);
        if (paint == LEFT_OUT)
            tell_left_out(work, mesh, &told);
        if (paint != PAINTED && paint != TINTED)
            continue;
        if (paint == PAINTED && !paint_mesh(work, mesh, count))
            return lb_error_memory(work->error, work->path);
        if (paint == TINTED)
            work->tinted[count] = mesh;
        materials[count] = materials[mesh->mMaterialIndex];
        work->origins[count] = mesh->mMaterialIndex;
        mesh->mMaterialIndex = count++;
    }
    scene->mMaterials = materials;
    scene->mNumMaterials = count;
    return LB_OK;
}

/* ---- its image ---- */

static float decode(float v)
{
    return v <= 0.04045f ? v / 12.92f : lb_pow((v + 0.055f) / 1.055f, 2.4f);
}

/* Those of glTF are linear, others as screens show them. */
static void color_of(const struct lb_model_work *work, const struct aiMesh *mesh, uint32_t vertex,
                     const float factor[3], float to[3])
{
    const struct aiColor4D *c = &mesh->mColors[0][vertex];
    const float from[3] = {c->r, c->g, c->b};
    for (int i = 0; i < 3; i++) {
        float v = isfinite(from[i]) ? lb_clamp(from[i], 0.0f, 1.0f) : 0.0f;
        to[i] = work->gltf ? v * factor[i] : decode(v);
    }
}

void lb_model_tint(const struct lb_model_work *work, unsigned material, float factor[3], float *alpha)
{
    const struct aiMesh *mesh = work->tinted[material];
    if (!mesh)
        return;
    const float before[3] = {factor[0], factor[1], factor[2]}, opacity = mesh->mColors[0][0].a;
    color_of(work, mesh, 0, before, factor);
    for (int i = 0; !work->gltf && i < 3; i++)
        factor[i] *= before[i];
    if (work->gltf && isfinite(opacity))
        *alpha *= lb_clamp(opacity, 0.0f, 1.0f);
}

static void put(uint16_t *pixels, uint32_t width, uint32_t x, uint32_t y, const float color[3])
{
    for (int i = 0; i < 3; i++)
        pixels[3 * ((size_t)y * width + x) + (size_t)i] =
            (uint16_t)(lb_clamp(color[i], 0.0f, 1.0f) * 65535.0f + 0.5f);
}

static void fill(const struct lb_model_work *work, const struct aiMesh *mesh, const float factor[3],
                 uint32_t across, uint16_t *pixels)
{
    for (uint32_t triangle = 0; triangle < mesh->mNumFaces; triangle++) {
        float corners[3][3], fourth[3];
        uint32_t at[2];
        for (uint32_t i = 0; i < 3; i++) {
            color_of(work, mesh, 3 * triangle + i, factor, corners[i]);
            texel_of(across, 3 * triangle + i, at);
            put(pixels, 2 * across, at[0], at[1], corners[i]);
        }
        for (int i = 0; i < 3; i++)
            fourth[i] = corners[1][i] + corners[2][i] - corners[0][i];
        texel_of(across, 3 * triangle, at);
        put(pixels, 2 * across, at[0] + 1, at[1] + 1, fourth);
    }
}

enum lb_status lb_model_write_paint(struct lb_model_work *work, unsigned material, const float factor[3])
{
    const struct aiMesh *mesh = work->painted[material];
    uint32_t across, down;
    size_of(mesh, &across, &down);
    uint16_t *pixels = calloc((size_t)across * down * 12, sizeof *pixels);
    struct lb_text path = {.data = NULL};
    lb_text_add(&path, "%s/%s-parts/colors-%u.png", work->folder, work->name, material);
    enum lb_status status = pixels && !path.failed ? LB_OK : lb_error_memory(work->error, work->path);
    if (status == LB_OK) {
        struct lb_png png = {
            .width = 2 * across, .height = 2 * down, .channels = 3, .bits = 16, .pixels = pixels};
        fill(work, mesh, factor, across, pixels);
        status = lb_png_save(path.data, &png, work->error);
    }
    bool beside = work->places[material] != NULL;
    lb_text_add(
        &work->text,
        "%sTexture \"%s-%u\" \"spectrum\" \"imagemap\" \"string filename\" \"%s-parts/colors-%u.png\" "
        "\"string filter\" \"bilinear\" \"string encoding\" \"linear\"%s\n",
        beside ? "#@lbrender " : "", beside ? "vertexcolor" : "basecolor", material, work->name, material,
        beside ? " \"string mapping\" \"uv1\"" : "");
    free(pixels);
    free(lb_text_take(&path));
    return status;
}
