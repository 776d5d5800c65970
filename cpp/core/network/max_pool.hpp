// Maxima of blocks of 2 x 2 places of a map, and the way back: a gradient goes to the place that
// had the maximum, the first of several. A last row or column that fills no block is left out. NaN
// in a block makes its maximum NaN.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::network {

struct Maps {
    Index count, rows, cols; // one after the other, row by row
};

template <typename T>
struct MaxPoolKernels {
    // `places`: which of the four had it, counted row by row
    void (*forward)(Maps maps, const T* x, T* out, std::uint8_t* places);
    void (*backward)(Maps maps, const T* d, const std::uint8_t* places, T* out);
};

struct AllMaxPoolKernels {
    MaxPoolKernels<float> single;
    MaxPoolKernels<double> dbl;
};

template <typename T>
void max_pool(Maps maps, const T* x, T* out, std::uint8_t* places);
template <typename T>
void max_pool_back(Maps maps, const T* d, const std::uint8_t* places, T* out);

} // namespace gramian::network
