// A tree, or several one after the other, as arrays with one entry per node.
//
// The children of a node are contiguous and come after it: first_child .. first_child +
// n_children - 1. A row x goes to the child
//     NUMBER  0 if x[feature] <= threshold, else 1;
//     GROUP   0 if the bit of category x[feature] is set, else 1 (ceil(levels / 64) words of
//             `bits` from bit_start);
//     EACH    x[feature], one child per category;
// and, where x[feature] is missing (NaN) or a category that was never seen, to child `missing`;
// missing = -1 sends it down every child in proportion to the child's weight.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::tree {

enum class NodeKind : std::uint8_t { leaf = 0, number = 1, group = 2, each = 3 };

struct NodeArrays {
    Index n_nodes;
    const std::int32_t* first_child;
    const std::int32_t* n_children;
    const std::uint8_t* kind;
    const std::int32_t* feature;
    const double* threshold;
    const std::int32_t* bit_start;
    const std::int32_t* missing;
    const double* weight;
    Vector<const std::uint64_t> bits;
};

} // namespace gramian::tree
