// Checks the index arrays of a sparse input table in one threaded pass.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::gate {

// True if the offsets ascend from 0 to the number of entries, and the columns of each row ascend
// strictly within [0, cols).
template <typename I>
bool csr_in_order(Vector<const I> columns, Vector<const I> offsets, Index cols);

} // namespace gramian::gate
