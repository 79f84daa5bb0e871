#include "lanes.h"

#include <string.h>

/* Rows not begun and streams handed over, which are taken first. */
typedef struct {
    const dedup_lane_kernels *kernels;
    const dedup_stream_table *table;
    size_t next;
    dedup_stream streams[DEDUP_MAX_LANES];
    unsigned waiting; /* streams[0 .. waiting) */
} queue;

static void go_to_tail(dedup_stream *s) {
    s->at = s->tail;
    s->blocks = s->padding;
    s->padding = 0;
    s->in_tail = true;
}

/* A copy keeps its own tail. */
static void copy(dedup_stream *to, const dedup_stream *from) {
    *to = *from;
    if (from->in_tail) {
        to->at = to->tail + (from->at - from->tail);
    }
}

/* After a run of n blocks; false when the stream has ended. */
static bool advance(dedup_stream *s, uint64_t n) {
    s->at += n * DEDUP_BLOCK;
    s->blocks -= n;
    if (s->blocks == 0 && s->padding > 0) {
        go_to_tail(s);
    }
    return s->blocks > 0;
}

static void finish(queue *q, dedup_stream *s) {
    q->table->finish(s);
    s->live = false;
}

static uint64_t left(const queue *q) {
    return q->waiting + (q->table->count - q->next);
}

static bool take(queue *q, dedup_stream *s) {
    if (q->waiting > 0) {
        copy(s, &q->streams[--q->waiting]);
        return true;
    }
    if (q->next < q->table->count) {
        s->in_tail = false;
        s->padding = 0;
        s->live = true;
        q->table->begin(s, q->table->rows, q->next++);
        if (s->blocks == 0 && s->padding > 0) {
            go_to_tail(s);
        }
        return true;
    }
    return false;
}

static void hand_over(queue *q, const dedup_stream *s) {
    copy(&q->streams[q->waiting++], s);
}

static void get_lane(const queue *q, const uint32_t *wide, unsigned width, unsigned lane,
                     uint32_t *state) {
    for (unsigned i = 0; i < q->kernels->words; i++) {
        state[i] = wide[i * width + lane];
    }
}

static void set_lane(const queue *q, uint32_t *wide, unsigned width, unsigned lane,
                     const uint32_t *state) {
    for (unsigned i = 0; i < q->kernels->words; i++) {
        wide[i * width + lane] = state[i];
    }
}

/* Blocks until the first lane ends. Idle lanes get some live lane's address; nobody looks there. */
static uint64_t plan_run(const dedup_stream *streams, unsigned width, const uint8_t **at) {
    uint64_t run = UINT64_MAX;
    const uint8_t *some = NULL;
    for (unsigned i = 0; i < width; i++) {
        if (streams[i].live) {
            run = streams[i].blocks < run ? streams[i].blocks : run;
            some = streams[i].at;
        }
    }
    for (unsigned i = 0; i < width; i++) {
        at[i] = streams[i].live ? streams[i].at : some;
    }
    return run;
}

/* Runs the kernel while at least worth lanes are busy, then hands the rest over. */
static void run_wide(queue *q, const dedup_wide *kernel) {
    const unsigned width = kernel->lanes;
    _Alignas(64) uint32_t wide[DEDUP_MAX_WORDS * DEDUP_MAX_LANES] = {0};
    const uint8_t *at[DEDUP_MAX_LANES];
    dedup_stream streams[DEDUP_MAX_LANES];
    unsigned busy = 0;
    for (unsigned i = 0; i < width; i++) {
        streams[i].live = false;
    }
    for (;;) {
        for (unsigned i = 0; i < width && left(q) > 0; i++) {
            if (!streams[i].live) {
                take(q, &streams[i]);
                set_lane(q, wide, width, i, streams[i].state);
                busy++;
            }
        }
        if (busy < kernel->worth) {
            break;
        }
        uint64_t run = plan_run(streams, width, at);
        kernel->run(wide, at, run);
        for (unsigned i = 0; i < width; i++) {
            if (streams[i].live && !advance(&streams[i], run)) {
                get_lane(q, wide, width, i, streams[i].state);
                finish(q, &streams[i]);
                busy--;
            }
        }
    }
    for (unsigned i = 0; i < width; i++) {
        if (streams[i].live) {
            get_lane(q, wide, width, i, streams[i].state);
            hand_over(q, &streams[i]);
        }
    }
}

static void run_pair(queue *q) {
    dedup_stream s, z;
    s.live = z.live = false;
    while ((s.live || take(q, &s)) && (z.live || take(q, &z))) {
        uint64_t run = s.blocks < z.blocks ? s.blocks : z.blocks;
        q->kernels->pair(s.state, s.at, z.state, z.at, run);
        if (!advance(&s, run)) {
            finish(q, &s);
        }
        if (!advance(&z, run)) {
            finish(q, &z);
        }
    }
    if (s.live) {
        hand_over(q, &s);
    }
    if (z.live) {
        hand_over(q, &z);
    }
}

static void run_single(queue *q) {
    dedup_stream s;
    while (take(q, &s)) {
        uint64_t run;
        do {
            run = s.blocks;
            q->kernels->single(s.state, s.at, run);
        } while (advance(&s, run));
        finish(q, &s);
    }
}

void dedup_run_lanes(const dedup_lane_kernels *kernels, const dedup_stream_table *table) {
    queue q;
    q.kernels = kernels;
    q.table = table;
    q.next = 0;
    q.waiting = 0;
    for (unsigned i = 0; i < DEDUP_MAX_WIDE && kernels->wide[i].lanes > 0; i++) {
        if (left(&q) >= kernels->wide[i].worth) {
            run_wide(&q, &kernels->wide[i]);
        }
    }
    if (kernels->pair != NULL && left(&q) >= 2) {
        run_pair(&q);
    }
    run_single(&q);
}

/* States are loaded and stored as eight words, whatever the hash has: rows have the room. */
static void begin_update(dedup_stream *s, const void *rows, size_t row) {
    const dedup_update_job *job = (const dedup_update_job *)rows + row;
    memcpy(s->state, (const void *)(uintptr_t)job->state, sizeof s->state);
    s->at = (const uint8_t *)(uintptr_t)job->data;
    s->blocks = job->blocks;
    s->result = (void *)(uintptr_t)job->state;
}

static void finish_update(const dedup_stream *s) {
    memcpy(s->result, s->state, sizeof s->state);
}

void dedup_run_updates(const dedup_lane_kernels *kernels, const dedup_update_job *jobs, size_t n) {
    dedup_stream_table table = {jobs, n, begin_update, finish_update};
    dedup_run_lanes(kernels, &table);
}
