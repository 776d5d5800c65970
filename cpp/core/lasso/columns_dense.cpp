#include "core/lasso/path.hpp"
#include "core/lasso/weighted_columns.hpp"
#include "core/runtime/blas.hpp"

namespace gramian::lasso {
namespace {

void dots(const float* X, Index n, const Index* which, Index count, const double* u, double* out) {
    lasso_kernels().dots_f32(X, n, which, count, u, out);
}
void dots(const double* X, Index n, const Index* which, Index count, const double* u, double* out) {
    lasso_kernels().dots_f64(X, n, which, count, u, out);
}

template <typename T>
class DenseColumns final : public WeightedColumns {
public:
    DenseColumns(Matrix<const T> X, Vector<const double> weights, bool centre)
        : WeightedColumns(weights, X.rows, centre), X_(X) {
        const runtime::Blocks blocks{X.rows, std::max<Index>(1, kBlockValues / X.cols)};
        runtime::parallel_for(
            blocks.count(),
            [&](Index block) {
                for (Index j = blocks.begin(block); j < blocks.end(block); ++j) measure(j);
            },
            threads_for(X.rows * X.cols));
    }

    void correlate(const std::vector<Index>& which, const double* r, double* out) override {
        const double sum = weigh(r);
        correlate_in_blocks(which, X_.cols, mean_, sum, out,
                            [&](const Index* columns, Index count, double* found) {
                                dots(X_.data, X_.cols, columns, count, u_.data(), found);
                            });
    }

    void enter(const std::vector<Index>& entering, double* gram, Index stride) override {
        const Index n = X_.cols, first = members_, count = static_cast<Index>(entering.size());
        copies_.resize(static_cast<std::size_t>((first + count) * n));
        for (Index t = 0; t < count; ++t) {
            const Index j = entering[static_cast<std::size_t>(t)];
            const T* x = X_.row(j);
            const double mean = mean_[static_cast<std::size_t>(j)];
            double* z = copies_.data() + (first + t) * n;
            for (Index i = 0; i < n; ++i) {
                z[i] = root_[static_cast<std::size_t>(i)] * (static_cast<double>(x[i]) - mean);
            }
        }
        members_ += count;
        for (const Index j : entering)
            member_squares_.push_back(squares_[static_cast<std::size_t>(j)]);
        if (!gram) return;
        products_.resize(static_cast<std::size_t>(count * members_));
        runtime::product_with_transpose({copies_.data() + first * n, count, n},
                                        {copies_.data(), members_, n},
                                        {products_.data(), count, members_});
        for (Index t = 0; t < count; ++t) {
            for (Index k = 0; k < members_; ++k) {
                const double product = products_[static_cast<std::size_t>(t * members_ + k)];
                gram[(first + t) * stride + k] = product;
                gram[k * stride + first + t] = product;
            }
        }
    }

    void subtract(const double* b, double* r) const override {
        const runtime::Blocks blocks{X_.cols, kBlockRows};
        runtime::parallel_for(
            blocks.count(),
            [&](Index block) {
                for (Index k = 0; k < members_; ++k) {
                    if (b[k] == 0) continue;
                    const double* z = copies_.data() + k * X_.cols;
                    for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
                        r[i] -= b[k] * z[i];
                    }
                }
            },
            threads_for(members_ * X_.cols));
    }

    void weighted_gram(const std::vector<Index>& which, const double* h, double* gram, Index stride,
                       double* sums) override {
        const Index n = X_.cols, count = static_cast<Index>(which.size());
        std::vector<double> root(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) root[static_cast<std::size_t>(i)] = std::sqrt(h[i]);
        scaled_.resize(static_cast<std::size_t>(count * n));
        products_.resize(static_cast<std::size_t>(count * count));
        runtime::parallel_for(
            count,
            [&](Index s) {
                const double* z = copies_.data() + which[static_cast<std::size_t>(s)] * n;
                double* to = scaled_.data() + s * n;
                for (Index i = 0; i < n; ++i) to[i] = root[static_cast<std::size_t>(i)] * z[i];
                const Index first = 0;
                lasso_kernels().dots_f64(to, n, &first, 1, root.data(), sums + s);
            },
            threads_for(count * n));
        runtime::gram_matrix({scaled_.data(), count, n}, {products_.data(), count, count});
        for (Index s = 0; s < count; ++s) {
            std::copy_n(products_.data() + s * count, count, gram + s * stride);
        }
    }

    void clear() override {
        members_ = 0;
        copies_.clear();
        member_squares_.clear();
    }

    Index values_per_column() const override { return X_.cols; }

    // The state is the residual itself.
    void set_residual(const double* r) override { state_.assign(r, r + X_.cols); }
    void residual(double* r) const override { std::copy(state_.begin(), state_.end(), r); }

    void sweep(const std::vector<Index>& members, double l1, double l2, bool positive,
               double* b) override {
        for (const Index k : members) {
            double c;
            lasso_kernels().dots_f64(copies_.data(), X_.cols, &k, 1, state_.data(), &c);
            const double square = member_squares_[static_cast<std::size_t>(k)];
            const double after = minimiser(c + square * b[k], square, l1, l2, positive);
            const double step = after - b[k];
            if (step == 0) continue;
            b[k] = after;
            const double* z = copies_.data() + k * X_.cols;
            for (Index i = 0; i < X_.cols; ++i) state_[static_cast<std::size_t>(i)] -= step * z[i];
        }
    }

private:
    void measure(Index j) {
        const T* x = X_.row(j);
        double mean = 0;
        if (centre_) {
            const Index first = 0;
            dots(x, X_.cols, &first, 1, weights_.data, &mean);
        }
        double sums[4] = {};
        Index i = 0;
        for (; i + 4 <= X_.cols; i += 4) {
            for (Index u = 0; u < 4; ++u) {
                const double d = static_cast<double>(x[i + u]) - mean;
                sums[u] += weights_[i + u] * d * d;
            }
        }
        for (; i < X_.cols; ++i) {
            const double d = static_cast<double>(x[i]) - mean;
            sums[0] += weights_[i] * d * d;
        }
        mean_[static_cast<std::size_t>(j)] = mean;
        squares_[static_cast<std::size_t>(j)] =
            square_or_zero((sums[0] + sums[1]) + (sums[2] + sums[3]), mean);
    }

    Matrix<const T> X_;
    Index members_ = 0;
    std::vector<double> copies_; // the members' z, one after the other
    std::vector<double> member_squares_;
    std::vector<double> products_, scaled_;
};

} // namespace

template <typename T>
std::unique_ptr<Columns> dense_columns(Matrix<const T> X, Vector<const double> weights,
                                       bool centre) {
    return std::make_unique<DenseColumns<T>>(X, weights, centre);
}

template std::unique_ptr<Columns> dense_columns(Matrix<const float>, Vector<const double>, bool);
template std::unique_ptr<Columns> dense_columns(Matrix<const double>, Vector<const double>, bool);

} // namespace gramian::lasso
