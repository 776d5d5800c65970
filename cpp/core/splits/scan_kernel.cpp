#include "core/simd/register.hpp"
#include "core/splits/search.hpp"

#include <algorithm>

namespace gramian::splits::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kPlainOrder[] = {0, 1, 2, 3};
constexpr int kPairOrder[] = {0, kLanes<double> == 4 ? 2 : 1, 1, 3};

// The first i of the greatest score, up to kTie, that is better than *best, or -1. score(i) gives
// those of a register, whose lane k belongs to i + order[k].
template <typename Score>
Index first_greatest(Index m, double* best, const int* order, Score score) {
    constexpr int lanes = kLanes<double>;
    const Vec<double> more = broadcast(1 + kTie); // scores are not negative
    Vec<double> top = broadcast(*best), bar = top * more;
    Vec<std::int64_t> at = broadcast<std::int64_t>(-1);
    Vec<std::int64_t> here = {};
    for (int k = 0; k < lanes; ++k) here[k] = order[k];
    for (Index i = 0; i < m; i += lanes) { // the arrays are padded to whole registers
        const Vec<double> s = score(i);
        const auto better = s > bar;
        top = better ? s : top;
        bar = better ? s * more : bar;
        at = better ? here : at;
        here += lanes;
    }
    double greatest = *best;
    for (int k = 0; k < lanes; ++k) greatest = std::max(greatest, top[k]);
    Index found = -1;
    for (int k = 0; k < lanes; ++k) {
        if (at[k] < 0 || is_better(greatest, top[k]) || (found >= 0 && at[k] > found)) continue;
        *best = top[k];
        found = at[k];
    }
    return found;
}

// The weights and the sums of as many candidates as a register holds doubles. Where it holds four,
// they come in the order 0, 2, 1, 3.
inline void split_pairs(const Moment* p, Vec<double>& w, Vec<double>& s) {
    const auto* numbers = reinterpret_cast<const double*>(p);
    const Vec<double> a = load(numbers), b = load(numbers + kLanes<double>);
#if defined(GRAMIAN_ISA_IS_v3)
    w = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    s = __builtin_shufflevector(a, b, 1, 5, 3, 7);
#else
    w = __builtin_shufflevector(a, b, 0, 2);
    s = __builtin_shufflevector(a, b, 1, 3);
#endif
}

Index moments(const Moment* sums, Index m, double W, double S, double* best) {
    const Vec<double> all = broadcast(W), sum = broadcast(S);
    const Index found = first_greatest(m, best, kPairOrder, [&](Index i) {
        Vec<double> w, s;
        split_pairs(sums + i, w, s);
        const Vec<double> d = all * s - w * sum;
        return d * d / (w * (all - w));
    });
    return found < m ? found : m - 1; // the repeated last one
}

Index squares(const double* w, const double* l, const double* r, Index m, double W, double* best) {
    const Vec<double> all = broadcast(W);
    return first_greatest(m, best, kPlainOrder, [&](Index i) {
        const Vec<double> wi = load(w + i);
        return load(l + i) / wi + load(r + i) / (all - wi);
    });
}

} // namespace

extern const ScanKernels tree_scan_kernels;
const ScanKernels tree_scan_kernels = {moments, squares};

} // namespace gramian::splits::GRAMIAN_ISA
