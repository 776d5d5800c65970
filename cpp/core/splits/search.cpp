#include "core/splits/search.hpp"

#include "core/splits/order_errors.hpp"
#include "core/splits/scan.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::splits {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A sum below this is a rounding error of zero.
constexpr double kLeastSum = 10 * std::numeric_limits<double>::epsilon();

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
      left_(2 * n_sums_), a_(kScanBlock + kScanPadding), b_(kScanBlock + kScanPadding),
      c_(kScanBlock + kScanPadding), moments_(kScanBlock + kScanPadding),
      order_(kScanBlock + kScanPadding) {}

bool SplitSearch::uses_moments(const GrowOptions& options, const Targets& targets) {
    if (targets.n_outputs > 1 || options.plain_sum || !options.monotone.empty()) return false;
    return options.criterion == Criterion::squared_error ||
           (options.criterion == Criterion::gini && targets.n_classes == 2);
}

// Without weights, the weight is the number of rows.
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
            total +=
                s[0] > kLeastSum ? (s[1] - s[0] * std::log(s[0] / weight)) / weight : kInfinity;
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

// The value that monotonic constraints apply to: the proportion of the second class, or the mean.
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
    const double after = left * impurity_left + right * impurity_right;
    const double gain = without_noise(node.impurity - after, node.impurity);
    if (options_.criterion != Criterion::gain_ratio) return gain;
    const double split = -(left * std::log2(left) + right * std::log2(right));
    return split > 0 ? gain / split : -kInfinity;
}

bool SplitSearch::improve(const double* left, double weight_left, const NodeTotals& node,
                          int monotone, Candidate& found) {
    rows_right_.resize(std::max<std::size_t>(rows_right_.size(), n_sums_));
    for (Index k = 0; k < n_sums_; ++k) rows_right_[k] = node.sums[k] - left[k];
    const double weight_right = node.weight - weight_left;
    const double value_left = center_of_sums(left, weight_left);
    const double value_right = center_of_sums(rows_right_.data(), weight_right);
    if (!options_.monotone.empty() && !allowed(value_left, value_right, monotone, node))
        return false;
    const double gain = decrease(weight_left, impurity_of_sums(left, weight_left), weight_right,
                                 impurity_of_sums(rows_right_.data(), weight_right), node);
    if (!is_better(gain, found.decrease)) return false;
    found.decrease = gain;
    found.value_left = value_left;
    found.value_right = value_right;
    return true;
}

template <typename E>
Candidate SplitSearch::best(const E* entries, Index n, Index n_missing, const TargetsById& targets,
                            const NodeTotals& node, int monotone) {
    const Index n_known = n - n_missing;
    Candidate found = scan(entries, {n, n_known, false, monotone}, targets, node);
    if (n_missing > 0) {
        const Candidate other = scan(entries, {n, n_known, true, monotone}, targets, node);
        if (is_better(other.decrease, found.decrease)) found = other;
    }
    return found;
}

template <typename E>
Candidate SplitSearch::scan(const E* entries, Pass pass, const TargetsById& targets,
                            const NodeTotals& node) {
    if (by_order()) return scan_order(entries, pass, targets, node);
    const bool plain = targets_.n_outputs == 1 && !options_.plain_sum && options_.monotone.empty();
    const bool weighted = targets.weights != nullptr;
    if (uses_moments(options_, targets_)) {
        return weighted        ? scan_moments<E, MomentsOf::weighted>(entries, pass, targets, node)
               : targets.codes ? scan_moments<E, MomentsOf::codes>(entries, pass, targets, node)
                               : scan_moments<E, MomentsOf::values>(entries, pass, targets, node);
    }
    if (uses_left_sums(options_, targets_)) return scan_outputs(entries, pass, targets, node);
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

// Any criterion that depends on sums: computes both sides of every candidate.
template <typename E>
Candidate SplitSearch::scan_sums(const E* entries, Pass pass, const TargetsById& targets,
                                 const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    const Index L = n_sums_;
    rows_left_.resize(kScanBlock * L);
    rows_right_.resize(kScanBlock * L);
    impurity_left_.resize(kScanBlock);
    impurity_right_.resize(kScanBlock);
    double* left = left_.data();
    std::fill_n(left, L, 0.0);
    double w = 0;
    const auto add = [&](Index i) {
        const Index id = Entry::id(entries[i]);
        const double u = targets.weights ? targets.weights[id] : 1.0;
        add_row(left, targets, id, u);
        w += u;
    };
    if (pass.missing_left) {
        for (Index i = pass.n_known; i < pass.n; ++i) add(i);
    }
    Candidate found;
    found.missing_left = pass.missing_left;
    Index i = 0;
    while (i < range.high) {
        const Index end = std::min(range.high, i + kScanBlock);
        Index m = 0;
        for (; i < end; ++i) {
            add(i);
            if (i + 1 < range.low || !Entry::ranks_differ(entries[i], entries[i + 1]) ||
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
            options_.function({rows_left_.data(), m, L}, impurity_left_.data());
            options_.function({rows_right_.data(), m, L}, impurity_right_.data());
        } else {
            for (Index c = 0; c < m; ++c) {
                impurity_left_[c] = impurity_of_sums(&rows_left_[c * L], a_[c]);
                impurity_right_[c] = impurity_of_sums(&rows_right_[c * L], node.weight - a_[c]);
            }
        }
        for (Index c = 0; c < m; ++c) {
            const double right = node.weight - a_[c];
            const double value_left = center_of_sums(&rows_left_[c * L], a_[c]);
            const double value_right = center_of_sums(&rows_right_[c * L], right);
            if (!options_.monotone.empty() &&
                !allowed(value_left, value_right, pass.monotone, node))
                continue;
            const double gain = decrease(a_[c], impurity_left_[c], right, impurity_right_[c], node);
            if (is_better(gain, found.decrease)) {
                found = {gain, order_[c], pass.missing_left, value_left, value_right};
            }
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
        if (is_better(gain, found.decrease)) found = {gain, i, false, 0, 0};
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
    template double SplitSearch::add_up(const E*, Index, const TargetsById&, double*) const;       \
    template double SplitSearch::impurity(const E*, Index, const TargetsById&, double,             \
                                          const double*);                                          \
    template void SplitSearch::value(const E*, Index, const TargetsById&, double, const double*,   \
                                     double*);
#define GRAMIAN_CATEGORY_SEARCH(E)                                                                 \
    template Candidate SplitSearch::best_single(const E*, Index, const TargetsById&,               \
                                                const NodeTotals&);                                \
    template Candidate SplitSearch::each(const E*, Index, const TargetsById&, const NodeTotals&);
GRAMIAN_SPLIT_SEARCH(std::uint32_t)
GRAMIAN_SPLIT_SEARCH(std::uint64_t)
GRAMIAN_SPLIT_SEARCH(NarrowEntry)
GRAMIAN_CATEGORY_SEARCH(std::uint32_t)
GRAMIAN_CATEGORY_SEARCH(std::uint64_t)
#undef GRAMIAN_SPLIT_SEARCH
#undef GRAMIAN_CATEGORY_SEARCH

} // namespace gramian::splits
