// The dual of a support vector machine, by decomposition.
//
//     minimise  1/2 b' K b + sum_v q_v s_v a_v     over 0 <= a_v <= upper_v,
//
// where b_i is the sum of the signed values s_v a_v of the variables of point i: one variable for
// classification and outliers, two of opposite signs for regression. The steps keep the sum of the
// signed values, or (`by_sign`) those of both signs. q_v is `offset`.
//
// A working set of a few hundred variables contains the pairs that violate optimality most; a
// quarter of it is new in each round. Its subproblem is solved while its kernel is in the cache
// (kernel.hpp), then the gradient of all points is updated. Kernel rows are cached as long as there
// is room. Points that stay at a bound are removed (shrinking) until the others have converged.
// Then their gradient is updated, and the stopping rule of LIBSVM, no pair violating by `tol` or
// more, is tested on all points. The result does not depend on the number of threads.
//
// Kernel values are in single precision first. If their rounding errors, times the coefficients,
// may add up to a part of `tol`, the solver continues in double precision. Machines of a few points
// use double precision from the start.
#pragma once

#include "core/svm/points.hpp"

namespace gramian::svm {

struct Settings {
    double tol;
    Index max_steps; // steps of pairs
    bool shrinking;
    Index cache; // kernel values that may be kept
    // Set by solve_all: the maximum number of kernel values in the rows of a working set, and
    // whether each thread solves its own machines.
    Index working = 0;
    bool in_parallel = false;
    double error = 0; // of a kernel value, about its standard deviation
};

// Kernel values between the points of a class, which several machines share.
struct SharedBlock {
    const float* values; // (size, size)
    Index begin;         // where its points lie among those of the machine
    Index size;
};

struct Machine {
    Vector<const std::int32_t> ids; // points
    int halves;                     // variables of a point: variable h * ids.size + i is of point i
    bool by_sign;
    const double* sign; // arrays of halves * ids.size values
    const double* upper;
    const double* offset;
    double* alpha;    // the start, and the solution
    double* gradient; // K b of its points: that of the start if it is known, then of the solution
    bool known;
    std::vector<SharedBlock> shared;
};

struct Solution {
    double rho;     // the score is sum_i b_i k(x_i, x) - rho
    double r;       // by_sign: the margin, or minus the width of the tube
    double value;   // of the objective
    double largest; // violation that remains, and what rounding may add to it
    Index steps;
    Index entries; // kernel values computed
    bool certain;  // whether rounding adds a small part of `tol` only
};

// Solves several machines on the same points: one after the other on all threads, or in parallel.
void solve_all(const Points& points, const std::vector<Machine>& machines, Settings settings,
               Solution* solutions);

} // namespace gramian::svm
