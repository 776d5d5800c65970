// Sizes that must fit in 32 bits: BLAS counts so, and so do row numbers where memory traffic
// decides.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::runtime {

// The number in 32 bits. Throws std::length_error, which says what there is too much of and what to
// do, where it does not fit.
std::int32_t in_32_bits(Index number, const char* what, const char* remedy);

// Throws std::length_error unless every row has a number of 31 bits.
void require_rows_in_32_bits(Index rows, const char* owner);

} // namespace gramian::runtime
