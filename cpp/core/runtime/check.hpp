// Checks. Sizes must fit in 32 bits where BLAS counts so, and row numbers where memory traffic
// decides.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <stdexcept>

namespace gramian::runtime {

// Throws std::invalid_argument, which says what must hold.
inline void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

// The number in 32 bits. Throws std::length_error, which says what there is too much of and what to
// do, where it does not fit.
std::int32_t in_32_bits(Index number, const char* what, const char* remedy);

// Throws std::length_error unless every row has a number of 31 bits.
void require_rows_in_32_bits(Index rows, const char* owner);

} // namespace gramian::runtime
