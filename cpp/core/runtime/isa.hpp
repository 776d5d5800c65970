// Chooses the instruction set of the kernels. Each kernel file is compiled once per set, in a
// namespace named after the set. GRAMIAN_DISPATCH picks the matching table of function pointers.
#pragma once

#include <cstdint>

namespace gramian::runtime {

enum class Isa { plain, v2, v3 };

// The best set that this machine runs, or the one forced by the environment variable
// GRAMIAN_ISA (plain, v2 or v3). Throws std::invalid_argument if that set is unknown or does not
// run here. The choice is made once per process.
Isa active_isa();

// The feature bits of an x86-64 processor (CPUID), and the registers that the operating system
// saves (XCR0).
struct CpuFeatures {
    std::uint32_t basic;    // leaf 1, ECX
    std::uint32_t extended; // leaf 7, EBX
    std::uint32_t added;    // leaf 0x80000001, ECX
    std::uint64_t saved;
};

// The best set whose instructions all run on a processor with these features.
Isa best_isa(const CpuFeatures& cpu);
const char* isa_name(Isa isa);

} // namespace gramian::runtime

#if (defined(__x86_64__) || defined(_M_X64)) && defined(__GNUC__) && !defined(GRAMIAN_PLAIN_ONLY)
#define GRAMIAN_HAS_X86_KERNELS 1
#endif

// Defines `const Table& function()` in a core .cpp file: the room's table for the active set.
// Each kernel file defines `extern const Table name` in namespace gramian::<room>::GRAMIAN_ISA.
#define GRAMIAN_TABLE(room, Table, name, isa)                                                      \
    namespace gramian::room::isa {                                                                 \
    extern const Table name;                                                                       \
    }
#ifdef GRAMIAN_HAS_X86_KERNELS
#define GRAMIAN_DISPATCH(room, Table, name, function)                                              \
    GRAMIAN_TABLE(room, Table, name, plain)                                                        \
    GRAMIAN_TABLE(room, Table, name, v2)                                                           \
    GRAMIAN_TABLE(room, Table, name, v3)                                                           \
    namespace gramian::room {                                                                      \
    const Table& function() {                                                                      \
        switch (runtime::active_isa()) {                                                           \
        case runtime::Isa::v3:                                                                     \
            return v3::name;                                                                       \
        case runtime::Isa::v2:                                                                     \
            return v2::name;                                                                       \
        default:                                                                                   \
            return plain::name;                                                                    \
        }                                                                                          \
    }                                                                                              \
    }
#else
#define GRAMIAN_DISPATCH(room, Table, name, function)                                              \
    GRAMIAN_TABLE(room, Table, name, plain)                                                        \
    namespace gramian::room {                                                                      \
    const Table& function() {                                                                      \
        return plain::name;                                                                        \
    }                                                                                              \
    }
#endif
