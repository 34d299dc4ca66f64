/* What the parts of an import share. */
#ifndef LB_CORE_MODEL_IMPORT_WORK_H
#define LB_CORE_MODEL_IMPORT_WORK_H

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/model/assimp.h"
#include "core/model/import_names.h"
#include "core/model/model.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* An affine transformation: the upper three rows of its matrix, which points as columns are multiplied by. */
typedef struct lb_model_pose {
    double m[3][4];
} lb_model_pose;

/* The sides of what the camera that frames the model may see, from LB_MODEL_TURNS directions where it turns about the
 * model. */
enum { LB_MODEL_TURNS = 32 };
struct lb_model_side {
    double normal[3], most; /* the largest product of the normal and any vertex */
};

/* Triangles whose image is seen from behind, and poses that mirror (import_mirror.c). */
enum { LB_MODEL_STRAIGHT = 1, LB_MODEL_MIRRORED = 2 };

struct lb_model_work {
    const struct lb_assimp *assimp;
    const struct aiScene *scene;
    const char *path; /* the model's; begins each message */
    const struct lb_model_options *options;
    const char *folder, *name; /* the scene is folder/name.pbrt, with files in folder/name-parts */
    const struct lb_log *log;
    struct lb_error *error;
    struct lb_text text;    /* the scene's */
    bool gltf;              /* the file is glTF, text or binary */
    json_t *document;       /* the text of a glTF file; NULL: there is none */
    lb_model_pose upright;  /* from the file's axes to y upwards */
    double low[3], high[3]; /* the box around all of it; low > high: nothing is there */
    struct lb_model_side sides[4 * LB_MODEL_TURNS]; /* how far it reaches to these */
    unsigned side_count;
    struct lb_model_file *files; /* the images written so far, the last one first */
    uint32_t textures;           /* their number */
    double light_scale;          /* what the file's units of light are multiplied by */
    bool *used;                  /* a material each: some mesh that is shown has it */
    char **alphas;          /* a material each: the parameter that makes its shapes transparent, or NULL */
    char **emissions;       /* a material each: the AreaLightSource of its shapes, or NULL */
    bool *shines_by_second; /* a material each: its image of light has the second coordinates */
    /* A mesh each: which kinds of triangles it has, and through which kinds of poses nodes show it; only those with a
     * normal map have mirrored ones. And a material each: some of its triangles are seen mirrored. */
    uint8_t *parts, *ways;
    bool *mirrored;
    /* A material each: the file's number of it, and the mesh whose vertices have its colours, or one that they all
     * have, or NULL. */
    unsigned *origins;
    const struct aiMesh **painted, **tinted;
    /* A material each: the coordinates of its mesh in the image of its colours, where these are not the mesh's own, or
     * NULL; and which set of coordinates of its meshes is their second one, 0: none. */
    struct aiVector3D **places;
    unsigned *second_sets;
    bool *bodies;   /* a material each: inside its shapes is medium-NUMBER */
    uint32_t *uses; /* a mesh each: how many nodes show it */
    /* Animation: the nodes that it moves, how long it lasts, and ticks of its keys a second; `moves`: there is one, and
     * frames are asked for, each of which becomes a scene. */
    bool moves;
    struct lb_model_moved *channels;
    unsigned channel_count;
    double seconds, ticks;
    const struct aiAnimation *animation; /* NULL: there is none, or no frames are asked for */
    struct lb_model_names stepping; /* glTF: nodes whose morph targets' weights stay up to the next key */
    struct lb_model_bends *bends;   /* what bends meshes; NULL: nobody has looked yet */
    const char *frame;              /* how the files of bent meshes end: "-0042", or "" */
};

/* Finds the animation that is asked for, if frames are. Afterwards nodes stand where they did. */
enum lb_status lb_model_choose_animation(struct lb_model_work *work);
/* Puts all nodes where the animation has them. Beyond its end they stay as they are there. */
void lb_model_move_to(struct lb_model_work *work, double seconds);
/* What second of the animation a frame shows. */
double lb_model_time_of(const struct lb_model_work *work, uint32_t frame);
/* Which keys a time lies between: the last one that is not later, 0 before the first, and how far on the way to the
 * next one it is, 0 to 1. `times` begins at the first key's, which are `stride` bytes apart. */
unsigned lb_model_find_key(const void *times, size_t stride, unsigned count, double time, double *part);

lb_model_pose lb_model_pose_of(const struct aiMatrix4x4 *matrix);
lb_model_pose lb_model_pose_times(const lb_model_pose *a, const lb_model_pose *b);
/* Is each number finite, and none of three axes lost? */
bool lb_model_pose_usable(const lb_model_pose *pose);
/* Does it turn right into left? */
bool lb_model_pose_mirrors(const lb_model_pose *pose);
void lb_model_pose_point(const lb_model_pose *pose, const double point[3], double to[3]);
void lb_model_pose_vector(const lb_model_pose *pose, const double vector[3], double to[3]);
/* To length 1; one that has none stays as it is. */
void lb_model_normalize(double vector[3]);
/* The vector product a x b. */
void lb_model_cross(const double a[3], const double b[3], double product[3]);
/* Adds "Transform [ .. ]" and a newline. */
void lb_model_pose_write(struct lb_text *text, const char *directive, const lb_model_pose *pose);

/* Files may nest nodes as deep as they like; nobody does so on purpose. */
enum { LB_MODEL_DEEPEST = 1000 };

/* What a node is called with, and where it stands in the world. */
typedef enum lb_status lb_model_visit(struct lb_model_work *work, const struct aiNode *node,
                                      const lb_model_pose *pose);
/* Calls `visit` for all nodes, parents first. */
enum lb_status lb_model_walk(struct lb_model_work *work, lb_model_visit *visit);
/* Lists all nodes by their names, as a walk meets them, and sorts them; false: there is no memory. */
bool lb_model_name_nodes(struct lb_model_names *names, struct aiNode *root);
/* Where the first node of this name stands; NULL: there is none, and `pose` is the upright one. */
const struct aiNode *lb_model_find(const struct lb_model_work *work, const char *name, lb_model_pose *pose);

/* What is no triangle was left out on reading, but for what the library overlooked. */
bool lb_model_is_triangle(const struct aiMesh *mesh, unsigned face);
/* Is its image seen from behind? Of a mesh with coordinates of textures. */
bool lb_model_is_mirrored(const struct aiMesh *mesh, unsigned face);
/* Sets work->parts and work->mirrored by the uses, and corrects work->ways. */
void lb_model_find_mirrored(struct lb_model_work *work);

/* Gives meshes whose vertices have colours a material each, and where these differ, texture coordinates for an image of
 * the colours; that image is written with the texture basecolor-NUMBER, or vertexcolor-NUMBER where the material has
 * places. The factor multiplies the colours of glTF. */
enum lb_status lb_model_paint(struct lb_model_work *work);
enum lb_status lb_model_write_paint(struct lb_model_work *work, unsigned material, const float factor[3]);
/* Multiplies the material's base colour and alpha by the colour that all vertices of its mesh have, if they do. */
void lb_model_tint(const struct lb_model_work *work, unsigned material, float factor[3], float *alpha);

/* Makes the first texture coordinates of each mesh those of its material's main image, as glTF transforms them. */
enum lb_status lb_model_choose_coordinates(struct lb_model_work *work);
/* How the coordinates of another image of the material come of those, or of the second ones of its meshes, by the first
 * mesh that has the material: scale times them and a shift. */
struct lb_model_fit {
    bool found, second;
    bool moved; /* not by 1 and 0 */
    float scale[2], shift[2];
};
/* What the image may have: the first ones, scaled and moved; or those or the second ones so; or either as they are.
 * Where the first ones do not do and there are no second ones yet, those that it needs become these. */
enum lb_model_wish { LB_MODEL_FIRST, LB_MODEL_EITHER, LB_MODEL_UNMOVED };
struct lb_model_fit lb_model_fit_coordinates(const struct lb_model_work *work, unsigned material,
                                             const char *image, enum lb_model_wish wish);

/* Does the image of the material go on as its edge beyond it, on all sides? Others repeat. */
bool lb_model_clamps(const struct lb_model_work *work, unsigned material, const char *image);

/* The sides, before any vertex is taken in. */
void lb_model_start_framing(struct lb_model_work *work);
/* Takes in a vertex. */
void lb_model_frame(struct lb_model_work *work, const double at[3]);

/* The parts, each of which adds its lines to the scene. */
enum lb_status lb_model_write_view(struct lb_model_work *work);      /* camera, film, sampler, integrator */
enum lb_status lb_model_write_materials(struct lb_model_work *work); /* and what the shapes need of them */
enum lb_status lb_model_write_meshes(struct lb_model_work *work,
                                     bool bent); /* as files: these or the others */
enum lb_status lb_model_write_shapes(struct lb_model_work *work);
enum lb_status lb_model_write_lights(struct lb_model_work *work);
/* How bright the file's own lights are at the middle of the model; 0: it has none. */
double lb_model_light(const struct lb_model_work *work);

/* Opens a file beside the model: by its name, decoded, and by its last part alone, as names of other machines are
 * seldom any use. */
struct lb_file;
bool lb_model_open_beside(const struct lb_model_work *work, const char *given, struct lb_file *file);

/* Finds the image `name` of a model, and puts it among the scene's parts, with its pixels changed as `change` says.
 * `file`: the name by which the scene has it, the same for the same image and change, kept as long as the process;
 * NULL: it cannot be used, and a warning says why. */
struct lb_model_change {
    enum lb_model_channel {
        LB_MODEL_AS_IS,
        LB_MODEL_TINTED,   /* colours times `factor`, linear */
        LB_MODEL_SHINING,  /* the same as sRGB, which pbrt wants of the image of a light */
        LB_MODEL_NUMBER,   /* the channel */
        LB_MODEL_OPPOSITE, /* 1 minus the channel times `factor[0]` */
        LB_MODEL_CUT,      /* 1 where the channel times `factor[0]` reaches `cutoff`, else 0 */
        LB_MODEL_NORMALS, /* a normal map, always a PNG file: red and green, which are x and y, times two factors */
    } kind;
    uint32_t channel; /* 0 to 3: red to alpha */
    float factor[3], cutoff;
};
enum lb_status lb_model_image(struct lb_model_work *work, const char *name,
                              const struct lb_model_change *change, const char **file);

#endif
