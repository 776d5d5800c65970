#include "core/linalg/small_system.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gramian::linalg {
namespace {

constexpr int kMostCorners = 5;

// R of C = R'R, upper triangular; every loop inside adds multiples of one row to another.
class Factor {
public:
    // Writes R over the upper half of C; false where C is not positive definite.
    bool make(const Matrix<double>& C) {
        R_ = C;
        const Index d = C.rows;
        for (Index j = 0; j < d; ++j) {
            double* pivots = C.row(j);
            if (!(pivots[j] > 0)) return false;
            const double root = std::sqrt(pivots[j]);
            for (Index k = j; k < d; ++k) pivots[k] /= root;
            for (Index i = j + 1; i < d; ++i) {
                double* row = C.row(i);
                const double factor = pivots[i];
                for (Index k = i; k < d; ++k) row[k] -= factor * pivots[k];
            }
        }
        return true;
    }

    // v <- (R'R)^-1 v
    void solve(double* v) const {
        const Index d = R_.rows;
        for (Index i = 0; i < d; ++i) {
            const double* row = R_.row(i);
            v[i] /= row[i];
            for (Index k = i + 1; k < d; ++k) v[k] -= row[k] * v[i];
        }
        for (Index i = d - 1; i >= 0; --i) {
            const double* row = R_.row(i);
            double sum = v[i];
            for (Index k = i + 1; k < d; ++k) sum -= row[k] * v[k];
            v[i] = sum / row[i];
        }
    }

private:
    Matrix<double> R_{nullptr, 0, 0};
};

// A lower bound of |C^-1|_1, seldom below a third of it.
double inverse_norm(const Factor& factor, Index d) {
    const auto size = static_cast<std::size_t>(d);
    std::vector<double> v(size, 1.0 / static_cast<double>(d)), slope(size);
    double largest = 0;
    for (int corner = 0; corner < kMostCorners; ++corner) {
        factor.solve(v.data());
        double norm = 0;
        for (const double y : v) norm += std::abs(y);
        if (norm <= largest) break;
        largest = norm;
        std::transform(v.begin(), v.end(), slope.begin(),
                       [](double y) { return y < 0 ? -1.0 : 1.0; });
        factor.solve(slope.data()); // C is symmetric
        const auto steepest = std::max_element(slope.begin(), slope.end(), [](double a, double b) {
            return std::abs(a) < std::abs(b);
        });
        std::fill(v.begin(), v.end(), 0.0);
        v[static_cast<std::size_t>(steepest - slope.begin())] = 1;
    }
    // Higham's own vector: it shows what the corners may hide by cancellation
    for (std::size_t i = 0; i < size; ++i) {
        const double share = size == 1 ? 0 : static_cast<double>(i) / static_cast<double>(size - 1);
        v[i] = (i % 2 == 0 ? 1 : -1) * (1 + share);
    }
    factor.solve(v.data());
    double norm = 0;
    for (const double y : v) norm += std::abs(y);
    return std::max(largest, 2 * norm / (3 * static_cast<double>(d)));
}

} // namespace

double solve_small_system(Matrix<const double> A, Vector<const double> b, Vector<double> x) {
    const Index d = A.rows;
    const auto size = static_cast<std::size_t>(d);
    if (d == 0) return 1;
    std::vector<double> scale(size), C(size * size), sums(size, 0.0), v(size);
    for (std::size_t i = 0; i < size; ++i) {
        const double diagonal = A.data[i * size + i];
        if (!(diagonal > 0)) return 0;
        scale[i] = 1 / std::sqrt(diagonal);
        v[i] = scale[i] * b.data[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i; j < size; ++j) {
            const double c = C[i * size + j] = scale[i] * A.data[i * size + j] * scale[j];
            sums[i] += std::abs(c);
            if (j > i) sums[j] += std::abs(c);
        }
    }
    Factor factor;
    if (!factor.make({C.data(), d, d})) return 0;
    factor.solve(v.data());
    for (std::size_t i = 0; i < size; ++i) x.data[i] = scale[i] * v[i];
    return 1 / (*std::max_element(sums.begin(), sums.end()) * inverse_norm(factor, d));
}

} // namespace gramian::linalg
