// Some rows of a table, as a table.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::passes {

template <typename T>
Matrix<T> rows_of(const Matrix<T>& X, Index begin, Index end) {
    return {X.row(begin), end - begin, X.cols};
}
template <typename T, typename I>
Csr<T, I> rows_of(const Csr<T, I>& X, Index begin, Index end) {
    return {X.values, X.columns, X.offsets + begin, end - begin, X.cols};
}

} // namespace gramian::passes
