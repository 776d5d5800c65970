// A step of expectation maximisation of a mixture: computes the responsibilities of the classes for
// each row and at once the moments weighted by them, about the current means:
//
//     r_ik = exp(s_k(x_i)) / sum_l exp(s_l(x_i)),    G_k = sum_i w_i r_ik z_i z_i'.
//
// No table of n x K numbers is made. A row of a known class has responsibility 1 for it.
#pragma once

#include "core/moments/scores.hpp"

namespace gramian::moments {

struct MixtureRows {
    const double* weights;     // null: ones
    const std::int32_t* known; // the class of a row, or -1; null: none is known
};

// Returns sum_i w_i log sum_k exp(s_k(x_i)), of a row of known class w_i s_k(x_i). Adds to
// grams (K, d + 1, d + 1), z = (x - m_k, 1).
template <typename T>
double expectation_full(Matrix<const T> X, const MixtureRows& rows, const ScoreModel& model,
                        double* grams);

// The same where the squares of the columns are enough: adds to weights (K), sums (K, d) and
// squares (K, d) of x - m_k.
template <typename T>
double expectation_diagonal(Matrix<const T> X, const MixtureRows& rows, const ScoreModel& model,
                            double* weights, double* sums, double* squares);

} // namespace gramian::moments
