#include "core/network/max_pool.hpp"

#include "core/simd/register.hpp"

#include <type_traits>

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

template <typename T>
using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// The places of a register's lanes, a byte each; a typedef per type, as in register.hpp.
template <typename T>
struct PlacesOf;
template <>
struct PlacesOf<float> {
    typedef std::uint8_t type __attribute__((vector_size(kLanes<float>)));
};
template <>
struct PlacesOf<double> {
    typedef std::uint8_t type __attribute__((vector_size(kLanes<double>)));
};

// Every second number of two registers, and two registers of which they are.
template <typename T>
inline void part(Vec<T> a, Vec<T> b, Vec<T>& even, Vec<T>& odd) {
    if constexpr (kLanes<T> == 8) {
        even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
        odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    } else if constexpr (kLanes<T> == 4) {
        even = __builtin_shufflevector(a, b, 0, 2, 4, 6);
        odd = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    } else {
        even = __builtin_shufflevector(a, b, 0, 2);
        odd = __builtin_shufflevector(a, b, 1, 3);
    }
}

template <typename T>
inline void join(Vec<T> even, Vec<T> odd, Vec<T>& a, Vec<T>& b) {
    if constexpr (kLanes<T> == 8) {
        a = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
        b = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
    } else if constexpr (kLanes<T> == 4) {
        a = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
        b = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
    } else {
        a = __builtin_shufflevector(even, odd, 0, 2);
        b = __builtin_shufflevector(even, odd, 1, 3);
    }
}

// A register of maxima, of the numbers at 2j in two rows.
template <typename T>
inline void maxima(const T* top, const T* bottom, T* out, std::uint8_t* places) {
    constexpr Index lanes = kLanes<T>;
    Vec<T> x[4];
    part<T>(load(top), load(top + lanes), x[0], x[1]);
    part<T>(load(bottom), load(bottom + lanes), x[2], x[3]);
    Vec<T> best = x[0];
    Vec<Integer<T>> place{};
    for (Integer<T> k = 1; k < 4; ++k) {
        const auto better = (x[k] > best) | (x[k] != x[k]);
        best = better ? x[k] : best;
        place = better ? k - Vec<Integer<T>>{} : place;
    }
    store(out, best);
    using Places = typename PlacesOf<T>::type;
    const Places bytes = __builtin_convertvector(place, Places);
    std::memcpy(places, &bytes, sizeof bytes);
}

template <typename T>
inline void maximum(const T* top, const T* bottom, T* out, std::uint8_t* place) {
    const T x[4] = {top[0], top[1], bottom[0], bottom[1]};
    *out = x[0];
    *place = 0;
    for (int k = 1; k < 4; ++k) {
        if (x[k] > *out || x[k] != x[k]) {
            *out = x[k];
            *place = static_cast<std::uint8_t>(k);
        }
    }
}

// A register may reach beyond its row, into rows that are read or written after it: narrow maps are
// done as fast as wide ones. Only at the end of the memory numbers go one by one.
template <typename T>
void forward(Maps maps, const T* x, T* out, std::uint8_t* places) {
    constexpr Index lanes = kLanes<T>;
    const Index rows = maps.rows / 2, cols = maps.cols / 2;
    const T* const x_end = x + maps.count * maps.rows * maps.cols;
    const T* const out_end = out + maps.count * rows * cols;
    for (Index m = 0; m < maps.count; ++m, x += maps.rows * maps.cols) {
        for (Index i = 0; i < rows; ++i, out += cols, places += cols) {
            const T *top = x + 2 * i * maps.cols, *bottom = top + maps.cols;
            Index j = 0;
            for (; j < cols && x_end - bottom >= 2 * (j + lanes) && out_end - out >= j + lanes;
                 j += lanes) {
                maxima(top + 2 * j, bottom + 2 * j, out + j, places + j);
            }
            for (; j < cols; ++j) maximum(top + 2 * j, bottom + 2 * j, out + j, places + j);
        }
    }
}

// The two places of a block that are in one of its rows, the first being number `place`.
template <typename T>
inline void spread(const T* d, const std::uint8_t* places, Integer<T> place, T* to) {
    typename PlacesOf<T>::type bytes;
    std::memcpy(&bytes, places, sizeof bytes);
    const auto had = __builtin_convertvector(bytes, Vec<Integer<T>>);
    const Vec<T> given = load(d), none{};
    Vec<T> a, b;
    join<T>(had == place ? given : none, had == place + 1 ? given : none, a, b);
    store(to, a);
    store(to + kLanes<T>, b);
}

template <typename T>
void backward(Maps maps, const T* d, const std::uint8_t* places, T* out) {
    constexpr Index lanes = kLanes<T>;
    const Index rows = maps.rows / 2, cols = maps.cols / 2;
    const T* const d_end = d + maps.count * rows * cols;
    const T* const out_end = out + maps.count * maps.rows * maps.cols;
    for (Index m = 0; m < maps.count; ++m) {
        for (Index i = 0; i < rows; ++i, d += cols, places += cols) {
            for (int place = 0; place < 4; place += 2) {
                Index j = 0;
                for (; j < cols && out_end - out >= 2 * (j + lanes) && d_end - d >= j + lanes;
                     j += lanes) {
                    spread(d + j, places + j, static_cast<Integer<T>>(place), out + 2 * j);
                }
                for (; j < cols; ++j) {
                    out[2 * j] = places[j] == place ? d[j] : T(0);
                    out[2 * j + 1] = places[j] == place + 1 ? d[j] : T(0);
                }
                if (maps.cols % 2 == 1) out[2 * cols] = T(0);
                out += maps.cols;
            }
        }
        if (maps.rows % 2 == 1) {
            for (Index j = 0; j < maps.cols; ++j) *out++ = T(0);
        }
    }
}

} // namespace

extern const AllMaxPoolKernels max_pool_kernels;
const AllMaxPoolKernels max_pool_kernels = {{forward<float>, backward<float>},
                                            {forward<double>, backward<double>}};

} // namespace gramian::network::GRAMIAN_ISA
