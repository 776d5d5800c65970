// Makes rows of a sparse table dense, a few at a time, to find their leaves.
#pragma once

#include "core/runtime/pool.hpp"
#include "core/runtime/views.hpp"

#include <algorithm>
#include <vector>

namespace gramian::tree {

// body(rows, first): dense rows, the first of which is row `first` of X. Threads take blocks of
// rows; a body itself runs on one thread.
template <typename T, typename I, typename Body>
void for_dense_rows(Csr<const T, I> X, const Body& body) {
    constexpr Index kBytes = Index{1} << 19; // that fit in the cache
    const Index together =
        std::clamp<Index>(kBytes / (X.cols * static_cast<Index>(sizeof(T))), 1, 512);
    const runtime::Blocks blocks{X.rows, std::max<Index>(together, 256)};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<T> dense(together * X.cols);
            for (Index i0 = blocks.begin(b); i0 < blocks.end(b); i0 += together) {
                const Index n = std::min(together, blocks.end(b) - i0);
                const auto fill = [&](bool with_values) {
                    for (Index i = 0; i < n; ++i) {
                        for (I e = X.offsets[i0 + i]; e < X.offsets[i0 + i + 1]; ++e)
                            dense[i * X.cols + static_cast<Index>(X.columns[e])] =
                                with_values ? X.values[e] : T{0};
                    }
                };
                fill(true);
                body(Matrix<const T>{dense.data(), n, X.cols}, i0);
                fill(false);
            }
        },
        X.rows < 64 ? 1 : 0);
}

} // namespace gramian::tree
