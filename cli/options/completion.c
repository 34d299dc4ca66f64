#include "cli/options/completion.h"

#include "cli/options/table.h"
#include "core/base/text.h"
#include "core/model/model.h"
#include "core/picture/channels.h"
#include "core/processors/type.h"
#include "core/strategy.h"

#include <ctype.h>
#include <string.h>

/* What a user may type behind an option. It follows from the word that --help shows there. */
enum value { NO_VALUE, ANY, A_FILE, A_STRATEGY, STRATEGIES, CHANNELS, DEVICES, WORDS };

static enum value value_of(const struct argp_option *option)
{
    const char *argument = option->arg;
    if (!argument)
        return NO_VALUE;
    if (!strncmp(argument, "FILE", 4) || !strcmp(option->name, "simulate"))
        return A_FILE;
    static const struct named {
        const char *option;
        enum value value;
    } named[] = {
        {"strategy", A_STRATEGY}, {"compare", STRATEGIES}, {"channels", CHANNELS}, {"devices", DEVICES}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strcmp(option->name, named[i].option))
            return named[i].value;
    return strchr(argument, '|') ? WORDS : ANY;
}

/* Offers those words of an argument such as "LIST|measured" that are in small letters, or numbers: capitals stand for a
 * value. */
static void add_words(struct lb_text *out, const char *argument)
{
    const char *blank = "";
    while (*argument) {
        size_t length = strcspn(argument, "|");
        if (islower((unsigned char)*argument) || isdigit((unsigned char)*argument)) {
            lb_text_add(out, "%s%.*s", blank, (int)length, argument);
            blank = " ";
        }
        argument += length + (argument[length] == '|');
    }
}

static void add_strategies(struct lb_text *out)
{
    for (size_t i = 0; i < lb_strategy_count; i++)
        lb_text_add(out, "%s%s", i ? " " : "", lb_strategies[i]->name);
}

static void add_channels(struct lb_text *out)
{
    for (size_t i = 0; i < LB_OUTPUTS; i++)
        lb_text_add(out, "%s ", lb_outputs[i].word);
    lb_text_add(out, "gbuffer rgb");
}

static void add_devices(struct lb_text *out)
{
    for (size_t i = 0; i < lb_processor_type_count; i++)
        if (lb_processor_types[i] != &lb_host_type)
            lb_text_add(out, "%s%s", i ? " " : "", lb_processor_types[i]->name);
}

/* May several words follow each other, with commas between them? */
static bool is_list(const struct argp_option *option)
{
    enum value value = value_of(option);
    return value == STRATEGIES || value == CHANNELS || value == DEVICES;
}

static void add_values(struct lb_text *out, const struct argp_option *option)
{
    switch (value_of(option)) {
    case A_STRATEGY:
    case STRATEGIES:
        add_strategies(out);
        break;
    case CHANNELS:
        add_channels(out);
        break;
    case DEVICES:
        add_devices(out);
        break;
    case NO_VALUE:
    case A_FILE:
        break;
    case ANY:
    case WORDS:
        add_words(out, option->arg);
    }
}

/* The next entry that is an option with a name, or NULL. */
static const struct argp_option *next_option(const struct argp_option *option)
{
    while (!option->name && (option->key || option->doc))
        option++;
    return option->name ? option : NULL;
}

/* The options that argp adds by itself, which stand in no table. */
static const struct argp_option OWN[] = {{.name = "help", .doc = "Print all options"},
                                         {.name = "usage", .doc = "Print a short message"},
                                         {.name = "version", .key = 'V', .doc = "Print the version"},
                                         {0}};

typedef void add_option(struct lb_text *out, const struct argp_option *option);

static void add_all(struct lb_text *out, add_option *add)
{
    const struct argp_option *const tables[] = {cli_options_table(), OWN};
    for (int i = 0; i < 2; i++)
        for (const struct argp_option *o = tables[i]; (o = next_option(o)) != NULL; o++)
            add(out, o);
}

/* May the option's value be left out? Where it is given, it must stand behind "=" in the same word. */
static bool is_optional(const struct argp_option *option)
{
    return option->flags & OPTION_ARG_OPTIONAL;
}

static bool has_letter(const struct argp_option *option)
{
    return option->key > 0 && option->key < 128;
}

/* Writes words so that they can stand between single quotes, in any of the shells. */
static void add_quoted(struct lb_text *out, const char *words)
{
    for (; *words; words++)
        lb_text_add(out, *words == '\'' ? "'\\''" : "%c", *words);
}

/* ---- bash ---- */

static void add_bash_name(struct lb_text *out, const struct argp_option *option)
{
    lb_text_add(out, " --%s%s", option->name, option->arg && !is_optional(option) ? "=" : "");
}

static void add_bash_case(struct lb_text *out, const struct argp_option *option)
{
    if (value_of(option) == NO_VALUE)
        return;
    if (!is_optional(option))
        lb_text_add(out, "    --%s|--%s=", option->name, option->name);
    else
        lb_text_add(out, "    --%s=", option->name);
    if (has_letter(option))
        lb_text_add(out, "|-%c", option->key);
    if (value_of(option) == A_FILE)
        lb_text_add(out, ") mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n");
    else {
        lb_text_add(out, ") mapfile -t COMPREPLY < <(compgen %s-W \"",
                    is_list(option) ? "-P \"$listed\" " : "");
        add_values(out, option);
        lb_text_add(out, "\" -- \"%s\") ;;\n", is_list(option) ? "${word##*,}" : "$word");
    }
}

/* Bash breaks --name=value into three words. */
/* Models are given as scenes are. */
static void add_model_endings(struct lb_text *out, const char *before)
{
    for (const char *const *ending = lb_model_endings(); *ending; ending++)
        lb_text_add(out, "%s%s", before, *ending);
}

static void add_bash(struct lb_text *out)
{
    lb_text_add(out, "# Completion of lbrender for bash.\n"
                     "_lbrender() {\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "  COMPREPLY=()\n"
                     "  if [ \"$word\" = = ]; then\n"
                     "    word= before=$before=\n"
                     "  elif [ \"$before\" = = ]; then\n"
                     "    before=${COMP_WORDS[COMP_CWORD-2]}=\n"
                     "  fi\n"
                     "  local listed=\n"
                     "  [[ $word != *,* ]] || listed=${word%%,*},\n"
                     "  compopt -o filenames 2>/dev/null\n"
                     "  case $before in\n");
    add_all(out, add_bash_case);
    lb_text_add(out, "    *)\n"
                     "      case $word in\n"
                     "        -*)\n"
                     "          compopt +o filenames -o nospace 2>/dev/null\n"
                     "          mapfile -t COMPREPLY < <(compgen -W \"");
    add_all(out, add_bash_name);
    lb_text_add(out, "\" -- \"$word\")\n"
                     "          [[ ${COMPREPLY[0]-} == *= ]] || compopt +o nospace 2>/dev/null\n"
                     "          ;;\n"
                     "        *)\n"
                     "          local ending\n"
                     "          mapfile -t COMPREPLY < <(\n"
                     "            compgen -d -- \"$word\"\n"
                     "            for ending in .pbrt");
    add_model_endings(out, " ");
    lb_text_add(out, "; do compgen -f -X \"!*$ending\" -- \"$word\"; done\n"
                     "          )\n"
                     "          ;;\n"
                     "      esac\n"
                     "      ;;\n"
                     "  esac\n"
                     "}\n"
                     "complete -F _lbrender lbrender\n");
}

/* ---- zsh ---- */

static void add_zsh_line(struct lb_text *out, const struct argp_option *option)
{
    const char *equals = !option->arg ? "" : is_optional(option) ? "=-" : "=";
    if (has_letter(option))
        lb_text_add(out, "    '(-%c --%s)'{-%c%s,--%s%s}'[", option->key, option->name, option->key,
                    option->arg ? "+" : "", option->name, equals);
    else
        lb_text_add(out, "    '--%s%s[", option->name, equals);
    for (const char *doc = option->doc; *doc; doc++)
        if (*doc == '\'')
            lb_text_add(out, "'\\''");
        else
            lb_text_add(out, strchr("[]:\\", *doc) ? "\\%c" : "%c", *doc);
    lb_text_add(out, "]");
    if (option->arg) {
        lb_text_add(out, "%s:%s:", is_optional(option) ? ":" : "", option->name);
        if (value_of(option) == A_FILE)
            lb_text_add(out, "_files");
        else {
            lb_text_add(out, is_list(option) ? "_values -s , word " : "(");
            add_values(out, option);
            lb_text_add(out, is_list(option) ? "" : ")");
        }
    }
    lb_text_add(out, "' \\\n");
}

static void add_zsh(struct lb_text *out)
{
    lb_text_add(out, "#compdef lbrender\n"
                     "# Completion of lbrender for zsh.\n"
                     "_arguments -s -S \\\n");
    add_all(out, add_zsh_line);
    lb_text_add(out, "    '*:scene:_files -g \"*(.pbrt");
    add_model_endings(out, "|");
    lb_text_add(out, ")\"'\n");
}

/* ---- fish ---- */

static void add_fish_line(struct lb_text *out, const struct argp_option *option)
{
    lb_text_add(out, "complete -c lbrender -l %s", option->name);
    if (has_letter(option))
        lb_text_add(out, " -s %c", option->key);
    if (value_of(option) == A_FILE)
        lb_text_add(out, " -r -F");
    else if (option->arg) {
        lb_text_add(out, "%s -a '%s", is_optional(option) ? "" : " -x",
                    is_list(option) ? "(__fish_append , " : "");
        add_values(out, option);
        lb_text_add(out, "%s'", is_list(option) ? ")" : "");
    }
    lb_text_add(out, " -d '");
    add_quoted(out, option->doc);
    lb_text_add(out, "'\n");
}

static void add_fish(struct lb_text *out)
{
    lb_text_add(out, "# Completion of lbrender for fish.\n"
                     "complete -c lbrender -f -a '(__fish_complete_suffix .pbrt)'\n");
    add_all(out, add_fish_line);
}

char *cli_completion_make(enum cli_shell shell)
{
    static void (*const add[])(struct lb_text *) = {
        [CLI_BASH] = add_bash, [CLI_ZSH] = add_zsh, [CLI_FISH] = add_fish};
    struct lb_text text = {0};
    add[shell](&text);
    return lb_text_take(&text);
}
