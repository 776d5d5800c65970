// Checks the values of an input table in one threaded pass.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::gate {

// True if no value is NaN or infinite.
template <typename T>
bool all_finite(Vector<const T> values);

struct FiniteKernels {
    bool (*f32)(const float*, Index);
    bool (*f64)(const double*, Index);
};

} // namespace gramian::gate
