/* The processors of a run: chosen from the options, opened with each scene. */
#ifndef LB_CLI_SESSION_TEAM_H
#define LB_CLI_SESSION_TEAM_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "core/cpu/cpu.h"
#include "core/processors/devices.h"
#include "core/run/frame.h"

struct cli_team {
    struct lb_cpus cpus;
    enum lb_isa isa;
    struct lb_device_list devices;
    struct lb_member *members; /* devices.count, with room for `most` */
    uint32_t most;             /* how many there may be when hosts have come */
    uint32_t asked;            /* how many there were at first: what was asked for */
    bool named;                /* --devices names them: none of them is left out */
    bool forewarned;           /* that opening one may take long */
    bool told_unfit;           /* that some are left out */
    bool stood_in;             /* CPU threads render this scene in their place */
    bool lost;                 /* one was lost, if only for some frames */
};

enum lb_status cli_team_choose(struct cli_team *team, const struct cli_options *options,
                               const struct lb_log *log, struct lb_error *error);
/* Chooses the processors anew for a scene that some of those which no option names cannot render: without these, and
 * with the CPU threads that would have fed them. A note says so. Only before a run is opened with the team. */
enum lb_status cli_team_suit(struct cli_team *team, const lb_scene *scene, const struct cli_options *options,
                             const struct lb_log *log, struct lb_error *error);
/* Opens every member's processor for `scene`; hosts are those of `primary` (NULL: there are none). A GPU that
 * cannot be opened is lost, with a warning; one that no option names and that cannot render such scenes is left out
 * of this one, with a note, and a CPU thread is the member's processor. An error when none is left. */
enum lb_status cli_team_open(struct cli_team *team, const lb_scene *scene, struct lb_primary *primary,
                             const struct lb_log *log, struct lb_error *error);
/* While a frame is rendered, between passes: opens those anew that may have come, or come back, and waits for
 * nobody. Hosts for which there were no members yet are new members, with the mean weight. */
void cli_team_renew(struct cli_team *team, const lb_scene *scene, struct lb_primary *primary,
                    const struct lb_log *log);
/* A member was lost, if it came back or not: warns, and remembers it. */
void cli_team_name_lost(struct cli_team *team, uint32_t number, const struct lb_log *log);
/* Is something of the member lost that was there or was asked for? A host that was only about to come is not. */
bool cli_team_misses(const struct cli_team *team, uint32_t number);
void cli_team_close(struct cli_team *team); /* the processors; the team can be opened again */
void cli_team_free(struct cli_team *team);
/* Its own `count` processors by name and kind, without hosts, as other hosts are told of them; the caller frees them.
 * NULL: out of memory. */
struct lb_remote_processor *cli_team_tell(const struct cli_team *team, uint32_t *count);
/* "64 CPU threads ..", a line each, to standard output. */
void cli_team_list(const struct cli_team *team);

#endif
