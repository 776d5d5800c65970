// The best split of a leaf, from its histogram.
//
// With gradients g_i and curvatures h_i of the loss at the present scores, a leaf with the rows R
// takes the Newton step  v = -G / (H + l2),  G = sum_R g_i, H = sum_R h_i,  and the gain of a split
// is
//
//     G_L^2 / (H_L + l2) + G_R^2 / (H_R + l2) - G^2 / (H + l2)
//
// (Friedman 2001; Chen and Guestrin 2016, eq. 7).
#pragma once

#include "core/boost/rows.hpp"

#include <array>
#include <vector>

namespace gramian::boost {

struct GrowColumns {
    Index columns;
    const std::int32_t* n_bins;       // codes 0 .. n_bins[j] - 1; the missing code is the group's
    const std::uint8_t* missing_code; // per group: the largest n_bins of its columns
    const std::uint8_t* has_missing;  // whether a training row has a missing value
    const std::uint8_t* categorical;
    const std::int8_t* monotone; // +1, 0, -1
    // Sets of columns that may occur in one branch: members[starts[s] .. starts[s + 1]); no sets
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
    double max_features; // fraction of the allowed columns that a node searches
};

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
    int depth = 0;
    std::int32_t key = 0;             // its number on the workers, for distributed rows
    Range rows;                       // for distributed rows, only their number is used
    double gradient = 0, hessian = 0; // sums in the integers' units
    double low = 0, high = 0;         // bounds of its value, in these units
    double* hist = nullptr;
    std::vector<std::int32_t> sets; // constraint sets that its branch may still use
    Split split;
};

class SplitSearch {
public:
    SplitSearch(GrowColumns columns, Options options);

    // Sets the units of the next tree's histograms and the random stream that draws its columns.
    void begin(const CellLayout& layout, std::uint64_t seed, std::uint64_t tree);

    const HistShape& shape() const { return shape_; }
    const CellLayout& layout() const { return layout_; }
    const GrowColumns& columns() const { return columns_; }
    const Options& options() const { return options_; }
    double l2() const { return l2_; } // in the integers' units

    Cells cells(double* hist, Index group) const { return shape_.cells(hist, group, layout_); }
    // The columns that may split a leaf.
    std::vector<std::uint8_t> allowed_columns(const Leaf& leaf) const;
    // Improves `best` by the columns of one group.
    void search_group(const Leaf& leaf, Index group, const std::vector<std::uint8_t>& allowed,
                      Split& best) const;
    // The slots whose rows go to the first child.
    SlotSet goes_left(const Split& split) const;

private:
    void search_categories(const Leaf& leaf, const Cells& cells, Index feature, Split& best) const;
    double term(double gradient, double hessian, double low, double high) const;

    GrowColumns columns_;
    Options options_;
    HistShape shape_;
    CellLayout layout_{};
    double l2_ = 0;
    std::uint64_t seed_ = 0, tree_ = 0;
};

} // namespace gramian::boost
