#include "core/picture/formats.h"

#include "core/base/ending.h"

#include <stdio.h>

const struct lb_film_format_about *const lb_film_formats[LB_FILM_NONE] = {
#define LB_FILM_ENTRY(NAME, word) [LB_FILM_##NAME] = &lb_film_##word,
    LB_FILM_FORMATS(LB_FILM_ENTRY)
#undef LB_FILM_ENTRY
};

const char *const lb_film_names[LB_FILM_NONE] = {
#define LB_FILM_ENTRY(NAME, word) [LB_FILM_##NAME] = #NAME,
    LB_FILM_FORMATS(LB_FILM_ENTRY)
#undef LB_FILM_ENTRY
};

const char *const lb_film_words[LB_FILM_NONE + 1] = {
#define LB_FILM_ENTRY(NAME, word) [LB_FILM_##NAME] = #word,
    LB_FILM_FORMATS(LB_FILM_ENTRY)
#undef LB_FILM_ENTRY
};

static bool ends_in_word(const char *path, const char *word)
{
    char ending[16];
    snprintf(ending, sizeof ending, ".%s", word);
    return lb_ends_in(path, ending);
}

bool lb_film_format_of(const char *path, enum lb_film_format *format)
{
    for (size_t i = 0; i < LB_FILM_NONE; i++) {
        const char *also = lb_film_formats[i]->also;
        if (ends_in_word(path, lb_film_words[i]) || (also && ends_in_word(path, also))) {
            *format = (enum lb_film_format)i;
            return true;
        }
    }
    return false;
}

bool lb_film_can(enum lb_film_format format, enum lb_film_holds what)
{
    return format != LB_FILM_NONE && (lb_film_formats[format]->holds & (uint32_t)what);
}

/* Each after `dot`, and "or" before the last. */
static void add_list(uint32_t what, const char *dot, const char *const *names, struct lb_text *text)
{
    size_t count = 0, added = 0;
    for (size_t i = 0; i < LB_FILM_NONE; i++)
        count += (lb_film_formats[i]->holds & what) == what;
    for (size_t i = 0; i < LB_FILM_NONE; i++)
        if ((lb_film_formats[i]->holds & what) == what) {
            const char *between = added == 0 ? "" : added + 1 < count ? ", " : " or ";
            lb_text_add(text, "%s%s%s", between, dot, names[i]);
            added++;
        }
}

void lb_film_name_those(uint32_t what, struct lb_text *text)
{
    add_list(what, "", lb_film_names, text);
}

void lb_film_name_endings(struct lb_text *text)
{
    add_list(0, ".", lb_film_words, text);
}
