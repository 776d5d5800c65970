// Kernel matrices.
#include "bind/arrays.hpp"
#include "core/kernel_matrix/gaussian.hpp"

namespace gramian::bind {
namespace {

template <typename T>
void bind_gaussian_of(nb::module_& m) {
    m.def(
        "gaussian_values",
        [](const Out2<T>& values, const In1<T>& left, const In1<T>& right, T scale) {
            require(left.shape(0) == values.shape(0) && right.shape(0) == values.shape(1),
                    "a number for each row and each column");
            kernel_matrix::gaussian_values<T>(view<T>(values), view<T>(left), view<T>(right),
                                              scale);
        },
        "values"_a.noconvert(), "left"_a.noconvert(), "right"_a.noconvert(), "scale"_a, Release(),
        "values[i, j] = exp(min(0, scale * values[i, j] - left[i] - right[j])), in place.");
}

} // namespace

void bind_kernel_matrix(nb::module_& m) {
    bind_gaussian_of<float>(m);
    bind_gaussian_of<double>(m);
}

} // namespace gramian::bind
