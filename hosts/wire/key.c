#include "hosts/wire/key.h"

#include "core/base/file.h"
#include "hosts/hosts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

static const char TITLE[] = "lbrender key 1";

/* A key's file has a line for the title, and one for each of the four keys. */
enum { KEYS = 4, FILE_BYTES = sizeof TITLE + KEYS * LB_KEY_TEXT };

static char *key_text(struct lb_key *key, int number)
{
    char *const texts[KEYS] = {key->primary.public_key, key->primary.secret_key, key->worker.public_key,
                               key->worker.secret_key};
    return texts[number];
}

static void compose(struct lb_key *key, char text[FILE_BYTES])
{
    memcpy(text, TITLE, sizeof TITLE);
    text[sizeof TITLE - 1] = '\n';
    for (int i = 0; i < KEYS; i++) {
        char *line = text + sizeof TITLE + i * LB_KEY_TEXT;
        memcpy(line, key_text(key, i), LB_KEY_TEXT);
        line[LB_KEY_TEXT - 1] = '\n';
    }
}

/* Reads a key of its file's text. False: it is no key. */
static bool decompose(const char text[FILE_BYTES], struct lb_key *key)
{
    unsigned char bytes[32];
    bool right = !memcmp(text, TITLE, sizeof TITLE - 1) && text[sizeof TITLE - 1] == '\n';
    for (int i = 0; i < KEYS && right; i++) {
        const char *line = text + sizeof TITLE + i * LB_KEY_TEXT;
        right = line[LB_KEY_TEXT - 1] == '\n' && !memchr(line, 0, LB_KEY_TEXT);
        memcpy(key_text(key, i), line, LB_KEY_TEXT);
        key_text(key, i)[LB_KEY_TEXT - 1] = 0;
        right = right && zmq_z85_decode(bytes, key_text(key, i)) != NULL;
    }
    return right;
}

enum lb_status lb_key_make(const char *path, struct lb_error *error)
{
    struct lb_key key;
    char text[FILE_BYTES];
    if (zmq_curve_keypair(key.primary.public_key, key.primary.secret_key) != 0 ||
        zmq_curve_keypair(key.worker.public_key, key.worker.secret_key) != 0)
        return lb_error_set(error, LB_ERROR, "%s: this libzmq has no CURVE: %s", path, zmq_strerror(errno));
    compose(&key, text);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return lb_error_set(error, LB_ERROR, "%s: %s", path, strerror(errno));
    ssize_t written = write(file, text, sizeof text);
    bool good = written == (ssize_t)sizeof text && fsync(file) == 0;
    int why = written >= 0 && written < (ssize_t)sizeof text ? ENOSPC : errno;
    good = close(file) == 0 && good;
    if (good)
        return LB_OK;
    unlink(path);
    return lb_error_set(error, LB_ERROR, "%s: %s", path, strerror(why));
}

enum lb_status lb_key_read(const char *path, struct lb_key *key, struct lb_error *error)
{
    struct stat about;
    struct lb_file file;
    if (stat(path, &about) == 0 && about.st_mode & (S_IRWXG | S_IRWXO))
        return lb_error_set(error, LB_ERROR, "%s: others than its owner can read or change it: chmod 600 it",
                            path);
    enum lb_status status = lb_file_read(path, FILE_BYTES + 1, &file, error);
    if (status != LB_OK)
        return status;
    bool right = file.size == FILE_BYTES && decompose((const char *)file.data, key);
    lb_file_free(&file);
    return right ? LB_OK : lb_error_set(error, LB_ERROR, "%s: it is no key that --make-key made", path);
}
