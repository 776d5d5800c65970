#include "core/linkage/lazy.hpp"
#include "core/linkage/linkage.hpp"
#include "core/runtime/check.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace gramian::linkage {
namespace {

// Allocates rows of equal width. Columns are read across all rows, so large pages are used to keep
// their addresses in the TLB.
class RowArena {
public:
    explicit RowArena(Index width)
        : room_(std::max(width, std::min(width * (width / 2 + 1), 2 * kPage))), width_(width),
          rows_per_chunk_(room_ / width) {}

    double* at(Index row) const {
        return chunks_[row / rows_per_chunk_].get() + row % rows_per_chunk_ * width_;
    }
    Index acquire() {
        if (free_.empty()) {
            if (next_ == static_cast<Index>(chunks_.size()) * rows_per_chunk_) grow();
            free_.push_back(next_++);
        }
        const Index row = free_.back();
        free_.pop_back();
        return row;
    }
    void release(Index row) { free_.push_back(row); }

    // Keeps the columns `kept` of the listed rows (ascending), which become rows 0, 1, ... In
    // place: each value moves towards the beginning.
    void compact(const std::vector<Index>& rows, const std::vector<std::int32_t>& kept) {
        std::vector<const double*> from;
        from.reserve(rows.size());
        for (const Index row : rows) from.push_back(at(row));
        width_ = static_cast<Index>(kept.size());
        rows_per_chunk_ = room_ / width_;
        next_ = static_cast<Index>(rows.size());
        free_.clear();
        for (Index i = 0; i < next_; ++i) {
            double* to = at(i);
            for (const std::int32_t j : kept) *to++ = from[i][j];
        }
        chunks_.resize(static_cast<std::size_t>((next_ + rows_per_chunk_ - 1) / rows_per_chunk_));
    }

private:
    static constexpr Index kPage = Index{1} << 18; // values of a large page
    static constexpr std::align_val_t kAligned{kPage * sizeof(double)};
    struct Delete {
        void operator()(double* chunk) const { ::operator delete(chunk, kAligned); }
    };

    void grow() {
        const std::size_t bytes = static_cast<std::size_t>(room_) * sizeof(double);
        chunks_.emplace_back(static_cast<double*>(::operator new(bytes, kAligned)));
#if defined(__linux__)
        if (room_ >= kPage) madvise(chunks_.back().get(), bytes, MADV_HUGEPAGE);
#endif
    }

    Index room_; // values of a chunk
    Index width_, rows_per_chunk_;
    Index next_ = 0;
    std::vector<std::unique_ptr<double, Delete>> chunks_;
    std::vector<Index> free_;
};

// Rows of dissimilarities. Merged clusters store theirs. Those of singletons are measured when they
// are read, and a few recent ones are cached.
class MeasuredRows {
public:
    template <typename T>
    MeasuredRows(Matrix<const T> X, bool squared)
        : squared_(squared), d_(X.cols), slots_(X.rows), columns_(columns_of(X)), arena_(X.rows),
          rows_(static_cast<std::size_t>(X.rows)), stored_(rows_.size(), -1),
          cached_(rows_.size(), -1), query_(static_cast<std::size_t>(d_)) {
        for (Cached& one : cache_) {
            one.values.resize(static_cast<std::size_t>(columns_.stride));
            one.query.resize(query_.size());
        }
    }

    const double* open(Index slot) {
        if (rows_[slot]) {
            if (cached_[slot] >= 0) cache_[cached_[slot]].used = ++clock_;
            return nullptr;
        }
        Cached* const oldest =
            std::min_element(std::begin(cache_), std::end(cache_),
                             [](const Cached& a, const Cached& b) { return a.used < b.used; });
        if (oldest->slot >= 0) evict(oldest->slot);
        oldest->slot = slot;
        oldest->used = ++clock_;
        read_query(slot, oldest->query);
        cached_[slot] = static_cast<std::int32_t>(oldest - cache_);
        rows_[slot] = oldest->values.data();
        return oldest->query.data();
    }

    void measure(const double* query, Index begin, Index end, double* row) const {
        linkage_kernels().squares(columns_.values.data() + begin, columns_.stride, end - begin, d_,
                                  query, row + begin);
        if (!squared_) linkage_kernels().roots(row + begin, end - begin);
    }

    double* row(Index slot) const { return rows_[slot]; }

    // The same bits as in a measured row.
    double dissimilarity(Index a, Index b) {
        double out[kPadding];
        const Index begin = b / kPadding * kPadding;
        read_query(a, query_);
        linkage_kernels().squares(columns_.values.data() + begin, columns_.stride, kPadding, d_,
                                  query_.data(), out);
        return squared_ ? out[b - begin] : std::sqrt(out[b - begin]);
    }

    std::pair<Index, double*> merged_row(Index a, Index b) {
        const Index kept = stored_[a] < 0 && stored_[b] >= 0 ? b : a;
        const Index gone = a + b - kept;
        if (stored_[gone] >= 0) {
            arena_.release(std::exchange(stored_[gone], -1));
            rows_[gone] = nullptr;
        } else {
            evict(gone);
        }
        if (stored_[kept] < 0) {
            evict(kept);
            stored_[kept] = arena_.acquire();
            rows_[kept] = arena_.at(stored_[kept]);
        }
        return {kept, rows_[kept]};
    }

    void compact(const std::vector<std::int32_t>& kept) {
        for (Cached& one : cache_) {
            if (one.slot >= 0) evict(one.slot);
        }
        for (Index t = 0; t < d_; ++t) {
            double* const x = columns_.at(t);
            for (std::size_t i = 0; i < kept.size(); ++i) x[i] = x[kept[i]];
        }
        std::vector<Index> slots, rows; // those that have a row of the arena
        for (std::size_t i = 0; i < kept.size(); ++i) {
            stored_[i] = stored_[kept[i]];
            if (stored_[i] >= 0) slots.push_back(static_cast<Index>(i));
        }
        std::sort(slots.begin(), slots.end(),
                  [&](Index a, Index b) { return stored_[a] < stored_[b]; });
        for (const Index slot : slots) rows.push_back(stored_[slot]);
        arena_.compact(rows, kept);
        slots_ = static_cast<Index>(kept.size());
        std::fill(rows_.begin(), rows_.end(), nullptr);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            stored_[slots[i]] = static_cast<Index>(i);
            rows_[slots[i]] = arena_.at(static_cast<Index>(i));
        }
    }

private:
    struct Cached {
        std::vector<double> values, query;
        Index slot = -1;
        Index used = 0;
    };

    void read_query(Index slot, std::vector<double>& query) const {
        for (Index t = 0; t < d_; ++t) query[t] = columns_.at(t)[slot];
    }

    // The values stay in memory until another row is opened.
    void evict(Index slot) {
        Cached& one = cache_[std::exchange(cached_[slot], -1)];
        one.slot = -1;
        one.used = 0;
        rows_[slot] = nullptr;
    }

    bool squared_; // values are squares of distances
    Index d_, slots_;
    Columns columns_;
    RowArena arena_;
    std::vector<double*> rows_;        // by slot
    std::vector<Index> stored_;        // by slot: which of the arena, or -1
    std::vector<std::int32_t> cached_; // by slot: which of the cache, or -1
    std::vector<double> query_;
    Cached cache_[16];
    Index clock_ = 0;
};

} // namespace

template <typename T>
void rows_linkage(Matrix<const T> X, Vector<const Index> nearest, Method method, Matrix<double> Z) {
    if (X.rows < 2) return;
    const bool squared = method == Method::complete; // the greatest square is that of the greatest
    MeasuredRows rows(X, squared);
    std::vector<Neighbor> known;
    known.reserve(static_cast<std::size_t>(X.rows));
    for (Index i = 0; i < X.rows; ++i) {
        runtime::require(nearest[i] >= 0 && nearest[i] < X.rows && nearest[i] != i,
                         "linkage: nearest must hold the index of another row for each row");
        known.push_back({static_cast<std::int32_t>(nearest[i]), rows.dissimilarity(i, nearest[i])});
    }
    LazyClusters clusters(rows, X.rows, method, squared);
    write_tree(merges_by_chains(clusters, X.rows, std::move(known)), true, Z);
}

template void rows_linkage(Matrix<const float>, Vector<const Index>, Method, Matrix<double>);
template void rows_linkage(Matrix<const double>, Vector<const Index>, Method, Matrix<double>);

} // namespace gramian::linkage
