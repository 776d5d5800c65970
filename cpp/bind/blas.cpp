#include "bind/blas.hpp"

#include "bind/arrays.hpp"
#include "core/runtime/blas.hpp"

#include <string>

namespace gramian::bind {
namespace {

// The function of this name. The name of a Cython capsule is the signature of the function.
void* function_of(const nb::module_& module, const char* name) {
    const nb::object capsule = nb::borrow(module.attr("__pyx_capi__")[name]);
    const char* signature = PyCapsule_GetName(capsule.ptr());
    if (!signature) throw nb::python_error();
    if (std::string(signature).find("int *") == std::string::npos ||
        std::string(signature).find("int64") != std::string::npos) {
        PyErr_Format(PyExc_ImportError,
                     "gramian needs a SciPy whose BLAS takes 32-bit integers; %s of this one has "
                     "the signature '%s'. Install SciPy's ordinary wheel.",
                     name, signature);
        throw nb::python_error();
    }
    return PyCapsule_GetPointer(capsule.ptr(), signature);
}

} // namespace

void find_blas() {
    static bool found = false; // under the GIL
    if (found) return;
    const nb::module_ blas = nb::module_::import_("scipy.linalg.cython_blas");
    runtime::set_dgemm(reinterpret_cast<runtime::Dgemm*>(function_of(blas, "dgemm")));
    runtime::set_dsyrk(reinterpret_cast<runtime::Dsyrk*>(function_of(blas, "dsyrk")));
    found = true;
}

} // namespace gramian::bind
