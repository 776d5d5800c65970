// The distance tile and k-means: assignments against all distances, means against sums.
#include "core/cluster/kmeans.hpp"

#include "steps.hpp"

#include <limits>

namespace steps {
namespace {

template <typename T>
double square(const Table<T>& X, Index i, const Table<double>& centers, Index c) {
    double sum = 0;
    for (Index j = 0; j < X.cols; ++j) {
        const double difference = static_cast<double>(X(i, j)) - centers(c, j);
        sum += difference * difference;
    }
    return sum;
}

template <typename T>
Table<double> some_rows(const Table<T>& X, Index k) {
    Table<double> centers(k, X.cols);
    for (Index c = 0; c < k; ++c) {
        for (Index j = 0; j < X.cols; ++j) {
            centers(c, j) = static_cast<double>(X(c * (X.rows / k), j));
        }
    }
    return centers;
}

template <typename T>
void assignment(gramian::cluster::Points& points, const Table<T>& X, const Table<double>& centers) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(X.rows));
    std::vector<double> squares(labels.size());
    const double total = gramian::cluster::kmeans_assign(points, centers.in(), nullptr,
                                                         labels.data(), squares.data(), nullptr);
    double sum = 0;
    for (Index i = 0; i < X.rows; ++i) {
        Index best = 0;
        for (Index c = 1; c < centers.rows; ++c) {
            if (square(X, i, centers, c) < square(X, i, centers, best)) best = c;
        }
        const std::size_t row = static_cast<std::size_t>(i);
        sum += square(X, i, centers, best);
        HOLDS(close(squares[row], square(X, i, centers, best), 1e-12));
        HOLDS(labels[row] == best);
    }
    HOLDS(close(total, sum, 1e-12));
}

template <typename T>
void lloyd(gramian::cluster::Points& points, const Table<T>& X, Table<double> centers) {
    const Index k = centers.rows;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(X.rows));
    Table<double> sums(k, X.cols), means(k, X.cols);
    std::vector<double> totals(static_cast<std::size_t>(k));
    gramian::cluster::Lloyd turns(points, nullptr, labels.data(), sums.out(), totals.data());
    double before = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 20; ++turn) {
        const auto said = turns.iterate(centers.in(), means.out());
        HOLDS(said.objective <= before * (1 + 1e-12));
        before = said.objective;
        centers = means;
    }
    // each mean is that of its rows
    Table<double> expected(k, X.cols);
    std::vector<double> members(static_cast<std::size_t>(k));
    for (Index i = 0; i < X.rows; ++i) {
        const Index c = labels[static_cast<std::size_t>(i)];
        ++members[static_cast<std::size_t>(c)];
        for (Index j = 0; j < X.cols; ++j) expected(c, j) += static_cast<double>(X(i, j));
    }
    for (Index c = 0; c < k; ++c) {
        const double count = members[static_cast<std::size_t>(c)];
        for (Index j = 0; count > 0 && j < X.cols; ++j) {
            HOLDS(close(means(c, j), expected(c, j) / count, 1e-12));
        }
    }
    const double end = turns.finish(centers.in());
    HOLDS(end <= before * (1 + 1e-12));
    assignment(points, X, centers);
}

void starts(gramian::cluster::Points& points) {
    std::vector<Index> taken(7), again(7);
    gramian::cluster::kmeans_plusplus(points, nullptr, 3, 11, out(taken));
    gramian::cluster::kmeans_plusplus(points, nullptr, 3, 11, out(again));
    HOLDS(taken == again);
    for (const Index row : taken) HOLDS(row >= 0 && row < points.rows());
}

template <typename T>
void all(Index n, Index d, Index k) {
    auto X = groups<T>(n, d, 2);
    const auto rows = gramian::cluster::dense_points<T>(X.in());
    assignment(*rows, X, some_rows(X, k));
    lloyd(*rows, X, some_rows(X, k));
    starts(*rows);
    const Sparse<T> sparse(X, T(3));
    const auto sparse_rows = gramian::cluster::csr_points<T, std::int32_t>(sparse.in());
    assignment(*sparse_rows, X, some_rows(X, k));
    lloyd(*sparse_rows, X, some_rows(X, k));
    starts(*sparse_rows);
}

} // namespace

void kmeans() {
    all<float>(1000, 5, 9);
    all<double>(403, 17, 30);
}

} // namespace steps
