// The columns of a table, prepared once for every tree that is grown on it: transposed, sorted,
// ranked.
//
// Equal values share a rank, and the ranks of a column are 0, 1, 2, ... in the order of its
// values; a category's rank is its code. A missing value has the greatest rank there is.
#pragma once

#include "core/runtime/once.hpp"
#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::splits {

// The ranks of a column: that of row i is at[i * step].
template <typename Rank>
struct RankColumn {
    const Rank* at;
    Index step;

    Rank operator[](Index row) const { return at[row * step]; }
};

// Halfway between two values, at least the lower and below the upper one.
double midpoint(double low, double high);

class Columns {
public:
    static constexpr std::uint32_t kMissing = 0xffffffff;

    // `levels[j]` is the number of categories of column j, whose values are their codes; 0 for
    // numbers. With max_bins > 0, numbers of neighbouring ranks are put in so many bins at most, of
    // about as many rows each, and a bin is a rank.
    template <typename T>
    Columns(Matrix<const T> X, Vector<const std::int32_t> levels, Index max_bins = 0);

    Index rows() const { return rows_; }
    Index cols() const { return static_cast<Index>(levels_.size()); }
    Index levels(Index column) const { return levels_[column]; }
    Index most_levels() const;
    bool has_missing(Index column) const { return has_missing_[column] != 0; }
    double value(Index row, Index column) const {
        const Index at = column * rows_ + row;
        return single_.empty() ? double_[at] : static_cast<double>(single_[at]);
    }
    // Asks for a value that will be read soon.
    void prefetch(Index row, Index column) const {
        const Index at = column * rows_ + row;
        if (single_.empty())
            __builtin_prefetch(double_.data() + at);
        else
            __builtin_prefetch(single_.data() + at);
    }

    // Between the values of two rows of unequal rank: halfway, or where the bin of the first ends.
    double threshold(Index low_row, Index high_row, Index column) const;

    // rank << 32 | row for every row, ascending; sorted when first asked for.
    const std::uint64_t* sorted(Index column);
    // The rank of every row, in 16 bits where rows() < 65535 and no column has more categories;
    // a missing value has all bits set. Made when first asked for.
    bool short_ranks() const { return rows_ < 0xffff && most_levels() < 0xffff; }
    const std::uint16_t* ranks16(Index column);
    const std::uint32_t* ranks32(Index column);
    // The ranks of 16 bits row after row.
    const std::uint16_t* ranks16_by_row();

private:
    void sort();
    void rank();
    template <typename T>
    void sort_numbers(Index column, const T* values, std::uint64_t* out, std::uint64_t* spare);
    template <typename T>
    void put_in_bins(Index column, const T* values, std::uint64_t* sorted);
    template <typename T>
    void sort_codes(Index column, const T* values, std::uint64_t* out) const;

    Index rows_;
    Index max_bins_;
    std::vector<std::vector<double>> edges_; // of each column: where its bins end
    std::vector<std::int32_t> levels_;
    std::vector<std::uint8_t> has_missing_;
    std::vector<float> single_; // column after column; one of the two is empty
    std::vector<double> double_;
    std::vector<std::uint64_t> sorted_;
    std::vector<std::uint16_t> ranks16_, ranks16_by_row_;
    std::vector<std::uint32_t> ranks32_;
    runtime::Once sorted_once_, ranked_once_, by_row_once_;
};

} // namespace gramian::splits
