// _native.Table: the rows that passes, sweeps and epochs read, dense or CSR.
#pragma once

#include "bind/arrays.hpp"
#include "core/passes/views.hpp"

#include <variant>

namespace gramian::bind {

// A view; Python keeps the arrays alive as long as the table (bind/table.cpp).
struct Table {
    std::variant<passes::F32, passes::F64, passes::CsrF32I32, passes::CsrF32I64, passes::CsrF64I32,
                 passes::CsrF64I64>
        view;

    // body(view of the rows), without the GIL.
    template <typename Body>
    auto visit(const Body& body) const {
        const GilRelease release;
        return std::visit(body, view);
    }
    Index rows() const {
        return std::visit([](const auto& X) { return X.rows; }, view);
    }
    Index cols() const {
        return std::visit([](const auto& X) { return X.cols; }, view);
    }
};

} // namespace gramian::bind
