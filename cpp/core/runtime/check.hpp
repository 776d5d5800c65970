// Argument checks. BLAS takes 32-bit sizes. Rooms limited by memory bandwidth store 32-bit row
// indices.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <stdexcept>

namespace gramian::runtime {

// Throws std::invalid_argument(what) unless the condition holds; `what` says what must hold.
inline void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

// The number as a 32-bit integer. Throws std::length_error if it does not fit: `what` names the
// number, `remedy` says what to do.
std::int32_t in_32_bits(Index number, const char* what, const char* remedy);

// Throws std::length_error unless every row index fits in 32 bits.
void require_rows_in_32_bits(Index rows, const char* owner);

} // namespace gramian::runtime
