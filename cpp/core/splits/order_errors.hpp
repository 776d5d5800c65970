// Errors around the median and the midrange, which depend on the order of the targets.
#pragma once

#include "core/runtime/views.hpp"

#include <vector>

namespace gramian::splits {

// The weighted mean of |y - median|. If half the weight lies on each side of a gap, the median is
// its middle.
double absolute_error(const double* y, const double* w, Index n, double* median);

// max |y - c| with c = (min + max) / 2.
double worst_error(const double* y, Index n, double* center);

// For every prefix of a sequence: its weight, error and centre.
struct PrefixErrors {
    explicit PrefixErrors(Index n) : weight(n), error(n), center(n) {}

    // error[i] += sum over the first i + 1 of w |y - median|, in O(n log n); `first` also writes
    // the medians.
    void add_absolute(const double* y, const double* w, bool first);
    // error[i] += half the range of the first i + 1.
    void add_worst(const double* y, bool first);

    std::vector<double> weight, error, center;
};

} // namespace gramian::splits
