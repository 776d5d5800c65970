// The arrays of the nodes of trees, as Python holds them.
#pragma once

#include "bind/arrays.hpp"

#include <nanobind/stl/string.h>

#include <string>

namespace gramian::bind {

// The arrays of nodes, by the names of `gramian.tree.structure.tree.Tree`.
using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

// One of them; an array that would have to be converted is an error.
template <typename T>
using Flat = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

template <typename T>
Flat<T> array_named(const Arrays& arrays, const char* name) {
    Flat<T> array;
    if (!nb::try_cast(arrays[name], array, false)) {
        throw nb::type_error((std::string("nodes need an array ") + name).c_str());
    }
    return array;
}

} // namespace gramian::bind
