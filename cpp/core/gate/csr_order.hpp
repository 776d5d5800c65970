// The gate's check of the positions of a sparse table: one threaded pass.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::gate {

// True when the offsets ascend from 0 to the number of entries, and within each row the columns
// ascend, none twice, within [0, cols).
template <typename I>
bool csr_in_order(Vector<const I> columns, Vector<const I> offsets, Index cols);

} // namespace gramian::gate
