#include "core/runtime/isa.hpp"

#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>

#ifdef GRAMIAN_HAS_X86_KERNELS
#include <cpuid.h>
#endif

namespace gramian::runtime {
namespace {

constexpr std::uint32_t bits(std::initializer_list<int> numbers) {
    std::uint32_t word = 0;
    for (const int number : numbers) word |= std::uint32_t{1} << number;
    return word;
}

// The levels as the psABI for x86-64 defines them: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2,
// POPCNT and LAHF for v2; FMA, MOVBE, OSXSAVE, AVX, F16C, BMI1, AVX2, BMI2 and LZCNT besides for
// v3.
constexpr std::uint32_t kBasic2 = bits({0, 9, 13, 19, 20, 23}), kAdded2 = bits({0});
constexpr std::uint32_t kBasic3 = bits({12, 22, 27, 28, 29}), kExtended3 = bits({3, 5, 8});
constexpr std::uint32_t kAdded3 = bits({5});
constexpr std::uint64_t kSaved3 = 0b110; // the registers of SSE and of AVX

bool has(std::uint64_t word, std::uint64_t wanted) {
    return (word & wanted) == wanted;
}

#ifdef GRAMIAN_HAS_X86_KERNELS
CpuFeatures this_cpu() {
    CpuFeatures cpu{};
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d)) cpu.basic = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) cpu.extended = b;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d)) cpu.added = c;
    if (has(cpu.basic, bits({27}))) { // without OSXSAVE the instruction does not exist
        std::uint32_t low = 0, high = 0;
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        cpu.saved = std::uint64_t{high} << 32 | low;
    }
    return cpu;
}
#endif

bool runs_here(Isa isa) {
#ifdef GRAMIAN_HAS_X86_KERNELS
    static const Isa best = best_isa(this_cpu());
    return isa <= best;
#else
    return isa == Isa::plain;
#endif
}

Isa choose() {
    const Isa all[] = {Isa::v3, Isa::v2, Isa::plain};
    if (const char* forced = std::getenv("GRAMIAN_ISA"); forced && *forced) {
        for (Isa isa : all) {
            if (std::string(forced) == isa_name(isa) && runs_here(isa)) return isa;
        }
        throw std::invalid_argument("GRAMIAN_ISA must be one of v3, v2, plain and run on this "
                                    "machine; got '" +
                                    std::string(forced) + "'. Unset it to let gramian choose.");
    }
    for (Isa isa : all) {
        if (runs_here(isa)) return isa;
    }
    return Isa::plain;
}

} // namespace

Isa best_isa(const CpuFeatures& cpu) {
    if (!has(cpu.basic, kBasic2) || !has(cpu.added, kAdded2)) return Isa::plain;
    const bool v3 = has(cpu.basic, kBasic3) && has(cpu.extended, kExtended3) &&
                    has(cpu.added, kAdded3) && has(cpu.saved, kSaved3);
    return v3 ? Isa::v3 : Isa::v2;
}

Isa active_isa() {
    static const Isa isa = choose();
    return isa;
}

const char* isa_name(Isa isa) {
    switch (isa) {
    case Isa::v3:
        return "v3";
    case Isa::v2:
        return "v2";
    default:
        return "plain";
    }
}

} // namespace gramian::runtime
