// Finds the leaves of rows in one tree or many, with packed nodes.
#pragma once

#include "core/runtime/once.hpp"
#include "core/tree/nodes.hpp"

#include <cstdint>
#include <vector>

namespace gramian::tree {

class Walk {
public:
    // Several trees, tree t in the nodes roots[t] .. roots[t + 1] - 1 with its children counted
    // from roots[t] and its bits from words[t]; `levels` holds the number of categories of each
    // column, 0 for numbers. Checks every number that a walk relies on and throws
    // std::invalid_argument.
    Walk(const NodeArrays& arrays, Vector<const std::int64_t> roots,
         Vector<const std::int64_t> words, Vector<const std::int32_t> levels);

    Index n_trees() const { return static_cast<Index>(roots_.size()) - 1; }
    Index n_nodes() const { return roots_.back(); }
    Index n_features() const { return static_cast<Index>(levels_.size()); }

    // out(i, t) = the leaf of tree t that row i ends in, counted from the root of that tree.
    // Where missing = -1 it takes the child of the greatest weight.
    template <typename T>
    void leaves(Matrix<const T> X, Matrix<std::int32_t> out) const;

    // out(i, :) += scale * sum_t values(leaf of row i in tree t, :), the trees in order.
    template <typename T>
    void sums(Matrix<const T> X, Matrix<const double> values, double scale,
              Matrix<double> out) const;

    // out(i, :) += the values of row i in the trees first + t for which in_bag(t, i) is 0, and
    // trees[i] += their number.
    template <typename T>
    void sums_out_of_bag(Matrix<const T> X, Matrix<const double> values, Index first,
                         Matrix<const std::uint8_t> in_bag, Matrix<double> out,
                         Vector<std::int64_t> trees) const;

    // As sums, but a missing value whose child is -1 goes down all children, in proportion to
    // their weights.
    template <typename T>
    void fractions(Matrix<const T> X, Matrix<const double> values, double scale,
                   Matrix<double> out) const;

private:
    // next = child + !(x[feature] <= threshold). A leaf points to itself: its threshold is
    // infinite. kMissingGoesFirst, the highest bit of `feature`, says that a missing value goes to
    // child 0.
    static constexpr std::uint32_t kMissingGoesFirst = std::uint32_t{1} << 31;
    struct Node {
        double threshold;
        std::int32_t child;
        std::uint32_t feature;
    };
    // The same in half the memory, for float32 rows without missing values: the threshold is
    // rounded down to float32, which changes no comparison with float32 values; child (from the
    // root) << 12 | feature.
    struct ShortNode {
        float threshold;
        std::uint32_t where;
    };
    // The additional data of nodes that split on a category.
    struct Categories {
        std::uint8_t kind;
        std::int32_t bit_start;
        std::int32_t missing; // the child of missing or unseen categories; may be -1
        std::int32_t heaviest;
        std::int32_t n_children;
    };

    void check(const NodeArrays& arrays, Index tree, Index first_word, Index node) const;
    Index go(Index node, double x, bool one_child) const;
    template <typename T>
    void descend(Matrix<const T> X, Index begin, Index end, Index tree, std::int32_t* leaf,
                 bool any_nan) const;
    template <typename T>
    void descend_trees(const T* x, Index begin, Index end, std::int32_t* leaf) const;
    template <typename T, bool kNan>
    void descend_numbers(Matrix<const T> X, Index begin, Index end, Index tree,
                         std::int32_t* leaf) const;
    const ShortNode* short_nodes() const; // made when first asked for; null if they do not fit
    void descend_short(Matrix<const float> X, Index begin, Index end, Index tree,
                       std::int32_t* leaf) const;
    void add_fractions(const double* x, Index tree, Matrix<const double> values, double scale,
                       double* out) const;

    std::vector<Node> nodes_;
    mutable std::vector<ShortNode> short_nodes_;
    mutable runtime::Once short_once_;
    std::vector<Categories> categories_; // empty if all nodes are numeric
    std::vector<double> weight_;         // empty if no missing value goes to all children
    std::vector<std::uint64_t> bits_;
    std::vector<std::int64_t> roots_;
    std::vector<std::int32_t> levels_;
};

} // namespace gramian::tree
