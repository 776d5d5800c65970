// The effect of rounding errors of kernel values on the optimality conditions.
#pragma once

#include "core/svm/variables.hpp"

namespace gramian::svm {

// The error of the largest difference of two scores, in standard deviations of a sum of rounding
// errors.
constexpr double kDeviations = 3;
constexpr double kPartOfTol = 0.25; // that rounding may add

// The error of a violation by rounding: the sum of the errors of all kernel values times b.
inline double slack_of(const Variables& variables, const Settings& settings) {
    return kDeviations * settings.error * variables.norm_of_values();
}

// The violation below which the true one is below `tol`. If rounding exceeds its part of `tol`,
// steps are useless once the violation is as small as the rounding error.
inline double target_violation(const Settings& settings, double slack) {
    const bool small = slack <= kPartOfTol * settings.tol;
    return small ? settings.tol - slack : std::max(slack, (1 - kPartOfTol) * settings.tol);
}

// The solution given by the variables; all points must be active.
Solution solution_of(const Points& points, const Variables& variables, const Settings& settings,
                     Index steps, Index entries);

} // namespace gramian::svm
