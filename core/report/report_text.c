#include "core/report/report.h"
#include "core/base/printable.h"

#include <stdio.h>
#include <string.h>

/* "12.34s" in at most `width` places, by fewer digits where it would be longer. */
static const char *put_seconds(char text[16], int width, double seconds)
{
    for (int digits = 2; digits >= 0; digits--)
        if (snprintf(text, 16, "%.*fs", digits, seconds) <= width)
            return text;
    snprintf(text, 16, "%.0es", seconds);
    return text;
}

/* Columns are fixed, so that reports of several runs align; a name too long for its column is cut. */
static void write_processor(struct lb_text *out, const struct lb_report_processor *p)
{
    char busy[16], idle[16], transfer[16], finish[16];
    double pixels = (double)p->pixels * 1e-6;
    double rays = p->busy_seconds > 0 ? (double)p->rays * 1e-6 / p->busy_seconds : 0;
    lb_text_add(out, "%-10.10s %6.2f%% %6.2f%% %7llu %9.4f %8.2f %8s %7s %8s %8s", p->name, 100 * p->weight,
                100 * p->share, (unsigned long long)p->ranges, pixels, rays,
                put_seconds(busy, 8, p->busy_seconds), put_seconds(idle, 7, p->idle_seconds),
                put_seconds(transfer, 8, p->transfer_seconds), put_seconds(finish, 8, p->finish_seconds));
    lb_text_add(out, p->lost ? " lost\n" : "\n");
}

/* Three blanks between the numbers, or two where the line would be too long; short frames are told in more detail. */
static void write_summary(struct lb_text *out, const struct lb_report_balance *b)
{
    char line[256], imbalance[32];
    int digits = b->t < 1 ? 4 : b->t < 1e4 ? 2 : 0;
    snprintf(imbalance, sizeof imbalance, b->imbalance < 1e4 ? "%.1f" : "%.2e", 100 * b->imbalance);
    for (const char *blanks = "   "; *blanks; blanks++) {
        int length =
            snprintf(line, sizeof line,
                     "T %.*f s%sTmin %.*f s%simbalance %s %%%sefficiency %.3f%ssteals %llu%slost %u%sbad "
                     "samples %llu\n",
                     digits, b->t, blanks, digits, b->t_min, blanks, imbalance, blanks, b->efficiency, blanks,
                     (unsigned long long)b->counts.steals_won, blanks, b->lost, blanks,
                     (unsigned long long)b->bad_samples);
        if (length <= 101)
            break;
    }
    lb_text_add(out, "%s", line);
}

/* "weights: equal", or "weights: cpu0 .. cpu7 measured, null0 given" where they come from several sources. */
static void write_sources(struct lb_text *out, const struct lb_report_balance *b)
{
    const struct lb_report_processor *p = b->processors;
    uint32_t count = b->processor_count;
    lb_text_add(out, "weights:");
    for (uint32_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && p[next].weight_source == p[i].weight_source;)
            next++;
        if (next - i < count)
            lb_text_add(out, " %s", p[i].name);
        if (next - i < count && next - i > 1)
            lb_text_add(out, " .. %s", p[next - 1].name);
        lb_text_add(out, " %s%s", lb_source_name(p[i].weight_source), next < count ? "," : "");
    }
    lb_text_add(out, "\n");
}

static void write_balance(struct lb_text *out, const struct lb_report_balance *b, uint32_t most)
{
    lb_text_add(out, "%-10s %7s %7s %7s %9s %8s %8s %7s %8s %8s\n", "processor", "weight", "share", "ranges",
                "Mpixel", "Mrays/s", "busy", "idle", "transfer", "finish");
    uint32_t rows = most && most < b->processor_count ? most : b->processor_count;
    for (uint32_t i = 0; i < rows; i++)
        write_processor(out, &b->processors[i]);
    if (rows < b->processor_count)
        lb_text_add(out, "... and %u more\n", b->processor_count - rows);
    write_sources(out, b);
    write_summary(out, b);
}

static void write_head(struct lb_text *out, const struct lb_report *report)
{
    const char *slash = strrchr(report->scene, '/');
    const char *name = !strcmp(report->scene, "-") ? "standard input" : slash ? slash + 1 : report->scene;
    lb_text_add(out, "lbrender %s  ", LB_VERSION);
    lb_text_add_printable(out, name, 40);
    lb_text_add(out, "  %s  %ux%u", report->strategy, report->width, report->height);
    if (report->samples)
        lb_text_add(out, " x %u spp", report->samples);
    lb_text_add(out, "%s  %.2f s (load %.2f s)\n", report->simulated ? "  simulated" : "",
                report->wall_seconds, report->load_seconds);
}

/* "hybrid: ...", broken between words before column 100. */
static void write_words(struct lb_text *out, const char *name, const char *words)
{
    size_t column = strlen(name) + 1;
    lb_text_add(out, "%s:", name);
    while (*words) {
        size_t length = strcspn(words, " "), blanks = strspn(words + length, " ");
        bool breaks = column + 1 + length > 100;
        lb_text_add(out, "%s%.*s", breaks ? "\n  " : " ", (int)length, words);
        column = (breaks ? 2 : column + 1) + length;
        words += length + blanks;
    }
    lb_text_add(out, "\n");
}

/* What the strategy says of each pass; where nothing is kept of them, of the last frame. */
static void write_choices(struct lb_text *out, const struct lb_report *report,
                          const struct lb_report_frame *frame)
{
    bool any = false;
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        char name[64];
        if (frame->pass_count > 1)
            snprintf(name, sizeof name, "%s, pass %u", report->strategy, i);
        else
            snprintf(name, sizeof name, "%s", report->strategy);
        if (*frame->passes[i].described)
            write_words(out, name, frame->passes[i].described);
        any = any || *frame->passes[i].described;
    }
    if (!any && report->chosen && frame == &report->frames[report->frame_count - 1])
        write_words(out, report->strategy, report->chosen);
}

char *lb_report_text(const struct lb_report *report)
{
    struct lb_text text = {0}, *out = &text;
    write_head(out, report);
    for (uint32_t i = 0; i < report->frame_count; i++) {
        const struct lb_report_frame *frame = &report->frames[i];
        if (report->frame_count > 1)
            lb_text_add(out, "frame %u  %.2f s\n", frame->frame, frame->wall_seconds);
        write_balance(out, &frame->all, report->most_rows);
        write_choices(out, report, frame);
        if (frame->file) {
            lb_text_add(out, "wrote ");
            lb_text_add_printable(out, frame->file, SIZE_MAX);
            lb_text_add(out, "  crc32c %08x\n", frame->checksum);
        }
    }
    return lb_text_take(out);
}
