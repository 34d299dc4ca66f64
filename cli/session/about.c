#include "cli/session/about.h"

#include "core/base/text.h"
#include "core/machine/clock.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";

static void add_word(struct lb_text *out, const char *word)
{
    if (*word && strspn(word, PLAIN) == strlen(word)) {
        lb_text_add(out, "%s", word);
        return;
    }
    lb_text_add(out, "'");
    for (; *word; word++)
        lb_text_add(out, *word == '\'' ? "'\\''" : "%c", *word);
    lb_text_add(out, "'");
}

char *cli_about_command(int argc, char **argv)
{
    struct lb_text text = {0};
    for (int i = 0; i < argc; i++) {
        if (i)
            lb_text_add(&text, " ");
        add_word(&text, argv[i]);
    }
    return lb_text_take(&text);
}

static const char *host_name(void)
{
    static char name[256];
    if (!*name && gethostname(name, sizeof name - 1) != 0)
        return "";
    return name;
}

/* In bytes; 0: the system does not tell. */
static uint64_t peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss << 10 : 0;
}

/* A simulation on a cost map from a file has no processors: it renders nothing. */
static uint64_t count_threads(const struct cli_session *s)
{
    uint64_t threads = 0;
    for (uint32_t i = 0; !s->options->costs && i < s->team.devices.count; i++)
        threads += !s->team.devices.items[i].type->fed;
    return threads;
}

struct lb_report_run cli_about_run(const struct cli_session *s)
{
    return (struct lb_report_run){.version = LB_VERSION,
                                  .host = host_name(),
                                  .command = s->options->command,
                                  .scene = s->options->scene,
                                  .threads = count_threads(s),
                                  .wall_seconds = lb_clock_now() - s->begin,
                                  .load_seconds = s->load_seconds,
                                  .peak_bytes = peak_memory()};
}
