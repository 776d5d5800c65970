// Growing a tree: CART (Breiman, Friedman, Olshen and Stone 1984) with exact splits.
//
// The rows of a node are a contiguous range; splits keep their order. If each node searches most
// columns, every column has a list of the rows in the order of its values (SLIQ: Mehta, Agrawal and
// Rissanen 1996), so that nothing is sorted twice. If each node searches few columns, the rows of a
// node are sorted by rank when a column is searched. Both give the same tree up to rounding.
#pragma once

#include "core/splits/columns.hpp"
#include "core/splits/problem.hpp"
#include "core/splits/sparse_columns.hpp"
#include "core/tree/nodes.hpp"

#include <cstdint>
#include <vector>

namespace gramian::tree {

using namespace splits;

// The same arrays as NodeArrays; `value` is (nodes, n_outputs, n_classes).
struct GrownTree {
    std::vector<std::int32_t> first_child, n_children, feature, bit_start, missing;
    std::vector<std::uint8_t> kind;
    std::vector<double> threshold, weight, impurity, value;
    std::vector<std::int64_t> samples;
    std::vector<std::uint64_t> bits;

    Index size() const { return static_cast<Index>(kind.size()); }
    // Nodes, or memory for them, with `width` values each; new nodes are empty leaves.
    void resize(Index nodes, Index width);
    void reserve(Index nodes, Index width);
};

// Nodes and words of bits are numbered in 32 bits: throws std::length_error if there are too many.
void check_tree_size(Index nodes, std::size_t words);

// Where the sorted lists of a tree come from. own: sorted for this tree and not kept. shared:
// copied from those the columns keep for all trees. few: the same, but only if that makes the
// search faster, because trees that grow in parallel each have a copy.
enum class Lists { own, shared, few };

// Grows tree number `tree` of a seed without the rows of weight 0. The tree does not depend on the
// number of threads.
GrownTree grow_tree(Columns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists lists = Lists::shared);

// The same for a sparse table of numeric columns without missing values.
GrownTree grow_tree(SparseColumns& columns, const Targets& targets, const GrowOptions& options,
                    std::uint64_t tree, Lists lists = Lists::shared);

// Prepares the columns so that several trees can be grown in parallel.
void prepare_columns(Columns& columns, const Targets& targets, const GrowOptions& options,
                     Lists lists);
inline void prepare_columns(SparseColumns&, const Targets&, const GrowOptions&, Lists) {}

} // namespace gramian::tree
