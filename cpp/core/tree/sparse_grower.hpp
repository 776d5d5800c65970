// Grows one tree on a sparse table, in time that depends on its entries, not on its zeros.
//
// A node is a range of rows. Its entries on a column come from the column itself, ascending, of
// which those of other nodes are left out, or, in nodes of few rows, from the rows, collected by
// column and sorted: whichever reads less. The zeros of a column are one block between the negative
// and the positive entries, whose sums are what the entries leave of the sums of the node.
#pragma once

#include "core/splits/sparse_columns.hpp"
#include "core/tree/grower.hpp"

#include <cstdint>
#include <vector>

namespace gramian::tree {

class SparseGrower {
public:
    // `whole`: all weights are whole numbers.
    SparseGrower(const GrowRules& rules, const SparseColumns& columns,
                 std::vector<std::uint32_t> rows, bool whole);

    GrownTree grow();

private:
    // A node; `summed` is how many rows its sums were added up over, those of a node above it where
    // they are a difference.
    struct SparseNode : OpenNode {
        Index summed = 0;
    };
    // The division of a node: values of key `low` and less go to child 0.
    struct SparseSplit {
        Candidate found;
        Index feature = -1;
        std::uint32_t low = 0, high = 0;
        double threshold = 0; // of random splits, which have no `high`
    };
    struct Ready {
        SparseNode node;
        SparseSplit split;
        double gain;
        Index number;
    };
    // Scratch memory of a thread.
    struct Scratch {
        SplitSearch search;
        std::vector<std::uint64_t> entries, dense; // key << 32 | row
        std::vector<double> left, block;

        explicit Scratch(const GrowRules& rules);
    };
    struct Sight {
        const OpenNode& node;
        NodeTotals totals;
    };

    Index add_node();
    void add_up(SparseNode& node);
    bool describe(const SparseNode& node);
    bool pure(const OpenNode& node) const;
    void grow_depth_first(SparseNode root);
    void grow_best_first(SparseNode root);

    SparseSplit search(const OpenNode& node);
    void collect_rows(const OpenNode& node, bool drawn_only);
    void forget_rows();
    Vector<std::uint64_t> entries_of(const OpenNode& node, Index feature, Scratch& scratch);
    // True where the column divides the node at all; `best` is replaced by a better split.
    bool look(const Sight& sight, Index feature, Scratch& scratch, SparseSplit& best);
    void look_at_all(const Sight& sight, const std::vector<Index>& features, SparseSplit& best);
    template <typename Left>
    void scan(const Sight& sight, Index feature, Vector<std::uint64_t> entries, Left left,
              SparseSplit& best) const;
    template <typename Left>
    bool draw(const Sight& sight, Index feature, Vector<std::uint64_t> entries, Left left,
              SparseSplit& best) const;
    void scan_order(const Sight& sight, Index feature, Vector<std::uint64_t> entries,
                    Scratch& scratch, SparseSplit& best);
    double random_threshold(Index feature, Vector<std::uint64_t> entries, Index zeros) const;
    bool enough(Index left, Index right, double weight_left, double weight_right) const;

    bool divide(const SparseNode& node, const SparseSplit& split);
    bool find_movers(const OpenNode& node, const SparseSplit& split);
    void move(const OpenNode& node, bool to_end);

    const GrowRules& rules_;
    const GrowOptions& options_;
    const SparseColumns& columns_;
    const Index n_features_;
    const TargetsById targets_;
    GrownTree tree_;
    const bool subtracts_;              // whether sums of a child may be a difference
    std::vector<std::uint32_t> ids_;    // the rows, in the ranges of their nodes
    std::vector<std::uint32_t> place_;  // of each row of the table: where it is in ids_
    std::vector<std::uint32_t> movers_; // places of the rows that part from the zeros of a column
    std::vector<SparseNode> children_;  // of the node divided last
    ColumnOrder order_;
    std::uint64_t random_ = 0; // of the node
    Index unpolled_ = 0;

    bool by_row_ = false;                  // whether the entries of the node were collected
    std::vector<std::uint8_t> drawn_;      // of each column: whether it was drawn
    std::vector<std::uint32_t> count_;     // how many
    std::vector<Index> start_;             // and where they are
    std::vector<Index> touched_;           // the columns that have any, ascending
    std::vector<std::uint32_t> kept_;      // the column of each entry of found_
    std::vector<std::uint64_t> found_;     // the entries of the node's rows, row by row
    std::vector<std::uint64_t> collected_; // the same, column by column
    std::vector<std::uint64_t> plain_;
    Scratch own_;
};

} // namespace gramian::tree
