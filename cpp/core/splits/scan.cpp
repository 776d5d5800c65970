// Specialised passes over the candidates: criteria of one sum, gini and entropy of several classes,
// errors that depend on the order of the targets.
#include "core/splits/scan.hpp"

#include "core/runtime/isa.hpp"
#include "core/splits/order_errors.hpp"

#include <cstring>

GRAMIAN_DISPATCH(splits, ScanKernels, tree_scan_kernels, scan_table)

namespace gramian::splits {
namespace {

typedef double Two __attribute__((vector_size(16)));

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Repeats the last candidate up to a whole register.
void pad(double* a, Index m) {
    for (Index i = m; i < m + kScanPadding; ++i) a[i] = a[m - 1];
}

} // namespace

// Gini of two classes and squared error: with s the sum of the targets left of a candidate (of
// the class, 0 or 1) and w their weight, the decrease is (W s - w S)^2 / (w (W - w)) / W^2, twice
// that for gini.
template <typename E, SplitSearch::MomentsOf kOf>
Candidate SplitSearch::scan_moments(const E* entries, Pass pass, const TargetsById& targets,
                                    const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const ScanKernels& kernels = scan_table();
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const bool codes = targets.codes != nullptr;
    const double W = node.weight, S = node.sums[codes ? 1 : 0], least = options_.min_weight_leaf;
    const bool limited = kOf == MomentsOf::weighted && least > 0;
    Two sum = {0, 0}; // weight and sum, added together
    const auto add = [&](Index i) {
        const Index id = Entry::id(entries[i]);
        if constexpr (kOf == MomentsOf::weighted) {
            Two one;
            std::memcpy(&one, targets.moments + id, sizeof one);
            sum += one;
        } else {
            sum += Two{1.0, kOf == MomentsOf::codes ? static_cast<double>(targets.codes[id])
                                                    : targets.values[id]};
        }
    };
    if (pass.missing_left) {
        for (Index i = pass.n_known; i < pass.n; ++i) add(i);
    }
    Moment* sums = moments_.data();
    Index* position = order_.data();
    double raw = -kInfinity;
    Candidate found;
    Index i = 0;
    for (; i < std::min(range.low - 1, range.high); ++i) add(i);
    while (i < range.high) {
        const Index end = std::min(range.high, i + kScanBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            std::memcpy(sums + m, &sum, sizeof sum);
            position[m] = i + 1;
            bool candidate = Entry::ranks_differ(entries[i], entries[i + 1]);
            if (limited) candidate &= (sum[0] >= least) & (W - sum[0] >= least);
            m += candidate;
        }
        if (m == 0) continue;
        for (Index k = m; k < m + kScanPadding; ++k) sums[k] = sums[m - 1];
        const Index at = kernels.moments(sums, m, W, S, &raw);
        if (at >= 0) found.position = position[at];
    }
    if (raw > -kInfinity) found.decrease = (codes ? 2 : 1) * raw / (W * W);
    found.missing_left = pass.missing_left;
    return found;
}

// Gini of more classes: the weights of the classes, squared and summed, left and right of a
// candidate.
template <typename E, bool kWeighted>
Candidate SplitSearch::scan_gini(const E* entries, Pass pass, const TargetsById& targets,
                                 const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const ScanKernels& kernels = scan_table();
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const double W = node.weight;
    double* left = left_.data();
    double* right = left_.data() + n_sums_;
    std::fill_n(left, n_sums_, 0.0);
    std::copy_n(node.sums, n_sums_, right);
    double all = 0;
    for (Index k = 0; k < n_sums_; ++k) all += right[k] * right[k];
    double squares_left = 0, squares_right = all, w = 0;
    const auto add = [&](Index i) {
        const Index id = Entry::id(entries[i]);
        const std::uint16_t k = targets.codes[id];
        const double u = kWeighted ? targets.weights[id] : 1.0;
        squares_left += u * (2 * left[k] + u);
        squares_right -= u * (2 * right[k] - u);
        left[k] += u;
        right[k] -= u;
        w += u;
    };
    if (pass.missing_left) {
        for (Index i = pass.n_known; i < pass.n; ++i) add(i);
    }
    double raw = -kInfinity;
    Candidate found;
    Index i = 0;
    for (; i < std::min(range.low - 1, range.high); ++i) add(i);
    while (i < range.high) {
        const Index end = std::min(range.high, i + kScanBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            a_[m] = w;
            b_[m] = squares_left;
            c_[m] = squares_right;
            order_[m] = i + 1;
            bool candidate = Entry::ranks_differ(entries[i], entries[i + 1]);
            if constexpr (kWeighted) {
                candidate &= (w >= options_.min_weight_leaf) & (W - w >= options_.min_weight_leaf);
            }
            m += candidate;
        }
        if (m == 0) continue;
        pad(a_.data(), m);
        pad(b_.data(), m);
        pad(c_.data(), m);
        const Index at = kernels.squares(a_.data(), b_.data(), c_.data(), m, W, &raw);
        if (at >= 0) found.position = order_[at];
    }
    if (raw > -kInfinity) found.decrease = raw / W - all / (W * W);
    found.missing_left = pass.missing_left;
    return found;
}

// Entropy and gain ratio with whole weights: with t(x) = x log2 x from a table, the weighted
// entropy of both sides is t(w) - sum_k t(l_k) + t(W - w) - sum_k t(r_k).
template <typename E, bool kWeighted>
Candidate SplitSearch::scan_entropy(const E* entries, Pass pass, const TargetsById& targets,
                                    const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const EntropyTable& t = *table_;
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const auto W = static_cast<Index>(node.weight);
    double* left = left_.data();
    double* right = left_.data() + n_sums_;
    std::fill_n(left, n_sums_, 0.0);
    std::copy_n(node.sums, n_sums_, right);
    std::int64_t all = 0;
    for (Index k = 0; k < n_sums_; ++k) all += t[static_cast<Index>(right[k])];
    std::int64_t sum = all; // of t over the classes, left and right
    Index w = 0;
    const auto add = [&](Index i) {
        const Index id = Entry::id(entries[i]);
        const std::uint16_t k = targets.codes[id];
        const Index u = kWeighted ? static_cast<Index>(targets.weights[id]) : 1;
        const auto l = static_cast<Index>(left[k]), r = static_cast<Index>(right[k]);
        sum += t[l + u] - t[l] + t[r - u] - t[r];
        left[k] = static_cast<double>(l + u);
        right[k] = static_cast<double>(r - u);
        w += u;
    };
    if (pass.missing_left) {
        for (Index i = pass.n_known; i < pass.n; ++i) add(i);
    }
    const bool ratio = options_.criterion == Criterion::gain_ratio;
    const double least = options_.min_weight_leaf;
    std::int64_t best = std::numeric_limits<std::int64_t>::min();
    double best_ratio = -kInfinity;
    Candidate found;
    for (Index i = 0; i < range.high; ++i) {
        add(i);
        if (i + 1 < range.low || !Entry::ranks_differ(entries[i], entries[i + 1])) continue;
        if (kWeighted &&
            (static_cast<double>(w) < least || node.weight - static_cast<double>(w) < least))
            continue;
        const std::int64_t sides = t[w] + t[W - w];
        if (ratio) {
            const auto gain = static_cast<double>(sum - sides - (all - t[W]));
            const auto split = static_cast<double>(t[W] - sides);
            if (is_better(gain / split, best_ratio)) {
                best_ratio = gain / split;
                found.position = i + 1;
            }
        } else if (sum - sides > best) {
            best = sum - sides;
            found.position = i + 1;
        }
    }
    if (found.position > 0) {
        found.decrease =
            ratio ? best_ratio : static_cast<double>(best - (all - t[W])) / t.unit() / node.weight;
    }
    found.missing_left = pass.missing_left;
    return found;
}

// Absolute and worst error: a forward pass computes the error left of each candidate, a backward
// pass the error right of it.
template <typename E>
Candidate SplitSearch::scan_order(const E* entries, Pass pass, const TargetsById& targets,
                                  const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    Candidate found;
    found.missing_left = pass.missing_left;
    if (range.low > range.high) return found;
    const Index n = pass.n, outputs = targets_.n_outputs;
    std::vector<Index> ids(n);
    for (Index i = 0; i < pass.n_known; ++i) ids[i + range.before] = Entry::id(entries[i]);
    for (Index i = pass.n_known; i < n; ++i) {
        ids[pass.missing_left ? i - pass.n_known : i] = Entry::id(entries[i]);
    }
    std::vector<double> y(n), w(n, 1.0);
    PrefixErrors left(n), right(n);
    const bool worst = options_.criterion == Criterion::worst_error;
    const auto fill = [&](PrefixErrors& out) {
        for (Index o = 0; o < outputs; ++o) {
            for (Index i = 0; i < n; ++i) {
                y[i] = targets.values[ids[i] * outputs + o];
                if (targets.weights) w[i] = targets.weights[ids[i]];
            }
            worst ? out.add_worst(y.data(), o == 0) : out.add_absolute(y.data(), w.data(), o == 0);
        }
        double total = 0;
        for (Index i = 0; i < n; ++i) out.weight[i] = total += w[i];
    };
    fill(left);
    std::reverse(ids.begin(), ids.end());
    fill(right);
    for (Index p = range.low; p <= range.high; ++p) {
        if (!Entry::ranks_differ(entries[p - 1], entries[p])) continue;
        const Index l = p + range.before - 1, r = n - (p + range.before) - 1;
        const double wl = left.weight[l], wr = right.weight[r];
        if (wl < options_.min_weight_leaf || wr < options_.min_weight_leaf) continue;
        if (!options_.monotone.empty() &&
            !allowed(left.center[l], right.center[r], pass.monotone, node))
            continue;
        const double scale = static_cast<double>(outputs);
        const double gain = decrease(wl, left.error[l] / (worst ? scale : scale * wl), wr,
                                     right.error[r] / (worst ? scale : scale * wr), node);
        if (is_better(gain, found.decrease)) {
            found = {gain, p, pass.missing_left, left.center[l], right.center[r]};
        }
    }
    return found;
}

#define GRAMIAN_SCANS(E)                                                                           \
    template Candidate SplitSearch::scan_moments<E, SplitSearch::MomentsOf::codes>(                \
        const E*, Pass, const TargetsById&, const NodeTotals&);                                    \
    template Candidate SplitSearch::scan_moments<E, SplitSearch::MomentsOf::values>(               \
        const E*, Pass, const TargetsById&, const NodeTotals&);                                    \
    template Candidate SplitSearch::scan_moments<E, SplitSearch::MomentsOf::weighted>(             \
        const E*, Pass, const TargetsById&, const NodeTotals&);                                    \
    template Candidate SplitSearch::scan_gini<E, false>(const E*, Pass, const TargetsById&,        \
                                                        const NodeTotals&);                        \
    template Candidate SplitSearch::scan_gini<E, true>(const E*, Pass, const TargetsById&,         \
                                                       const NodeTotals&);                         \
    template Candidate SplitSearch::scan_entropy<E, false>(const E*, Pass, const TargetsById&,     \
                                                           const NodeTotals&);                     \
    template Candidate SplitSearch::scan_entropy<E, true>(const E*, Pass, const TargetsById&,      \
                                                          const NodeTotals&);                      \
    template Candidate SplitSearch::scan_order<E>(const E*, Pass, const TargetsById&,              \
                                                  const NodeTotals&);
GRAMIAN_SCANS(std::uint32_t)
GRAMIAN_SCANS(std::uint64_t)
GRAMIAN_SCANS(NarrowEntry)
#undef GRAMIAN_SCANS

} // namespace gramian::splits
