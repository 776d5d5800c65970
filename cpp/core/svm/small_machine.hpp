// Machines of a few points: one block of kernel values in double precision, no rows, no cache.
#pragma once

#include "core/svm/solver.hpp"

namespace gramian::svm {

constexpr Index kSmallMachine = 64; // variables

// On points that are their own `exact`.
Solution solve_small(const Points& points, const Machine& machine, const Settings& settings);

} // namespace gramian::svm
