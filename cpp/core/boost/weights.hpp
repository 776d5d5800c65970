// The weights of AdaBoost's rows.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::boost {

// The weight of the rows that a learner got wrong (wrong[i] = 1, else 0).
double weight_of_wrong(const double* weights, const std::uint8_t* wrong, Index n);

// Weights of wrong rows times `factor`, then all of them times the inverse of their sum.
void reweigh(double* weights, const std::uint8_t* wrong, Index n, double factor);

} // namespace gramian::boost
