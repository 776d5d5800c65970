// The thread pool. Threads take fixed blocks of work one by one.
//
// A region runs body(block) once for each block = 0 .. n_blocks - 1, in any order and on any
// thread. A result that depends only on the block is therefore the same for any number of threads.
// Code that merges the results of blocks does so in block order. Regions do not nest: a region
// opened inside another one, or while another Python thread runs one, uses only its own thread.
// The first region that needs threads starts them. If the system starts fewer, those do the work.
// A forked child starts a new pool.
#pragma once

#include "core/runtime/views.hpp"

#include <exception>
#include <type_traits>

namespace gramian::runtime {

// Thrown out of a region after the interrupt hook asked to stop.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

// Called on the thread that opened a region, at most about ten times a second; true stops it.
// The pool's own threads never call it.
using InterruptHook = bool (*)();
void set_interrupt_hook(InterruptHook hook);

// Throws Interrupted if this thread's region was stopped or the hook asks to stop. The hook is
// called at most about ten times a second. Regions poll between blocks. Blocks and loops that may
// take longer than about a second call this themselves.
void poll_interrupt();

// Number of threads that the next region of this thread may use: the thread's own request if set,
// else the pool's size.
int num_threads();
// The pool's size: GRAMIAN_NUM_THREADS if set, else the minimum of the processors this process may
// run on, the cgroup's quota and OMP_NUM_THREADS.
int pool_size();
void set_pool_size(int threads);
// Sets this thread's own number of threads (0: none) and returns the previous one.
int swap_thread_request(int threads);

using BlockBody = void (*)(void* context, Index block);
void run_blocks(Index n_blocks, BlockBody body, void* context, int threads);

// body(block) for every block; `threads` 0 means num_threads(). Callers with less than about
// 100 microseconds of work pass 1.
template <typename Body>
void parallel_for(Index n_blocks, Body&& body, int threads = 0) {
    using Plain = std::remove_reference_t<Body>;
    run_blocks(
        n_blocks, [](void* context, Index block) { (*static_cast<Plain*>(context))(block); },
        const_cast<void*>(static_cast<const void*>(&body)), threads);
}

// Row blocks: [block * rows_per_block, ...) clipped to n.
struct Blocks {
    Index n;
    Index size;

    Index count() const { return (n + size - 1) / size; }
    Index begin(Index block) const { return block * size; }
    Index end(Index block) const { return (block + 1) * size < n ? (block + 1) * size : n; }
};

} // namespace gramian::runtime
