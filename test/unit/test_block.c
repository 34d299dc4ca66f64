#include "core/scene/block/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void grows_zeroed_and_keeps_its_content(void **state)
{
    (void)state;
    struct lb_vector vector = {.element = sizeof(uint32_t)};
    uint32_t written = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t extra = (round * 2654435761u) >> 22;
        uint32_t *added = lb_vector_add(&vector, extra);
        assert_non_null(added);
        for (uint32_t i = 0; i < extra; i++) {
            assert_int_equal(added[i], 0);
            added[i] = ~written++;
        }
    }
    assert_int_equal(vector.count, written);
    for (uint32_t i = 0; i < written; i++)
        assert_int_equal(((uint32_t *)vector.data)[i], ~i);
    lb_vector_free(&vector);
    assert_null(vector.data);
    assert_int_equal(vector.count, 0);
}

static void refuses_what_cannot_be_counted(void **state)
{
    (void)state;
    struct lb_vector vector = {.element = sizeof(lb_shape)};
    assert_non_null(lb_vector_add(&vector, 1));
    assert_null(lb_vector_add(&vector, SIZE_MAX));
    assert_null(lb_vector_add(&vector, SIZE_MAX / sizeof(lb_shape)));
    assert_int_equal(vector.count, 1);
    lb_vector_free(&vector);
}

static void packs_arrays_at_aligned_offsets(void **state)
{
    (void)state;
    struct lb_scene_arrays arrays;
    lb_scene_arrays_init(&arrays);
    for (uint32_t i = 0; i < 1001; i++) {
        *(uint32_t *)lb_vector_add(&arrays.indices, 1) = i;
        *(uint8_t *)lb_vector_add(&arrays.texels, 1) = (uint8_t)i;
        ((lb_shape *)lb_vector_add(&arrays.shapes, 1))->material = i + 5;
    }
    lb_scene header;
    memset(&header, 0, sizeof header);
    header.radius = 7.0f;
    lb_scene *scene = lb_scene_pack(&header, &arrays);
    assert_non_null(scene);
    assert_int_equal((uintptr_t)scene % 64, 0);
    assert_true(scene->magic == LB_SCENE_MAGIC);
    assert_true(scene->radius == 7.0f);
    assert_null(arrays.indices.data);
    assert_int_equal(scene->indices.count, 1001);
    assert_int_equal(scene->normals.count, 0);
    assert_int_equal(scene->indices.offset % 64, 0);
    assert_int_equal(scene->texels.offset % 64, 0);
    assert_true(scene->shapes.offset + scene->shapes.count * sizeof(lb_shape) <= scene->size);
    for (uint32_t i = 0; i < 1001; i++) {
        assert_int_equal(LB_ARRAY(scene, indices, uint32_t)[i], i);
        assert_int_equal(LB_ARRAY(scene, texels, uint8_t)[i], (uint8_t)i);
        assert_int_equal(LB_ARRAY(scene, shapes, lb_shape)[i].material, i + 5);
    }
    lb_scene_block_free(scene);
    lb_scene_arrays_free(&arrays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_zeroed_and_keeps_its_content),
        cmocka_unit_test(refuses_what_cannot_be_counted),
        cmocka_unit_test(packs_arrays_at_aligned_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
