#include "cli/session/cache.h"

#include "cli/session/models.h"
#include "core/run/speeds/speed_cache.h"
#include "core/run/speeds/weights.h"

#include <stdlib.h>

/* In frames that are shorter than this the times that are measured are mostly the clock's own error. */
static const double LEAST_SECONDS = 0.05;

/* The file in which speeds are kept, and of each processor the name of its model and its speed. */
struct kept_speeds {
    char *file, **models;
    double *speeds;
    uint32_t count;
};

char *cli_cache_folder(void)
{
    return lb_cache_folder(getenv("XDG_CACHE_HOME"), getenv("HOME"));
}

static bool open_kept(const struct cli_session *s, struct kept_speeds *kept)
{
    char *folder = cli_cache_folder();
    kept->count = s->team.devices.count;
    kept->file = lb_speeds_file(folder, s->options->scene);
    free(folder);
    kept->models = cli_models_name(&s->team, s->options);
    kept->speeds = calloc(kept->count, sizeof *kept->speeds);
    return kept->file && kept->models && kept->speeds;
}

static void close_kept(struct kept_speeds *kept)
{
    cli_models_free(kept->models, kept->count);
    free(kept->speeds);
    free(kept->file);
}

void cli_cache_read(struct cli_session *s)
{
    const struct cli_options *o = s->options;
    struct kept_speeds kept;
    double sum = 0;
    bool wanted = o->weights_measured || (o->settings.strategy->kept_speeds && !o->weights && !o->no_cache);
    if (!wanted || !lb_members_differ(s->team.members, s->team.devices.count))
        return;
    if (open_kept(s, &kept) &&
        lb_speeds_read(kept.file, (const char *const *)kept.models, kept.count, &s->log, kept.speeds)) {
        for (uint32_t i = 0; i < kept.count; i++)
            sum += kept.speeds[i];
        for (uint32_t i = 0; i < kept.count; i++) {
            s->team.members[i].weight = kept.speeds[i] / sum;
            s->team.members[i].weight_source = LB_SOURCE_CACHED;
        }
    } else if (o->weights_measured) {
        lb_log_write(&s->log, LB_WARNING,
                     "--weights=measured: no run has measured all of these processors at this scene: they "
                     "start alike");
    }
    close_kept(&kept);
}

/* Sets the speed of each processor by what it, or another one of its model, did. False: a processor was lost, or there
 * is a model of which none did anything. */
static bool measure(const struct lb_report_balance *balance, double *speeds)
{
    bool whole = lb_weights_measure(balance, speeds);
    for (uint32_t i = 0; whole && i < balance->processor_count; i++)
        whole = speeds[i] > 0 && !balance->processors[i].lost;
    return whole;
}

void cli_cache_write(const struct cli_session *s, const struct lb_report_balance *balance)
{
    struct kept_speeds kept;
    if (s->team.stood_in) /* what they did says nothing of their models */
        return;
    if (open_kept(s, &kept) && balance->t >= LEAST_SECONDS && measure(balance, kept.speeds))
        lb_speeds_write(kept.file, s->options->scene, balance->in_rays ? "rays" : "steps",
                        (const char *const *)kept.models, kept.count, kept.speeds, &s->log);
    close_kept(&kept);
}
