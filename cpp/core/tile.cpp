#include "core/tile.hpp"

#include "core/isa.hpp"

GRAMIAN_DISPATCH(TileKernels, tile_table, tile_kernels)
GRAMIAN_DISPATCH(RowKernelTable, row_table, row_kernel_table)

namespace gramian {

template <>
const RowKernels<float>& row_kernels<float>() {
    return row_kernel_table().f32;
}
template <>
const RowKernels<double>& row_kernels<double>() {
    return row_kernel_table().f64;
}

} // namespace gramian
