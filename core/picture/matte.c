#include "core/picture/matte.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers modulo the prime ---- */

#define PRIME LB_MATTE_PRIME

static uint32_t add(uint32_t a, uint32_t b)
{
    uint32_t sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
}

static uint32_t subtract(uint32_t a, uint32_t b)
{
    return a >= b ? a - b : a + (PRIME - b);
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    return add((uint32_t)(product & PRIME), (uint32_t)(product >> 31));
}

static uint32_t power(uint32_t a, uint32_t exponent)
{
    uint32_t result = 1;
    for (; exponent; exponent >>= 1, a = multiply(a, a))
        if (exponent & 1)
            result = multiply(result, a);
    return result;
}

static uint32_t invert(uint32_t a)
{
    return power(a, PRIME - 2);
}

static uint32_t reduce(int64_t sum)
{
    int64_t rest = sum % (int64_t)PRIME;
    return (uint32_t)(rest < 0 ? rest + (int64_t)PRIME : rest);
}

/* ---- polynomials: the coefficient of x^i stands at i ---- */

enum { MOST = LB_MATTE_MOST / 2 + 1 }; /* coefficients of a polynomial of a pixel's names */

struct polynomial {
    uint32_t degree, at[2 * MOST];
};

static void trim(struct polynomial *f)
{
    while (f->degree > 0 && f->at[f->degree] == 0)
        f->degree--;
}

/* The rest of f divided by g, whose leading coefficient is 1. */
static void divide(struct polynomial *f, const struct polynomial *g)
{
    for (uint32_t top = f->degree; top >= g->degree && top > 0; top--) {
        uint32_t factor = f->at[top];
        for (uint32_t i = 0; factor && i <= g->degree; i++)
            f->at[top - g->degree + i] = subtract(f->at[top - g->degree + i], multiply(factor, g->at[i]));
    }
    if (g->degree == 0)
        *f = (struct polynomial){.degree = 0};
    else if (f->degree >= g->degree)
        f->degree = g->degree - 1;
    trim(f);
}

static void make_monic(struct polynomial *f)
{
    uint32_t factor = invert(f->at[f->degree]);
    for (uint32_t i = 0; i <= f->degree; i++)
        f->at[i] = multiply(f->at[i], factor);
}

static bool is_zero(const struct polynomial *f)
{
    return f->degree == 0 && f->at[0] == 0;
}

/* The greatest common divisor, with 1 as its leading coefficient, of f and g, of which one is not zero. */
static struct polynomial common(struct polynomial f, struct polynomial g)
{
    while (!is_zero(&g)) {
        make_monic(&g);
        divide(&f, &g);
        struct polynomial rest = f;
        f = g;
        g = rest;
    }
    make_monic(&f);
    return f;
}

static struct polynomial product(const struct polynomial *f, const struct polynomial *g)
{
    struct polynomial result = {.degree = f->degree + g->degree};
    for (uint32_t i = 0; i <= f->degree; i++)
        for (uint32_t j = 0; j <= g->degree; j++)
            result.at[i + j] = add(result.at[i + j], multiply(f->at[i], g->at[j]));
    trim(&result);
    return result;
}

/* (x + shift)^exponent, and what is left of it divided by f. */
static struct polynomial power_of(uint32_t shift, uint32_t exponent, const struct polynomial *f)
{
    struct polynomial result = {.degree = 0, .at = {1}}, base = {.degree = 1, .at = {shift, 1}};
    divide(&base, f);
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = product(&result, &base);
            divide(&result, f);
        }
        base = product(&base, &base);
        divide(&base, f);
    }
    return result;
}

static uint32_t value_at(const struct polynomial *f, uint32_t x)
{
    uint32_t value = 0;
    for (uint32_t i = f->degree + 1; i-- > 0;)
        value = add(multiply(value, x), f->at[i]);
    return value;
}

/* Takes the root x out of f. */
static void deflate(struct polynomial *f, uint32_t x)
{
    uint32_t carried = 0;
    for (uint32_t i = f->degree + 1; i-- > 0;) {
        uint32_t coefficient = f->at[i];
        f->at[i] = carried;
        carried = add(coefficient, multiply(carried, x));
    }
    f->degree--;
}

/* ---- the roots of a polynomial ---- */

/* Finds the roots of f, which is a product of unlike x - a: a random half of the numbers are squares, so that of a
 * shifted f about half the roots are (Cantor and Zassenhaus 1981). */
static void split(const struct polynomial *f, uint32_t *roots, uint32_t *count)
{
    if (f->degree == 0)
        return;
    if (f->degree == 1) {
        roots[(*count)++] = subtract(0, f->at[0]);
        return;
    }
    struct polynomial part = {.degree = 0};
    for (uint32_t shift = 1; part.degree == 0 || part.degree == f->degree; shift++) {
        struct polynomial squares = power_of(multiply(shift, 0x2545f491u % PRIME), (PRIME - 1) / 2, f);
        squares.at[0] = subtract(squares.at[0], 1);
        trim(&squares);
        part = is_zero(&squares) ? *f : common(*f, squares);
    }
    struct polynomial rest = *f;
    split(&part, roots, count);
    for (uint32_t i = *count - part.degree, end = *count; i < end; i++)
        deflate(&rest, roots[i]);
    split(&rest, roots, count);
}

/* Is f a product of unlike x - a? So it is where x^PRIME - x, the product of all, is a multiple of f. */
static bool splits(const struct polynomial *f)
{
    struct polynomial all = power_of(0, PRIME, f), x = {.degree = 1, .at = {0, 1}};
    divide(&x, f);
    return all.degree == x.degree && memcmp(all.at, x.at, (x.degree + 1) * sizeof *x.at) == 0;
}

/* ---- a pixel ---- */

/* The shortest recurrence that the sums follow (Berlekamp 1968, Massey 1969), turned around so that its roots are
 * 1 + name of the pixel's names. False: it is longer than what the sums can tell. */
static bool find_recurrence(const uint32_t *s, uint32_t count, struct polynomial *f)
{
    uint32_t c[LB_MATTE_MOST + 1] = {1}, b[LB_MATTE_MOST + 1] = {1}, length = 0, since = 1, last = 1;
    for (uint32_t n = 0; n < count; n++, since++) {
        uint32_t off = s[n], kept[LB_MATTE_MOST + 1];
        for (uint32_t i = 1; i <= length; i++)
            off = add(off, multiply(c[i], s[n - i]));
        if (off == 0)
            continue;
        memcpy(kept, c, sizeof kept);
        uint32_t factor = multiply(off, invert(last));
        for (uint32_t i = 0; i + since <= count; i++)
            c[i + since] = subtract(c[i + since], multiply(factor, b[i]));
        if (2 * length > n)
            continue;
        length = n + 1 - length;
        memcpy(b, kept, sizeof b);
        last = off;
        since = 0;
    }
    if (length > count / 2)
        return false;
    f->degree = length;
    for (uint32_t i = 0; i <= length; i++)
        f->at[i] = c[length - i];
    return true;
}

/* The roots of f, which are `count`; false: it has others than names' or not as many as its degree. */
static bool find_roots(struct polynomial f, uint32_t names, const struct lb_matte_share *shares,
                       uint32_t likely, uint32_t *roots)
{
    uint32_t count = 0, wanted = f.degree;
    for (uint32_t i = 0; i < likely && f.degree > 0; i++)
        if (value_at(&f, 1 + shares[i].name) == 0) {
            roots[count++] = 1 + shares[i].name;
            deflate(&f, 1 + shares[i].name);
        }
    if (f.degree > 1 && !splits(&f))
        return false;
    split(&f, roots, &count);
    for (uint32_t i = 0; i < wanted; i++) {
        if (roots[i] < 1 || roots[i] > names)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (roots[j] == roots[i])
                return false;
    }
    return true;
}

/* The weight of root number `own`: the sums' combination in which all others cancel. */
static int64_t find_weight(const struct polynomial *f, uint32_t root, const uint32_t *s)
{
    struct polynomial others = *f;
    uint32_t sum = 0;
    deflate(&others, root);
    for (uint32_t i = 0; i <= others.degree; i++)
        sum = add(sum, multiply(others.at[i], s[i]));
    uint32_t weight = multiply(sum, invert(value_at(&others, root)));
    return weight > PRIME / 2 ? (int64_t)weight - (int64_t)PRIME : (int64_t)weight;
}

static int by_weight(const void *one, const void *other)
{
    const struct lb_matte_share *a = one, *b = other;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

/* Where each sum is a name's. */
static void take_all(const lb_matte *matte, const int64_t *sums, struct lb_matte_share *shares,
                     uint32_t *count)
{
    for (uint32_t i = 0; i < matte->sums; i++)
        if (sums[i] != 0)
            shares[(*count)++] = (struct lb_matte_share){i, sums[i]};
}

bool lb_matte_shares(const lb_matte *matte, const int64_t *sums, struct lb_matte_share *shares,
                     uint32_t likely, uint32_t *count)
{
    uint32_t s[LB_MATTE_MOST], roots[LB_MATTE_MOST];
    struct polynomial f = {.degree = 0};
    *count = 0;
    if (matte->sums == matte->names) {
        take_all(matte, sums, shares, count);
    } else {
        for (uint32_t i = 0; i < matte->sums; i++)
            s[i] = reduce(sums[i]);
        if (!find_recurrence(s, matte->sums, &f) || !find_roots(f, matte->names, shares, likely, roots))
            return false;
        for (; *count < f.degree; ++*count)
            shares[*count] = (struct lb_matte_share){roots[*count] - 1, find_weight(&f, roots[*count], s)};
    }
    qsort(shares, *count, sizeof *shares, by_weight);
    return true;
}

/* ---- what names are known by ---- */

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static uint32_t mix(uint32_t block)
{
    return rotate(block * 0xcc9e2d51u, 15) * 0x1b873593u;
}

uint32_t lb_murmur3(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t hash = 0, rest = 0;
    size_t i = 0;
    for (; i + 4 <= length; i += 4) {
        uint32_t block = (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                         (uint32_t)bytes[i + 3] << 24;
        hash = rotate(hash ^ mix(block), 13) * 5 + 0xe6546b64u;
    }
    for (unsigned shift = 0; i < length; i++, shift += 8)
        rest |= (uint32_t)bytes[i] << shift;
    hash ^= mix(rest) ^ (uint32_t)length;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

uint32_t lb_matte_id(const char *name)
{
    uint32_t id = lb_murmur3(name, strlen(name)), exponent = id >> 23 & 255;
    return exponent == 0 || exponent == 255 ? id ^ 1u << 23 : id;
}
