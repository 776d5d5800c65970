// Scores of new rows: sums of kernel values over the support vectors.
#pragma once

#include "core/svm/points.hpp"

namespace gramian::svm {

// The support vectors of K classes one after the other, class c from starts[c] on; a vector of
// class c has a coefficient for each of the K - 1 other classes, in their order. K = 1 is a machine
// with one score and one coefficient per vector.
struct PairCoefficients {
    Vector<const std::int32_t> starts; // K + 1
    Matrix<const double> coef;
    Vector<const double> intercept; // one for each pair of classes (0, 1), (0, 2), ..., or one
};

struct Machines : PairCoefficients {
    const Points& vectors;
};

// scores(i, p) of pair p, positive for its first class; and where `votes` is not null the class
// with most pairs won, the first one among equals. Either may be absent.
void scores(const Machines& machines, const AnyTable& rows, double* scores, std::int32_t* votes);

// The same from precomputed kernel values (vectors, rows).
void scores_of_values(const PairCoefficients& machines, Matrix<const double> values, double* scores,
                      std::int32_t* votes);

} // namespace gramian::svm
