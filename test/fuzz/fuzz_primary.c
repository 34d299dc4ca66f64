/* What workers may say to a primary: any messages, of one that has a place and work in hand and of one that has
 * not. The primary takes only what fits into its arrays, and shows them no more of the scene than there is. */
#include "hosts/primary/place.h"
#include "hosts/primary/primary.h"
#include "messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDTH = 20, POSITIONS = 300, SCENE_BYTES = 100000, HOSTS = 2 };

/* A work of which all arrays are as long as its range. */
static void begin_job(struct lb_primary *primary, struct lb_host_jobs *jobs, const lb_order *order,
                      uint64_t number)
{
    struct lb_host_job *job = &jobs->jobs[jobs->count++];
    *job = (struct lb_host_job){.number = number, .left = POSITIONS};
    job->work.order = order;
    job->work.range = (struct lb_range){0, POSITIONS};
    job->work.sample_end = 4;
    job->result.pixels = calloc(POSITIONS, sizeof *job->result.pixels);
    job->result.sums = calloc(POSITIONS * 3, sizeof *job->result.sums);
    job->result.sum_count = 3;
    job->result.cost = calloc(POSITIONS, sizeof *job->result.cost);
    job->received = calloc(POSITIONS / 64 + 1, sizeof *job->received);
    primary->places[0].jobs = jobs;
}

static void free_jobs(struct lb_host_jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        uint64_t received = 0;
        for (uint64_t at = 0; at < POSITIONS; at++)
            received += jobs->jobs[i].received[at / 64] >> at % 64 & 1;
        if (received + jobs->jobs[i].left != POSITIONS)
            abort();
        free(jobs->jobs[i].result.pixels);
        free(jobs->jobs[i].result.sums);
        free(jobs->jobs[i].result.cost);
        free(jobs->jobs[i].received);
    }
}

static void hello(struct lb_primary *primary, const struct lb_peer *peer)
{
    char text[sizeof(struct lb_message) + sizeof(struct lb_message_hello) +
              sizeof(struct lb_message_processor)];
    struct lb_message message = {.kind = LB_MESSAGE_HELLO};
    struct lb_message_hello about = {.build = lb_build_own(), .processors = 1, .told = 1, .name = "one"};
    struct lb_message_processor told = {.name = "cpu0", .kind = "cpu"};
    memcpy(text, &message, sizeof message);
    memcpy(text + sizeof message, &about, sizeof about);
    memcpy(text + sizeof message + sizeof about, &told, sizeof told);
    lb_primary_hear(primary, peer, text, sizeof text);
}

/* Who says each message is up to its odd bit. Job numbers are made small, or none would ever fit. */
static void say_all(struct lb_primary *primary, const struct lb_peer *peers, const uint8_t *data, size_t size)
{
    struct said said;
    while (said_next(&data, &size, &said)) {
        said.head.job %= 4;
        said.head.scene = primary->mark;
        said_put_head(&said);
        lb_primary_hear(primary, &peers[said.odd], said.text, said.length);
        free(said.text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lb_log log = {.write = NULL};
    struct lb_place places[HOSTS] = {{.taken = false}};
    struct lb_host_jobs jobs = {.stopped = size % 2};
    const struct lb_peer peers[HOSTS] = {{1, "a"}, {1, "b"}};
    struct lb_primary primary = {
        .options = {.hosts = HOSTS, .silence = 1, .due = 1}, .log = &log, .places = places};
    lb_scene *scene = calloc(1, SCENE_BYTES);
    if (!scene)
        return 0;
    scene->size = SCENE_BYTES;
    primary.scene = scene;
    primary.mark = (struct lb_scene_mark){1, 2};
    pthread_mutex_init(&primary.lock, NULL);
    pthread_cond_init(&primary.changed, NULL);
    static void *socket;
    if (!socket)
        socket = nobody();
    primary.link.socket = socket;
    primary.link.wake = -1;
    hello(&primary, &peers[0]);
    lb_order order = lb_order_curve(WIDTH, POSITIONS / WIDTH, LB_CURVE_ROWS);
    begin_job(&primary, &jobs, &order, 1);
    begin_job(&primary, &jobs, &order, 2);
    say_all(&primary, peers, data, size);
    free_jobs(&jobs);
    for (uint32_t i = 0; i < HOSTS; i++)
        free(places[i].remote.processors);
    free(scene);
    return 0;
}
