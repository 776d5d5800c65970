#include "core/boost/gradients.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

GRAMIAN_DISPATCH(boost, GradientKernels, boost_loss_kernels, boost_loss_table)

namespace gramian::boost {

void loss_gradients(Loss loss, double q, Vector<const double> y, const double* weights,
                    Matrix<const double> z, float* gradient, float* hessian) {
    const runtime::Blocks blocks{y.size, 4096};
    runtime::parallel_for(
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

} // namespace gramian::boost
