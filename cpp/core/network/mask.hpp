// Masks of dropout: numbers that are 0 with the probability limit / 2^16, else `kept`.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::network {

template <typename T>
struct Mask {
    std::uint64_t seed, stream; // of the generator (runtime/random.hpp)
    std::uint32_t limit;
    T kept;
};

template <typename T>
struct MaskKernels {
    // Number j has the bits 16 (j % 8) and following of the generator's block `first` + j / 8.
    void (*draw)(const Mask<T>& mask, std::uint64_t first, Index count, T* to);
};

struct AllMaskKernels {
    MaskKernels<float> single;
    MaskKernels<double> dbl;
};

template <typename T>
const MaskKernels<T>& masks();

} // namespace gramian::network
