// The lasso and the elastic net by working sets:
//
//     P(b) = |y - Z b|^2 / 2 + l1 |b|_1 + l2 |b|^2 / 2,
//
// where the columns of Z are centred and weighted as `Columns` says. A small problem over the
// working set is solved through its Gram matrix alone (`solve_gram`); then the columns outside are
// checked, the worst violators enter, and so on until the duality gap of the whole problem is
// small. The gap is a certificate: with r = y - Z b, any s >= 0 for which
// s |z_j . r - l2 b_j| <= l1 for all j gives
//
//     P(b) - min P <= P(b) - [s y . r - s^2 (|r|^2 + l2 |b|^2) / 2].
//
// Every column is checked for it. Friedman, Hastie and Tibshirani 2010 (covariance updates);
// Tibshirani and others 2012 (strong rules).
#pragma once

#include "core/lasso/columns.hpp"
#include "core/lasso/support.hpp"
#include "core/runtime/views.hpp"

#include <functional>
#include <limits>
#include <vector>

namespace gramian::lasso {

struct Shrinkage {
    double l1;
    double l2;
    bool positive; // coefficients must not be negative

    // |gradient| of the smooth part for correlation c and coefficient b: at most l1 at a minimum.
    double gradient_size(double c, double b) const {
        const double g = c - l2 * b;
        return positive || g > 0 ? g : -g;
    }
    // Infinite where a coefficient must not be negative and is.
    double penalty(const double* b, Index m) const {
        double absolute = 0, square = 0;
        for (Index j = 0; j < m; ++j) {
            if (positive && b[j] < 0) return std::numeric_limits<double>::infinity();
            absolute += b[j] > 0 ? b[j] : -b[j];
            square += b[j] * b[j];
        }
        return l1 * absolute + l2 * square / 2;
    }
};

// P at coefficients of the members, from the columns themselves.
using Objective = std::function<double(const double* b)>;

struct Kernels {
    // One cycle of exact minimisations along the m coordinates; g = q - G b is kept.
    void (*sweep)(const double* G, Index stride, Index m, Shrinkage shrinkage, double* b,
                  double* g);
    // y -= sum_t b[which[t]] G_which[t], rows of m values.
    void (*subtract_rows)(const double* G, Index stride, Index m, const Index* which, Index count,
                          const double* b, double* y);
    // x becomes L^-1 x, and L'^-1 x, for a lower triangle L with m rows of `stride`.
    void (*forward)(const double* L, Index m, Index stride, double* x);
    void (*backward)(const double* L, Index m, Index stride, double* x);
    // Rows first .. m of L have one value too many, to the right of the diagonal; rotations of
    // neighbouring columns make them a triangle again.
    void (*retriangularize)(double* L, Index stride, Index first, Index m);
    // out[t] = x_t . u for `count` columns of n values, the t-th at X + which[t] * n.
    void (*dots_f32)(const float* X, Index n, const Index* which, Index count, const double* u,
                     double* out);
    void (*dots_f64)(const double* X, Index n, const Index* which, Index count, const double* u,
                     double* out);
};
const Kernels& lasso_kernels();

struct Result {
    double gap;     // of P, certified
    Index sweeps;   // cycles over the working set
    bool converged; // gap <= tol
};

// b'Gb / 2 - q'b + yy / 2, what P is without its penalties.
struct Quadratic {
    GramView G;
    const double* q;
    double yy;
};

struct Stopping {
    double tol; // of the gap
    Index max_sweeps;
};

// Minimises the quadratic + l1 |b|_1 + l2 |b|^2 / 2 again and again, G growing.
//
// First by active sets: solve for the coefficients as if the support and its signs were known,
// drop those whose sign is wrong, add those whose gradient exceeds l1, until nothing changes. Near
// a known solution this takes a few iterations and is exact. Along a path the last step predicts
// which columns enter and leave, and one iteration is often enough. If it does not converge
// (dependent columns, a distant start) coordinate descent takes over, with Anderson extrapolation.
// The objective never rises: a point is kept only if it is no worse than the best one so far.
class GramSolver {
public:
    // From the b given; overwrites g with q - G b. The indices of earlier calls keep their meaning.
    // `unchanged`: G, q, b and g are as the last call left them, so g is not recomputed. Points are
    // compared by `from_data` if it is given: P computed through G is only as exact as |y|^2 is.
    Result solve(const Quadratic& problem, Shrinkage shrinkage, Stopping stopping, double* b,
                 double* g, bool unchanged = false, const Objective& from_data = nullptr);
    void clear() { factor_.clear(); }

private:
    SupportFactor factor_;
    double l2_ = 0;
    struct {
        double l1 = 0;
        std::vector<double> b, g;
    } before_; // the last call's start
    double last_l1_ = 0;
};

// The same problem over the members `working` of the columns, by coordinate descent that keeps
// the residual: for working sets whose Gram matrix would be too large. `residual` is y - Z b before
// and after.
Result solve_columns(Columns& columns, const std::vector<Index>& working,
                     const std::vector<double>& y, Shrinkage shrinkage, double tol,
                     Index max_sweeps, std::vector<double>& b, std::vector<double>& residual);

// The gap of b, where `steepest` is the largest |z_j . r - l2 b_j|.
double duality_gap(const std::vector<double>& y, const std::vector<double>& residual,
                   const std::vector<double>& b, Shrinkage shrinkage, double steepest);

// Several problems: their Gram matrices one after the other, a row of q for each.
struct Quadratics {
    Vector<const double> grams;
    Matrix<const double> q;
    Vector<const double> yy;
};

struct PenaltyGrid {
    Vector<const double> l1, l2;
    bool positive;
};

// What is found for each problem and penalty of the grid.
struct Paths {
    Matrix<double> coef; // row k * grid + t for the t-th penalty of the k-th problem
    Matrix<double> gaps;
    Matrix<std::int64_t> sweeps;
};

// Paths over one grid for several Gram matrices at once, each solution warm from the one before;
// the first starts from the values in its row of coef; tol has a value per problem. One problem per
// block of the pool.
void solve_gram_paths(const Quadratics& problems, const PenaltyGrid& grid, Vector<const double> tol,
                      Index max_sweeps, const Paths& paths);

// One problem for any penalties, each solved from where the last one ended.
class Path {
public:
    // y is centred and weighted as the columns are.
    Path(Columns& columns, Vector<const double> y);

    // z_j . y of every column.
    const std::vector<double>& start() const { return start_; }
    // Moves to these coefficients.
    void restart(Vector<const double> coef);
    // Writes the coefficients.
    Result solve(Shrinkage shrinkage, double tol, Index max_sweeps, Vector<double> coef);

private:
    void enter(const std::vector<Index>& entering);
    void update_residual();
    double objective(Shrinkage shrinkage, const std::vector<double>& residual,
                     const double* b) const;
    Result solve_working(Shrinkage shrinkage, double tol, Index max_sweeps);
    std::vector<Index> violating_columns(const std::vector<Index>& candidates,
                                         Shrinkage shrinkage) const;

    Columns& columns_;
    Index p_;
    std::vector<double> y_, start_;
    double yy_;

    std::vector<double> residual_;    // y - Z b
    std::vector<double> correlation_; // z_j . residual, at the last visit to column j
    double last_l1_;

    std::vector<Index> working_; // the working set, in the order of entering
    std::vector<Index> place_;   // of each column in it, or -1
    Index largest_gram_;         // members up to which their Gram matrix is kept
    bool by_gram_ = true;
    GrowableMatrix gram_;
    std::vector<double> q_, b_, g_;
    GramSolver solver_;
};

} // namespace gramian::lasso
