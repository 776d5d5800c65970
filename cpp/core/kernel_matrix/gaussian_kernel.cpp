#include "core/kernel_matrix/gaussian.hpp"
#include "core/simd/functions.hpp"
#include "core/simd/functions_single.hpp"

namespace gramian::kernel_matrix::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kTogether = 4; // registers, so that one waits while another is computed

void exponentials(Double (&x)[kTogether]) {
    Double tiny[kTogether];
    for (int u = 0; u < kTogether; ++u) tiny[u] = x[u];
    exp_to_700(x);
    for (int u = 0; u < kTogether; ++u) x[u] = tiny[u] < -708.0 ? Double{} : x[u];
}

void exponentials(Float (&x)[kTogether]) {
    for (int u = 0; u < kTogether; ++u) x[u] = exp_of_negative(x[u]);
}

template <typename T>
void gaussian_row(T* values, Index n, T left, const T* right, T scale) {
    constexpr int lanes = kLanes<T>, step = kTogether * lanes;
    Vec<T> x[kTogether];
    Index j = 0;
    for (; j + step <= n; j += step) {
        for (int u = 0; u < kTogether; ++u) {
            const Index at = j + u * lanes;
            x[u] = min(load(values + at) * scale - left - load(right + at), Vec<T>{});
        }
        exponentials(x);
        for (int u = 0; u < kTogether; ++u) store(values + j + u * lanes, x[u]);
    }
    if (j == n) return;
    T rest[step] = {}; // the last values, through the same instructions
    for (Index i = j; i < n; ++i) rest[i - j] = values[i] * scale - left - right[i];
    for (int u = 0; u < kTogether; ++u) x[u] = min(load(rest + u * lanes), Vec<T>{});
    exponentials(x);
    for (int u = 0; u < kTogether; ++u) store(rest + u * lanes, x[u]);
    for (Index i = j; i < n; ++i) values[i] = rest[i - j];
}

} // namespace

extern const GaussianKernels gaussian_kernels;
const GaussianKernels gaussian_kernels = {gaussian_row<float>, gaussian_row<double>};

} // namespace gramian::kernel_matrix::GRAMIAN_ISA
