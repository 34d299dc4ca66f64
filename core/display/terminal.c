#include "core/display/terminal.h"

#include "core/machine/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* ---- what it can show ---- */

static bool names(const char *variable, const char *const *words, size_t count)
{
    const char *value = getenv(variable);
    for (size_t i = 0; value && i < count; i++)
        if (strstr(value, words[i]))
            return true;
    return false;
}

static bool is_like_kitty(void)
{
    static const char *const terms[] = {"kitty", "ghostty"}, *const programs[] = {"WezTerm", "ghostty"};
    return names("TERM", terms, 2) || names("TERM_PROGRAM", programs, 2);
}

/* Reads what the terminal answers, "ESC [ ? 62 ; 4 ; 22 c" for instance, as far as it comes in time. */
static void read_answer(int terminal, char *answer, size_t room)
{
    double until = lb_clock_now() + 0.3;
    size_t length = 0;
    struct pollfd poller = {.fd = terminal, .events = POLLIN};
    answer[0] = 0;
    while (length + 1 < room && !strchr(answer, 'c')) {
        double left = until - lb_clock_now();
        if (left <= 0 || poll(&poller, 1, (int)(1000 * left) + 1) <= 0)
            return;
        ssize_t got = read(terminal, answer + length, room - 1 - length);
        if (got <= 0)
            return;
        length += (size_t)got;
        answer[length] = 0;
    }
}

/* Is 4, which stands for sixels, among the numbers that the terminal tells as its attributes? */
static bool tells_sixels(const char *answer)
{
    const char *at = strstr(answer, "\033[?");
    for (at = at ? at + 3 : NULL; at && *at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL)
        if (at[0] == '4' && (at[1] == ';' || at[1] == 'c'))
            return true;
    return false;
}

enum lb_inline_form lb_terminal_form(int terminal)
{
    struct termios before, quiet;
    char answer[128];
    if (!isatty(terminal))
        return LB_INLINE_NONE;
    if (is_like_kitty())
        return LB_INLINE_KITTY;
    /* Only who is in the foreground may ask: another would be stopped. */
    if (tcgetpgrp(terminal) != getpgrp() || tcgetattr(terminal, &before) != 0)
        return LB_INLINE_NONE;
    quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(terminal, TCSANOW, &quiet);
    if (write(terminal, "\033[c", 3) == 3)
        read_answer(terminal, answer, sizeof answer);
    else
        answer[0] = 0;
    tcsetattr(terminal, TCSANOW, &before);
    return tells_sixels(answer) ? LB_INLINE_SIXEL : LB_INLINE_NONE;
}

/* ---- showing ---- */

struct terminal {
    struct lb_viewer viewer;
    int descriptor;
    enum lb_inline_form form;
    pthread_mutex_t *lock;
    uint32_t rows; /* that the picture takes; 0: there is none */
};

/* How many pixels there are, and how high a row is; guesses where the terminal does not say. */
static void measure(int descriptor, uint32_t *width, uint32_t *height, uint32_t *row)
{
    struct winsize size = {0};
    ioctl(descriptor, TIOCGWINSZ, &size);
    uint32_t rows = size.ws_row > 4 ? size.ws_row : 24u, columns = size.ws_col > 8 ? size.ws_col : 80u;
    *row = size.ws_ypixel >= rows ? size.ws_ypixel / rows : 20u;
    *width = size.ws_xpixel >= columns ? size.ws_xpixel : 10 * columns;
    *height = (rows - 3) * *row;
}

/* The picture of mean colours that is `by` times smaller; the caller's to free its bytes. */
static bool shrink(const struct lb_shown *picture, uint32_t by, struct lb_shown *small)
{
    uint32_t width = (picture->width + by - 1) / by, height = (picture->height + by - 1) / by;
    uint8_t *rgb = malloc((size_t)width * height * 3);
    *small = (struct lb_shown){width, height, rgb};
    for (uint32_t y = 0; rgb && y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t sum[3] = {0}, count = 0;
            for (uint32_t v = y * by; v < (y + 1) * by && v < picture->height; v++)
                for (uint32_t u = x * by; u < (x + 1) * by && u < picture->width; u++, count++)
                    for (uint32_t i = 0; i < 3; i++)
                        sum[i] += picture->rgb[3 * ((size_t)v * picture->width + u) + i];
            for (uint32_t i = 0; i < 3; i++)
                rgb[3 * ((size_t)y * width + x) + i] = (uint8_t)((sum[i] + count / 2) / count);
        }
    return rgb != NULL;
}

/* A terminal that takes nothing for a second gets no more of this picture. */
static void send_all(int descriptor, const char *data, size_t size)
{
    struct pollfd poller = {.fd = descriptor, .events = POLLOUT};
    while (size > 0) {
        ssize_t sent = write(descriptor, data, size);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return;
        if (sent < 0 && errno == EAGAIN && poll(&poller, 1, 1000) <= 0)
            return;
        data += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
}

/* Makes room below the cursor by lines, goes back up over them, shows the picture and leaves the cursor behind it. */
static void show(struct lb_viewer *viewer, const struct lb_shown *picture, bool is_new)
{
    struct terminal *own = (struct terminal *)viewer;
    uint32_t width, height, row, by = 1;
    struct lb_shown small;
    measure(own->descriptor, &width, &height, &row);
    while (picture->width / by > width || picture->height / by > height)
        by++;
    if (!shrink(picture, by, &small))
        return;
    size_t size = 0;
    char *bytes = lb_inline_picture(own->form, &small, &size), go[64];
    pthread_mutex_lock(own->lock);
    if (is_new) {
        own->rows = (small.height + row - 1) / row;
        send_all(own->descriptor, "\r\033[K", 4);
        for (uint32_t i = 0; i < own->rows; i++)
            send_all(own->descriptor, "\n", 1);
    }
    if (bytes) {
        send_all(own->descriptor, go, (size_t)snprintf(go, sizeof go, "\0337\r\033[%uA", own->rows));
        send_all(own->descriptor, bytes, size);
        send_all(own->descriptor, "\0338", 2);
    }
    pthread_mutex_unlock(own->lock);
    free(bytes);
    free((void *)(uintptr_t)small.rgb);
}

static void close_terminal(struct lb_viewer *viewer)
{
    free(viewer);
}

struct lb_viewer *lb_terminal_open(int terminal, enum lb_inline_form form, pthread_mutex_t *lock)
{
    struct terminal *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    *own = (struct terminal){
        .viewer = {show, close_terminal}, .descriptor = terminal, .form = form, .lock = lock};
    return &own->viewer;
}
