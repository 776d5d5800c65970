// Gram matrices of the rows of each class, or of all rows, shifted by a point of their class:
//
//     G_k = sum w_i z_i z_i',   z_i = (x_i - s_k, 1),
//
// over the rows i of class k. One thread sums each block of at most passes::kGramRows rows of one
// class, and the sums are added in order: the same bits for any number of threads.
#pragma once

#include "core/moments/class_sums.hpp"

namespace gramian::moments {

// Adds G_k to the k-th of the (d + 1) square matrices that lie one after the other in `grams`.
template <typename T>
void class_gram(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                double* grams);

// Adds the sum of the G_k to G, without putting the rows in the order of their classes.
template <typename T>
void within_gram(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                 Matrix<double> G);

} // namespace gramian::moments
