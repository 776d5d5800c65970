#include "core/runtime/blas.hpp"

#include "core/runtime/check.hpp"

#include <atomic>
#include <stdexcept>

namespace gramian::runtime {
namespace {

std::atomic<Dgemm*> dgemm{nullptr};
std::atomic<Dsyrk*> dsyrk{nullptr};

int size(Index number) {
    return in_32_bits(number, "BLAS: a matrix dimension", "Use fewer rows or columns.");
}

} // namespace

void set_dgemm(Dgemm* function) {
    dgemm.store(function);
}

void set_dsyrk(Dsyrk* function) {
    dsyrk.store(function);
}

void product_with_transpose(Matrix<const double> A, Matrix<const double> B, Matrix<double> out) {
    Dgemm* const gemm = dgemm.load();
    if (!gemm) throw std::logic_error("BLAS was not found before it was needed");
    // Rows in C order are columns in Fortran order: out' = B A'.
    const int m = size(B.rows), n = size(A.rows), k = size(A.cols);
    const double one = 1, zero = 0;
    gemm("T", "N", &m, &n, &k, &one, B.data, &k, A.data, &k, &zero, out.data, &m);
}

void gram_matrix(Matrix<const double> A, Matrix<double> out) {
    Dsyrk* const syrk = dsyrk.load();
    if (!syrk) throw std::logic_error("BLAS was not found before it was needed");
    const int n = size(A.rows), k = size(A.cols);
    const double one = 1, zero = 0;
    syrk("U", "T", &n, &k, &one, A.data, &k, &zero, out.data, &n); // the lower half in C order
    for (Index i = 0; i < A.rows; ++i) {
        for (Index j = 0; j < i; ++j) out(j, i) = out(i, j);
    }
}

} // namespace gramian::runtime
