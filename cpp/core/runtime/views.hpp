// Views of memory owned elsewhere. They copy nothing and check nothing.
#pragma once

#include <cstdint>

namespace gramian::runtime {

using Index = std::int64_t;

template <typename T>
struct Vector {
    T* data;
    Index size;

    T& operator[](Index i) const { return data[i]; }
    T* begin() const { return data; }
    T* end() const { return data + size; }
};

// Rows of equal length, one after the other (C order).
template <typename T>
struct Matrix {
    T* data;
    Index rows;
    Index cols;

    T* row(Index i) const { return data + i * cols; }
    T& operator()(Index i, Index j) const { return data[i * cols + j]; }
};

// Compressed sparse rows: row i holds values[offsets[i] .. offsets[i + 1]) in the columns of
// the same range of `columns`.
template <typename T, typename I>
struct Csr {
    T* values;
    const I* columns;
    const I* offsets;
    Index rows;
    Index cols;
};

} // namespace gramian::runtime

// Names that every room uses.
namespace gramian {
using runtime::Csr;
using runtime::Index;
using runtime::Matrix;
using runtime::Vector;
} // namespace gramian
