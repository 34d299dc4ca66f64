#include "core/language/source.h"

#include <stdint.h>

/* The longest text, in bytes. Lines and columns are 32-bit numbers, and a gzip file of some megabytes may unpack to any
 * size. */
static const size_t longest_text = UINT32_MAX;

static enum lb_status unpack(const char *name, struct lb_source *source, struct lb_error *error)
{
    enum lb_status status = lb_gzip_expand(name, (const uint8_t *)source->text, source->length, longest_text,
                                           &source->unpacked, error);
    if (status != LB_OK)
        return status;
    lb_file_free(&source->file);
    source->text = (const char *)source->unpacked.data;
    source->length = source->unpacked.size;
    return LB_OK;
}

enum lb_status lb_source_read(const char *path, const char *name, bool main, struct lb_source *source,
                              struct lb_error *error)
{
    *source = (struct lb_source){0};
    enum lb_status status = main ? lb_file_read_stream(path, name, longest_text, &source->file, error)
                                 : lb_file_read(path, longest_text, &source->file, error);
    if (status != LB_OK)
        return status;
    source->is_file = source->file.is_regular;
    source->device = source->file.device;
    source->inode = source->file.inode;
    source->text = (const char *)source->file.data;
    source->length = source->file.size;
    if (lb_gzip_is(source->file.data, source->file.size))
        status = unpack(name, source, error);
    if (status != LB_OK)
        lb_source_free(source);
    return status;
}

void lb_source_free(struct lb_source *source)
{
    lb_file_free(&source->file);
    lb_gzip_free(&source->unpacked);
    *source = (struct lb_source){0};
}
