// The pool under ThreadSanitizer and AddressSanitizer: every block once, nested and concurrent
// regions, growing pools, exceptions, interrupts, a forked child.
#include "core/pool.hpp"
#include "core/finite.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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
    parallel_for(n_blocks, [&](Index b) { ++count[static_cast<std::size_t>(b)]; }, threads);
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
    parallel_for(
        8,
        [&](Index) {
            const auto caller = std::this_thread::get_id();
            parallel_for(
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
        parallel_for(
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
    set_interrupt_hook([] { return true; });
    bool stopped = false;
    try {
        // The hook is asked at most ten times a second, so give it time.
        parallel_for(
            10000, [](Index) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }, 2);
    } catch (const Interrupted&) {
        stopped = true;
    }
    CHECK(stopped);
    set_interrupt_hook(nullptr);
    CHECK(counted(10, 2) == std::vector<int>(10, 1));
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
    CHECK(all_finite<double>({values.data(), static_cast<Index>(values.size())}));
    values[2'999'999] /= 0.0;
    CHECK(!all_finite<double>({values.data(), static_cast<Index>(values.size())}));
}

} // namespace

int main(int argc, char**) {
    every_block_runs_once();
    nested_regions_run_on_their_caller();
    concurrent_callers_all_finish();
    many_short_regions();
    an_exception_ends_the_region_and_reaches_the_caller();
    the_interrupt_hook_ends_the_region();
    // ThreadSanitizer does not follow threads started after a fork of a threaded process.
    if (argc == 1) a_forked_child_starts_a_pool_of_its_own();
    the_finite_check_runs_on_the_pool();
    std::puts("8 passed, 0 failed");
}
