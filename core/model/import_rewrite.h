/* glTF files with what Assimp does not read, rewritten in memory as it reads them: vertices of whole numbers
 * (KHR_mesh_quantization), and nodes with many instances (EXT_mesh_gpu_instancing). */
#ifndef LB_CORE_MODEL_IMPORT_REWRITE_H
#define LB_CORE_MODEL_IMPORT_REWRITE_H

#include "core/model/import_files.h"
#include "core/model/import_work.h"

/* Fills `files` with what stands in for the model's file, and changes work->document; nothing where there is no need.
 * What it fills is kept as long as the process. */
enum lb_status lb_gltf_rewrite(struct lb_model_work *work, struct lb_model_files *files);

#endif
