#include "core/network/mask.hpp"

#include "core/simd/register.hpp"

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

// 64-bit lanes that hold words of 32 bits.
typedef std::uint64_t Words __attribute__((vector_size(kRegisterBytes)));
constexpr int kWords = kRegisterBytes / 8;
constexpr std::uint64_t kLow = 0xFFFFFFFF;

// The 64 bits of the products of words.
inline Words product(Words a, std::uint32_t factor) {
#if defined(GRAMIAN_ISA_IS_v3)
    return (Words)_mm256_mul_epu32((__m256i)a, (__m256i)(Words{} + factor));
#elif defined(GRAMIAN_ISA_IS_v2)
    return (Words)_mm_mul_epu32((__m128i)a, (__m128i)(Words{} + factor));
#else
    return a * factor;
#endif
}

// Philox4x32-10 (runtime/random.hpp) of consecutive counters, a lane each; two registers side by
// side, because each round waits for the one before it. bits[2 t], bits[2 t + 1]: block first + t.
constexpr int kRegisters = 2, kBlocks = kRegisters * kWords;
inline void blocks_from(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                        std::uint64_t* bits) {
    Words c[kRegisters][4];
    for (int r = 0; r < kRegisters; ++r) {
        Words counter;
        for (int t = 0; t < kWords; ++t) {
            counter[t] = first + static_cast<std::uint64_t>(r * kWords + t);
        }
        c[r][0] = counter & kLow;
        c[r][1] = counter >> 32;
        c[r][2] = Words{} + (stream & kLow);
        c[r][3] = Words{} + (stream >> 32);
    }
    std::uint32_t key[2] = {static_cast<std::uint32_t>(seed),
                            static_cast<std::uint32_t>(seed >> 32)};
    for (int round = 0; round < 10; ++round) {
        for (int r = 0; r < kRegisters; ++r) {
            Words(&w)[4] = c[r];
            const Words a = product(w[0], 0xD2511F53), b = product(w[2], 0xCD9E8D57);
            w[0] = (b >> 32) ^ w[1] ^ std::uint64_t{key[0]};
            w[2] = (a >> 32) ^ w[3] ^ std::uint64_t{key[1]};
            w[1] = b & kLow;
            w[3] = a & kLow;
        }
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    for (int r = 0; r < kRegisters; ++r) {
        const Words front = c[r][0] | c[r][1] << 32, back = c[r][2] | c[r][3] << 32;
        for (int t = 0; t < kWords; ++t) {
            bits[2 * (r * kWords + t)] = front[t];
            bits[2 * (r * kWords + t) + 1] = back[t];
        }
    }
}

template <typename T>
void draw(const Mask<T>& mask, std::uint64_t first, Index count, T* to) {
    constexpr Index many = 8 * kBlocks;
    const auto limit = static_cast<std::int32_t>(mask.limit);
    const T kept = mask.kept;
    for (Index j = 0; j < count; j += many, first += kBlocks) {
        std::uint64_t bits[2 * kBlocks];
        std::uint16_t drawn[many];
        blocks_from(mask.seed, mask.stream, first, bits);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        std::memcpy(drawn, bits, sizeof drawn);
#else
        for (Index k = 0; k < many; ++k) {
            drawn[k] = static_cast<std::uint16_t>(bits[k / 4] >> (16 * (k % 4)));
        }
#endif
        const Index own = count - j < many ? count - j : many;
        for (Index k = 0; k < own; ++k) {
            to[j + k] = std::int32_t{drawn[k]} < limit ? T(0) : kept;
        }
    }
}

} // namespace

extern const AllMaskKernels mask_kernels;
const AllMaskKernels mask_kernels = {{draw<float>}, {draw<double>}};

} // namespace gramian::network::GRAMIAN_ISA
