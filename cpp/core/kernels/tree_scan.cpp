#include "core/kernels/simd.hpp"
#include "core/tree_search.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

// The first i of the greatest score(i) above *best, or -1. `score(i, Vec)` loads a register.
template <typename Score>
Index first_greatest(Index m, double* best, Score score) {
    constexpr int lanes = kLanes<double>;
    Vec<double> top = broadcast(*best);
    Vec<std::int64_t> at = broadcast<std::int64_t>(-1);
    Vec<std::int64_t> here = {};
    for (int k = 0; k < lanes; ++k) here[k] = k;
    for (Index i = 0; i < m; i += lanes) { // the arrays are padded to whole registers
        const Vec<double> s = score(i);
        const auto better = s > top;
        top = better ? s : top;
        at = better ? here : at;
        here += lanes;
    }
    Index found = -1;
    for (int k = 0; k < lanes; ++k) {
        if (at[k] < 0) continue;
        if (top[k] > *best || (found >= 0 && top[k] == *best && at[k] < found)) {
            *best = top[k];
            found = at[k];
        }
    }
    return found;
}

Index moments(const double* w, const double* s, Index m, double W, double S, double* best) {
    const Vec<double> all = broadcast(W), sum = broadcast(S);
    return first_greatest(m, best, [&](Index i) {
        const Vec<double> wi = load(w + i), si = load(s + i);
        const Vec<double> d = all * si - wi * sum;
        return d * d / (wi * (all - wi));
    });
}

Index squares(const double* w, const double* l, const double* r, Index m, double W, double* best) {
    const Vec<double> all = broadcast(W);
    return first_greatest(m, best, [&](Index i) {
        const Vec<double> wi = load(w + i);
        return load(l + i) / wi + load(r + i) / (all - wi);
    });
}

} // namespace

extern const TreeScanKernels tree_scan_kernels;
const TreeScanKernels tree_scan_kernels = {moments, squares};

} // namespace gramian::GRAMIAN_ISA
