#include "core/tree/search.hpp"

#include "core/runtime/isa.hpp"
#include "core/tree/order_errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

GRAMIAN_DISPATCH(tree, ScanKernels, tree_scan_kernels, scan_table)

namespace gramian::tree {
namespace {

constexpr Index kBlock = 1024; // candidates that are compared at a time
typedef double Two __attribute__((vector_size(16)));

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The positions between which candidates lie, and how many rows are left of position 0.
struct Range {
    Index low, high, before;

    Range(Index n, Index n_known, bool missing_left, Index least) {
        before = missing_left ? n - n_known : 0;
        low = std::max<Index>(1, least - before);
        high = std::min(n - before - least, missing_left || n_known == n ? n_known - 1 : n_known);
    }
};

// Repeats the last candidate up to a whole register.
void pad(double* a, Index m) {
    for (Index i = m; i < m + kScanPadding; ++i) a[i] = a[m - 1];
}

// Whether a split keeps a constraint of monotony, and the bounds that those above it left.
bool allowed(double left, double right, int monotone, const NodeTotals& node) {
    return left >= node.lower && left <= node.upper && right >= node.lower && right <= node.upper &&
           (monotone == 0 || (left - right) * monotone <= 0);
}

} // namespace

EntropyTable::EntropyTable(Index largest) : values_(largest + 1) {
    const double x = static_cast<double>(std::max<Index>(largest, 2));
    unit_ = std::exp2(60 - std::ceil(std::log2(x * std::log2(x))));
    for (Index i = 1; i <= largest; ++i) {
        values_[i] =
            std::llround(static_cast<double>(i) * std::log2(static_cast<double>(i)) * unit_);
    }
}

SplitSearch::SplitSearch(const GrowOptions& options, const Targets& targets,
                         const EntropyTable* table)
    : options_(options), targets_(targets), table_(table),
      n_sums_(targets.n_outputs * (targets.classification() ? targets.n_classes : 2)),
      left_(2 * n_sums_), a_(kBlock + kScanPadding), b_(kBlock + kScanPadding),
      c_(kBlock + kScanPadding), moments_(kBlock + kScanPadding), order_(kBlock + kScanPadding) {}

bool SplitSearch::by_moments(const GrowOptions& options, const Targets& targets) {
    if (targets.n_outputs > 1 || options.plain_sum || !options.monotone.empty()) return false;
    return options.criterion == Criterion::squared_error ||
           (options.criterion == Criterion::gini && targets.n_classes == 2);
}

// Without weights, rows are their own weight.
Index SplitSearch::fewest(const TargetsById& targets) const {
    return targets.weights ? options_.min_samples_leaf
                           : std::max(options_.min_samples_leaf,
                                      static_cast<Index>(std::ceil(options_.min_weight_leaf)));
}

void SplitSearch::add_row(double* sums, const TargetsById& targets, Index id, double w) const {
    if (targets.codes) {
        for (Index o = 0; o < targets_.n_outputs; ++o) {
            sums[o * targets_.n_classes + targets.codes[id * targets_.n_outputs + o]] += w;
        }
        return;
    }
    for (Index o = 0; o < targets_.n_outputs; ++o) {
        const double y = targets.values[id * targets_.n_outputs + o];
        sums[2 * o] += w * y;
        if (options_.criterion != Criterion::poisson)
            sums[2 * o + 1] += w * y * y;
        else if (y > 0)
            sums[2 * o + 1] += w * y * std::log(y);
    }
}

template <typename E>
double SplitSearch::add_up(const E* entries, Index n, const TargetsById& targets,
                           double* sums) const {
    std::fill_n(sums, n_sums_, 0.0);
    if (!targets.weights && targets.codes && targets_.n_outputs == 1) {
        for (Index i = 0; i < n; ++i) sums[targets.codes[EntryOf<E>::id(entries[i])]] += 1;
        return static_cast<double>(n);
    }
    double total = 0;
    if (targets.codes && targets_.n_outputs == 1) {
        for (Index i = 0; i < n; ++i) {
            const Index id = EntryOf<E>::id(entries[i]);
            sums[targets.codes[id]] += targets.weights[id];
            total += targets.weights[id];
        }
        return total;
    }
    for (Index i = 0; i < n; ++i) {
        const Index id = EntryOf<E>::id(entries[i]);
        const double w = targets.weights ? targets.weights[id] : 1.0;
        add_row(sums, targets, id, w);
        total += w;
    }
    return total;
}

double SplitSearch::impurity_of_sums(const double* sums, double weight) const {
    const Index outputs = targets_.n_outputs, classes = targets_.n_classes;
    if (options_.criterion == Criterion::function) {
        double impurity = 0;
        options_.function({sums, 1, classes}, &impurity);
        return impurity;
    }
    double total = 0;
    for (Index o = 0; o < outputs; ++o) {
        const double* s = sums + o * (targets_.classification() ? classes : 2);
        switch (options_.criterion) {
        case Criterion::gini: {
            double squares = 0;
            for (Index k = 0; k < classes; ++k) squares += (s[k] / weight) * (s[k] / weight);
            total += 1 - squares;
            break;
        }
        case Criterion::entropy:
        case Criterion::gain_ratio:
            for (Index k = 0; k < classes; ++k) {
                if (s[k] > 0) total -= s[k] / weight * std::log2(s[k] / weight);
            }
            break;
        case Criterion::misclassification:
            total += 1 - *std::max_element(s, s + classes) / weight;
            break;
        case Criterion::poisson:
            total += s[0] > 0 ? (s[1] - s[0] * std::log(s[0] / weight)) / weight : kInfinity;
            break;
        default: {
            const double mean = s[0] / weight;
            const double variance = std::max(0.0, s[1] / weight - mean * mean);
            total += options_.criterion == Criterion::deviation ? std::sqrt(variance) : variance;
        }
        }
    }
    return total / static_cast<double>(outputs);
}

// What constraints of monotony look at: the share of the second class, or the mean.
double SplitSearch::center_of_sums(const double* sums, double weight) const {
    return sums[targets_.classification() ? 1 : 0] / weight;
}

double SplitSearch::decrease(double weight_left, double impurity_left, double weight_right,
                             double impurity_right, const NodeTotals& node) const {
    if (options_.criterion == Criterion::worst_error) {
        return node.impurity - std::max(impurity_left, impurity_right);
    }
    if (options_.plain_sum) return node.impurity - (impurity_left + impurity_right);
    const double total = weight_left + weight_right;
    const double left = weight_left / total, right = weight_right / total;
    const double gain = node.impurity - (left * impurity_left + right * impurity_right);
    if (options_.criterion != Criterion::gain_ratio) return gain;
    const double split = -(left * std::log2(left) + right * std::log2(right));
    return split > 0 ? gain / split : -kInfinity;
}

template <typename E>
Candidate SplitSearch::best(const E* entries, Index n, Index n_missing, const TargetsById& targets,
                            const NodeTotals& node, int monotone) {
    const Index n_known = n - n_missing;
    Candidate found = scan(entries, {n, n_known, false, monotone}, targets, node);
    if (n_missing > 0) {
        const Candidate other = scan(entries, {n, n_known, true, monotone}, targets, node);
        if (other.decrease > found.decrease) found = other;
    }
    return found;
}

template <typename E>
Candidate SplitSearch::scan(const E* entries, Pass pass, const TargetsById& targets,
                            const NodeTotals& node) {
    if (by_order()) return scan_order(entries, pass, targets, node);
    const bool plain = targets_.n_outputs == 1 && !options_.plain_sum && options_.monotone.empty();
    const bool weighted = targets.weights != nullptr;
    if (by_moments(options_, targets_)) {
        return weighted        ? scan_moments<E, MomentsOf::weighted>(entries, pass, targets, node)
               : targets.codes ? scan_moments<E, MomentsOf::codes>(entries, pass, targets, node)
                               : scan_moments<E, MomentsOf::values>(entries, pass, targets, node);
    }
    if (plain && options_.criterion == Criterion::gini) {
        return weighted ? scan_gini<E, true>(entries, pass, targets, node)
                        : scan_gini<E, false>(entries, pass, targets, node);
    }
    if (plain && table_) {
        return weighted ? scan_entropy<E, true>(entries, pass, targets, node)
                        : scan_entropy<E, false>(entries, pass, targets, node);
    }
    return scan_sums(entries, pass, targets, node);
}

// Gini of two classes and squared error: with s the sum of the targets left of a candidate (of
// the class, 0 or 1) and w their weight, the decrease is (W s - w S)^2 / (w (W - w)) / W^2, twice
// that for gini.
template <typename E, SplitSearch::MomentsOf kOf>
Candidate SplitSearch::scan_moments(const E* entries, Pass pass, const TargetsById& targets,
                                    const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const ScanKernels& kernels = scan_table();
    const Range range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const bool codes = targets.codes != nullptr;
    const double W = node.weight, S = node.sums[codes ? 1 : 0], least = options_.min_weight_leaf;
    const bool limited = kOf == MomentsOf::weighted && least > 0;
    Two sum = {0, 0}; // weight and sum, added as one
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
        const Index end = std::min(range.high, i + kBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            std::memcpy(sums + m, &sum, sizeof sum);
            position[m] = i + 1;
            bool candidate = Entry::rank(entries[i]) != Entry::rank(entries[i + 1]);
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
    const Range range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
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
        const Index end = std::min(range.high, i + kBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            a_[m] = w;
            b_[m] = squares_left;
            c_[m] = squares_right;
            order_[m] = i + 1;
            bool candidate = Entry::rank(entries[i]) != Entry::rank(entries[i + 1]);
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
    const Range range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
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
        if (i + 1 < range.low || Entry::rank(entries[i]) == Entry::rank(entries[i + 1])) continue;
        if (kWeighted &&
            (static_cast<double>(w) < least || node.weight - static_cast<double>(w) < least))
            continue;
        const std::int64_t sides = t[w] + t[W - w];
        if (ratio) {
            const auto gain = static_cast<double>(sum - sides - (all - t[W]));
            const auto split = static_cast<double>(t[W] - sides);
            if (gain / split > best_ratio) {
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

// Any criterion of sums: both sides of each candidate, one by one.
template <typename E>
Candidate SplitSearch::scan_sums(const E* entries, Pass pass, const TargetsById& targets,
                                 const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const Range range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const Index L = n_sums_;
    rows_left_.resize(kBlock * L);
    rows_right_.resize(kBlock * L);
    std::vector<double> left(L), impurity_left(kBlock), impurity_right(kBlock);
    double w = 0;
    const auto add = [&](Index i) {
        const Index id = Entry::id(entries[i]);
        const double u = targets.weights ? targets.weights[id] : 1.0;
        add_row(left.data(), targets, id, u);
        w += u;
    };
    if (pass.missing_left) {
        for (Index i = pass.n_known; i < pass.n; ++i) add(i);
    }
    Candidate found;
    found.missing_left = pass.missing_left;
    Index i = 0;
    while (i < range.high) {
        const Index end = std::min(range.high, i + kBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            if (i + 1 < range.low || Entry::rank(entries[i]) == Entry::rank(entries[i + 1]) ||
                w < options_.min_weight_leaf || node.weight - w < options_.min_weight_leaf) {
                continue;
            }
            a_[m] = w;
            order_[m] = i + 1;
            for (Index k = 0; k < L; ++k) {
                rows_left_[m * L + k] = left[k];
                rows_right_[m * L + k] = node.sums[k] - left[k];
            }
            ++m;
        }
        if (options_.criterion == Criterion::function && m > 0) {
            options_.function({rows_left_.data(), m, L}, impurity_left.data());
            options_.function({rows_right_.data(), m, L}, impurity_right.data());
        } else {
            for (Index c = 0; c < m; ++c) {
                impurity_left[c] = impurity_of_sums(&rows_left_[c * L], a_[c]);
                impurity_right[c] = impurity_of_sums(&rows_right_[c * L], node.weight - a_[c]);
            }
        }
        for (Index c = 0; c < m; ++c) {
            const double right = node.weight - a_[c];
            const double value_left = center_of_sums(&rows_left_[c * L], a_[c]);
            const double value_right = center_of_sums(&rows_right_[c * L], right);
            if (!options_.monotone.empty() &&
                !allowed(value_left, value_right, pass.monotone, node))
                continue;
            const double gain = decrease(a_[c], impurity_left[c], right, impurity_right[c], node);
            if (gain > found.decrease) {
                found = {gain, order_[c], pass.missing_left, value_left, value_right};
            }
        }
    }
    return found;
}

// Absolute and worst error: what the rows left of each candidate cost, from a pass over the
// entries, and what the rows right of it cost, from a pass back.
template <typename E>
Candidate SplitSearch::scan_order(const E* entries, Pass pass, const TargetsById& targets,
                                  const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const Range range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
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
        if (Entry::rank(entries[p - 1]) == Entry::rank(entries[p])) continue;
        const Index l = p + range.before - 1, r = n - (p + range.before) - 1;
        const double wl = left.weight[l], wr = right.weight[r];
        if (wl < options_.min_weight_leaf || wr < options_.min_weight_leaf) continue;
        if (!options_.monotone.empty() &&
            !allowed(left.center[l], right.center[r], pass.monotone, node))
            continue;
        const double scale = static_cast<double>(outputs);
        const double gain = decrease(wl, left.error[l] / (worst ? scale : scale * wl), wr,
                                     right.error[r] / (worst ? scale : scale * wr), node);
        if (gain > found.decrease) {
            found = {gain, p, pass.missing_left, left.center[l], right.center[r]};
        }
    }
    return found;
}

template <typename E>
Candidate SplitSearch::best_single(const E* entries, Index n, const TargetsById& targets,
                                   const NodeTotals& node) {
    Candidate found;
    std::vector<double> sums(n_sums_), rest(n_sums_);
    std::vector<E> others;
    for (Index i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && EntryOf<E>::rank(entries[j]) == EntryOf<E>::rank(entries[i]);) ++j;
        const Index count = j - i;
        const double w = add_up(entries + i, count, targets, sums.data());
        const double right = node.weight - w;
        if (count < options_.min_samples_leaf ||
            n - count < std::max<Index>(1, options_.min_samples_leaf) ||
            w < options_.min_weight_leaf || right < options_.min_weight_leaf) {
            continue;
        }
        for (Index k = 0; k < n_sums_; ++k) rest[k] = node.sums[k] - sums[k];
        double impurity_right;
        if (by_order()) {
            others.assign(entries, entries + i);
            others.insert(others.end(), entries + j, entries + n);
            impurity_right = impurity(others.data(), n - count, targets, right, rest.data());
        } else {
            impurity_right = impurity_of_sums(rest.data(), right);
        }
        const double gain = decrease(w, impurity(entries + i, count, targets, w, sums.data()),
                                     right, impurity_right, node);
        if (gain > found.decrease) found = {gain, i, false, 0, 0};
    }
    return found;
}

template <typename E>
Candidate SplitSearch::each(const E* entries, Index n, const TargetsById& targets,
                            const NodeTotals& node) {
    std::vector<double> sums(n_sums_);
    double after = 0, split = 0;
    Index children = 0;
    for (Index i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && EntryOf<E>::rank(entries[j]) == EntryOf<E>::rank(entries[i]);) ++j;
        const double w = add_up(entries + i, j - i, targets, sums.data());
        if (j - i < options_.min_samples_leaf || w < options_.min_weight_leaf) return {};
        const double child = impurity(entries + i, j - i, targets, w, sums.data());
        const double share = w / node.weight;
        if (options_.criterion == Criterion::worst_error)
            after = std::max(after, child);
        else
            after += options_.plain_sum ? child : share * child;
        split -= share * std::log2(share);
        ++children;
    }
    if (children < 2) return {};
    Candidate found;
    found.decrease = node.impurity - after;
    if (options_.criterion == Criterion::gain_ratio) found.decrease /= split;
    return found;
}

template <typename E>
double SplitSearch::impurity(const E* entries, Index n, const TargetsById& targets, double weight,
                             const double* sums) {
    if (!by_order()) return impurity_of_sums(sums, weight);
    double total = 0;
    for (Index o = 0; o < targets_.n_outputs; ++o) {
        double center;
        total += order_error(entries, n, targets, o, &center);
    }
    return total / static_cast<double>(targets_.n_outputs);
}

template <typename E>
double SplitSearch::order_error(const E* entries, Index n, const TargetsById& targets, Index output,
                                double* center) {
    std::vector<double> y(n), w(n, 1.0);
    for (Index i = 0; i < n; ++i) {
        const Index id = EntryOf<E>::id(entries[i]);
        y[i] = targets.values[id * targets_.n_outputs + output];
        if (targets.weights) w[i] = targets.weights[id];
    }
    return options_.criterion == Criterion::worst_error
               ? worst_error(y.data(), n, center)
               : absolute_error(y.data(), w.data(), n, center);
}

template <typename E>
void SplitSearch::value(const E* entries, Index n, const TargetsById& targets, double weight,
                        const double* sums, double* out) {
    if (targets_.classification()) {
        for (Index k = 0; k < n_sums_; ++k) out[k] = sums[k] / weight;
        return;
    }
    for (Index o = 0; o < targets_.n_outputs; ++o) {
        if (by_order())
            order_error(entries, n, targets, o, out + o);
        else
            out[o] = sums[2 * o] / weight;
    }
}

#define GRAMIAN_SPLIT_SEARCH(E)                                                                    \
    template Candidate SplitSearch::best(const E*, Index, Index, const TargetsById&,               \
                                         const NodeTotals&, int);                                  \
    template Candidate SplitSearch::best_single(const E*, Index, const TargetsById&,               \
                                                const NodeTotals&);                                \
    template Candidate SplitSearch::each(const E*, Index, const TargetsById&, const NodeTotals&);  \
    template double SplitSearch::add_up(const E*, Index, const TargetsById&, double*) const;       \
    template double SplitSearch::impurity(const E*, Index, const TargetsById&, double,             \
                                          const double*);                                          \
    template void SplitSearch::value(const E*, Index, const TargetsById&, double, const double*,   \
                                     double*);
GRAMIAN_SPLIT_SEARCH(std::uint32_t)
GRAMIAN_SPLIT_SEARCH(std::uint64_t)
#undef GRAMIAN_SPLIT_SEARCH

} // namespace gramian::tree
