/* Cuts scene files into tokens. Files form a stack: an included one is read in place of its Include directive. */
#ifndef LB_CORE_LANGUAGE_LEXER_H
#define LB_CORE_LANGUAGE_LEXER_H

#include "core/language/description.h"
#include "core/language/source.h"

/* What a token is. */
enum lb_token_kind {
    LB_TOKEN_END,    /* of the main file, or of an imported one */
    LB_TOKEN_WORD,   /* anything without quotes: a directive, a number, true, false, All ... */
    LB_TOKEN_STRING, /* the text between the quotes, its escapes decoded */
    LB_TOKEN_OPEN,   /* [ */
    LB_TOKEN_CLOSE,  /* ] */
};

/* A token and where it stands. */
struct lb_token {
    enum lb_token_kind kind;
    const char *text; /* valid until the next token is read; not ended by a 0 */
    size_t length;
    struct lb_location location;
};

/* A file of the stack, and how far it has been read. */
struct lb_lexer_file {
    struct lb_source source;
    const char *name, *at, *line_start;
    uint32_t line;
    bool imported; /* the parser is told of its end, as of the main file's */
};

/* All zero, it is a lexer without files. */
struct lb_lexer {
    struct lb_lexer_file *files;
    size_t depth, capacity;
    size_t opened;  /* how many files were opened so far */
    bool overfull;  /* more than LB_LEXER_MOST_FILES were asked for, so nothing is read any more */
    uint64_t bytes; /* bytes of text in those files */
    char *decoded;  /* the last string that had escapes, without them */
    size_t decoded_capacity;
    const char *start; /* where the last token begins, in the file that is being read */
    struct lb_token returned;
    bool has_returned;
};

/* Limits, as files that each include the next one twice soon ask for more than any machine can read. */
enum { LB_LEXER_DEEPEST = 64, LB_LEXER_MOST_FILES = 100000 };
static const uint64_t lb_lexer_most_bytes = (uint64_t)64 << 30;

/* A line that begins with the first of these is read from there on. Lines from one that begins with the second to one
 * that begins with the third are not read: they are for pbrt, which takes the others for comments. So one file can say
 * to each what it knows. */
#define lb_lexer_ours   "#@lbrender"
#define lb_lexer_theirs "#@pbrt"
#define lb_lexer_end    "#@end"

/* Opens the file `path` and goes on there; messages call it `name`. Both texts are kept, not copied. `from` is where
 * the scene names it, for messages, or NULL for the main file. `imported`: see lb_lexer_file. */
enum lb_status lb_lexer_open(struct lb_lexer *lexer, const char *path, const char *name, bool imported,
                             const struct lb_location *from, struct lb_error *error);
/* Opens a text in memory, which must outlive the lexer, as the main file. */
enum lb_status lb_lexer_open_text(struct lb_lexer *lexer, const char *name, const char *text, size_t length,
                                  struct lb_error *error);
/* Closes an imported file after its LB_TOKEN_END and goes on behind its Import. */
void lb_lexer_close(struct lb_lexer *lexer);
/* Reads the next token. Errors name file, line and column. */
enum lb_status lb_lexer_next(struct lb_lexer *lexer, struct lb_token *token, struct lb_error *error);
/* Gives the last token back: lb_lexer_next() will return it again. */
void lb_lexer_return(struct lb_lexer *lexer, const struct lb_token *token);
/* Where in the text the last token begins. This tells tokens apart and is not to be read. */
const char *lb_lexer_place(const struct lb_lexer *lexer);
/* Lets lb_lexer_next() read the last token again, if that was a word of the file that is being read. */
void lb_lexer_repeat(struct lb_lexer *lexer);
/* Closes all files. */
void lb_lexer_free(struct lb_lexer *lexer);

/* A token for messages: as the file has it, but shortened, and without characters that cannot be shown. */
struct lb_token_text {
    char text[64];
};
struct lb_token_text lb_token_show(const struct lb_token *token);

#endif
