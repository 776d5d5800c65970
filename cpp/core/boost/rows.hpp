// The rows of a growing tree, sorted by leaf: packed samples, histograms, splits, sums.
#pragma once

#include "core/boost/histogram.hpp"

#include <array>
#include <vector>

namespace gramian::boost {

constexpr Index kRowBlock = 4096; // rows of a task

// Positions of the groups in a histogram.
struct HistShape {
    Index columns, groups;
    Index size = 0;                   // in doubles
    std::vector<Index> start;         // of each group
    const std::uint8_t* missing_code; // per group: its last slot

    HistShape(Index columns, const std::uint8_t* missing_code);
    Index slots(Index group) const { return Index(missing_code[group]) + 1; }
    Cells cells(double* hist, Index group, const CellLayout& layout) const {
        double* gradient = hist + start[group];
        double* count = gradient + slots(group) * kGroup;
        return {gradient, layout.hessian_bits > 0 ? count + slots(group) * kGroup : count, count};
    }
};

using SlotSet = std::array<std::uint64_t, 4>; // a bit per slot

inline bool has_slot(const SlotSet& set, int slot) {
    return set[slot / 64] >> (slot % 64) & 1;
}

// The rows of a leaf in buffer `side`; side -1: all rows in order.
struct Range {
    Index begin = 0, end = 0;
    int side = -1;

    Index size() const { return end - begin; }
};

// Chooses the units of gradients and curvatures and their bits in a cell.
CellLayout choose_layout(const SampleSizes& sizes, Index rows, bool has_hessian);

class LeafRows {
public:
    // codes: (groups, rows, 8) bytes, as made by apply_bins.
    LeafRows(const std::uint8_t* codes, Index rows, HistShape shape);

    Index rows() const { return rows_; }
    Range all() const { return {0, rows_, -1}; }

    // Sizes of gradients and curvatures, independent of the order of the rows; hessian == nullptr
    // means curvature 1 for every row. `digits` come from the largest values of all rows.
    static SampleSizes largest(const float* gradient, const float* hessian, Index rows);
    static SizeSums size_sums(const float* gradient, const float* hessian, Index rows,
                              const SumDigits& digits);
    // Starts a tree: packs the samples of all rows.
    void pack(const float* gradient, const float* hessian, const CellLayout& layout);

    // The number of chunks in which to compute the histogram of so many rows.
    Index chunks_for(Index n) const;
    // The histogram of one chunk of a leaf's rows in one group of columns.
    void build(const Range& leaf, double* hist, Index group, Index chunk, Index chunks);
    // Moves the n_left rows whose code of a column is in `left` to the front; returns the buffer
    // that holds the rows afterwards.
    int divide(const Range& leaf, Index n_left, Index feature, const SlotSet& left);
    // The same if their number is not known; returns the two parts.
    std::array<Range, 2> divide(const Range& leaf, Index feature, const SlotSet& left);

    // Sums of g, h and g^2 over the rows of each leaf.
    std::vector<LeafSums> sums(const std::vector<Range>& leaves, const float* gradient,
                               const float* hessian, const SumDigits& digits) const;
    // score[i] += values[l] for the rows of leaf l.
    void add(const std::vector<Range>& leaves, const double* values, double* score) const;
    // out[i] = names[l] for the rows of leaf l.
    void name(const std::vector<Range>& leaves, const std::int32_t* names, std::int32_t* out) const;
    // The (weighted) q-quantile of residual over the rows of a leaf.
    double quantile(const Range& leaf, const double* residual, const double* weights,
                    double q) const;

private:
    using GoesLeft = std::array<std::uint8_t, 256>;

    // Samples of all rows, in order. The children of the root use the other buffer.
    std::uint64_t* root_samples() { return sample_buffer_[1].data(); }
    const std::uint8_t* codes_of(Index feature) const {
        return codes_ + (feature / kGroup) * rows_ * kGroup + feature % kGroup;
    }
    struct Transfer;
    Transfer transfer(const Range& parent, Index feature, const GoesLeft& goes_left);
    Index count(const Range& leaf, Index feature, const GoesLeft& goes_left) const;
    void exchange(const Range& leaf, Index n_left, Index feature, const GoesLeft& goes_left);
    void partition(const Range& leaf, Index n_left, Index feature, const GoesLeft& goes_left);
    Index partition_to_ends(const Range& leaf, Index feature, const GoesLeft& goes_left);
    template <typename Body>
    void for_leaf_blocks(const std::vector<Range>& leaves, Body&& body) const;

    const std::uint8_t* codes_;
    Index rows_;
    HistShape shape_;
    CellLayout layout_{};
    std::vector<std::uint32_t> row_buffer_[2];
    std::vector<std::uint64_t> sample_buffer_[2];
};

} // namespace gramian::boost
