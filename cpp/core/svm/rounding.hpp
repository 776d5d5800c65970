// What rounding errors of kernel values may do to the optimality conditions.
#pragma once

#include "core/svm/variables.hpp"

namespace gramian::svm {

// Standard deviations of a sum of rounding errors that a difference of two scores, the largest of
// many, may be off by.
constexpr double kDeviations = 3;
constexpr double kPartOfTol = 0.25; // that rounding may add

// What rounding may add to a violation: the sum of the errors of all kernel values times b.
inline double slack_of(const Variables& variables, const Settings& settings) {
    return kDeviations * settings.error * variables.norm_of_values();
}

// The violation below which the true one is below `tol`; where rounding is beyond its part of that,
// steps lead nowhere once the violation is of its size.
inline double goal_of(const Settings& settings, double slack) {
    const bool small = slack <= kPartOfTol * settings.tol;
    return small ? settings.tol - slack : std::max(slack, (1 - kPartOfTol) * settings.tol);
}

// What the variables, all points being active, say of the solution.
Solution solution_of(const Points& points, const Variables& variables, const Settings& settings,
                     Index steps, Index entries);

} // namespace gramian::svm
