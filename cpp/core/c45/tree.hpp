// C4.5 (Quinlan 1993; 1996): growth by gain ratio with cases that are split among branches where a
// value is missing, and pessimistic pruning with subtree raising.
//
// A case is a row with a weight. At a test whose value is missing it goes down every branch, its
// weight shared in proportion to the weight of the known cases there.
#pragma once

#include "core/tree/nodes.hpp"

#include <cstdint>
#include <vector>

namespace gramian::c45 {

// The training data. Numeric values are ranks in the sorted distinct values of their column, so
// that float32 and float64 tables have one type here. Categories are codes. -1 is missing.
struct Table {
    Matrix<const std::int32_t> ranks;  // one row per column of the table
    Vector<const double> values;       // distinct values, column after column
    Vector<const std::int64_t> starts; // where a column's values begin; one more than columns
    Vector<const std::int32_t> levels; // number of categories, 0 for a column of numbers
    Vector<const std::int32_t> labels; // class of each row
    Vector<const double> weights;      // weight of each row
    Index n_classes;

    double value(std::int32_t feature, std::int32_t rank) const {
        return values[starts[feature] + rank];
    }
};

struct Case {
    std::int32_t row;
    double weight;
};
using Cases = std::vector<Case>;

// Rows of positive weight, as the root sees them.
Cases cases_of(const Table& table);

struct Node {
    tree::NodeKind kind = tree::NodeKind::leaf;
    std::int32_t feature = -1;
    std::int32_t missing = -1; // branch of a missing value; -1: all of them
    double threshold = 0;
    Index samples = 0;
    std::vector<std::uint64_t> bits;    // categories of branch 0, where kind is group
    std::vector<double> counts;         // weight of each class
    std::vector<std::int32_t> children; // numbers of nodes; none in a leaf

    bool is_leaf() const { return children.empty(); }
    void make_leaf();
    double total() const;
    double errors() const; // weight outside the largest class
};

// Nodes that point to each other by number; the root is 0. Pruning leaves unreachable ones behind.
struct Tree {
    std::vector<Node> nodes;
    Index n_classes = 0;

    // Numbers of the reachable nodes by level, so that siblings follow each other.
    std::vector<std::int32_t> by_level() const;
};

// The cases of each branch of a node.
std::vector<Cases> branches_of(const Table& table, const Node& node, const Cases& cases);
// Sets a node's class weights and number of cases.
void count_nodes(const Table& table, const Cases& cases, Node& node);

struct Growth {
    double min_leaf; // weight that two branches must have at least
    double gap;      // numbers closer than this are taken as equal
    bool correction; // log2(candidates) / N off the gain of a threshold
    bool binary;     // one category against the others, instead of one branch each
    Index max_depth; // no test below this depth
};
Tree grow(const Table& table, const Growth& growth);

// Makes a leaf of every node that errs no more in training than its subtree.
void collapse(Tree& tree);

// The errors that a leaf of n cases, e of them wrong, is expected to make on new cases.
struct Estimate {
    // normal: the upper limit of e/n by the normal approximation. corrected: that of (e + 1/2)/n,
    // and the exact limit for e = 0. quinlan: as corrected, with 0.67 (n - e) added where e is
    // nearly n.
    enum class Formula : std::uint8_t { normal = 0, corrected = 1, quinlan = 2 };
    Formula formula;
    double confidence; // in (0, 0.5]
    double z;          // normal quantile of 1 - confidence

    double operator()(double n, double e) const;

private:
    double added(double n, double e) const;
};

// From the leaves up: replaces a node by a leaf, or by its largest branch if `raising`, where that
// is expected to err no more (by 0.1 case) than the subtree.
void prune(Tree& tree, const Table& table, const Estimate& estimate, bool raising);

} // namespace gramian::c45
