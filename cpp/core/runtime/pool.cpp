#include "core/runtime/pool.hpp"

#include "core/runtime/scratch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace gramian::runtime {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPollEvery = std::chrono::milliseconds(100);
constexpr auto kSpin =
    std::chrono::microseconds(30); // a sleeping thread takes about as long to wake

std::atomic<InterruptHook> interrupt_hook{nullptr};
thread_local Clock::time_point next_poll{};
thread_local int thread_request = 0;
thread_local bool is_helper = false; // a thread of the pool: it never calls the hook

void relax() {
#if defined(__x86_64__)
    _mm_pause();
#endif
}

// Spins for a moment; true as soon as the condition holds.
template <typename Condition>
bool spin(Condition holds) {
    const auto until = Clock::now() + kSpin;
    while (!holds()) {
        if (Clock::now() >= until) return false;
        relax();
    }
    return true;
}

struct Job;
thread_local Job* current_job = nullptr; // the outermost region that this thread works in

struct Job {
    BlockBody body = nullptr;
    void* context = nullptr;
    Index n_blocks = 0;
    std::atomic<Index> next{0};
    std::atomic<bool> stopped{false};
    std::exception_ptr error;
    std::mutex error_mutex;

    // No thread starts another block, and running blocks end at their next poll.
    void stop() {
        stopped.store(true, std::memory_order_release);
        next.store(n_blocks, std::memory_order_relaxed);
    }

    void fail(std::exception_ptr e) {
        {
            const std::lock_guard lock(error_mutex);
            if (!error) error = std::move(e);
        }
        stop();
    }

    void work() {
        const CurrentJobScope scope(this);
        try {
            for (Index block; (block = next.fetch_add(1, std::memory_order_relaxed)) < n_blocks;) {
                body(context, block);
                poll_interrupt();
            }
        } catch (...) {
            std::exception_ptr thrown = std::current_exception();
            if (!thrown) { // not a C++ exception: the system is ending this thread
                stop();
                throw;
            }
            fail(std::move(thrown));
        }
    }

private:
    struct CurrentJobScope {
        Job* const outer = current_job;

        explicit CurrentJobScope(Job* job) {
            if (!outer) current_job = job;
        }
        ~CurrentJobScope() {
            current_job = outer;
            if (!outer) Scratch::end_of_region();
        }
    };
};

class Pool {
public:
    // Runs the job on the caller and `helpers` workers, or fewer if the system starts no more
    // threads. One caller at a time.
    void run(Job& job, int helpers) {
        helpers = start(helpers);
        if (helpers == 0) {
            job.work();
            return;
        }
        job_ = &job;
        pending_.store(helpers, std::memory_order_relaxed);
        // The low 16 bits of a generation are its number of helpers. A worker with nothing to do
        // therefore need not read the job, which may no longer exist.
        const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
        generation_.store(((generation >> 16) + 1) << 16 | static_cast<std::uint64_t>(helpers),
                          std::memory_order_release);
        generation_.notify_all();
        const WaitForHelpers helpers_guard{*this, job};
        job.work();
        while (!helpers_done_within(kPollEvery)) {
            if (job.stopped.load(std::memory_order_relaxed)) continue;
            try {
                poll_interrupt();
            } catch (const Interrupted&) {
                job.fail(std::current_exception());
            }
        }
    }

private:
    // Waits for the helpers when run() is left in any way, even if the system ends its thread:
    // the helpers use memory on the caller's stack.
    struct WaitForHelpers {
        Pool& pool;
        Job& job;

        ~WaitForHelpers() {
            if (pool.pending_.load(std::memory_order_acquire) == 0) return;
            job.stop();
            while (!pool.helpers_done_within(kPollEvery)) {
            }
        }
    };

    // Signals that a worker has finished. Afterwards the caller may destroy the job.
    struct HelperDone {
        Pool& pool;

        ~HelperDone() {
            if (pool.pending_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
            {
                const std::lock_guard lock(pool.done_mutex_);
            }
            pool.all_done_.notify_one();
        }
    };

    int start(int wanted) {
        try {
            while (static_cast<int>(workers_.size()) < wanted) {
                const int index = static_cast<int>(workers_.size());
                const std::uint64_t seen = generation_.load(std::memory_order_relaxed);
                workers_.emplace_back([this, index, seen] { worker_loop(index, seen); });
            }
        } catch (const std::system_error&) { // the system starts no more threads
        }
        return std::min(wanted, static_cast<int>(workers_.size()));
    }

    // Waits for the helpers, at most for `timeout`; true if all have finished.
    bool helpers_done_within(std::chrono::milliseconds timeout) {
        const auto all_done = [this] { return pending_.load(std::memory_order_acquire) == 0; };
        if (spin(all_done)) return true;
        std::unique_lock lock(done_mutex_);
        return all_done_.wait_for(lock, timeout, all_done);
    }

    void worker_loop(int index, std::uint64_t seen) {
        is_helper = true;
        while (true) {
            spin([&] { return generation_.load(std::memory_order_acquire) != seen; });
            generation_.wait(seen, std::memory_order_acquire);
            seen = generation_.load(std::memory_order_acquire);
            if (index >= static_cast<int>(seen & 0xffff)) continue;
            const HelperDone done{*this};
            job_->work();
        }
    }

    std::vector<std::thread> workers_;
    std::atomic<std::uint64_t> generation_{0};
    std::atomic<int> pending_{0};
    std::mutex done_mutex_;
    std::condition_variable all_done_;
    Job* job_ = nullptr;
};

// Never destroyed: at exit and in a forked child its threads no longer exist and cannot be joined.
struct Global {
    std::mutex busy;
    Pool* pool = nullptr;
};

std::atomic<Global*> global_state{nullptr};

Global& global() {
    Global* state = global_state.load(std::memory_order_acquire);
    if (state) return *state;
#if defined(__unix__) || defined(__APPLE__)
    static std::once_flag once;
    std::call_once(once, [] {
        pthread_atfork(nullptr, nullptr, [] {
            // The parent's threads do not exist in the child, so it abandons the parent's state.
            global_state.store(nullptr, std::memory_order_relaxed);
            current_job = nullptr;
        });
    });
#endif
    auto* made = new Global;
    if (global_state.compare_exchange_strong(state, made)) return *made;
    delete made;
    return *state;
}

// Processors that this process may use.
int affinity() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

// Requests for more threads than this are lowered to it. More are never faster, and threads stay
// until the process ends: one call with n_jobs=10000 would take memory from all that follows.
// generation_ stores the number of helpers in 16 bits.
int most_threads() {
    static const int most = std::clamp(4 * affinity(), 64, 0xffff);
    return most;
}

int positive_env(const char* name) {
    const char* text = std::getenv(name);
    const long value = text ? std::strtol(text, nullptr, 10) : 0;
    return static_cast<int>(std::clamp(value, 0L, long{most_threads()}));
}

// Whole processors of the cgroup's quota, at least 1; 0 when there is no quota.
int cgroup_quota() {
    long long quota = -1, period = -1;
    if (std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "r")) {
        if (std::fscanf(file, "%lld %lld", &quota, &period) != 2) quota = -1;
        std::fclose(file);
    } else {
        const auto read = [](const char* path, long long& value) {
            if (std::FILE* f = std::fopen(path, "r")) {
                if (std::fscanf(f, "%lld", &value) != 1) value = -1;
                std::fclose(f);
            }
        };
        read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota);
        read("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period);
    }
    if (quota <= 0 || period <= 0) return 0;
    return static_cast<int>(std::max(1LL, (quota + period - 1) / period));
}

int default_size() {
    if (const int asked = positive_env("GRAMIAN_NUM_THREADS")) return asked;
    int size = affinity();
    if (const int quota = cgroup_quota()) size = std::min(size, quota);
    if (const int omp = positive_env("OMP_NUM_THREADS")) size = std::min(size, omp);
    return size;
}

std::atomic<int> size_setting{0};

} // namespace

void set_interrupt_hook(InterruptHook hook) {
    interrupt_hook.store(hook);
}

void poll_interrupt() {
    if (current_job && current_job->stopped.load(std::memory_order_relaxed)) throw Interrupted();
    if (is_helper) return;
    const auto now = Clock::now();
    if (now < next_poll) return;
    next_poll = now + kPollEvery;
    const InterruptHook hook = interrupt_hook.load(std::memory_order_relaxed);
    if (hook && hook()) throw Interrupted();
}

int pool_size() {
    int size = size_setting.load(std::memory_order_relaxed);
    if (size == 0) {
        size = default_size();
        size_setting.store(size, std::memory_order_relaxed);
    }
    return size;
}

void set_pool_size(int threads) {
    size_setting.store(std::clamp(threads, 1, most_threads()));
}

int swap_thread_request(int threads) {
    const int before = thread_request;
    thread_request = std::clamp(threads, 0, most_threads());
    return before;
}

int num_threads() {
    return thread_request > 0 ? thread_request : pool_size();
}

void run_blocks(Index n_blocks, BlockBody body, void* context, int threads) {
    if (n_blocks <= 0) return;
    Job job;
    job.body = body;
    job.context = context;
    job.n_blocks = n_blocks;
    if (threads <= 0) threads = num_threads();
    const int helpers = static_cast<int>(std::min<Index>(threads, n_blocks)) - 1;
    if (current_job || helpers == 0) {
        job.work();
    } else {
        Global& state = global();
        const std::unique_lock lock(state.busy, std::try_to_lock);
        if (lock.owns_lock()) {
            if (!state.pool) state.pool = new Pool;
            state.pool->run(job, helpers);
        } else {
            job.work();
        }
    }
    if (job.error) std::rethrow_exception(job.error);
}

} // namespace gramian::runtime
