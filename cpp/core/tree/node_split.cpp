// Grower's search for the best split of a node.
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
typename Grower<E>::NodeView Grower<E>::node_view(const OpenNode& node) {
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

// The same as search(), for many rows: the candidates between buckets of several columns are
// compared first, then the rows of the buckets that may hold a better one are sorted.
template <typename E>
Split Grower<E>::search_by_buckets(const OpenNode& node) {
    using Buckets = BucketSearch<E>;
    const Index n = node.size(), wanted = std::min(options_.max_features, n_features_);
    const bool classes = context_.targets.classification();
    const double W = tree.weight[node.node], S = node.sums[classes ? 1 : 0], mean = S / W;
    const std::uint32_t* ids = ids_.data() + node.begin;
    const Moment* const moments = take_moments(node);
    double max_deviation = std::max(mean, 1 - mean);
    if (!classes) {
        max_deviation = 0;
        for (Index i = 0; i < n; ++i) {
            const Moment& one = moments[i];
            max_deviation = std::max(max_deviation, std::abs(one.s - mean * one.w) / one.w);
        }
    }
    const typename Buckets::Rows rows{
        ids,
        moments,
        {n, W, tree.impurity[node.node], node.sums.data(), node.lower, node.upper},
        S,
        1 / max_deviation};
    columns_.start(runtime::Philox{options_.seed, context_.tree}.bits(node.path),
                   wanted < n_features_);
    Split best;
    double best_raw = -kInfinity;
    column_searches_.resize(Buckets::kColumnsAtOnce);
    for (Index visited = 0; visited < wanted; visited += Buckets::kColumnsAtOnce) {
        const Index together = std::min(Buckets::kColumnsAtOnce, wanted - visited);
        for (Index i = 0; i < together; ++i) columns_.next();
        const bool parallel = in_parallel(n * together);
        for_each(together, parallel, [&](Index i, Scratch& scratch) {
            scratch.ranks.resize(n_);
            column_searches_[i].make(rows, ranks_of(columns_[visited + i]), scratch.ranks.data(),
                                     options_);
        });
        double least = best_raw;
        for (Index i = 0; i < together; ++i) least = std::max(least, column_searches_[i].best());
        Split found[Buckets::kColumnsAtOnce];
        double raw[Buckets::kColumnsAtOnce];
        for_each(together, parallel, [&](Index i, Scratch& scratch) {
            const Index feature = columns_[visited + i];
            raw[i] = -kInfinity;
            if (!column_searches_[i].divides()) return;
            const E* entries = scratch.entries.get();
            Candidate candidate =
                column_searches_[i].refine(rows, ranks_of(feature), least, scratch.entries.get(),
                                           scratch.spare.get(), options_);
            if (!candidate.found()) return;
            raw[i] = candidate.decrease;
            candidate.decrease = (classes ? 2 : 1) * raw[i] / (W * W);
            set_numeric(candidate, feature, false, found[i]);
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
    static_assert(SmallGrower<Sorted>::kMost < BucketSearch<Sorted>::kMinRows);
    if constexpr (!kNarrow) {
        if (small_ && node.size() >= BucketSearch<E>::kMinRows) {
            Split split = search_by_buckets(node);
            if (split.feature >= 0)
                return split; // otherwise the columns that were not drawn may have a split
        }
    }
    const NodeView view = node_view(node);
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
            divides[i] = search_column(view, columns_[i], draw(columns_[i]), scratch, found[i]);
        });
        for (; visited < wanted; ++visited) {
            useful += divides[visited];
            if (is_better(found[visited].decrease, best.decrease)) best = std::move(found[visited]);
        }
    }
    // Constant columns do not count: continue until one column can be split.
    for (; visited < n_features_ && (visited < wanted || useful == 0); ++visited) {
        const Index feature = columns_.next();
        useful += search_column(view, feature, draw(feature), *main_scratch_, best);
    }
    return best;
}

template <typename E>
RankColumn<typename Grower<E>::Rank> Grower<E>::ranks_of(Index feature) const {
    if (!local_ranks_.empty()) return {local_ranks_.data() + feature, n_features_};
    if constexpr (sizeof(E) == 4)
        return {context_.columns.ranks16(feature), 1};
    else
        return {context_.columns.ranks32(feature), 1};
}

// The entries of a column in a node, ascending.
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
Index Grower<E>::row_of(const NodeView& view, E entry) const {
    const Index id = EntryOf<E>::id(entry);
    return rows_->table_row(context_.lists ? id : ids_[view.node.begin + id]);
}

// Replaces `best` by the best split on a column if that is better. Returns whether the column has
// two different values in the node.
template <typename E>
bool Grower<E>::search_column(const NodeView& view, Index feature, std::uint64_t random,
                              Scratch& scratch, Split& best) {
    if constexpr (!kNarrow) {
        if (context_.columns.levels(feature) > 0)
            return search_categorical(view, feature, scratch, best);
        if (options_.random_split)
            return search_random_threshold(view, feature, random, scratch, best);
    }
    return search_numeric(view, feature, scratch, best);
}

template <typename E>
bool Grower<E>::search_numeric(const NodeView& view, Index feature, Scratch& scratch, Split& best) {
    using Entry = EntryOf<E>;
    const Index n = view.node.size();
    const E* entries = sorted(view.node, feature, scratch);
    Index known = n;
    bool one_value = false;
    if constexpr (kNarrow) {
        one_value =
            context_.columns.equal(row_of(view, entries[0]), row_of(view, entries[n - 1]), feature);
    } else {
        if (context_.columns.has_missing(feature)) {
            while (known > 0 && Entry::rank(entries[known - 1]) == Entry::kMissing) --known;
        }
        one_value = known == n && Entry::rank(entries[0]) == Entry::rank(entries[n - 1]);
    }
    if (known == 0 || one_value) return false;
    const int monotone = options_.monotone.empty() ? 0 : options_.monotone[feature];
    const Candidate found =
        scratch.search.best(entries, n, n - known, view.targets, view.totals, monotone);
    if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
    const E last = entries[found.position - 1];
    set_numeric(found, feature, known < n, best);
    if constexpr (kNarrow)
        best.last_left = static_cast<std::uint64_t>(found.position);
    else
        best.last_left = Entry::rank(last);
    if (found.position < known) {
        best.low_row = row_of(view, last);
        best.high_row = row_of(view, entries[found.position]);
    }
    return true;
}

// The threshold is infinite, above all known values, unless the caller sets another one.
template <typename E>
void Grower<E>::set_numeric(const Candidate& found, Index feature, bool any_missing, Split& best) {
    best = {};
    best.decrease = found.decrease;
    best.kind = NodeKind::number;
    best.feature = static_cast<std::int32_t>(feature);
    if (any_missing) best.missing = found.missing_left ? 0 : 1;
    best.threshold = kInfinity;
    best.value_left = found.value_left;
    best.value_right = found.value_right;
}

// A random threshold between the smallest and the largest value. Rows left of it get rank 0, the
// others rank 1.
template <typename E>
bool Grower<E>::search_random_threshold(const NodeView& view, Index feature, std::uint64_t random,
                                        Scratch& scratch, Split& best) {
    using Entry = EntryOf<E>;
    const Columns& columns = context_.columns;
    const Index n = view.node.size();
    const std::uint32_t* ids = ids_.data() + view.node.begin;
    scratch.values.resize(std::max<std::size_t>(scratch.values.size(), n));
    double* const x = scratch.values.data();
    double low = kInfinity, high = -kInfinity;
    Index known = 0;
    for (Index i = 0; i < n; ++i) {
        x[i] = columns.value(rows_->table_row(ids[i]), feature);
        low = x[i] < low ? x[i] : low; // ignores NaN
        high = x[i] > high ? x[i] : high;
        known += x[i] == x[i];
    }
    if (!(low < high)) return false;
    const double share = static_cast<double>(random >> 11) * 0x1.0p-53;
    double threshold = low + share * (high - low);
    if (!(threshold < high)) threshold = low;
    // Rows on the left first, then those on the right, then missing values.
    Index left = 0;
    E* out = scratch.entries.get();
    for (Index i = 0; i < n; ++i) {
        out[left] = Entry::make(0, i);
        left += x[i] <= threshold;
    }
    if (known == n && SplitSearch::uses_left_sums(options_, context_.targets)) {
        const Candidate found = scratch.search.evaluate_left(out, left, view.targets, view.totals);
        if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
        set_numeric(found, feature, false, best);
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
        scratch.search.template best<E>(out, n, n - known, view.targets, view.totals, monotone);
    if (!found.found() || !is_better(found.decrease, best.decrease)) return true;
    set_numeric(found, feature, known < n, best);
    if (found.position < known) best.threshold = threshold;
    return true;
}

template class Grower<std::uint32_t>;
template class Grower<std::uint64_t>;
template Split Grower<NarrowEntry>::search(const OpenNode&);

} // namespace gramian::tree
