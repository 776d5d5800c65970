#include "core/hashing/lsh.hpp"

#include "core/distance/tile.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

GRAMIAN_DISPATCH(hashing, HashKernels, lsh_kernels, lsh_table)

namespace gramian::hashing {
namespace {

constexpr Index kRows = 256;       // hashed together
constexpr Index kMostExtra = 4096; // buckets that a query with too few rows probes before all rows
constexpr Index kMostPerRow = 4;   // buckets per row, beyond which all rows are compared
constexpr Index kQueries = 8;      // of a task: few, because one query may compare all rows

template <typename T>
void project(const T* X, Index n, const Matrix<const T>& directions, T* out) {
    if constexpr (std::is_same_v<T, float>) {
        lsh_table().project32(X, n, directions.rows, directions.data, directions.cols, out);
    } else {
        lsh_table().project64(X, n, directions.rows, directions.data, directions.cols, out);
    }
}

// The position of a row for function j: its cell, and the squared distances to the borders below
// and above. A hyperplane has the cells 0 and 1, with one border.
struct CellPosition {
    std::int64_t cell;
    double below, above;
};

template <typename T>
CellPosition locate(const Functions<T>& f, Index j, T projection) {
    constexpr double far = 0x1.0p62; // rows beyond this share a cell: slow, but not lost
    const double v = static_cast<double>(projection) - f.offsets[j];
    if (f.width == 0) {
        const double square = v * v < far ? v * v : far; // also where v is not a number
        return {v > 0, square, square};
    }
    const double cells = v / f.width;
    if (!(std::abs(cells) < far)) return {0, 0, 1};
    const double cell = std::floor(cells), into = cells - cell;
    return {static_cast<std::int64_t>(cell), into * into, (1 - into) * (1 - into)};
}

template <typename T>
std::uint64_t key_of(const Functions<T>& f, Index table, const T* projections) {
    std::uint64_t key = 0;
    for (Index j = 0; j < f.per_table(); ++j) {
        const Index function = table * f.per_table() + j;
        key += f.multipliers(table, j) *
               static_cast<std::uint64_t>(locate(f, function, projections[function]).cell);
    }
    return key;
}

template <typename T>
std::size_t bucket_of(const Functions<T>& f, std::uint64_t key) {
    return f.bits == 0 ? 0 : key >> (64 - f.bits);
}

// --- the buckets of a query ----------------------------------------------------------------------

// The buckets of a query over all tables, by the sum of squared distances to the borders crossed.
//
// The moves of a table, one border each, are sorted by cost. A set of moves is a word of bits. A
// set whose last move is i generates two more expensive ones: i replaced by i + 1, and i + 1 added.
// Every set is thus generated once, from a cheaper one, and a heap yields them in order.
class Probes {
public:
    struct Bucket {
        Index table;
        std::size_t number;
    };

    template <typename T>
    void start(const Functions<T>& f, const T* projections) {
        const Index tables = f.tables(), k = f.per_table();
        most_ = f.width == 0 ? k : 2 * k;
        moves_.resize(static_cast<std::size_t>(tables * most_));
        home_.resize(static_cast<std::size_t>(tables));
        heap_.clear();
        next_home_ = 0;
        for (Index table = 0; table < tables; ++table) {
            Move* moves = moves_.data() + table * most_;
            std::uint64_t key = 0;
            for (Index j = 0; j < k; ++j) {
                const Index function = table * k + j;
                const CellPosition at = locate(f, function, projections[function]);
                const std::uint64_t m = f.multipliers(table, j);
                key += m * static_cast<std::uint64_t>(at.cell);
                const auto of = static_cast<std::uint32_t>(j);
                if (f.width != 0 || at.cell == 1) *moves++ = {at.below, 0 - m, of};
                if (f.width != 0 || at.cell == 0) *moves++ = {at.above, m, of};
            }
            moves = moves_.data() + table * most_;
            std::sort(moves, moves + most_, [](const Move& a, const Move& b) {
                return a.cost < b.cost || (a.cost == b.cost && a.function < b.function);
            });
            home_[table] = key;
            push({moves[0].cost, static_cast<std::int32_t>(table), 0, 1});
        }
    }

    // The next bucket; false when there is none left.
    template <typename T>
    bool next(const Functions<T>& f, Bucket& bucket) {
        if (next_home_ < static_cast<Index>(home_.size())) {
            bucket = {next_home_, bucket_of(f, home_[next_home_])};
            ++next_home_;
            return true;
        }
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end());
            const Set set = heap_.back();
            heap_.pop_back();
            const Move* moves = moves_.data() + set.table * most_;
            if (set.last + 1 < most_) {
                const double further = set.cost + moves[set.last + 1].cost;
                const std::uint64_t bit = std::uint64_t{1} << set.last;
                push({further - moves[set.last].cost, set.table, set.last + 1,
                      set.moves ^ bit ^ bit << 1});
                push({further, set.table, set.last + 1, set.moves | bit << 1});
            }
            std::uint64_t key = home_[set.table], crossed = 0;
            bool both_ways = false; // moving down and up along one function gives no bucket
            for (std::uint64_t rest = set.moves; rest != 0; rest &= rest - 1) {
                const Move& move = moves[std::countr_zero(rest)];
                both_ways |= crossed >> move.function & 1;
                crossed |= std::uint64_t{1} << move.function;
                key += move.step;
            }
            if (both_ways) continue;
            bucket = {set.table, bucket_of(f, key)};
            return true;
        }
        return false;
    }

private:
    struct Move {
        double cost;
        std::uint64_t step; // of the key
        std::uint32_t function;
    };
    struct Set {
        double cost;
        std::int32_t table;
        std::int32_t last; // the most expensive move of the set
        std::uint64_t moves;

        bool operator<(const Set& other) const { // std's heaps keep the largest on top
            if (cost != other.cost) return cost > other.cost;
            return std::pair(table, moves) > std::pair(other.table, other.moves);
        }
    };

    void push(const Set& set) {
        heap_.push_back(set);
        std::push_heap(heap_.begin(), heap_.end());
    }

    std::int32_t most_ = 0; // moves of a table
    std::vector<Move> moves_;
    std::vector<std::uint64_t> home_;
    std::vector<Set> heap_;
    Index next_home_ = 0;
};

// --- the rows of a query -------------------------------------------------------------------------

// Rounds a row to bytes; returns how far that moved it, rounded up.
template <typename T>
float round_to_bytes(const T* x, Vector<const double> low, double step, std::uint8_t* codes) {
    double square = 0;
    for (Index t = 0; t < low.size; ++t) {
        const double above = (static_cast<double>(x[t]) - low[t]) / step;
        const double code = std::clamp(std::nearbyint(above), 0.0, 255.0);
        codes[t] = static_cast<std::uint8_t>(code);
        square += (above - code) * (above - code);
    }
    return static_cast<float>(step * std::sqrt(square) * (1 + 1e-6));
}

// The distinct rows found so far.
class FoundRows {
public:
    explicit FoundRows(Index n) : seen_(static_cast<std::size_t>((n + 63) / 64), 0) {}

    void add(const std::int32_t* begin, const std::int32_t* end) {
        const std::size_t before = rows_.size();
        rows_.resize(before + static_cast<std::size_t>(end - begin));
        std::int32_t* out = rows_.data() + before;
        for (; begin < end; ++begin) { // written always, kept if new: no branch to mispredict
            std::uint64_t& word = seen_[static_cast<std::size_t>(*begin) / 64];
            *out = *begin;
            out += !(word >> *begin % 64 & 1);
            word |= std::uint64_t{1} << *begin % 64;
        }
        rows_.resize(static_cast<std::size_t>(out - rows_.data()));
    }
    void add_all(Index n) {
        rows_.resize(static_cast<std::size_t>(n));
        std::iota(rows_.begin(), rows_.end(), 0);
    }
    void remove(std::int32_t row) {
        std::erase(rows_, row);
        seen_[static_cast<std::size_t>(row) / 64] = 0; // others of the word are seen in rows_
    }
    void clear() {
        for (const std::int32_t row : rows_) seen_[static_cast<std::size_t>(row) / 64] = 0;
        rows_.clear();
    }
    const std::vector<std::int32_t>& rows() const { return rows_; }

private:
    std::vector<std::uint64_t> seen_;
    std::vector<std::int32_t> rows_;
};

// Chooses the k nearest of some rows.
template <typename T>
class Nearest {
public:
    Nearest(Matrix<const T> X, const Codes<const std::uint8_t, const float>& codes, Index k)
        : X_(X), codes_(codes), k_(k), query_codes_(static_cast<std::size_t>(X.cols)) {}

    void choose(const T* query, const std::vector<std::int32_t>& rows, T* distances,
                Index* indices) {
        const double error = round_to_bytes(query, codes_.low, codes_.step, query_codes_.data());
        const Index n = static_cast<Index>(rows.size());
        bounds_.resize(rows.size());
        lsh_table().bound(codes_.codes.data, codes_.errors.data, codes_.step, X_.cols,
                          query_codes_.data(), rows.data(), n, bounds_.data());
        // Measures the rows with about the k least bounds first. Then only rows whose bound is
        // below the k-th of these distances can be nearer.
        const float least = distance::tile_kernels().approximate_kth(bounds_.data(), n, k_);
        measured_.clear();
        measure(query, rows, [&](float bound) { return bound <= least; });
        std::nth_element(measured_.begin(), measured_.begin() + (k_ - 1), measured_.end());
        const double reach = std::sqrt(measured_[k_ - 1].first) * (1 + 1e-9) + error;
        measure(query, rows, [&](float bound) { return bound > least && bound <= reach; });
        std::partial_sort(measured_.begin(), measured_.begin() + k_, measured_.end());
        for (Index c = 0; c < k_; ++c) {
            distances[c] = static_cast<T>(std::sqrt(measured_[c].first));
            indices[c] = measured_[c].second;
        }
    }

private:
    template <typename Wanted>
    void measure(const T* query, const std::vector<std::int32_t>& rows, Wanted wanted) {
        for (std::size_t c = 0; c < rows.size(); ++c) {
            if (!wanted(bounds_[c])) continue;
            measured_.emplace_back(
                distance::row_kernels<T>().squared(X_.row(rows[c]), query, X_.cols), rows[c]);
        }
    }

    Matrix<const T> X_;
    Codes<const std::uint8_t, const float> codes_;
    Index k_;
    std::vector<std::uint8_t> query_codes_;
    std::vector<float> bounds_;
    std::vector<std::pair<double, Index>> measured_;
};

} // namespace

template <typename T>
void project(Matrix<const T> X, Matrix<const T> directions, Matrix<T> out) {
    const runtime::Blocks blocks{X.rows, kRows};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            project(X.row(begin), blocks.end(b) - begin, directions, out.row(begin));
        },
        X.rows * X.cols * directions.cols < (1 << 18) ? 1 : 0);
}

template <typename T>
void build(Matrix<const T> X, const Functions<T>& functions, Buckets<std::int32_t> buckets,
           Codes<std::uint8_t, float> codes) {
    runtime::require_rows_in_32_bits(X.rows, "LSH");
    const Index n = X.rows, tables = functions.tables(), m = functions.directions.cols;
    std::vector<std::uint32_t> bucket(static_cast<std::size_t>(tables * n));
    const runtime::Blocks blocks{n, kRows};
    const int threads = n * X.cols * m < (1 << 18) ? 1 : 0;
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), count = blocks.end(b) - begin;
            std::vector<T> projections(static_cast<std::size_t>(count * m));
            project(X.row(begin), count, functions.directions, projections.data());
            for (Index i = begin; i < begin + count; ++i) {
                codes.errors[i] =
                    round_to_bytes(X.row(i), codes.low, codes.step, codes.codes.row(i));
            }
            for (Index table = 0; table < tables; ++table) {
                for (Index i = 0; i < count; ++i) {
                    bucket[table * n + begin + i] = static_cast<std::uint32_t>(
                        bucket_of(functions, key_of(functions, table, projections.data() + i * m)));
                }
            }
        },
        threads);
    // A counting sort of each table.
    runtime::parallel_for(
        tables,
        [&](Index table) {
            const std::uint32_t* own = bucket.data() + table * n;
            std::int32_t* starts = buckets.starts.row(table);
            std::fill(starts, starts + buckets.starts.cols, 0);
            for (Index i = 0; i < n; ++i) ++starts[own[i] + 1];
            std::partial_sum(starts, starts + buckets.starts.cols, starts);
            std::vector<std::int32_t> place(starts, starts + buckets.starts.cols);
            std::int32_t* members = buckets.members.row(table);
            for (Index i = 0; i < n; ++i) members[place[own[i]]++] = static_cast<std::int32_t>(i);
        },
        threads);
}

template <typename T>
Index nearest(Matrix<const T> X, const Functions<T>& functions, Buckets<const std::int32_t> buckets,
              Codes<const std::uint8_t, const float> codes, Matrix<const T> queries, Index probes,
              bool self, const Neighbors<T>& out) {
    runtime::require_rows_in_32_bits(X.rows, "LSH");
    const Index n = X.rows, m = functions.directions.cols, k = out.distances.cols;
    const Index most = kMostExtra + kMostPerRow * n;
    const runtime::Blocks blocks{queries.rows, kQueries};
    std::vector<Index> compared(static_cast<std::size_t>(blocks.count()), 0);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), count = blocks.end(b) - begin;
            std::vector<T> projections(static_cast<std::size_t>(count * m));
            project(queries.row(begin), count, functions.directions, projections.data());
            Probes order;
            FoundRows found(n);
            Nearest<T> nearest(X, codes, k);
            for (Index i = begin; i < begin + count; ++i) {
                order.start(functions, projections.data() + (i - begin) * m);
                Probes::Bucket bucket;
                const auto wanted = [&](Index p) {
                    return p < std::min(probes, most) ||
                           (p < kMostExtra && static_cast<Index>(found.rows().size()) < k + self);
                };
                for (Index p = 0; wanted(p) && order.next(functions, bucket); ++p) {
                    const std::int32_t* start = buckets.starts.row(bucket.table) + bucket.number;
                    const std::int32_t* members = buckets.members.row(bucket.table);
                    found.add(members + start[0], members + start[1]);
                }
                if (self) found.remove(static_cast<std::int32_t>(i));
                if (probes > most || static_cast<Index>(found.rows().size()) < k) {
                    found.add_all(n);
                    if (self) found.remove(static_cast<std::int32_t>(i));
                }
                nearest.choose(queries.row(i), found.rows(), out.distances.row(i),
                               out.indices.row(i));
                compared[b] += static_cast<Index>(found.rows().size());
                found.clear();
            }
        },
        queries.rows < 4 ? 1 : 0);
    return std::accumulate(compared.begin(), compared.end(), Index{0});
}

#define GRAMIAN_LSH(T)                                                                             \
    template void project(Matrix<const T>, Matrix<const T>, Matrix<T>);                            \
    template void build(Matrix<const T>, const Functions<T>&, Buckets<std::int32_t>,               \
                        Codes<std::uint8_t, float>);                                               \
    template Index nearest(Matrix<const T>, const Functions<T>&, Buckets<const std::int32_t>,      \
                           Codes<const std::uint8_t, const float>, Matrix<const T>, Index, bool,   \
                           const Neighbors<T>&);
GRAMIAN_LSH(float)
GRAMIAN_LSH(double)
#undef GRAMIAN_LSH

} // namespace gramian::hashing
