#include "bench/gpu/lockstep.h"

#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { WARP = 32, MOST_WARPS = 1024, LANE_STACK = 128 * 1024, WARP_STACK = 64 * 1024 };

/* How many instructions a warp issues before it looks whether another one is behind. */
enum { AT_A_TIME = 200 };

/* Where a thread stands: at the begin of a block of a function, called at a depth in bytes of stack. */
struct place {
    uint32_t function, block;
    size_t depth;
};

/* A thread. It stops at each step, and within a step at a meeting. */
struct lane {
    struct ptx_thread thread; /* first: the kernel's thread is its lane */
    struct place at;
    bool ended, meeting;
    enum ptx_meeting kind;
    uint32_t mask, value, source, result;
    jmp_buf jump;
};

struct warp {
    struct lane lane[WARP];
    struct ptx_block block;
    uint64_t slots, lanes, rest; /* rest: how many it had issued when it last looked at others */
    bool ended;
    jmp_buf jump; /* where its own code goes on, which decides who runs */
};

/* The one device. */
static struct {
    struct warp *warp[MOST_WARPS]; /* each with its stacks behind it */
    uint32_t warps, threads;
    jmp_buf scheduler, lane_done;
    ptx_kernel *kernel;
    char *parameter;
    struct warp *running;
    struct lane *starting;
} device;

void ptx_fail(const char *what, uint64_t address)
{
    fprintf(stderr, "a GPU would not survive this: %s (0x%llx)\n", what, (unsigned long long)address);
    abort();
}

static char *stacks_of(struct warp *warp)
{
    return (char *)warp + (sizeof *warp + 4095) / 4096 * 4096;
}

static char *stack_of(struct lane *lane)
{
    return stacks_of(device.running) + WARP_STACK + (size_t)(lane - device.running->lane) * LANE_STACK;
}

/* Goes to `life` on a stack of its own. */
static _Noreturn void begin(void (*life)(void), char *stack, size_t size)
{
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = stack;
    context.uc_stack.ss_size = size;
    context.uc_link = NULL;
    makecontext(&context, life, 0);
    setcontext(&context);
    abort();
}

/* ---- threads ---- */

static void lane_stop(struct lane *lane)
{
    if (_setjmp(lane->jump) == 0)
        _longjmp(device.lane_done, 1);
}

void ptx_step(struct ptx_thread *self, uint32_t function, uint32_t block)
{
    struct lane *lane = (struct lane *)(void *)self;
    lane->at.function = function;
    lane->at.block = block;
    lane->at.depth = (size_t)(stack_of(lane) + LANE_STACK - (char *)__builtin_frame_address(0));
    lane_stop(lane);
}

uint32_t ptx_meet(struct ptx_thread *self, enum ptx_meeting kind, uint32_t site, uint32_t mask,
                  uint32_t value, uint32_t source)
{
    struct lane *lane = (struct lane *)(void *)self;
    (void)site;
    lane->meeting = true;
    lane->kind = kind;
    lane->mask = mask;
    lane->value = value;
    lane->source = source;
    lane_stop(lane);
    return lane->result;
}

static void lane_life(void)
{
    struct lane *lane = device.starting;
    device.kernel(&lane->thread, NULL, device.parameter);
    lane->ended = true;
    _longjmp(device.lane_done, 1);
}

/* Until it stops; `fresh`: it begins. */
static void lane_run(struct lane *lane, bool fresh)
{
    if (_setjmp(device.lane_done) != 0)
        return;
    if (!fresh)
        _longjmp(lane->jump, 1);
    device.starting = lane;
    begin(lane_life, stack_of(lane), LANE_STACK);
}

/* ---- warps ---- */

/* Which lanes of the mask have this value. */
static uint32_t matching(const struct warp *warp, uint32_t mask, uint32_t value)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < WARP; i++)
        if (mask >> i & 1u && warp->lane[i].value == value)
            same |= 1u << i;
    return same;
}

/* Gives the lanes of `group`, which stand at one meeting, its result. All that their masks name must be there. */
static void meet(struct warp *warp, uint32_t group)
{
    uint32_t ballot = 0;
    for (uint32_t i = 0; i < WARP; i++)
        if (group >> i & 1u && warp->lane[i].value)
            ballot |= 1u << i;
    for (uint32_t i = 0; i < WARP; i++) {
        struct lane *lane = &warp->lane[i];
        if (!(group >> i & 1u))
            continue;
        lane->meeting = false;
        if (lane->kind == PTX_ACTIVE) {
            lane->result = group;
            continue;
        }
        if (lane->kind == PTX_BARRIER || (lane->mask & ~group) || !(lane->mask >> i & 1u))
            ptx_fail("a meeting of threads that are not all there", lane->mask);
        if (lane->kind == PTX_SHUFFLE && !(lane->mask >> (lane->source & 31u) & 1u))
            ptx_fail("a shuffle reads a thread that is not in its mask", lane->mask);
        lane->result = lane->kind == PTX_SHUFFLE ? warp->lane[lane->source & 31u].value
                       : lane->kind == PTX_MATCH ? matching(warp, lane->mask, lane->value)
                                                 : ballot & lane->mask;
    }
}

/* Runs the block at which the lanes of `group` stand, up to the next one of each. */
static void run_step(struct warp *warp, uint32_t group)
{
    const struct place at = warp->lane[__builtin_ctz(group)].at;
    uint32_t slots = ptx_steps[at.function][at.block].slots, meeting = group;
    warp->slots += slots;
    warp->lanes += (uint64_t)slots * (uint32_t)__builtin_popcount(group);
    while (meeting) {
        uint32_t again = 0;
        for (uint32_t i = 0; i < WARP; i++) {
            if (!(meeting >> i & 1u))
                continue;
            lane_run(&warp->lane[i], false);
            if (!warp->lane[i].ended && warp->lane[i].meeting)
                again |= 1u << i;
        }
        if (again)
            meet(warp, again);
        meeting = again;
    }
    if (warp->slots - warp->rest >= AT_A_TIME) {
        warp->rest = warp->slots;
        if (_setjmp(warp->jump) == 0)
            _longjmp(device.scheduler, 1);
    }
}

static bool same_place(const struct place *a, const struct place *b)
{
    return a->depth == b->depth && a->function == b->function && a->block == b->block;
}

/* Which lanes of `group` have neither ended nor come to `end`, nor returned from its function. */
static uint32_t before(const struct warp *warp, uint32_t group, const struct place *end)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < WARP; i++) {
        const struct lane *lane = &warp->lane[i];
        if (group >> i & 1u && !lane->ended && lane->at.depth >= end->depth && !same_place(&lane->at, end))
            left |= 1u << i;
    }
    return left;
}

/* Which lanes of `group` stand where the first of them does. */
static uint32_t beside_first(const struct warp *warp, uint32_t group)
{
    const struct place *at = &warp->lane[__builtin_ctz(group)].at;
    uint32_t same = 0;
    for (uint32_t i = 0; i < WARP; i++)
        if (group >> i & 1u && same_place(&warp->lane[i].at, at))
            same |= 1u << i;
    return same;
}

/* Runs the lanes of `group`, which stand at one place, until each is at `end`. */
static void run_group(struct warp *warp, uint32_t group, const struct place *end)
{
    struct place last = *end;
    for (group = before(warp, group, end); group; group = before(warp, group, end)) {
        uint32_t same = beside_first(warp, group);
        if (same == group) {
            last = warp->lane[__builtin_ctz(group)].at;
            run_step(warp, group);
            continue;
        }
        struct place meeting = last; /* they have parted behind `last` */
        meeting.block = ptx_steps[last.function][last.block].meet;
        uint64_t slots = warp->slots;
        for (uint32_t left = group; left; left &= ~same) {
            same = beside_first(warp, left);
            run_group(warp, same, &meeting);
        }
        if (warp->slots == slots)
            ptx_fail("threads wait for each other", group);
    }
}

static void warp_life(void)
{
    struct warp *warp = device.running;
    const struct place never = {UINT32_MAX, UINT32_MAX, 0};
    uint32_t all = 0;
    for (uint32_t i = 0; i < WARP && i < warp->block.threads; i++) {
        lane_run(&warp->lane[i], true);
        all |= 1u << i;
    }
    run_group(warp, all, &never);
    warp->ended = true;
    _longjmp(device.scheduler, 1);
}

/* Until it looks at others, or has ended. */
static void warp_run(struct warp *warp, bool fresh)
{
    device.running = warp;
    if (_setjmp(device.scheduler) != 0)
        return;
    if (!fresh)
        _longjmp(warp->jump, 1);
    begin(warp_life, stacks_of(warp), WARP_STACK);
}

/* ---- grids ---- */

static void warp_open(uint32_t number, uint32_t blocks, uint32_t threads, char *shared)
{
    size_t size = (size_t)(stacks_of(NULL) - (char *)NULL) + WARP_STACK + WARP * LANE_STACK;
    if (!device.warp[number]) {
        void *memory =
            mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            ptx_fail("out of memory on the host", 0);
        device.warp[number] = memory;
    }
    struct warp *warp = device.warp[number];
    uint32_t each = (threads + WARP - 1) / WARP;
    memset(warp, 0, sizeof *warp);
    warp->block = (struct ptx_block){number / each, blocks, threads, shared};
    for (uint32_t i = 0; i < WARP; i++) {
        warp->lane[i].thread.thread = number % each * WARP + i;
        warp->lane[i].thread.block = &warp->block;
    }
}

static struct warp *furthest_behind(void)
{
    struct warp *least = NULL;
    for (uint32_t i = 0; i < device.warps; i++)
        if (!device.warp[i]->ended && (!least || device.warp[i]->slots < least->slots))
            least = device.warp[i];
    return least;
}

static ptx_kernel *find(const char *name)
{
    char mangled[64];
    snprintf(mangled, sizeof mangled, "_Z%zu%s7lb_wave", strlen(name), name);
    for (const struct ptx_entry *entry = ptx_entries; entry->name; entry++)
        if (strcmp(entry->name, mangled) == 0)
            return entry->kernel;
    ptx_fail(name, 0);
}

void lockstep_launch(const char *name, uint32_t blocks, uint32_t threads, const void *parameter, size_t size,
                     struct lockstep_count *count)
{
    static _Alignas(16) char parameters[4096];
    uint32_t each = (threads + WARP - 1) / WARP;
    char *shared = malloc((size_t)blocks * ptx_shared_bytes + 1);
    ptx_need(size <= sizeof parameters && shared && blocks <= MOST_WARPS / each);
    memcpy(parameters, parameter, size);
    device.kernel = find(name);
    device.parameter = parameters;
    device.warps = blocks * each;
    for (uint32_t i = 0; i < device.warps; i++) {
        warp_open(i, blocks, threads, shared + (size_t)(i / each) * ptx_shared_bytes);
        warp_run(device.warp[i], true);
    }
    for (struct warp *warp = furthest_behind(); warp; warp = furthest_behind())
        warp_run(warp, false);
    for (uint32_t i = 0; i < device.warps; i++) {
        count->slots += device.warp[i]->slots;
        count->lanes += device.warp[i]->lanes;
        count->last = count->last > device.warp[i]->slots ? count->last : device.warp[i]->slots;
    }
    free(shared);
}
