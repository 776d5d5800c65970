#include "core/tree/grower.hpp"

#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"
#include "core/tree/small.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gramian::tree {

// SplitMix64's mixing function (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

ColumnOrder::ColumnOrder(Index n) : columns_(n) {
    std::iota(columns_.begin(), columns_.end(), std::uint32_t{0});
}

void ColumnOrder::start(std::uint64_t random, bool mixed) {
    if (mixed_) { // undo the swaps, the last one first
        while (passed_ > 0) {
            --passed_;
            std::swap(columns_[passed_], columns_[swapped_[passed_]]);
        }
    }
    passed_ = 0;
    swapped_.clear();
    state_ = random;
    mixed_ = mixed;
}

Index ColumnOrder::next() {
    if (mixed_) {
        state_ = mixed(state_);
        const auto left = static_cast<std::uint64_t>(size() - passed_);
        const auto k = static_cast<Index>(static_cast<unsigned __int128>(state_) * left >> 64);
        swapped_.push_back(static_cast<std::uint32_t>(passed_ + k));
        std::swap(columns_[passed_], columns_[passed_ + k]);
    }
    return columns_[passed_++];
}

bool searches_by_buckets(const Columns& columns, const Targets& targets,
                         const GrowOptions& options) {
    if (options.random_split || options.max_leaf_nodes > 0 ||
        !SplitSearch::uses_moments(options, targets))
        return false;
    for (Index j = 0; j < columns.cols(); ++j) {
        if (columns.levels(j) > 0 || columns.has_missing(j)) return false;
    }
    return true;
}

bool may_divide(const GrowRules& context, Index depth, Index samples, double weight,
                const double* value) {
    const GrowOptions& options = context.options;
    if (depth >= options.max_depth || samples < options.min_samples_split ||
        samples < 2 * options.min_samples_leaf || weight < 2 * options.min_weight_leaf) {
        return false;
    }
    if (!context.targets.classification() || options.max_purity >= 1) return true;
    const Index classes = context.targets.n_classes;
    for (Index o = 0; o < context.targets.n_outputs; ++o) {
        const double* shares = value + o * classes;
        if (*std::max_element(shares, shares + classes) < options.max_purity) return true;
    }
    return false;
}

bool decreases_enough(const GrowRules& context, double weight, double impurity, double after) {
    const double decrease = weight / context.total_weight * (impurity - after);
    return decrease + std::numeric_limits<double>::epsilon() >=
           context.options.min_impurity_decrease;
}

std::uint64_t child_path(std::uint64_t path, Index child) {
    return mixed(path ^ mixed(static_cast<std::uint64_t>(child) + 1));
}

LocalRows::LocalRows(const GrowContext& context)
    : n(context.columns.rows()),
      targets{context.targets.codes, context.targets.values, context.targets.weights} {
    make_moments(context);
}

LocalRows::LocalRows(const GrowContext& context, std::vector<std::uint32_t> rows)
    : n(static_cast<Index>(rows.size())), row(std::move(rows)) {
    const Targets& t = context.targets;
    const auto take = [&](const auto* in, auto& out, Index width) {
        if (!in) return;
        out.resize(n * width);
        for (Index i = 0; i < n; ++i)
            std::copy_n(in + row[i] * width, width, out.data() + i * width);
    };
    take(t.codes, codes, t.n_outputs);
    take(t.values, values, t.n_outputs);
    take(t.weights, weights, 1);
    targets = {t.codes ? codes.data() : nullptr, t.values ? values.data() : nullptr,
               t.weights ? weights.data() : nullptr};
    make_moments(context);
}

void LocalRows::make_moments(const GrowContext& context) {
    if (context.buckets || !targets.weights || // of a node they are made when it is searched
        !SplitSearch::uses_moments(context.options, context.targets))
        return;
    moments.resize(n);
    for (Index i = 0; i < n; ++i) {
        moments[i] = moment_of(targets, i);
    }
    targets.moments = moments.data();
}

template <typename E>
Grower<E>::Grower(const GrowContext& context, std::shared_ptr<const LocalRows> rows, bool parallel)
    : context_(context), options_(context.options), n_features_(context.columns.cols()),
      rows_(std::move(rows)), parallel_(parallel), columns_(n_features_) {}

template <typename E>
Grower<E>::~Grower() {} // here, where SmallGrower is complete

namespace {

// The rank of an entry copied from another list: the code of a category, the mark of a missing
// value, or the number of smaller values.
template <typename E, typename F>
E rank_in_list(F entry, std::uint32_t dense, bool code) {
    if constexpr (!std::is_same_v<F, NarrowEntry>) {
        const F rank = EntryOf<F>::rank(entry);
        if (rank == EntryOf<F>::kMissing) return EntryOf<E>::kMissing;
        if (code) return static_cast<E>(rank);
    }
    return dense;
}

} // namespace

template <typename E>
template <typename F>
void Grower<E>::take_lists(const std::function<const F*(Index)>& in, Index count,
                           const std::uint32_t* local) {
    n_ = rows_->n;
    lists_ = std::make_unique_for_overwrite<E[]>(n_ * n_features_);
    side_.resize(n_);
    runtime::parallel_for(
        n_features_,
        [&](Index j) {
            const F* from = in(j);
            E* out = lists_.get() + j * n_;
            const bool codes = context_.columns.levels(j) > 0;
            std::uint32_t dense = 0;
            F last{};
            bool any = false, ranks_differ = false;
            for (Index i = 0; i < count; ++i) {
                const F entry = from[i];
                const std::uint32_t id = local ? local[EntryOf<F>::id(entry)]
                                               : static_cast<std::uint32_t>(EntryOf<F>::id(entry));
                ranks_differ |= EntryOf<F>::ranks_differ(last, entry);
                last = entry;
                if (id == kAbsent) continue;
                ranks_differ &= any;
                dense += ranks_differ;
                if constexpr (kNarrow)
                    *out++ = EntryOf<E>::make(ranks_differ, id);
                else
                    *out++ = EntryOf<E>::make(rank_in_list<E>(entry, dense, codes), id);
                any = true;
                ranks_differ = false;
            }
        },
        in_parallel(n_ * n_features_) ? 0 : 1);
    main_scratch_ = std::make_unique<Scratch>(context_, n_);
}

template <typename E>
void Grower<E>::make_lists() {
    n_ = rows_->n;
    lists_ = std::make_unique_for_overwrite<E[]>(n_ * n_features_);
    side_.resize(n_);
    context_.columns.write_lists(rows_->row.empty() ? nullptr : rows_->row.data(), n_,
                                 lists_.get());
    main_scratch_ = std::make_unique<Scratch>(context_, n_);
}

template <typename E>
void Grower<E>::take_ids(std::vector<std::uint32_t> ids) {
    ids_ = std::move(ids);
    n_ = static_cast<Index>(ids_.size());
    spare_ids_.resize(n_);
    main_scratch_ = std::make_unique<Scratch>(context_, n_);
    if (context_.buckets) {
        small_ = std::make_unique<SmallGrower<E>>(context_, *rows_, ranks_of(0),
                                                  local_ranks_.empty() ? rows_->n : 1,
                                                  main_scratch_->search);
    } else {
        side_.resize(n_);
        plain_entries_.resize(n_);
    }
}

template <typename E>
void Grower<E>::take_all() {
    std::vector<std::uint32_t> all(rows_->n);
    std::iota(all.begin(), all.end(), 0U);
    take_ids(std::move(all));
}

template <typename E>
void Grower<E>::copy_ranks_of_rows() {
    const Index n = rows_->n;
    std::vector<Rank> ranks(n * n_features_);
    if constexpr (sizeof(Rank) == 2) {
        const std::uint16_t* by_row = context_.columns.ranks16_by_row();
        for (Index i = 0; i < n; ++i) {
            std::copy_n(by_row + rows_->row[i] * n_features_, n_features_,
                        ranks.data() + i * n_features_);
        }
    } else {
        for (Index j = 0; j < n_features_; ++j) {
            const RankColumn<Rank> from = ranks_of(j);
            for (Index i = 0; i < n; ++i) ranks[i * n_features_ + j] = from[rows_->row[i]];
        }
    }
    local_ranks_ = std::move(ranks);
    take_all();
}

template <typename E>
void Grower<E>::rerank() {
    using Wide = EntryOf<std::uint64_t>;
    const Index n = rows_->n;
    local_ranks_.resize(n * n_features_);
    std::vector<std::uint64_t> entries(n + kSortPadding), spare(n + kSortPadding);
    for (Index j = 0; j < n_features_; ++j) {
        const std::uint32_t* const ranks = context_.columns.ranks32(j);
        for (Index i = 0; i < n; ++i) entries[i] = Wide::make(ranks[rows_->row[i]], i);
        const std::uint64_t* const sorted = sort_by_rank(entries.data(), spare.data(), n);
        Rank rank = 0;
        for (Index i = 0; i < n; ++i) {
            if (i > 0 && Wide::rank(sorted[i]) != Wide::rank(sorted[i - 1])) ++rank;
            local_ranks_[Wide::id(sorted[i]) * n_features_ + j] = rank;
        }
    }
    take_all();
}

template <typename E>
Index Grower<E>::add_node() {
    const Index node = tree.size();
    tree.first_child.push_back(0);
    tree.n_children.push_back(0);
    tree.kind.push_back(static_cast<std::uint8_t>(NodeKind::leaf));
    tree.feature.push_back(-1);
    tree.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
    tree.bit_start.push_back(0);
    tree.missing.push_back(0);
    tree.samples.push_back(0);
    tree.weight.push_back(0);
    tree.impurity.push_back(0);
    tree.value.resize(tree.value.size() + context_.targets.n_outputs * context_.targets.n_classes);
    return node;
}

template <typename E>
bool Grower<E>::pure(const E* entries, Index n) const {
    const Index outputs = context_.targets.n_outputs;
    const TargetsById& t = rows_->targets;
    const Index first = EntryOf<E>::id(entries[0]) * outputs;
    for (Index i = 1; i < n; ++i) {
        const Index other = EntryOf<E>::id(entries[i]) * outputs;
        for (Index o = 0; o < outputs; ++o) {
            if (t.codes ? t.codes[first + o] != t.codes[other + o]
                        : t.values[first + o] != t.values[other + o]) {
                return false;
            }
        }
    }
    return true;
}

// Computes the totals of a node; true if it may be split. Its rows are those of row_list_ or ids_.
template <typename E>
bool Grower<E>::describe(OpenNode& node) {
    if (small_) return describe_moments(node);
    const Index n = node.size();
    const E* entries = plain_entries_.data();
    if (context_.lists) {
        entries = row_list_ + node.begin;
    } else {
        for (Index i = 0; i < n; ++i) plain_entries_[i] = EntryOf<E>::make(0, ids_[node.begin + i]);
    }
    SplitSearch& s = main_scratch_->search;
    node.sums.resize(s.n_sums());
    const double weight = s.add_up(entries, n, rows_->targets, node.sums.data());
    const Index width = context_.targets.n_outputs * context_.targets.n_classes;
    double* value = tree.value.data() + node.node * width;
    s.value(entries, n, rows_->targets, weight, node.sums.data(), value);
    const bool is_pure = pure(entries, n);
    if (is_pure && rows_->targets.values) { // the exact value, without the rounding of a mean
        std::copy_n(rows_->targets.values + EntryOf<E>::id(entries[0]) * width, width, value);
    }
    tree.samples[node.node] = n;
    tree.weight[node.node] = weight;
    tree.impurity[node.node] =
        is_pure && options_.criterion != Criterion::function
            ? 0.0
            : s.impurity(entries, n, rows_->targets, weight, node.sums.data());
    if (!options_.monotone.empty()) {
        if (context_.targets.classification()) {
            value[1] = std::clamp(value[1], node.lower, node.upper);
            value[0] = 1 - value[1];
        } else {
            value[0] = std::clamp(value[0], node.lower, node.upper);
        }
    }
    return !is_pure && may_divide(context_, node.depth, n, weight, value);
}

// The same as describe(), in one pass over the rows.
template <typename E>
bool Grower<E>::describe_moments(OpenNode& node) {
    const Index n = node.size(), width = context_.targets.n_classes;
    const std::uint32_t* ids = ids_.data() + node.begin;
    const TargetsById& t = rows_->targets;
    double weight = 0, sums[2] = {0, 0};
    bool is_pure = true;
    for (Index i = 0; i < n; ++i) {
        const Moment one = moment_of(t, ids[i]);
        weight += one.w;
        if (t.codes) {
            sums[0] += one.w - one.s;
            sums[1] += one.s;
        } else {
            sums[0] += one.s;
            sums[1] += one.s * t.values[ids[i]];
            is_pure &= t.values[ids[i]] == t.values[ids[0]];
        }
    }
    if (t.codes) is_pure = sums[0] == 0 || sums[1] == 0;
    node.sums.assign(sums, sums + 2);
    double* value = tree.value.data() + node.node * width;
    SplitSearch& s = main_scratch_->search;
    s.template value<E>(nullptr, n, t, weight, sums, value);
    if (is_pure && t.values) value[0] = t.values[ids[0]];
    tree.samples[node.node] = n;
    tree.weight[node.node] = weight;
    tree.impurity[node.node] = is_pure ? 0.0 : s.template impurity<E>(nullptr, n, t, weight, sums);
    return !is_pure && may_divide(context_, node.depth, n, weight, value);
}

template <typename E>
void Grower<E>::grow(std::uint64_t path, Index depth, double lower, double upper, Index cutoff) {
    OpenNode root{add_node(), 0, n_, depth, path, {}, lower, upper};
    row_list_ = lists_.get();
    if (!describe(root)) return;
    if (options_.max_leaf_nodes > 0)
        grow_best_first(std::move(root));
    else
        grow_depth_first(std::move(root), cutoff);
}

// Checks for an interrupt once per 4096 rows.
template <typename E>
void Grower<E>::poll(const OpenNode& node) {
    constexpr Index often = 4096;
    rows_since_poll_ += node.size();
    if (rows_since_poll_ < often) return;
    rows_since_poll_ = 0;
    runtime::poll_interrupt();
}

template <typename E>
void Grower<E>::grow_depth_first(OpenNode root, Index cutoff) {
    std::vector<OpenNode> waiting;
    waiting.push_back(std::move(root));
    while (!waiting.empty()) {
        const OpenNode node = std::move(waiting.back());
        waiting.pop_back();
        poll(node);
        if (small_ && node.size() <= SmallGrower<Sorted>::kMost) {
            small_->grow(node, ids_.data() + node.begin, tree);
            continue;
        }
        const Split split = search(node);
        if (split.feature < 0 || !divide(node, split)) continue;
        for (auto child = children_.rbegin(); child != children_.rend(); ++child) {
            (child->size() <= cutoff ? deferred : waiting).push_back(std::move(*child));
        }
    }
}

// Splits the node with the largest weighted decrease of impurity first.
template <typename E>
void Grower<E>::grow_best_first(OpenNode root) {
    struct Ready {
        OpenNode node;
        Split split;
        double gain;
        Index number;
    };
    const auto later = [](const Ready& a, const Ready& b) {
        return a.gain < b.gain || (a.gain == b.gain && a.number > b.number);
    };
    std::vector<Ready> heap;
    Index number = 0;
    const auto push = [&](OpenNode node) {
        poll(node);
        Split split = search(node);
        if (split.feature < 0) return;
        const double gain = leading_bits(split.decrease * tree.weight[node.node]);
        heap.push_back({std::move(node), std::move(split), gain, number++});
        std::push_heap(heap.begin(), heap.end(), later);
    };
    push(std::move(root));
    for (Index leaves = 1; leaves < options_.max_leaf_nodes && !heap.empty();) {
        std::pop_heap(heap.begin(), heap.end(), later);
        const Ready next = std::move(heap.back());
        heap.pop_back();
        const Index n_children =
            next.split.kind == NodeKind::each ? context_.columns.levels(next.split.feature) : 2;
        if (leaves + n_children - 1 > options_.max_leaf_nodes || !divide(next.node, next.split))
            continue;
        leaves += n_children - 1;
        std::vector<OpenNode> children = std::move(children_);
        for (OpenNode& child : children) push(std::move(child));
    }
}

template class Grower<std::uint32_t>;
template class Grower<std::uint64_t>;
template Grower<NarrowEntry>::Grower(const GrowContext&, std::shared_ptr<const LocalRows>, bool);
template Grower<NarrowEntry>::~Grower();
template void Grower<NarrowEntry>::make_lists();
template void Grower<NarrowEntry>::grow(std::uint64_t, Index, double, double, Index);
template Index Grower<NarrowEntry>::add_node();
template bool Grower<NarrowEntry>::describe(OpenNode&);
template <typename E>
using From = const std::function<const E*(Index)>&;
template void Grower<std::uint32_t>::take_lists(From<std::uint32_t>, Index, const std::uint32_t*);
template void Grower<std::uint32_t>::take_lists(From<std::uint64_t>, Index, const std::uint32_t*);
template void Grower<std::uint32_t>::take_lists(From<NarrowEntry>, Index, const std::uint32_t*);
template void Grower<std::uint64_t>::take_lists(From<std::uint64_t>, Index, const std::uint32_t*);
template void Grower<NarrowEntry>::take_lists(From<NarrowEntry>, Index, const std::uint32_t*);

} // namespace gramian::tree
