#include "core/boost_loss.hpp"

#include "core/isa.hpp"
#include "core/pool.hpp"

GRAMIAN_DISPATCH(BoostLossKernels, boost_loss_kernels, boost_loss_table)

namespace gramian {

void boost_gradients(BoostLoss loss, double q, Vector<const double> y, const double* weights,
                     Matrix<const double> z, float* gradient, float* hessian) {
    const Blocks blocks{y.size, 4096};
    parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            boost_loss_table().gradients(loss, q, y.data + begin,
                                         weights ? weights + begin : nullptr, z.data + begin,
                                         blocks.end(b) - begin, z.rows, z.cols, gradient + begin,
                                         hessian ? hessian + begin : nullptr);
        },
        y.size * z.rows < 8192 ? 1 : 0);
}

} // namespace gramian
