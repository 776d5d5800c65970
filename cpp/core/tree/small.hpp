// The lowest part of a tree: all that grows out of a node of few rows.
//
// Most nodes of a tree that is grown out have a handful of rows, and to get there costs more than
// to look at them. Here the rows of the part, their targets and its nodes lie in arrays of fixed
// size. The splits are those that Grower finds; see searches_by_buckets() for where it serves.
#pragma once

#include "core/tree/grower.hpp"

namespace gramian::tree {

template <typename E>
class SmallGrower {
public:
    using Rank = typename Grower<E>::Rank;
    static constexpr Index kMost = 255; // rows, whose numbers fit a byte

    // The ranks of column j are `ranks`, those of the first one, moved on by j * stride.
    SmallGrower(const GrowContext& context, const LocalRows& rows, RankColumn<Rank> ranks,
                Index stride, SplitSearch& search);

    // Grows out of a node of `tree` that may be divided; `ids` are its rows.
    void grow(const OpenNode& node, const std::uint32_t* ids, GrownTree& tree);

private:
    struct Node {
        double weight, impurity, value[2];
        std::int32_t first_child, feature, missing, samples; // first_child 0: a leaf
        std::uint8_t low, high;                              // rows on both sides of the threshold
    };
    // A node that may be divided: a range of order_.
    struct Open {
        std::uint64_t path;
        std::int32_t node, begin, end, depth;
        double sum; // of the targets, of which the criterion is made

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
    bool look(const Open& open, Index feature, Found& best);
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

    // Of each row.
    std::uint32_t id_[kMost];
    Moment moment_[kMost];
    double target_[kMost];

    std::uint8_t order_[kMost]; // the rows, those of a node side by side
    Node nodes_[2 * kMost];     // the first is the node that all grows out of
    std::int32_t n_nodes_ = 0;
    Open open_[kMost]; // a stack
    int n_open_ = 0;

    E entries_[kMost + kSortPadding], spare_[kMost + kSortPadding];
    Moment sums_[kMost + kScanPadding]; // left of each candidate, and the last repeated
    std::uint8_t position_[kMost + 1];
};

} // namespace gramian::tree
