// The six types of table that passes, epochs and sweeps read, and kernels for each of them.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::passes {

using F32 = Matrix<const float>;
using F64 = Matrix<const double>;
using CsrF32I32 = Csr<const float, std::int32_t>;
using CsrF32I64 = Csr<const float, std::int64_t>;
using CsrF64I32 = Csr<const double, std::int32_t>;
using CsrF64I64 = Csr<const double, std::int64_t>;

#define GRAMIAN_FOR_VIEWS(DO)                                                                      \
    DO(F32) DO(F64) DO(CsrF32I32) DO(CsrF32I64) DO(CsrF64I32) DO(CsrF64I64)

// ForView<View> for each type of table.
template <template <typename> typename ForView>
struct KernelsByView : ForView<F32>,
                       ForView<F64>,
                       ForView<CsrF32I32>,
                       ForView<CsrF32I64>,
                       ForView<CsrF64I32>,
                       ForView<CsrF64I64> {
    template <typename View>
    const ForView<View>& of() const {
        return *this;
    }
};

} // namespace gramian::passes
