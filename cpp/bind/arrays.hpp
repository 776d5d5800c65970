// How NumPy arrays cross into the core: typed, contiguous, never converted or copied here.
#pragma once

#include "core/views.hpp"

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
using Out1 = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out2 = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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

using Release = nb::call_guard<nb::gil_scoped_release>;

} // namespace gramian::bind
