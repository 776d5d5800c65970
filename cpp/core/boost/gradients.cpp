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
            boost_loss_table().gradients(loss, q,
                                         {.n = blocks.end(b) - begin,
                                          .classes = z.rows,
                                          .stride = z.cols,
                                          .y = y.data + begin,
                                          .weights = weights ? weights + begin : nullptr,
                                          .z = z.data + begin,
                                          .gradient = gradient + begin,
                                          .hessian = hessian ? hessian + begin : nullptr});
        },
        y.size * z.rows < 8192 ? 1 : 0);
}

} // namespace gramian::boost
