// k-medoids.
#include "core/medoids/medoids.hpp"
#include "bind/arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>

namespace gramian::bind {
namespace {

using medoids::Medoids;
using medoids::Objects;

Vector<const double> weights_of(const Objects& objects, const std::optional<In1<double>>& weights) {
    if (!weights) return {nullptr, 0};
    require(static_cast<Index>(weights->shape(0)) == objects.size(),
            "medoids: a weight for each object");
    return view<double>(*weights);
}

template <typename Array>
void are_objects(const Objects& objects, const Array& places, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        require(places.data()[i] >= 0 && places.data()[i] < objects.size(),
                "medoids: numbers of objects");
    }
}

template <typename T>
void rows_fit(const In2<T>& X) {
    require(X.shape(0) > 0 && X.shape(1) > 0 && X.shape(0) < (std::size_t{1} << 31),
            "medoids: 1 to 2^31 - 1 rows, and a column");
}

} // namespace

void bind_medoids(nb::module_& m) {
    nb::class_<Objects>(m, "Objects", "Dissimilarities of n objects, given or measured.")
        .def_static(
            "of_rows",
            [](const In2<double>& X) {
                rows_fit(X);
                const GilRelease release;
                return Objects(view<double>(X), true);
            },
            "X"_a.noconvert(), "The Euclidean distances of rows, measured when they are needed.")
        .def_static(
            "of_rows",
            [](const In2<float>& X) {
                rows_fit(X);
                const GilRelease release;
                return Objects(view<float>(X), true);
            },
            "X"_a.noconvert())
        .def_static(
            "of_matrix",
            [](const In2<double>& D) {
                rows_fit(D);
                require(D.shape(0) == D.shape(1), "medoids: a square matrix");
                const GilRelease release;
                return Objects(view<double>(D));
            },
            "D"_a.noconvert(), nb::keep_alive<0, 1>(), "A symmetric matrix.")
        .def(
            "build",
            [](const Objects& objects, const std::optional<In1<double>>& weights,
               const Out1<std::int32_t>& chosen) {
                require(static_cast<Index>(chosen.shape(0)) <= objects.size(),
                        "medoids: at most as many as objects");
                const Vector<const double> w = weights_of(objects, weights);
                const GilRelease release;
                medoids::build(objects, w, view<std::int32_t>(chosen));
            },
            "weights"_a.noconvert().none(), "medoids"_a.noconvert(), "Write PAM's greedy start.")
        .def(
            "build_from_samples",
            [](const Objects& objects, const std::optional<In1<double>>& weights,
               const In2<std::int32_t>& samples, const Out1<std::int32_t>& chosen) {
                require(static_cast<Index>(chosen.shape(0)) <= objects.size() &&
                            samples.shape(0) == chosen.shape(0),
                        "medoids: a sample for each medoid");
                are_objects(objects, samples, samples.size());
                const Vector<const double> w = weights_of(objects, weights);
                const GilRelease release;
                medoids::build_from_samples(objects, w, view<std::int32_t>(samples),
                                            view<std::int32_t>(chosen));
            },
            "weights"_a.noconvert().none(), "samples"_a.noconvert(), "medoids"_a.noconvert(),
            "Write a greedy start among samples.");
    nb::class_<Medoids>(m, "Medoids", "The medoids of objects, and their swaps.")
        .def(
            "__init__",
            [](Medoids* self, const Objects& objects, const std::optional<In1<double>>& weights,
               const Out1<std::int32_t>& chosen, const Out2<std::int32_t>& places,
               const Out2<double>& distances) {
                const std::size_t n = static_cast<std::size_t>(objects.size());
                require(places.shape(0) == 2 && places.shape(1) == n && distances.shape(0) == 2 &&
                            distances.shape(1) == n,
                        "medoids: two medoids and distances for each object");
                require(chosen.shape(0) > 0 && chosen.shape(0) <= n, "medoids: 1 to n of them");
                are_objects(objects, chosen, chosen.shape(0));
                const Vector<const double> w = weights_of(objects, weights);
                const Index size = objects.size();
                const GilRelease release;
                new (self) Medoids(objects, w, view<std::int32_t>(chosen),
                                   {{places.data(), size},
                                    {places.data() + size, size},
                                    {distances.data(), size},
                                    {distances.data() + size, size}});
            },
            "objects"_a, "weights"_a.noconvert().none(), "medoids"_a.noconvert(),
            "places"_a.noconvert(), "distances"_a.noconvert(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
            nb::keep_alive<1, 6>(),
            "Write the nearest and second nearest medoid of each object and their distances, now "
            "and\nafter each sweep.")
        .def_prop_ro("objective", &Medoids::objective)
        .def(
            "sweep",
            [](Medoids& self, Index from, Index count, Index quiet) {
                require(from >= 0 && count >= 0 && quiet >= 0, "medoids: numbers of candidates");
                const medoids::Sweep done = self.sweep(from, count, quiet);
                return std::tuple(done.swaps, done.next, done.quiet, done.objective);
            },
            "start"_a, "count"_a, "quiet"_a, Release(),
            "Evaluate candidates and swap; return (swaps, next, quiet, objective).");
}

} // namespace gramian::bind
