#include "core/model/import_files.h"

#include "core/base/file.h"

#include <stdlib.h>
#include <string.h>

/* What the aiFile's UserData points to. */
struct opened {
    const uint8_t *data;
    size_t size, at;
    struct lb_file file; /* that was read; empty where the bytes were in memory before */
};

static struct opened *opened_of(struct aiFile *file)
{
    return (struct opened *)(void *)file->UserData;
}

static size_t read_file(struct aiFile *file, char *to, size_t size, size_t count)
{
    struct opened *o = opened_of(file);
    size_t whole = size ? (o->size - o->at) / size : 0, items = count < whole ? count : whole;
    if (items > 0)
        memcpy(to, o->data + o->at, items * size);
    o->at += items * size;
    return items;
}

static size_t write_file(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_file(struct aiFile *file)
{
    return opened_of(file)->at;
}

static size_t size_file(struct aiFile *file)
{
    return opened_of(file)->size;
}

static enum aiReturn seek_file(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    struct opened *o = opened_of(file);
    size_t from = origin == aiOrigin_CUR ? o->at : origin == aiOrigin_END ? o->size : 0, to = from + offset;
    if (to > o->size) /* an offset back is a number that overflows */
        return aiReturn_FAILURE;
    o->at = to;
    return aiReturn_SUCCESS;
}

static void flush_file(struct aiFile *file)
{
    (void)file;
}

static bool find_bytes(const struct lb_model_files *files, const char *path, struct opened *o)
{
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < files->count; i++) {
        const struct lb_model_bytes *one = &files->items[i];
        const char *name = slash && !strchr(one->name, '/') ? slash + 1 : path;
        if (strcmp(name, one->name) != 0)
            continue;
        o->data = one->data, o->size = one->size;
        return true;
    }
    return false;
}

static bool read_bytes(const char *path, struct opened *o)
{
    if (lb_file_read(path, (size_t)4 << 30, &o->file, NULL) != LB_OK)
        return false;
    o->data = o->file.data, o->size = o->file.size;
    return true;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (file) {
        lb_file_free(&opened_of(file)->file);
        free(opened_of(file));
    }
    free(file);
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode)
{
    const struct lb_model_files *files = (const struct lb_model_files *)(const void *)io->UserData;
    struct aiFile *file = calloc(1, sizeof *file);
    struct opened *o = calloc(1, sizeof *o);
    if (file && o && mode[0] == 'r' && (find_bytes(files, path, o) || read_bytes(path, o))) {
        *file = (struct aiFile){.ReadProc = read_file,
                                .WriteProc = write_file,
                                .TellProc = tell_file,
                                .FileSizeProc = size_file,
                                .SeekProc = seek_file,
                                .FlushProc = flush_file,
                                .UserData = (char *)o};
        return file;
    }
    free(file);
    free(o);
    return NULL;
}

struct aiFileIO lb_model_files_make(const struct lb_model_files *files)
{
    return (struct aiFileIO){
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (char *)(uintptr_t)files};
}
