#include "core/language/parser.h"

#include <stdarg.h>
#include <stdio.h>

enum lb_status lb_error_misplaced(struct lb_parser *parser, const char *format, ...)
{
    char message[256];
    va_list arguments;
    if (parser->is_lost)
        return LB_OK;
    parser->is_lost = true; /* this error is likely the first of many with one cause */
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lb_error_at(parser->error, &parser->place, "%s", message);
}

enum lb_status lb_parser_memory(struct lb_parser *parser)
{
    return lb_error_set(parser->error, LB_ERROR_MEMORY, "%s:%u: out of memory", parser->place.file,
                        parser->place.line);
}

enum lb_status lb_take_string(struct lb_parser *parser, const struct lb_token *token, const char *what,
                              const char **text)
{
    if (token->kind != LB_TOKEN_STRING)
        return lb_error_at(parser->error, &token->location, "%s in quotes was expected before %s", what,
                           lb_token_show(token).text);
    *text = lb_arena_text(parser->arena, token->text, token->length);
    return *text ? LB_OK : lb_parser_memory(parser);
}

enum lb_status lb_expect_string(struct lb_parser *parser, const char *what, const char **text)
{
    struct lb_token token;
    enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
    return status == LB_OK ? lb_take_string(parser, &token, what, text) : status;
}

enum lb_status lb_expect_numbers(struct lb_parser *parser, double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct lb_token token;
        enum lb_status status = lb_lexer_next(&parser->lexer, &token, parser->error);
        if (status != LB_OK)
            return status;
        enum lb_number result = LB_NUMBER_MALFORMED;
        if (token.kind == LB_TOKEN_WORD)
            result = lb_number_double(token.text, token.length, &numbers[i]);
        if (result != LB_NUMBER_OK)
            return lb_error_at(parser->error, &token.location, "%s %s; %zu numbers were expected",
                               lb_token_show(&token).text,
                               result == LB_NUMBER_TOO_LARGE ? "is too large" : "is no number", count);
    }
    return LB_OK;
}
