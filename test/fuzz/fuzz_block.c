/* The blocks of scenes as a hostile or broken primary may send them: with any words changed. What the check lets pass
 * can be rendered. The bytes say which scene, which renderer, and what is changed; the scenes are those of samples/
 * and, where it is there, of ../shared/data/scenes/features, or those that match LB_FUZZ_SCENES. */
#include "core/guiding/learn.h"
#include "test/block_damage.h"

#include <glob.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Trees have as many nodes as they like: then calloc says so. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

enum { SCENES = 256, LARGEST = 1 << 20, WIDTH = 9, HEIGHT = 7 };

static lb_scene *scenes[SCENES];
static size_t scene_count;

static void load_scenes(const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc && scene_count < SCENES; i++) {
        struct lb_scene_options options = {.lenient = true, .samples = 2};
        struct lb_loaded loaded;
        struct lb_error error;
        options.channels.wanted = scene_count % 2 ? (1u << LB_CHANNEL_BUCKETS) - 1 : 0;
        if (strstr(found.gl_pathv[i], "mandelbrot")) /* it has no surfaces */
            options.channels.wanted =
                1u << LB_CHANNEL_SAMPLES | 1u << LB_CHANNEL_SQUARES | 1u << LB_CHANNEL_SCATTERED;
        if (!strstr(found.gl_pathv[i], "pixelbounds")) { /* these name pixels of the file's own film */
            options.width = WIDTH;
            options.height = HEIGHT;
        }
        if (lb_scene_load(found.gl_pathv[i], &options, NULL, &loaded, &error) != LB_OK)
            continue;
        struct lb_learning learning = {.wish = strstr(found.gl_pathv[i], "room") ? LB_GUIDING_ALWAYS
                                                                                 : LB_GUIDING_NEVER};
        struct lb_learned learned;
        if (lb_guiding_learn(&loaded.scene, &learning, &learned, &error) != LB_OK)
            abort();
        if (loaded.scene->size < LARGEST)
            scenes[scene_count++] = block_copy(loaded.scene);
        lb_scene_free(&loaded);
    }
    globfree(&found);
}

/* Where fuzzers run, two folders below the repository's own. */
static void load_all(void)
{
    const char *named = getenv("LB_FUZZ_SCENES");
    if (named) {
        load_scenes(named);
    } else {
        load_scenes("../../samples/*.pbrt");
        load_scenes("../../test/scenes/*.pbrt");
        load_scenes("../../../shared/data/scenes/features/*.pbrt");
    }
    if (scene_count == 0) {
        fprintf(stderr, "fuzz_block: no scenes\n");
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct block_part parts[BLOCK_PARTS];
    struct lb_error error;
    if (scene_count == 0)
        load_all();
    if (size < 4 + DAMAGE_BYTES) /* it was not damaged at all */
        return 0;
    lb_scene *block = block_copy(scenes[(size_t)(data[0] | data[1] << 8) % scene_count]);
    uint64_t bytes = block->size;
    uint32_t count = block_parts(block, parts);
    for (size_t at = 4; at + DAMAGE_BYTES <= size && at < 4 + 64 * DAMAGE_BYTES; at += DAMAGE_BYTES)
        block_damage(parts, count, data + at);
    error.message[0] = 0;
    if (lb_scene_check(block, bytes, &error) == LB_OK) {
        block_shorten(block);
        block_render(block, data[2] % 4, data[3]);
    } else if (!error.message[0] || strchr(error.message, '\n')) {
        abort();
    }
    free(block);
    return 0;
}
