#include "core/run/pass/portion_team.h"

#include "core/machine/threads.h"
#include "core/run/pass/hand.h"

#include <stdlib.h>
#include <string.h>

/* ---- under the team's lock ---- */

static void announce(struct lb_portion_team *team)
{
    team->events++;
    team->settled = 0;
    pthread_cond_broadcast(&team->changed);
}

static void end_portion(struct lb_portion_team *team, struct lb_portion *portion)
{
    portion->ended = true;
    pthread_cond_broadcast(&team->ended);
}

static void end_if_done(struct lb_portion_team *team, struct lb_portion *portion)
{
    bool done = portion->left == 0 || lb_stopped(portion->schedule.stop) || team->alive == 0;
    if (done && portion->rendering == 0 && !portion->ended)
        end_portion(team, portion);
}

/* The portion goes on without a member that was lost elsewhere. */
static void do_without(struct lb_portion *portion, uint32_t i)
{
    portion->over[i] = true;
    lb_asking_failed(&portion->asking, i, (struct lb_range){0, 0}, true);
}

/* A member was lost in `portion`. */
static void lose(struct lb_portion_team *team, uint32_t number, const struct lb_portion *portion)
{
    team->members[number].lost = true;
    team->members[number].error = portion->tallies[portion->index[number]].error;
    team->alive--;
    for (struct lb_portion *other = team->first; other; other = other->next) {
        uint32_t i = other->index[number];
        if (other != portion && i < other->count && !other->over[i])
            do_without(other, i);
        end_if_done(team, other);
    }
    announce(team);
}

/* Nobody finds anything to do in what is there, and nobody renders anything that might change that. */
static void end_stalled(struct lb_portion_team *team)
{
    for (struct lb_portion *portion = team->first; portion; portion = portion->next)
        if (!portion->ended) {
            portion->stalled = !lb_stopped(portion->schedule.stop);
            end_portion(team, portion);
        }
}

/* Pieces take as long as in the portion before, though positions have other numbers of samples. */
static void keep_piece(struct lb_team_thread *thread, const struct lb_schedule *schedule)
{
    uint32_t each = (schedule->sample_end - schedule->sample_begin) / schedule->order->blocks;
    each = each > 0 ? each : 1;
    if (thread->each > 0 && thread->each != each && thread->hand.piece > 0) {
        double piece = (double)thread->hand.piece * thread->each / each;
        thread->hand.piece = piece < 1 ? 1 : (uint64_t)piece;
    }
    thread->each = each;
}

/* The thread's hand turns to the portion, as its member i. */
static void begin_visit(struct lb_team_thread *thread, struct lb_portion *portion, uint32_t i)
{
    struct lb_hand *hand = &thread->hand;
    keep_piece(thread, &portion->schedule);
    hand->job = &portion->schedule;
    hand->asking = &portion->asking;
    hand->whole = &portion->whole;
    hand->number = i;
    thread->portion = portion;
    thread->delivered = portion->tallies[i].did.positions;
    thread->events = lb_asking_seen(&portion->asking);
    portion->rendering++;
}

/* The hand leaves the portion. `over`: for good. */
static void end_visit(struct lb_team_thread *thread, bool over)
{
    struct lb_portion *portion = thread->portion;
    uint32_t i = thread->hand.number;
    portion->rendering--;
    portion->left -= portion->tallies[i].did.positions - thread->delivered;
    portion->over[i] = over;
    if (portion->tallies[i].did.lost)
        lose(thread->team, thread->number, portion);
    else if (lb_asking_seen(&portion->asking) != thread->events)
        announce(thread->team);
    end_if_done(thread->team, portion);
}

/* ---- ranges from the strategies of all portions, what was begun first before the others ---- */

/* Asks the portion's strategy, without the lock meanwhile. True: it has given a range, and the visit goes on. */
static bool visit(struct lb_team_thread *thread, struct lb_portion *portion, struct lb_range *given)
{
    struct lb_portion_team *team = thread->team;
    uint32_t i = portion->index[thread->number];
    end_if_done(team, portion);
    if (portion->ended || i == portion->count || portion->over[i])
        return false;
    begin_visit(thread, portion, i);
    pthread_mutex_unlock(&team->lock);
    enum lb_next next = lb_asking_next(&portion->asking, i, given);
    pthread_mutex_lock(&team->lock);
    if (next != LB_NEXT_RANGE)
        end_visit(thread, next == LB_NEXT_END);
    return next == LB_NEXT_RANGE;
}

static enum lb_next ask(struct lb_hand *hand, struct lb_range *given)
{
    struct lb_team_thread *thread = hand->of;
    struct lb_portion_team *team = thread->team;
    enum lb_next next = LB_NEXT_WAIT;
    pthread_mutex_lock(&team->lock);
    hand->seen = team->events;
    if (team->closes || team->members[thread->number].lost)
        next = LB_NEXT_END;
    for (struct lb_portion *portion = team->first; portion && next == LB_NEXT_WAIT; portion = portion->next)
        if (visit(thread, portion, given))
            next = LB_NEXT_RANGE;
    pthread_mutex_unlock(&team->lock);
    return next;
}

/* Renders the range that the visit has brought, and ends that. */
static void render(struct lb_team_thread *thread, struct lb_range given)
{
    bool goes_on = lb_hand_render(&thread->hand, given);
    pthread_mutex_lock(&thread->team->lock);
    end_visit(thread, !goes_on);
    pthread_mutex_unlock(&thread->team->lock);
}

static bool sleep_until_announced(struct lb_hand *hand)
{
    struct lb_portion_team *team = ((struct lb_team_thread *)hand->of)->team;
    pthread_mutex_lock(&team->lock);
    if (team->events == hand->seen && ++team->settled == team->alive)
        end_stalled(team);
    while (team->events == hand->seen && !team->closes)
        pthread_cond_wait(&team->changed, &team->lock);
    pthread_mutex_unlock(&team->lock);
    return true;
}

/* A member's thread. */
static void *run_thread(void *argument)
{
    static const struct lb_supply portions = {.ask = ask, .sleep = sleep_until_announced};
    struct lb_team_thread *thread = argument;
    struct lb_range given;
    lb_cpus_bind(thread->team->settings.bind, thread->team->members[thread->number].bind_index);
    while (lb_hand_next(&thread->hand, &portions, &given))
        render(thread, given);
    return NULL;
}

/* ---- for who has something to render ---- */

static void add(struct lb_portion_team *team, struct lb_portion *portion)
{
    struct lb_portion **at = &team->first;
    while (*at)
        at = &(*at)->next;
    *at = portion;
    for (uint32_t i = 0; i < portion->count; i++)
        if (team->members[portion->number[i]].lost)
            do_without(portion, i);
    end_if_done(team, portion);
    announce(team);
}

static void take_out(struct lb_portion_team *team, const struct lb_portion *portion)
{
    struct lb_portion **at = &team->first;
    while (*at != portion)
        at = &(*at)->next;
    *at = portion->next;
}

/* Keeps what the members' speeds can be told from. */
static void learn(struct lb_portion_team *team, const struct lb_portion *portion)
{
    for (uint32_t i = 0; i < portion->count; i++) {
        const struct lb_report_processor *did = &portion->tallies[i].did;
        struct lb_team_thread *thread = &team->threads[portion->number[i]];
        thread->samples += (double)did->samples;
        thread->seconds += did->busy_seconds;
    }
}

void lb_portion_perform(struct lb_portion_team *team, struct lb_portion *portion)
{
    pthread_mutex_lock(&team->lock);
    add(team, portion);
    while (!portion->ended)
        pthread_cond_wait(&team->ended, &team->lock);
    take_out(team, portion);
    learn(team, portion);
    pthread_mutex_unlock(&team->lock);
}

/* ---- opening ---- */

static void make_thread(struct lb_portion_team *team, uint32_t number)
{
    struct lb_member *member = &team->members[number];
    struct lb_team_thread *thread = &team->threads[number];
    *thread = (struct lb_team_thread){.team = team, .number = number, .hand.of = thread};
    if (!lb_member_is_left(member))
        return;
    int failure = lb_thread_make(&thread->id, run_thread, thread);
    thread->made = failure == 0;
    team->alive += thread->made;
    if (thread->made)
        return;
    member->lost = true;
    lb_error_set(&member->error, LB_ERROR, "%s: no thread: %s", member->processor->name, strerror(failure));
}

enum lb_status lb_portion_team_open(const struct lb_settings *settings, struct lb_member *members,
                                    uint32_t count, struct lb_portion_team **made, struct lb_error *error)
{
    struct lb_portion_team *team = calloc(1, sizeof *team);
    struct lb_team_thread *threads = calloc(count + 1, sizeof *threads);
    if (!team || !threads) {
        free(team);
        free(threads);
        return lb_error_memory(error, NULL);
    }
    *team = (struct lb_portion_team){
        .settings = *settings, .members = members, .threads = threads, .count = count};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->changed, NULL);
    pthread_cond_init(&team->ended, NULL);
    pthread_mutex_lock(&team->lock);
    for (uint32_t i = 0; i < count; i++)
        make_thread(team, i);
    bool any = team->alive > 0;
    pthread_mutex_unlock(&team->lock);
    if (any) {
        *made = team;
        return LB_OK;
    }
    lb_portion_team_close(team);
    return lb_error_set(error, LB_ERROR, "no thread to render on");
}

void lb_portion_team_close(struct lb_portion_team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->closes = true;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    for (uint32_t i = 0; i < team->count; i++)
        if (team->threads[i].made)
            pthread_join(team->threads[i].id, NULL);
    pthread_cond_destroy(&team->ended);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->lock);
    free(team->threads);
    free(team);
}
