// Symmetric positive definite systems of few unknowns, in one call.
//
// A solver that makes a step of Newton's method in a tenth of a millisecond has no time for LAPACK
// through four wrappers. The matrix is scaled to a unit diagonal, so that units of measurement do
// not make it look singular,
//
//     C = S A S,   S = diag(a_ii^-1/2),   C = R'R,   x = S (R'R)^-1 S b,
//
// and 1 / (|C|_1 |C^-1|_1) is estimated by the method of Hager (1984) in Higham's form (1988):
// the largest |C^-1 v|_1 over a unit ball is climbed to from corner to corner.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::linalg {

// Writes x with A x = b and returns an estimate of the reciprocal condition of the scaled matrix;
// 0, and x untouched, where A is not positive definite. Reads the upper half of A.
double solve_small_system(Matrix<const double> A, Vector<const double> b, Vector<double> x);

} // namespace gramian::linalg
