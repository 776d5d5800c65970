#include "core/lasso/weighted_columns.hpp"

namespace gramian::lasso {
namespace {

template <typename T, typename I>
class SparseColumns final : public WeightedColumns {
public:
    SparseColumns(Csr<const T, I> X, Vector<const double> weights, bool centre)
        : WeightedColumns(weights, X.rows, centre), X_(X),
          by_row_(static_cast<std::size_t>(X.cols)) {
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
        correlate_in_blocks(which, values_per_column(), mean_, sum, out,
                            [&](const Index* columns, Index count, double* found) {
                                for (Index t = 0; t < count; ++t)
                                    found[t] = dot(columns[t], u_.data());
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

template <typename T, typename I>
std::unique_ptr<Columns> sparse_columns(Csr<const T, I> X, Vector<const double> weights,
                                        bool centre) {
    return std::make_unique<SparseColumns<T, I>>(X, weights, centre);
}

template std::unique_ptr<Columns> sparse_columns(Csr<const float, std::int32_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const double, std::int32_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const float, std::int64_t>,
                                                 Vector<const double>, bool);
template std::unique_ptr<Columns> sparse_columns(Csr<const double, std::int64_t>,
                                                 Vector<const double>, bool);

} // namespace gramian::lasso
