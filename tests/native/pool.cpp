// The pool under ThreadSanitizer and AddressSanitizer: every block once, nested and concurrent
// regions, growing pools, exceptions, interrupts, threads that end or cannot be started, buffers of
// threads, a forked child.
#include "core/runtime/pool.hpp"
#include "core/gate/finite.hpp"
#include "core/runtime/scratch.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gramian;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

namespace {

std::vector<int> counted(Index n_blocks, int threads) {
    std::vector<int> count(static_cast<std::size_t>(n_blocks), 0);
    runtime::parallel_for(
        n_blocks, [&](Index b) { ++count[static_cast<std::size_t>(b)]; }, threads);
    return count;
}

void every_block_runs_once() {
    for (int threads : {1, 2, 3, 8}) {
        for (Index n : {0, 1, 2, 7, 1000}) {
            CHECK(counted(n, threads) == std::vector<int>(static_cast<std::size_t>(n), 1));
        }
    }
}

void nested_regions_run_on_their_caller() {
    std::atomic<int> total{0};
    runtime::parallel_for(
        8,
        [&](Index) {
            const auto caller = std::this_thread::get_id();
            runtime::parallel_for(
                4,
                [&](Index) {
                    CHECK(std::this_thread::get_id() == caller);
                    ++total;
                },
                4);
        },
        4);
    CHECK(total == 32);
}

void concurrent_callers_all_finish() {
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([] {
            for (int repeat = 0; repeat < 200; ++repeat) {
                CHECK(counted(16, 3) == std::vector<int>(16, 1));
            }
        });
    }
    for (auto& caller : callers) caller.join();
}

void many_short_regions() {
    for (int repeat = 0; repeat < 5000; ++repeat) {
        CHECK(counted(4, 1 + repeat % 4) == std::vector<int>(4, 1));
    }
}

void an_exception_ends_the_region_and_reaches_the_caller() {
    std::string caught;
    try {
        runtime::parallel_for(
            1000,
            [](Index b) {
                if (b == 37) throw std::runtime_error("block 37");
            },
            3);
    } catch (const std::runtime_error& error) {
        caught = error.what();
    }
    CHECK(caught == "block 37");
    CHECK(counted(10, 3) == std::vector<int>(10, 1));
}

void the_interrupt_hook_ends_the_region() {
    runtime::set_interrupt_hook([] { return true; });
    bool stopped = false;
    try {
        // The hook is asked at most ten times a second, so give it time.
        runtime::parallel_for(
            10000, [](Index) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, 2);
    } catch (const runtime::Interrupted&) {
        stopped = true;
    }
    CHECK(stopped);
    runtime::set_interrupt_hook(nullptr);
    CHECK(counted(10, 2) == std::vector<int>(10, 1));
}

void a_stop_reaches_every_block_under_way() {
    runtime::set_interrupt_hook([] { return true; });
    std::atomic<int> begun{0}, stopped{0};
    try {
        runtime::parallel_for(
            3,
            [&](Index) {
                ++begun;
                try {
                    while (true) { // as a loop over the nodes of a tree
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        runtime::poll_interrupt();
                    }
                } catch (const runtime::Interrupted&) {
                    ++stopped;
                    throw;
                }
            },
            3);
    } catch (const runtime::Interrupted&) {
        ++stopped;
    }
    CHECK(begun >= 1 && stopped == begun + 1);
    runtime::set_interrupt_hook(nullptr);
}

std::thread::id main_thread;
std::atomic<int> asked_elsewhere{0};

void only_the_caller_asks_the_hook_and_also_while_it_waits() {
    main_thread = std::this_thread::get_id();
    runtime::set_interrupt_hook([] {
        asked_elsewhere += std::this_thread::get_id() != main_thread;
        return true;
    });
    std::atomic<bool> helper_came{false};
    bool stopped = false;
    try {
        runtime::parallel_for(
            2,
            [&](Index) {
                if (std::this_thread::get_id() ==
                    main_thread) { // leaves the other block to a helper
                    while (!helper_came) std::this_thread::yield();
                    return;
                }
                helper_came = true;
                while (true) runtime::poll_interrupt();
            },
            2);
    } catch (const runtime::Interrupted&) {
        stopped = true;
    }
    CHECK(stopped && asked_elsewhere == 0);
    runtime::set_interrupt_hook(nullptr);
}

void a_thread_that_is_ended_inside_a_region_leaves_the_pool_in_order() {
    static std::thread::id ended;
    pthread_t thread;
    CHECK(pthread_create(
              &thread, nullptr,
              [](void*) -> void* {
                  ended = std::this_thread::get_id();
                  runtime::parallel_for(
                      100,
                      [](Index) {
                          if (std::this_thread::get_id() == ended) pthread_exit(nullptr);
                          std::this_thread::sleep_for(std::chrono::microseconds(100));
                      },
                      3);
                  return nullptr;
              },
              nullptr) == 0);
    CHECK(pthread_join(thread, nullptr) == 0);
    CHECK(counted(10, 3) == std::vector<int>(10, 1));
}

#if defined(__GLIBC__)
void fewer_threads_than_asked_for_do_the_work() {
    pthread_attr_t usual, huge;
    CHECK(pthread_getattr_default_np(&usual) == 0 && pthread_attr_init(&huge) == 0);
    // More than any process can address: an emulator would keep a table of a stack that fits.
    CHECK(pthread_attr_setstacksize(&huge, std::size_t{1} << 52) == 0);
    CHECK(pthread_setattr_default_np(&huge) == 0);
    CHECK(counted(200, 60) == std::vector<int>(200, 1));
    CHECK(pthread_setattr_default_np(&usual) == 0);
    CHECK(counted(200, 20) == std::vector<int>(200, 1));
}
#endif

runtime::ThreadBuffer<double>& buffer() {
    thread_local runtime::ThreadBuffer<double> of_this_thread;
    return of_this_thread;
}

void large_buffers_of_threads_are_freed_at_the_end_of_a_region() {
    buffer().of(100);
    runtime::parallel_for(4, [](Index) { CHECK(buffer().of(100)[99] == 0); }, 3);
    CHECK(buffer().all().size() == 100); // a small one stays
    runtime::parallel_for(4, [](Index) { buffer().of(1'000'000); }, 1);
    CHECK(buffer().all().capacity() == 0);
}

void a_forked_child_starts_a_pool_of_its_own() {
    CHECK(counted(10, 3) == std::vector<int>(10, 1));
    const pid_t child = fork();
    if (child == 0) {
        std::_Exit(counted(10, 3) == std::vector<int>(10, 1) ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void the_finite_check_runs_on_the_pool() {
    std::vector<double> values(3'000'000, 1.0);
    CHECK(gate::all_finite<double>({values.data(), static_cast<Index>(values.size())}));
    values[2'999'999] /= 0.0;
    CHECK(!gate::all_finite<double>({values.data(), static_cast<Index>(values.size())}));
}

} // namespace

int main(int argc, char**) {
    every_block_runs_once();
    nested_regions_run_on_their_caller();
    concurrent_callers_all_finish();
    many_short_regions();
    an_exception_ends_the_region_and_reaches_the_caller();
    the_interrupt_hook_ends_the_region();
    a_stop_reaches_every_block_under_way();
    only_the_caller_asks_the_hook_and_also_while_it_waits();
    a_thread_that_is_ended_inside_a_region_leaves_the_pool_in_order();
    large_buffers_of_threads_are_freed_at_the_end_of_a_region();
    // ThreadSanitizer does not follow threads started after a fork of a threaded process.
    if (argc == 1) a_forked_child_starts_a_pool_of_its_own();
    the_finite_check_runs_on_the_pool();
#if defined(__GLIBC__)
    fewer_threads_than_asked_for_do_the_work();
#endif
    std::puts("13 passed, 0 failed");
}
