#include "core/display/display.h"

#include "core/display/connection.h"
#include "core/display/tev.h"
#include "core/machine/clock.h"
#include "core/machine/timed_wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Changes are sent in squares of TILE x TILE pixels; a picture has at most CHANNELS channels. */
enum { TILE = 64, CHANNELS = 4 };

static const char *const channel_names[CHANNELS] = {"R", "G", "B", "A"};

/* The least time from the end of one update to the beginning of the next. */
static const double REST_SECONDS = 0.2;
/* The part of each CPU's time that the thread may take at most. */
static const double MOST_SHARE = 0.01;
/* The same where it also makes what a screen shows. */
static const double VIEWER_SHARE = 0.05;
/* After a picture's end: how long sending the rest may take, how long the viewer may take nothing in that time, and how
 * long it may take nothing where the user waits for the program to stop. */
static const double END_SECONDS = 10, END_IDLE_SECONDS = 2, STOPPED_SECONDS = 0.1;

/* The picture as the viewer is to have it, and which parts of that have not been sent yet. */
struct image {
    struct lb_display_picture about;
    char *name;
    uint32_t channels, columns, rows; /* how many tiles the picture has */
    float *values;                    /* the channels' planes, one after the other */
    uint8_t *changed;                 /* for each tile: is it to be sent? */
    uint8_t *message;                 /* room for the longest message */
};

enum state { IDLE, SHOWING, ENDING, CLOSING };

struct lb_display {
    char *address;
    struct lb_log log;
    double cpu_share; /* CPU seconds for each second that passes, which the thread may take */
    int connection;
    struct lb_viewer *viewer; /* in place of a connection, or NULL */
    lb_display_encode *encode;
    void *user;  /* of encode */
    bool broken; /* the viewer was let go; used by the thread alone, like the connection */
    struct image image;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    /* What both sides use, under the lock: */
    enum state state;
    const float *last_color, *last_alpha;
    const atomic_int *stop;
    double ended; /* when the picture ended, on the clock of core/machine/clock.h */
};

/* ---- an image ---- */

static void image_free(struct image *image)
{
    free(image->name);
    free(image->values);
    free(image->changed);
    free(image->message);
    *image = (struct image){.name = NULL};
}

static bool image_make(struct image *image, const struct lb_display_picture *about)
{
    *image = (struct image){.about = *about,
                            .name = strdup(about->name),
                            .channels = about->alpha ? 4 : 3,
                            .columns = (about->width + TILE - 1) / TILE,
                            .rows = (about->height + TILE - 1) / TILE};
    size_t pixels = (size_t)about->width * about->height;
    image->values = calloc(pixels * image->channels, sizeof *image->values);
    image->changed = calloc((size_t)image->columns * image->rows, 1);
    image->message = malloc(LB_TEV_HEAD + strlen(about->name) + 2 * CHANNELS + TILE * TILE * sizeof(float));
    if (image->name && image->values && image->changed && image->message)
        return true;
    image_free(image);
    return false;
}

/* Takes over values of some of a pixel's channels, and marks its tile where they differ. */
static void put(struct image *image, uint64_t pixel, const float *values, uint32_t first, uint32_t count)
{
    size_t plane = (size_t)image->about.width * image->about.height;
    uint32_t y = (uint32_t)(pixel / image->about.width), x = (uint32_t)(pixel % image->about.width);
    for (uint32_t i = 0; i < count; i++) {
        float *value = &image->values[(first + i) * plane + pixel];
        if (memcmp(value, &values[i], sizeof *value) == 0)
            continue;
        *value = values[i];
        image->changed[(size_t)(y / TILE) * image->columns + x / TILE] = 1;
    }
}

void lb_display_put(struct lb_display *display, uint64_t pixel, const float color[3])
{
    const float covered = 1;
    put(&display->image, pixel, color, 0, 3);
    if (display->image.channels > 3)
        put(&display->image, pixel, &covered, 3, 1);
}

/* ---- sending ---- */

/* A viewer may take as long as it likes while the picture is rendered, as then nobody waits for it. */
static bool gives_up(void *user, double idle_seconds)
{
    struct lb_display *display = user;
    pthread_mutex_lock(&display->lock);
    bool ending = display->state == ENDING || display->state == CLOSING;
    bool stopped = display->stop && atomic_load(display->stop) != 0;
    bool late = lb_clock_now() - display->ended > END_SECONDS;
    pthread_mutex_unlock(&display->lock);
    return ending && (late || idle_seconds > (stopped ? STOPPED_SECONDS : END_IDLE_SECONDS));
}

static void send_message(struct lb_display *display, size_t size)
{
    struct lb_error error;
    if (display->broken || lb_connection_send(display->connection, display->image.message, size, gives_up,
                                              display, &error) == LB_OK)
        return;
    display->broken = true;
    lb_log_write(&display->log, LB_WARNING, "--display-server: the viewer at %.400s is let go: %s",
                 display->address, error.message);
}

static void send_tile(struct lb_display *display, uint32_t column, uint32_t row)
{
    struct image *image = &display->image;
    uint32_t width = image->about.width, height = image->about.height, x = column * TILE, y = row * TILE;
    const struct lb_tev_tile tile = {x, y, width - x < TILE ? width - x : TILE,
                                     height - y < TILE ? height - y : TILE};
    for (uint32_t i = 0; i < image->channels; i++)
        send_message(display, lb_tev_update(image->message, image->name, channel_names[i], &tile,
                                            image->values + i * (size_t)width * height, width));
}

static void send_changes(struct lb_display *display)
{
    struct image *image = &display->image;
    for (uint32_t row = 0; row < image->rows; row++)
        for (uint32_t column = 0; column < image->columns && !display->broken; column++) {
            uint8_t *changed = &image->changed[(size_t)row * image->columns + column];
            if (*changed)
                send_tile(display, column, row);
            *changed = 0;
        }
}

/* Has anything changed since this was asked last? */
static bool take_changed(struct image *image)
{
    size_t tiles = (size_t)image->columns * image->rows;
    bool any = memchr(image->changed, 1, tiles) != NULL;
    memset(image->changed, 0, tiles);
    return any;
}

/* Gives a viewer of the program's own the whole picture, as a screen shows it. */
static void show_whole(struct lb_display *display, bool is_new)
{
    const struct image *image = &display->image;
    size_t pixels = (size_t)image->about.width * image->about.height;
    uint8_t *rgb = malloc(3 * pixels);
    for (size_t i = 0; rgb && i < pixels; i++) {
        const float color[3] = {image->values[i], image->values[pixels + i], image->values[2 * pixels + i]};
        display->encode(display->user, color, rgb + 3 * i);
    }
    const struct lb_shown shown = {image->about.width, image->about.height, rgb};
    if (rgb)
        display->viewer->show(display->viewer, &shown, is_new);
    free(rgb);
}

/* Sends what has changed, or for a viewer of the program's own all of a picture that has, or that is new. */
static void update(struct lb_display *display, bool is_new)
{
    if (!display->viewer)
        send_changes(display);
    else if (take_changed(&display->image) || is_new)
        show_whole(display, is_new);
}

/* ---- the thread ---- */

/* Waits for the picture's end, for so many seconds at most. Has it ended? */
static bool is_ending(struct lb_display *display, double seconds)
{
    double until = lb_clock_now() + seconds;
    pthread_mutex_lock(&display->lock);
    while (display->state == SHOWING && lb_timed_wait(&display->moved, &display->lock, until))
        continue;
    bool ending = display->state != SHOWING;
    pthread_mutex_unlock(&display->lock);
    return ending;
}

/* Takes over the finished picture, where the caller of lb_display_end() gave it. */
static void put_last(struct lb_display *display)
{
    struct image *image = &display->image;
    uint64_t pixels = (uint64_t)image->about.width * image->about.height;
    for (uint64_t i = 0; display->last_color && i < pixels; i++) {
        put(image, i, display->last_color + 3 * i, 0, 3);
        if (image->channels > 3 && display->last_alpha)
            put(image, i, display->last_alpha + i, 3, 1);
    }
}

/* Shows one picture, from its beginning to its end. The rest between two updates is as long as keeps the thread within
 * its share of CPU time. */
static void show(struct lb_display *display)
{
    struct image *image = &display->image;
    double rest = REST_SECONDS;
    if (display->viewer)
        update(display, true);
    else
        send_message(display, lb_tev_create(image->message, image->name, image->about.width,
                                            image->about.height, channel_names, image->channels));
    while (!is_ending(display, rest)) {
        double begin = lb_clock_thread_cpu();
        if (!display->broken)
            image->about.look(image->about.user, display);
        update(display, false);
        double due = (lb_clock_thread_cpu() - begin) / display->cpu_share;
        rest = due > REST_SECONDS ? due : REST_SECONDS;
    }
    if (!display->broken)
        put_last(display);
    update(display, false);
    image_free(image);
}

/* The thread: shows one picture after the other until the display closes. */
static void *serve(void *argument)
{
    struct lb_display *display = argument;
    pthread_mutex_lock(&display->lock);
    while (display->state != CLOSING) {
        if (display->state == IDLE) {
            pthread_cond_wait(&display->moved, &display->lock);
            continue;
        }
        pthread_mutex_unlock(&display->lock);
        show(display);
        pthread_mutex_lock(&display->lock);
        display->state = IDLE;
        pthread_cond_broadcast(&display->moved);
    }
    pthread_mutex_unlock(&display->lock);
    return NULL;
}

/* ---- for whoever renders ---- */

static void move(struct lb_display *display, enum state state)
{
    pthread_mutex_lock(&display->lock);
    display->state = state;
    pthread_cond_broadcast(&display->moved);
    pthread_mutex_unlock(&display->lock);
}

static void free_display(struct lb_display *display)
{
    lb_connection_close(display->connection);
    if (display->viewer)
        display->viewer->close(display->viewer);
    pthread_cond_destroy(&display->moved);
    pthread_mutex_destroy(&display->lock);
    free(display->address);
    free(display);
}

/* Starts the thread of a display that is `about`, all of whose pointers it takes over. */
static enum lb_status start(const struct lb_display *about, struct lb_display **display,
                            struct lb_error *error)
{
    struct lb_display *made = malloc(sizeof *made);
    *display = NULL;
    if (!made) {
        lb_connection_close(about->connection);
        if (about->viewer)
            about->viewer->close(about->viewer);
        free(about->address);
        return lb_error_memory(error, NULL);
    }
    *made = *about;
    pthread_mutex_init(&made->lock, NULL);
    lb_timed_open(&made->moved);
    if (!made->address || pthread_create(&made->thread, NULL, serve, made) != 0) {
        free_display(made);
        return lb_error_set(error, LB_ERROR, "no thread for the viewer");
    }
    *display = made;
    return LB_OK;
}

enum lb_status lb_display_open(const char *address, uint32_t cpus, const struct lb_log *log,
                               struct lb_display **display, struct lb_error *error)
{
    int connection;
    enum lb_status status = lb_connection_open(address, &connection, error);
    *display = NULL;
    if (status != LB_OK)
        return status;
    const struct lb_display about = {.address = strdup(address),
                                     .log = *log,
                                     .cpu_share = MOST_SHARE * (cpus > 0 ? cpus : 1),
                                     .connection = connection};
    return start(&about, display, error);
}

enum lb_status lb_display_open_viewer(struct lb_viewer *viewer, lb_display_encode *encode, void *user,
                                      uint32_t cpus, const struct lb_log *log, struct lb_display **display,
                                      struct lb_error *error)
{
    const struct lb_display about = {.address = strdup(""),
                                     .log = *log,
                                     .cpu_share = VIEWER_SHARE * (cpus > 0 ? cpus : 1),
                                     .connection = -1,
                                     .viewer = viewer,
                                     .encode = encode,
                                     .user = user};
    return start(&about, display, error);
}

void lb_display_close(struct lb_display *display)
{
    if (!display)
        return;
    lb_display_end(display, NULL, NULL, NULL);
    move(display, CLOSING);
    pthread_join(display->thread, NULL);
    free_display(display);
}

enum lb_status lb_display_begin(struct lb_display *display, const struct lb_display_picture *picture,
                                struct lb_error *error)
{
    if (!image_make(&display->image, picture))
        return lb_error_memory(error, "the picture in the viewer");
    move(display, SHOWING);
    return LB_OK;
}

void lb_display_end(struct lb_display *display, const float *color, const float *alpha,
                    const atomic_int *stop)
{
    pthread_mutex_lock(&display->lock);
    if (display->state == SHOWING) {
        display->last_color = color;
        display->last_alpha = alpha;
        display->stop = stop;
        display->ended = lb_clock_now();
        display->state = ENDING;
        pthread_cond_broadcast(&display->moved);
    }
    while (display->state != IDLE)
        pthread_cond_wait(&display->moved, &display->lock);
    pthread_mutex_unlock(&display->lock);
}
