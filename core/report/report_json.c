#include "core/report/report.h"

#include "core/report/json_text.h"

#include <math.h>
#include <stdio.h>

/* jansson's "o" steals the reference; a NULL there makes the whole pack fail, and the caller sees NULL. */

static json_t *real(double value)
{
    return json_real(isfinite(value) ? value : 0);
}

static json_t *whole(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *make_processor(const struct lb_report_processor *p)
{
    return json_pack(
        "{s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b}",
        "name", p->name, "kind", lb_processor_kind_name(p->kind), "weight", real(p->weight), "weight_source",
        lb_source_name(p->weight_source), "share", real(p->share), "ranges", whole(p->ranges), "failed",
        whole(p->failed), "pixels", whole(p->pixels), "samples", whole(p->samples), "rays", whole(p->rays),
        "steps", whole(p->steps), "busy_seconds", real(p->busy_seconds), "busy_cpu_seconds",
        real(p->busy_cpu_seconds), "idle_seconds", real(p->idle_seconds), "transfer_seconds",
        real(p->transfer_seconds), "finish_seconds", real(p->finish_seconds), "speed", real(p->speed),
        "speed_source", lb_source_name(p->speed_source), "lost", p->lost);
}

static json_t *make_balance(const struct lb_report_balance *b)
{
    json_t *processors = json_array();
    for (uint32_t i = 0; i < b->processor_count; i++)
        json_array_append_new(processors, make_processor(&b->processors[i]));
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "t", real(b->t), "t_min",
        real(b->t_min), "imbalance", real(b->imbalance), "efficiency", real(b->efficiency), "messages",
        whole(b->counts.messages), "steals", whole(b->counts.steals_won), "steals_tried",
        whole(b->counts.steals_tried), "pushes", whole(b->counts.pushes), "polls", whole(b->counts.polls),
        "lost", whole(b->lost), "bad_samples", whole(b->bad_samples), "processors", processors);
    if (object && b->in_rays)
        json_object_set_new(object, "cost_unit", json_string("rays"));
    return object;
}

static void checksum_text(uint32_t checksum, char text[16])
{
    snprintf(text, 16, "%08x", checksum);
}

static json_t *make_frame(const struct lb_report_frame *frame)
{
    json_t *object = json_object(), *passes = json_array();
    json_object_set_new(object, "frame", whole(frame->frame));
    json_t *all = make_balance(&frame->all);
    json_object_update(object, all);
    json_decref(all);
    for (uint32_t i = 0; i < frame->pass_count; i++) {
        json_t *pass = make_balance(&frame->passes[i]);
        json_object_set_new(pass, "pass", whole(i));
        if (*frame->passes[i].described)
            json_object_set_new(pass, "chosen", json_string(frame->passes[i].described));
        json_array_append_new(passes, pass);
    }
    json_object_set_new(object, "passes", passes);
    json_object_set_new(object, "wall_seconds", real(frame->wall_seconds));
    if (frame->file) {
        char checksum[16];
        checksum_text(frame->checksum, checksum);
        json_object_set_new(object, "file", lb_json_name(frame->file));
        json_object_set_new(object, "checksum", json_string(checksum));
    }
    return object;
}

/* "image" is the last frame's picture; each frame names its own as well. */
static json_t *make_image(const struct lb_report *report)
{
    const struct lb_report_frame *last =
        report->frame_count ? &report->frames[report->frame_count - 1] : NULL;
    json_t *image =
        json_pack("{s:o, s:o, s:o, s:o}", "width", whole(report->width), "height", whole(report->height),
                  "spp", whole(report->samples), "seed", whole(report->seed));
    char checksum[16] = "";
    if (last && last->file)
        checksum_text(last->checksum, checksum);
    json_object_set_new(image, "file", last && last->file ? lb_json_name(last->file) : json_null());
    json_object_set_new(image, "checksum", last && last->file ? json_string(checksum) : json_null());
    return image;
}

char *lb_report_json(const struct lb_report *report)
{
    json_t *frames = json_array();
    for (uint32_t i = 0; i < report->frame_count; i++)
        json_array_append_new(frames, make_frame(&report->frames[i]));
    json_t *root = json_pack("{s:s, s:s, s:o, s:s, s:o, s:o, s:o, s:o}", "schema", "lbrender-report/1",
                             "version", LB_VERSION, "scene", lb_json_name(report->scene), "strategy",
                             report->strategy, "wall_seconds", real(report->wall_seconds), "load_seconds",
                             real(report->load_seconds), "image", make_image(report), "frames", frames);
    if (root && report->simulated)
        json_object_set_new(root, "simulated", json_true());
    if (root && report->chosen)
        json_object_set_new(root, "chosen", json_string(report->chosen));
    char *text = lb_json_write(root);
    json_decref(root);
    return text;
}
