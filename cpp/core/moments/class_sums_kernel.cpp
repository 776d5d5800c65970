#include "core/moments/class_sums.hpp"

#include "core/simd/register.hpp"

namespace gramian::moments::GRAMIAN_ISA {
namespace {

using namespace simd;

template <typename T>
void add(const T* x, Index d, const double* shift, double w, double* sums, double* squares) {
    constexpr Index lanes = kLanes<double>;
    Index j = 0;
    for (; j + lanes <= d; j += lanes) {
        const Vec<double> v = load_wide(x + j) - load(shift + j);
        const Vec<double> weighted = w * v;
        store(sums + j, load(sums + j) + weighted);
        store(squares + j, load(squares + j) + weighted * v);
    }
    for (; j < d; ++j) {
        const double v = static_cast<double>(x[j]) - shift[j];
        sums[j] += w * v;
        squares[j] += w * v * v;
    }
}

} // namespace

extern const SumKernels sum_kernels;
const SumKernels sum_kernels = {add<float>, add<double>};

} // namespace gramian::moments::GRAMIAN_ISA
