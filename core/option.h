/* Options, those of the program and those that strategies declare: each is declared once, and parsed, listed and kept
 * by this declaration alone. */
#ifndef LB_CORE_OPTION_H
#define LB_CORE_OPTION_H

#include "core/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the text after --NAME= may be, and what it becomes in the struct that keeps it. */
enum lb_option_type {
    LB_OPTION_WHOLE,   /* a whole number in low .. high: uint64_t */
    LB_OPTION_COUNT,   /* a whole number in low .. high: uint32_t */
    LB_OPTION_REAL,    /* a number in low .. high: double */
    LB_OPTION_SHARE,   /* a number in low .. high, or in per cent: double */
    LB_OPTION_SECONDS, /* a time of low .. high seconds (lb_number_seconds): double */
    LB_OPTION_WORD,    /* one of `words`: an enum, the word's number or its element of `values` */
    LB_OPTION_EITHER,  /* one of two `words`: bool, is it the second? */
    LB_OPTION_TEXT, /* any text, or one of `words`: const char *, the text itself; NULL, if it may be left out */
    LB_OPTION_FILE, /* a name that ends in one of `words`, in any case: const char *, the text itself */
    LB_OPTION_FLAG, /* without a value: bool, true */
};

/* A field that no option sets is 0, which must mean that the strategy, or the program, chooses by itself. */
struct lb_option {
    const char *name; /* lower case, without the dashes */
    /* What --help shows behind the =: a description of the value; NULL: its words, if it has some. */
    const char *argument;
    const char *help; /* one line for --help */
    enum lb_option_type type;
    double low, high;         /* bounds of a number; of a whole one 0 .. 2^53 */
    const char *wanted;       /* what messages say that it needs; NULL: they say its type and bounds */
    const char *const *words; /* they end with NULL */
    const unsigned *values;   /* what the words stand for; NULL: their numbers */
    size_t offset;            /* of the field in the struct that keeps it */
};

/* The list of the options that a strategy declares: LB_OPTIONS(&one, &another). */
#define LB_OPTIONS(...) ((const struct lb_option *const[]){__VA_ARGS__, NULL})

union lb_option_value {
    uint64_t whole;
    uint32_t count;
    double real;
    unsigned word;
    const char *text;
    bool flag;
};

/* More different options than all strategies together may declare. */
enum { LB_OPTIONS_MOST = 32 };

/* The values that a user gave, for whichever strategy has a use for them. All zero: none. */
struct lb_option_values {
    uint32_t count;
    struct lb_option_given {
        const struct lb_option *option;
        union lb_option_value value;
    } given[LB_OPTIONS_MOST];
};

/* Reads all of `text`, which is NULL where there is none. Else LB_ERROR_USAGE: the message names the option and says
 * what it needs. */
enum lb_status lb_option_parse(const struct lb_option *option, const char *text, union lb_option_value *value,
                               struct lb_error *error);
/* Keeps the value, in place of one that was given before; the option must be of one of the table's strategies. */
void lb_option_give(struct lb_option_values *values, const struct lb_option *option,
                    union lb_option_value value);
/* Is it one of `options`, which end with NULL? `options` NULL: there are none. */
bool lb_option_declared(const struct lb_option *const *options, const struct lb_option *option);
/* Writes those of the values that are declared into the struct of options. */
void lb_option_fill(const struct lb_option_values *values, const struct lb_option *const *options,
                    void *into);
/* Writes a value of the option into the struct that keeps it. */
void lb_option_keep(const struct lb_option *option, const union lb_option_value *value, void *into);
/* An error: the option needs what `wanted` says, not the text. */
enum lb_status lb_option_refuse(const struct lb_option *option, const char *wanted, const char *text,
                                struct lb_error *error);
/* Bytes of its field. */
size_t lb_option_size(const struct lb_option *option);

#endif
