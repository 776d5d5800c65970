// Growing a tree: CART (Breiman, Friedman, Olshen and Stone 1984) with exact splits.
//
// The rows of a node are a contiguous range, kept in order when the node is divided. Where most
// columns are looked at, every column keeps its own list of the rows in the order of its values
// (SLIQ: Mehta, Agrawal and Rissanen 1996), so that nothing is ever sorted again; where few are,
// the rows of a node are sorted by rank when a column is drawn. Both give the same tree, but for
// the rounding of sums.
#pragma once

#include "core/splits/columns.hpp"
#include "core/splits/problem.hpp"
#include "core/splits/sparse_columns.hpp"
#include "core/tree/nodes.hpp"

#include <cstdint>
#include <vector>

namespace gramian::tree {

using namespace splits;

// As TreeArrays; `value` is (nodes, n_outputs, n_classes).
struct GrownTree {
    std::vector<std::int32_t> first_child, n_children, feature, bit_start, missing;
    std::vector<std::uint8_t> kind;
    std::vector<double> threshold, weight, impurity, value;
    std::vector<std::int64_t> samples;
    std::vector<std::uint64_t> bits;

    Index size() const { return static_cast<Index>(kind.size()); }
    // Nodes, or room for them, each with `width` values; new ones are leaves of nothing.
    void resize(Index nodes, Index width);
    void reserve(Index nodes, Index width);
};

// Nodes and words of bits are numbered in 32 bits: throws std::length_error where they are too
// many.
void check_tree_size(Index nodes, std::size_t words);

// Where the lists of a tree come from: sorted for this tree, after which the columns keep nothing;
// copied from those the columns keep for all trees; or copied too, but only where they pay, as
// trees that grow side by side have lists of their own each.
enum class Lists { own, shared, few };

// Grows tree number `tree` of a seed; rows of weight 0 take no part. The answer does not depend on
// the number of threads.
GrownTree grow_tree(Columns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists lists = Lists::shared);

// The same for a sparse table, of numbers without missing ones.
GrownTree grow_tree(SparseColumns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists lists = Lists::shared);

// Prepares the columns, so that several trees may be grown side by side.
void prepare_columns(Columns& columns, const Targets& targets, const GrowOptions& options,
                     Lists lists);
inline void prepare_columns(SparseColumns&, const Targets&, const GrowOptions&, Lists) {}

} // namespace gramian::tree
