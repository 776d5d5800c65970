// Columns of a frame become the rows of a table.
#pragma once

#include "core/runtime/views.hpp"

#include <vector>

namespace gramian::gate {

// out(i, j) = columns[j][i]; every column has as many values as `out` has rows.
template <typename T>
void stack_columns(const std::vector<const T*>& columns, Matrix<T> out);

} // namespace gramian::gate
