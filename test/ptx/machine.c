#include "test/ptx/machine.h"

#include <setjmp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { WARP = 32, MOST_THREADS = 1024, STACK = 256 * 1024 };
enum state { IDLE, READY, WAITING };

struct fiber {
    struct ptx_thread thread; /* first: a thread is its fiber */
    enum state state;
    enum ptx_meeting kind; /* while it waits: for what */
    uint32_t site, mask, value, source;
    size_t depth; /* of its stack */
    uint32_t result;
    bool started;
    jmp_buf at;
    char *stack;
};

/* The one device; a test runs one grid after another. */
static struct {
    struct fiber fiber[MOST_THREADS];
    jmp_buf scheduler;
    ptx_kernel *kernel;
    char *parameter;
    struct fiber *starting;
    uint32_t random;
} device;

void ptx_fail(const char *what, uint64_t address)
{
    fprintf(stderr, "a GPU would not survive this: %s (0x%llx)\n", what, (unsigned long long)address);
    abort();
}

static uint32_t random_below(uint32_t limit)
{
    device.random = device.random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)device.random * limit >> 32);
}

/* A fiber's whole life: kernel after kernel, each begun by the scheduler. */
static void live(void)
{
    struct fiber *self = device.starting;
    for (;;) {
        device.kernel(&self->thread, NULL, device.parameter);
        self->state = IDLE;
        if (_setjmp(self->at) == 0)
            _longjmp(device.scheduler, 1);
    }
}

static void begin_life(struct fiber *fiber)
{
    ucontext_t context;
    fiber->stack =
        mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fiber->stack == MAP_FAILED)
        ptx_fail("out of memory on the host", 0);
    getcontext(&context);
    context.uc_stack.ss_sp = fiber->stack;
    context.uc_stack.ss_size = STACK;
    context.uc_link = NULL;
    makecontext(&context, live, 0);
    fiber->started = true;
    device.starting = fiber;
    setcontext(&context);
}

/* Until it ends or waits. */
static void run(struct fiber *fiber)
{
    if (_setjmp(device.scheduler) != 0)
        return;
    if (fiber->started)
        _longjmp(fiber->at, 1);
    begin_life(fiber);
}

uint32_t ptx_meet(struct ptx_thread *self, enum ptx_meeting kind, uint32_t site, uint32_t mask,
                  uint32_t value, uint32_t source)
{
    struct fiber *fiber = (struct fiber *)(void *)self;
    fiber->kind = kind;
    fiber->site = site;
    fiber->mask = mask;
    fiber->value = value;
    fiber->source = source;
    fiber->depth = (size_t)(fiber->stack + STACK - (char *)__builtin_frame_address(0));
    fiber->state = WAITING;
    if (_setjmp(fiber->at) == 0)
        _longjmp(device.scheduler, 1);
    return fiber->result;
}

/* Those who stand at the same activemask, by the same calls, run together, or a part of them does. */
static bool meet_freely(struct fiber *warp, uint32_t count, uint32_t first)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool same = warp[i].state == WAITING && warp[i].kind == PTX_ACTIVE &&
                    warp[i].site == warp[first].site && warp[i].depth == warp[first].depth;
        if (same && (i == first || random_below(8) != 0))
            mask |= 1u << i;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (mask >> i & 1u) {
            warp[i].result = mask;
            warp[i].state = READY;
        }
    }
    return true;
}

/* Which threads of the mask have this value. */
static uint32_t matching(const struct fiber *warp, uint32_t mask, uint32_t value)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < WARP; i++)
        if (mask >> i & 1u && warp[i].value == value)
            same |= 1u << i;
    return same;
}

/* All that the mask names must be there. */
static bool meet_by_mask(struct fiber *warp, uint32_t count, uint32_t first)
{
    uint32_t mask = warp[first].mask, ballot = 0;
    if (!(mask >> first & 1u))
        ptx_fail("a thread is not in its own mask", mask);
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(mask >> i & 1u))
            continue;
        if (i >= count || warp[i].state == IDLE)
            ptx_fail("a mask names a thread that has ended", mask);
        if (warp[i].state != WAITING || warp[i].kind != warp[first].kind || warp[i].site != warp[first].site)
            return false;
        if (warp[i].mask != mask)
            ptx_fail("threads of one meeting have different masks", mask);
        ballot |= warp[i].value != 0 ? 1u << i : 0u;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!(mask >> i & 1u))
            continue;
        uint32_t source = warp[i].source & (WARP - 1);
        if (warp[i].kind == PTX_SHUFFLE && !(mask >> source & 1u))
            ptx_fail("a shuffle reads a thread that is not in its mask", mask);
        warp[i].result = warp[i].kind == PTX_SHUFFLE ? warp[source].value : ballot;
        if (warp[i].kind == PTX_MATCH)
            warp[i].result = matching(warp, mask, warp[i].value);
        warp[i].state = READY;
    }
    return true;
}

static bool meet_in_warp(struct fiber *warp, uint32_t count)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (warp[i].state != WAITING || warp[i].kind == PTX_BARRIER)
            continue;
        any = (warp[i].kind == PTX_ACTIVE ? meet_freely : meet_by_mask)(warp, count, i) || any;
    }
    return any;
}

static bool meet_at_barrier(uint32_t threads)
{
    for (uint32_t i = 0; i < threads; i++) {
        if (device.fiber[i].state == READY ||
            (device.fiber[i].state == WAITING && device.fiber[i].kind != PTX_BARRIER))
            return false;
    }
    for (uint32_t i = 0; i < threads; i++)
        device.fiber[i].state = device.fiber[i].state == WAITING ? READY : IDLE;
    return true;
}

static void run_block(const struct ptx_block *block)
{
    uint32_t left = block->threads;
    for (uint32_t i = 0; i < block->threads; i++) {
        device.fiber[i].thread.thread = i;
        device.fiber[i].thread.block = block;
        device.fiber[i].state = READY;
    }
    while (left > 0) {
        bool any = false;
        uint32_t turn = random_below(block->threads);
        for (uint32_t i = 0; i < block->threads; i++) {
            struct fiber *fiber = &device.fiber[(i + turn) % block->threads];
            if (fiber->state != READY)
                continue;
            run(fiber);
            left -= fiber->state == IDLE;
            any = true;
        }
        for (uint32_t first = 0; first < block->threads; first += WARP)
            any = meet_in_warp(&device.fiber[first],
                               block->threads - first < WARP ? block->threads - first : WARP) ||
                  any;
        if (!any && !meet_at_barrier(block->threads))
            ptx_fail("threads wait for each other for ever", 0);
    }
}

void ptx_launch(ptx_kernel *kernel, uint32_t blocks, uint32_t threads, const void *parameter, size_t size,
                uint32_t seed)
{
    static _Alignas(16) char parameters[4096], shared[228 * 1024];
    struct ptx_block block = {.blocks = blocks, .threads = threads, .shared = shared};
    ptx_need(size <= sizeof parameters && threads <= MOST_THREADS && ptx_shared_bytes <= sizeof shared);
    memcpy(parameters, parameter, size);
    device.kernel = kernel;
    device.parameter = parameters;
    device.random = seed;
    for (block.index = 0; block.index < blocks; block.index++) {
        memset(shared, 0xa5, sizeof shared);
        run_block(&block);
    }
}
