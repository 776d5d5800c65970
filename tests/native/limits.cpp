// Which processors get which instruction set, and sizes that do not fit in 32 bits.
#include "core/runtime/blas.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/isa.hpp"
#include "core/runtime/once.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

using namespace gramian;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

namespace {

constexpr runtime::CpuFeatures kAll{~0U, ~0U, ~0U, ~std::uint64_t{0}};

runtime::Isa without(int basic, int extended, int added, int saved) {
    runtime::CpuFeatures cpu = kAll;
    if (basic >= 0) cpu.basic &= ~(1U << basic);
    if (extended >= 0) cpu.extended &= ~(1U << extended);
    if (added >= 0) cpu.added &= ~(1U << added);
    if (saved >= 0) cpu.saved &= ~(std::uint64_t{1} << saved);
    return runtime::best_isa(cpu);
}

// The psABI's levels, by the bits of CPUID in the manuals of Intel and AMD.
void each_instruction_of_a_level_is_needed() {
    CHECK(runtime::best_isa(kAll) == runtime::Isa::v3);
    CHECK(runtime::best_isa({0, 0, 0, 0}) == runtime::Isa::plain);
    for (const int bit : {0, 9, 13, 19, 20, 23})
        CHECK(without(bit, -1, -1, -1) == runtime::Isa::plain);
    CHECK(without(-1, -1, 0, -1) == runtime::Isa::plain);
    for (const int bit : {12, 22, 27, 28, 29}) CHECK(without(bit, -1, -1, -1) == runtime::Isa::v2);
    for (const int bit : {3, 5, 8}) CHECK(without(-1, bit, -1, -1) == runtime::Isa::v2);
    CHECK(without(-1, -1, 5, -1) == runtime::Isa::v2);
    for (const int bit : {1, 2}) CHECK(without(-1, -1, -1, bit) == runtime::Isa::v2);
}

template <typename Function>
std::string refusal(Function function) {
    try {
        function();
    } catch (const std::length_error& error) {
        return error.what();
    }
    return "";
}

void sizes_beyond_32_bits_are_refused() {
    constexpr Index most = 2147483647;
    CHECK(runtime::in_32_bits(most, "rows", "Fewer.") == most);
    CHECK(refusal([] { runtime::in_32_bits(most + 1, "rows", "Fewer."); }) ==
          "rows must be at most 2^31 - 1; got 2147483648. Fewer.");
    runtime::require_rows_in_32_bits(most, "trees");
    CHECK(refusal([] {
              runtime::require_rows_in_32_bits(most + 1, "trees");
          }).find("trees: the number") == 0);
}

bool multiplied = false;

void blas_is_not_called_with_sizes_cut_off() {
    runtime::set_dgemm([](auto...) { multiplied = true; });
    runtime::set_dsyrk([](auto...) { multiplied = true; });
    const Matrix<const double> wide{nullptr, 0, Index{1} << 32}, none{nullptr, 0, 0};
    const Matrix<double> out{nullptr, 0, 0};
    CHECK(refusal([&] { runtime::product_with_transpose(wide, wide, out); }).find("BLAS") == 0);
    CHECK(refusal([&] { runtime::gram_matrix(wide, out); }).find("BLAS") == 0);
    CHECK(!multiplied);
    runtime::product_with_transpose(none, none, out);
    CHECK(multiplied);
}

void what_fails_to_be_made_is_made_by_the_next() {
    runtime::Once once;
    int tried = 0;
    const auto make = [&] {
        if (++tried == 1) throw std::runtime_error("no memory");
    };
    bool failed = false;
    try {
        once(make);
    } catch (const std::runtime_error&) {
        failed = true;
    }
    CHECK(failed);
    once(make);
    once(make);
    CHECK(tried == 2);
}

} // namespace

int main() {
    each_instruction_of_a_level_is_needed();
    sizes_beyond_32_bits_are_refused();
    blas_is_not_called_with_sizes_cut_off();
    what_fails_to_be_made_is_made_by_the_next();
    std::puts("4 passed, 0 failed");
}
