// Networks for small images: stages of convolution, maxima of 2 x 2 and ReLU (conv_pool.hpp), then
// the layers of a perceptron (shape.hpp), whose inputs are the maxima of the last stage, channels
// last. The perceptron's trainer (trainer.hpp) makes the steps; it takes the stages for a table
// whose rows are computed, and hands them the derivatives.
//
// All parameters form one vector: of each stage the weights [filters][channels][height][width] and
// the biases, then the parameters of the perceptron.
#pragma once

#include "core/network/conv_pool.hpp"
#include "core/network/network.hpp"

#include <vector>

namespace gramian::network {

using Stages = std::vector<ConvPool>;

Index stage_parameters(const Stages& stages);

// One epoch over the images in an order. The loss of a batch is the mean over its rows, times their
// weights, and over the outputs where it is squared; alpha |w|^2 / 2 is added to it, not divided by
// the rows. Adam's epsilon is added to the corrected moment (Kingma and Ba 2015, algorithm 1).
template <typename T>
Pass conv_epoch(const Settings& settings, const Stages& stages, Matrix<const T> images,
                const Targets<T>& targets, const double* weights, Vector<const std::int32_t> order,
                State<T>& state);

template <typename T>
void conv_predict(const Shape& shape, const Stages& stages, const T* parameters,
                  Matrix<const T> images, Matrix<T> out);

} // namespace gramian::network
