#include "core/nonnegative/least_squares.hpp"
#include "core/simd/register.hpp"

namespace gramian::nonnegative::GRAMIAN_ISA {
namespace {

using namespace simd;

using Wide = Vec<double>;
using Mask = Vec<std::int64_t>;
constexpr int kLane = kLanes<double>;
constexpr int kRegisters = static_cast<int>(kRows) / kLane;
constexpr double kTiny = 1e-100; // curvature of a coordinate that has no effect

// g = sum_r G(t, r) w_r in two sums, so that one waits while the other is computed.
inline void derivative(const double* gram_row, Index k, const double* w, Wide (&g)[kRegisters]) {
    Wide even[kRegisters] = {}, odd[kRegisters] = {};
    Index r = 0;
    for (; r + 2 <= k; r += 2) {
        for (int v = 0; v < kRegisters; ++v) {
            even[v] += gram_row[r] * load(w + r * kRows + v * kLane);
            odd[v] += gram_row[r + 1] * load(w + (r + 1) * kRows + v * kLane);
        }
    }
    for (int v = 0; v < kRegisters; ++v) {
        if (r < k) even[v] += gram_row[r] * load(w + r * kRows + v * kLane);
        g[v] = even[v] + odd[v];
    }
}

void improve(const Problem& problem, const Stop& stop, const double* c, double* w, double* first) {
    const Index k = problem.k;
    Wide limits[kRegisters] = {};
    Mask open[kRegisters];
    for (int v = 0; v < kRegisters; ++v) {
        for (Index t = 0; t < k; ++t) limits[v] += abs(load(c + t * kRows + v * kLane));
        limits[v] *= stop.limit;
        open[v] = Wide{} == Wide{};
    }
    for (Index sweep = 0; sweep < stop.sweeps; ++sweep) {
        Wide sums[kRegisters] = {};
        for (Index t = 0; t < k; ++t) {
            const double* row = problem.gram + t * k;
            const double bend = row[t] + problem.l2;
            if (bend <= kTiny) continue;
            const double step = 1 / bend;
            Wide g[kRegisters];
            derivative(row, k, w, g);
            for (int v = 0; v < kRegisters; ++v) {
                double* at = w + t * kRows + v * kLane;
                const Wide old = load(at);
                g[v] += problem.l2 * old + problem.l1 - load(c + t * kRows + v * kLane);
                sums[v] += abs(old <= Wide{} ? min(g[v], Wide{}) : g[v]);
                store(at, open[v] ? max(old - g[v] * step, Wide{}) : old);
            }
        }
        unsigned any = 0;
        for (int v = 0; v < kRegisters; ++v) {
            if (sweep == 0) {
                store(first + v * kLane, sums[v]);
                limits[v] = max(limits[v], sums[v] * stop.share);
            }
            open[v] &= sums[v] > limits[v];
            any |= mask_bits(open[v]);
        }
        if (!any) return;
    }
}

} // namespace

extern const SweepKernels sweep_kernels;
const SweepKernels sweep_kernels = {improve};

} // namespace gramian::nonnegative::GRAMIAN_ISA
