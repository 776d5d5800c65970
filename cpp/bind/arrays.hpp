// NumPy arrays as arguments of the core: typed, contiguous, never converted or copied.
#pragma once

#include "bind/gil.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/views.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace gramian::bind {

namespace nb = nanobind;
using namespace nb::literals;

template <typename T>
using In1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using In3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out3 = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <typename T>
Vector<const T> view(const In1<T>& a) {
    return {a.data(), static_cast<Index>(a.shape(0))};
}
template <typename T>
Matrix<const T> view(const In2<T>& a) {
    return {a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1))};
}
template <typename T>
Vector<T> view(const Out1<T>& a) {
    return {a.data(), static_cast<Index>(a.shape(0))};
}
template <typename T>
Matrix<T> view(const Out2<T>& a) {
    return {a.data(), static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1))};
}

// A wrong shape is a mistake in the calling Python code.
using runtime::require;

// CSR arrives as its three arrays and the number of columns.
template <typename T, typename I>
Csr<const T, I> csr(const In1<T>& values, const In1<I>& columns, const In1<I>& offsets,
                    Index cols) {
    require(offsets.shape(0) >= 1 && columns.shape(0) == values.shape(0), "CSR arrays that fit");
    return {values.data(), columns.data(), offsets.data(), static_cast<Index>(offsets.shape(0)) - 1,
            cols};
}

using Release = nb::call_guard<GilRelease>;

} // namespace gramian::bind
