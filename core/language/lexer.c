#include "core/language/lexer.h"

#include "core/language/foreign.h"

#include "core/base/grow.h"
#include "core/base/printable.h"
#include "core/language/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct lb_lexer_file *current(struct lb_lexer *lexer)
{
    return &lexer->files[lexer->depth - 1];
}

static bool is_open(const struct lb_lexer *lexer, const struct lb_source *source)
{
    for (size_t i = 0; i < lexer->depth; i++) {
        const struct lb_source *other = &lexer->files[i].source;
        if (source->is_file && other->is_file && source->device == other->device &&
            source->inode == other->inode)
            return true;
    }
    return false;
}

static bool starts_with(const struct lb_source *source, const char *bytes, size_t count)
{
    return source->length >= count && memcmp(source->text, bytes, count) == 0;
}

static enum lb_status start_text(struct lb_lexer_file *file, struct lb_error *error)
{
    file->at = file->source.text;
    file->line = 1;
    if (starts_with(&file->source, "\xef\xbb\xbf", 3))
        file->at += 3;
    file->line_start = file->at;
    const char *other = lb_foreign_kind(file->name, file->source.text, file->source.length);
    if (other)
        return lb_error_set(error, LB_ERROR, "%s:1:1: %s", file->name, other);
    return LB_OK;
}

static bool make_room(struct lb_lexer *lexer)
{
    struct lb_lexer_file *files = lb_grow(lexer->files, &lexer->capacity, lexer->depth + 1, sizeof *files);
    lexer->files = files ? files : lexer->files;
    return files != NULL;
}

/* Puts a file on the stack. Where that is an error, the file's text is freed. */
static enum lb_status take_file(struct lb_lexer *lexer, struct lb_lexer_file *file, struct lb_error *error)
{
    enum lb_status status = start_text(file, error);
    if (status == LB_OK && is_open(lexer, &file->source))
        status = lb_error_set(error, LB_ERROR, "\"%s\" includes itself", file->name);
    if (status == LB_OK && file->source.length > lb_lexer_most_bytes - lexer->bytes)
        status =
            lb_error_set(error, LB_ERROR, "the scene and what it includes have more than 64 GiB of text");
    if (status != LB_OK) {
        lb_source_free(&file->source);
        return status;
    }
    lexer->files[lexer->depth++] = *file;
    lexer->opened++;
    lexer->bytes += file->source.length;
    return LB_OK;
}

enum lb_status lb_lexer_open(struct lb_lexer *lexer, const char *path, const char *name, bool imported,
                             const struct lb_location *from, struct lb_error *error)
{
    if (lexer->depth >= LB_LEXER_DEEPEST)
        return lb_error_at(error, from, "files include each other more than %d deep", LB_LEXER_DEEPEST);
    if (!make_room(lexer))
        return lb_error_memory(error, name);
    lexer->overfull = lexer->opened >= LB_LEXER_MOST_FILES;
    if (lexer->overfull)
        return lb_error_at(error, from, "the scene includes more than %d files", LB_LEXER_MOST_FILES);
    struct lb_lexer_file file = {.name = name, .imported = imported};
    struct lb_error cause;
    enum lb_status status = lb_source_read(path, name, !from, &file.source, &cause);
    if (status == LB_OK)
        status = take_file(lexer, &file, &cause);
    if (status != LB_OK && from)
        return status == LB_ERROR_MEMORY ? lb_error_set(error, status, "%s", cause.message)
                                         : lb_error_at(error, from, "%s", cause.message);
    return status == LB_OK ? LB_OK : lb_error_set(error, status, "%s", cause.message);
}

enum lb_status lb_lexer_open_text(struct lb_lexer *lexer, const char *name, const char *text, size_t length,
                                  struct lb_error *error)
{
    if (length > UINT32_MAX)
        return lb_error_set(error, LB_ERROR, "%s: more than 4 GiB of text", name);
    if (!make_room(lexer))
        return lb_error_memory(error, name);
    lexer->files[lexer->depth++] =
        (struct lb_lexer_file){.name = name, .source = {.text = text, .length = length}};
    return start_text(current(lexer), error);
}

void lb_lexer_close(struct lb_lexer *lexer)
{
    lb_source_free(&current(lexer)->source);
    lexer->depth--;
}

void lb_lexer_free(struct lb_lexer *lexer)
{
    while (lexer->depth > 0)
        lb_lexer_close(lexer);
    free(lexer->files);
    free(lexer->decoded);
    *lexer = (struct lb_lexer){0};
}

/* White space of the language: that of pbrt-v4, which knows neither \v nor \f. */
static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Does the line that begins at `at` begin with this word? */
static bool line_is(const struct lb_lexer_file *file, const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return at == file->line_start && (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
           (at + length == end || separates(at[length]));
}

/* Where the line that follows begins, or the file's end. */
static const char *next_line(struct lb_lexer_file *file, const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline)
        return end;
    file->line++;
    file->line_start = newline + 1;
    return newline + 1;
}

/* Goes on behind a comment. Lines that begin with lb_lexer_ours are read from there on, and those from lb_lexer_theirs
 * to lb_lexer_end are not read. NULL: there is no such end. */
static const char *skip_comment(struct lb_lexer_file *file, const char *at, const char *end)
{
    if (line_is(file, at, end, lb_lexer_ours))
        return at + strlen(lb_lexer_ours);
    if (line_is(file, at, end, lb_lexer_theirs)) {
        while (at < end && !line_is(file, at, end, lb_lexer_end))
            at = next_line(file, at, end);
        if (at == end)
            return NULL;
    }
    while (at < end && *at != '\n' && *at != '\r')
        at++;
    return at;
}

/* Goes on to the next token's first character, or to the file's end. */
static enum lb_status skip_space(struct lb_lexer_file *file, const char *end, struct lb_error *error)
{
    const char *at = file->at;
    while (at < end && (separates(*at) || *at == '#')) {
        if (*at == '#') {
            const struct lb_location begin = {file->name, file->line, 1};
            at = skip_comment(file, at, end);
            file->at = end; /* where it is an error, which reading goes on behind */
            if (!at)
                return lb_error_at(error, &begin, "%s without a line %s", lb_lexer_theirs, lb_lexer_end);
            continue;
        }
        if (*at == '\n') {
            file->line++;
            file->line_start = at + 1;
        }
        at++;
    }
    file->at = at;
    return LB_OK;
}

static char decode(char escaped)
{
    switch (escaped) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case '\\':
    case '\'':
    case '"':
        return escaped;
    default:
        return 0;
    }
}

/* Resolves the escapes of a string, whose raw text between the quotes the token has. */
static enum lb_status decode_string(struct lb_lexer *lexer, struct lb_token *token, struct lb_error *error)
{
    char *decoded = lb_grow(lexer->decoded, &lexer->decoded_capacity, token->length, 1);
    if (!decoded)
        return lb_error_memory(error, token->location.file);
    lexer->decoded = decoded;
    size_t length = 0;
    for (size_t i = 0; i < token->length; i++) {
        char c = token->text[i];
        if (c == '\\') {
            c = decode(token->text[++i]);
            if (c == 0)
                return lb_error_at(error, &token->location, "unknown escape \"\\%c\" in a string",
                                   token->text[i]);
        }
        lexer->decoded[length++] = c;
    }
    token->text = lexer->decoded;
    token->length = length;
    return LB_OK;
}

static enum lb_status read_string(struct lb_lexer *lexer, struct lb_token *token, const char *end,
                                  struct lb_error *error)
{
    struct lb_lexer_file *file = current(lexer);
    const char *at = file->at + 1;
    bool escapes = false;
    while (at < end && *at != '"' && *at != '\n') {
        escapes = escapes || *at == '\\';
        at += *at == '\\' && at + 1 < end && at[1] != '\n' ? 2 : 1;
    }
    if (at == end || *at == '\n') {
        file->at = at;
        return lb_error_at(error, &token->location, "the string has no closing quote on its line");
    }
    token->kind = LB_TOKEN_STRING;
    token->text = file->at + 1;
    token->length = (size_t)(at - token->text);
    file->at = at + 1;
    if (memchr(token->text, 0, token->length))
        return lb_error_at(error, &token->location, "the string holds a zero byte");
    return escapes ? decode_string(lexer, token, error) : LB_OK;
}

static void read_word(struct lb_lexer_file *file, struct lb_token *token, const char *end)
{
    const char *at = file->at;
    while (at < end && !separates(*at) && *at != '"' && *at != '[' && *at != ']')
        at++;
    token->kind = LB_TOKEN_WORD;
    token->text = file->at;
    token->length = (size_t)(at - file->at);
    file->at = at;
}

enum lb_status lb_lexer_next(struct lb_lexer *lexer, struct lb_token *token, struct lb_error *error)
{
    if (lexer->has_returned) {
        *token = lexer->returned;
        lexer->has_returned = false;
        return LB_OK;
    }
    struct lb_lexer_file *file = current(lexer);
    const char *end = file->source.text + file->source.length;
    enum lb_status status = skip_space(file, end, error);
    while (status == LB_OK && file->at == end && !file->imported && lexer->depth > 1) {
        lb_lexer_close(lexer);
        file = current(lexer);
        end = file->source.text + file->source.length;
        status = skip_space(file, end, error);
    }
    if (status != LB_OK)
        return status;
    token->location.file = file->name;
    token->location.line = file->line;
    token->location.column = (uint32_t)(file->at - file->line_start) + 1;
    token->text = lexer->start = file->at;
    token->length = 0;
    token->kind = LB_TOKEN_END;
    if (file->at == end)
        return LB_OK;
    if (*file->at == '"')
        return read_string(lexer, token, end, error);
    if (*file->at == '[' || *file->at == ']') {
        token->kind = *file->at == '[' ? LB_TOKEN_OPEN : LB_TOKEN_CLOSE;
        token->length = 1;
        file->at++;
        return LB_OK;
    }
    read_word(file, token, end);
    return LB_OK;
}

void lb_lexer_return(struct lb_lexer *lexer, const struct lb_token *token)
{
    lexer->returned = *token;
    lexer->has_returned = true;
}

const char *lb_lexer_place(const struct lb_lexer *lexer)
{
    return lexer->start;
}

void lb_lexer_repeat(struct lb_lexer *lexer)
{
    struct lb_lexer_file *file = current(lexer);
    uintptr_t start = (uintptr_t)lexer->start, text = (uintptr_t)file->source.text;
    bool is_there = start >= text && start < text + file->source.length && start < (uintptr_t)file->at;
    if (!lexer->has_returned && is_there && *lexer->start != '"')
        file->at = lexer->start;
}

/* Writes text in a form that can be shown, up to `limit` bytes of it. Was that all? */
static bool show_bytes(const char *text, size_t length, char *show, size_t limit)
{
    size_t used = 0, i = 0;
    while (i < length) {
        char shown[LB_SHOWN_MOST];
        size_t size = lb_printable_next(text + i, length - i, shown), shown_size = strlen(shown);
        if (used + shown_size > limit)
            break;
        memcpy(show + used, shown, shown_size);
        used += shown_size;
        i += size;
    }
    show[used] = 0;
    return i == length;
}

struct lb_token_text lb_token_show(const struct lb_token *token)
{
    enum { LIMIT = 40 };
    struct lb_token_text show;
    char bytes[LIMIT + 1];
    const char *quote = token->kind == LB_TOKEN_STRING ? "\"" : "";
    bool whole = show_bytes(token->text, token->length, bytes, LIMIT);
    if (token->kind == LB_TOKEN_END)
        snprintf(show.text, sizeof show.text, "the end of the file");
    else
        snprintf(show.text, sizeof show.text, "%s%s%s%s", quote, bytes, whole ? "" : "..", quote);
    return show;
}
