// Copies the columns of a data frame into one table in C order.
#pragma once

#include "core/runtime/views.hpp"

#include <vector>

namespace gramian::gate {

// out(i, j) = columns[j][i]; every column has as many values as `out` has rows.
template <typename T>
void stack_columns(const std::vector<const T*>& columns, Matrix<T> out);

} // namespace gramian::gate
