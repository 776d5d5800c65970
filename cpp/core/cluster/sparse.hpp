// Distances of a sparse row to all centres. The centres are transposed, so that each entry of the
// row reads contiguous memory and the inner loop runs over the centres.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::cluster {

constexpr Index kCenterPad = 8; // transposed centres come in lines of a multiple of this

template <typename T, typename I>
struct SparseKernels {
    // out[j] = start[j] - 2 sum_e values[e] * transposed[columns[e] * padded_k + j]
    void (*center_distances)(const T* values, const I* columns, Index n_entries,
                             const double* transposed, const double* start, Index padded_k,
                             double* out);
};

struct SparseKernelTable {
    SparseKernels<float, std::int32_t> f32_i32;
    SparseKernels<float, std::int64_t> f32_i64;
    SparseKernels<double, std::int32_t> f64_i32;
    SparseKernels<double, std::int64_t> f64_i64;
};

template <typename T, typename I>
const SparseKernels<T, I>& sparse_kernels();

} // namespace gramian::cluster
