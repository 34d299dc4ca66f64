/* Parts of pictures: whatever way a picture is divided, and in whatever order its parts are joined, it is the same
 * sums; what is written is read again; damage is found. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/image/image.h"
#include "core/part/part_file.h"

static unsigned seed = 7;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)rand_r(&seed) % below;
}

static struct lb_part_subject some_subject(uint32_t width, uint32_t height, uint32_t samples)
{
    return (struct lb_part_subject){.identity = "0123456789abcdef0123456789abcdef",
                                    .version = "0.1.0",
                                    .width = width,
                                    .height = height,
                                    .x0 = 3,
                                    .y0 = 5,
                                    .full_width = width + 3,
                                    .full_height = height + 9,
                                    .samples = samples,
                                    .seed = 4000000000u,
                                    .frame = 12,
                                    .detail = 64,
                                    .plain = true};
}

/* What a sample adds to the sums: of any size, and negative too. */
static int64_t value_of(uint64_t pixel, uint32_t sample, int channel)
{
    uint64_t z = (pixel * 1000003 + sample) * 4 + (uint64_t)channel + 1;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int64_t)z >> (8 + z % 40);
}

static void add_samples(struct lb_part *part, uint64_t pixel, uint32_t begin, uint32_t end)
{
    struct lb_error error;
    assert_int_equal(
        lb_held_with(&part->held, part->held.pixels[pixel], begin, end, &part->held.pixels[pixel], &error),
        LB_OK);
    for (uint32_t sample = begin; sample < end; sample++) {
        for (int c = 0; c < 3; c++)
            part->pixels[pixel].sum[c] += value_of(pixel, sample, c);
        part->pixels[pixel].weight += value_of(pixel, sample, 3);
    }
}

static void open_part(struct lb_part *part, const struct lb_part_subject *subject)
{
    struct lb_error error;
    assert_int_equal(lb_part_open(subject, part, &error), LB_OK);
    assert_int_equal(lb_held_spread(&part->held, &error), LB_OK);
    part->pixels = calloc(part->held.count, sizeof *part->pixels);
    assert_non_null(part->pixels);
}

/* Every pixel's samples cut at random, each piece in one of the parts. */
static void divide(struct lb_part *parts, uint32_t count, const struct lb_part_subject *subject)
{
    for (uint32_t i = 0; i < count; i++)
        open_part(&parts[i], subject);
    for (uint64_t pixel = 0; pixel < parts[0].held.count; pixel++)
        for (uint32_t at = 0, end; at < subject->samples; at = end) {
            end = draw(3) ? subject->samples : at + 1 + draw(subject->samples - at);
            add_samples(&parts[draw(count)], pixel, at, end);
        }
}

static void expect_same(const struct lb_part *a, const struct lb_part *b)
{
    assert_memory_equal(&a->subject.identity, &b->subject.identity, sizeof a->subject.identity);
    assert_int_equal(a->subject.plain, b->subject.plain);
    assert_int_equal(a->subject.detail, b->subject.detail);
    assert_int_equal(a->held.count, b->held.count);
    assert_memory_equal(a->pixels, b->pixels, a->held.count * sizeof *a->pixels);
    for (uint64_t i = 0; i < a->held.count; i++) {
        const struct lb_sample_set *one = &a->held.sets[lb_held_set(&a->held, i)];
        const struct lb_sample_set *other = &b->held.sets[lb_held_set(&b->held, i)];
        assert_int_equal(one->count, other->count);
        for (uint32_t j = 0; j < one->count; j++) {
            assert_int_equal(a->held.spans[one->first + j].begin, b->held.spans[other->first + j].begin);
            assert_int_equal(a->held.spans[one->first + j].end, b->held.spans[other->first + j].end);
        }
    }
}

/* Through a file and back. */
static void pass_through_file(struct lb_part *part)
{
    struct lb_part back;
    struct lb_error error = {LB_OK, ""};
    uint64_t bytes;
    assert_int_equal(lb_part_write("test_part.part", part, &bytes, &error), LB_OK);
    assert_int_equal(lb_part_read("test_part.part", &back, &error), LB_OK);
    assert_int_equal(lb_part_same(&back.subject, "back", &part->subject, "part", &error), LB_OK);
    expect_same(&back, part);
    lb_part_free(part);
    *part = back;
    unlink("test_part.part");
}

static void joins_in_any_order_to_the_same_sums(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct lb_part parts[64], whole;
        struct lb_error error = {LB_OK, ""};
        uint32_t count = 1 + draw(64);
        struct lb_part_subject subject = some_subject(1 + draw(40), 1 + draw(30), 1 + draw(20));
        divide(parts, count, &subject);
        open_part(&whole, &subject);
        for (uint64_t pixel = 0; pixel < whole.held.count; pixel++)
            add_samples(&whole, pixel, 0, subject.samples);
        assert_true(lb_part_complete(&whole));
        while (count > 1) { /* any two, until one is left */
            uint32_t i = draw(count), j = (i + 1 + draw(count - 1)) % count;
            if (draw(32) == 0)
                pass_through_file(&parts[i]);
            assert_int_equal(lb_part_add(&parts[i], &parts[j], "part", &error), LB_OK);
            lb_part_free(&parts[j]);
            parts[j] = parts[--count];
        }
        assert_true(lb_part_complete(&parts[0]));
        assert_int_equal(lb_held_samples(&parts[0].held), whole.held.count * subject.samples);
        expect_same(&parts[0], &whole);
        lb_part_free(&parts[0]);
        lb_part_free(&whole);
    }
}

static void passes_through_files_of_several_blocks(void **state)
{
    (void)state;
    struct lb_part parts[2], none;
    struct lb_error error = {LB_OK, ""};
    struct lb_part_subject subject = some_subject(400, 401, 3);
    divide(parts, 2, &subject);
    pass_through_file(&parts[0]);
    assert_false(lb_part_complete(&parts[0]));
    assert_int_equal(lb_part_add(&parts[0], &parts[1], "part", &error), LB_OK);
    assert_true(lb_part_complete(&parts[0]));
    lb_part_free(&parts[0]);
    lb_part_free(&parts[1]);
    open_part(&none, &subject); /* nothing at all is a part too */
    pass_through_file(&none);
    lb_part_free(&none);
}

static void refuses_a_sample_twice(void **state)
{
    (void)state;
    struct lb_part one, other;
    struct lb_error error = {LB_OK, ""};
    struct lb_part_subject subject = some_subject(9, 7, 16);
    open_part(&one, &subject);
    open_part(&other, &subject);
    add_samples(&one, 13, 2, 6);
    add_samples(&one, 13, 8, 16);
    add_samples(&other, 13, 6, 8);
    add_samples(&other, 14, 0, 8);
    assert_int_equal(lb_part_add(&one, &other, "x.part", &error), LB_OK);
    assert_int_equal(lb_part_add(&one, &other, "x.part", &error), LB_ERROR);
    assert_string_equal(error.message, "x.part: sample 6 of pixel 4,1 is in another part too");
    lb_part_free(&one);
    lb_part_free(&other);
}

static void tells_pictures_apart(void **state)
{
    (void)state;
    struct lb_part_subject a = some_subject(9, 7, 16), b = a;
    struct lb_error error = {LB_OK, ""};
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_OK);
    b.seed = 3;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_string_equal(error.message, "a is not of the picture of b: its seed is 4000000000, not 3");
    b = a;
    b.identity[5] = 'f';
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    b = a;
    b.height = 8;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_string_equal(error.message, "a is not of the picture of b: it is 9x7, not 9x8");
    b = a;
    b.samples = 32;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
}

/* Every bit of a file counts, and every byte is needed. */
static void finds_damage(void **state)
{
    (void)state;
    struct lb_part part, back;
    struct lb_file file;
    struct lb_error error = {LB_OK, ""};
    struct lb_part_subject subject = some_subject(5, 4, 8);
    divide(&part, 1, &subject);
    assert_int_equal(lb_part_write("test_part.part", &part, NULL, &error), LB_OK);
    assert_int_equal(lb_file_read("test_part.part", 1 << 20, &file, &error), LB_OK);
    for (size_t i = 0; i < file.size; i++) {
        file.data[i] ^= (uint8_t)(1 << draw(8));
        uint8_t changed = file.data[i];
        assert_int_equal(lb_part_parse("x", file.data, file.size, 1 << 20, &back, &error), LB_ERROR);
        assert_true(!strncmp(error.message, "x: ", 3));
        assert_int_equal(lb_part_parse("x", file.data, i, 1 << 20, &back, &error), LB_ERROR);
        file.data[i] = changed;
        lb_file_free(&file);
        assert_int_equal(lb_file_read("test_part.part", 1 << 20, &file, &error), LB_OK);
    }
    assert_int_equal(lb_part_parse("x", file.data, file.size, 19, &back, &error), LB_ERROR);
    assert_string_equal(error.message, "x: 5 x 4 pixels are too many");
    assert_int_equal(lb_part_parse("x", file.data, file.size, 20, &back, &error), LB_OK);
    lb_part_free(&back);
    lb_part_free(&part);
    lb_file_free(&file);
    unlink("test_part.part");
}

/* Samples that a picture of more would have limited are given up, and no others. */
static void is_extended_by_what_is_certain(void **state)
{
    (void)state;
    struct lb_part part;
    struct lb_part_subject subject = some_subject(6, 5, 64), larger = some_subject(6, 5, 1 << 20);
    struct lb_error error = {LB_OK, ""};
    uint64_t dropped;
    open_part(&part, &subject);
    for (uint64_t i = 0; i < 30; i++) {
        part.pixels[i].sum[1] = i % 10 == 3 ? (int64_t)1 << 41 : (int64_t)1 << 39;
        part.pixels[i].weight = 64;
        assert_int_equal(lb_held_with(&part.held, 0, 0, 64, &part.held.pixels[i], &error), LB_OK);
    }
    assert_int_equal(lb_part_extend(&part, &larger, "x", &dropped, &error), LB_OK);
    assert_int_equal(dropped, 3);
    assert_int_equal(part.subject.samples, 1 << 20);
    for (uint64_t i = 0; i < 30; i++)
        assert_int_equal(part.held.pixels[i] == 0, i % 10 == 3);
    subject.detail = 16;
    part.subject.detail = 16;
    part.subject.samples = 16;
    assert_int_equal(lb_part_extend(&part, &larger, "x", &dropped, &error), LB_ERROR);
    assert_non_null(strstr(error.message, "--spp 1048576 with --samples 0:16"));
    lb_part_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_in_any_order_to_the_same_sums),
        cmocka_unit_test(passes_through_files_of_several_blocks),
        cmocka_unit_test(refuses_a_sample_twice),
        cmocka_unit_test(tells_pictures_apart),
        cmocka_unit_test(finds_damage),
        cmocka_unit_test(is_extended_by_what_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
