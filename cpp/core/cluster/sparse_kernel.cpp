#include "core/cluster/sparse.hpp"
#include "core/simd/register.hpp"

namespace gramian::cluster::GRAMIAN_ISA {
namespace {

using namespace simd;

template <int V, typename T, typename I>
[[gnu::always_inline]] inline void
columns_of_centers(const T* values, const I* columns, Index n_entries, const double* transposed,
                   const double* start, Index padded_k, double* out) {
    constexpr int lanes = kLanes<double>;
    Vec<double> total[V];
    for (int v = 0; v < V; ++v) total[v] = load(start + v * lanes);
    for (Index e = 0; e < n_entries; ++e) {
        const double factor = -2.0 * static_cast<double>(values[e]);
        const double* line = transposed + static_cast<Index>(columns[e]) * padded_k;
        for (int v = 0; v < V; ++v) total[v] += factor * load(line + v * lanes);
    }
    for (int v = 0; v < V; ++v) store(out + v * lanes, total[v]);
}

template <typename T, typename I>
void center_distances(const T* values, const I* columns, Index n_entries, const double* transposed,
                      const double* start, Index padded_k, double* out) {
    constexpr Index wide = 8 * kLanes<double>, narrow = kCenterPad;
    Index j = 0;
    for (; j + wide <= padded_k; j += wide) {
        columns_of_centers<8>(values, columns, n_entries, transposed + j, start + j, padded_k,
                              out + j);
    }
    for (; j < padded_k; j += narrow) {
        columns_of_centers<narrow / kLanes<double>>(values, columns, n_entries, transposed + j,
                                                    start + j, padded_k, out + j);
    }
}

} // namespace

extern const SparseKernelTable sparse_table;
const SparseKernelTable sparse_table = {{center_distances<float, std::int32_t>},
                                        {center_distances<float, std::int64_t>},
                                        {center_distances<double, std::int32_t>},
                                        {center_distances<double, std::int64_t>}};

} // namespace gramian::cluster::GRAMIAN_ISA
