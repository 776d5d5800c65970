// Support vector machines: points with a kernel, machines on them, scores.
#include "bind/table.hpp"
#include "core/svm/scores.hpp"
#include "core/svm/solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string_view>

namespace gramian::bind {
namespace {

using Ids = In1<std::int32_t>;

struct SvmPoints {
    std::unique_ptr<svm::Points> points;
    Index columns; // of the rows; 0 for a matrix of kernel values
    bool sparse;
};

svm::Form form_of(std::string_view name) {
    if (name == "linear") return svm::Form::linear;
    if (name == "poly") return svm::Form::polynomial;
    if (name == "sigmoid") return svm::Form::sigmoid;
    require(name == "rbf", "svm: unknown kernel");
    return svm::Form::rbf;
}

bool is_sparse(const Table& table) {
    return std::visit([](const auto& X) { return requires { X.offsets; }; }, table.view);
}

void require_ids(const SvmPoints& points, const Ids& ids) {
    const Index n = points.points->size();
    for (std::size_t i = 0; i < ids.shape(0); ++i) {
        require(ids.data()[i] >= 0 && ids.data()[i] < n, "svm: ids of points");
    }
}

template <typename T>
void require_square(const In2<T>& values) {
    require(values.shape(0) == values.shape(1), "svm: a square matrix of kernel values");
    runtime::require_rows_in_32_bits(static_cast<Index>(values.shape(0)), "svm");
}

void bind_matrices(nb::class_<SvmPoints>& points) {
    points.def(
        "__init__",
        [](SvmPoints* self, const In2<double>& values) {
            require_square(values);
            const GilRelease release;
            new (self) SvmPoints{svm::points_of_matrix(view<double>(values)), 0, false};
        },
        "values"_a.noconvert(), nb::keep_alive<1, 2>());
    points.def(
        "__init__",
        [](SvmPoints* self, const In2<float>& values, const SvmPoints* origin) {
            require_square(values);
            require(!origin || origin->points->size() == static_cast<Index>(values.shape(0)),
                    "svm: kernel values of all points");
            const svm::Points* const from = origin ? origin->points.get() : nullptr;
            const GilRelease release;
            new (self) SvmPoints{svm::points_of_matrix(view<float>(values), from), 0, false};
        },
        "values"_a.noconvert(), "origin"_a.none() = nb::none(), nb::keep_alive<1, 2>(),
        nb::keep_alive<1, 3>());
}

// machines: ids one after the other, where each machine begins in them, variables of a point,
// by_sign, whether the gradient of the start is known
using MachineArrays = std::tuple<Ids, In1<std::int64_t>, int, bool, bool>;
// sign, upper, offset, alpha: of all variables, one machine after the other; gradient: of all ids
using Variables = std::tuple<In1<double>, In1<double>, In1<double>, Out1<double>, Out1<double>>;
// tol, steps at most, shrinking, kernel values that may be kept
using GivenSettings = std::tuple<double, Index, bool, Index>;
// kernel values within each class, and the two classes of each machine
using Shared = std::tuple<std::vector<In2<float>>, In2<std::int32_t>>;

std::vector<svm::SharedBlock> blocks_of(const Shared& shared, Index machine, Index points) {
    const auto& [classes, pairs] = shared;
    std::vector<svm::SharedBlock> blocks;
    Index begin = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t c =
            static_cast<std::size_t>(pairs.data()[2 * static_cast<std::size_t>(machine) + side]);
        require(c < classes.size() && classes[c].shape(0) == classes[c].shape(1),
                "svm: square matrices of the classes");
        const Index size = static_cast<Index>(classes[c].shape(0));
        blocks.push_back({classes[c].data(), begin, size});
        begin += size;
    }
    require(begin == points, "svm: a machine of two whole classes");
    return blocks;
}

std::vector<svm::Machine> machines_of(const MachineArrays& arrays, const Variables& variables,
                                      const std::optional<Shared>& shared) {
    const auto& [ids, starts, halves, by_sign, known] = arrays;
    const auto& [sign, upper, offset, alpha, gradient] = variables;
    require(starts.shape(0) >= 1 && (halves == 1 || halves == 2), "svm: one or two variables");
    const std::size_t count = starts.shape(0) - 1,
                      all = ids.shape(0) * static_cast<std::size_t>(halves);
    require(sign.shape(0) == all && upper.shape(0) == all && offset.shape(0) == all &&
                alpha.shape(0) == all && gradient.shape(0) == ids.shape(0),
            "svm: arrays of all variables");
    require(starts.data()[0] == 0 && starts.data()[count] == static_cast<Index>(ids.shape(0)),
            "svm: machines of all ids");
    require(!shared ||
                (std::get<1>(*shared).shape(0) == count && std::get<1>(*shared).shape(1) == 2),
            "svm: two classes for each machine");
    std::vector<svm::Machine> machines;
    for (std::size_t k = 0; k < count; ++k) {
        const Index begin = starts.data()[k], size = starts.data()[k + 1] - begin;
        require(begin >= 0 && size >= 1, "svm: machines of at least one point");
        const Index first = begin * halves;
        machines.push_back({{ids.data() + begin, size},
                            halves,
                            by_sign,
                            sign.data() + first,
                            upper.data() + first,
                            offset.data() + first,
                            alpha.data() + first,
                            gradient.data() + begin,
                            known,
                            {}});
        if (shared) machines.back().shared = blocks_of(*shared, static_cast<Index>(k), size);
    }
    return machines;
}

void require_coefficients(const Ids& starts, const In2<double>& coef, const In1<double>& intercept,
                          Index vectors) {
    const std::size_t classes = starts.shape(0) - 1;
    require(starts.shape(0) >= 2 && starts.data()[0] == 0 && starts.data()[classes] == vectors,
            "svm: classes of support vectors");
    for (std::size_t c = 0; c < classes; ++c) {
        require(starts.data()[c] <= starts.data()[c + 1], "svm: ascending starts");
    }
    require(coef.shape(0) == (classes == 1 ? 1 : classes - 1) &&
                static_cast<Index>(coef.shape(1)) == vectors &&
                intercept.shape(0) == (classes == 1 ? 1 : classes * (classes - 1) / 2),
            "svm: coefficients of the classes, an intercept for each pair");
}

} // namespace

void bind_svm(nb::module_& m) {
    nb::class_<SvmPoints> points(m, "SvmPoints",
                                 "Rows with a kernel (form, gamma, coef0, degree) whose values may "
                                 "err by about `error`\nat first, or a matrix of kernel values: "
                                 "of float32 those of `origin`, where it is given.\n`balanced`: "
                                 "coefficients sum to zero.");
    points.def(
        "__init__",
        [](SvmPoints* self, const Table& table,
           std::tuple<std::string_view, double, double, int> kernel, double error, bool balanced) {
            const auto& [form, gamma, coef0, degree] = kernel;
            require(degree >= 0, "svm: a degree >= 0");
            runtime::require_rows_in_32_bits(table.rows(), "svm");
            const svm::Kernel with{form_of(form), gamma, coef0, degree};
            std::unique_ptr<svm::Points> made;
            {
                const GilRelease release;
                made = svm::points_of(table.view, with, error, balanced);
            }
            new (self) SvmPoints{std::move(made), table.cols(), is_sparse(table)};
        },
        "table"_a, "kernel"_a, "error"_a, "balanced"_a, nb::keep_alive<1, 2>());
    bind_matrices(points);
    points.def(
        "largest_diagonal",
        [](const SvmPoints& self) {
            double most = 0;
            for (Index i = 0; i < self.points->size(); ++i) {
                most = std::max(most, self.points->diagonal(i));
            }
            return most;
        },
        "Return the largest k(x, x).");
    points.def(
        "matrix",
        [](const SvmPoints& self, const Ids& ids, const Out2<float>& out) {
            require_ids(self, ids);
            require(out.shape(0) == ids.shape(0) && out.shape(1) == ids.shape(0),
                    "svm: a square matrix of the ids");
            const GilRelease release;
            svm::kernel_matrix(*self.points, view<std::int32_t>(ids), view<float>(out));
        },
        "ids"_a.noconvert(), "out"_a.noconvert(),
        "Write the kernel values between the points of these ids.");
    points.def(
        "solve",
        [](const SvmPoints& self, const MachineArrays& machines, const Variables& variables,
           GivenSettings settings, const std::optional<Shared>& shared, const Out2<double>& out) {
            require_ids(self, std::get<0>(machines));
            const std::vector<svm::Machine> all = machines_of(machines, variables, shared);
            require(out.shape(0) == all.size() && out.shape(1) == 6, "svm: six results a machine");
            const auto& [tol, max_steps, shrinking, cache] = settings;
            std::vector<svm::Solution> found(all.size());
            {
                const GilRelease release;
                svm::solve_all(*self.points, all, {tol, max_steps, shrinking, cache}, found.data());
            }
            for (std::size_t k = 0; k < all.size(); ++k) {
                double* const row = out.data() + 6 * k;
                row[0] = found[k].rho;
                row[1] = found[k].r;
                row[2] = found[k].value;
                row[3] = found[k].largest;
                row[4] = static_cast<double>(found[k].steps);
                row[5] = static_cast<double>(found[k].entries);
            }
        },
        "machines"_a, "variables"_a, "settings"_a, "shared"_a.none(), "out"_a.noconvert(),
        "Solve machines, as core/svm/solver.hpp defines them; a row of out is rho, r, the value "
        "of the\nobjective, the violation that remains, the steps and the kernel values computed.");
    points.def(
        "scores",
        [](const SvmPoints& self, const Ids& starts, const In2<double>& coef,
           const In1<double>& intercept, const Table& rows,
           const std::optional<Out2<double>>& scores,
           const std::optional<Out1<std::int32_t>>& votes) {
            const std::size_t classes = starts.shape(0) - 1;
            const std::size_t n = static_cast<std::size_t>(rows.rows());
            require_coefficients(starts, coef, intercept, self.points->size());
            require(self.columns > 0 && rows.cols() == self.columns &&
                        is_sparse(rows) == self.sparse,
                    "svm: rows like the support vectors");
            require(!scores || (scores->shape(0) == n && scores->shape(1) == intercept.shape(0)),
                    "svm: a score for each pair");
            require(!votes || votes->shape(0) == n, "svm: a vote for each row");
            require(scores || classes > 1, "svm: one score has no votes");
            const GilRelease release;
            svm::scores({{view<std::int32_t>(starts), view<double>(coef), view<double>(intercept)},
                         *self.points},
                        rows.view, scores ? scores->data() : nullptr,
                        votes ? votes->data() : nullptr);
        },
        "starts"_a.noconvert(), "coef"_a.noconvert(), "intercept"_a.noconvert(), "rows"_a,
        "scores"_a.none() = nb::none(), "votes"_a.none() = nb::none(),
        "Write the scores of the pairs of classes, or the class of most votes, of each row.");
    m.def(
        "svm_pair_scores",
        [](const In2<double>& values, const Ids& starts, const In2<double>& coef,
           const In1<double>& intercept, const std::optional<Out2<double>>& scores,
           const std::optional<Out1<std::int32_t>>& votes) {
            require_coefficients(starts, coef, intercept, static_cast<Index>(values.shape(0)));
            const std::size_t n = values.shape(1);
            require(starts.shape(0) > 2, "svm: pairs of classes");
            require(!scores || (scores->shape(0) == n && scores->shape(1) == intercept.shape(0)),
                    "svm: a score for each pair");
            require(!votes || votes->shape(0) == n, "svm: a vote for each row");
            const GilRelease release;
            svm::scores_of_values(
                {view<std::int32_t>(starts), view<double>(coef), view<double>(intercept)},
                view<double>(values), scores ? scores->data() : nullptr,
                votes ? votes->data() : nullptr);
        },
        "values"_a.noconvert(), "starts"_a.noconvert(), "coef"_a.noconvert(),
        "intercept"_a.noconvert(), "scores"_a.none(), "votes"_a.none(),
        "Write the scores of the pairs of classes, or the class of most votes, of each column of "
        "kernel values,\nwhose rows are the support vectors.");
}

} // namespace gramian::bind
