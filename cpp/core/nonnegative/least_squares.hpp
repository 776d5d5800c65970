// Nonnegative least squares of many rows that share a small matrix: of each row the w >= 0 of least
//
//     w G w' / 2 - c w' + l1 sum_t w_t + l2 |w|^2 / 2,
//
// with G = H H' and c = x H' the approximation x ~ w H. Coordinate descent: each w_t in turn moves
// to its best value, max(0, w_t - g_t / (G_tt + l2)), g_t being the derivative. Several rows are
// swept side by side, one in each lane of a register, and none changes after its own end, so the
// answer of a row does not depend on its neighbours or on threads.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::nonnegative {

constexpr Index kRows = 16; // rows side by side

struct Problem {
    const double* gram; // k x k
    Index k;
    double l1, l2;
};

// A row is done when the sum of its projected derivatives during a sweep is at most `share` of that
// of its first sweep, or `limit` of sum_t |c_t|; or after so many sweeps.
struct Stop {
    Index sweeps;
    double share, limit;
};

// Improves rows in place; returns the sum of the projected derivatives of their first sweeps.
double improve_rows(const Problem& problem, const Stop& stop, Matrix<const double> cross,
                    Matrix<double> W);

// The same for kRows rows, w and c being (k, kRows); first gets the kRows sums.
struct SweepKernels {
    void (*improve)(const Problem& problem, const Stop& stop, const double* c, double* w,
                    double* first);
};

} // namespace gramian::nonnegative
