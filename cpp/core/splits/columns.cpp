#include "core/splits/columns.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/sort.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

namespace gramian::splits {
namespace {

constexpr Index kTile = 64; // rows and columns of a transposed tile

template <typename T>
void transpose(Matrix<const T> X, T* out) {
    const runtime::Blocks blocks{X.rows, 4096};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index i0 = blocks.begin(b); i0 < blocks.end(b); i0 += kTile) {
                const Index i1 = std::min(i0 + kTile, blocks.end(b));
                for (Index j0 = 0; j0 < X.cols; j0 += kTile) {
                    for (Index j = j0; j < std::min(j0 + kTile, X.cols); ++j) {
                        for (Index i = i0; i < i1; ++i) out[j * X.rows + i] = X(i, j);
                    }
                }
            }
        },
        X.rows * X.cols < 20000 ? 1 : 0);
}

// The highest 32 bits of an unsigned number that orders as x does; both zeros are one value.
std::uint32_t ordered_bits(float x) {
    std::uint32_t bits;
    const float positive_zero = x + 0.0F;
    std::memcpy(&bits, &positive_zero, sizeof bits);
    return bits ^ (bits >> 31 ? 0xffffffffU : 0x80000000U);
}
std::uint32_t ordered_bits(double x) {
    std::uint64_t bits;
    const double positive_zero = x + 0.0;
    std::memcpy(&bits, &positive_zero, sizeof bits);
    return static_cast<std::uint32_t>(
        (bits ^ (bits >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63)) >> 32);
}

std::uint32_t row_of(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry);
}

} // namespace

double midpoint(double low, double high) {
    const double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

template <typename T>
Columns::Columns(Matrix<const T> X, Vector<const std::int32_t> levels, Index max_bins)
    : rows_(X.rows), max_bins_(max_bins), edges_(X.cols), levels_(levels.begin(), levels.end()),
      has_missing_(X.cols) {
    runtime::require(X.rows >= 1 && X.rows < Index{kMissing} && X.cols == levels.size,
                     "between 1 and 2^32 - 2 rows, and a number of levels per column");
    auto& values = [&]() -> std::vector<T>& {
        if constexpr (std::is_same_v<T, float>)
            return single_;
        else
            return double_;
    }();
    values.resize(X.rows * X.cols);
    transpose(X, values.data());
    runtime::parallel_for(
        X.cols,
        [&](Index j) {
            const T* column = values.data() + j * X.rows;
            bool missing = false, coded = true;
            for (Index i = 0; i < X.rows; ++i) missing |= column[i] != column[i];
            for (Index i = 0; i < X.rows && levels_[j] > 0; ++i) {
                coded &= !(column[i] < 0 || column[i] >= static_cast<T>(levels_[j]));
            }
            runtime::require(coded, "a category's code is outside its levels");
            has_missing_[j] = missing;
        },
        X.rows * X.cols < 100000 ? 1 : 0);
}

Index Columns::most_levels() const {
    return *std::max_element(levels_.begin(), levels_.end());
}

template <typename T>
void Columns::sort_numbers(Index column, const T* values, std::uint64_t* out,
                           std::uint64_t* spare) {
    Index known = 0, end = rows_;
    for (Index i = 0; i < rows_; ++i) {
        if (values[i] == values[i]) {
            out[known++] =
                std::uint64_t{ordered_bits(values[i])} << 32 | static_cast<std::uint64_t>(i);
        }
    }
    if (has_missing_[column]) {
        for (Index i = rows_; i-- > 0;) {
            if (values[i] != values[i]) {
                out[--end] = std::uint64_t{kMissing} << 32 | static_cast<std::uint64_t>(i);
            }
        }
    }
    // by the highest 32 bits, equal ones in their order
    const std::uint64_t* sorted = runtime::sort_by_digits<32, 11, 3>(out, spare, known);
    if (sorted != out) std::copy_n(sorted, known, out);
    std::uint32_t rank = 0;
    for (Index i = 0; i < known;) {
        Index j = i + 1; // [i, j): one value of the highest 32 bits
        const std::uint64_t key = out[i] >> 32;
        while (j < known && out[j] >> 32 == key) ++j;
        if constexpr (sizeof(T) > 4) {
            const auto value = [&](std::uint64_t e) { return values[row_of(e)]; };
            const auto less = [&](std::uint64_t a, std::uint64_t b) { return value(a) < value(b); };
            if (j > i + 1 && !std::is_sorted(out + i, out + j, less)) {
                std::stable_sort(out + i, out + j, less);
            }
            for (Index k = i; k < j; ++k) {
                const std::uint64_t next = k + 1 < j ? out[k + 1] : 0;
                const bool last = k + 1 == j || value(out[k]) < value(next);
                out[k] = std::uint64_t{rank} << 32 | row_of(out[k]);
                rank += last;
            }
        } else {
            for (Index k = i; k < j; ++k) out[k] = std::uint64_t{rank} << 32 | row_of(out[k]);
            ++rank;
        }
        i = j;
    }
}

template <typename T>
void Columns::put_in_bins(Index column, const T* values, std::uint64_t* sorted) {
    Index known = rows_;
    while (known > 0 && sorted[known - 1] >> 32 == kMissing) --known;
    if (known == 0) return;
    const bool few_values = static_cast<Index>(sorted[known - 1] >> 32) < max_bins_;
    const Index least = few_values ? 1 : (known + max_bins_ - 1) / max_bins_;
    edges_[column].clear(); // of a sort that was interrupted
    std::uint64_t bin = 0;
    Index begin = 0;
    std::uint64_t last = 0;
    for (Index i = 0; i < known; ++i) {
        const std::uint64_t rank = sorted[i] >> 32;
        if (i > 0 && rank != last && i - begin >= least) {
            const double low = values[row_of(sorted[i - 1])], high = values[row_of(sorted[i])];
            edges_[column].push_back(midpoint(low, high));
            ++bin;
            begin = i;
        }
        last = rank;
        sorted[i] = bin << 32 | row_of(sorted[i]);
    }
}

double Columns::threshold(Index low_row, Index high_row, Index column) const {
    const double low = value(low_row, column);
    if (max_bins_ == 0) return midpoint(low, value(high_row, column));
    return *std::lower_bound(edges_[column].begin(), edges_[column].end(), low);
}

template <typename T>
void Columns::sort_codes(Index column, const T* values, std::uint64_t* out) const {
    const Index levels = levels_[column];
    std::vector<Index> start(levels + 2);
    const auto code = [&](Index i) {
        return values[i] == values[i] ? static_cast<Index>(values[i]) : levels;
    };
    for (Index i = 0; i < rows_; ++i) ++start[code(i) + 1];
    for (Index c = 0; c <= levels; ++c) start[c + 1] += start[c];
    for (Index i = 0; i < rows_; ++i) {
        const Index c = code(i);
        const auto rank = c < levels ? static_cast<std::uint64_t>(c) : std::uint64_t{kMissing};
        out[start[c]++] = rank << 32 | static_cast<std::uint64_t>(i);
    }
}

void Columns::sort() {
    sorted_.resize(rows_ * cols());
    runtime::parallel_for(
        cols(),
        [&](Index j) {
            std::uint64_t* out = sorted_.data() + j * rows_;
            const auto sort_column = [&](const auto* values) {
                if (levels_[j] > 0) return sort_codes(j, values, out);
                const std::unique_ptr<std::uint64_t[]> spare(new std::uint64_t[rows_]);
                sort_numbers(j, values, out, spare.get());
                if (max_bins_ > 0) put_in_bins(j, values, out);
            };
            single_.empty() ? sort_column(double_.data() + j * rows_)
                            : sort_column(single_.data() + j * rows_);
        },
        rows_ * cols() < 4000 ? 1 : 0);
}

void Columns::rank() {
    const bool is_short = short_ranks();
    sorted(0);
    if (is_short)
        ranks16_.resize(rows_ * cols());
    else
        ranks32_.resize(rows_ * cols());
    runtime::parallel_for(
        cols(),
        [&](Index j) {
            const std::uint64_t* in = sorted_.data() + j * rows_;
            for (Index i = 0; i < rows_; ++i) {
                const auto rank = static_cast<std::uint32_t>(in[i] >> 32);
                const Index at = j * rows_ + row_of(in[i]);
                if (is_short)
                    ranks16_[at] = static_cast<std::uint16_t>(rank);
                else
                    ranks32_[at] = rank;
            }
        },
        rows_ * cols() < 20000 ? 1 : 0);
}

const std::uint64_t* Columns::sorted(Index column) {
    sorted_once_([this] { sort(); });
    return sorted_.data() + column * rows_;
}

const std::uint16_t* Columns::ranks16(Index column) {
    ranked_once_([this] { rank(); });
    return ranks16_.data() + column * rows_;
}

const std::uint32_t* Columns::ranks32(Index column) {
    ranked_once_([this] { rank(); });
    return ranks32_.data() + column * rows_;
}

const std::uint16_t* Columns::ranks16_by_row() {
    const std::uint16_t* ranks = ranks16(0);
    by_row_once_([&] {
        ranks16_by_row_.resize(rows_ * cols());
        const runtime::Blocks blocks{rows_, 512};
        runtime::parallel_for(blocks.count(), [&](Index b) {
            for (Index j = 0; j < cols(); ++j) {
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i)
                    ranks16_by_row_[i * cols() + j] = ranks[j * rows_ + i];
            }
        });
    });
    return ranks16_by_row_.data();
}

template Columns::Columns(Matrix<const float>, Vector<const std::int32_t>, Index);
template Columns::Columns(Matrix<const double>, Vector<const std::int32_t>, Index);

} // namespace gramian::splits
