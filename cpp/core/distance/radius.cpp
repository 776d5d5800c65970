#include "core/distance/brute.hpp"
#include "core/distance/brute_tile.hpp"

namespace gramian::distance {
namespace {

constexpr Index kQueries = 64;
constexpr std::int32_t kCapacity = 64; // candidates of a query between measurements

// Measures the candidates that the tile selects and keeps those within the radius, per query.
template <typename T>
class RadiusCollector {
public:
    RadiusCollector(const BruteTile<T>& tile, const T* queries, Index n, Index self, double radius)
        : tile_(tile), queries_(queries), self_(self), radius_(radius),
          count(static_cast<std::size_t>(n + kWidestPanel), 0),
          value(static_cast<std::size_t>((n + kWidestPanel) * kCapacity)),
          id(static_cast<std::size_t>((n + kWidestPanel) * kCapacity)),
          indices(static_cast<std::size_t>(n)), distances(static_cast<std::size_t>(n)) {}

    void flush(Index q) {
        for (std::int32_t c = 0; c < count[q]; ++c) add_if_within(q, id[q * kCapacity + c]);
        count[q] = 0;
    }
    void add_if_within(Index q, Index row) {
        if (self_ >= 0 && row == self_ + q) return;
        const double rank = tile_.rank(queries_ + q * tile_.database().cols, row);
        if (!tile_.within(rank, radius_)) return;
        indices[q].push_back(row);
        distances[q].push_back(static_cast<T>(tile_.distance(rank)));
    }

private:
    const BruteTile<T>& tile_;
    const T* queries_;
    Index self_;
    double radius_;

public:
    std::vector<std::int32_t> count;
    std::vector<float> value;
    std::vector<std::int32_t> id;
    std::vector<std::vector<Index>> indices;
    std::vector<std::vector<T>> distances;
};

template <typename T>
struct Sink {
    RadiusCollector<T>* collector;
    Index first;
};

} // namespace

template <typename T>
RadiusNeighbors<T> brute_radius_neighbors(Matrix<const T> database, Matrix<const T> queries,
                                          MetricSpec metric, bool self, double radius) {
    const BruteTile<T> tile(database, metric);
    const double reach = metric.metric == Metric::squared_euclidean ? std::sqrt(radius) : radius;
    const runtime::Blocks blocks{queries.rows, kQueries};
    RadiusNeighbors<T> result;
    result.offsets.assign(static_cast<std::size_t>(queries.rows + 1), 0);
    result.indices.resize(static_cast<std::size_t>(blocks.count()));
    result.distances.resize(static_cast<std::size_t>(blocks.count()));
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index first = blocks.begin(b), m = blocks.end(b) - first;
            QueryPanels<T> panels(tile, queries.row(first), m);
            RadiusCollector<T> collector(tile, queries.row(first), m, self ? first : -1, radius);
            std::vector<float> thresholds(static_cast<std::size_t>(m + kWidestPanel), -HUGE_VALF);
            std::vector<double> limits(static_cast<std::size_t>(m));
            for (Index q = 0; q < m; ++q)
                limits[q] = tile.value_at(reach, panels.first + q * database.cols);
            std::vector<Sink<T>> sinks;
            for (Index q = 0; q < m; q += tile.width()) sinks.push_back({&collector, q});
            if (tile.usable()) {
                stream_rows(
                    tile, panels, 0, database.rows, thresholds.data(),
                    [&](Index q, double slack) {
                        return tile.usable(panels.square_norms[q]) ? not_below(limits[q] + slack)
                                                                   : -HUGE_VALF;
                    },
                    [&](Index p) -> Selection {
                        const Index q = p * tile.width();
                        return {thresholds.data() + q,
                                collector.count.data() + q,
                                collector.value.data() + q * kCapacity,
                                collector.id.data() + q * kCapacity,
                                kCapacity,
                                &sinks[p],
                                [](void* owner, int lane) {
                                    auto* sink = static_cast<Sink<T>*>(owner);
                                    sink->collector->flush(sink->first + lane);
                                }};
                    });
            }
            for (Index q = 0; q < m; ++q) {
                if (tile.usable() && tile.usable(panels.square_norms[q])) {
                    collector.flush(q);
                } else {
                    for (Index row = 0; row < database.rows; ++row) collector.add_if_within(q, row);
                }
                result.offsets[first + q + 1] = static_cast<Index>(collector.indices[q].size());
                auto& indices = result.indices[b];
                auto& distances = result.distances[b];
                indices.insert(indices.end(), collector.indices[q].begin(),
                               collector.indices[q].end());
                distances.insert(distances.end(), collector.distances[q].begin(),
                                 collector.distances[q].end());
            }
        },
        queries.rows * database.rows * database.cols < (1 << 17) ? 1 : 0);
    for (Index q = 0; q < queries.rows; ++q) result.offsets[q + 1] += result.offsets[q];
    return result;
}

template RadiusNeighbors<float> brute_radius_neighbors(Matrix<const float>, Matrix<const float>,
                                                       MetricSpec, bool, double);
template RadiusNeighbors<double> brute_radius_neighbors(Matrix<const double>, Matrix<const double>,
                                                        MetricSpec, bool, double);

} // namespace gramian::distance
