// Grower: makes the children of a split and moves the rows to their ranges.
#include "core/runtime/pool.hpp"
#include "core/runtime/random.hpp"
#include "core/tree/grower.hpp"
#include "core/tree/small.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gramian::tree {

template <typename E>
Index Grower<E>::child_of(const Split& split, std::uint64_t rank) const {
    if (rank == EntryOf<E>::kMissing) return split.missing;
    switch (split.kind) {
    case NodeKind::group:
        return !(split.bits[rank / 64] >> (rank % 64) & 1);
    case NodeKind::each:
        return static_cast<Index>(rank);
    default:
        return rank > split.last_left;
    }
}

template <typename E>
void Grower<E>::assign_listed(const OpenNode& node, const Split& split) {
    const E* entries = list(split.feature) + node.begin;
    for (Index i = 0; i < node.size(); ++i) {
        Index child = 0;
        if constexpr (kNarrow)
            child = i >= static_cast<Index>(split.last_left);
        else
            child = child_of(split, EntryOf<E>::rank(entries[i]));
        side_[EntryOf<E>::id(entries[i])] = static_cast<Child>(child);
        ++starts_[child + 1];
    }
}

// Writes the child of every row of a node to side_, and the sizes of the children to starts_.
template <typename E>
void Grower<E>::assign(const OpenNode& node, const Split& split, Index n_children) {
    starts_.assign(n_children + 1, 0);
    if (context_.lists) {
        assign_listed(node, split);
    } else if constexpr (!kNarrow) {
        const auto write = [&](auto child_of_id) {
            for (Index i = 0; i < node.size(); ++i) {
                const auto child = static_cast<Child>(child_of_id(ids_[node.begin + i]));
                side_[i] = child;
                ++starts_[child + 1];
            }
        };
        if (options_.random_split && split.kind == NodeKind::number) {
            write([&](Index id) {
                const double x = context_.columns.value(rows_->table_row(id), split.feature);
                return x != x ? split.missing : static_cast<std::int32_t>(!(x <= split.threshold));
            });
        } else {
            const RankColumn<Rank> ranks = ranks_of(split.feature);
            write([&](Index id) { return child_of(split, ranks[id]); });
        }
    }
    for (Index c = 0; c < n_children; ++c) starts_[c + 1] += starts_[c];
}

// The same as partition() below, for two children. An entry begins a new value if any entry after
// its predecessor in the same child did.
template <typename Side>
Index partition_narrow(NarrowEntry* a, NarrowEntry* spare, Index n, const Side& side) {
    constexpr std::uint32_t kBegins = EntryOf<NarrowEntry>::kBegins;
    Index left = 0, right = 0;
    std::uint32_t begins_left = 0, begins_right = 0;
    for (Index i = 0; i < n; ++i) {
        const auto x = static_cast<std::uint32_t>(a[i]);
        const std::uint32_t goes_right = side(i, a[i]) != 0;
        begins_left |= x & kBegins;
        begins_right |= x & kBegins;
        a[left] = static_cast<NarrowEntry>(x | begins_left);
        spare[right] = static_cast<NarrowEntry>(x | begins_right);
        begins_left &= 0 - goes_right;
        begins_right &= goes_right - 1;
        left += goes_right ^ 1;
        right += goes_right;
    }
    std::copy_n(spare, right, a + left);
    return left;
}

// Moves entries (or ids) to the ranges of their children, in stable order. Returns the size of the
// first child.
template <typename E>
template <typename T, typename Side>
Index Grower<E>::partition(T* a, T* spare, Index n, Side side) const {
    if constexpr (std::is_same_v<T, NarrowEntry>) return partition_narrow(a, spare, n, side);
    if (starts_.size() == 3) {
        Index left = 0, right = 0;
        for (Index i = 0; i < n; ++i) {
            const T x = a[i];
            const bool goes_right = side(i, x) != 0;
            a[left] = x;
            spare[right] = x;
            left += !goes_right;
            right += goes_right;
        }
        std::copy_n(spare, right, a + left);
        return left;
    }
    std::vector<Index> at(starts_.begin(), starts_.end());
    for (Index i = 0; i < n; ++i) spare[at[side(i, a[i])]++] = a[i];
    std::copy_n(spare, n, a);
    return starts_[1];
}

// Returns false, and the node stays a leaf, if the split does not decrease the impurity enough.
template <typename E>
bool Grower<E>::divide(const OpenNode& node, const Split& split) {
    const Index n_children =
        split.kind == NodeKind::each ? context_.columns.levels(split.feature) : 2;
    const Index n = node.size();
    const auto side_of_entry = [this](Index, E e) { return side_[EntryOf<E>::id(e)]; };
    if (!kNarrow && small_) {
        starts_.assign(3, 0);
        const RankColumn<Rank> ranks = ranks_of(split.feature);
        starts_[1] =
            partition(ids_.data() + node.begin, spare_ids_.data(), n,
                      [&](Index, std::uint32_t id) { return ranks[id] > split.last_left; });
        starts_[2] = n;
    } else if (assign(node, split, n_children); context_.lists) {
        E* home = lists_.get() + split.feature * n_ + node.begin;
        partition(home, main_scratch_->spare.get(), n, side_of_entry);
        row_list_ = lists_.get() + split.feature * n_;
    } else {
        partition(ids_.data() + node.begin, spare_ids_.data(), n,
                  [this](Index i, std::uint32_t) { return side_[i]; });
    }

    const Index first = tree.size();
    const Index width = context_.targets.n_outputs * context_.targets.n_classes;
    children_.clear();
    double after = 0, heaviest = -1;
    std::int32_t heavy_child = 0;
    for (Index c = 0; c < n_children; ++c) {
        add_node();
        OpenNode child{first + c,
                       node.begin + starts_[c],
                       node.begin + starts_[c + 1],
                       node.depth + 1,
                       child_path(node.path, c),
                       {},
                       node.lower,
                       node.upper};
        const int monotone = options_.monotone.empty() ? 0 : options_.monotone[split.feature];
        if (monotone != 0) {
            const double middle = split.value_left / 2 + split.value_right / 2;
            ((c == 0) == (monotone > 0) ? child.upper : child.lower) = middle;
        }
        if (child.size() == 0) { // no row of the node has this category
            std::copy_n(tree.value.data() + node.node * width, width,
                        tree.value.data() + child.node * width);
            tree.impurity[child.node] = tree.impurity[node.node];
            continue;
        }
        const bool open = describe(child);
        const double weight = tree.weight[child.node];
        after += weight / tree.weight[node.node] * tree.impurity[child.node];
        if (weight >= heaviest) { // among equals the last
            heaviest = weight;
            heavy_child = static_cast<std::int32_t>(c);
        }
        if (open) children_.push_back(std::move(child));
    }
    if (!decreases_enough(context_, tree.weight[node.node], tree.impurity[node.node], after)) {
        tree.resize(first, width);
        return false;
    }
    check_tree_size(tree.size(), tree.bits.size() + split.bits.size());
    tree.first_child[node.node] = static_cast<std::int32_t>(first);
    tree.n_children[node.node] = static_cast<std::int32_t>(n_children);
    tree.kind[node.node] = static_cast<std::uint8_t>(split.kind);
    tree.feature[node.node] = split.feature;
    tree.threshold[node.node] =
        split.high_row < 0
            ? split.threshold
            : context_.columns.threshold(split.low_row, split.high_row, split.feature);
    tree.missing[node.node] = split.missing >= 0 ? split.missing : heavy_child;
    if (split.kind == NodeKind::group) {
        tree.bit_start[node.node] = static_cast<std::int32_t>(tree.bits.size());
        tree.bits.insert(tree.bits.end(), split.bits.begin(), split.bits.end());
    }
    if (!context_.lists || children_.empty()) return true;
    for_each(n_features_, in_parallel(n * n_features_), [&](Index j, Scratch& scratch) {
        if (j == split.feature) return;
        partition(lists_.get() + j * n_ + node.begin, scratch.spare.get(), n, side_of_entry);
    });
    return true;
}

template class Grower<std::uint32_t>;
template class Grower<std::uint64_t>;
template bool Grower<NarrowEntry>::divide(const OpenNode&, const Split&);

} // namespace gramian::tree
