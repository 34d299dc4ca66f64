#include "cli/session/team.h"

#include "cli/console/leave.h"
#include "core/machine/slurm.h"
#include "hosts/hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum lb_status choose_isa(struct cli_team *team, const struct cli_options *options,
                                 struct lb_error *error)
{
    team->isa = lb_isa_best();
    if (options->isa && !lb_isa_parse(options->isa, &team->isa))
        return lb_error_set(error, LB_ERROR_USAGE, "--isa: there is no \"%s\"", options->isa);
    if (!lb_isa_runs(team->isa))
        return lb_error_set(error, LB_ERROR, "this machine does not run the instruction set %s",
                            options->isa);
    return LB_OK;
}

/* What the member goes by while the device renders for it. */
static void name_member(struct lb_member *member, const struct lb_device *device)
{
    member->kind = device->kind;
    member->type = device->type->name;
    snprintf(member->name, sizeof member->name, "%s%u", device->type->name, device->index);
}

/* Threads that are bound take CPUs in an order in which each core comes once before any comes twice. */
static void make_members(struct cli_team *team, const struct cli_options *options)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < team->devices.count; i++) {
        const struct lb_device *device = &team->devices.items[i];
        struct lb_member *member = &team->members[i];
        name_member(member, device);
        member->weight = device->weight;
        member->weight_source = options->weights ? LB_SOURCE_GIVEN : LB_SOURCE_EQUAL;
        member->bind_index = threads++;
        if (device->type->on_thread)
            member->group = lb_cpus_node(member->bind_index);
        else if (device->type->fed)
            member->group = (lb_processor_type_number(device->type) << 16) + device->index;
    }
}

/* `unfit`: why GPUs are not to be among those that no option names; NULL: they are. */
static enum lb_status choose(struct cli_team *team, const struct cli_options *options, const char *unfit,
                             const struct lb_log *log, struct lb_error *error)
{
    lb_cpus_find("", lb_slurm_cpus(lb_slurm_environment), &team->cpus);
    struct lb_device_request request = {.devices = options->devices,
                                        .threads = options->threads,
                                        .weights = options->weights,
                                        .hosts = options->hosts,
                                        .cpus = team->cpus.count,
                                        .counted = options->cost_map || options->simulate,
                                        .unfit = unfit};
    enum lb_status status = choose_isa(team, options, error);
    if (status == LB_OK)
        status = lb_devices_parse(&request, log, &team->devices, error);
    if (status != LB_OK)
        return status;
    team->named = options->devices != NULL;
    team->asked = team->devices.count;
    team->most = options->serve ? LB_MAX_PROCESSORS : team->asked;
    team->members = calloc(team->most, sizeof *team->members);
    if (!team->members)
        return lb_error_memory(error, NULL);
    make_members(team, options);
    return LB_OK;
}

enum lb_status cli_team_choose(struct cli_team *team, const struct cli_options *options,
                               const struct lb_log *log, struct lb_error *error)
{
    return choose(team, options, NULL, log, error);
}

/* Why a processor is left out of a scene, or NULL. One that an option names is opened, and fails. */
static const char *unfit_for(const struct cli_team *team, uint32_t number, const lb_scene *scene)
{
    const struct lb_processor_type *type = team->devices.items[number].type;
    return team->named || !type->unfit ? NULL : type->unfit(scene);
}

enum lb_status cli_team_suit(struct cli_team *team, const lb_scene *scene, const struct cli_options *options,
                             const struct lb_log *log, struct lb_error *error)
{
    for (uint32_t i = 0; i < team->devices.count; i++) {
        const char *unfit = unfit_for(team, i, scene);
        if (!unfit)
            continue;
        cli_team_free(team);
        return choose(team, options, unfit, log, error);
    }
    return LB_OK;
}

/* Says once a run what the first opening of a processor may wait for. */
static void forewarn(struct cli_team *team, const lb_scene *scene, const struct lb_log *log)
{
    char text[512];
    for (uint32_t i = 0; i < team->devices.count && !team->forewarned; i++) {
        const struct lb_device *device = &team->devices.items[i];
        if (!unfit_for(team, i, scene) && device->type->forewarn &&
            device->type->forewarn(device->index, text, sizeof text)) {
            lb_log_write(log, LB_NEWS, "%s: %s", team->members[i].name, text);
            team->forewarned = true;
        }
    }
}

/* The CPU thread that would have fed the processor of this number: it comes after all others. */
static struct lb_device feeder_of(const struct cli_team *team, uint32_t number)
{
    struct lb_device thread = {
        .type = &lb_cpu_type, .kind = lb_cpu_type.kind, .counts_steps = lb_cpu_type.counts_steps};
    for (uint32_t i = 0; i < team->devices.count; i++) {
        const struct lb_processor_type *type = team->devices.items[i].type;
        thread.index += type == &lb_cpu_type || (type->fed && i < number);
    }
    return thread;
}

/* Leaves a processor out of a scene: the CPU thread that would have fed it renders in its place. It is not lost, as it
 * may be of use for the next one. */
static enum lb_status leave_out(struct cli_team *team, uint32_t number, const struct lb_site *site,
                                const char *why, const struct lb_log *log, struct lb_error *error)
{
    struct lb_member *member = &team->members[number];
    const struct lb_device thread = feeder_of(team, number);
    if (!team->told_unfit)
        lb_log_write(log, LB_NEWS, "GPUs are left out: %s", why);
    team->told_unfit = team->stood_in = true;
    name_member(member, &thread);
    return lb_cpu_type.open(&thread, site, &member->processor, error);
}

enum lb_status cli_team_open(struct cli_team *team, const lb_scene *scene, struct lb_primary *primary,
                             const struct lb_log *log, struct lb_error *error)
{
    struct lb_site site = {.scene = scene, .isa = team->isa, .primary = primary};
    uint32_t opened = 0;
    team->stood_in = false;
    forewarn(team, scene, log);
    for (uint32_t i = 0; i < team->devices.count; i++) {
        const struct lb_device *device = &team->devices.items[i];
        struct lb_member *member = &team->members[i];
        const char *unfit = unfit_for(team, i, scene);
        bool was_lost = member->lost;
        if (was_lost && !device->type->returns)
            continue;
        name_member(member, device);
        if ((unfit ? leave_out(team, i, &site, unfit, log, error)
                   : device->type->open(device, &site, &member->processor, error)) == LB_OK) {
            member->lost = false;
            member->opened = true;
            opened++;
            continue;
        }
        member->processor = NULL;
        member->lost = true;
        team->lost |= !device->type->returns;
        if (was_lost)
            continue;
        member->error = *error;
        lb_log_write(log, LB_WARNING, "%s", error->message);
    }
    return opened ? LB_OK : error->status;
}

void cli_team_name_lost(struct cli_team *team, uint32_t number, const struct lb_log *log)
{
    const struct lb_member *member = &team->members[number];
    team->lost = true;
    lb_log_write(log, LB_WARNING, "%s was lost (%s); the others did its work", member->name,
                 member->error.message);
}

/* Makes members of the hosts in places that are new. */
static void add_hosts(struct cli_team *team, uint32_t places)
{
    uint32_t hosts = 0, before = team->devices.count;
    double sum = 0;
    for (uint32_t i = 0; i < before; i++) {
        hosts += team->devices.items[i].type == &lb_host_type;
        sum += team->members[i].weight;
    }
    double weight = sum / before;
    for (; hosts < places && team->devices.count < team->most; hosts++) {
        uint32_t number = team->devices.count++;
        struct lb_device *device = &team->devices.items[number];
        *device = (struct lb_device){.type = &lb_host_type,
                                     .kind = lb_host_type.kind,
                                     .counts_steps = lb_host_type.counts_steps,
                                     .index = hosts,
                                     .weight = weight};
        struct lb_member *member = &team->members[number];
        *member = (struct lb_member){.kind = lb_host_type.kind,
                                     .type = lb_host_type.name,
                                     .model = number,
                                     .weight = weight,
                                     .weight_source = LB_SOURCE_EQUAL,
                                     .bind_index = number,
                                     .lost = true};
        snprintf(member->name, sizeof member->name, "%s%u", lb_host_type.name, hosts);
        sum += weight;
    }
    for (uint32_t i = 0; team->devices.count > before && i < team->devices.count; i++)
        team->members[i].weight /= sum;
}

void cli_team_renew(struct cli_team *team, const lb_scene *scene, struct lb_primary *primary,
                    const struct lb_log *log)
{
    struct lb_site site = {.scene = scene, .isa = team->isa, .primary = primary, .at_once = true};
    add_hosts(team, lb_primary_places(primary));
    for (uint32_t i = 0; i < team->devices.count; i++) {
        const struct lb_device *device = &team->devices.items[i];
        struct lb_member *member = &team->members[i];
        struct lb_error error;
        if (!device->type->returns)
            continue;
        if (member->processor)
            member->processor->table->close(member->processor);
        member->processor = NULL;
        if (device->type->open(device, &site, &member->processor, &error) != LB_OK) {
            if (!member->lost)
                member->error = error;
            member->lost = true;
            continue;
        }
        if (member->lost && member->opened)
            cli_team_name_lost(team, i, log);
        member->lost = false;
        member->opened = true;
    }
}

bool cli_team_misses(const struct cli_team *team, uint32_t number)
{
    const struct lb_member *member = &team->members[number];
    return member->lost && (member->opened || number < team->asked);
}

void cli_team_close(struct cli_team *team)
{
    for (uint32_t i = 0; team->members && i < team->devices.count; i++) {
        struct lb_processor *processor = team->members[i].processor;
        if (!processor)
            continue;
        if (processor->hangs)
            cli_leave_at_once();
        processor->table->close(processor);
        team->members[i].processor = NULL;
    }
}

void cli_team_free(struct cli_team *team)
{
    cli_team_close(team);
    free(team->members);
    team->members = NULL;
    lb_devices_free(&team->devices);
}

struct lb_remote_processor *cli_team_tell(const struct cli_team *team, uint32_t *count)
{
    struct lb_remote_processor *told = calloc(team->devices.count, sizeof *told);
    *count = 0;
    for (uint32_t i = 0; told && i < team->devices.count; i++) {
        if (team->devices.items[i].type == &lb_host_type)
            continue;
        struct lb_remote_processor *one = &told[(*count)++];
        snprintf(one->name, sizeof one->name, "%s", team->members[i].name);
        snprintf(one->kind, sizeof one->kind, "%s", team->members[i].type);
    }
    return told;
}

/* Prints the processors of a type that knows how many this machine has. */
static void list_type(const struct lb_processor_type *type)
{
    char text[256];
    uint32_t count = type->count(text, sizeof text);
    if (count == 0)
        printf("no %s: %s\n", type->title, text);
    for (uint32_t i = 0; i < count; i++) {
        type->describe(i, text, sizeof text);
        printf("%s:%-3u %s\n", type->name, i, text);
    }
}

void cli_team_list(const struct cli_team *team)
{
    const struct lb_cpus *cpus = &team->cpus;
    printf("cpu      %u threads, %s (affinity %u", cpus->count, lb_isa_name(team->isa), cpus->affinity);
    if (cpus->quota)
        printf(", cgroup %u", cpus->quota);
    if (cpus->slurm)
        printf(", Slurm %u", cpus->slurm);
    puts(")");
    for (size_t i = 0; i < lb_processor_type_count; i++)
        if (lb_processor_types[i]->count)
            list_type(lb_processor_types[i]);
}
