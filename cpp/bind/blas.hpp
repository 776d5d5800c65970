// Finds SciPy's BLAS.
#pragma once

namespace gramian::bind {

// Gives the core the functions of scipy.linalg.cython_blas, once. Needs the GIL. Raises
// ImportError where SciPy's BLAS counts in 64-bit integers, which the core does not speak.
void find_blas();

} // namespace gramian::bind
