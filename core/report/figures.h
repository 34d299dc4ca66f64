/* The figures of a report: all that it tells of a processor, a balance and the run, in tables with a line a figure. The
 * fields of the structs in report.h, the sums over passes, the members of JSON, the columns of CSV and of the text
 * and the JSON schema come from them, in this order: who adds a figure adds a line here, and counts.
 *
 * FIGURE(kind, field, over the passes of a frame, told in, column of the text) declares a field and tells it under its
 * name. COUNTER(place, name, told in, column) tells a counter that a struct of its own holds (lb_counters,
 * lb_strategy_counts), which also adds it up.
 *
 * A column stands in all reports; MEASURED_COLUMN not in those of simulations; SIMULATED_COLUMN in these, and on pages.
 *
 * kind: NAME a text; WORD one without digits; TEXT one from outside, which may hold any bytes; LABEL such a text that
 *   stands in the struct itself; DEVICE a processor's kind by name; SOURCE an lb_source; COUNT; SECONDS; WEIGHT over 0
 *   to 1; SHARE 0 to 1; RATIO from 0 on; NUMBER, which may be negative; FLAG.
 * over the passes: ADDED up; LATEST, the last pass's; FINISH, a time since the pass began, which becomes one since the
 *   frame began; DERIVED by lb_balance_finish; KEPT as it was set for the frame.
 * told in: ALL forms; JSON alone; CSV alone, as JSON has it elsewhere; NONE. */
#ifndef LB_CORE_REPORT_FIGURES_H
#define LB_CORE_REPORT_FIGURES_H

/* clang-format off */
#define LB_PROCESSOR_FIGURES(FIGURE, COUNTER)                                                                         \
    FIGURE(NAME,    name,             KEPT,    ALL,  COLUMN("processor", -10, NAME))                                  \
    FIGURE(DEVICE,  kind,             KEPT,    ALL,  NO_COLUMN)                                                       \
    FIGURE(WEIGHT,  weight,           LATEST,  ALL,  COLUMN("weight", 7, PERCENT)) /* all sum to 1 */                 \
    FIGURE(SOURCE,  weight_source,    LATEST,  JSON, NO_COLUMN)                                                       \
    FIGURE(SHARE,   share,            DERIVED, ALL,  COLUMN("share", 7, PERCENT)) /* of the positions delivered */    \
    FIGURE(COUNT,   ranges,           ADDED,   ALL,  COLUMN("ranges", 7, COUNT)) /* delivered */                      \
    FIGURE(COUNT,   failed,           ADDED,   ALL,  NO_COLUMN) /* ranges */                                          \
    FIGURE(COUNT,   pixels,           ADDED,   ALL,  COLUMN("Mpixel", 9, MILLIONS)) /* one counts once a pass */      \
    FIGURE(COUNT,   samples,          ADDED,   ALL,  NO_COLUMN)                                                       \
    COUNTER(counters.rays, rays,               ALL,  MEASURED_COLUMN("Mrays/s", 8, MILLIONS_A_SECOND))                \
    FIGURE(COUNT,   steps,            ADDED,   JSON, NO_COLUMN) /* cost units */                                      \
    FIGURE(COUNT,   positions,        ADDED,   NONE, NO_COLUMN) /* padding ones too */                                \
    FIGURE(SECONDS, busy_seconds,     ADDED,   ALL,  COLUMN("busy", 7, SECONDS)) /* in ranges, failed ones too */     \
    FIGURE(SECONDS, busy_cpu_seconds, ADDED,   ALL,  MEASURED_COLUMN("cpu", 7, SECONDS)) /* of its thread's time */   \
    FIGURE(SECONDS, idle_seconds,     DERIVED, ALL,  COLUMN("idle", 7, SECONDS))                                      \
    FIGURE(SECONDS, waited_seconds,   ADDED,   ALL,  NO_COLUMN) /* idle ones after its last range, until T */         \
    FIGURE(SECONDS, transfer_seconds, ADDED,   ALL,  COLUMN("transfer", 8, SECONDS)) /* that moved data */            \
    FIGURE(SECONDS, finish_seconds,   FINISH,  ALL,  COLUMN("finish", 7, SECONDS)) /* last range's end; 0: no range */\
    FIGURE(RATIO,   speed,            DERIVED, ALL,  SIMULATED_COLUMN("speed", 8, RATIO)) /* cost units a second */   \
    FIGURE(SOURCE,  speed_source,     DERIVED, ALL,  NO_COLUMN) /* not MEASURED: whence the guess for who was idle */ \
    FIGURE(FLAG,    lost,             LATEST,  ALL,  COLUMN("", 0, WORD))

#define LB_BALANCE_FIGURES(FIGURE, COUNTER)                                                                           \
    FIGURE(SECONDS, t,                ADDED,   ALL,  COLUMN("T", 0, SECONDS)) /* until the last one was done */       \
    FIGURE(SECONDS, t_min,            DERIVED, ALL,  COLUMN("Tmin", 0, SECONDS)) /* the work over all speeds */       \
    FIGURE(NUMBER,  imbalance,        DERIVED, ALL,  COLUMN("imbalance", 0, PERCENT)) /* (t - t_min) / t_min */       \
    FIGURE(RATIO,   efficiency,       DERIVED, ALL,  COLUMN("efficiency", 0, RATIO)) /* t_min / t */                  \
    FIGURE(SECONDS, slowed_seconds,    DERIVED, ALL, NO_COLUMN) /* of Tmin: threads were busy without a CPU */        \
    FIGURE(SECONDS, overhead_seconds,  DERIVED, ALL, NO_COLUMN) /* of T - Tmin: idle before one's last range's end */ \
    FIGURE(SECONDS, imbalance_seconds, DERIVED, ALL, NO_COLUMN) /* of T - Tmin: idle after it, for the last one */    \
    FIGURE(SECONDS, steal_seconds,     ADDED,   ALL, NO_COLUMN) /* another machine had this one's CPUs; of all CPUs */\
    COUNTER(counts.messages, messages,         JSON, NO_COLUMN)                                                       \
    COUNTER(counts.steals_won, steals,         JSON, COLUMN("steals", 0, COUNT))                                      \
    COUNTER(counts.steals_tried, steals_tried, JSON, NO_COLUMN)                                                       \
    COUNTER(counts.pushes, pushes,             JSON, NO_COLUMN)                                                       \
    COUNTER(counts.polls, polls,               JSON, NO_COLUMN)                                                       \
    FIGURE(COUNT,   lost,             DERIVED, JSON, COLUMN("lost", 0, COUNT)) /* processors */                       \
    FIGURE(COUNT,   bad_samples,      DERIVED, JSON, COLUMN("bad samples", 0, COUNT)) /* of all processors */

/* Of a processor that is another host, beside its figures above; and of each of that host's own processors. */
#define LB_HOST_FIGURES(FIGURE, COUNTER)                                                                              \
    FIGURE(LABEL,   host_name,          KEPT,   ALL,  NO_COLUMN)                                                      \
    FIGURE(COUNT,   bytes_sent,         ADDED,  ALL,  COLUMN("sent", 0, MEGABYTES)) /* in messages to it */           \
    FIGURE(COUNT,   bytes_received,     ADDED,  ALL,  COLUMN("received", 0, MEGABYTES))                               \
    FIGURE(COUNT,   network_messages,   ADDED,  ALL,  COLUMN("messages", 0, COUNT)) /* both ways */                   \
    FIGURE(SECONDS, round_trip_seconds, LATEST, ALL,  COLUMN("round trip", 0, SECONDS)) /* 0: not known */            \
    FIGURE(SECONDS, network_seconds,    ADDED,  ALL,  COLUMN("waited", 0, SECONDS)) /* with work, not rendering */

#define LB_HOST_PROCESSOR_FIGURES(FIGURE, COUNTER)                                                                    \
    FIGURE(NAME,    name,               KEPT,   ALL,  NO_COLUMN)                                                      \
    FIGURE(WORD,    kind,               KEPT,   ALL,  NO_COLUMN)                                                      \
    FIGURE(COUNT,   ranges,             ADDED,  ALL,  NO_COLUMN) /* by the host's own strategy */                     \
    FIGURE(COUNT,   samples,            ADDED,  ALL,  NO_COLUMN) /* also of ranges that failed later */               \
    FIGURE(SECONDS, busy_seconds,       ADDED,  ALL,  NO_COLUMN)

/* What tells one run from another: of reports and of comparisons. */
#define LB_RUN_FIGURES(FIGURE, COUNTER)                                                                               \
    FIGURE(TEXT,    version,          KEPT,    ALL,  NO_COLUMN) /* the program's */                                   \
    FIGURE(TEXT,    host,             KEPT,    ALL,  NO_COLUMN)                                                       \
    FIGURE(TEXT,    command,          KEPT,    ALL,  NO_COLUMN) /* its line, quoted for a shell */                    \
    FIGURE(TEXT,    scene,            KEPT,    JSON, NO_COLUMN) /* CSV has it in front */                             \
    FIGURE(COUNT,   threads,          KEPT,    ALL,  NO_COLUMN) /* of CPUs that rendered */                           \
    FIGURE(COUNT,   width,            KEPT,    CSV,  NO_COLUMN) /* of the picture, in pixels */                       \
    FIGURE(COUNT,   height,           KEPT,    CSV,  NO_COLUMN)                                                       \
    FIGURE(COUNT,   spp,              KEPT,    CSV,  NO_COLUMN) /* samples a pixel; 0: unknown */                     \
    FIGURE(COUNT,   seed,             KEPT,    CSV,  NO_COLUMN)                                                       \
    FIGURE(SECONDS, wall_seconds,     KEPT,    ALL,  NO_COLUMN)                                                       \
    FIGURE(SECONDS, load_seconds,     KEPT,    ALL,  NO_COLUMN)                                                       \
    FIGURE(COUNT,   peak_bytes,       KEPT,    ALL,  NO_COLUMN) /* the most memory that the process has had */
/* clang-format on */

#endif
