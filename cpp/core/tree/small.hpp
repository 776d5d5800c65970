// Grows the whole subtree of a node of few rows.
//
// Most nodes of a fully grown tree have a handful of rows, for which function calls and memory
// accesses cost more than the search itself. So rows, targets and nodes of the subtree lie in
// arrays of fixed size. The splits are those that Grower finds. searches_by_buckets() tells when
// it can be used.
#pragma once

#include "core/tree/grower.hpp"

namespace gramian::tree {

template <typename E>
class SmallGrower {
public:
    using Rank = typename Grower<E>::Rank;
    static constexpr Index kMost = 255; // rows: their numbers fit a byte

    // `ranks` are those of column 0; those of column j begin j * stride later.
    SmallGrower(const GrowContext& context, const LocalRows& rows, RankColumn<Rank> ranks,
                Index stride, SplitSearch& search);

    // Grows the subtree of a node of `tree` that may be split; `ids` are its rows.
    void grow(const OpenNode& node, const std::uint32_t* ids, GrownTree& tree);

private:
    struct Node {
        double weight, impurity, value[2];
        std::int32_t first_child, feature, missing, samples; // first_child 0: a leaf
        std::uint8_t low, high;                              // rows on both sides of the threshold
    };
    // A node that may be split: a range of order_.
    struct Open {
        std::uint64_t path;
        std::int32_t node, begin, end, depth;
        double sum; // of the targets, which the criterion depends on

        Index size() const { return end - begin; }
    };
    struct Found {
        double decrease = -std::numeric_limits<double>::infinity();
        Index feature = -1;
        std::uint8_t low = 0, high = 0; // rows on both sides of the threshold
        E last_left = 0;                // the greatest rank left of it
    };

    bool describe(Open& open);
    Found search(const Open& open);
    bool search_column(const Open& open, Index feature, Found& best);
    void divide(const Open& open, const Found& split);
    void append_to(GrownTree& tree, Index root) const;
    RankColumn<Rank> ranks_of(Index feature) const {
        return {ranks_.at + feature * stride_, ranks_.step};
    }

    const GrowContext& context_;
    const GrowOptions& options_;
    const LocalRows& rows_;
    const RankColumn<Rank> ranks_;
    const Index stride_;
    const bool classes_;
    ColumnOrder columns_;
    SplitSearch& search_;

    // For each row.
    std::uint32_t id_[kMost];
    Moment moment_[kMost];
    double target_[kMost];

    std::uint8_t order_[kMost]; // the rows; those of a node are contiguous
    Node nodes_[2 * kMost];     // the first is the root of the subtree
    std::int32_t n_nodes_ = 0;
    Open open_[kMost]; // a stack
    int n_open_ = 0;

    E entries_[kMost + kSortPadding], spare_[kMost + kSortPadding];
    Moment sums_[kMost + kScanPadding]; // left of each candidate; the last is repeated
    std::uint8_t position_[kMost + 1];
};

} // namespace gramian::tree
