// Splits of a node on a categorical column: two sets of categories, one category against the rest,
// or one child per category.
#include "core/runtime/random.hpp"
#include "core/tree/grower.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::tree {

// Missing values count as one more category. Sorted by mean target, the best two sets are
// contiguous for regression or two classes (Fisher 1958; Breiman and others 1984, 4.2.2). With more
// classes, the order by the proportion of each class is tried.
template <typename E>
bool Grower<E>::search_categorical(const NodeView& view, Index feature, Scratch& scratch,
                                   Split& best) {
    using Entry = EntryOf<E>;
    const Index n = view.node.size();
    const E* entries = sorted(view.node, feature, scratch);
    if (Entry::rank(entries[0]) == Entry::rank(entries[n - 1])) return false;
    if (options_.category_splits == CategorySplits::each) {
        return search_multiway(view, feature, entries, scratch, best);
    }
    if (options_.category_splits == CategorySplits::one) {
        const Candidate found = scratch.search.best_single(entries, n, view.targets, view.totals);
        if (is_better(found.decrease, best.decrease))
            set_categorical(view, feature, found, entries, entries, true, best);
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
                                          view.targets, &sums[r * n_sums]);
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
            scratch.search.template best<E>(ordered.data(), n, 0, view.targets, view.totals, 0);
        if (is_better(found.decrease, best.decrease))
            set_categorical(view, feature, found, ordered.data(), codes.data(), false, best);
    }
    return true;
}

// One child per category. The decrease on the rows whose category is known is multiplied by their
// proportion (Quinlan 1993, 3); missing values go to the heaviest child.
template <typename E>
bool Grower<E>::search_multiway(const NodeView& view, Index feature, const E* entries,
                                Scratch& scratch, Split& best) {
    using Entry = EntryOf<E>;
    SplitSearch& search = scratch.search;
    const Index n = view.node.size();
    Index known = n;
    while (known > 0 && Entry::rank(entries[known - 1]) == Entry::kMissing) --known;
    std::vector<double> sums(view.node.sums);
    NodeTotals totals = view.totals;
    if (known < n) {
        totals.samples = known;
        totals.weight = search.add_up(entries, known, view.targets, sums.data());
        totals.impurity = search.impurity(entries, known, view.targets, totals.weight, sums.data());
        totals.sums = sums.data();
    }
    const Candidate found = search.each(entries, known, view.targets, totals);
    const double decrease = found.decrease * totals.weight / view.totals.weight;
    if (!found.found() || !is_better(decrease, best.decrease)) return true;
    best = {};
    best.decrease = decrease;
    best.kind = NodeKind::each;
    best.feature = static_cast<std::int32_t>(feature);
    double heaviest = -1;
    for (Index i = 0, j; i < known && known < n; i = j) {
        for (j = i + 1; j < known && Entry::rank(entries[j]) == Entry::rank(entries[i]);) ++j;
        const double weight = search.add_up(entries + i, j - i, view.targets, sums.data());
        if (weight > heaviest) {
            heaviest = weight;
            best.missing = static_cast<std::int32_t>(Entry::rank(entries[i]));
        }
    }
    return true;
}

// Child 0 gets the codes before the candidate, or the single code at it. Codes that no row of the
// node has go to the child of greater weight, or to the child of the other codes.
template <typename E>
void Grower<E>::set_categorical(const NodeView& view, Index feature, const Candidate& candidate,
                                const E* entries, const E* codes, bool single, Split& best) {
    using Entry = EntryOf<E>;
    const Index n = view.node.size(), levels = context_.columns.levels(feature);
    const auto left = [&](Index i) {
        return single ? Entry::rank(entries[i]) == Entry::rank(entries[candidate.position])
                      : i < candidate.position;
    };
    double weight_left = 0;
    for (Index i = 0; i < n; ++i) {
        if (left(i))
            weight_left += view.targets.weights ? view.targets.weights[Entry::id(entries[i])] : 1.0;
    }
    const bool rest_left = !single && weight_left >= view.totals.weight - weight_left;
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
