/* Tests core/display: the messages to tev byte by byte, and addresses. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/display/connection.h"
#include "core/display/tev.h"

static void test_create(void **state)
{
    (void)state;
    static const char *const channels[] = {"R", "G", "B"};
    static const uint8_t wanted[] = {26,  0, 0, 0, 4,   1, 'a', 0, /* length, operation, to the front, name */
                                     128, 7, 0, 0,                 /* width 1920 */
                                     1,   0, 0, 0,                 /* height 1 */
                                     3,   0, 0, 0, 'R', 0, 'G', 0, 'B', 0};
    uint8_t out[LB_TEV_HEAD + 8];
    assert_int_equal(lb_tev_create(out, "a", 1920, 1, channels, 3), sizeof wanted);
    assert_memory_equal(out, wanted, sizeof wanted);
}

static void test_update(void **state)
{
    (void)state;
    /* An image of 4 x 3; of it the rectangle of 2 x 1 from (1, 2). */
    const float values[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0f, -2.5f, 0};
    static const uint8_t wanted[] = {34,  0, 0,    0,    3, 0, 'n',  0,
                                     'G', 0, /* length, operation, stays where it is, name, channel */
                                     1,   0, 0,    0,    2, 0, 0,    0, /* x, y */
                                     2,   0, 0,    0,    1, 0, 0,    0, /* width, height */
                                     0,   0, 0x80, 0x3f, 0, 0, 0x20, 0xc0};
    const struct lb_tev_tile tile = {1, 2, 2, 1};
    uint8_t out[LB_TEV_HEAD + 4 + 8];
    assert_int_equal(lb_tev_update(out, "n", "G", &tile, values, 4), sizeof wanted);
    assert_memory_equal(out, wanted, sizeof wanted);
}

static void test_addresses(void **state)
{
    (void)state;
    static const char *const good[] = {"localhost:14158", "127.0.0.1:1",       "[::1]:65535",
                                       "host.example:80", "[fe80::1%eth0]:99", "a:1"};
    static const char *const bad[] = {"",        ":",    ":1",   "a",     "a:",  "a:0",
                                      "a:65536", "a:-1", "a:+1", "a:1x",  "::1", "::1:80",
                                      "[::1]",   "[]:1", "[:1",  "]:1:2", "[a:1"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!lb_connection_names(good[i]))
            fail_msg("%s is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lb_error error;
        int connection;
        if (lb_connection_names(bad[i]))
            fail_msg("%s is taken", bad[i]);
        assert_int_equal(lb_connection_open(bad[i], &connection, &error), LB_ERROR_USAGE);
        assert_int_equal(connection, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_update),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
