/* Assimp's C interface, found when a model is read: no other run of the program loads it. */
#ifndef LB_CORE_MODEL_ASSIMP_H
#define LB_CORE_MODEL_ASSIMP_H

#include "core/base/error.h"

#include <assimp/cimport.h>
#include <assimp/material.h>
#include <assimp/scene.h>

/* The functions that are called, with the types of Assimp's headers. */
struct lb_assimp {
    __typeof__(aiImportFileExWithProperties) *import;
    __typeof__(aiGetErrorString) *error_string;
    __typeof__(aiCreatePropertyStore) *make_properties;
    __typeof__(aiSetImportPropertyInteger) *set_integer;
    __typeof__(aiGetMaterialFloatArray) *floats;
    __typeof__(aiGetMaterialIntegerArray) *integers;
    __typeof__(aiGetMaterialColor) *color;
    __typeof__(aiGetMaterialString) *string;
};

enum lb_status lb_assimp_open(struct lb_assimp *assimp, struct lb_error *error);

#endif
