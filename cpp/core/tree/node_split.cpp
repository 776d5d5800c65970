// Grower's search for the best split of a node: the columns drawn, one after the other.
#include "core/runtime/random.hpp"
#include "core/tree/grower.hpp"
#include "core/tree/small.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::tree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

template <typename E>
typename Grower<E>::Sight Grower<E>::sight(const OpenNode& node) {
    TargetsById targets = rows_->targets;
    if (!context_.lists) {
        const Index n = node.size(), outputs = context_.targets.n_outputs;
        const auto gather = [&](const auto*& in, auto& out, Index width) {
            if (!in) return;
            out.resize(std::max<std::size_t>(out.size(), n * width));
            for (Index i = 0; i < n; ++i) {
                for (Index o = 0; o < width; ++o)
                    out[i * width + o] = in[ids_[node.begin + i] * width + o];
            }
            in = out.data();
        };
        gather(targets.codes, node_codes_, outputs);
        gather(targets.values, node_values_, outputs);
        gather(targets.weights, node_weights_, 1);
        if (context_.buckets)
            targets.moments = take_moments(node);
        else
            gather(targets.moments, node_moments_, 1);
    }
    return {node,
            {node.size(), tree.weight[node.node], tree.impurity[node.node], node.sums.data(),
             node.lower, node.upper},
            targets};
}

template <typename E>
const Moment* Grower<E>::take_moments(const OpenNode& node) {
    const Index n = node.size();
    node_moments_.resize(std::max<std::size_t>(node_moments_.size(), n));
    for (Index i = 0; i < n; ++i)
        node_moments_[i] = moment_of(rows_->targets, ids_[node.begin + i]);
    return node_moments_.data();
}

// As search(), for many rows: some columns at a time are surveyed, then the best of them found.
template <typename E>
Split Grower<E>::search_by_buckets(const OpenNode& node) {
    using Buckets = BucketSearch<E>;
    const Index n = node.size(), wanted = std::min(options_.max_features, n_features_);
    const bool classes = context_.targets.classification();
    const double W = tree.weight[node.node], S = node.sums[classes ? 1 : 0], mean = S / W;
    const std::uint32_t* ids = ids_.data() + node.begin;
    const Moment* const moments = take_moments(node);
    double steepest = std::max(mean, 1 - mean);
    if (!classes) {
        steepest = 0;
        for (Index i = 0; i < n; ++i) {
            const Moment& one = moments[i];
            steepest = std::max(steepest, std::abs(one.s - mean * one.w) / one.w);
        }
    }
    const typename Buckets::Rows rows{
        ids,
        moments,
        {n, W, tree.impurity[node.node], node.sums.data(), node.lower, node.upper},
        S,
        1 / steepest};
    columns_.start(runtime::Philox{options_.seed, context_.tree}.bits(node.path),
                   wanted < n_features_);
    Split best;
    double best_raw = -kInfinity;
    surveys_.resize(Buckets::kTogether);
    for (Index visited = 0; visited < wanted; visited += Buckets::kTogether) {
        const Index together = std::min(Buckets::kTogether, wanted - visited);
        for (Index i = 0; i < together; ++i) columns_.next();
        const bool parallel = in_parallel(n * together);
        for_each(together, parallel, [&](Index i, Scratch& scratch) {
            scratch.ranks.resize(n_);
            surveys_[i].make(rows, ranks_of(columns_[visited + i]), scratch.ranks.data(), options_);
        });
        double least = best_raw;
        for (Index i = 0; i < together; ++i) least = std::max(least, surveys_[i].best());
        Split found[Buckets::kTogether];
        double raw[Buckets::kTogether];
        for_each(together, parallel, [&](Index i, Scratch& scratch) {
            const Index feature = columns_[visited + i];
            raw[i] = -kInfinity;
            if (!surveys_[i].divides()) return;
            const E* entries = scratch.entries.get();
            Candidate candidate =
                surveys_[i].refine(rows, ranks_of(feature), least, scratch.entries.get(),
                                   scratch.spare.get(), options_);
            if (!candidate.found()) return;
            raw[i] = candidate.decrease;
            candidate.decrease = (classes ? 2 : 1) * raw[i] / (W * W);
            keep_number(candidate, feature, false, found[i]);
            const E last = entries[candidate.position - 1], first = entries[candidate.position];
            found[i].last_left = EntryOf<E>::rank(last);
            found[i].low_row = rows_->table_row(ids[EntryOf<E>::id(last)]);
            found[i].high_row = rows_->table_row(ids[EntryOf<E>::id(first)]);
        });
        for (Index i = 0; i < together; ++i) {
            best_raw = std::max(best_raw, raw[i]);
            if (is_better(found[i].decrease, best.decrease)) best = std::move(found[i]);
        }
    }
    return best;
}

template <typename E>
Split Grower<E>::search(const OpenNode& node) {
    static_assert(SmallGrower<Sorted>::kMost < BucketSearch<Sorted>::kFewest);
    if constexpr (!kNarrow) {
        if (small_ && node.size() >= BucketSearch<E>::kFewest) {
            Split split = search_by_buckets(node);
            if (split.feature >= 0) return split; // else there may be one in the columns not drawn
        }
    }
    const Sight seen = sight(node);
    const Index wanted = options_.max_features;
    const bool all = wanted >= n_features_ && !options_.random_split;
    const std::uint64_t random =
        all ? 0 : runtime::Philox{options_.seed, context_.tree}.bits(node.path);
    columns_.start(random, !all);
    const auto draw = [&](Index feature) {
        return mixed(random ^ mixed(static_cast<std::uint64_t>(feature)));
    };
    Split best;
    Index visited = 0, useful = 0;
    if (in_parallel(node.size() * wanted)) {
        std::vector<Split> found(wanted);
        std::vector<char> divides(wanted);
        for (Index i = 0; i < wanted; ++i) columns_.next();
        for_each(wanted, true, [&](Index i, Scratch& scratch) {
            divides[i] = look(seen, columns_[i], draw(columns_[i]), scratch, found[i]);
        });
        for (; visited < wanted; ++visited) {
            useful += divides[visited];
            if (is_better(found[visited].decrease, best.decrease)) best = std::move(found[visited]);
        }
    }
    // A column of one value is no choice: look further until there is one.
    for (; visited < n_features_ && (visited < wanted || useful == 0); ++visited) {
        const Index feature = columns_.next();
        useful += look(seen, feature, draw(feature), *own_, best);
    }
    return best;
}

template <typename E>
RankColumn<typename Grower<E>::Rank> Grower<E>::ranks_of(Index feature) const {
    if (!own_ranks_.empty()) return {own_ranks_.data() + feature, n_features_};
    if constexpr (sizeof(E) == 4)
        return {context_.columns.ranks16(feature), 1};
    else
        return {context_.columns.ranks32(feature), 1};
}

// The entries of a node on a column, ascending.
template <typename E>
const E* Grower<E>::sorted(const OpenNode& node, Index feature, Scratch& scratch) const {
    if (kNarrow || context_.lists) return list(feature) + node.begin;
    if constexpr (!kNarrow) {
        const std::uint32_t* ids = ids_.data() + node.begin;
        const RankColumn<Rank> ranks = ranks_of(feature);
        E* entries = scratch.entries.get();
        for (Index i = 0; i < node.size(); ++i) entries[i] = EntryOf<E>::make(ranks[ids[i]], i);
        const E* result = sort_by_rank(scratch.entries.get(), scratch.spare.get(), node.size());
        if (result != scratch.entries.get()) scratch.entries.swap(scratch.spare);
    }
    return scratch.entries.get();
}

template <typename E>
Index Grower<E>::row_of(const Sight& sight, E entry) const {
    const Index id = EntryOf<E>::id(entry);
    return rows_->table_row(context_.lists ? id : ids_[sight.node.begin + id]);
}

// True where the column divides the node at all; `best` is replaced by a better split.
template <typename E>
bool Grower<E>::look(const Sight& sight, Index feature, std::uint64_t random, Scratch& scratch,
                     Split& best) {
    if constexpr (!kNarrow) {
        if (context_.columns.levels(feature) > 0)
            return look_at_categories(sight, feature, scratch, best);
        if (options_.random_split) return look_at_random(sight, feature, random, scratch, best);
    }
    return look_at_number(sight, feature, scratch, best);
}

template <typename E>
bool Grower<E>::look_at_number(const Sight& sight, Index feature, Scratch& scratch, Split& best) {
    using Entry = EntryOf<E>;
    const Index n = sight.node.size();
    const E* entries = sorted(sight.node, feature, scratch);
    Index known = n;
    bool one_value = false;
    if constexpr (kNarrow) {
        one_value = context_.columns.equal(row_of(sight, entries[0]), row_of(sight, entries[n - 1]),
                                           feature);
    } else {
        if (context_.columns.has_missing(feature)) {
            while (known > 0 && Entry::rank(entries[known - 1]) == Entry::kMissing) --known;
        }
        one_value = known == n && Entry::rank(entries[0]) == Entry::rank(entries[n - 1]);
    }
    if (known == 0 || one_value) return false;
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    const Candidate found =
        scratch.search.best(entries, n, n - known, sight.targets, sight.totals, monotone);
    if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
    const E last = entries[found.position - 1];
    keep_number(found, feature, known < n, best);
    if constexpr (kNarrow)
        best.last_left = static_cast<std::uint64_t>(found.position);
    else
        best.last_left = Entry::rank(last);
    if (found.position < known) {
        best.low_row = row_of(sight, last);
        best.high_row = row_of(sight, entries[found.position]);
    }
    return true;
}

// A threshold above all known values, until there is one between them.
template <typename E>
void Grower<E>::keep_number(const Candidate& found, Index feature, bool any_missing, Split& best) {
    best = {};
    best.decrease = found.decrease;
    best.kind = NodeKind::number;
    best.feature = static_cast<std::int32_t>(feature);
    if (any_missing) best.missing = found.missing_left ? 0 : 1;
    best.threshold = kInfinity;
    best.value_left = found.value_left;
    best.value_right = found.value_right;
}

// A threshold drawn between the least and the greatest value: two ranks, 0 left of it and 1 right.
template <typename E>
bool Grower<E>::look_at_random(const Sight& sight, Index feature, std::uint64_t random,
                               Scratch& scratch, Split& best) {
    using Entry = EntryOf<E>;
    const Columns& columns = context_.columns;
    const Index n = sight.node.size();
    const std::uint32_t* ids = ids_.data() + sight.node.begin;
    scratch.values.resize(std::max<std::size_t>(scratch.values.size(), n));
    double* const x = scratch.values.data();
    double low = kInfinity, high = -kInfinity;
    Index known = 0;
    for (Index i = 0; i < n; ++i) {
        x[i] = columns.value(rows_->table_row(ids[i]), feature);
        low = x[i] < low ? x[i] : low; // a NaN is passed over
        high = x[i] > high ? x[i] : high;
        known += x[i] == x[i];
    }
    if (!(low < high)) return false;
    const double share = static_cast<double>(random >> 11) * 0x1.0p-53;
    double threshold = low + share * (high - low);
    if (!(threshold < high)) threshold = low;
    // Left ones first, then right ones, then missing ones.
    Index left = 0;
    E* out = scratch.entries.get();
    for (Index i = 0; i < n; ++i) {
        out[left] = Entry::make(0, i);
        left += x[i] <= threshold;
    }
    if (known == n && SplitSearch::by_left_sums(options_, context_.targets)) {
        const Candidate found = scratch.search.of_left(out, left, sight.targets, sight.totals);
        if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
        keep_number(found, feature, false, best);
        best.threshold = threshold;
        return true;
    }
    Index at = left;
    for (Index i = 0; i < n && at < known; ++i) {
        if (x[i] > threshold) out[at++] = Entry::make(1, i);
    }
    for (Index i = 0; at < n; ++i) {
        if (x[i] != x[i]) out[at++] = Entry::make(Entry::kMissing, i);
    }
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    const Candidate found =
        scratch.search.template best<E>(out, n, n - known, sight.targets, sight.totals, monotone);
    if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
    keep_number(found, feature, known < n, best);
    if (found.position < known) best.threshold = threshold;
    return true;
}

template class Grower<std::uint32_t>;
template class Grower<std::uint64_t>;
template Split Grower<NarrowEntry>::search(const OpenNode&);

} // namespace gramian::tree
