#include "core/distance/brute.hpp"

#include "core/distance/brute_tile.hpp"
#include "core/runtime/scratch.hpp"

#include <limits>
#include <utility>

namespace gramian::distance {
namespace {

template <typename T>
double minkowski_by_pairs(const T* x, const T* y, Index d, double p) {
    double total = 0;
    for (Index t = 0; t < d; ++t) {
        const double gap = static_cast<double>(x[t]) - static_cast<double>(y[t]);
        total = p_norm_of_pair(total, std::abs(gap), p);
    }
    return total;
}

} // namespace

double minkowski_distance(const float* x, const float* y, Index d, double p) {
    return minkowski_by_pairs(x, y, d, p);
}
double minkowski_distance(const double* x, const double* y, Index d, double p) {
    return minkowski_by_pairs(x, y, d, p);
}

namespace {

constexpr Index kQueries = 256;             // of a task, when there are many
constexpr Index kFewTasks = 16;             // split the database while there are fewer tasks
constexpr Index kTaskWork = Index{1} << 33; // multiplications of a task, at most
constexpr Index kSelfBlock = 512;           // rows of a block of the symmetric search

using Neighbor = std::pair<double, Index>; // rank and row: the order of neighbours

constexpr Neighbor kNoNeighbor{std::numeric_limits<double>::infinity(),
                               std::numeric_limits<Index>::max()};

// The candidates of each query among the rows seen so far. While the tile's value ranks the
// pairs, the candidates are those with value <= v_k + 2 slack, v_k being the k-th smallest value:
// no other row can be among the k nearest. If that leaves too many (ties), or if the tile only
// bounds the distance, the exact distances of the candidates decide and the k nearest stay.
template <typename T>
class Shortlists {
public:
    // `self`: the database row that is query 0 and is not its own neighbour, or -1. `whole`: the
    // values are squared distances; otherwise the squared norm of the query is subtracted.
    Shortlists(const BruteTile<T>& tile, const T* queries, Index n, Index k, Index self, bool whole)
        : tile_(tile), queries_(queries), k_(k), self_(self), whole_(whole),
          capacity_(static_cast<std::int32_t>(k + k / 2 + 8)),
          threshold_(padded(n), -std::numeric_limits<float>::infinity()), count_(padded(n)),
          value_(padded(n) * capacity_), id_(padded(n) * capacity_),
          base_(padded(n), std::numeric_limits<double>::infinity()), slack_(padded(n), 0.0),
          largest_slack_(padded(n), 0.0), measured_(padded(n), !tile.tile_ranks()) {}

    // The value below which a row is a candidate of query q, if values may be off by `slack`.
    float threshold(Index q, double slack) {
        slack_[q] = slack;
        largest_slack_[q] = std::max(largest_slack_[q], slack);
        return threshold_[q] = not_below(base_[q] + slack);
    }
    float* thresholds() { return threshold_.data(); }

    // Collects the candidates of queries first, first + 1, ...
    struct Sink {
        Shortlists* lists;
        Index first;

        Selection selection() {
            Shortlists& l = *lists;
            return {l.threshold_.data() + first,
                    l.count_.data() + first,
                    l.value_.data() + first * l.capacity_,
                    l.id_.data() + first * l.capacity_,
                    l.capacity_,
                    this,
                    [](void* owner, int lane) {
                        auto* sink = static_cast<Sink*>(owner);
                        const Index q = sink->first + lane;
                        sink->lists->compress(q);
                        sink->lists->threshold(q, sink->lists->slack_[q]);
                    }};
        }
    };

    // The k nearest of query q in order, padded with kNoNeighbor.
    void finish(Index q, Neighbor* out) {
        if (!measured_[q] && count_[q] > k_) compress_by_value(q);
        measure(q);
        const Index n = std::min<Index>(k_, scratch().size());
        std::partial_sort_copy(scratch().begin(), scratch().end(), out, out + n);
        std::fill(out + n, out + k_, kNoNeighbor);
    }

    // Measures every row, for queries that overflow float32.
    void search_all(Index q, Index begin, Index end, Neighbor* out) {
        std::vector<Neighbor>& all = scratch();
        all.clear();
        for (Index row = begin; row < end; ++row) {
            if (!is_self(q, row)) all.emplace_back(tile_.rank(query(q), row), row);
        }
        const Index n = std::min<Index>(k_, all.size());
        std::partial_sort_copy(all.begin(), all.end(), out, out + n);
        std::fill(out + n, out + k_, kNoNeighbor);
    }

private:
    static std::size_t padded(Index n) {
        return static_cast<std::size_t>((n + kWidestPanel - 1) / kWidestPanel * kWidestPanel);
    }
    static std::vector<Neighbor>& scratch() {
        thread_local runtime::ThreadBuffer<Neighbor> buffer;
        return buffer.all();
    }
    const T* query(Index q) const { return queries_ + q * tile_.database().cols; }
    bool is_self(Index q, Index row) const { return self_ >= 0 && row == self_ + q; }

    void compress(Index q) {
        if (!measured_[q]) {
            compress_by_value(q);
            if (4 * count_[q] <= 3 * capacity_) return;
            measured_[q] = true;
        }
        measure(q);
        std::vector<Neighbor>& near = scratch();
        if (static_cast<Index>(near.size()) > k_) {
            std::nth_element(near.begin(), near.begin() + (k_ - 1), near.end());
            near.resize(static_cast<std::size_t>(k_));
            base_[q] = whole_ ? tile_.square_in_frame(near.back().first)
                              : tile_.value_at_rank(near.back().first, query(q));
        }
        count_[q] = static_cast<std::int32_t>(near.size());
        for (std::int32_t c = 0; c < count_[q]; ++c) {
            id_[q * capacity_ + c] = static_cast<std::int32_t>(near[c].second);
        }
    }

    void compress_by_value(Index q) {
        float* value = value_.data() + q * capacity_;
        std::int32_t* id = id_.data() + q * capacity_;
        std::int32_t n = count_[q];
        for (std::int32_t c = 0; c < n; ++c) {
            if (is_self(q, id[c])) {
                value[c] = value[n - 1];
                id[c] = id[n - 1];
                --n;
                break;
            }
        }
        base_[q] =
            static_cast<double>(tile_.tile().approximate_kth(value, n, k_)) + largest_slack_[q];
        const float limit = not_below(base_[q] + largest_slack_[q]);
        count_[q] = 0;
        for (std::int32_t c = 0; c < n; ++c) {
            value[count_[q]] = value[c];
            id[count_[q]] = id[c];
            count_[q] += value[c] <= limit;
        }
    }

    // The candidates with their ranks, in scratch().
    void measure(Index q) {
        std::vector<Neighbor>& near = scratch();
        near.clear();
        for (std::int32_t c = 0; c < count_[q]; ++c) {
            const Index row = id_[q * capacity_ + c];
            if (!is_self(q, row)) near.emplace_back(tile_.rank(query(q), row), row);
        }
    }

    const BruteTile<T>& tile_;
    const T* queries_;
    Index k_, self_;
    bool whole_;
    std::int32_t capacity_;
    std::vector<float> threshold_;
    std::vector<std::int32_t> count_;
    std::vector<float> value_;
    std::vector<std::int32_t> id_;
    std::vector<double> base_, slack_, largest_slack_;
    std::vector<char> measured_;
};

template <typename T>
void write(const BruteTile<T>& tile, const Neighbor* found, Index q, Matrix<T> distances,
           Matrix<Index> indices) {
    for (Index c = 0; c < distances.cols; ++c) {
        distances(q, c) = static_cast<T>(tile.distance(found[c].first));
        indices(q, c) = found[c].second;
    }
}

// Splits the search into tasks of queries x rows. The grid of tasks depends only on the sizes.
template <typename T>
void search_in_tasks(const BruteTile<T>& tile, Matrix<const T> queries, bool self,
                     Matrix<T> distances, Matrix<Index> indices) {
    const Index n = tile.database().rows, d = tile.database().cols, k = distances.cols;
    const runtime::Blocks blocks{
        queries.rows, queries.rows >= kQueries * kFewTasks
                          ? kQueries
                          : std::max<Index>(kWidestPanel, queries.rows / kFewTasks / kWidestPanel *
                                                              kWidestPanel)};
    const Index longest = std::max<Index>(2048, kTaskWork / (blocks.size * d));
    const Index wanted = (kFewTasks + blocks.count() - 1) / blocks.count();
    const Index parts = std::max(std::min(wanted, n / 2048), (n + longest - 1) / longest);
    const runtime::Blocks splits{n,
                                 (n + std::max<Index>(parts, 1) - 1) / std::max<Index>(parts, 1)};

    std::vector<Neighbor> found(splits.count() > 1 ? queries.rows * splits.count() * k : 0);
    runtime::parallel_for(
        blocks.count() * splits.count(),
        [&](Index task) {
            const Index b = task / splits.count(), s = task % splits.count();
            const Index first = blocks.begin(b), m = blocks.end(b) - first;
            QueryPanels<T> panels(tile, queries.row(first), m);
            Shortlists<T> lists(tile, queries.row(first), m, k, self ? first : -1, false);
            if (tile.usable()) {
                std::vector<typename Shortlists<T>::Sink> sinks;
                for (Index q = 0; q < m; q += tile.width()) sinks.push_back({&lists, q});
                stream_rows(
                    tile, panels, splits.begin(s), splits.end(s), lists.thresholds(),
                    [&](Index q, double slack) { return lists.threshold(q, slack); },
                    [&](Index p) { return sinks[p].selection(); });
            }
            std::vector<Neighbor> one(static_cast<std::size_t>(k));
            for (Index q = 0; q < m; ++q) {
                Neighbor* out = splits.count() == 1
                                    ? one.data()
                                    : found.data() + ((first + q) * splits.count() + s) * k;
                if (tile.usable() && tile.usable(panels.square_norms[q])) {
                    lists.finish(q, out);
                } else {
                    lists.search_all(q, splits.begin(s), splits.end(s), out);
                }
                if (splits.count() == 1) write(tile, out, first + q, distances, indices);
            }
        },
        queries.rows * n * d < (1 << 17) ? 1 : 0);
    if (splits.count() == 1) return;
    for (Index q = 0; q < queries.rows; ++q) {
        Neighbor* all = found.data() + q * splits.count() * k;
        std::partial_sort(all, all + k, all + splits.count() * k);
        write(tile, all, q, distances, indices);
    }
}

// Computes each pair of database rows once, for both rows. Pairs of blocks are scheduled like a
// round-robin tournament, so that no block takes part in two tasks of a round.
template <typename T>
void search_symmetric(const BruteTile<T>& tile, bool self, Matrix<T> distances,
                      Matrix<Index> indices) {
    const Matrix<const T> X = tile.database();
    const Index n = X.rows, d = X.cols, k = distances.cols, width = tile.width();
    const runtime::Blocks blocks{n, kSelfBlock};
    Shortlists<T> lists(tile, X.data, n, k, self ? 0 : -1, true);
    std::vector<double> norms(static_cast<std::size_t>(n)), radius(blocks.count(), 0.0);
    for (Index i = 0; i < n; ++i) {
        norms[i] = std::sqrt(static_cast<double>(tile.norms()[i])) * (1 + 1e-5);
        radius[i / kSelfBlock] = std::max(radius[i / kSelfBlock], norms[i]);
    }
    std::vector<float> never(kSelfBlock, -std::numeric_limits<float>::infinity());
    const auto set_thresholds = [&](Index b, Index other) {
        for (Index q = blocks.begin(b); q < blocks.end(b); ++q) {
            lists.threshold(q, tile.slack_of_square(norms[q], radius[other]));
        }
    };
    const auto compare_blocks = [&](Index a, Index b) {
        thread_local runtime::ThreadBuffer<float> packed_buffer, panel_buffer;
        float* const packed = packed_buffer.of(static_cast<std::size_t>(kSelfBlock * d));
        float* const panel = panel_buffer.of(static_cast<std::size_t>(width * d));
        const Index begin = blocks.begin(b), m = blocks.end(b) - begin;
        const float* rows = tile.rows_in_frame(begin, m, packed);
        set_thresholds(a, b);
        typename Shortlists<T>::Sink row_sink{&lists, begin};
        Selection row_side = row_sink.selection();
        if (a == b) {
            row_side.threshold = never.data(); // each pair occurs twice; the lanes collect it
        } else {
            set_thresholds(b, a);
        }
        for (Index p = blocks.begin(a); p < blocks.end(a); p += width) {
            const int lanes = static_cast<int>(std::min(width, blocks.end(a) - p));
            float panel_norms[kWidestPanel];
            tile.pack_queries(X.row(p), lanes, panel, panel_norms);
            typename Shortlists<T>::Sink sink{&lists, p};
            tile.tile().select_both({panel, panel_norms, d}, {rows, tile.norms() + begin, m},
                                    static_cast<std::int32_t>(p), lanes,
                                    static_cast<std::int32_t>(begin), sink.selection(), row_side);
        }
    };
    const Index teams = blocks.count() + blocks.count() % 2;
    runtime::parallel_for(blocks.count(), [&](Index b) { compare_blocks(b, b); });
    for (Index round = 0; round + 1 < teams; ++round) {
        runtime::parallel_for(teams / 2, [&](Index table) {
            // The last block stays fixed, the others rotate by one each round.
            const Index a = table == 0 ? teams - 1 : (round + table) % (teams - 1);
            const Index b = (round + teams - 1 - table) % (teams - 1);
            if (a < blocks.count() && b < blocks.count()) compare_blocks(a, b);
        });
    }
    runtime::parallel_for(blocks.count(), [&](Index b) {
        std::vector<Neighbor> one(static_cast<std::size_t>(k));
        for (Index q = blocks.begin(b); q < blocks.end(b); ++q) {
            lists.finish(q, one.data());
            write(tile, one.data(), q, distances, indices);
        }
    });
}

} // namespace

template <typename T>
void brute_neighbors(Matrix<const T> database, Matrix<const T> queries, MetricSpec metric,
                     bool self, Matrix<T> distances, Matrix<Index> indices) {
    const BruteTile<T> tile(database, metric);
    const bool euclidean =
        metric.metric == Metric::euclidean || metric.metric == Metric::squared_euclidean;
    if (queries.data == database.data && queries.rows == database.rows && euclidean &&
        tile.usable() && database.rows >= 4 * kSelfBlock) {
        search_symmetric(tile, self, distances, indices);
        return;
    }
    search_in_tasks(tile, queries, self, distances, indices);
}

template void brute_neighbors(Matrix<const float>, Matrix<const float>, MetricSpec, bool,
                              Matrix<float>, Matrix<Index>);
template void brute_neighbors(Matrix<const double>, Matrix<const double>, MetricSpec, bool,
                              Matrix<double>, Matrix<Index>);

} // namespace gramian::distance
