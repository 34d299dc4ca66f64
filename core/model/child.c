#include "core/model/child.h"

#include "core/base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- messages through a pipe ---- */

/* One of these and the message's bytes, without a 0. The parent believes neither of them. */
struct head {
    uint8_t level;  /* enum lb_level, or FAILURE */
    uint8_t status; /* enum lb_status, of a failure */
    uint16_t size;
};
enum { FAILURE = 255, MOST_MESSAGES = 50 };

static void send(int pipe, uint8_t level, enum lb_status status, const char *message)
{
    struct lb_error fits; /* cuts what is too long */
    lb_error_set(&fits, status, "%s", message);
    struct head head = {level, (uint8_t)status, (uint16_t)strlen(fits.message)};
    if (lb_bytes_write(pipe, &head, sizeof head))
        lb_bytes_write(pipe, fits.message, head.size);
}

static void send_log(void *user, enum lb_level level, const char *message)
{
    send(*(const int *)user, (uint8_t)level, LB_OK, message);
}

/* Reads until the child closes its end. True: it sent an error, which is in `error`. */
static bool listen_to(int pipe, const struct lb_log *log, struct lb_error *error)
{
    struct head head;
    bool failed = false;
    unsigned shown = 0;
    while (lb_bytes_read(pipe, &head, sizeof head) == (ssize_t)sizeof head) {
        char message[sizeof error->message];
        if (head.size >= sizeof message || lb_bytes_read(pipe, message, head.size) != (ssize_t)head.size)
            break;
        message[head.size] = '\0';
        if (head.level == FAILURE) {
            enum lb_status status = head.status == LB_ERROR_MEMORY ? LB_ERROR_MEMORY : LB_ERROR;
            lb_error_set(error, status, "%s", message);
            failed = true;
        } else if (shown++ < MOST_MESSAGES)
            lb_log_write(log, head.level == LB_NOTE ? LB_NOTE : LB_WARNING, "%s", message);
    }
    return failed;
}

/* ---- the child ---- */

/* `beyond` is how much the hard limit lies above the soft one, as far as there is room: where both are the same a
 * process that takes too much time is killed by SIGKILL in place of SIGXCPU, which says why. */
static void limit(__rlimit_resource_t resource, uint64_t most, uint64_t beyond)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return;
    rlim_t least = now.rlim_max < (rlim_t)most ? now.rlim_max : (rlim_t)most;
    now.rlim_cur = now.rlim_cur < least ? now.rlim_cur : least;
    now.rlim_max =
        now.rlim_max - now.rlim_cur > (rlim_t)beyond ? now.rlim_cur + (rlim_t)beyond : now.rlim_max;
    setrlimit(resource, &now);
}

void lb_child_reset_signals(void)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGXCPU, SIGUSR1,
                                  SIGUSR2, SIGPIPE, SIGXFSZ, SIGALRM, SIGSEGV, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

/* A library's own messages are for its programmers. */
static void silence(void)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; nowhere >= 0 && stream <= 2; stream++)
        dup2(nowhere, stream);
}

static void apply_limits(const struct lb_child_limits *limits)
{
    limit(RLIMIT_CORE, 0, 0);
#ifndef LB_UNFORCED /* sanitizers take terabytes of address space */
    if (limits->bytes)
        limit(RLIMIT_AS, limits->bytes, 0);
#endif
    if (limits->seconds)
        limit(RLIMIT_CPU, limits->seconds, 5);
    if (limits->patience)
        alarm(limits->patience);
}

static _Noreturn void be_child(int pipe, pid_t parent, const struct lb_child_limits *limits,
                               lb_child_work *work, void *user)
{
    lb_child_reset_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before this call */
        _exit(1);
    silence();
    apply_limits(limits);
    struct lb_log log = {send_log, &pipe};
    struct lb_error error;
    enum lb_status status = work(user, &log, &error);
    if (status != LB_OK)
        send(pipe, FAILURE, status, error.message);
    _exit(status == LB_OK ? 0 : 1);
}

/* ---- the parent ---- */

static enum lb_status judge(const char *name, const struct lb_child_limits *limits, int how, bool told,
                            struct lb_error *error)
{
    int number = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    if (number == SIGXCPU)
        return lb_error_set(error, LB_ERROR, "%s: reading it took more than %u s of processor time", name,
                            limits->seconds);
    if (number == SIGALRM)
        return lb_error_set(error, LB_ERROR, "%s: reading it took more than %u s", name, limits->patience);
    if (number)
        return lb_error_set(error, LB_ERROR, "%s: the library that reads models crashed (%s)", name,
                            strsignal(number));
    if (told)
        return error->status;
    if (WEXITSTATUS(how) != 0)
        return lb_error_set(error, LB_ERROR, "%s: the library that reads models gave up", name);
    return LB_OK;
}

enum lb_status lb_child_run(const char *name, const struct lb_child_limits *limits, lb_child_work *work,
                            void *user, const struct lb_log *log, struct lb_error *error)
{
    int ends[2], how = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return lb_error_set(error, LB_ERROR, "%s: no pipe: %s", name, strerror(errno));
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(ends[1], parent, limits, work, user);
    }
    int reason = errno;
    close(ends[1]);
    bool told = child > 0 && listen_to(ends[0], log, error);
    close(ends[0]);
    if (child < 0)
        return lb_error_set(error, LB_ERROR, "%s: no process: %s", name, strerror(reason));
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return lb_error_set(error, LB_ERROR, "%s: the process that reads it is lost: %s", name,
                                strerror(errno));
    return judge(name, limits, how, told, error);
}
