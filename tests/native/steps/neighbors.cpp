// The k-d tree and exhaustive search against a sort of all distances.
#include "core/distance/brute.hpp"
#include "core/kdtree/search.hpp"

#include "steps.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

namespace steps {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
double distance(const Table<T>& X, Index i, const Table<T>& Q, Index q, double p) {
    double measure = 0;
    for (Index j = 0; j < X.cols; ++j) {
        const double gap = std::abs(static_cast<double>(X(i, j)) - static_cast<double>(Q(q, j)));
        measure = p == kInfinity ? std::max(measure, gap) : measure + std::pow(gap, p);
    }
    return p == kInfinity ? measure : std::pow(measure, 1 / p);
}

// Rows of X by (distance, index) from a query.
template <typename T>
std::vector<std::pair<double, Index>> by_distance(const Table<T>& X, const Table<T>& Q, Index q,
                                                  double p) {
    std::vector<std::pair<double, Index>> all;
    for (Index i = 0; i < X.rows; ++i) all.emplace_back(distance(X, i, Q, q, p), i);
    std::sort(all.begin(), all.end());
    return all;
}

// The arrays of a tree, built.
template <typename T>
struct Built {
    const Table<T>& X;
    gramian::kdtree::Shape shape;
    std::size_t leaves = std::size_t{1} << shape.levels;
    std::size_t dims = static_cast<std::size_t>(X.cols);
    std::vector<std::int32_t> order = std::vector<std::int32_t>(static_cast<std::size_t>(X.rows));
    std::vector<float> points =
        std::vector<float>(leaves * dims * static_cast<std::size_t>(shape.capacity));
    std::vector<float> spread = std::vector<float>(leaves);
    std::vector<float> boxes = std::vector<float>(leaves * dims * 4);
    std::vector<std::int32_t> feature = std::vector<std::int32_t>(leaves);
    std::vector<T> value = std::vector<T>(leaves);
    std::vector<std::int32_t> first = std::vector<std::int32_t>(2 * leaves);

    Built(const Table<T>& rows, Index leaf_size)
        : X(rows), shape(gramian::kdtree::shape_of(rows.rows, leaf_size)) {
        gramian::kdtree::build<T>({X.values.data(), order.data(), points.data(), spread.data(),
                                   boxes.data(), feature.data(), value.data(), first.data(), X.rows,
                                   X.cols, shape.levels, shape.capacity});
    }
    gramian::kdtree::Tree<const T> tree() const {
        return {X.values.data(), order.data(),   points.data(), spread.data(),
                boxes.data(),    feature.data(), value.data(),  first.data(),
                X.rows,          X.cols,         shape.levels,  shape.capacity};
    }
};

template <typename T>
void same_neighbors(const Table<T>& X, const Table<T>& Q, double p, const Table<T>& distances,
                    const Table<Index>& indices) {
    const double rounding = sizeof(T) == 4 ? 1e-6 : 1e-13;
    for (Index q = 0; q < Q.rows; ++q) {
        const auto nearest = by_distance(X, Q, q, p);
        for (Index r = 0; r < indices.cols; ++r) {
            const auto& [far, row] = nearest[static_cast<std::size_t>(r)];
            HOLDS(close(static_cast<double>(distances(q, r)), far, rounding));
            HOLDS(indices(q, r) == row);
        }
    }
}

template <typename T>
void tree(const Table<T>& X, const Table<T>& Q, double p) {
    const Built<T> built(X, 8);
    // several threads ask one tree
    const auto ask = [&](bool best_first) {
        Table<T> distances(Q.rows, 6);
        Table<Index> indices(Q.rows, 6);
        gramian::kdtree::nearest<T>(built.tree(), Q.in(), p, 0, best_first, distances.out(),
                                    indices.out());
        same_neighbors(X, Q, p, distances, indices);
    };
    std::thread other(ask, true);
    ask(false);
    other.join();

    const std::vector<double> radii(static_cast<std::size_t>(Q.rows), 2.03125);
    std::vector<std::int64_t> counts(radii.size());
    gramian::kdtree::count_within<T>(built.tree(), Q.in(), p, in(radii), out(counts));
    for (Index q = 0; q < Q.rows; ++q) {
        const auto all = by_distance(X, Q, q, p);
        HOLDS(counts[static_cast<std::size_t>(q)] ==
              std::count_if(all.begin(), all.end(),
                            [](const auto& a) { return a.first <= 2.03125; }));
    }
}

template <typename T>
void exhaustive(const Table<T>& X, const Table<T>& Q, gramian::distance::Metric metric, double p) {
    Table<T> distances(Q.rows, 6);
    Table<Index> indices(Q.rows, 6);
    gramian::distance::brute_neighbors<T>(X.in(), Q.in(), {metric, p}, false, distances.out(),
                                          indices.out());
    same_neighbors(X, Q, p, distances, indices);
}

template <typename T>
void all(Index n, Index d) {
    const auto X = groups<T>(n, d, 3), Q = groups<T>(61, d, 4);
    for (const double p : {1.0, 2.0, kInfinity}) tree(X, Q, p);
    exhaustive(X, Q, gramian::distance::Metric::manhattan, 1);
    exhaustive(X, Q, gramian::distance::Metric::euclidean, 2);
    exhaustive(X, Q, gramian::distance::Metric::chebyshev, kInfinity);
}

} // namespace

void neighbors() {
    all<double>(700, 3);
    all<float>(900, 6);
}

} // namespace steps
