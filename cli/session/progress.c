#include "cli/session/progress.h"

#include "core/machine/clock.h"
#include "core/machine/timed_wait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct cli_progress_show {
    struct cli_console *console;
    void (*now)(struct cli_progress_show *show); /* shows how far it is */
    double began;                                /* lb_clock_now */
    struct lb_load_progress *loading;            /* of a scene, */
    const char *doing;                           /* or of something else; else of a run: */
    const struct lb_run *run;
    uint64_t before, total; /* samples */
    struct cli_progress_part part;
    bool bar, always; /* always: a last line even when there was none before */
    bool shown;
    double period; /* seconds */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop;
};

static void format_seconds(double seconds, char text[32])
{
    if (!(seconds < 3.6e8))
        snprintf(text, 32, "?");
    else if (seconds < 60)
        snprintf(text, 32, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, 32, "%d:%02d", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, 32, "%d:%02d:%02d", (int)(seconds / 3600), (int)fmod(seconds / 60, 60),
                 (int)fmod(seconds, 60));
}

/* The terminal's width in columns; 80 where it does not tell. */
static size_t terminal_columns(void)
{
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col ? window.ws_col : 80;
}

/* Shows words in place of the bar, cut to the width of a line. */
static void show_words(struct cli_progress_show *show, char *words)
{
    size_t room = terminal_columns() - 1;
    if (strlen(words) > room)
        words[room] = 0;
    cli_console_bar(show->console, words);
}

/* Shows a bar and `words` in one line. The bar takes what room the words leave, less one column, since a full line
 * would wrap; it is left out where it would be shorter than LEAST. */
static void show_bar(struct cli_progress_show *show, double done, const char *words)
{
    enum { LEAST = 5, MOST = 30 };
    char bar[MOST + 4] = "", text[MOST + 4 + 192];
    size_t room = terminal_columns() - 1, own = strlen(words);
    int cells = room > own + 3 ? (int)(room - own - 3) : 0;
    cells = cells < LEAST ? 0 : cells < MOST ? cells : MOST;
    for (int i = 0; i < cells; i++)
        bar[i + 1] = i < (int)(cells * done) ? '#' : '.';
    if (cells) {
        bar[0] = '[';
        memcpy(bar + cells + 1, "] ", sizeof "] ");
    }
    snprintf(text, sizeof text, "%s%s", bar, words);
    show_words(show, text);
}

/* The part of the frame that is done, by whichever of its samples, its noise and its time will end it first. `noise`:
 * as the run tells it. */
static double part_done(const struct cli_progress_show *show, double *noise)
{
    struct lb_run_outlook outlook = lb_run_outlook(show->run);
    double samples = (double)(lb_run_progress(show->run) - show->before), limit = show->part.time_limit;
    double part = samples / (double)show->total;
    *noise = outlook.noise;
    if (outlook.samples > 0)
        part = fmax(part, samples / outlook.samples);
    if (limit > 0)
        part = fmax(part, (lb_clock_now() - show->began) / limit);
    return fmin(part, 1);
}

/* "progress 42.0 % elapsed 3.2 s left 4.4 s": the form of this line never changes, for programs that read logs.
 * Behind it stand the strategy, where several are run, and the noise, where one is wanted. */
static void show_now(struct cli_progress_show *show)
{
    double noise, within = part_done(show, &noise);
    double done = (show->part.index + within) / show->part.count;
    double elapsed = lb_clock_now() - show->part.begin;
    const char *name = show->part.strategy;
    char text[192], past[32], left[32], level[64] = "";
    format_seconds(elapsed, past);
    if (noise >= 0)
        snprintf(level, sizeof level, "  noise %.2g of %.2g", noise, show->part.noise);
    format_seconds(done > 0 ? elapsed * (1 - done) / done : INFINITY, left);
    show->shown = true;
    if (!show->bar) {
        snprintf(text, sizeof text, "progress %.1f %% elapsed %s left %s%s%s%s\n", 100 * done, past, left,
                 name ? " under " : "", name ? name : "", *level ? level + 1 : "");
        cli_console_text(show->console, text);
        return;
    }
    snprintf(text, sizeof text, "%5.1f %%  elapsed %s  left %s%s%s%s", 100 * done, past, left,
             name ? "  " : "", name ? name : "", level);
    show_bar(show, done, text);
}

/* "loading elapsed 7.1 s, shape 3 of 12". There is no bar, since nobody knows how long a shape takes. */
static void show_loading(struct cli_progress_show *show)
{
    struct lb_load_progress *loading = show->loading;
    char text[128], past[32], stage[64];
    format_seconds(lb_clock_now() - show->began, past);
    show->shown = true;
    switch ((enum lb_load_stage)atomic_load(&loading->stage)) {
    case LB_LOAD_READS:
        snprintf(stage, sizeof stage, "reading the scene");
        break;
    case LB_LOAD_SHAPES:
        snprintf(stage, sizeof stage, "shape %zu of %zu", atomic_load(&loading->shapes) + 1,
                 atomic_load(&loading->shape_count));
        break;
    case LB_LOAD_TREE:
        snprintf(stage, sizeof stage, "building the tree");
        break;
    }
    snprintf(text, sizeof text, "loading elapsed %s, %s%s", past, stage, show->bar ? "" : "\n");
    if (show->bar)
        show_words(show, text);
    else
        cli_console_text(show->console, text);
}

static void show_doing(struct cli_progress_show *show)
{
    char text[128], past[32];
    format_seconds(lb_clock_now() - show->began, past);
    snprintf(text, sizeof text, "%s elapsed %s%s", show->doing, past, show->bar ? "" : "\n");
    if (show->bar)
        show_words(show, text);
    else
        cli_console_text(show->console, text);
}

static void *run_show(void *argument)
{
    struct cli_progress_show *show = argument;
    double until = lb_clock_now();
    pthread_mutex_lock(&show->lock);
    while (!show->stop) {
        until += show->period;
        while (!show->stop && lb_timed_wait(&show->wake, &show->lock, until))
            continue;
        if (!show->stop)
            show->now(show);
    }
    pthread_mutex_unlock(&show->lock);
    return NULL;
}

/* Makes a show of `start`, which says what is shown, and of how and how often. NULL: nothing is shown. */
static struct cli_progress_show *begin(struct cli_progress_show start, enum cli_progress kind)
{
    if (start.console->quiet || kind == CLI_PROGRESS_NONE)
        return NULL;
    struct cli_progress_show *show = calloc(1, sizeof *show);
    if (!show)
        return NULL;
    bool terminal = isatty(STDERR_FILENO);
    *show = start;
    show->began = lb_clock_now();
    show->bar = kind == CLI_PROGRESS_BAR || (kind == CLI_PROGRESS_AUTO && terminal);
    show->always = kind == CLI_PROGRESS_LINES;
    show->period = show->bar ? 0.2 : kind == CLI_PROGRESS_LINES ? 1 : 5;
    lb_timed_open(&show->wake);
    pthread_mutex_init(&show->lock, NULL);
    if (pthread_create(&show->thread, NULL, run_show, show)) {
        free(show);
        return NULL;
    }
    return show;
}

struct cli_progress_show *cli_progress_start(struct cli_console *console, enum cli_progress kind,
                                             const struct lb_run *run, uint64_t total,
                                             struct cli_progress_part part)
{
    struct cli_progress_show start = {.console = console,
                                      .now = show_now,
                                      .run = run,
                                      .before = lb_run_progress(run),
                                      .total = total,
                                      .part = part};
    return total ? begin(start, kind) : NULL;
}

struct cli_progress_show *cli_progress_start_loading(struct cli_console *console, enum cli_progress kind,
                                                     struct lb_load_progress *loading)
{
    return begin((struct cli_progress_show){.console = console, .now = show_loading, .loading = loading},
                 kind);
}

struct cli_progress_show *cli_progress_start_doing(struct cli_console *console, enum cli_progress kind,
                                                   const char *doing)
{
    return begin((struct cli_progress_show){.console = console, .now = show_doing, .doing = doing}, kind);
}

void cli_progress_stop(struct cli_progress_show *show)
{
    if (!show)
        return;
    pthread_mutex_lock(&show->lock);
    show->stop = true;
    pthread_cond_signal(&show->wake);
    pthread_mutex_unlock(&show->lock);
    pthread_join(show->thread, NULL);
    if (show->bar)
        cli_console_bar(show->console, "");
    else if (show->run && (show->shown || show->always))
        show->now(show);
    pthread_cond_destroy(&show->wake);
    pthread_mutex_destroy(&show->lock);
    free(show);
}
