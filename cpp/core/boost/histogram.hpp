// Histograms of gradients over 8-bit codes, and the search for the best cut in them.
//
// While rows are added, a cell is one 64-bit integer that holds three sums side by side,
//
//     gradient | curvature | number of rows,
//
// so that a row costs one load of eight codes and eight adds to memory. Gradients and curvatures
// are fixed-point numbers of a common scale. Before a field can overflow, the cells are flushed
// into three arrays of doubles, whose sums of integers below 2^52 are exact. Hence a histogram
// does not depend on the order of the rows or on threads, and a sibling's histogram is exactly
// parent minus child.
//
// A group's arrays are laid out [slot][column of the group]: slot = code; the last slot holds the
// missing values.
#pragma once

#include "core/boost/bins.hpp"
#include "core/runtime/views.hpp"

#include <cmath>

namespace gramian::boost {

// The bit fields of a cell.
struct CellLayout {
    int count_bits;
    int hessian_bits;      // 0: constant curvature, given by the count
    Index rows;            // at most so many are added before a flush
    double gradient_scale; // gradient = integer * scale
    double hessian_scale;  // curvature = integer * scale
};

struct Cells {
    double* gradient;
    double* hessian; // the same array as count if the curvature is constant
    double* count;
};

// The search in one group of columns of one node. Sums are in the integers' units.
struct CutSearch {
    Cells cells;
    int columns; // of the group; the others are not searched
    int slots;   // without the slot of missing values, which comes next
    bool with_missing;
    double gradient, hessian, count; // of the node
    double l2, least_hessian, least_count;
    // Bounds of the children's values, for monotonic constraints; and +1, 0, -1 per column.
    bool bounded;
    double low, high;
    double monotone[kGroup];
};

// The best cut of each column: rows with code <= slot go left. Gain is
//     G_L^2 / (H_L + l2) + G_R^2 / (H_R + l2),
// without the parent's term; -infinity where no cut is allowed. Among equals, the lowest slot with
// missing values on the right.
struct BestCuts {
    double gain[kGroup];
    double slot[kGroup];
    double missing_left[kGroup]; // 1 or 0
};

// The sizes of gradients and curvatures.
struct SampleSizes {
    double largest_gradient = 0, sum_of_gradients = 0; // of absolute values
    double largest_hessian = 0, sum_of_hessians = 0;
};

// A sum that does not depend on the order of its terms (Demmel and Nguyen 2013). Where no term
// exceeds 2^e, each is rounded to multiples of 2^(e - 26), what is left to multiples of
// 2^(e - 53); of 2^27 terms, the multiples of each unit add up without rounding.
struct ReproducibleSum {
    double first = 0, second = 0;

    void add(const ReproducibleSum& other) {
        first += other.first;
        second += other.second;
    }
    double value() const { return first + second; }
};

// 1.5 * 2^52 units of each digit: adding it and taking it away rounds to a multiple of the unit.
struct Digits {
    double first = 0, second = 0;

    static Digits up_to(double largest) {
        if (!(largest > 0)) return {};
        int e;
        std::frexp(largest, &e);
        return {std::ldexp(1.5, e + 26), std::ldexp(1.5, e - 1)};
    }
};

struct SumDigits {
    Digits gradient, hessian, squares;

    explicit SumDigits(double largest_gradient = 0, double largest_hessian = 0)
        : gradient(Digits::up_to(largest_gradient)), hessian(Digits::up_to(largest_hessian)),
          squares(Digits::up_to(largest_gradient * largest_gradient)) {}
};

struct SizeSums {
    ReproducibleSum gradients, hessians; // of absolute values
};

struct LeafSums {
    ReproducibleSum gradient, hessian, squares; // hessian: 0 where the curvature is 1

    void add(const LeafSums& other) {
        gradient.add(other.gradient);
        hessian.add(other.hessian);
        squares.add(other.squares);
    }
};

struct HistKernels {
    // Adds n rows to the cells of the first `columns` of a group; rows == nullptr means rows
    // 0 .. n - 1.
    void (*add)(const std::uint8_t* codes, const std::uint32_t* rows, const std::uint64_t* samples,
                Index n, int columns, std::uint64_t* cells);
    // Adds the cells of the first `columns` to the sums (or, for the first block, sets the sums)
    // and empties them. n, the number of cells of the group, is a multiple of 8.
    void (*flush)(std::uint64_t* cells, Index n, int columns, const CellLayout& layout, bool first,
                  const Cells& sums);
    void (*subtract)(double* from, const double* what, Index n);
    void (*search)(const CutSearch& search, BestCuts& best);
    // For two classes: out[i] = the Gini criterion of a cut with the class weights a[i], b[i] on
    // the left of totals A, B. n is a multiple of 8.
    void (*gini)(const double* a, const double* b, double A, double B, Index n, double* out);
    // hessian == nullptr means curvature 1 for every row, which has no size. Without the sums:
    SampleSizes (*largest)(const float* gradient, const float* hessian, Index n);
    SizeSums (*size_sums)(const float* gradient, const float* hessian, Index n,
                          const SumDigits& digits);
    // Sums over rows[0 .. n - 1]; rows == nullptr means rows 0 .. n - 1.
    LeafSums (*leaf_sums)(const float* gradient, const float* hessian, const std::uint32_t* rows,
                          Index n, const SumDigits& digits);
    // Packs fixed-point samples: (gradient | curvature | 1).
    void (*pack)(const float* gradient, const float* hessian, Index n, const CellLayout& layout,
                 std::uint64_t* samples);
};

const HistKernels& hist_table();

} // namespace gramian::boost
