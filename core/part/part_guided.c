#include "core/part/part_file.h"
#include "core/part/part_format.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer header is not looked into: a million sets of samples, say. */
enum { MOST_HEADER = 1 << 26 };

static json_t *read_header(FILE *file)
{
    uint8_t head[LB_PART_HEAD];
    uint32_t length;
    if (fread(head, 1, sizeof head, file) != sizeof head || memcmp(head, LB_PART_MAGIC, 8) != 0)
        return NULL;
    memcpy(&length, head + 12, sizeof length);
    char *text = length <= MOST_HEADER ? malloc((size_t)length + 1) : NULL;
    json_t *root = text && fread(text, 1, length, file) == length ? json_loadb(text, length, 0, NULL) : NULL;
    free(text);
    return root;
}

/* Opens a regular file; a pipe could keep it waiting. */
static FILE *open_file(const char *path)
{
    struct stat about;
    int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool regular = number >= 0 && fstat(number, &about) == 0 && S_ISREG(about.st_mode);
    FILE *file = regular ? fdopen(number, "rb") : NULL;
    if (number >= 0 && !file)
        close(number);
    return file;
}

bool lb_part_guided(const char *path, uint32_t *paths)
{
    FILE *file = open_file(path);
    json_t *root = file ? read_header(file) : NULL;
    json_int_t guided = json_integer_value(json_object_get(root, "guided"));
    bool sound = root && guided >= 0 && guided <= (json_int_t)UINT32_MAX;
    *paths = sound ? (uint32_t)guided : 0;
    json_decref(root);
    if (file)
        fclose(file);
    return sound;
}
