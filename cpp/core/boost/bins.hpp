// Bins: every column cut into at most 255 intervals, so that a value becomes an 8-bit code.
// Columns are in groups of eight. The codes of a group lie together, eight bytes a row, so that one
// 64-bit load reads the codes of a row in eight columns. Columns that pad the last group have code
// 0.
#pragma once

#include "core/runtime/views.hpp"

#include <cmath>

namespace gramian::boost {

constexpr int kGroup = 8;      // columns whose codes share a 64-bit word
constexpr int kMostBins = 255; // of a column; one more code marks missing values

inline Index groups_of(Index columns) {
    return (columns + kGroup - 1) / kGroup;
}
// How many columns a group holds.
inline int columns_in(Index group, Index columns) {
    return static_cast<int>(columns - group * kGroup < kGroup ? columns - group * kGroup : kGroup);
}

// The largest value of type T that is at most half-way from a to b, a < b: a <= cut < b.
template <typename T>
double cut_between(T a, T b) {
    const double middle = 0.5 * static_cast<double>(a) + 0.5 * static_cast<double>(b);
    T cut = static_cast<T>(middle);
    if (static_cast<double>(cut) > middle || !(cut < b)) cut = std::nextafter(cut, a);
    return cut < a ? a : cut;
}

// Cut points of every column: value x has the code "number of cuts below x", so that
// code <= b exactly if x <= cuts[b]. With at most max_bins distinct values there is a cut halfway
// between any two neighbours; with more, the cuts are those next to the (weighted) quantiles
// b / max_bins of the rows `sample` (all rows if it is empty). A weight of k equals k copies of a
// row. A cut is a value of type T. Missing values (NaN) are left out. Writes cuts(j, 0 .. n_cuts[j]
// - 1). Columns with skip[j] != 0 get no cuts.
template <typename T>
void find_cuts(Matrix<const T> X, const double* weights, Vector<const Index> sample, int max_bins,
               const std::uint8_t* skip, Matrix<double> cuts, std::int32_t* n_cuts);

// How the values of the columns become codes.
struct Bins {
    Matrix<const double> cuts; // a row per column
    const std::int32_t* n_cuts;
    // Bins of the categories 0, 1, ... of column j: category_bin[category_start[j] ..
    // category_start[j + 1]); empty for a numeric column.
    const std::uint8_t* category_bin;
    const Index* category_start;
    const std::uint8_t* missing; // the code of a missing or unseen value, one per group
};

// codes: (groups, rows, 8) bytes; has_missing[j] becomes 1 if column j has a missing value.
template <typename T>
void apply_bins(Matrix<const T> X, const Bins& bins, std::uint8_t* codes,
                std::uint8_t* has_missing);

} // namespace gramian::boost
