#include "core/passes/sweep.hpp"

#include "core/passes/row.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

// Part of a step taken beyond it (successive over-relaxation: Young 1954).
constexpr double kBeyondLogistic = 0.15; // saves about a sweep in ten
constexpr Index kAhead = 6; // rows between the one visited and the one asked for from memory

inline double larger(double a, double b) {
    return a > b ? a : b;
}

template <typename View>
GRAMIAN_ASK void prefetch_ahead(const View& X, const Sweep& s, const std::int32_t* order,
                                Index known) {
    if (known <= kAhead) return;
    __builtin_prefetch(s.coordinates + order[kAhead]);
    prefetch_row(X, order[kAhead]);
}

template <typename View>
inline double margin(const View& X, const Sweep& s, Index i) {
    return dot_row(X, i, s.w) + s.ones * s.w[X.cols] + s.offset;
}

template <typename View>
inline void move(const View& X, Sweep& s, Index i, double change) {
    add_row(X, i, change, s.w);
    s.w[X.cols] += change * s.ones;
    s.coordinates[i].beta += change;
}

template <typename View>
void box_visits(const View& X, Sweep& s, std::int32_t* order, Index visits, Index known) {
    for (Index at = 0; at < visits; ++at) {
        const Index i = order[at];
        prefetch_ahead(X, s, order + at, known - at);
        const losses::Coordinate& c = s.coordinates[i];
        const double slope = margin(X, s, i) - c.target + c.ridge * c.beta;
        const double change = losses::BoxDual::step(c, slope, s.epsilon);
        if (change == 0) {
            if (losses::BoxDual::slack(c, slope, s.epsilon) > s.bound) order[at] = -1;
            continue;
        }
        s.largest = larger(s.largest, losses::BoxDual::violation(c, slope, s.epsilon, change));
        s.total += change * change * c.norm;
        move(X, s, i, change);
    }
}

template <typename View>
void logistic_visits(const View& X, Sweep& s, std::int32_t* order, Index visits, Index known) {
    for (Index at = 0; at < visits; ++at) {
        const Index i = order[at];
        prefetch_ahead(X, s, order + at, known - at);
        const losses::Coordinate& c = s.coordinates[i];
        const double y = c.target, alpha = y * c.beta;
        double off;
        double next = losses::LogisticDual::solve(y * margin(X, s, i), c.norm, c.upper, alpha, off);
        const double beyond = next + kBeyondLogistic * (next - alpha);
        if (beyond > 0 && beyond < c.upper) next = beyond;
        s.largest = larger(s.largest, __builtin_fabs(off));
        s.total += off * off * c.norm;
        if (next != alpha) move(X, s, i, y * (next - alpha));
    }
}

template <typename View>
void norms(const View& X, double* out) {
    for (Index i = 0; i < X.rows; ++i) out[i] = squared_norm(X, i);
}

template <typename View>
constexpr SweepKernels::ForView<View> of() {
    return {box_visits<View>, logistic_visits<View>, norms<View>};
}

} // namespace

extern const SweepKernels sweep_kernels;
const SweepKernels sweep_kernels = {
    {of<F32>(), of<F64>(), of<CsrF32I32>(), of<CsrF32I64>(), of<CsrF64I32>(), of<CsrF64I64>()},
};

} // namespace gramian::passes::GRAMIAN_ISA
