// The columns of a table, sorted or ranked once for all trees that are grown on it.
//
// Equal values share a rank, and the ranks of a column are 0, 1, 2, ... in the order of its
// values; a category's rank is its code. A missing value has the largest rank.
// The table itself is not copied. Columns that are numeric without missing values take 4 bytes a
// value, whose memory is reused: first for the leading bits of every value, by which a column is
// sorted, then for the ranks or the sorted rows.
#pragma once

#include "core/runtime/once.hpp"
#include "core/runtime/views.hpp"
#include "core/splits/search.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
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

    // X must live as long as this. `levels[j]` is the number of categories of column j, whose
    // values are their codes; 0 for numbers. With max_bins > 0, numbers
    // are put in at most so many bins of about equally many rows, and all values of a bin share a
    // rank.
    template <typename T>
    Columns(Matrix<const T> X, Vector<const std::int32_t> levels, Index max_bins = 0);

    Index rows() const { return rows_; }
    Index cols() const { return static_cast<Index>(levels_.size()); }
    Index levels(Index column) const { return levels_[column]; }
    Index most_levels() const;
    bool binned() const { return max_bins_ > 0; }
    bool has_missing(Index column) const { return has_missing_[column] != 0; }
    // Whether lists of NarrowEntry can hold the columns: all numeric, no value missing.
    bool narrow() const;
    double value(Index row, Index column) const {
        return single_.data ? static_cast<double>(single_(row, column)) : double_(row, column);
    }
    // Prefetches a value.
    void prefetch(Index row, Index column) const {
        if (single_.data)
            __builtin_prefetch(&single_(row, column));
        else
            __builtin_prefetch(&double_(row, column));
    }
    // Whether two numbers share a rank.
    bool equal(Index row, Index other, Index column) const;
    // The threshold between two rows of unequal rank: halfway, or where the bin of the first ends.
    double threshold(Index low_row, Index high_row, Index column) const;

    // Writes the lists of all columns, one after the other: entries (rank, i) of rows[i], i < n,
    // ascending; the rows of the table themselves where `rows` is null.
    template <typename E>
    void write_lists(const std::uint32_t* rows, Index n, E* out);

    // The list of a column, for many trees: narrow_sorted() if narrow(), else sorted(). Made when
    // first asked for.
    const NarrowEntry* narrow_sorted(Index column);
    const std::uint64_t* sorted(Index column);
    // The rank of every row, in 16 bits where rows() < 65535 and no column has more categories;
    // a missing value has all bits set. Made when first asked for.
    bool short_ranks() const { return rows_ < 0xffff && most_levels() < 0xffff; }
    const std::uint16_t* ranks16(Index column);
    const std::uint32_t* ranks32(Index column);
    // The ranks of 16 bits, row by row.
    const std::uint16_t* ranks16_by_row();

private:
    struct Scratch;

    // Calls `body` with the table, a Matrix of float or double.
    template <typename Body>
    auto of_table(const Body& body) const {
        return single_.data ? body(single_) : body(double_);
    }
    void write_keys(const std::uint32_t* rows, Index n, std::byte* out, Index column_bytes) const;
    void sort_column(Index column, const std::uint32_t* rows, Index n, const std::byte* keys,
                     Scratch& scratch);
    template <typename T>
    void rank_numbers(Matrix<const T> X, Index column, const std::uint32_t* rows, Index known,
                      std::uint64_t* sorted) const;
    void put_in_bins(Index column, Index known, std::uint64_t* sorted);
    template <typename Rank>
    void rank(std::byte* keys, Rank* ranks);

    Index rows_;
    Index max_bins_;
    std::vector<std::vector<double>> edges_; // where the bins of each column end
    std::vector<std::int32_t> levels_;
    std::vector<std::uint8_t> has_missing_;
    Matrix<const float> single_{nullptr, 0, 0}; // one of the two holds the table
    Matrix<const double> double_{nullptr, 0, 0};
    std::unique_ptr<NarrowEntry[]> narrow_sorted_; // column by column, like all below
    std::unique_ptr<std::uint64_t[]> sorted_;
    std::unique_ptr<std::uint16_t[]> ranks16_, ranks16_by_row_;
    std::unique_ptr<std::uint32_t[]> ranks32_;
    runtime::Once sorted_once_, ranked_once_, by_row_once_;
};

} // namespace gramian::splits
