// Grows one tree of gradient boosting leaf-wise over binned columns.
//
// The leaf of largest gain is split next. A split computes the histogram of the smaller child; that
// of the other is parent minus child. `Growth` is the loop for any storage of the rows;
// `TreeGrower` has the rows in memory.
#pragma once

#include "core/boost/rows.hpp"
#include "core/boost/search.hpp"

#include <cstddef>
#include <vector>

namespace gramian::boost {

constexpr Index kMostRows = Index(1) << 27; // with more rows, a sum could overflow

struct GrownNode {
    std::int32_t first_child = 0; // 0: a leaf; the second child follows the first
    std::int32_t feature = -1;
    std::int32_t slot = -1; // rows with code <= slot go to the first child
    bool missing_left = false;
    bool by_category = false; // rows whose code is in `left` go to the first child
    SlotSet left{};
    std::int64_t count = 0;
    double gradient = 0, hessian = 0, squares = 0; // exact sums of g, h and g^2 over the rows
    double value = 0; // of the Newton step, within the bounds of monotonic constraints
};

// Shortens Newton steps x beyond 2 to logarithmic length: the curvature of an exponential or
// logistic loss can fall by a factor e per unit, and only a step of log(1 + |x|) is guaranteed to
// lower such a loss.
double damped_step(double x);

class Growth {
public:
    virtual ~Growth() = default;
    const std::vector<GrownNode>& nodes() const { return nodes_; }

protected:
    Growth(GrowColumns columns, Options options, Index rows);

    // Grows a tree. `tree` is the number of the random stream that draws columns.
    void grow_tree(const CellLayout& layout, std::uint64_t seed, std::uint64_t tree);
    // Sets sums and values of all nodes from the sums of the leaves, in the order of `done_`.
    void set_values(const std::vector<LeafSums>& sums, bool damped);

    // Compute the histogram of a leaf: count_all() first, then count_group() for each group of
    // columns, in any thread.
    virtual void count_all(const Leaf& leaf) = 0;
    virtual void count_group(const Leaf& leaf, Index group) = 0;
    // Carries out the best split of a leaf. The children, nodes `child` and `child` + 1, get their
    // own best splits if one of them may be split.
    virtual void divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) = 0;

    // The children of a leaf, without node numbers, histograms and best splits.
    void make_children(const Leaf& parent, Leaf& left, Leaf& right) const;
    // Finds the best splits of both; overwrites the parent's histogram.
    void find_both(Leaf& left, Leaf& right, double* parent);
    bool may_split(const Leaf& leaf) const;
    // How many more leaves may be split.
    Index splits_left() const;
    void free_hist(double* hist) { free_hists_.push_back(hist); }

    SplitSearch search_;
    Index rows_;
    std::vector<GrownNode> nodes_;
    std::vector<Leaf> open_; // leaves that can still be split
    std::vector<Leaf> done_; // the leaves of the grown tree

private:
    double* take_hist();
    void record(const Leaf& parent, const Leaf& left);
    void find_splits(Leaf& small, Leaf* large, double* parent);
    void add_leaf(Leaf&& leaf);

    std::vector<std::vector<double>> hists_;
    std::vector<double*> free_hists_;
    Index n_leaves_ = 0;
};

// Has the codes, buffers and histograms that all trees of an ensemble share.
class TreeGrower : private Growth {
public:
    // codes: (groups, rows, 8) bytes, as made by apply_bins.
    TreeGrower(const std::uint8_t* codes, Index rows, GrowColumns columns, Options options);

    // Grows a tree; hessian == nullptr means curvature 1 for every row. `damped` shortens long
    // steps (damped_step), for losses whose curvature may decrease. The result stays until the next
    // call.
    void grow(const float* gradient, const float* hessian, bool damped, std::uint64_t seed,
              std::uint64_t tree);

    using Growth::nodes;
    Index rows() const { return rows_; }
    // score[i] += value of i's leaf; values has an entry per node.
    void add(const double* values, double* score) const;
    // leaf[i] = node number of i's leaf.
    void leaves(std::int32_t* leaf) const;
    // For every leaf the (weighted) q-quantile of residual over its rows.
    void leaf_quantiles(const double* residual, const double* weights, double q,
                        double* values) const;

private:
    void count_all(const Leaf& leaf) override;
    void count_group(const Leaf& leaf, Index group) override;
    void divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) override;
    std::vector<Range> ranges() const;

    LeafRows leaf_rows_;
    std::vector<double> chunk_hists_;
};

} // namespace gramian::boost
