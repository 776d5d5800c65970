// Short vectors for the kernel files: one register of the instruction set this file is compiled
// for. GCC's and Clang's vector types carry the arithmetic (x * y + z contracts to a fused
// multiply-add where there is one); only the mask needs an intrinsic.
//
// Everything lives in namespace gramian::GRAMIAN_ISA and has internal linkage.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(GRAMIAN_ISA_IS_v2) || defined(GRAMIAN_ISA_IS_v3)
#include <immintrin.h>
#endif

namespace gramian::GRAMIAN_ISA {
namespace {

#if defined(GRAMIAN_ISA_IS_v3)
constexpr int kRegisterBytes = 32;
#else
constexpr int kRegisterBytes = 16;
#endif

template <typename T>
constexpr int kLanes = kRegisterBytes / static_cast<int>(sizeof(T));

// A typedef per type, because GCC drops the attribute from a dependent type.
template <typename T>
struct Register;
#define GRAMIAN_REGISTER(T)                                                                        \
    template <>                                                                                    \
    struct Register<T> {                                                                           \
        typedef T type __attribute__((vector_size(kRegisterBytes)));                               \
    };
GRAMIAN_REGISTER(float)
GRAMIAN_REGISTER(double)
GRAMIAN_REGISTER(std::int32_t)
GRAMIAN_REGISTER(std::int64_t)
#undef GRAMIAN_REGISTER

template <typename T>
using Vec = typename Register<T>::type;

template <typename T>
inline Vec<T> load(const T* p) {
    Vec<T> v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

template <typename T>
inline void store(T* p, Vec<T> v) {
    std::memcpy(p, &v, sizeof v);
}

template <typename T>
inline Vec<T> broadcast(T x) {
    return x - Vec<T>{};
}

template <typename V>
inline V min(V a, V b) {
    return a < b ? a : b;
}

template <typename V>
inline V max(V a, V b) {
    return a > b ? a : b;
}

// Bit i is set where lane i of a comparison holds.
template <typename Mask>
inline unsigned mask_bits(Mask m) {
    constexpr int lanes = sizeof(m) / sizeof(m[0]);
#if defined(GRAMIAN_ISA_IS_v3)
    if constexpr (lanes == 8) return static_cast<unsigned>(_mm256_movemask_ps((__m256)m));
    if constexpr (lanes == 4) return static_cast<unsigned>(_mm256_movemask_pd((__m256d)m));
#elif defined(GRAMIAN_ISA_IS_v2)
    if constexpr (lanes == 4) return static_cast<unsigned>(_mm_movemask_ps((__m128)m));
    if constexpr (lanes == 2) return static_cast<unsigned>(_mm_movemask_pd((__m128d)m));
#else
    unsigned bits = 0;
    for (int i = 0; i < lanes; ++i) bits |= static_cast<unsigned>(m[i] != 0) << i;
    return bits;
#endif
}

template <typename T>
inline T sum(Vec<T> v) {
    T total = 0;
    for (int i = 0; i < kLanes<T>; ++i) total += v[i];
    return total;
}

} // namespace
} // namespace gramian::GRAMIAN_ISA
