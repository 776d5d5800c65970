// Short vectors for the kernel files: one register of the instruction set this file is compiled
// for. GCC's and Clang's vector types carry the arithmetic (x * y + z contracts to a fused
// multiply-add where there is one); only the mask needs an intrinsic.
//
// Everything lives in namespace gramian::simd and has internal linkage.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(GRAMIAN_ISA_IS_v2) || defined(GRAMIAN_ISA_IS_v3)
#include <immintrin.h>
#endif

namespace gramian::simd {
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

#if defined(GRAMIAN_ISA_IS_v3)
// The same in one instruction; GCC makes two of the above.
inline Vec<float> min(Vec<float> a, Vec<float> b) {
    return (Vec<float>)_mm256_min_ps((__m256)a, (__m256)b);
}
inline Vec<float> max(Vec<float> a, Vec<float> b) {
    return (Vec<float>)_mm256_max_ps((__m256)a, (__m256)b);
}
inline Vec<double> min(Vec<double> a, Vec<double> b) {
    return (Vec<double>)_mm256_min_pd((__m256d)a, (__m256d)b);
}
inline Vec<double> max(Vec<double> a, Vec<double> b) {
    return (Vec<double>)_mm256_max_pd((__m256d)a, (__m256d)b);
}
#endif

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

inline Vec<float> sqrt(Vec<float> v) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (Vec<float>)_mm256_sqrt_ps((__m256)v);
#elif defined(GRAMIAN_ISA_IS_v2)
    return (Vec<float>)_mm_sqrt_ps((__m128)v);
#else
    for (int i = 0; i < kLanes<float>; ++i) v[i] = __builtin_sqrtf(v[i]);
    return v;
#endif
}

inline Vec<double> sqrt(Vec<double> v) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (Vec<double>)_mm256_sqrt_pd((__m256d)v);
#elif defined(GRAMIAN_ISA_IS_v2)
    return (Vec<double>)_mm_sqrt_pd((__m128d)v);
#else
    for (int i = 0; i < kLanes<double>; ++i) v[i] = __builtin_sqrt(v[i]);
    return v;
#endif
}

template <typename V>
inline V abs(V v) {
    return max(v, -v);
}

// As many values as a register holds doubles, widened to double.
inline Vec<double> load_wide(const double* p) {
    return load(p);
}
inline Vec<double> load_wide(const float* p) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (Vec<double>)_mm256_cvtps_pd(_mm_loadu_ps(p)); // which GCC makes four instructions of
#else
    typedef float Half __attribute__((vector_size(kRegisterBytes / 2)));
    Half v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, Vec<double>);
#endif
}

// Two registers of doubles as one of floats.
inline Vec<float> narrow(Vec<double> low, Vec<double> high) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (Vec<float>)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high),
                                       _mm256_cvtpd_ps((__m256d)low));
#else
    typedef float Half __attribute__((vector_size(kRegisterBytes / 2)));
    const Half a = __builtin_convertvector(low, Half), b = __builtin_convertvector(high, Half);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
#endif
}

// (p - shift) * scale as a register of floats.
inline Vec<float> load_shifted(const float* p, const float* shift, float scale) {
    return (load(p) - load(shift)) * scale;
}
inline Vec<float> load_shifted(const double* p, const double* shift, double scale) {
    constexpr int half = kLanes<double>;
    return narrow((load(p) - load(shift)) * scale, (load(p + half) - load(shift + half)) * scale);
}

// Rows become columns: out[i][j] = in[j][i].
inline void transpose(Vec<float> (&r)[kLanes<float>]) {
#if defined(GRAMIAN_ISA_IS_v3)
    Vec<float> a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        b[i + 1] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        b[i + 2] = __builtin_shufflevector(a[i + 1], a[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        b[i + 3] = __builtin_shufflevector(a[i + 1], a[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
        r[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
#else
    const Vec<float> a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const Vec<float> b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const Vec<float> c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const Vec<float> d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#endif
}

// The first three of the four floats at table[4 * index], for a register of indices.
inline void gather_triples(const float* table, const std::int32_t* index, Vec<float>& first,
                           Vec<float>& second, Vec<float>& third) {
    typedef float Quad __attribute__((vector_size(16)));
    const auto quad = [&](int i) {
        Quad q;
        std::memcpy(&q, table + 4 * static_cast<std::int64_t>(index[i]), sizeof q);
        return q;
    };
#if defined(GRAMIAN_ISA_IS_v3)
    Vec<float> row[4];
    for (int i = 0; i < 4; ++i) {
        row[i] = __builtin_shufflevector(quad(i), quad(i + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    }
    const Vec<float> a = __builtin_shufflevector(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vec<float> b = __builtin_shufflevector(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Vec<float> c = __builtin_shufflevector(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Vec<float> d = __builtin_shufflevector(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
    first = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    second = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    third = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
#else
    Vec<float> row[4] = {quad(0), quad(1), quad(2), quad(3)};
    transpose(row);
    first = row[0];
    second = row[1];
    third = row[2];
#endif
}

} // namespace
} // namespace gramian::simd
