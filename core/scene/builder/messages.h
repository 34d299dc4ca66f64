/* What is said of a scene that cannot be built as it is written. Private to core/scene. */
#ifndef LB_CORE_SCENE_BUILDER_MESSAGES_H
#define LB_CORE_SCENE_BUILDER_MESSAGES_H

#include "core/scene/builder/builder.h"

/* The words of an array whose rows each begin with one. */
#define LB_ROWS(rows) (rows), sizeof(rows) / sizeof(rows)[0], sizeof(rows)[0]
/* The row that begins with the word, or NULL. */
const void *lb_build_row(const char *word, const void *rows, size_t count, size_t size);
/* An error: "unknown WHAT "WORD"", and which of the words was meant. */
enum lb_status lb_build_unknown(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *word, const void *rows, size_t count,
                                size_t size);
/* An error: "no WHAT is named "NAME"", and which of the names was meant. */
enum lb_status lb_build_no_name(const struct lb_builder *builder, const struct lb_location *location,
                                const char *what, const char *name, const struct lb_names *names);
/* What the language knows and this program does not do yet: an error at the place, or under --lenient a
 * warning and LB_OK, whereupon the caller goes on with a substitute.
 * The format says what is missing, and after ": " what is done instead, which an error leaves out. */
enum lb_status lb_build_not_yet(const struct lb_builder *builder, const struct lb_location *location,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));
/* An error at the place. */
enum lb_status lb_build_error(const struct lb_builder *builder, const struct lb_location *location,
                              const char *format, ...) __attribute__((format(printf, 3, 4)));
void lb_build_warn(const struct lb_builder *builder, const struct lb_location *location, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));
/* After a part that others do not need: keeps the error where `status` is one, and says LB_OK unless memory ran out. */
enum lb_status lb_build_go_on(const struct lb_builder *builder, enum lb_status status);
enum lb_status lb_build_no_memory(const struct lb_builder *builder);
/* An error for each parameter that nobody looked up. */
enum lb_status lb_build_check_unused(const struct lb_builder *builder, const struct lb_entity *entity);
/* Looks parameters up so that they count as known, and does nothing with them. */
void lb_build_ignore(const struct lb_entity *entity, const char *const *names, size_t count);

#endif
