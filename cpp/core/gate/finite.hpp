// The gate's check of values: one threaded pass.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::gate {

// True when every value is neither NaN nor infinite.
template <typename T>
bool all_finite(Vector<const T> values);

struct FiniteKernels {
    bool (*f32)(const float*, Index);
    bool (*f64)(const double*, Index);
};

} // namespace gramian::gate
