// BLAS as SciPy ships it, for large products that nothing is fused into.
//
// The functions are those of scipy.linalg.cython_blas, found when first needed (bind/blas.cpp).
// They bring their own threads: call them outside parallel regions, and for work large enough to
// be worth waking those threads; or inside, where the caller from Python gave BLAS one thread.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::runtime {

// C = alpha op(A) op(B) + beta C in Fortran order, 32-bit sizes, as BLAS defines it.
using Dgemm = void(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* b,
                   const int* ldb, const double* beta, double* c, const int* ldc);

// One triangle of C = alpha op(A) op(A)' + beta C.
using Dsyrk = void(const char* uplo, const char* trans, const int* n, const int* k,
                   const double* alpha, const double* a, const int* lda, const double* beta,
                   double* c, const int* ldc);

void set_dgemm(Dgemm* function);
void set_dsyrk(Dsyrk* function);

// out(i, j) = sum_t A(i, t) B(j, t), rows in C order. Throws std::logic_error before set_dgemm.
void product_of_rows(Matrix<const double> A, Matrix<const double> B, Matrix<double> out);

// out(i, j) = sum_t A(i, t) A(j, t), both halves, at half the work.
void products_of_rows(Matrix<const double> A, Matrix<double> out);

} // namespace gramian::runtime
