// Splits of a node by a column of categories: two sets of them, one against the rest, a child each.
#include "core/runtime/random.hpp"
#include "core/tree/grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::tree {

// Categories, a missing value being one more: in the order of their mean target the best two sets
// are neighbours (Fisher 1958; Breiman and others 1984, 4.2.2), for one number or two classes; for
// more classes, the orders by the share of each class are tried.
template <typename E>
bool Grower<E>::look_at_categories(const Sight& sight, Index feature, Scratch& scratch,
                                   Split& best) {
    using Entry = EntryOf<E>;
    const Index n = sight.node.size();
    const E* entries = sorted(sight.node, feature, scratch);
    if (Entry::rank(entries[0]) == Entry::rank(entries[n - 1])) return false;
    if (options_.category_splits == CategorySplits::each) {
        return look_at_each(sight, feature, entries, scratch, best);
    }
    if (options_.category_splits == CategorySplits::one) {
        const Candidate found = scratch.search.best_single(entries, n, sight.targets, sight.totals);
        if (is_better(found.decrease, best.decrease))
            keep_group(sight, feature, found, entries, entries, true, best);
        return true;
    }
    struct Run {
        Index begin, end;
        double response;
    };
    std::vector<Run> runs;
    for (Index i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && Entry::rank(entries[j]) == Entry::rank(entries[i]);) ++j;
        runs.push_back({i, j, 0});
    }
    const Targets& t = context_.targets;
    const Index step = t.classification() ? 1 : 2;
    const bool two_classes = t.classification() && t.n_classes == 2;
    const Index n_sums = scratch.search.n_sums();
    std::vector<double> sums(n_sums * runs.size()), weight(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        weight[r] = scratch.search.add_up(entries + runs[r].begin, runs[r].end - runs[r].begin,
                                          sight.targets, &sums[r * n_sums]);
    }
    std::vector<E> ordered(n), codes(n);
    for (Index k = 0; k < n_sums; k += step) {
        if (two_classes && k % 2 == 0) continue;
        std::vector<std::size_t> order(runs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto response = [&](std::size_t r) { return sums[r * n_sums + k] / weight[r]; };
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return response(a) < response(b); });
        Index at = 0;
        for (std::size_t place = 0; place < order.size(); ++place) {
            const Run& run = runs[order[place]];
            for (Index i = run.begin; i < run.end; ++i, ++at) {
                ordered[at] = Entry::make(static_cast<E>(place), Entry::id(entries[i]));
                codes[at] = entries[i];
            }
        }
        const Candidate found =
            scratch.search.template best<E>(ordered.data(), n, 0, sight.targets, sight.totals, 0);
        if (is_better(found.decrease, best.decrease))
            keep_group(sight, feature, found, ordered.data(), codes.data(), false, best);
    }
    return true;
}

// One child per category. What is gained on the rows whose category is known counts by their share
// (Quinlan 1993, 3); the others follow the heaviest child.
template <typename E>
bool Grower<E>::look_at_each(const Sight& sight, Index feature, const E* entries, Scratch& scratch,
                             Split& best) {
    using Entry = EntryOf<E>;
    SplitSearch& search = scratch.search;
    const Index n = sight.node.size();
    Index known = n;
    while (known > 0 && Entry::rank(entries[known - 1]) == Entry::kMissing) --known;
    std::vector<double> sums(sight.node.sums);
    NodeTotals totals = sight.totals;
    if (known < n) {
        totals.samples = known;
        totals.weight = search.add_up(entries, known, sight.targets, sums.data());
        totals.impurity =
            search.impurity(entries, known, sight.targets, totals.weight, sums.data());
        totals.sums = sums.data();
    }
    const Candidate found = search.each(entries, known, sight.targets, totals);
    const double decrease = found.decrease * totals.weight / sight.totals.weight;
    if (!found.found() || !is_better(decrease, best.decrease)) return true;
    best = {};
    best.decrease = decrease;
    best.kind = NodeKind::each;
    best.feature = static_cast<std::int32_t>(feature);
    double heaviest = -1;
    for (Index i = 0, j; i < known && known < n; i = j) {
        for (j = i + 1; j < known && Entry::rank(entries[j]) == Entry::rank(entries[i]);) ++j;
        const double weight = search.add_up(entries + i, j - i, sight.targets, sums.data());
        if (weight > heaviest) {
            heaviest = weight;
            best.missing = static_cast<std::int32_t>(Entry::rank(entries[i]));
        }
    }
    return true;
}

// Child 0 gets the codes before the candidate, or the single one at it; codes that no row of the
// node has go where the greater weight goes, or to the rest.
template <typename E>
void Grower<E>::keep_group(const Sight& sight, Index feature, const Candidate& candidate,
                           const E* entries, const E* codes, bool single, Split& best) {
    using Entry = EntryOf<E>;
    const Index n = sight.node.size(), levels = context_.columns.levels(feature);
    const auto left = [&](Index i) {
        return single ? Entry::rank(entries[i]) == Entry::rank(entries[candidate.position])
                      : i < candidate.position;
    };
    double weight_left = 0;
    for (Index i = 0; i < n; ++i) {
        if (left(i))
            weight_left +=
                sight.targets.weights ? sight.targets.weights[Entry::id(entries[i])] : 1.0;
    }
    const bool rest_left = !single && weight_left >= sight.totals.weight - weight_left;
    best = {};
    best.decrease = candidate.decrease;
    best.kind = NodeKind::group;
    best.feature = static_cast<std::int32_t>(feature);
    best.value_left = candidate.value_left;
    best.value_right = candidate.value_right;
    best.bits.assign((levels + 63) / 64, rest_left ? ~std::uint64_t{0} : 0);
    for (Index i = 0; i < n; ++i) {
        const E code = Entry::rank(codes[i]);
        if (code == Entry::kMissing) {
            best.missing = left(i) ? 0 : 1;
            continue;
        }
        const std::uint64_t bit = std::uint64_t{1} << (code % 64);
        if (left(i))
            best.bits[code / 64] |= bit;
        else
            best.bits[code / 64] &= ~bit;
    }
}

template class Grower<std::uint32_t>;
template class Grower<std::uint64_t>;

} // namespace gramian::tree
