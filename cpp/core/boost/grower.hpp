// One tree of gradient boosting, grown leaf by leaf over binned columns.
//
// With gradients g_i and curvatures h_i of the loss at the present scores, a leaf with the rows R
// takes the Newton step  v = -G / (H + l2),  G = sum_R g_i, H = sum_R h_i,  and a split gains
//
//     G_L^2 / (H_L + l2) + G_R^2 / (H_R + l2) - G^2 / (H + l2)
//
// (Friedman 2001; Chen and Guestrin 2016, eq. 7). The leaf of the largest gain is split next. A
// split costs one histogram of its smaller child; the other is parent minus child.
#pragma once

#include "core/boost/histogram.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gramian::boost {

constexpr Index kRowBlock = 4096; // rows of a task

struct GrowColumns {
    Index columns;
    const std::int32_t* n_bins;       // codes 0 .. n_bins[j] - 1; the missing code is the group's
    const std::uint8_t* missing_code; // per group: the largest n_bins of its columns
    const std::uint8_t* has_missing;  // whether training rows miss the value
    const std::uint8_t* categorical;
    const std::int8_t* monotone; // +1, 0, -1
    // Sets of columns that may meet in one branch: members[starts[s] .. starts[s + 1]); no sets
    // means no constraint.
    std::vector<Index> set_starts;
    std::vector<std::int32_t> set_members;
};

struct Options {
    Index max_leaves; // 0: no limit
    Index max_depth;  // 0: no limit
    Index min_samples_leaf;
    double l2;
    double min_hessian;
    double max_features; // share of the allowed columns that a node may look at
};

using SlotSet = std::array<std::uint64_t, 4>; // a bit per slot

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
    int depth = 0;
};

// A Newton step x is trusted up to 2 and grows as a logarithm beyond: where a loss is an
// exponential or a logistic one, its curvature can fall by a factor e per unit, and the step that
// is sure to lower the loss is log(1 + |x|).
double careful_step(double x);

// Keeps what all trees of an ensemble share: codes, buffers, histograms. Growth is in
// grower.cpp, histograms and the search in search.cpp, passes over the rows of leaves in
// rows.cpp.
class TreeGrower {
public:
    // codes: (groups, rows, 8) bytes, as made by apply_bins.
    TreeGrower(const std::uint8_t* codes, Index rows, GrowColumns columns, Options options);

    // Grows a tree; hessian == nullptr means curvature 1 for every row. `tree` numbers the stream
    // of random numbers that chooses columns. `careful` shortens long steps (careful_step), for
    // losses whose curvature may fall. The result stays until the next call.
    void grow(const float* gradient, const float* hessian, bool careful, std::uint64_t seed,
              std::uint64_t tree);

    const std::vector<GrownNode>& nodes() const { return nodes_; }
    Index rows() const { return rows_; }
    // score[i] += value of i's leaf; values has an entry per node.
    void add(const double* values, double* score) const;
    // leaf[i] = node number of i's leaf.
    void leaves(std::int32_t* leaf) const;
    // For every leaf the (weighted) q-quantile of residual over its rows.
    void leaf_quantiles(const double* residual, const double* weights, double q,
                        double* values) const;

private:
    struct Split {
        double gain = 0; // 0: none
        std::int32_t feature = -1;
        std::int32_t slot = -1;
        bool missing_left = false;
        bool by_category = false;
        SlotSet left{};
    };
    // A leaf of the growing tree.
    struct Leaf {
        std::int32_t node = 0;
        Index begin = 0, end = 0; // its rows in buffer `side`; side -1: all rows in order
        int side = -1;
        double gradient = 0, hessian = 0; // sums in the integers' units
        double low = 0, high = 0;         // bounds of its value, in these units
        double* hist = nullptr;
        std::vector<std::int32_t> sets; // constraint sets that its branch may still use
        Split split;
    };

    void choose_layout(const float* gradient, const float* hessian);
    double* take_hist();
    Cells cells(double* hist, Index group) const;
    // Samples of all rows in order: the root's children use the other buffer.
    std::uint64_t* root_samples() { return sample_buffer_[1].data(); }
    void build(const Leaf& leaf, double* hist, Index group, Index chunk, Index chunks);
    void make_histograms(Leaf& small, Leaf* large, double* parent);
    void search_group(const Leaf& leaf, Index group, const std::vector<std::uint8_t>& allowed,
                      Split& best) const;
    void search_categories(const Leaf& leaf, const Cells& cells, Index feature, Split& best) const;
    std::vector<std::uint8_t> allowed_columns(const Leaf& leaf) const;
    double term(double gradient, double hessian, double low, double high) const;
    bool may_split(const Leaf& leaf) const;
    void divide(Leaf& parent, Leaf& left, Leaf& right);
    bool stays_in_place(const Leaf& parent, Index n_left) const;
    void exchange(const Leaf& parent, Index n_left, const std::uint8_t* goes_left);
    void partition(const Leaf& parent, Index n_left, const std::uint8_t* goes_left);
    void finish(const float* gradient, const float* hessian, bool careful);
    template <typename Body>
    void for_leaf_blocks(Body&& body) const;

    const std::uint8_t* codes_;
    Index rows_, groups_;
    GrowColumns columns_;
    Options options_;
    std::vector<Index> hist_start_; // of each group, in doubles
    Index hist_size_ = 0;
    CellLayout layout_{};
    double l2_ = 0; // in the integers' units
    std::uint64_t seed_ = 0, tree_ = 0;

    std::vector<std::vector<double>> hists_;
    std::vector<double*> free_hists_;
    std::vector<double> chunk_hists_;
    std::vector<std::uint32_t> row_buffer_[2];
    std::vector<std::uint64_t> sample_buffer_[2];
    std::vector<std::uint8_t> flags_;
    std::vector<GrownNode> nodes_;
    std::vector<Leaf> done_; // the leaves of the grown tree
};

} // namespace gramian::boost
