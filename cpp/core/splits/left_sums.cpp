// Criteria that need only the sums of the targets left of a candidate: squared error of one or
// several outputs, gini of two classes.
#include "core/splits/scan.hpp"

namespace gramian::splits {

bool SplitSearch::uses_left_sums(const GrowOptions& options, const Targets& targets) {
    return uses_moments(options, targets) || (options.criterion == Criterion::squared_error &&
                                              !options.plain_sum && options.monotone.empty());
}

// sum_o (W s_o - w S_o)^2 / (w (W - w)), which is proportional to the decrease.
double SplitSearch::raw_decrease(const double* left, double w, const NodeTotals& node) const {
    const double W = node.weight;
    double squares = 0;
    for (Index o = 0; o < targets_.n_outputs; ++o) {
        const double d =
            W * left[o] - w * (targets_.classification() ? node.sums[1] : node.sums[2 * o]);
        squares += d * d;
    }
    return squares / (w * (W - w));
}

double SplitSearch::decrease_of_raw(double raw, const NodeTotals& node) const {
    const double scaled = (targets_.classification() ? 2 : 1) * raw / (node.weight * node.weight);
    return scaled / static_cast<double>(targets_.n_outputs);
}

template <typename E>
double SplitSearch::add_targets(const E* entries, Index begin, Index end,
                                const TargetsById& targets, double w, double* left) const {
    const Index outputs = targets_.n_outputs;
    for (Index i = begin; i < end; ++i) {
        const Index id = EntryOf<E>::id(entries[i]);
        const double u = targets.weights ? targets.weights[id] : 1.0;
        if (targets.codes) {
            left[0] += u * static_cast<double>(targets.codes[id]);
        } else {
            for (Index o = 0; o < outputs; ++o) left[o] += u * targets.values[id * outputs + o];
        }
        w += u;
    }
    return w;
}

template <typename E>
Candidate SplitSearch::evaluate_left(const E* entries, Index n_left, const TargetsById& targets,
                                     const NodeTotals& node) {
    const Index least = std::max<Index>(1, fewest(targets));
    if (n_left < least || node.samples - n_left < least) return {};
    double* left = left_.data();
    std::fill_n(left, targets_.n_outputs, 0.0);
    const double w = add_targets(entries, 0, n_left, targets, 0, left);
    if (w < options_.min_weight_leaf || node.weight - w < options_.min_weight_leaf) return {};
    return {decrease_of_raw(raw_decrease(left, w, node), node), n_left, false, 0, 0};
}

// Squared error of several outputs.
template <typename E>
Candidate SplitSearch::scan_outputs(const E* entries, Pass pass, const TargetsById& targets,
                                    const NodeTotals& node) {
    using Entry = EntryOf<E>;
    const CandidateRange range(pass.n, pass.n_known, pass.missing_left, fewest(targets));
    double* left = left_.data();
    std::fill_n(left, targets_.n_outputs, 0.0);
    double w = 0;
    if (pass.missing_left) w = add_targets(entries, pass.n_known, pass.n, targets, w, left);
    Candidate found;
    found.missing_left = pass.missing_left;
    double raw = found.decrease;
    for (Index i = 0; i < range.high; ++i) {
        w = add_targets(entries, i, i + 1, targets, w, left);
        if (i + 1 < range.low || !Entry::ranks_differ(entries[i], entries[i + 1]) ||
            w < options_.min_weight_leaf || node.weight - w < options_.min_weight_leaf)
            continue;
        const double here = raw_decrease(left, w, node);
        if (!is_better(here, raw)) continue;
        raw = here;
        found.position = i + 1;
    }
    if (found.position > 0) found.decrease = decrease_of_raw(raw, node);
    return found;
}

#define GRAMIAN_LEFT_SUMS(E)                                                                       \
    template Candidate SplitSearch::evaluate_left(const E*, Index, const TargetsById&,             \
                                                  const NodeTotals&);                              \
    template Candidate SplitSearch::scan_outputs(const E*, Pass, const TargetsById&,               \
                                                 const NodeTotals&);
GRAMIAN_LEFT_SUMS(std::uint32_t)
GRAMIAN_LEFT_SUMS(std::uint64_t)
GRAMIAN_LEFT_SUMS(NarrowEntry)
#undef GRAMIAN_LEFT_SUMS

} // namespace gramian::splits
