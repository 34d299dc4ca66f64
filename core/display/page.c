#include "core/display/page.h"

#include "core/machine/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { BMP_HEAD = 54, LOOK_MILLISECONDS = 100 };

/* After the end, a browser that asked less than so many seconds ago is waited for, as long again. */
static const double LINGER_SECONDS = 3;

static const char html[] =
    "<!doctype html><meta charset=utf-8><title>lbrender</title>"
    "<style>body{background:#222;margin:0;display:grid;place-items:center;min-height:100vh}"
    "img{max-width:100%;max-height:100vh}</style><img id=p alt=\"\"><script>let n=0;function next(){"
    "const i=new Image();i.onload=()=>{p.src=i.src;setTimeout(next,500)};i.onerror=()=>setTimeout(next,2000);"
    "i.src=\"picture.bmp?\"+ ++n}next()</script>\n";

struct page {
    struct lb_viewer viewer;
    int listener;
    pthread_t thread;
    atomic_bool ends;
    pthread_mutex_t lock;
    /* Under the lock: */
    uint8_t *bmp; /* NULL: there is none yet */
    size_t size;
    uint64_t version, fetched; /* how many pictures there were, and which one was fetched last */
    double asked;              /* when somebody asked last; 0: never */
};

/* ---- pictures ---- */

static uint8_t *put_number(uint8_t *at, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(number >> 8 * i);
    return at + bytes;
}

/* A BMP of 24 bits, which every browser reads and which takes no time to make. NULL: out of memory. */
static uint8_t *make_bmp(const struct lb_shown *picture, size_t *size)
{
    size_t row = ((size_t)picture->width * 3 + 3) & ~(size_t)3;
    *size = BMP_HEAD + row * picture->height;
    uint8_t *bmp = calloc(*size, 1), *at = bmp;
    if (!bmp)
        return NULL;
    at = put_number(at, 0x4d42, 2); /* "BM" */
    at = put_number(at, (uint32_t)*size, 4);
    at = put_number(at, 0, 4);
    at = put_number(at, BMP_HEAD, 4);
    at = put_number(at, 40, 4);
    at = put_number(at, picture->width, 4);
    at = put_number(at, 0u - picture->height, 4); /* from the top down */
    at = put_number(at, 1, 2);
    put_number(at, 24, 2);
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            for (uint32_t i = 0; i < 3; i++)
                bmp[BMP_HEAD + y * row + 3 * (size_t)x + i] =
                    picture->rgb[3 * ((size_t)y * picture->width + x) + 2 - i];
    return bmp;
}

static void show(struct lb_viewer *viewer, const struct lb_shown *picture, bool is_new)
{
    struct page *page = (struct page *)viewer;
    size_t size;
    uint8_t *bmp = make_bmp(picture, &size);
    (void)is_new;
    if (!bmp)
        return;
    pthread_mutex_lock(&page->lock);
    free(page->bmp);
    page->bmp = bmp;
    page->size = size;
    page->version++;
    pthread_mutex_unlock(&page->lock);
}

/* ---- answers ---- */

static void send_all(int client, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t sent = send(client, at, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        at += sent;
        size -= (size_t)sent;
    }
}

static void send_answer(int client, const char *status, const char *type, const void *body, size_t size)
{
    char head[256];
    int length =
        snprintf(head, sizeof head,
                 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
                 "Connection: close\r\n\r\n",
                 status, type, size);
    send_all(client, head, (size_t)length);
    send_all(client, body, size);
}

static void send_picture(struct page *page, int client)
{
    pthread_mutex_lock(&page->lock);
    size_t size = page->size;
    uint64_t version = page->version;
    uint8_t *copy = page->bmp ? malloc(size) : NULL;
    if (copy)
        memcpy(copy, page->bmp, size);
    pthread_mutex_unlock(&page->lock);
    if (copy)
        send_answer(client, "200 OK", "image/bmp", copy, size);
    else
        send_answer(client, "503 Service Unavailable", "text/plain", "no picture yet\n", 15);
    free(copy);
    pthread_mutex_lock(&page->lock);
    page->fetched = version;
    page->asked = lb_clock_now();
    pthread_mutex_unlock(&page->lock);
}

/* Is that the path that the request names, up to a question mark? */
static bool asks_for(const char *request, const char *path)
{
    size_t length = strlen(path);
    return strncmp(request, "GET ", 4) == 0 && strncmp(request + 4, path, length) == 0 &&
           (request[4 + length] == ' ' || request[4 + length] == '?');
}

/* One request a connection. Whoever is slow gets no answer. */
static void answer(struct page *page, int client)
{
    const struct timeval patience = {.tv_sec = 1};
    char request[4096];
    size_t length = 0;
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    request[0] = 0;
    while (length + 1 < sizeof request && !strstr(request, "\r\n\r\n")) {
        ssize_t got = recv(client, request + length, sizeof request - 1 - length, 0);
        if (got <= 0)
            return;
        length += (size_t)got;
        request[length] = 0;
    }
    if (asks_for(request, "/"))
        send_answer(client, "200 OK", "text/html", html, sizeof html - 1);
    else if (asks_for(request, "/picture.bmp"))
        send_picture(page, client);
    else
        send_answer(client, "404 Not Found", "text/plain", "there is / and /picture.bmp\n", 28);
}

/* ---- the thread ---- */

/* Does somebody look who has not seen the last picture? */
static bool is_awaited(struct page *page)
{
    pthread_mutex_lock(&page->lock);
    bool awaited =
        page->fetched != page->version && page->asked > 0 && lb_clock_now() - page->asked < LINGER_SECONDS;
    pthread_mutex_unlock(&page->lock);
    return awaited;
}

static void *serve(void *argument)
{
    struct page *page = argument;
    struct pollfd poller = {.fd = page->listener, .events = POLLIN};
    while (!atomic_load(&page->ends) || is_awaited(page)) {
        if (poll(&poller, 1, LOOK_MILLISECONDS) <= 0)
            continue;
        int client = accept4(page->listener, NULL, NULL, SOCK_CLOEXEC);
        if (client < 0)
            continue;
        answer(page, client);
        close(client);
    }
    return NULL;
}

static void close_page(struct lb_viewer *viewer)
{
    struct page *page = (struct page *)viewer;
    atomic_store(&page->ends, true);
    pthread_join(page->thread, NULL);
    close(page->listener);
    pthread_mutex_destroy(&page->lock);
    free(page->bmp);
    free(page);
}

/* A socket that listens, or -1. */
static int listen_at(uint16_t *port)
{
    int on = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(*port)};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, 8) == 0 &&
        getsockname(listener, (struct sockaddr *)&at, &size) == 0) {
        *port = ntohs(at.sin_port);
        return listener;
    }
    if (listener >= 0)
        close(listener);
    return -1;
}

enum lb_status lb_page_open(uint16_t *port, struct lb_viewer **viewer, struct lb_error *error)
{
    *viewer = NULL;
    int listener = listen_at(port);
    if (listener < 0)
        return lb_error_set(error, LB_ERROR, "port %u of this machine: %s", *port, strerror(errno));
    struct page *page = calloc(1, sizeof *page);
    if (!page) {
        close(listener);
        return lb_error_memory(error, NULL);
    }
    page->viewer = (struct lb_viewer){show, close_page};
    page->listener = listener;
    pthread_mutex_init(&page->lock, NULL);
    if (pthread_create(&page->thread, NULL, serve, page) != 0) {
        close(listener);
        pthread_mutex_destroy(&page->lock);
        free(page);
        return lb_error_set(error, LB_ERROR, "no thread for the page");
    }
    *viewer = &page->viewer;
    return LB_OK;
}
