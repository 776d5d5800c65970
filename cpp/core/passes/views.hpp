// The six kinds of table that passes, epochs and sweeps read, and what each has for every one.
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

// Of<View> for each kind of table.
template <template <typename> typename Of>
struct ByView : Of<F32>, Of<F64>, Of<CsrF32I32>, Of<CsrF32I64>, Of<CsrF64I32>, Of<CsrF64I64> {
    template <typename View>
    const Of<View>& of() const {
        return *this;
    }
};

} // namespace gramian::passes
