/* --display-server and --preview: pictures in a viewer, a terminal or a page while they are rendered. */
#ifndef LB_CLI_SESSION_LIVE_H
#define LB_CLI_SESSION_LIVE_H

#include "cli/outputs/picture.h"
#include "cli/session/session.h"
#include "core/display/display.h"

/* Connects to the viewer that the options name; NULL: none is named, or none answers, with a warning: the picture is
 * worth more than the view of it. */
struct lb_display *cli_live_open(const struct cli_session *s);
/* Shows what the session renders of frame `number` from now on, whose picture is `file` (NULL: none). Warns where it
 * cannot. `display`, here and below, may be NULL. */
void cli_live_begin(struct lb_display *display, struct cli_session *s, uint32_t number, const char *file,
                    const struct lb_film_form *form);
/* Shows the whole picture as files have it, linear; `content` NULL: what there is of it. */
void cli_live_end(struct lb_display *display, const struct cli_session *s, const struct lb_film_form *form,
                  const struct cli_content *content);

#endif
