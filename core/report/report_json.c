#include "core/report/report_forms.h"

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
    json_t *object = lb_json_figures(&lb_processor_figures, p);
    if (!p->host)
        return object;
    json_t *host = lb_json_figures(&lb_host_figures, p->host), *processors = json_array();
    for (uint32_t i = 0; i < p->host->processor_count; i++)
        json_array_append_new(processors,
                              lb_json_figures(&lb_host_processor_figures, &p->host->processors[i]));
    json_object_set_new(host, "processors", processors);
    json_object_set_new(object, "host", host);
    return object;
}

static json_t *make_balance(const struct lb_report_balance *b)
{
    json_t *processors = json_array(), *object = lb_json_figures(&lb_balance_figures, b);
    for (uint32_t i = 0; i < b->processor_count; i++)
        json_array_append_new(processors, make_processor(&b->processors[i]));
    json_object_set_new(object, "processors", processors);
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
    if (frame->incomplete)
        json_object_set_new(object, "incomplete", json_true());
    if (frame->file) {
        char checksum[16];
        checksum_text(frame->checksum, checksum);
        json_object_set_new(object, "file", lb_json_name(frame->file));
        json_object_set_new(object, "checksum", json_string(checksum));
    }
    if (*frame->denoised_by) {
        json_object_set_new(object, "denoised_by", json_string(frame->denoised_by));
        json_object_set_new(object, "denoise_seconds", real(frame->denoise_seconds));
    }
    return object;
}

/* "image" is the last frame's picture; each frame names its own as well. */
static json_t *make_image(const struct lb_report *report)
{
    const struct lb_report_frame *last =
        report->frame_count ? &report->frames[report->frame_count - 1] : NULL;
    json_t *image =
        json_pack("{s:o, s:o, s:o, s:o}", "width", whole(report->run.width), "height",
                  whole(report->run.height), "spp", whole(report->run.spp), "seed", whole(report->run.seed));
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
    json_t *root = json_pack("{s:s}", "schema", LB_REPORT_SCHEMA);
    json_t *run = lb_json_figures(&lb_run_figures, &report->run);
    json_t *rest = json_pack("{s:s, s:o, s:o}", "strategy", report->strategy, "image", make_image(report),
                             "frames", frames);
    if (json_object_update(root, run) || json_object_update(root, rest)) {
        json_decref(root);
        root = NULL;
    }
    json_decref(run);
    json_decref(rest);
    if (root && report->simulated)
        json_object_update_new(
            root, json_pack("{s:b, s:o}", "simulated", 1, "assumed_seconds", real(report->assumed_seconds)));
    if (root && report->chosen)
        json_object_set_new(root, "chosen", json_string(report->chosen));
    char *text = lb_json_write(root);
    json_decref(root);
    return text;
}
