// Finds SciPy's BLAS.
#pragma once

namespace gramian::bind {

// Gives the core the functions of scipy.linalg.cython_blas, once. Needs the GIL. Raises
// ImportError if SciPy's BLAS has 64-bit integers, which the core does not support.
void find_blas();

} // namespace gramian::bind
