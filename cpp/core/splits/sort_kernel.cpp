#include "core/simd/register.hpp"
#include "core/splits/sort.hpp"

namespace gramian::splits::GRAMIAN_ISA {
namespace {

using namespace simd;

#if defined(GRAMIAN_ISA_IS_v3)

// Bitonic sorting (Batcher 1968) of 8, 16, ..., 256 entries, eight to a register: no branch
// depends on them.
using Eight = __m256i;

inline Eight less(Eight a, Eight b) {
    return _mm256_min_epu32(a, b);
}
inline Eight more(Eight a, Eight b) {
    return _mm256_max_epu32(a, b);
}

template <int kStep>
inline Eight across(Eight v) { // lane i gets lane i ^ kStep
    if constexpr (kStep == 1)
        return _mm256_shuffle_epi32(v, 0xB1);
    else if constexpr (kStep == 2)
        return _mm256_shuffle_epi32(v, 0x4E);
    else
        return _mm256_permute2x128_si256(v, v, 1);
}

// Lanes that keep the greater entry: those whose bit kStep differs from the bit of direction.
template <int kStep>
inline Eight exchanged(Eight v, bool descending) {
    const Eight w = across<kStep>(v);
    constexpr int kUpper = kStep == 1 ? 0xAA : kStep == 2 ? 0xCC : 0xF0;
    const Eight low = less(v, w), high = more(v, w);
    return descending ? _mm256_blend_epi32(high, low, kUpper)
                      : _mm256_blend_epi32(low, high, kUpper);
}

// Inside runs of two and four the direction changes from lane to lane.
template <int kStep, int kGreater>
inline Eight exchanged_by_lane(Eight v) {
    const Eight w = across<kStep>(v);
    return _mm256_blend_epi32(less(v, w), more(v, w), kGreater);
}

template <int kRegisters>
void sort_registers(std::uint32_t* a) {
    Eight v[kRegisters];
    for (int r = 0; r < kRegisters; ++r) {
        v[r] = _mm256_loadu_si256(reinterpret_cast<const Eight*>(a + 8 * r));
        v[r] = exchanged_by_lane<1, 0x66>(v[r]);
        v[r] = exchanged_by_lane<2, 0x3C>(v[r]);
        v[r] = exchanged_by_lane<1, 0x5A>(v[r]);
        const bool descending = r & 1;
        v[r] = exchanged<4>(v[r], descending);
        v[r] = exchanged<2>(v[r], descending);
        v[r] = exchanged<1>(v[r], descending);
    }
    for (int run = 2; run <= kRegisters; run *= 2) { // runs of so many registers become sorted
        for (int step = run / 2; step > 0; step /= 2) {
            for (int pair = 0; pair < kRegisters / 2; ++pair) {
                const int r = (pair & ~(step - 1)) * 2 + (pair & (step - 1));
                const Eight low = less(v[r], v[r + step]), high = more(v[r], v[r + step]);
                const bool descending = r & run;
                v[r] = descending ? high : low;
                v[r + step] = descending ? low : high;
            }
        }
        for (int r = 0; r < kRegisters; ++r) {
            const bool descending = r & run;
            v[r] = exchanged<4>(v[r], descending);
            v[r] = exchanged<2>(v[r], descending);
            v[r] = exchanged<1>(v[r], descending);
        }
    }
    for (int r = 0; r < kRegisters; ++r) {
        _mm256_storeu_si256(reinterpret_cast<Eight*>(a + 8 * r), v[r]);
    }
}

void sort_few(std::uint32_t* a, Index n) {
    Index size = 8;
    while (size < n) size *= 2;
    for (Index i = n; i < size; ++i) a[i] = 0xffffffff;
    switch (size) {
    case 8:
        return sort_registers<1>(a);
    case 16:
        return sort_registers<2>(a);
    case 32:
        return sort_registers<4>(a);
    case 64:
        return sort_registers<8>(a);
    case 128:
        return sort_registers<16>(a);
    default:
        return sort_registers<32>(a);
    }
}

constexpr Index kFew = 256;

#else

void sort_few(std::uint32_t* a, Index n) {
    for (Index i = 1; i < n; ++i) {
        const std::uint32_t x = a[i];
        Index j = i;
        for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
        a[j] = x;
    }
}

constexpr Index kFew = 40;

#endif

} // namespace

extern const SortKernels tree_sort_kernels;
const SortKernels tree_sort_kernels = {kFew, sort_few};

} // namespace gramian::splits::GRAMIAN_ISA
