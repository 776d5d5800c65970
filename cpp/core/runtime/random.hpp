// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011).
//
// Draw i of stream s with seed k is a pure function of (k, s, i). The draws therefore do not depend
// on threads, blocks or the order of the work.
#pragma once

#include <cstdint>

namespace gramian::runtime {

struct Philox {
    std::uint64_t seed;
    std::uint64_t stream;

    struct Block {
        std::uint32_t word[4];
    };

    Block block(std::uint64_t counter) const {
        std::uint32_t c[4] = {low(counter), high(counter), low(stream), high(stream)};
        std::uint32_t k[2] = {low(seed), high(seed)};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0];
            const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c[2];
            const std::uint32_t n0 = high(b) ^ c[1] ^ k[0];
            const std::uint32_t n2 = high(a) ^ c[3] ^ k[1];
            c[0] = n0;
            c[1] = low(b);
            c[2] = n2;
            c[3] = low(a);
            k[0] += 0x9E3779B9;
            k[1] += 0xBB67AE85;
        }
        return {{c[0], c[1], c[2], c[3]}};
    }

    std::uint64_t bits(std::uint64_t index) const {
        return bits(block(index / 2), static_cast<int>(index % 2));
    }
    // The draws 2 i and 2 i + 1 come from block i.
    static std::uint64_t bits(const Block& b, int half) {
        return std::uint64_t{b.word[2 * half + 1]} << 32 | b.word[2 * half];
    }

    // Uniform on [0, 1), 53 bits.
    double uniform(std::uint64_t index) const { return uniform_of(bits(index)); }
    static double uniform_of(std::uint64_t bits) {
        return static_cast<double>(bits >> 11) * 0x1.0p-53;
    }

    // Uniform on 0 .. n - 1; the bias is below n / 2^64.
    std::uint64_t below(std::uint64_t index, std::uint64_t n) const {
        return below_of(bits(index), n);
    }
    static std::uint64_t below_of(std::uint64_t bits, std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * n) >> 64);
    }

private:
    static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
    static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
};

} // namespace gramian::runtime
