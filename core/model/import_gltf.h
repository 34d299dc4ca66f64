/* What a glTF file says of its materials beyond what Assimp reads: extensions, as the file's JSON has them. */
#ifndef LB_CORE_MODEL_IMPORT_GLTF_H
#define LB_CORE_MODEL_IMPORT_GLTF_H

#include "core/model/import_work.h"

/* Reads the file's JSON into work->document; where that fails, it stays NULL, and nothing is found in it. */
void lb_gltf_open(struct lb_model_work *work);

/* An error where the file requires what Assimp takes for something else, and reads as nothing. */
enum lb_status lb_gltf_check(const struct lb_model_work *work);

/* Does it have skins or morph targets? */
bool lb_gltf_bends(const struct lb_model_work *work);

/* Materials have the numbers that Assimp gives them, which are the file's. `extension` is the name of one, such as
 * "KHR_materials_specular". */
bool lb_gltf_has(const struct lb_model_work *work, unsigned material, const char *extension);
float lb_gltf_number(const struct lb_model_work *work, unsigned material, const char *extension,
                     const char *key, float otherwise);
/* A number that belongs to an image. */
float lb_gltf_image_number(const struct lb_model_work *work, unsigned material, const char *extension,
                           const char *image, const char *key, float otherwise);
/* Three numbers that are not negative, where all are there. */
void lb_gltf_color(const struct lb_model_work *work, unsigned material, const char *extension,
                   const char *key, float color[3]);
/* The name of an image as Assimp has it, kept as long as the process; NULL: there is none. */
const char *lb_gltf_image(const struct lb_model_work *work, unsigned material, const char *extension,
                          const char *key);

#endif
