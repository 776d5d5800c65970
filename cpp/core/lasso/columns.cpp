#include "core/lasso/columns.hpp"

#include "core/lasso/path.hpp"
#include "core/runtime/blas.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gramian::lasso {
namespace {

constexpr Index kBlockValues = 1 << 16; // values that a block of columns reads
constexpr Index kBlockRows = 2048;
constexpr Index kSerialValues = 1 << 17; // below it threads cost more than they give

int threads_for(Index values) {
    return values < kSerialValues ? 1 : 0;
}

// A column whose spread is below the rounding of its mean is constant.
double square_or_zero(double square, double mean) {
    if (!std::isfinite(square)) return square; // too large to be squared, for the caller to see
    return square > 1e-26 * mean * mean ? square : 0.0;
}

void dots(const float* X, Index n, const Index* which, Index count, const double* u, double* out) {
    lasso_kernels().dots_f32(X, n, which, count, u, out);
}
void dots(const double* X, Index n, const Index* which, Index count, const double* u, double* out) {
    lasso_kernels().dots_f64(X, n, which, count, u, out);
}

// out[which[t]] = values of `compute` over blocks of columns, less mean * the sum of u.
template <typename Compute>
void in_blocks(const std::vector<Index>& which, Index per_column, const std::vector<double>& mean,
               double sum, double* out, Compute compute) {
    const Index count = static_cast<Index>(which.size());
    const runtime::Blocks blocks{count,
                                 std::max<Index>(1, kBlockValues / std::max<Index>(per_column, 1))};
    runtime::parallel_for(
        blocks.count(),
        [&](Index block) {
            const Index begin = blocks.begin(block), size = blocks.end(block) - begin;
            std::vector<double> found(static_cast<std::size_t>(size));
            compute(which.data() + begin, size, found.data());
            for (Index t = 0; t < size; ++t) {
                const Index j = which[static_cast<std::size_t>(begin + t)];
                out[j] =
                    found[static_cast<std::size_t>(t)] - mean[static_cast<std::size_t>(j)] * sum;
            }
        },
        threads_for(count * per_column));
}

// The minimiser along one coordinate, c the correlation with the others as they are.
double minimiser(double c, double square, double l1, double l2, bool positive) {
    if (c > l1) return (c - l1) / (square + l2);
    return c < -l1 && !positive ? (c + l1) / (square + l2) : 0.0;
}

class Weighted : public Columns {
protected:
    Weighted(Vector<const double> weights, Index columns, bool centre)
        : weights_(weights), centre_(centre), u_(static_cast<std::size_t>(weights.size)) {
        root_.resize(static_cast<std::size_t>(weights.size));
        for (Index i = 0; i < weights.size; ++i) {
            root_[static_cast<std::size_t>(i)] = std::sqrt(weights[i]);
        }
        mean_.resize(static_cast<std::size_t>(columns));
        squares_.resize(static_cast<std::size_t>(columns));
    }

    // u = root o r; returns its sum where columns are centred.
    double weigh(const double* r) {
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = root_[i] * r[i];
        return centre_ ? std::accumulate(u_.begin(), u_.end(), 0.0) : 0.0;
    }

    Vector<const double> weights_;
    bool centre_;
    std::vector<double> u_;
};

template <typename T>
class Dense final : public Weighted {
public:
    Dense(Matrix<const T> X, Vector<const double> weights, bool centre)
        : Weighted(weights, X.rows, centre), X_(X) {
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
        in_blocks(which, X_.cols, mean_, sum, out,
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
        runtime::product_of_rows({copies_.data() + first * n, count, n},
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
        runtime::products_of_rows({scaled_.data(), count, n}, {products_.data(), count, count});
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

template <typename T, typename I>
class Sparse final : public Weighted {
public:
    Sparse(Csr<const T, I> X, Vector<const double> weights, bool centre)
        : Weighted(weights, X.rows, centre), X_(X), by_row_(static_cast<std::size_t>(X.cols)) {
        for (Index j = 0; j < X.rows; ++j) {
            double mean = 0, square = 0;
            for (I e = X.offsets[j]; e < X.offsets[j + 1]; ++e) {
                const double x = static_cast<double>(X.values[e]), w = weights[X.columns[e]];
                mean += w * x;
                square += w * x * x;
            }
            mean_[static_cast<std::size_t>(j)] = centre ? mean : 0.0;
            squares_[static_cast<std::size_t>(j)] =
                centre ? square_or_zero(square - mean * mean, mean * 1e5) : square;
        }
    }

    void correlate(const std::vector<Index>& which, const double* r, double* out) override {
        const double sum = weigh(r);
        in_blocks(which, values_per_column(), mean_, sum, out,
                  [&](const Index* columns, Index count, double* found) {
                      for (Index t = 0; t < count; ++t) found[t] = dot(columns[t], u_.data());
                  });
    }

    // Only entries that share a row meet: a new column visits its rows' lists of members.
    void enter(const std::vector<Index>& entering, double* gram, Index stride) override {
        for (const Index j : entering) {
            const Index k = static_cast<Index>(members_.size());
            members_.push_back(j);
            double* row = gram ? gram + k * stride : nullptr;
            if (row) std::fill(row, row + k + 1, 0.0);
            for (I e = X_.offsets[j]; e < X_.offsets[j + 1]; ++e) {
                const Index i = X_.columns[e];
                const double x = static_cast<double>(X_.values[e]);
                if (by_row_.empty()) break;
                auto& list = by_row_[static_cast<std::size_t>(i)];
                list.push_back({static_cast<std::int32_t>(k), x});
                if (!row) continue;
                for (const Entry& entry : list) row[entry.member] += weights_[i] * x * entry.value;
            }
            if (!row) continue;
            for (Index l = 0; l <= k; ++l) {
                row[l] -= mean_[static_cast<std::size_t>(j)] *
                          mean_[static_cast<std::size_t>(members_[static_cast<std::size_t>(l)])];
                gram[l * stride + k] = row[l];
            }
        }
    }

    void subtract(const double* b, double* r) const override {
        double shift = 0;
        for (std::size_t k = 0; k < members_.size(); ++k) {
            if (b[k] == 0) continue;
            const Index j = members_[k];
            shift += b[k] * mean_[static_cast<std::size_t>(j)];
            for (I e = X_.offsets[j]; e < X_.offsets[j + 1]; ++e) {
                const auto i = static_cast<std::size_t>(X_.columns[e]);
                r[i] -= b[k] * root_[i] * static_cast<double>(X_.values[e]);
            }
        }
        if (shift == 0) return;
        for (std::size_t i = 0; i < root_.size(); ++i) r[i] += shift * root_[i];
    }

    // Not centred: for losses whose intercept is a coefficient of its own.
    void weighted_gram(const std::vector<Index>& which, const double* h, double* gram, Index stride,
                       double* sums) override {
        std::vector<Index> place(members_.size(), -1);
        for (std::size_t s = 0; s < which.size(); ++s) {
            place[static_cast<std::size_t>(which[s])] = static_cast<Index>(s);
            std::fill_n(gram + static_cast<Index>(s) * stride, which.size(), 0.0);
            sums[s] = 0;
        }
        std::vector<Entry> row;
        for (std::size_t i = 0; i < by_row_.size(); ++i) {
            row.clear();
            for (const Entry& entry : by_row_[i]) {
                const Index s = place[static_cast<std::size_t>(entry.member)];
                if (s < 0) continue;
                row.push_back({static_cast<std::int32_t>(s), root_[i] * entry.value});
            }
            for (const Entry& a : row) {
                sums[a.member] += h[i] * a.value;
                double* to = gram + a.member * stride;
                for (const Entry& b : row) to[b.member] += h[i] * a.value * b.value;
            }
        }
    }

    void end_products() override { by_row_ = {}; }

    void clear() override {
        members_.clear();
        by_row_.resize(root_.size());
        for (auto& list : by_row_) list.clear();
    }

    Index values_per_column() const override {
        return static_cast<Index>(X_.offsets[X_.rows] - X_.offsets[0]) / X_.rows + 1;
    }

    // The state is u = weights o residual of the raw columns and, last, its sum U. Centring moves
    // every u_i by the same multiple of its weight, which a correlation with a centred column does
    // not see: z_j . r = x_j . u - mean_j U.
    void set_residual(const double* r) override {
        const double sum = weigh(r);
        state_ = u_;
        state_.push_back(sum);
    }
    void residual(double* r) const override {
        const double sum = state_.back();
        for (std::size_t i = 0; i < root_.size(); ++i) {
            r[i] = root_[i] > 0 ? state_[i] / root_[i] - sum * root_[i] : 0.0;
        }
    }

    void sweep(const std::vector<Index>& members, double l1, double l2, bool positive,
               double* b) override {
        double* u = state_.data();
        double& sum = state_.back();
        for (const Index k : members) {
            const Index j = members_[static_cast<std::size_t>(k)];
            const double square = squares_[static_cast<std::size_t>(j)];
            const double mean = mean_[static_cast<std::size_t>(j)];
            const double c = dot(j, u) - mean * sum;
            const double after = minimiser(c + square * b[k], square, l1, l2, positive);
            const double step = after - b[k];
            if (step == 0) continue;
            b[k] = after;
            sum -= step * mean;
            for (I e = X_.offsets[j]; e < X_.offsets[j + 1]; ++e) {
                const Index i = X_.columns[e];
                u[i] -= step * weights_[i] * static_cast<double>(X_.values[e]);
            }
        }
    }

private:
    struct Entry {
        std::int32_t member;
        double value;
    };

    double dot(Index j, const double* u) const {
        double sums[2] = {};
        I e = X_.offsets[j];
        const I end = X_.offsets[j + 1];
        for (; e + 2 <= end; e += 2) {
            sums[0] += static_cast<double>(X_.values[e]) * u[X_.columns[e]];
            sums[1] += static_cast<double>(X_.values[e + 1]) * u[X_.columns[e + 1]];
        }
        if (e < end) sums[0] += static_cast<double>(X_.values[e]) * u[X_.columns[e]];
        return sums[0] + sums[1];
    }

    Csr<const T, I> X_;
    std::vector<Index> members_;
    std::vector<std::vector<Entry>> by_row_;
};

} // namespace

template <typename T>
std::unique_ptr<Columns> dense_columns(Matrix<const T> X, Vector<const double> weights,
                                       bool centre) {
    return std::make_unique<Dense<T>>(X, weights, centre);
}

template <typename T, typename I>
std::unique_ptr<Columns> sparse_columns(Csr<const T, I> X, Vector<const double> weights,
                                        bool centre) {
    return std::make_unique<Sparse<T, I>>(X, weights, centre);
}

template std::unique_ptr<Columns> dense_columns(Matrix<const float>, Vector<const double>, bool);
template std::unique_ptr<Columns> dense_columns(Matrix<const double>, Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const float, std::int32_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const double, std::int32_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const float, std::int64_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const double, std::int64_t>,
                                                 Vector<const double>, bool);

} // namespace gramian::lasso
