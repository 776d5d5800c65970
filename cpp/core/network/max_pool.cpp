#include "core/network/max_pool.hpp"

#include "core/runtime/isa.hpp"

#include <type_traits>

GRAMIAN_DISPATCH(network, AllMaxPoolKernels, max_pool_kernels, max_pool_table)

namespace gramian::network {
namespace {

template <typename T>
const MaxPoolKernels<T>& kernels() {
    if constexpr (std::is_same_v<T, float>) {
        return max_pool_table().single;
    } else {
        return max_pool_table().dbl;
    }
}

} // namespace

// On the calling thread alone: between two products of PyTorch's, whose own threads still spin.
template <typename T>
void max_pool(Maps maps, const T* x, T* out, std::uint8_t* places) {
    kernels<T>().forward(maps, x, out, places);
}

template <typename T>
void max_pool_back(Maps maps, const T* d, const std::uint8_t* places, T* out) {
    kernels<T>().backward(maps, d, places, out);
}

#define GRAMIAN_OF_TYPE(T)                                                                         \
    template void max_pool(Maps, const T*, T*, std::uint8_t*);                                     \
    template void max_pool_back(Maps, const T*, const std::uint8_t*, T*);
GRAMIAN_OF_TYPE(float)
GRAMIAN_OF_TYPE(double)
#undef GRAMIAN_OF_TYPE

} // namespace gramian::network
