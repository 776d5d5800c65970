#include "core/blas.hpp"

#include <atomic>
#include <stdexcept>

namespace gramian {
namespace {

std::atomic<Dgemm*> dgemm{nullptr};

} // namespace

void set_dgemm(Dgemm* function) {
    dgemm.store(function);
}

void product_of_rows(Matrix<const double> A, Matrix<const double> B, Matrix<double> out) {
    Dgemm* const gemm = dgemm.load();
    if (!gemm) throw std::logic_error("BLAS was not found before it was needed");
    // Rows in C order are columns in Fortran order: out' = B A'.
    const int m = static_cast<int>(B.rows), n = static_cast<int>(A.rows);
    const int k = static_cast<int>(A.cols);
    const double one = 1, zero = 0;
    gemm("T", "N", &m, &n, &k, &one, B.data, &k, A.data, &k, &zero, out.data, &m);
}

} // namespace gramian
