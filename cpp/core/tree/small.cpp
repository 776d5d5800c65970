#include "core/tree/small.hpp"

#include "core/runtime/random.hpp"

#include <algorithm>

namespace gramian::tree {
namespace {

// For fewer entries, calling a kernel costs more than the work.
constexpr Index kHandful = 4;

template <typename E>
void sort_handful(E* a, Index n) {
    for (Index i = 1; i < n; ++i) {
        for (Index j = i; j > 0 && a[j - 1] > a[j]; --j) std::swap(a[j - 1], a[j]);
    }
}

} // namespace

template <typename E>
SmallGrower<E>::SmallGrower(const GrowContext& context, const LocalRows& rows,
                            RankColumn<Rank> ranks, Index stride, SplitSearch& search)
    : context_(context), options_(context.options), rows_(rows), ranks_(ranks), stride_(stride),
      classes_(context.targets.classification()), columns_(context.columns.cols()),
      search_(search) {}

template <typename E>
void SmallGrower<E>::grow(const OpenNode& node, const std::uint32_t* ids, GrownTree& tree) {
    const TargetsById& t = rows_.targets;
    const auto n = static_cast<std::int32_t>(node.size());
    for (std::int32_t i = 0; i < n; ++i) {
        const std::uint32_t id = ids[i];
        const double w = t.weights ? t.weights[id] : 1.0;
        id_[i] = id;
        target_[i] = classes_ ? static_cast<double>(t.codes[id]) : t.values[id];
        moment_[i] = {w, w * target_[i]};
        order_[i] = static_cast<std::uint8_t>(i);
    }
    n_nodes_ = 1;
    nodes_[0] = {};
    nodes_[0].weight = tree.weight[node.node];
    nodes_[0].impurity = tree.impurity[node.node];
    open_[0] = {
        node.path, 0, 0, n, static_cast<std::int32_t>(node.depth), node.sums[classes_ ? 1 : 0]};
    n_open_ = 1;
    while (n_open_ > 0) {
        const Open open = open_[--n_open_];
        const Found split = search(open);
        if (split.feature >= 0) divide(open, split);
    }
    append_to(tree, node.node);
}

// Computes the totals of a node; true if it may be split.
template <typename E>
bool SmallGrower<E>::describe(Open& open) {
    const std::uint8_t* row = order_ + open.begin;
    const Index n = open.size();
    double weight = 0, sums[2] = {0, 0};
    bool pure = true;
    for (Index i = 0; i < n; ++i) {
        const double w = moment_[row[i]].w, y = target_[row[i]];
        weight += w;
        if (classes_) {
            sums[0] += y == 0 ? w : 0;
            sums[1] += y == 0 ? 0 : w;
        } else {
            sums[0] += moment_[row[i]].s;
            sums[1] += moment_[row[i]].s * y;
        }
        pure &= y == target_[row[0]];
    }
    Node& node = nodes_[open.node];
    node.samples = static_cast<std::int32_t>(n);
    node.weight = weight;
    node.first_child = 0;
    open.sum = sums[classes_ ? 1 : 0];
    search_.template value<E>(nullptr, n, rows_.targets, weight, sums, node.value);
    if (pure && !classes_) node.value[0] = target_[row[0]];
    node.impurity = 0;
    if (pure) return false;
    node.impurity = search_.template impurity<E>(nullptr, n, rows_.targets, weight, sums);
    return may_divide(context_, open.depth, n, weight, node.value);
}

template <typename E>
typename SmallGrower<E>::Found SmallGrower<E>::search(const Open& open) {
    Found best;
    columns_.start(runtime::Philox{options_.seed, context_.tree}.bits(open.path),
                   options_.max_features < columns_.size());
    Index useful = 0;
    // Constant columns do not count: continue until one column can be split.
    for (Index i = 0; i < columns_.size() && (i < options_.max_features || useful == 0); ++i) {
        useful += search_column(open, columns_.next(), best);
        if (open.size() == 2 && useful > 0) break; // two rows can be split in only one way
    }
    return best;
}

// Replaces `best` by the best split on a column if that is better. Returns whether the column has
// two different values in the node.
template <typename E>
bool SmallGrower<E>::search_column(const Open& open, Index feature, Found& best) {
    using Entry = EntryOf<E>;
    const Index n = open.size();
    const std::uint8_t* row = order_ + open.begin;
    const RankColumn<Rank> rank = ranks_of(feature);
    for (Index i = 0; i < n; ++i) entries_[i] = Entry::make(rank[id_[row[i]]], row[i]);
    const E* entries = entries_;
    if (n > kHandful)
        entries = sort_by_rank(entries_, spare_, n);
    else
        sort_handful(entries_, n);
    if (Entry::rank(entries[0]) == Entry::rank(entries[n - 1])) return false;
    const Index least = std::max<Index>(options_.min_samples_leaf, 1);
    const double W = nodes_[open.node].weight, lightest = options_.min_weight_leaf;
    Moment left = {0, 0};
    const auto add = [&](Index i) {
        const Moment& one = moment_[Entry::id(entries[i])];
        left = {left.w + one.w, left.s + one.s};
    };
    for (Index i = 0; i + 1 < std::min(least, n); ++i) add(i);
    Index m = 0;
    for (Index i = least - 1; i < n - least; ++i) {
        add(i);
        sums_[m] = left;
        position_[m] = static_cast<std::uint8_t>(i);
        bool candidate = Entry::rank(entries[i]) != Entry::rank(entries[i + 1]);
        if (lightest > 0) candidate &= (left.w >= lightest) & (W - left.w >= lightest);
        m += candidate;
    }
    if (m == 0) return true;
    double raw = -std::numeric_limits<double>::infinity();
    Index at = -1;
    if (n > kHandful) {
        for (Index k = m; k < m + kScanPadding; ++k) sums_[k] = sums_[m - 1];
        at = scan_table().moments(sums_, m, W, open.sum, &raw);
    } else {
        for (Index k = 0; k < m; ++k) {
            const double d = W * sums_[k].s - sums_[k].w * open.sum;
            const double score = d * d / (sums_[k].w * (W - sums_[k].w));
            if (is_better(score, raw)) {
                raw = score;
                at = k;
            }
        }
    }
    const double decrease = (classes_ ? 2 : 1) * raw / (W * W);
    if (at < 0 || !is_better(decrease, best.decrease)) return true;
    const Index i = position_[at];
    best = {decrease, feature, static_cast<std::uint8_t>(Entry::id(entries[i])),
            static_cast<std::uint8_t>(Entry::id(entries[i + 1])), Entry::rank(entries[i])};
    return true;
}

template <typename E>
void SmallGrower<E>::divide(const Open& open, const Found& split) {
    const RankColumn<Rank> rank = ranks_of(split.feature);
    std::uint8_t* row = order_ + open.begin;
    std::uint8_t right[kMost];
    std::int32_t n_left = 0, n_right = 0;
    for (Index i = 0; i < open.size(); ++i) {
        const std::uint8_t r = row[i];
        const bool goes_right = rank[id_[r]] > split.last_left;
        row[n_left] = r;
        right[n_right] = r;
        n_left += !goes_right;
        n_right += goes_right;
    }
    std::copy_n(right, n_right, row + n_left);

    const std::int32_t first = n_nodes_, middle = open.begin + n_left;
    n_nodes_ += 2;
    Open child[2];
    bool may[2];
    for (std::int32_t c = 0; c < 2; ++c) {
        child[c] = {child_path(open.path, c),   first + c,      c == 0 ? open.begin : middle,
                    c == 0 ? middle : open.end, open.depth + 1, 0};
        may[c] = describe(child[c]);
    }
    Node& node = nodes_[open.node];
    const Node &l = nodes_[first], &r = nodes_[first + 1];
    double after = 0;
    after += l.weight / node.weight * l.impurity;
    after += r.weight / node.weight * r.impurity;
    if (!decreases_enough(context_, node.weight, node.impurity, after)) {
        n_nodes_ = first;
        return;
    }
    node.first_child = first;
    node.feature = static_cast<std::int32_t>(split.feature);
    node.low = split.low;
    node.high = split.high;
    for (const std::uint8_t side : {split.low, split.high})
        context_.columns.prefetch(rows_.table_row(id_[side]), split.feature);
    node.missing = r.weight >= l.weight;
    for (const int c : {1, 0}) { // child 0 goes first
        if (may[c]) open_[n_open_++] = child[c];
    }
}

// Node 0 is `root` of the tree; the others come after its last node.
template <typename E>
void SmallGrower<E>::append_to(GrownTree& tree, Index root) const {
    const Index width = context_.targets.n_classes, first = tree.size(), more = n_nodes_ - 1;
    const auto offset = static_cast<std::int32_t>(first - 1);
    tree.resize(first + more, width);
    for (Index i = 0; i < n_nodes_; ++i) {
        const Node& node = nodes_[i];
        const Index at = i == 0 ? root : offset + i;
        if (node.first_child > 0) {
            tree.first_child[at] = offset + node.first_child;
            tree.n_children[at] = 2;
            tree.kind[at] = static_cast<std::uint8_t>(NodeKind::number);
            tree.feature[at] = node.feature;
            tree.threshold[at] = context_.columns.threshold(
                rows_.table_row(id_[node.low]), rows_.table_row(id_[node.high]), node.feature);
            tree.missing[at] = node.missing;
        } else if (i > 0) {
            tree.feature[at] = -1;
            tree.threshold[at] = std::numeric_limits<double>::quiet_NaN();
        }
        if (i == 0) continue; // the root is already in the tree
        tree.samples[at] = node.samples;
        tree.weight[at] = node.weight;
        tree.impurity[at] = node.impurity;
        std::copy_n(node.value, width, tree.value.data() + at * width);
    }
}

template class SmallGrower<std::uint32_t>;
template class SmallGrower<std::uint64_t>;

} // namespace gramian::tree
