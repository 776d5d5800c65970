"""Writes and compiles a library that intercepts OpenBLAS and changes the last bits of its results.

NumPy and SciPy each bundle an OpenBLAS (names ``scipy_dgemm_64_`` and ``scipy_dgemm_``). A
preloaded library receives their calls, passes them on, and changes about two thirds of the written
numbers by one unit in the last place, up or down by a hash of the number's bits, so equal calls
still give equal results and symmetric matrices stay symmetric. A number that ends in many zero bits
(an integer, a half) is not changed: every order of summation gives it exactly.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy
import scipy

# Routine: its arguments, and what it writes. Sizes are read before the call, for a workspace
# query (lwork = -1) writes nothing.
FORTRAN = {
    "gemm": ("ta tb m n k alpha a lda b ldb beta c ldc", "block(c, *m, *n, *ldc)"),
    "symm": ("side uplo m n alpha a lda b ldb beta c ldc", "block(c, *m, *n, *ldc)"),
    "syrk": ("uplo ta n k alpha a lda beta c ldc", "triangle(*uplo, c, *n, *ldc)"),
    "trmm": ("side uplo ta diag m n alpha a lda b ldb", "block(b, *m, *n, *ldb)"),
    "trsm": ("side uplo ta diag m n alpha a lda b ldb", "block(b, *m, *n, *ldb)"),
    "gemv": ("ta m n alpha a lda x incx beta y incy", "strided(y, IS(*ta, 'N') ? *m : *n, *incy)"),
    "symv": ("uplo n alpha a lda x incx beta y incy", "strided(y, *n, *incy)"),
    "trmv": ("uplo ta diag n a lda x incx", "strided(x, *n, *incx)"),
    "trsv": ("uplo ta diag n a lda x incx", "strided(x, *n, *incx)"),
    "ger": ("m n alpha x incx y incy a lda", "block(a, *m, *n, *lda)"),
    "axpy": ("n alpha x incx y incy", "strided(y, *n, *incy)"),
    "potrf": ("uplo n a lda info", "triangle(*uplo, a, *n, *lda)"),
    "potrs": ("uplo n nrhs a lda b ldb info", "block(b, *n, *nrhs, *ldb)"),
    "potri": ("uplo n a lda info", "triangle(*uplo, a, *n, *lda)"),
    "posv": ("uplo n nrhs a lda b ldb info", "block(b, *n, *nrhs, *ldb)"),
    "trtrs": ("uplo ta diag n nrhs a lda b ldb info", "block(b, *n, *nrhs, *ldb)"),
    "trtri": ("uplo diag n a lda info", "triangle(*uplo, a, *n, *lda)"),
    "getrf": ("m n a lda ipiv info", "block(a, *m, *n, *lda)"),
    "getrs": ("ta n nrhs a lda ipiv b ldb info", "block(b, *n, *nrhs, *ldb)"),
    "getri": ("n a lda ipiv work lwork info", "block(a, *n, *n, *lda)"),
    "gesv": ("n nrhs a lda ipiv b ldb info", "block(b, *n, *nrhs, *ldb)"),
    "geqrf": ("m n a lda tau work lwork info", "block(a, *m, *n, *lda)"),
    "geqp3": ("m n a lda ipiv tau work lwork info", "block(a, *m, *n, *lda)"),
    "orgqr": ("m n k a lda tau work lwork info", "block(a, *m, *n, *lda)"),
    "ormqr": ("side ta m n k a lda tau c ldc work lwork info", "block(c, *m, *n, *ldc)"),
    "gelsd": (
        "m n nrhs a lda b ldb s rcond rank work lwork iwork info",
        "block(b, *n, *nrhs, *ldb); strided(s, MIN(*m, *n), 1)",
    ),
    "gesdd": (
        "job m n a lda s u ldu vt ldvt work lwork iwork info",
        """
    strided(s, MIN(*m, *n), 1);
    if (IS(*job, 'A') || IS(*job, 'S')) {
        block(u, *m, IS(*job, 'A') ? *m : MIN(*m, *n), *ldu);
        block(vt, IS(*job, 'A') ? *n : MIN(*m, *n), *n, *ldvt);
    }""",
    ),
    "gesvd": (
        "job jobv m n a lda s u ldu vt ldvt work lwork info",
        "strided(s, MIN(*m, *n), 1)",
    ),
    "syevd": (
        "job uplo n a lda s work lwork iwork liwork info",
        "strided(s, *n, 1); if (IS(*job, 'V')) block(a, *n, *n, *lda)",
    ),
    "syevr": (
        "job range uplo n a lda vl vu il iu tol found s u ldu ipiv work lwork iwork liwork info",
        "strided(s, *found, 1); if (IS(*job, 'V')) block(u, *n, *found, *ldu)",
    ),
}
SIZES = {
    "m", "n", "k", "nrhs", "lda", "ldb", "ldc", "ldu", "ldvt", "incx", "incy", "lwork", "found",
}  # fmt: skip
LETTERS = {"ta", "tb", "side", "uplo", "diag", "job", "jobv", "range"}

CBLAS = """
void scipy_cblas_@gemm64_(int o, int ta, int tb, I m, I n, I k, @R alpha, void *a, I lda, void *b,
                          I ldb, @R beta, @R *c, I ldc) {
    typedef void gemm(int, int, int, I, I, I, @R, void *, I, void *, I, @R, @R *, I);
    NEXT(scipy_cblas_@gemm64_, gemm *)(o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    if (o == 101) block_@(c, n, m, ldc);
    else block_@(c, m, n, ldc);
}
void scipy_cblas_@syrk64_(int o, int uplo, int ta, I n, I k, @R alpha, void *a, I lda, @R beta,
                          @R *c, I ldc) {
    typedef void syrk(int, int, int, I, I, @R, void *, I, @R, @R *, I);
    NEXT(scipy_cblas_@syrk64_, syrk *)(o, uplo, ta, n, k, alpha, a, lda, beta, c, ldc);
    triangle_@((uplo == 121) == (o == 102) ? 'U' : 'L', c, n, ldc);
}
void scipy_cblas_@gemv64_(int o, int ta, I m, I n, @R alpha, void *a, I lda, void *x, I incx,
                          @R beta, @R *y, I incy) {
    typedef void gemv(int, int, I, I, @R, void *, I, void *, I, @R, @R *, I);
    NEXT(scipy_cblas_@gemv64_, gemv *)(o, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
    strided_@(y, ta == 111 ? m : n, incy);
}
@R scipy_cblas_@dot64_(I n, void *x, I incx, void *y, I incy) {
    typedef @R dot(I, void *, I, void *, I);
    return odd_@(NEXT(scipy_cblas_@dot64_, dot *)(n, x, incx, y, incy));
}
"""

COMMON = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
typedef int64_t I;
#define IS(given, letter) (((given) & 0x5F) == (letter)) // in either case
#define MIN(a, b) ((a) < (b) ? (a) : (b))
static void *find(const char *library, const char *name) {
    return dlsym(dlopen(library, RTLD_LAZY | RTLD_LOCAL), name);
}
#define NEXT(name, type) \\
    ({ static type next; if (!next) next = (type)find(LIBRARY, #name); next; })
"""

CHANGES = """
static @R odd_@(@R value) {
    @U bits;
    memcpy(&bits, &value, sizeof bits);
    if (!isnormal(value) || (bits & @EXACT) == 0) return value;
    const uint64_t hash = (((uint64_t)bits ^ SEED) * 0x9E3779B97F4A7C15u) >> 40;
    bits += hash % 3 - 1;
    memcpy(&value, &bits, sizeof bits);
    return value;
}
static void strided_@(@R *x, I n, I step) {
    if (step < 0) step = -step;
    for (I i = 0; i < n; ++i) x[i * step] = odd_@(x[i * step]);
}
static void block_@(@R *a, I m, I n, I ld) {
    for (I j = 0; j < n; ++j) strided_@(a + j * ld, m, 1);
}
static void triangle_@(char half, @R *a, I n, I ld) {
    for (I j = 0; j < n; ++j) {
        if (IS(half, 'U')) strided_@(a + j * ld, j + 1, 1);
        else strided_@(a + j * ld + j, n - j, 1);
    }
}
"""


def source(seed: int) -> str:
    """Return the C text of the library."""
    numpy_blas, scipy_blas = (
        next(Path(f"{package.__path__[0]}.libs").glob("libscipy_openblas*"))
        for package in (numpy, scipy)
    )
    parts = [COMMON, f"#define SEED {seed}u\n"]
    for letter, real, word, exact in (
        ("d", "double", "uint64_t", "0xFFFFF"),
        ("s", "float", "uint32_t", "0xFF"),
    ):

        def fill(text, letter=letter, real=real, word=word, exact=exact):
            for key, value in (("@R", real), ("@U", word), ("@EXACT", exact), ("@", letter)):
                text = text.replace(key, value)
            return text

        parts.append(fill(CHANGES))
        parts.append(f'#undef LIBRARY\n#define LIBRARY "{numpy_blas}"\n')
        parts.append(fill(CBLAS))
        for library, suffix, integer in (
            (numpy_blas, "_64_", "int64_t"),
            (scipy_blas, "_", "int32_t"),
        ):
            parts.append(f'#undef LIBRARY\n#define LIBRARY "{library}"\n')
            parts.extend(
                routine(f"scipy_{letter}{name}{suffix}", letter, real, integer, *what)
                for name, what in FORTRAN.items()
            )
    return "".join(parts)


def routine(name: str, letter: str, real: str, integer: str, arguments: str, written: str) -> str:
    """Return a routine with Fortran's calling convention: addresses, then string lengths."""

    def kind(argument: str) -> str:
        return integer if argument in SIZES else "char" if argument in LETTERS else real

    names = arguments.split()
    takes = ", ".join(f"{kind(argument)} *{argument}" for argument in names)
    query = "*lwork == -1" if "lwork" in names else "0"
    for change in ("block", "strided", "triangle"):
        written = written.replace(f"{change}(", f"{change}_{letter}(")
    return f"""
void {name}({takes}) {{
    const int query = {query};
    typedef void routine({"void *, " * len(names)}I, I, I, I);
    NEXT({name}, routine *)({", ".join(names)}, 1, 1, 1, 1);
    if (query) return;
    {written};
}}
"""


PRODUCTS = "import numpy, scipy.linalg.blas as b; A = numpy.random.default_rng(0).random((9, 9));"
PRODUCTS += "print((A @ A).tobytes().hex(), b.dgemm(1.0, A, A).tobytes().hex())"


def compile_blas(folder: Path, seed: int = 0) -> Path:
    """Compile the library into ``folder``, check that it works, and return the file to preload."""
    text, library = folder / "odd_blas.c", folder / "odd_blas.so"
    text.write_text(source(seed))
    subprocess.run(["cc", "-O2", "-w", "-shared", "-fPIC", "-o", library, text, "-ldl"], check=True)
    usual, odd = (
        subprocess.check_output([sys.executable, "-c", PRODUCTS], env={**os.environ, **setting})
        for setting in ({}, {"LD_PRELOAD": str(library)})
    )
    if any(ours == theirs for ours, theirs in zip(usual.split(), odd.split(), strict=True)):
        raise SystemExit("last bit: NumPy or SciPy does not call the BLAS of its wheel.")
    return library
