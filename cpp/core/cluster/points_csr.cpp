#include "core/cluster/points.hpp"
#include "core/cluster/sparse.hpp"
#include "core/distance/frame.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/scratch.hpp"

#include <algorithm>
#include <limits>

GRAMIAN_DISPATCH(cluster, SparseKernelTable, sparse_table, sparse_kernel_table)

namespace gramian::cluster {

template <>
const SparseKernels<float, std::int32_t>& sparse_kernels() {
    return sparse_kernel_table().f32_i32;
}
template <>
const SparseKernels<float, std::int64_t>& sparse_kernels() {
    return sparse_kernel_table().f32_i64;
}
template <>
const SparseKernels<double, std::int32_t>& sparse_kernels() {
    return sparse_kernel_table().f64_i32;
}
template <>
const SparseKernels<double, std::int64_t>& sparse_kernels() {
    return sparse_kernel_table().f64_i64;
}

namespace {

// Uses the candidates as centres of a second Points object.
template <typename T, typename I>
class CandidateCenters final : public CandidateDistances {
public:
    explicit CandidateCenters(Csr<const T, I> X) : X_(X), points_(csr_points<T, I>(X)) {}

    void set_candidates(const Index* rows, int n) override {
        n_ = n;
        std::vector<double> dense(static_cast<std::size_t>(n * X_.cols), 0.0);
        for (int c = 0; c < n; ++c) {
            for (I e = X_.offsets[rows[c]]; e < X_.offsets[rows[c] + 1]; ++e) {
                dense[c * X_.cols + X_.columns[e]] += static_cast<double>(X_.values[e]);
            }
        }
        points_->set_centers({dense.data(), n, X_.cols});
    }

    void nearer(Index begin, Index end, const float* closest, float* out,
                Index stride) const override {
        std::vector<double> squares(static_cast<std::size_t>(n_));
        for (Index i = begin; i < end; ++i) {
            points_->squared_to_all(i, squares.data());
            for (int c = 0; c < n_; ++c) {
                out[c * stride + i - begin] =
                    std::min(closest[i - begin], static_cast<float>(squares[c]));
            }
        }
    }

private:
    Csr<const T, I> X_;
    std::unique_ptr<Points> points_;
    int n_ = 0;
};

// |x - c|^2 = |x|^2 + |c|^2 - 2 x.c in float64 throughout; the frame is the data's own.
template <typename T, typename I>
class CsrPoints final : public Points {
public:
    explicit CsrPoints(Csr<const T, I> X)
        : Points(X.rows, X.cols), X_(X), kernels_(sparse_kernels<T, I>()),
          squares_(static_cast<std::size_t>(X.rows), 0.0) {
        for (Index i = 0; i < X.rows; ++i) {
            for (I e = X.offsets[i]; e < X.offsets[i + 1]; ++e) squares_[i] += square(X.values[e]);
        }
    }

    double scale() const override { return 1.0; }
    const double* origin() const override { return nullptr; }

    void set_centers(Matrix<const double> centers) override {
        k_ = centers.rows;
        padded_k_ = (k_ + kCenterPad - 1) / kCenterPad * kCenterPad;
        transposed_.assign(static_cast<std::size_t>(cols() * padded_k_), 0.0);
        norms_.assign(static_cast<std::size_t>(padded_k_), std::numeric_limits<double>::infinity());
        radius_ = 0;
        for (Index j = 0; j < k_; ++j) {
            norms_[j] = 0;
            for (Index t = 0; t < cols(); ++t) {
                transposed_[t * padded_k_ + j] = centers(j, t);
                norms_[j] += square(centers(j, t));
            }
            radius_ = std::max(radius_, std::sqrt(norms_[j]));
        }
    }

    void nearest(const Index* rows, Index n, const std::int32_t* labels, std::int32_t* index,
                 float* upper, float* lower) const override {
        double* const distance = distances();
        for (Index r = 0; r < n; ++r) {
            const Index i = rows[r];
            center_distances(i, distance);
            Index best = std::min_element(distance, distance + k_) - distance;
            if (labels && labels[i] >= 0 && distance[labels[i]] <= distance[best]) best = labels[i];
            double second = std::numeric_limits<double>::infinity();
            for (Index j = 0; j < k_; ++j) {
                if (j != best) second = std::min(second, distance[j]);
            }
            const double norm = std::sqrt(squares_[i]);
            const Index entries = X_.offsets[i + 1] - X_.offsets[i];
            const double slack =
                static_cast<double>(entries + cols() + 4) * 0x1p-52 * square(norm + radius_);
            index[r] = static_cast<std::int32_t>(best);
            upper[r] =
                distance::round_up(std::sqrt(std::max(0.0, squares_[i] + distance[best] + slack)));
            lower[r] = distance::round_down(std::sqrt(std::max(0.0, squares_[i] + second - slack)));
        }
    }

    void squared_to_assigned(const Index* rows, Index n, const std::int32_t* labels,
                             double* out) const override {
        for (Index r = 0; r < n; ++r) out[r] = squared(rows[r], labels[rows[r]]);
    }

    void squared_to_all(Index row, double* out) const override {
        double* const distance = distances();
        center_distances(row, distance);
        for (Index j = 0; j < k_; ++j) out[j] = std::max(0.0, squares_[row] + distance[j]);
    }

    void move(Index begin, Index end, const double* weights, std::int32_t* before,
              const std::int32_t* after, double* sums, double* totals,
              double* members) const override {
        for (Index i = begin; i < end; ++i) {
            if (before[i] == after[i]) continue;
            const double weight = weights ? weights[i] : 1.0;
            if (before[i] >= 0) add(i, before[i], -weight, sums, totals, members);
            add(i, after[i], weight, sums, totals, members);
            before[i] = after[i];
        }
    }

    std::unique_ptr<CandidateDistances> candidate_distances() const override {
        return std::make_unique<CandidateCenters<T, I>>(X_);
    }

    Scatter scatter(const double* weights) const override {
        Scatter result{0, 0};
        std::vector<double> sum(static_cast<std::size_t>(cols()), 0.0), squares = sum;
        for (Index i = 0; i < rows(); ++i) {
            result.total += (weights ? weights[i] : 1.0) * squares_[i];
            for (I e = X_.offsets[i]; e < X_.offsets[i + 1]; ++e) {
                sum[X_.columns[e]] += static_cast<double>(X_.values[e]);
                squares[X_.columns[e]] += square(X_.values[e]);
            }
        }
        for (Index t = 0; t < cols(); ++t) {
            const double mean = sum[t] / rows();
            result.mean_variance += std::max(0.0, squares[t] / rows() - mean * mean) / cols();
        }
        return result;
    }

private:
    static double square(double x) { return x * x; }

    double squared(Index row, Index center) const {
        double dot = 0;
        for (I e = X_.offsets[row]; e < X_.offsets[row + 1]; ++e) {
            dot += static_cast<double>(X_.values[e]) *
                   transposed_[static_cast<Index>(X_.columns[e]) * padded_k_ + center];
        }
        return std::max(0.0, squares_[row] + norms_[center] - 2 * dot);
    }

    double* distances() const {
        thread_local runtime::ThreadBuffer<double> buffer;
        return buffer.of(static_cast<std::size_t>(padded_k_));
    }

    void center_distances(Index i, double* out) const {
        const I begin = X_.offsets[i];
        kernels_.center_distances(X_.values + begin, X_.columns + begin, X_.offsets[i + 1] - begin,
                                  transposed_.data(), norms_.data(), padded_k_, out);
    }

    void add(Index i, std::int32_t cluster, double weight, double* sums, double* totals,
             double* members) const {
        double* sum = sums + cluster * cols();
        for (I e = X_.offsets[i]; e < X_.offsets[i + 1]; ++e) {
            sum[X_.columns[e]] += weight * static_cast<double>(X_.values[e]);
        }
        totals[cluster] += weight;
        members[cluster] += static_cast<double>((weight > 0) - (weight < 0));
    }

    Csr<const T, I> X_;
    const SparseKernels<T, I>& kernels_;
    std::vector<double> squares_;

    Index k_ = 0, padded_k_ = 0;
    std::vector<double> transposed_, norms_;
    double radius_ = 0;
};

} // namespace

template <typename T, typename I>
std::unique_ptr<Points> csr_points(Csr<const T, I> X) {
    return std::make_unique<CsrPoints<T, I>>(X);
}

template std::unique_ptr<Points> csr_points(Csr<const float, std::int32_t>);
template std::unique_ptr<Points> csr_points(Csr<const float, std::int64_t>);
template std::unique_ptr<Points> csr_points(Csr<const double, std::int32_t>);
template std::unique_ptr<Points> csr_points(Csr<const double, std::int64_t>);

} // namespace gramian::cluster
