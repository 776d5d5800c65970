#include "core/splits/columns.hpp"

#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/sort.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace gramian::splits {
namespace {

constexpr Index kTile = 64; // rows of a transposed tile
constexpr Index kKeyBytes = sizeof(std::uint32_t);

// The highest 32 bits of an unsigned integer with the order of x; -0 equals 0.
std::uint32_t ordered_bits(float x) {
    return runtime::SortKey<float>::of(x + 0.0F);
}
std::uint32_t ordered_bits(double x) {
    return static_cast<std::uint32_t>(runtime::SortKey<double>::of(x + 0.0) >> 32);
}

std::uint32_t row_of(std::uint64_t entry) {
    return static_cast<std::uint32_t>(entry);
}

template <typename T>
std::unique_ptr<T[]> room_for(Index n) {
    return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n));
}

} // namespace

double midpoint(double low, double high) {
    const double middle = low / 2 + high / 2;
    return middle >= low && middle < high ? middle : low;
}

// The entries of a column, rank << 32 | id, ascending.
struct Columns::Scratch {
    std::unique_ptr<std::uint64_t[]> entries, spare;

    explicit Scratch(Index n)
        : entries(room_for<std::uint64_t>(n)), spare(room_for<std::uint64_t>(n)) {}
};

template <typename T>
Columns::Columns(Matrix<const T> X, Vector<const std::int32_t> levels, Index max_bins)
    : rows_(X.rows), max_bins_(max_bins), edges_(X.cols), levels_(levels.begin(), levels.end()),
      has_missing_(X.cols) {
    runtime::require(X.rows >= 1 && X.rows < Index{kMissing} && X.cols >= 1 &&
                         X.cols == levels.size,
                     "1 to 2^32 - 2 rows, a column, and a number of levels for each");
    if constexpr (std::is_same_v<T, float>)
        single_ = X;
    else
        double_ = X;
    const runtime::Blocks blocks{X.rows, 4096};
    std::vector<std::uint8_t> missing(blocks.count() * X.cols);
    const bool categories = most_levels() > 0;
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::uint8_t* const own = missing.data() + b * X.cols;
            bool coded = true;
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                const T* row = &X(i, 0);
                for (Index j = 0; j < X.cols; ++j) own[j] |= row[j] != row[j];
                for (Index j = 0; categories && j < X.cols; ++j) {
                    coded &=
                        levels_[j] == 0 || !(row[j] < 0 || row[j] >= static_cast<T>(levels_[j]));
                }
            }
            runtime::require(coded, "a category's code is outside its levels");
        },
        X.rows * X.cols < 100000 ? 1 : 0);
    for (std::size_t at = 0; at < missing.size(); ++at) {
        has_missing_[at % has_missing_.size()] |= missing[at];
    }
}

Index Columns::most_levels() const {
    return *std::max_element(levels_.begin(), levels_.end());
}

bool Columns::narrow() const {
    const auto any = [](const auto& all) {
        return std::any_of(all.begin(), all.end(), [](auto x) { return x != 0; });
    };
    return rows_ <= Index{EntryOf<NarrowEntry>::kBegins} && !any(levels_) && !any(has_missing_);
}

// Writes the sort key of row i and column j to out + j * column_bytes + 4 i: the leading bits of a
// number, a code, or kMissing.
void Columns::write_keys(const std::uint32_t* rows, Index n, std::byte* out,
                         Index column_bytes) const {
    of_table([&](const auto& X) {
        const runtime::Blocks blocks{n, 4096};
        const auto write_tile = [&](Index j, Index begin, Index end) {
            std::uint32_t keys[kTile];
            const bool codes = levels_[j] > 0;
            for (Index i = begin; i < end; ++i) {
                const auto x = X(rows ? Index{rows[i]} : i, j);
                keys[i - begin] = x != x  ? kMissing
                                  : codes ? static_cast<std::uint32_t>(x)
                                          : ordered_bits(x);
            }
            std::memcpy(out + j * column_bytes + begin * kKeyBytes, keys,
                        static_cast<std::size_t>((end - begin) * kKeyBytes));
        };
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                for (Index i = blocks.begin(b); i < blocks.end(b); i += kTile) {
                    const Index end = std::min(i + kTile, blocks.end(b));
                    for (Index j = 0; j < cols(); ++j) write_tile(j, i, end);
                }
            },
            n * cols() < 20000 ? 1 : 0);
    });
}

// Turns entries sorted by leading bits into ranked entries sorted by value.
template <typename T>
void Columns::rank_numbers(Matrix<const T> X, Index column, const std::uint32_t* rows, Index known,
                           std::uint64_t* sorted) const {
    std::uint64_t rank = 0;
    for (Index i = 0; i < known;) {
        Index j = i + 1; // [i, j): entries with the same leading bits
        const std::uint64_t key = sorted[i] >> 32;
        while (j < known && sorted[j] >> 32 == key) ++j;
        if (sizeof(T) > 4 && j > i + 1) {
            const auto value = [&](std::uint64_t e) {
                return X(rows ? Index{rows[row_of(e)]} : Index{row_of(e)}, column);
            };
            const auto less = [&](std::uint64_t a, std::uint64_t b) { return value(a) < value(b); };
            if (!std::is_sorted(sorted + i, sorted + j, less))
                std::stable_sort(sorted + i, sorted + j, less);
            for (Index k = i; k < j; ++k) {
                const bool last = k + 1 == j || value(sorted[k]) < value(sorted[k + 1]);
                sorted[k] = rank << 32 | row_of(sorted[k]);
                rank += last;
            }
        } else {
            for (Index k = i; k < j; ++k) sorted[k] = rank << 32 | row_of(sorted[k]);
            ++rank;
        }
        i = j;
    }
}

void Columns::sort_column(Index column, const std::uint32_t* rows, Index n, const std::byte* keys,
                          Scratch& scratch) {
    std::uint64_t* const out = scratch.entries.get();
    Index known = 0;
    const auto key_of = [&](Index i) {
        std::uint32_t key;
        std::memcpy(&key, keys + i * kKeyBytes, sizeof key);
        return std::uint64_t{key};
    };
    for (Index i = 0; i < n; ++i) {
        const std::uint64_t key = key_of(i);
        out[known] = key << 32 | static_cast<std::uint64_t>(i);
        known += key != kMissing;
    }
    // a stable sort by the leading bits
    const std::uint64_t* sorted =
        runtime::sort_by_digits<32, 11, 3>(out, scratch.spare.get(), known);
    if (sorted != out) scratch.entries.swap(scratch.spare);
    std::uint64_t* const entries = scratch.entries.get();
    for (Index i = 0, at = known; at < n; ++i) {
        if (key_of(i) == kMissing)
            entries[at++] = std::uint64_t{kMissing} << 32 | static_cast<std::uint64_t>(i);
    }
    if (levels_[column] > 0) return;
    of_table([&](const auto& X) { rank_numbers(X, column, rows, known, entries); });
    if (max_bins_ > 0) put_in_bins(column, known, entries);
}

void Columns::put_in_bins(Index column, Index known, std::uint64_t* sorted) {
    edges_[column].clear(); // left by an interrupted sort
    if (known == 0) return;
    const bool few_values = static_cast<Index>(sorted[known - 1] >> 32) < max_bins_;
    const Index least = few_values ? 1 : (known + max_bins_ - 1) / max_bins_;
    std::uint64_t bin = 0;
    Index begin = 0;
    std::uint64_t last = 0;
    for (Index i = 0; i < known; ++i) {
        const std::uint64_t rank = sorted[i] >> 32;
        if (i > 0 && rank != last && i - begin >= least) {
            edges_[column].push_back(
                midpoint(value(row_of(sorted[i - 1]), column), value(row_of(sorted[i]), column)));
            ++bin;
            begin = i;
        }
        last = rank;
        sorted[i] = bin << 32 | row_of(sorted[i]);
    }
}

bool Columns::equal(Index row, Index other, Index column) const {
    const double a = value(row, column), b = value(other, column);
    if (max_bins_ == 0) return a == b;
    const auto bin = [&](double x) {
        return std::lower_bound(edges_[column].begin(), edges_[column].end(), x);
    };
    return bin(a) == bin(b);
}

double Columns::threshold(Index low_row, Index high_row, Index column) const {
    const double low = value(low_row, column);
    if (max_bins_ == 0) return midpoint(low, value(high_row, column));
    return *std::lower_bound(edges_[column].begin(), edges_[column].end(), low);
}

template <typename E>
void Columns::write_lists(const std::uint32_t* rows, Index n, E* out) {
    using Entry = EntryOf<E>;
    std::byte* const keys = reinterpret_cast<std::byte*>(out);
    const Index column_bytes = n * static_cast<Index>(sizeof(E));
    write_keys(rows, n, keys, column_bytes);
    runtime::parallel_for(
        cols(),
        [&](Index j) {
            Scratch scratch(n);
            sort_column(j, rows, n, keys + j * column_bytes, scratch);
            E* const list = out + j * n;
            std::uint64_t last = kMissing;
            for (Index i = 0; i < n; ++i) {
                const std::uint64_t entry = scratch.entries[i], rank = entry >> 32;
                if constexpr (std::is_same_v<E, NarrowEntry>)
                    list[i] = Entry::make(rank != last, Index{row_of(entry)});
                else // the bits of kMissing are all set, in any width
                    list[i] =
                        Entry::make(static_cast<E>(rank) & Entry::kMissing, Index{row_of(entry)});
                last = rank;
            }
        },
        n * cols() < 4000 ? 1 : 0);
}

// `keys` of 4 bytes, column by column, may share memory with `ranks`.
template <typename Rank>
void Columns::rank(std::byte* keys, Rank* ranks) {
    write_keys(nullptr, rows_, keys, rows_ * kKeyBytes);
    runtime::parallel_for(
        cols(),
        [&](Index j) {
            Scratch scratch(rows_);
            sort_column(j, nullptr, rows_, keys + j * rows_ * kKeyBytes, scratch);
            for (Index i = 0; i < rows_; ++i) {
                const std::uint64_t entry = scratch.entries[i];
                ranks[j * rows_ + row_of(entry)] = static_cast<Rank>(entry >> 32);
            }
        },
        rows_ * cols() < 4000 ? 1 : 0);
}

const NarrowEntry* Columns::narrow_sorted(Index column) {
    sorted_once_([this] {
        narrow_sorted_ = room_for<NarrowEntry>(rows_ * cols());
        write_lists(nullptr, rows_, narrow_sorted_.get());
    });
    return narrow_sorted_.get() + column * rows_;
}

const std::uint64_t* Columns::sorted(Index column) {
    sorted_once_([this] {
        sorted_ = room_for<std::uint64_t>(rows_ * cols());
        write_lists(nullptr, rows_, sorted_.get());
    });
    return sorted_.get() + column * rows_;
}

const std::uint16_t* Columns::ranks16(Index column) {
    ranked_once_([this] {
        const auto keys = room_for<std::byte>(rows_ * cols() * kKeyBytes);
        ranks16_ = room_for<std::uint16_t>(rows_ * cols());
        rank(keys.get(), ranks16_.get());
    });
    return ranks16_.get() + column * rows_;
}

const std::uint32_t* Columns::ranks32(Index column) {
    ranked_once_([this] {
        ranks32_ = room_for<std::uint32_t>(rows_ * cols());
        rank(reinterpret_cast<std::byte*>(ranks32_.get()), ranks32_.get());
    });
    return ranks32_.get() + column * rows_;
}

const std::uint16_t* Columns::ranks16_by_row() {
    const std::uint16_t* ranks = ranks16(0);
    by_row_once_([&] {
        ranks16_by_row_ = room_for<std::uint16_t>(rows_ * cols());
        const runtime::Blocks blocks{rows_, 512};
        runtime::parallel_for(blocks.count(), [&](Index b) {
            for (Index j = 0; j < cols(); ++j) {
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i)
                    ranks16_by_row_[i * cols() + j] = ranks[j * rows_ + i];
            }
        });
    });
    return ranks16_by_row_.get();
}

template Columns::Columns(Matrix<const float>, Vector<const std::int32_t>, Index);
template Columns::Columns(Matrix<const double>, Vector<const std::int32_t>, Index);
template void Columns::write_lists(const std::uint32_t*, Index, std::uint32_t*);
template void Columns::write_lists(const std::uint32_t*, Index, std::uint64_t*);
template void Columns::write_lists(const std::uint32_t*, Index, NarrowEntry*);

} // namespace gramian::splits
