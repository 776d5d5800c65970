#include "core/linkage/generic.hpp"
#include "core/linkage/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::linkage {
namespace {

// Clusters represented by a point: the mean of their rows, or the midpoint of their two parts.
template <typename T>
class CentroidClusters {
public:
    CentroidClusters(Matrix<const T> X, bool median)
        : n_(X.rows), d_(X.cols), median_(median), columns_(columns_of(X)),
          sizes_(static_cast<std::size_t>(X.rows), 1.0) {}

    void row(Index i, double* out) const {
        std::vector<double> query(static_cast<std::size_t>(d_));
        for (Index t = 0; t < d_; ++t) query[t] = columns_.at(t)[i];
        linkage_kernels().squares(columns_.values.data(), columns_.stride, n_, d_, query.data(),
                                  out);
    }
    double height(double value) const { return std::sqrt(value); }
    void join(Index a, Index b) {
        const double part = median_ ? 0.5 : sizes_[a] / (sizes_[a] + sizes_[b]);
        for (Index t = 0; t < d_; ++t) {
            double* const x = columns_.at(t);
            x[b] += part * (x[a] - x[b]);
        }
        sizes_[b] += sizes_[a];
    }

private:
    Index n_, d_;
    bool median_;
    Columns columns_;
    std::vector<double> sizes_;
};

// Clusters represented by their medoid: the row with the least sum of dissimilarities to the rows
// of its cluster, the first one in a tie.
class MedoidClusters {
public:
    MedoidClusters(Matrix<const double> D, Vector<std::int32_t> medoids)
        : D_(D), written_(medoids), medoids_(static_cast<std::size_t>(D.rows)),
          sums_(medoids_.size()), members_(medoids_.size()) {
        std::iota(medoids_.begin(), medoids_.end(), 0);
        for (Index i = 0; i < D.rows; ++i) members_[i] = {static_cast<std::int32_t>(i)};
    }
    void row(Index i, double* out) const {
        const double* const from = D_.row(medoids_[i]);
        for (Index j = 0; j < D_.rows; ++j) out[j] = from[medoids_[j]];
    }
    double height(double value) const { return value; }
    void join(Index a, Index b) {
        std::vector<std::int32_t>&own = members_[b], &other = members_[a];
        for (const std::int32_t x : own) {
            for (const std::int32_t y : other) {
                sums_[x] += D_(x, y);
                sums_[y] += D_(y, x);
            }
        }
        own.insert(own.end(), other.begin(), other.end());
        std::vector<std::int32_t>().swap(other);
        std::int32_t best = own.front();
        for (const std::int32_t x : own) {
            if (sums_[x] < sums_[best] || (sums_[x] == sums_[best] && x < best)) best = x;
        }
        medoids_[b] = written_[count_++] = best;
    }

private:
    Matrix<const double> D_;
    Vector<std::int32_t> written_;
    std::vector<std::int32_t> medoids_;
    std::vector<double> sums_; // of each row over its cluster
    std::vector<std::vector<std::int32_t>> members_;
    Index count_ = 0;
};

} // namespace

template <typename T>
void center_linkage(Matrix<const T> X, Method method, Matrix<double> Z) {
    if (X.rows < 2) return;
    CentroidClusters<T> clusters(X, method == Method::median);
    write_tree(merges_by_bounds(clusters, X.rows), false, Z);
}

void medoid_linkage(Matrix<const double> D, Matrix<double> Z, Vector<std::int32_t> medoids) {
    if (D.rows < 2) return;
    MedoidClusters clusters(D, medoids);
    write_tree(merges_by_bounds(clusters, D.rows), false, Z);
}

template void center_linkage(Matrix<const float>, Method, Matrix<double>);
template void center_linkage(Matrix<const double>, Method, Matrix<double>);

} // namespace gramian::linkage
