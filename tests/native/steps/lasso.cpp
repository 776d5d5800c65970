// The lasso by working sets against coordinate descent written out, dense and sparse.
#include "core/lasso/path.hpp"
#include "core/runtime/blas.hpp"

#include "steps.hpp"

namespace steps {
namespace {

// What the working set asks of BLAS: C = A' B in Fortran order.
void dgemm(const char*, const char*, const int* m, const int* n, const int* k, const double*,
           const double* a, const int* lda, const double* b, const int* ldb, const double*,
           double* c, const int* ldc) {
    for (int j = 0; j < *n; ++j) {
        for (int i = 0; i < *m; ++i) {
            double sum = 0;
            for (int t = 0; t < *k; ++t) sum += a[i * *lda + t] * b[j * *ldb + t];
            c[j * *ldc + i] = sum;
        }
    }
}

struct Problem {
    Table<double> Z; // a column in each row, centred and divided by root n
    std::vector<double> y;
    double l1, l2;

    double objective(const std::vector<double>& b) const {
        double value = 0;
        for (std::size_t j = 0; j < b.size(); ++j)
            value += l1 * std::abs(b[j]) + l2 * b[j] * b[j] / 2;
        for (Index i = 0; i < Z.cols; ++i) {
            double r = y[static_cast<std::size_t>(i)];
            for (Index j = 0; j < Z.rows; ++j) r -= Z(j, i) * b[static_cast<std::size_t>(j)];
            value += r * r / 2;
        }
        return value;
    }

    std::vector<double> descended(int cycles) const {
        std::vector<double> b(static_cast<std::size_t>(Z.rows)), r(y);
        for (int cycle = 0; cycle < cycles; ++cycle) {
            for (Index j = 0; j < Z.rows; ++j) {
                double square = 0, pull = 0;
                for (Index i = 0; i < Z.cols; ++i) {
                    square += Z(j, i) * Z(j, i);
                    pull += Z(j, i) * r[static_cast<std::size_t>(i)];
                }
                double& bj = b[static_cast<std::size_t>(j)];
                const double c = pull + square * bj;
                const double after =
                    std::copysign(std::max(0.0, std::abs(c) - l1), c) / (square + l2);
                for (Index i = 0; i < Z.cols; ++i) {
                    r[static_cast<std::size_t>(i)] -= (after - bj) * Z(j, i);
                }
                bj = after;
            }
        }
        return b;
    }
};

Problem problem_of(const Table<double>& columns, double l1, double l2) {
    const Index n = columns.cols;
    Problem problem{columns, std::vector<double>(static_cast<std::size_t>(n)), l1, l2};
    for (Index j = 0; j < columns.rows; ++j) {
        double mean = 0;
        for (Index i = 0; i < n; ++i) mean += columns(j, i) / static_cast<double>(n);
        for (Index i = 0; i < n; ++i) {
            problem.Z(j, i) = (columns(j, i) - mean) / std::sqrt(static_cast<double>(n));
        }
    }
    for (Index i = 0; i < n; ++i) {
        problem.y[static_cast<std::size_t>(i)] =
            2 * problem.Z(0, i) - 3 * problem.Z(4, i) + 0.02 * std::sin(static_cast<double>(i));
    }
    return problem;
}

void solved(gramian::lasso::Columns& columns, const Table<double>& X, double l2) {
    gramian::lasso::Path path(columns, in(problem_of(X, 0, 0).y));
    for (const double l1 : {1.0, 0.1, 0.01}) {
        const Problem problem = problem_of(X, l1, l2);
        std::vector<double> coef(static_cast<std::size_t>(X.rows));
        const auto said = path.solve({l1, l2, false}, 1e-10, 10000, out(coef));
        HOLDS(said.converged && said.gap <= 1e-10);
        HOLDS(problem.objective(coef) <= problem.objective(problem.descended(300)) + 2e-10);
    }
}

} // namespace

void lasso() {
    gramian::runtime::set_dgemm(dgemm);
    const Index n = 80, d = 30;
    auto X = groups<double>(d, n, 5);
    const std::vector<double> weights(static_cast<std::size_t>(n), 1.0 / static_cast<double>(n));
    for (const double l2 : {0.0, 0.05}) {
        solved(*gramian::lasso::dense_columns<double>(X.in(), in(weights), true), X, l2);
    }
    const Sparse<double> sparse(X, 2.0);
    for (const double l2 : {0.0, 0.05}) {
        solved(
            *gramian::lasso::sparse_columns<double, std::int32_t>(sparse.in(), in(weights), true),
            X, l2);
    }
}

} // namespace steps
