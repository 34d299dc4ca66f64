/* Tokens out of a stack of scene files: what is included is read in place of its Include. */
#ifndef LB_CORE_LANGUAGE_LEXER_H
#define LB_CORE_LANGUAGE_LEXER_H

#include "core/language/description.h"
#include "core/language/source.h"

enum lb_token_kind {
    LB_TOKEN_END,    /* of the main file, or of an imported one */
    LB_TOKEN_WORD,   /* a directive, a number, true, false, All, .. */
    LB_TOKEN_STRING, /* the text between the quotes, its escapes decoded */
    LB_TOKEN_OPEN,   /* [ */
    LB_TOKEN_CLOSE,  /* ] */
};

struct lb_token {
    enum lb_token_kind kind;
    const char *text; /* valid until the next token is read; not ended by a 0 */
    size_t length;
    struct lb_location location;
};

struct lb_lexer_file {
    struct lb_source source;
    const char *name, *at, *line_start;
    uint32_t line;
    bool imported; /* its end is the end of what the parser is to see */
};

struct lb_lexer {
    struct lb_lexer_file *files;
    size_t depth, capacity;
    size_t opened;  /* files so far */
    bool overfull;  /* more than LB_LEXER_MOST_FILES were asked for: nothing is read any more */
    uint64_t bytes; /* of text in them */
    char *decoded;  /* the last string that had escapes */
    size_t decoded_capacity;
    const char *start; /* of the last token, in the file in hand */
    struct lb_token returned;
    bool has_returned;
};

/* Files that each include the next twice are soon more than any machine can read. */
enum { LB_LEXER_DEEPEST = 64, LB_LEXER_MOST_FILES = 100000 };
static const uint64_t lb_lexer_most_bytes = (uint64_t)64 << 30;

/* Goes on in the file `path`, named `name` in messages (both kept, not copied); `from` is where the scene
 * says so, or NULL for the main file. */
enum lb_status lb_lexer_open(struct lb_lexer *lexer, const char *path, const char *name, bool imported,
                             const struct lb_location *from, struct lb_error *error);
/* The same with a text in memory, which must stay, as the main file. */
enum lb_status lb_lexer_open_text(struct lb_lexer *lexer, const char *name, const char *text, size_t length,
                                  struct lb_error *error);
/* After LB_TOKEN_END of an imported file: goes on behind its Import. */
void lb_lexer_close(struct lb_lexer *lexer);
enum lb_status lb_lexer_next(struct lb_lexer *lexer, struct lb_token *token, struct lb_error *error);
/* The next lb_lexer_next gives this token, the last one read, again. */
void lb_lexer_return(struct lb_lexer *lexer, const struct lb_token *token);
/* The place in the text where the last token begins; it tells tokens apart and is not to be read. */
const char *lb_lexer_place(const struct lb_lexer *lexer);
/* The next lb_lexer_next gives the last token again, where that was a word. */
void lb_lexer_repeat(struct lb_lexer *lexer);
void lb_lexer_free(struct lb_lexer *lexer);

/* For messages: the token as the file has it, shortened. */
struct lb_token_text {
    char text[64];
};
struct lb_token_text lb_token_show(const struct lb_token *token);

#endif
