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
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/base/file.h"
#include "core/image/image.h"
#include "core/kernel/scene/channel_kinds.h"
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

/* Names for the mattes and groups that are wanted: of mattes fewer than sums can be, or more. */
static void name_lists(struct lb_part_subject *subject)
{
    static char texts[LB_LISTS][50 * 12];
    subject->channels.matte_ranks = 4;
    for (uint32_t i = 0; i < LB_LISTS; i++) {
        size_t used = 0;
        uint32_t names = 3 + 20 * i;
        if (!(subject->channels.wanted >> lb_list_kind(i) & 1))
            continue;
        for (uint32_t name = 0; name < names; name++)
            used += 1 + (size_t)snprintf(texts[i] + used, sizeof texts[i] - used, "name \"%u\"", name);
        subject->list_texts[i] = texts[i];
        subject->list_bytes[i] = used;
        if (i == LB_LIST_GROUPS)
            subject->channels.groups = names;
        else
            subject->channels.mattes[i] = (lb_matte){names, lb_matte_sums(names, 4)};
    }
}

/* The same with channels: kinds by chance, one at least. */
static struct lb_part_subject with_channels(struct lb_part_subject subject)
{
    subject.channels.wanted = 1u << draw(LB_CHANNEL_KINDS) | (draw(2) ? draw(1u << LB_CHANNEL_KINDS) : 0);
    subject.channels.world = draw(2);
    subject.channels.scale = 1.0f / (float)(1u << draw(20));
    subject.channels.buckets = 1 + draw(7);
    subject.channels.bucket_low = 380.0f;
    subject.channels.bucket_high = 720.0f;
    name_lists(&subject);
    lb_channels_lay_out(&subject.channels);
    snprintf(subject.outputs, sizeof subject.outputs, "Z,albedo");
    subject.transparent = draw(2);
    return subject;
}

/* What a sample adds to the sums: of any size, and negative too. */
static int64_t value_of(uint64_t pixel, uint32_t sample, uint32_t channel)
{
    uint64_t z = (pixel * 1000003 + sample) * 64 + channel + 1;
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
    uint32_t each = part->subject.channels.count;
    for (uint32_t sample = begin; sample < end; sample++) {
        for (uint32_t c = 0; c < 3; c++)
            part->pixels[pixel].sum[c] += value_of(pixel, sample, c);
        part->pixels[pixel].weight += value_of(pixel, sample, 3);
        for (uint32_t i = 0; i < each; i++)
            part->sums[pixel * each + i] += value_of(pixel, sample, 4 + i);
    }
}

static void open_part(struct lb_part *part, const struct lb_part_subject *subject)
{
    struct lb_error error;
    assert_int_equal(lb_part_open(subject, part, &error), LB_OK);
    assert_int_equal(lb_held_spread(&part->held, &error), LB_OK);
    part->pixels = calloc(part->held.count, sizeof *part->pixels);
    assert_non_null(part->pixels);
    uint32_t each = subject->channels.count;
    part->sums = each ? calloc(part->held.count, each * sizeof *part->sums) : NULL;
    assert_true(part->sums || !each);
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

/* Has every pixel all its samples? */
static bool has_all_samples(const struct lb_part *part)
{
    const struct lb_held *held = &part->held;
    for (uint64_t i = 0; i < (held->pixels ? held->count : 1); i++)
        if (!lb_held_has(held, lb_held_set(held, i), 0, part->subject.samples))
            return false;
    return true;
}

static void expect_same(const struct lb_part *a, const struct lb_part *b)
{
    assert_memory_equal(&a->subject.identity, &b->subject.identity, sizeof a->subject.identity);
    assert_int_equal(a->subject.plain, b->subject.plain);
    assert_int_equal(a->subject.detail, b->subject.detail);
    assert_int_equal(a->held.count, b->held.count);
    assert_memory_equal(a->pixels, b->pixels, a->held.count * sizeof *a->pixels);
    assert_int_equal(a->subject.transparent, b->subject.transparent);
    assert_string_equal(a->subject.outputs, b->subject.outputs);
    assert_int_equal(a->subject.channels.count, b->subject.channels.count);
    assert_int_equal(a->target.squares != NULL, a->subject.noise > 0);
    if (a->target.squares) {
        assert_int_equal(a->target.begin, b->target.begin);
        assert_int_equal(a->target.end, b->target.end);
        assert_int_equal(a->target.sweeps, b->target.sweeps);
        assert_true(a->target.noise == b->target.noise);
        assert_memory_equal(a->target.squares, b->target.squares, a->held.count * sizeof(double));
    }
    if (a->sums)
        assert_memory_equal(a->sums, b->sums, a->held.count * a->subject.channels.count * sizeof *a->sums);
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
        if (round % 2)
            subject = with_channels(subject);
        divide(parts, count, &subject);
        open_part(&whole, &subject);
        for (uint64_t pixel = 0; pixel < whole.held.count; pixel++)
            add_samples(&whole, pixel, 0, subject.samples);
        assert_true(has_all_samples(&whole));
        while (count > 1) { /* any two, until one is left */
            uint32_t i = draw(count), j = (i + 1 + draw(count - 1)) % count;
            if (draw(32) == 0)
                pass_through_file(&parts[i]);
            assert_int_equal(lb_part_add(&parts[i], &parts[j], "part", &error), LB_OK);
            lb_part_free(&parts[j]);
            parts[j] = parts[--count];
        }
        assert_true(has_all_samples(&parts[0]));
        assert_int_equal(lb_held_samples(&parts[0].held), whole.held.count * subject.samples);
        expect_same(&parts[0], &whole);
        lb_part_free(&parts[0]);
        lb_part_free(&whole);
    }
}

static void passes_through_files_of_several_blocks(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; turn++) {
        struct lb_part parts[2], none;
        struct lb_error error = {LB_OK, ""};
        struct lb_part_subject subject = some_subject(400, 401, 3);
        if (turn)
            subject = with_channels(subject);
        divide(parts, 2, &subject);
        pass_through_file(&parts[0]);
        assert_false(has_all_samples(&parts[0]));
        assert_int_equal(lb_part_add(&parts[0], &parts[1], "part", &error), LB_OK);
        assert_true(has_all_samples(&parts[0]));
        lb_part_free(&parts[0]);
        lb_part_free(&parts[1]);
        open_part(&none, &subject); /* nothing at all is a part too */
        pass_through_file(&none);
        lb_part_free(&none);
    }
}

/* What is left of the sums is what it was, and what is not there is missed. */
static void is_narrowed_to_channels_that_are_wanted(void **state)
{
    (void)state;
    for (int turn = 0; turn < 60; turn++) {
        struct lb_part part, all;
        struct lb_error error = {LB_OK, ""};
        struct lb_part_subject subject = with_channels(some_subject(7, 5, 3));
        uint32_t had = subject.channels.wanted, wanted = had & draw(1u << LB_CHANNEL_KINDS);
        unsigned before = seed;
        divide(&all, 1, &subject);
        seed = before;
        divide(&part, 1, &subject);
        uint32_t lacking = ~had & ((1u << LB_CHANNEL_KINDS) - 1);
        if (lacking) {
            assert_int_equal(lb_part_narrow(&part, wanted | lacking, "x.part", &error), LB_ERROR);
            assert_non_null(strstr(error.message, "x.part has no sums of \""));
            assert_int_equal(part.subject.channels.wanted, had);
        }
        /* Groups that were made without the background are of no use to who wants it in them. */
        uint32_t background = 1u << LB_CHANNEL_BACKGROUND, groups = 1u << LB_CHANNEL_GROUPS;
        if ((had & background) != 0 && (wanted & (background | groups)) == groups) {
            assert_int_equal(lb_part_narrow(&part, wanted, "x.part", &error), LB_ERROR);
            assert_non_null(strstr(error.message, "light groups without the background"));
            assert_int_equal(part.subject.channels.wanted, had);
            wanted |= background;
        }
        /* Nor are samples that count for the pixels around of use to who wants them for their own alone. */
        uint32_t around = 1u << LB_CHANNEL_AROUND;
        if ((had & ~wanted & around) != 0) {
            assert_int_equal(lb_part_narrow(&part, wanted, "x.part", &error), LB_ERROR);
            assert_non_null(strstr(error.message, "x.part: its samples count for the pixels around, too"));
            assert_int_equal(part.subject.channels.wanted, had);
            wanted |= around;
        }
        assert_int_equal(lb_part_narrow(&part, wanted, "x.part", &error), LB_OK);
        const lb_channels *few = &part.subject.channels, *many = &all.subject.channels;
        assert_int_equal(few->wanted, wanted);
        assert_true((part.sums != NULL) == (few->count > 0));
        for (uint32_t i = 0; i < 35; i++)
            for (uint32_t kind = 0; kind < LB_CHANNEL_KINDS; kind++)
                if (wanted >> kind & 1)
                    assert_memory_equal(part.sums + i * few->count + few->first[kind],
                                        all.sums + i * many->count + many->first[kind],
                                        lb_channel_sums(few, kind) * sizeof *part.sums);
        lb_part_free(&part);
        lb_part_free(&all);
    }
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
    b = a;
    b.mean = 2;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_string_equal(error.message, "a is not of the picture of b: it is not adaptive, as that one is");
    assert_int_equal(lb_part_same(&b, "b", &a, "a", &error), LB_ERROR);
    assert_string_equal(error.message, "b is not of the picture of a: it is adaptive, as that one is not");
    b = a;
    b.channels.wanted = 1u << LB_CHANNEL_COVER | 1u << LB_CHANNEL_P;
    b.channels.scale = 0.25f;
    lb_channels_lay_out(&b.channels);
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_string_equal(error.message, "a has not the channels of b: it has sums of none, not of cover P");
    a = b;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_OK);
    b.channels.world = 1;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_non_null(strstr(error.message, "of the camera's space, not the world's"));
    b = a;
    b.channels.scale = 1;
    assert_int_equal(lb_part_same(&a, "a", &b, "b", &error), LB_ERROR);
    assert_non_null(strstr(error.message, "in units of 4, not 1"));
}

/* The part as a file's bytes. */
static void write_and_read(const struct lb_part *part, struct lb_file *file)
{
    struct lb_error error = {LB_OK, ""};
    assert_int_equal(lb_part_write("test_part.part", part, NULL, &error), LB_OK);
    assert_int_equal(lb_file_read("test_part.part", 1 << 20, file, &error), LB_OK);
}

/* Every bit of a file counts, and every byte is needed. */
static void expect_damage_found(struct lb_part_subject subject)
{
    struct lb_part part, back;
    struct lb_file file;
    struct lb_error error = {LB_OK, ""};
    divide(&part, 1, &subject);
    write_and_read(&part, &file);
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

static void finds_damage(void **state)
{
    (void)state;
    expect_damage_found(some_subject(5, 4, 8));
    expect_damage_found(with_channels(some_subject(5, 4, 8)));
}

/* Reads the file with `from` in it replaced by `to`, which is as long, and the right checksum. */
static void expect_changed(struct lb_file *file, const char *from, const char *to, const char *message)
{
    struct lb_part back;
    struct lb_error error = {LB_OK, ""};
    size_t length = strlen(from);
    uint8_t *at = memmem(file->data, file->size, from, length), kept[100];
    assert_non_null(at);
    assert_int_equal(length, strlen(to));
    memcpy(kept, at, length);
    memcpy(at, to, length);
    XXH64_hash_t hash = XXH3_64bits(file->data, file->size - 8);
    memcpy(file->data + file->size - 8, &hash, sizeof hash);
    if (message) {
        assert_int_equal(lb_part_parse("x", file->data, file->size, 1 << 20, &back, &error), LB_ERROR);
        assert_string_equal(error.message, message);
    } else {
        assert_int_equal(lb_part_parse("x", file->data, file->size, 1 << 20, &back, &error), LB_OK);
        lb_part_free(&back);
    }
    memcpy(at, kept, length);
}

/* The part is of a picture that ends by its noise. */
static void aim_at_noise(struct lb_part *part, double noise, double reached)
{
    part->subject.noise = noise;
    part->target = (struct lb_part_target){
        .begin = 2, .end = 5, .noise = reached, .squares = calloc(part->held.count, sizeof(double))};
    for (uint64_t i = 0; i < part->held.count; i++)
        if (lb_held_set(&part->held, i) != 0)
            part->target.squares[i] = draw(1u << 31) * 0x1.23456789p-9;
}

/* Pixels that are to get unlike numbers of samples: the file says how many, and the summary what is missing. */
static void keeps_goals(void **state)
{
    (void)state;
    struct lb_error error = {LB_OK, ""};
    for (int turn = 0; turn < 200; turn++) {
        struct lb_part_subject subject = some_subject(1 + draw(20), 1 + draw(20), 80);
        struct lb_part_summary summary;
        struct lb_part part;
        uint64_t samples = 0, missing = 0, count = (uint64_t)subject.width * subject.height;
        subject.mean = 10;
        open_part(&part, &subject);
        for (uint64_t i = 0; i < count; i++) {
            uint32_t goal = 2 + draw(79), there = 1 + draw(goal);
            add_samples(&part, i, 0, there);
            assert_int_equal(lb_held_goal(&part.held, part.held.pixels[i], 7), 7);
            assert_int_equal(
                lb_held_with_goal(&part.held, part.held.pixels[i], goal, &part.held.pixels[i], &error),
                LB_OK);
            assert_int_equal(lb_held_goal(&part.held, part.held.pixels[i], 7), goal);
            samples += there;
            missing += goal - there;
        }
        if (turn % 2)
            aim_at_noise(&part, 1.0 / (1 + turn), turn % 3 ? -1 : 0.1 * turn);
        pass_through_file(&part);
        assert_true(lb_part_add(&part, &part, "part", &error) == LB_ERROR);
        assert_int_equal(part.subject.mean, 10);
        assert_int_equal(lb_held_samples(&part.held), samples);
        assert_int_equal(lb_part_summarise(&part, &summary, &error), LB_OK);
        assert_int_equal(summary.samples, samples);
        assert_int_equal(summary.missing, missing);
        assert_int_equal(summary.undecided, turn % 2);
        lb_part_summary_free(&summary);
        lb_part_free(&part);
    }
}

static void refuses_goals_that_are_none(void **state)
{
    (void)state;
    struct lb_error error = {LB_OK, ""};
    struct lb_part_subject subject = some_subject(1, 1, 80);
    struct lb_part part;
    struct lb_file file;
    subject.mean = 10;
    open_part(&part, &subject);
    add_samples(&part, 0, 0, 4);
    assert_int_equal(lb_held_with_goal(&part.held, part.held.pixels[0], 7, &part.held.pixels[0], &error),
                     LB_OK);
    write_and_read(&part, &file);
    const char *set = "[[0,4],[2147483655,2147483656]]", *wrong = "x: damaged part: samples out of order";
    expect_changed(&file, set, "[[0,4],[2147483728,2147483729]]", NULL);
    expect_changed(&file, set, "[[0,4],[2147483729,2147483730]]", wrong);
    expect_changed(&file, set, "[[0,4],[2147483655,2147483657]]", wrong);
    expect_changed(&file, set, "[[0,4],[2147483648,2147483649]]", wrong);
    expect_changed(&file, set, "[[2147483655,2147483656]      ]", wrong);
    expect_changed(&file, "adaptive\":10", "adaptivo\":10", wrong);
    expect_changed(&file, "adaptive\":10", "adaptive\":99", "x: damaged part: its header is wrong");
    lb_file_free(&file);
    aim_at_noise(&part, 0.25, 0.5);
    write_and_read(&part, &file);
    const char *header = "x: damaged part: its header is wrong";
    expect_changed(&file, "\"by\":\"mean\"", "\"by\":\"mean\"", NULL);
    expect_changed(&file, "\"by\":\"mean\"", "\"by\":\"mine\"", header);
    expect_changed(&file, "\"noise\":0.25", "\"noise\":0.00", header);
    expect_changed(&file, "\"reached\":0.5", "\"reached\":-.5", header);
    expect_changed(&file, "\"reached\":0.5", "\"reached\":-05", header);
    expect_changed(&file, "\"begin\":2,", "\"begin\":9,", header);
    expect_changed(&file, "\"end\":5,", "\"end\":0,", header);
    expect_changed(&file, "float64", "float65", "x: damaged part: its planes are not those of its version");
    lb_part_free(&part);
    lb_file_free(&file);
    unlink("test_part.part");
}

/* A file whose checksum is right may still say what no writer does. */
static void refuses_channels_that_are_none(void **state)
{
    (void)state;
    static const char planes[] = "x: damaged part: its planes are not those of channels";
    static const char version[] = "x: damaged part: its planes are not those of its version";
    static const char header[] = "x: damaged part: its header is wrong";
    struct lb_part part;
    struct lb_file file;
    struct lb_part_subject subject = some_subject(5, 4, 8);
    subject.channels.wanted = 1u << LB_CHANNEL_P | 1u << LB_CHANNEL_Z | 1u << LB_CHANNEL_SQUARES;
    subject.channels.scale = 1.0f / 32;
    lb_channels_lay_out(&subject.channels);
    snprintf(subject.outputs, sizeof subject.outputs, "Z,variance");
    divide(&part, 1, &subject);
    write_and_read(&part, &file);
    expect_changed(&file, "\"P.1\"", "\"P.1\"", NULL);
    expect_changed(&file, "\"P.1\"", "\"P.2\"", planes);
    expect_changed(&file, "\"P.0\"", "\"Q.0\"", version);
    expect_changed(&file, "\"Z\",\"type\":\"int64\",\"fraction_bits\":25",
                   "\"Z\",\"type\":\"int64\",\"fraction_bits\":24", planes);
    expect_changed(&file, "\"Z\",\"type\":\"int64\",\"fraction_bits\":25",
                   "\"Z\",\"type\":\"int64\",\"fraction_bits\":31", planes);
    expect_changed(&file, "\"Z\",\"type\":\"int64\"", "\"Z\",\"type\":\"int32\"", version);
    expect_changed(&file, "\"fraction_bits\":46", "\"fraction_bits\":45", planes);
    expect_changed(&file, "\"squares.5\"", "\"squares.4\"", planes);
    expect_changed(&file, "\"camera\"", "\"screen\"", header);
    expect_changed(&file, "\"Z,variance\"", "\"Z,varianc3\"", header);
    expect_changed(&file, "lbpart\n\2", "lbpart\n\1", version);
    expect_changed(&file, "lbpart\n\2", "lbpart\n\4", "x: a part of version 4; this program reads 1 to 3");
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

/* Likewise where a channel's sum may have been limited, or a coordinate of the scene. */
static void channels_are_extended_by_what_is_certain(void **state)
{
    (void)state;
    struct lb_part_subject subject = some_subject(6, 5, 64), larger;
    struct lb_error error = {LB_OK, ""};
    uint64_t dropped;
    subject.channels.wanted = 1u << LB_CHANNEL_ALBEDO | 1u << LB_CHANNEL_UV | 1u << LB_CHANNEL_SAMPLES;
    subject.channels.scale = 1;
    lb_channels_lay_out(&subject.channels);
    larger = subject;
    larger.samples = 1 << 20;
    for (int turn = 0; turn < 2; turn++) {
        struct lb_part part;
        open_part(&part, &subject);
        larger.reach = turn ? 5000.0f : 2.0f; /* 2^42 / 2^30 is the limit */
        for (uint64_t i = 0; i < 30; i++) {
            int64_t *sums = part.sums + i * subject.channels.count;
            part.pixels[i].weight = 64;
            sums[subject.channels.first[LB_CHANNEL_ALBEDO] + 2] = (int64_t)1 << (i % 10 == 3 ? 42 : 40);
            sums[subject.channels.first[LB_CHANNEL_UV]] = -((int64_t)1 << 50);
            sums[subject.channels.first[LB_CHANNEL_SAMPLES]] = (int64_t)1 << 60;
            assert_int_equal(lb_held_with(&part.held, 0, 0, 64, &part.held.pixels[i], &error), LB_OK);
        }
        assert_int_equal(lb_part_extend(&part, &larger, "x", &dropped, &error), LB_OK);
        assert_int_equal(dropped, turn ? 30 : 3);
        for (uint32_t i = 0; i < subject.channels.count; i++)
            assert_int_equal(part.sums[3 * subject.channels.count + i], 0);
        lb_part_free(&part);
    }
}

/* The most memory that the process has had so far, in bytes. */
static uint64_t most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return (uint64_t)usage.ru_maxrss << 10;
}

/* AddressSanitizer notes of every eight bytes of the heap whether they may be used, in a byte that does exist. */
static bool has_address_sanitizer(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
    return __has_feature(address_sanitizer);
#else
    return false;
#endif
}

/* Whatever size the file says that the picture has. */
static void memory_follows_what_is_there(void **state)
{
    (void)state;
    enum { SIDE = 8000 };
    struct lb_part_subject subject = some_subject(SIDE, SIDE, 16);
    struct lb_part part, again;
    struct lb_part_summary summary;
    struct lb_error error;
    assert_int_equal(lb_part_open(&subject, &part, &error), LB_OK);
    assert_int_equal(lb_part_write("test_part.part", &part, NULL, &error), LB_OK);
    uint64_t before = most_memory(), may_grow = (uint64_t)64 << 20;
    if (has_address_sanitizer())
        may_grow += (uint64_t)SIDE * SIDE * (sizeof *part.pixels + sizeof *part.held.pixels) / 8;
    assert_int_equal(lb_part_survey("test_part.part", &again, &summary, &error), LB_OK);
    assert_null(again.pixels);
    assert_null(again.held.pixels);
    assert_int_equal(summary.missing, (uint64_t)SIDE * SIDE * 16);
    assert_int_equal(summary.having[0], (uint64_t)SIDE * SIDE);
    lb_part_summary_free(&summary);
    lb_part_free(&again);
    assert_int_equal(lb_part_read("test_part.part", &again, &error), LB_OK);
    lb_part_free(&again);
    lb_part_free(&part);
    unlink("test_part.part");
    assert_true(most_memory() - before < may_grow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_in_any_order_to_the_same_sums),
        cmocka_unit_test(passes_through_files_of_several_blocks),
        cmocka_unit_test(refuses_a_sample_twice),
        cmocka_unit_test(tells_pictures_apart),
        cmocka_unit_test(finds_damage),
        cmocka_unit_test(refuses_channels_that_are_none),
        cmocka_unit_test(is_narrowed_to_channels_that_are_wanted),
        cmocka_unit_test(is_extended_by_what_is_certain),
        cmocka_unit_test(channels_are_extended_by_what_is_certain),
        cmocka_unit_test(memory_follows_what_is_there),
        cmocka_unit_test(keeps_goals),
        cmocka_unit_test(refuses_goals_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
