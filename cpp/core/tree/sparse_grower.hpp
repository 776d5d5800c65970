// Grows one tree on a sparse table. The time depends on the number of entries, not of zeros.
//
// A node is a range of rows. Its entries in a column are read either from the sorted column,
// skipping the entries of other nodes, or, in nodes of few rows, from the rows, grouped by column
// and sorted: whichever reads less. The zeros of a column are one block between the negative and
// the positive entries; their sums are those of the node minus those of the entries.
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
    // `summed`: the number of rows over which the sums of the node, or of the ancestor that they
    // were subtracted from, were added up.
    struct SparseNode : OpenNode {
        Index summed = 0;
    };
    // A split: values whose key is at most `low` go to child 0.
    struct SparseSplit {
        Candidate found;
        Index feature = -1;
        std::uint32_t low = 0, high = 0;
        double threshold = 0; // of random splits, where `high` is unused
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
    struct NodeView {
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
    void clear_collected();
    Vector<std::uint64_t> entries_of(const OpenNode& node, Index feature, Scratch& scratch);
    // Replaces `best` by the best split on a column if that is better. Returns whether the column
    // has two different values in the node.
    bool search_column(const NodeView& view, Index feature, Scratch& scratch, SparseSplit& best);
    void search_columns(const NodeView& view, const std::vector<Index>& features,
                        SparseSplit& best);
    template <typename Left>
    void scan(const NodeView& view, Index feature, Vector<std::uint64_t> entries, Left left,
              SparseSplit& best) const;
    template <typename Left>
    bool draw(const NodeView& view, Index feature, Vector<std::uint64_t> entries, Left left,
              SparseSplit& best) const;
    void scan_order(const NodeView& view, Index feature, Vector<std::uint64_t> entries,
                    Scratch& scratch, SparseSplit& best);
    double random_threshold(Index feature, Vector<std::uint64_t> entries, Index zeros) const;
    bool enough(Index left, Index right, double weight_left, double weight_right) const;

    bool divide(const SparseNode& node, const SparseSplit& split);
    bool find_moved_rows(const OpenNode& node, const SparseSplit& split);
    void move(const OpenNode& node, bool to_end);

    const GrowRules& rules_;
    const GrowOptions& options_;
    const SparseColumns& columns_;
    const Index n_features_;
    const TargetsById targets_;
    GrownTree tree_;
    const bool subtracts_;           // whether the sums of a child may be computed as a difference
    std::vector<std::uint32_t> ids_; // the rows, in the ranges of their nodes
    std::vector<std::uint32_t> place_; // position of each row of the table in ids_
    std::vector<std::uint32_t>
        moved_rows_; // positions of the rows that go to another child than the zeros
    std::vector<SparseNode> children_; // of the node split last
    ColumnOrder order_;
    std::uint64_t random_ = 0; // of the node
    Index rows_since_poll_ = 0;

    bool by_row_ = false; // whether the entries were collected from the rows of the node
    std::vector<std::uint8_t> drawn_;         // whether each column was drawn
    std::vector<std::uint32_t> count_;        // entries of each column in the node
    std::vector<Index> start_;                // their positions in collected_
    std::vector<Index> touched_;              // the columns that have entries, ascending
    std::vector<std::uint32_t> found_column_; // the column of each entry of found_
    std::vector<std::uint64_t> found_;        // the entries of the node's rows, row by row
    std::vector<std::uint64_t> collected_;    // the same, column by column
    std::vector<std::uint64_t> plain_;
    Scratch main_scratch_;
};

} // namespace gramian::tree
