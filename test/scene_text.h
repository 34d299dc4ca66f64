/* A scene from its text, for tests. */
#ifndef LB_TEST_SCENE_TEXT_H
#define LB_TEST_SCENE_TEXT_H

#include "core/scene/load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Released by lb_scene_free. The test fails where the scene does not load. */
static inline void load_scene_text(const char *text, struct lb_loaded *loaded)
{
    char path[] = "/tmp/lbrender-test-XXXXXX";
    struct lb_scene_options options = {.threads = 1};
    struct lb_error error;
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    enum lb_status status = lb_scene_load(path, &options, NULL, loaded, &error);
    unlink(path);
    if (status != LB_OK)
        fail_msg("%s", error.message);
}

#endif
