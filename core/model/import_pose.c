/* Where nodes stand. */
#include "core/model/import_work.h"

#include <math.h>
#include <string.h>

lb_model_pose lb_model_pose_of(const struct aiMatrix4x4 *t)
{
    return (lb_model_pose){{{(double)t->a1, (double)t->a2, (double)t->a3, (double)t->a4},
                            {(double)t->b1, (double)t->b2, (double)t->b3, (double)t->b4},
                            {(double)t->c1, (double)t->c2, (double)t->c3, (double)t->c4}}};
}

lb_model_pose lb_model_pose_times(const lb_model_pose *a, const lb_model_pose *b)
{
    lb_model_pose product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            product.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                                     a->m[row][2] * b->m[2][column] + (column == 3 ? a->m[row][3] : 0.0);
    return product;
}

static double determinant(const lb_model_pose *pose)
{
    const double(*m)[4] = pose->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool lb_model_pose_usable(const lb_model_pose *p)
{
    const double(*m)[4] = p->m;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            if (!(fabs(m[row][column]) < 1e18))
                return false;
    return fabs(determinant(p)) > 1e-30;
}

bool lb_model_pose_mirrors(const lb_model_pose *pose)
{
    return determinant(pose) < 0.0;
}

void lb_model_pose_point(const lb_model_pose *pose, const double p[3], double to[3])
{
    double from[3];
    memcpy(from, p, sizeof from);
    for (int row = 0; row < 3; row++)
        to[row] = pose->m[row][0] * from[0] + pose->m[row][1] * from[1] + pose->m[row][2] * from[2] +
                  pose->m[row][3];
}

void lb_model_pose_vector(const lb_model_pose *pose, const double v[3], double to[3])
{
    double from[3];
    memcpy(from, v, sizeof from);
    for (int row = 0; row < 3; row++)
        to[row] = pose->m[row][0] * from[0] + pose->m[row][1] * from[1] + pose->m[row][2] * from[2];
}

void lb_model_cross(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

void lb_model_normalize(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0.0; i++)
        v[i] /= length;
}

void lb_model_pose_write(struct lb_text *text, const char *directive, const lb_model_pose *pose)
{
    lb_text_add(text, "%s [", directive);
    for (int column = 0; column < 4; column++)
        lb_text_add(text, " %.9g %.9g %.9g %d", pose->m[0][column], pose->m[1][column], pose->m[2][column],
                    column == 3);
    lb_text_add(text, " ]\n");
}

static enum lb_status walk(struct lb_model_work *work, const struct aiNode *node, const lb_model_pose *above,
                           lb_model_visit *visit, int depth)
{
    lb_model_pose own = lb_model_pose_of(&node->mTransformation), pose = lb_model_pose_times(above, &own);
    if (depth > LB_MODEL_DEEPEST)
        return lb_error_set(work->error, LB_ERROR, "%s: its nodes are more than %d deep", work->path,
                            LB_MODEL_DEEPEST);
    enum lb_status status = visit(work, node, &pose);
    for (unsigned i = 0; status == LB_OK && i < node->mNumChildren; i++)
        status = walk(work, node->mChildren[i], &pose, visit, depth + 1);
    return status;
}

enum lb_status lb_model_walk(struct lb_model_work *work, lb_model_visit *visit)
{
    return work->scene->mRootNode ? walk(work, work->scene->mRootNode, &work->upright, visit, 0) : LB_OK;
}

static bool add_nodes(struct lb_model_names *names, struct aiNode *node, int depth)
{
    bool added = lb_model_add_name(names, node->mName.data, node);
    for (unsigned i = 0; added && i < node->mNumChildren && depth < LB_MODEL_DEEPEST; i++)
        added = add_nodes(names, node->mChildren[i], depth + 1);
    return added;
}

bool lb_model_name_nodes(struct lb_model_names *names, struct aiNode *root)
{
    bool added = add_nodes(names, root, 0);
    if (added)
        lb_model_sort_names(names);
    return added;
}

static const struct aiNode *find(const struct aiNode *node, const lb_model_pose *above, const char *name,
                                 lb_model_pose *pose, int depth)
{
    lb_model_pose own = lb_model_pose_of(&node->mTransformation), here = lb_model_pose_times(above, &own);
    *pose = here;
    if (!strcmp(node->mName.data, name))
        return node;
    for (unsigned i = 0; i < node->mNumChildren && depth < LB_MODEL_DEEPEST; i++) {
        const struct aiNode *found = find(node->mChildren[i], &here, name, pose, depth + 1);
        if (found)
            return found;
    }
    return NULL;
}

const struct aiNode *lb_model_find(const struct lb_model_work *work, const char *name, lb_model_pose *pose)
{
    const struct aiNode *root = work->scene->mRootNode, *found = NULL;
    if (root)
        found = find(root, &work->upright, name, pose, 0);
    if (!found)
        *pose = work->upright;
    return found;
}
