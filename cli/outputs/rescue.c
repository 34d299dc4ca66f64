#include "cli/outputs/rescue.h"

#include "core/base/path.h"
#include "core/base/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool used;

bool cli_rescue_used(void)
{
    return used;
}

static bool is_replaceable(const char *file)
{
    char *target = strcmp(file, "-") ? lb_replace_target(file) : NULL;
    bool replaceable = target && !lb_replace_keeps(target);
    free(target);
    return replaceable;
}

/* Makes a folder and names a file in it: "/tmp/lbrender-a1B2c3/picture.png". NULL: no folder could be made. */
static char *make_place(const char *file)
{
    const char *temporary = getenv("TMPDIR"), *name = lb_file_name(file);
    temporary = temporary && *temporary ? temporary : "/tmp";
    size_t size = strlen(temporary) + strlen(name) + sizeof "/lbrender-XXXXXX/";
    char *place = malloc(size);
    if (!place)
        return NULL;
    snprintf(place, size, "%s/lbrender-XXXXXX", temporary);
    if (!mkdtemp(place)) {
        free(place);
        return NULL;
    }
    size_t length = strlen(place);
    snprintf(place + length, size - length, "/%s", name);
    return place;
}

static void remove_place(char *place)
{
    *strrchr(place, '/') = 0;
    rmdir(place);
    free(place);
}

static void tell(struct cli_console *console, const struct lb_error *why, const char *place)
{
    struct lb_error said = {why->status, ""};
    snprintf(said.message, sizeof said.message, "%.600s; it is in %.400s", why->message, place);
    cli_console_error(console, &said);
    used = true;
}

enum lb_status cli_rescue_write(struct cli_console *console, const char *file, cli_rescue_writer *writer,
                                const void *what, char **elsewhere, struct lb_error *error)
{
    struct lb_error why, ignored;
    enum lb_status status = writer(file, what, &why);
    if (elsewhere)
        *elsewhere = NULL;
    if (status == LB_OK)
        return LB_OK;
    char *place = status == LB_ERROR && is_replaceable(file) ? make_place(file) : NULL;
    if (!place || writer(place, what, &ignored) != LB_OK) {
        if (place)
            remove_place(place);
        if (error)
            *error = why;
        return status;
    }
    tell(console, &why, place);
    if (elsewhere)
        *elsewhere = place;
    else
        free(place);
    return LB_OK;
}
