#include "core/distance/tile.hpp"

#include "core/runtime/isa.hpp"

GRAMIAN_DISPATCH(distance, TileKernels, tile_table, tile_kernels)
GRAMIAN_DISPATCH(distance, RowKernelTable, row_table, row_kernel_table)

namespace gramian::distance {

template <>
const RowKernels<float>& row_kernels<float>() {
    return row_kernel_table().f32;
}
template <>
const RowKernels<double>& row_kernels<double>() {
    return row_kernel_table().f64;
}

} // namespace gramian::distance
