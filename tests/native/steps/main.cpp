// usage: steps [NAME ...]          the named kinds of steps, or all, one after the other
//        steps --together THREADS  all kinds at once, from so many threads
#include "steps.hpp"

#include <cstring>
#include <thread>

namespace {

struct Kind {
    const char* name;
    void (*run)();
};
constexpr Kind kKinds[] = {{"passes", steps::passes},
                           {"kmeans", steps::kmeans},
                           {"neighbors", steps::neighbors},
                           {"forest", steps::forest},
                           {"boosting", steps::boosting},
                           {"lasso", steps::lasso},
                           {"moments", steps::moments},
                           {"kernel_sums", steps::kernel_sums},
                           {"network", steps::network},
                           {"products", steps::products},
                           {"svm", steps::svm}};
constexpr int kCount = sizeof kKinds / sizeof kKinds[0];

bool named(const char* name, int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], name) == 0) return true;
    }
    return argc == 1;
}

// Every thread runs every kind, each beginning with another.
void together(int threads) {
    std::vector<std::thread> callers;
    for (int t = 0; t < threads; ++t) {
        callers.emplace_back([t] {
            for (int i = 0; i < kCount; ++i) kKinds[(t + i) % kCount].run();
        });
    }
    for (std::thread& caller : callers) caller.join();
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--together") == 0) {
        const int threads = std::atoi(argv[2]);
        together(threads);
        std::printf("%d threads at once: %ld comparisons hold\n", threads,
                    steps::comparisons.load());
        return 0;
    }
    int run = 0;
    for (const Kind& kind : kKinds) {
        if (!named(kind.name, argc, argv)) continue;
        const long before = steps::comparisons;
        kind.run();
        ++run;
        std::printf("%s: %ld comparisons hold\n", kind.name, steps::comparisons - before);
    }
    if (run == 0) std::fprintf(stderr, "no such kind of steps\n");
    return run == 0;
}
