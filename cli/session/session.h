/* What lives while the program renders: processors, the loaded scene, a run; shared by rendering, simulating and
 * comparing. */
#ifndef LB_CLI_SESSION_SESSION_H
#define LB_CLI_SESSION_SESSION_H

#include "cli/console/console.h"
#include "cli/options/options.h"
#include "cli/outputs/parts.h"
#include "cli/session/progress.h"
#include "cli/session/team.h"
#include "core/run/frame.h"
#include "hosts/hosts.h"

struct cli_session {
    const struct cli_options *options;
    struct cli_console *console;
    struct lb_log log;
    struct cli_team team;
    struct lb_primary *primary;     /* whom other hosts join; NULL: none do */
    bool gathered;                  /* its workers have been waited for */
    struct lb_loaded scene;         /* scene.scene NULL: none is loaded */
    struct lb_run *run;             /* NULL: none */
    struct lb_interrupt *interrupt; /* NULL: signals end the program at once */
    double begin, load_seconds;
    bool grows;     /* a still's passes grow, where there is much to do */
    bool undrawn;   /* the next run's maps and spans are not wanted, whatever the options say */
    bool told_dark; /* the user knows that scenes are black */
    struct cli_progress_part part; /* which of the frames is next */
    struct lb_error error;         /* the last one */
};

/* Chooses the processors. */
enum lb_status cli_session_open(struct cli_session *s, const struct cli_options *options,
                                struct cli_console *console);
void cli_session_close(struct cli_session *s);

/* Loads the scene of a frame and opens the processors with it; nothing when it is loaded. */
enum lb_status cli_session_load(struct cli_session *s, uint32_t frame);
void cli_session_unload(struct cli_session *s);
/* Opens the processors anew, the lost ones left out; the scene stays as it is. Nothing when no scene is loaded. */
enum lb_status cli_session_reopen(struct cli_session *s);
/* Begins a run (ending the one before) with the options' settings and `strategy`. Signals are caught from here on. */
enum lb_status cli_session_start(struct cli_session *s, const struct lb_strategy *strategy, bool want_cost,
                                 bool want_estimates);
/* Renders a frame, with progress; `parts`: what of it is wanted, or NULL: all. */
enum lb_status cli_session_render(struct cli_session *s, uint32_t number, const struct cli_parts *parts,
                                  struct lb_frame *frame);
/* Prints the last error; returns its exit status. */
int cli_session_fail(struct cli_session *s);
/* Prints the last error and says what was `written` in spite of it, so that nobody renders the picture again; returns
 * the error's exit status. */
int cli_session_fail_beside(struct cli_session *s, const char *written);

#endif
