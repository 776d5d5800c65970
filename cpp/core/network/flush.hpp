// Numbers below the smallest normal one count as 0 in a scope, where the processor has a switch.
//
// The moments of an optimiser at a unit that no longer learns shrink by a factor a step until they
// are such numbers, and stay there; every operation on them takes a hundred times as long.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace gramian::network {

class FlushTiny {
public:
#if defined(__x86_64__)
    FlushTiny() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040); } // results and operands
    ~FlushTiny() { _mm_setcsr(before_); }

private:
    unsigned before_;

public:
#else
    FlushTiny() {} // not =default: the object is there for its scope
#endif
    FlushTiny(const FlushTiny&) = delete;
    FlushTiny& operator=(const FlushTiny&) = delete;
};

} // namespace gramian::network
