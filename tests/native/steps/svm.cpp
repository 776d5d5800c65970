// A support vector machine against its optimality conditions, and memory in large pieces.
#include "core/svm/large_pages.hpp"
#include "core/svm/solver.hpp"

#include "steps.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

namespace steps {
namespace {

namespace svm = gramian::svm;

// More points than a working set holds, so that some are left out on the way.
void machine(Index n, double bound) {
    constexpr double kGamma = 0.5, kTol = 1e-3;
    const Table<double> X = groups<double>(n, 2, 8);
    std::vector<std::int32_t> ids(static_cast<std::size_t>(n));
    std::iota(ids.begin(), ids.end(), 0);
    std::vector<double> sign(ids.size()), offset(ids.size()), upper(ids.size(), bound);
    std::vector<double> alpha(ids.size(), 0.0), gradient(ids.size());
    for (Index i = 0; i < n; ++i) {
        sign[i] = (i * 7919) % 10 == 0 ? (i % 2 ? 1 : -1) : X(i, 0) > X(0, 0) ? 1 : -1;
        offset[i] = -sign[i];
    }
    const auto points = svm::points_of(X.in(), {svm::Form::rbf, kGamma, 0, 0}, 1e-6, true);
    const svm::Machine given{
        in(ids),         1,     false, sign.data(), upper.data(), offset.data(), alpha.data(),
        gradient.data(), false, {}};
    svm::Solution found;
    svm::solve_all(*points, {given}, {kTol, 1000000, true, 100 * n}, &found);
    HOLDS(found.largest < kTol);
    double top = -std::numeric_limits<double>::infinity(), bottom = -top;
    for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index j = 0; j < n; ++j) {
            const double a = X(i, 0) - X(j, 0), b = X(i, 1) - X(j, 1);
            sum += sign[j] * alpha[j] * std::exp(-kGamma * (a * a + b * b));
        }
        HOLDS(close(gradient[i], sum, 1e-4));
        const bool grows = alpha[i] < bound, shrinks = alpha[i] > 0;
        if (sign[i] > 0 ? grows : shrinks) top = std::max(top, sign[i] - sum);
        if (sign[i] > 0 ? shrinks : grows) bottom = std::min(bottom, sign[i] - sum);
    }
    HOLDS(top - bottom < 2 * kTol);
}

void memory() {
    const char* const text = "Node 0, zone      DMA      1      1      0\n"
                             "Node 0, zone   Normal   9000  300  200  0  0  0  0  0  0  5  2\n"
                             "Node 1, zone   Normal      1    0    0  0  0  0  0  0  0  1  0\n";
    const std::size_t large = std::size_t{1} << 21;
    HOLDS(svm::free_in_large_blocks(text, 4096) == (5 + 2 * 2 + 1) * large);
    HOLDS(svm::free_in_large_blocks(text, 65536) == (32 * 2 + 16 * 5 + 16) * large);
    HOLDS(svm::free_in_large_blocks("", 4096) == 0);
    HOLDS(svm::free_in_large_blocks("pages of zone", 4096) == 0);
    for (const std::size_t bytes : {std::size_t{1}, 5 * large + 1}) {
        void* const held = svm::allocate_untouched(bytes);
        std::memset(held, 1, bytes);
        std::free(held);
    }
}

} // namespace

void svm() {
    memory();
    machine(40, 1.0);
    machine(700, 0.1);
    machine(900, 10.0);
}

} // namespace steps
