/* Tests how names are told from sums: every set of names and weights that the sums can tell comes back, whatever was
 * thought likely; larger sets are known to be larger; and Cryptomatte's numbers are those of its specification. */
#include "core/picture/matte.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "test/unit/random_help.h"

/* Adds to the sums as core/kernel/integrators/feature.h does, but a weight at once. */
static void add(const lb_matte *matte, int64_t *sums, uint32_t name, int64_t weight)
{
    uint64_t power = 1;
    if (matte->names == matte->sums) {
        sums[name] += weight;
        return;
    }
    for (uint32_t j = 0; j < matte->sums; j++, power = power * (1 + (uint64_t)name) % LB_MATTE_PRIME)
        sums[j] += weight * (int64_t)power;
}

/* Unlike names of random weights, of which some are equal and some negative. */
static void draw(const lb_matte *matte, struct lb_matte_share *drawn, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_new = false;
        while (!is_new) {
            drawn[i].name = random_below(random_below(4) ? matte->names : 200) % matte->names;
            is_new = true;
            for (uint32_t j = 0; j < i; j++)
                is_new = is_new && drawn[j].name != drawn[i].name;
        }
        drawn[i].weight = 1 + (int64_t)random_below(random_below(2) ? 1 << 24 : 4);
        drawn[i].weight *= random_below(5) ? 1 : -1;
    }
}

static void expect(const struct lb_matte_share *drawn, const struct lb_matte_share *shares, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = 0;
        while (j < count && drawn[j].name != shares[i].name)
            j++;
        assert_true(j < count && drawn[j].weight == shares[i].weight);
        if (i > 0)
            assert_true(shares[i - 1].weight > shares[i].weight ||
                        (shares[i - 1].weight == shares[i].weight && shares[i - 1].name < shares[i].name));
    }
}

static void names_come_back(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 3000; trial++) {
        uint32_t names = 1 + random_below(trial % 3 ? LB_MATTE_NAMES : 100),
                 ranks = 1 + random_below(LB_MATTE_RANKS);
        lb_matte matte = {names, lb_matte_sums(names, ranks)};
        uint32_t most = matte.sums == names ? names : ranks + 2, count = random_below(most + 1), found;
        struct lb_matte_share drawn[LB_MATTE_MOST], shares[LB_MATTE_MOST];
        int64_t sums[LB_MATTE_MOST] = {0};
        draw(&matte, drawn, count);
        for (uint32_t i = 0; i < count; i++)
            add(&matte, sums, drawn[i].name, drawn[i].weight);
        /* Some names are guessed, right or wrong or twice. */
        uint32_t likely = random_below(8);
        for (uint32_t i = 0; i < likely; i++)
            shares[i].name = count && random_below(2) ? drawn[random_below(count)].name : random_below(names);
        assert_true(lb_matte_shares(&matte, sums, shares, likely, &found));
        assert_int_equal(found, count);
        expect(drawn, shares, count);
    }
}

static void too_many_are_known_to_be(void **state)
{
    (void)state;
    for (uint32_t trial = 0; trial < 1000; trial++) {
        uint32_t names = 200 + random_below(LB_MATTE_NAMES - 200), ranks = 1 + random_below(10), found;
        lb_matte matte = {names, lb_matte_sums(names, ranks)};
        struct lb_matte_share drawn[LB_MATTE_MOST], shares[LB_MATTE_MOST];
        int64_t sums[LB_MATTE_MOST] = {0};
        uint32_t count = ranks + 3 + random_below(20);
        draw(&matte, drawn, count);
        for (uint32_t i = 0; i < count; i++)
            add(&matte, sums, drawn[i].name, drawn[i].weight);
        assert_false(lb_matte_shares(&matte, sums, shares, 0, &found));
        assert_int_equal(found, 0);
    }
}

/* Weights that cancel leave nothing of a name. */
static void nothing_is_left(void **state)
{
    (void)state;
    lb_matte matte = {1000, lb_matte_sums(1000, 6)};
    struct lb_matte_share shares[LB_MATTE_MOST];
    int64_t sums[LB_MATTE_MOST] = {0};
    uint32_t found;
    for (uint32_t name = 0; name < 1000; name++)
        add(&matte, sums, name, 5);
    for (uint32_t name = 0; name < 1000; name++)
        add(&matte, sums, name, name == 999 ? -4 : -5);
    assert_true(lb_matte_shares(&matte, sums, shares, 0, &found));
    assert_int_equal(found, 1);
    assert_int_equal(shares[0].name, 999);
    assert_int_equal(shares[0].weight, 1);
}

/* Published values of MurmurHash3_x86_32, and what the specification says of exponents. */
static void hashes(void **state)
{
    (void)state;
    assert_int_equal(lb_murmur3("", 0), 0);
    assert_int_equal(lb_murmur3("hello", 5), 0x248bfa47);
    assert_int_equal(lb_murmur3("hello, world", 12), 0x149bbb7f);
    assert_int_equal(lb_murmur3("The quick brown fox jumps over the lazy dog", 43), 0x2e4ff723);
    assert_int_equal(lb_matte_id(""), 1u << 23);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        char name[16];
        snprintf(name, sizeof name, "name %u", i);
        uint32_t id = lb_matte_id(name), exponent = id >> 23 & 255, hash = lb_murmur3(name, strlen(name));
        assert_true(exponent != 0 && exponent != 255);
        assert_true(id == hash || id == (hash ^ 1u << 23));
        changed += id != hash;
    }
    assert_true(changed > 100000 / 128 / 2 && changed < 100000 / 128 * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_back),
        cmocka_unit_test(too_many_are_known_to_be),
        cmocka_unit_test(nothing_is_left),
        cmocka_unit_test(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
