#include "cli/options/guess.h"

#include "core/base/guess.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options as getopt_long wants them described. */
struct known {
    struct option *names;
    char *letters;
    size_t count;
};

static const char *const ARGPS_OWN[] = {"help", "usage", "version"};

static void know(struct known *known, const char *name, int has_value)
{
    known->names[known->count++] = (struct option){.name = name, .has_arg = has_value, .val = 1};
}

/* Entries with neither name nor letter are headings; the last one has no text either. */
static bool is_last(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc;
}

static bool learn(const struct argp_option *table, struct known *known)
{
    size_t own = sizeof ARGPS_OWN / sizeof *ARGPS_OWN, count = 0;
    while (!is_last(&table[count]))
        count++;
    known->names = calloc(count + own + 1, sizeof *known->names);
    known->letters = calloc(2 * count + 4, 1);
    if (!known->names || !known->letters)
        return false;
    size_t end = (size_t)snprintf(known->letters, 4, "?V");
    for (size_t i = 0; i < count; i++) {
        if (table[i].name)
            know(known, table[i].name,
                 !table[i].arg                          ? no_argument
                 : table[i].flags & OPTION_ARG_OPTIONAL ? optional_argument
                                                        : required_argument);
        if (table[i].key <= 0 || table[i].key > 127)
            continue;
        known->letters[end++] = (char)table[i].key;
        if (table[i].arg)
            known->letters[end++] = ':';
    }
    for (size_t i = 0; i < own; i++)
        know(known, ARGPS_OWN[i], no_argument);
    return true;
}

/* Does the name of any option begin with the word? Where several do, argp tells that error. */
static bool begins_any(const struct known *known, const char *word, size_t length)
{
    for (size_t i = 0; i < known->count; i++)
        if (!strncmp(known->names[i].name, word, length))
            return true;
    return false;
}

/* Finds the first long option of the command line that there is not. Returns its name, behind the --, or NULL. */
static const char *find_unknown(const struct known *known, int argc, char **argv, size_t *length)
{
    int found;
    optind = 0; /* in glibc: begin anew */
    opterr = 0;
    while ((found = getopt_long(argc, argv, known->letters, known->names, NULL)) != -1) {
        if (found != '?' || optopt)
            continue;
        const char *word = argv[optind - 1] + 2;
        *length = strcspn(word, "=");
        if (!begins_any(known, word, *length))
            return word;
    }
    return NULL;
}

/* The option whose name begins as the word does for most letters, three at least; or NULL. */
static const char *find_beginning(const struct known *known, const char *word, size_t length)
{
    const char *best = NULL;
    size_t most = 2;
    for (size_t i = 0; i < known->count; i++) {
        const char *name = known->names[i].name;
        size_t same = 0;
        while (same < length && name[same] == word[same])
            same++;
        if (same > most) {
            most = same;
            best = name;
        }
    }
    return best;
}

static void tell(const struct known *known, const char *word, size_t length, char *message, size_t size)
{
    struct lb_guess guess;
    lb_guess_start(&guess, word, length);
    for (size_t i = 0; i < known->count; i++)
        lb_guess_try(&guess, known->names[i].name);
    const char *meant = strchr(guess.text, '"');
    const char *near = find_beginning(known, word, length);
    if (meant)
        snprintf(message, size, "there is no option --%.*s; did you mean --%.*s?", (int)length, word,
                 (int)strcspn(meant + 1, "\""), meant + 1);
    else if (near)
        snprintf(message, size, "there is no option --%.*s; did you mean --%s?", (int)length, word, near);
    else
        snprintf(message, size, "there is no option --%.*s", (int)length, word);
}

bool cli_option_guess(const struct argp_option *table, int argc, char **argv, char *message, size_t size)
{
    struct known known = {0};
    char **copy = calloc((size_t)argc + 1, sizeof *copy); /* getopt moves operands to the end */
    const char *word = NULL;
    size_t length = 0;
    if (copy && learn(table, &known)) {
        memcpy(copy, argv, (size_t)argc * sizeof *copy);
        word = find_unknown(&known, argc, copy, &length);
        if (word)
            tell(&known, word, length < 64 ? length : 64, message, size);
    }
    free(copy);
    free(known.names);
    free(known.letters);
    return word != NULL;
}
