#include "core/isa.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace gramian {
namespace {

bool runs_here(Isa isa) {
#ifdef GRAMIAN_HAS_X86_KERNELS
    __builtin_cpu_init();
    const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
    return isa == Isa::plain || (isa == Isa::v2 && v2) || (isa == Isa::v3 && v3);
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

} // namespace gramian
