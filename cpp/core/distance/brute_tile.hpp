// Shared by both exhaustive searches: the database in the tile's frame, exact distances, and
// float32 thresholds that every pair within a given distance passes.
#pragma once

#include "core/distance/brute.hpp"
#include "core/distance/frame.hpp"
#include "core/distance/minkowski.hpp"
#include "core/distance/tile.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::distance {

constexpr int kWidestPanel = 16;

// The Minkowski distance of two rows for a large power p.
double minkowski_distance(const float* x, const float* y, Index d, double p);
double minkowski_distance(const double* x, const double* y, Index d, double p);

// A rank orders pairs like the distance but is cheaper: the square, or the sum of powers.
template <typename T>
class BruteTile {
public:
    BruteTile(Matrix<const T> database, MetricSpec metric)
        : database_(database), metric_(metric), tile_(tile_kernels()), rows_(row_kernels<T>()),
          frame_(frame_of(database)), norms_(static_cast<std::size_t>(database.rows)),
          gamma_(tile_gamma(database.cols)) {
        runtime::require_rows_in_32_bits(database.rows, "neighbours");
        drop_small_shift();
        rows_at_a_time_ = std::clamp<Index>((1 << 15) / database.cols, 6, 1536) / 6 * 6;
        const runtime::Blocks blocks{database.rows, 8 * rows_at_a_time_};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                std::vector<float> packed(
                    static_cast<std::size_t>(rows_at_a_time_ * database.cols));
                for (Index i = blocks.begin(b); i < blocks.end(b); i += rows_at_a_time_) {
                    const Index n = std::min(rows_at_a_time_, blocks.end(b) - i);
                    rows_.pack_rows(database.row(i), n, database.cols, frame_.shift.data(),
                                    frame_.scale, packed.data(), norms_.data() + i);
                }
            },
            blocks.count() == 1 ? 1 : 0);
        usable_ = std::all_of(norms_.begin(), norms_.end(), [](float s) { return usable(s); });
    }

    int width() const { return tile_.width; }
    const TileKernels& tile() const { return tile_; }
    Matrix<const T> database() const { return database_; }
    Index rows_at_a_time() const { return rows_at_a_time_; }
    const float* norms() const { return norms_.data(); }
    // False if the rows are so far apart that float32 overflows. The tile is not used then.
    bool usable() const { return usable_; }
    static bool usable(float square_norm) { return square_norm < 0x1p100f; }

    // The tile that computes or bounds this metric. Minkowski distances have no tile of their own:
    // the Euclidean distance is a lower bound for p < 2, the Chebyshev distance for p > 2.
    TileMetric tile_metric() const {
        switch (metric_.metric) {
        case Metric::manhattan:
            return TileMetric::manhattan;
        case Metric::chebyshev:
            return TileMetric::chebyshev;
        case Metric::minkowski:
            return metric_.p < 2 ? TileMetric::squared_euclidean : TileMetric::chebyshev;
        default:
            return TileMetric::squared_euclidean;
        }
    }
    // Whether the tile's value is the rank, up to rounding and a constant of the query.
    bool tile_ranks() const { return metric_.metric != Metric::minkowski; }

    // Rows i .. i + n - 1 of the database in the tile's frame; `buffer` has room for them.
    const float* rows_in_frame(Index i, Index n, float* buffer) const {
        if constexpr (sizeof(T) == sizeof(float)) {
            if (uses_original_rows_) return database_.row(i);
        }
        rows_.convert_rows(database_.row(i), n, database_.cols, frame_.shift.data(), frame_.scale,
                           buffer);
        return buffer;
    }

    // Packs a panel of queries. Lanes beyond `n` repeat the last query.
    void pack_queries(const T* first, int n, float* panel, float* norms) const {
        const T* points[kWidestPanel];
        for (int lane = 0; lane < tile_.width; ++lane) {
            points[lane] = first + std::min(lane, n - 1) * database_.cols;
        }
        const float factor = tile_metric() == TileMetric::squared_euclidean ? -2.0f : 1.0f;
        rows_.pack_panel(points, database_.cols, frame_.shift.data(), frame_.scale, factor, panel,
                         norms);
    }

    double rank(const T* x, Index row) const {
        const T* y = database_.row(row);
        const Index d = database_.cols;
        switch (metric_.metric) {
        case Metric::manhattan:
            return rows_.manhattan(x, y, d);
        case Metric::chebyshev:
            return rows_.chebyshev(x, y, d);
        case Metric::minkowski:
            // For large powers the rank is the distance itself.
            return metric_.p > kLargestPower ? minkowski_distance(x, y, d, metric_.p)
                                             : sum_of_powers(x, y);
        default:
            return rows_.squared(x, y, d);
        }
    }
    double distance(double rank) const {
        switch (metric_.metric) {
        case Metric::euclidean:
            return std::sqrt(rank);
        case Metric::minkowski:
            return metric_.p > kLargestPower ? rank : std::pow(rank, 1 / metric_.p);
        default:
            return rank;
        }
    }
    bool within(double rank, double radius) const { return distance(rank) <= radius; }

    // A bound on the error of the tile's value of a pair, from the norms of query and row in the
    // frame.
    double slack(double query_norm, double row_norm) const {
        switch (tile_metric()) {
        case TileMetric::squared_euclidean:
            return gamma_ * row_norm * (row_norm + 2 * query_norm) * (1 + 1e-5) + 0x1p-120;
        case TileMetric::manhattan:
            return gamma_ * std::sqrt(static_cast<double>(database_.cols)) *
                       (query_norm + row_norm) * (1 + 1e-5) +
                   0x1p-120;
        default:
            return 0x1p-22 * (query_norm + row_norm) + 0x1p-120;
        }
    }

    // The same for values that are whole squared distances (select_both).
    double slack_of_square(double a_norm, double b_norm) const {
        return gamma_ * (a_norm + b_norm) * (a_norm + b_norm) * (1 + 1e-5) + 0x1p-120;
    }

    // The exact tile value that no pair within this distance exceeds.
    double value_at(double distance, const T* query) const {
        const double scaled = distance * static_cast<double>(frame_.scale);
        if (tile_metric() != TileMetric::squared_euclidean) return scaled * (1 + 1e-9);
        double norm = 0;
        for (Index t = 0; t < database_.cols; ++t) {
            const double v =
                (static_cast<double>(query[t]) - static_cast<double>(frame_.shift[t])) *
                static_cast<double>(frame_.scale);
            norm += v * v;
        }
        return scaled * scaled * (1 + 1e-9) - norm * (1 - 1e-9);
    }
    double square_in_frame(double square) const {
        const double scale = static_cast<double>(frame_.scale);
        return square * scale * scale * (1 + 1e-9);
    }
    double value_at_rank(double rank, const T* query) const {
        return value_at(
            metric_.metric == Metric::squared_euclidean ? std::sqrt(rank) : distance(rank), query);
    }

private:
    // float32 data whose mean is small compared with their spread are read in place, unshifted.
    void drop_small_shift() {
        if constexpr (sizeof(T) == sizeof(float)) {
            if (frame_.scale != 1) return;
            double shift = 0, spread = 0;
            const Index n = std::min<Index>(database_.rows, 256);
            for (const T s : frame_.shift) shift += static_cast<double>(s) * s;
            for (Index i = 0; i < n; ++i) {
                spread += rows_.squared(database_.row(i * database_.rows / n), frame_.shift.data(),
                                        database_.cols) /
                          n;
            }
            uses_original_rows_ = shift <= 4 * spread;
            if (uses_original_rows_) std::fill(frame_.shift.begin(), frame_.shift.end(), T(0));
        }
    }

    double sum_of_powers(const T* x, const T* y) const {
        double total = 0;
        for (Index t = 0; t < database_.cols; ++t) {
            total += std::pow(std::abs(static_cast<double>(x[t]) - static_cast<double>(y[t])),
                              metric_.p);
        }
        return total;
    }

    Matrix<const T> database_;
    MetricSpec metric_;
    const TileKernels& tile_;
    const RowKernels<T>& rows_;
    Frame<T> frame_;
    bool uses_original_rows_ = false;
    std::vector<float> norms_; // squared, in the frame
    bool usable_ = true;
    double gamma_;
    Index rows_at_a_time_;
};

// Queries of a block in panels.
template <typename T>
struct QueryPanels {
    const T* first;
    Index n;
    std::vector<float> panels, square_norms;
    std::vector<double> norms;

    QueryPanels(const BruteTile<T>& tile, const T* first_query, Index n_queries)
        : first(first_query), n(n_queries) {
        const Index d = tile.database().cols, width = tile.width();
        const Index count = (n + width - 1) / width;
        panels.resize(static_cast<std::size_t>(count * width * d));
        square_norms.resize(static_cast<std::size_t>(count * width));
        for (Index p = 0; p < count; ++p) {
            tile.pack_queries(first + p * width * d,
                              static_cast<int>(std::min(width, n - p * width)), panel(p, width * d),
                              square_norms.data() + p * width);
        }
        for (const float s : square_norms) {
            norms.push_back(std::sqrt(static_cast<double>(s)) * (1 + 1e-5));
        }
    }
    float* panel(Index p, Index panel_size) { return panels.data() + p * panel_size; }
};

// A float not below a value of any sign.
inline float not_below(double x) {
    const float near = static_cast<float>(x);
    return near + std::abs(near) * 0x1p-22f + 0x1p-126f;
}

// Compares rows begin .. end - 1 of the database with the panels of a block of queries. Calls
// threshold(query, slack) before each batch of rows. Candidates go to selection(panel).
template <typename T, typename Threshold, typename SelectionOf>
void stream_rows(const BruteTile<T>& tile, QueryPanels<T>& queries, Index begin, Index end,
                 float* thresholds, const Threshold& threshold, const SelectionOf& selection) {
    const Index d = tile.database().cols, width = tile.width(), batch = tile.rows_at_a_time();
    std::vector<float> buffer(static_cast<std::size_t>(batch * d));
    for (Index i = begin; i < end; i += batch) {
        const Index n = std::min(batch, end - i);
        const float* rows = tile.rows_in_frame(i, n, buffer.data());
        const float* norms = tile.norms() + i;
        const double radius =
            std::sqrt(static_cast<double>(*std::max_element(norms, norms + n))) * (1 + 1e-5);
        for (Index q = 0; q < queries.n; ++q) {
            thresholds[q] = threshold(q, tile.slack(queries.norms[q], radius));
        }
        for (Index p = 0; p * width < queries.n; ++p) {
            tile.tile().select(tile.tile_metric(), queries.panel(p, width * d), d, rows, norms, n,
                               static_cast<std::int32_t>(i), selection(p));
        }
    }
}

} // namespace gramian::distance
