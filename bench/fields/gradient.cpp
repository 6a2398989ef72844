// The gradient of a neural network's weights, as data-parallel training sums it: a multilayer
// perceptron of tanh units, one batch forward and backward. Inputs are as uneven as words are, and
// the later layers' gradients are larger, so the tails are heavy.
#include <algorithm>
#include <cmath>
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {
namespace {

constexpr std::size_t batch = 256;

using Matrix = std::vector<float>;  // rows are samples, or inputs of a layer

class Network {
 public:
  Network(std::size_t layers, std::size_t width) : width_(width), weights_(layers) {
    std::mt19937_64 random(1986);
    // Glorot's initialisation, a little too large, as weights are after some training.
    std::normal_distribution<float> normal(0, std::sqrt(1.2F / static_cast<float>(width)));
    for (Matrix& layer : weights_) {
      layer.resize(width * width);
      for (float& weight : layer) weight = normal(random);
    }
  }

  std::vector<float> gradient() const {
    const std::size_t layers = weights_.size();
    std::vector<Matrix> activations{inputs()};
    for (const Matrix& layer : weights_) activations.push_back(forward(activations.back(), layer));
    std::vector<float> result(layers * width_ * width_);
    Matrix error = activations.back();  // of the squared norm as the loss
    for (std::size_t i = layers; i-- > 0;) {
      through_tanh(error, activations[i + 1]);
      outer(activations[i], error, result.data() + i * width_ * width_);
      error = backward(error, weights_[i]);
    }
    return result;
  }

 private:
  // A few features are common and most are rare.
  Matrix inputs() const {
    std::mt19937_64 random(7);
    std::student_t_distribution<float> values(3);
    Matrix result(batch * width_);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto rank = static_cast<float>(1 + i % width_);
      result[i] = values(random) / std::sqrt(rank);
    }
    return result;
  }

  Matrix forward(const Matrix& from, const Matrix& layer) const {
    Matrix to(batch * width_);
    for (std::size_t sample = 0; sample < batch; ++sample) {
      float* const row = to.data() + sample * width_;
      for (std::size_t i = 0; i < width_; ++i) {
        const float value = from[sample * width_ + i];
        for (std::size_t j = 0; j < width_; ++j) row[j] += value * layer[i * width_ + j];
      }
      for (std::size_t j = 0; j < width_; ++j) row[j] = std::tanh(row[j]);
    }
    return to;
  }

  static void through_tanh(Matrix& error, const Matrix& activation) {
    for (std::size_t i = 0; i < error.size(); ++i) {
      error[i] *= 1 - activation[i] * activation[i];
    }
  }

  void outer(const Matrix& from, const Matrix& error, float* result) const {
    for (std::size_t i = 0; i < width_; ++i) {
      float* const row = result + i * width_;
      for (std::size_t sample = 0; sample < batch; ++sample) {
        const float value = from[sample * width_ + i];
        const float* const errors = error.data() + sample * width_;
        for (std::size_t j = 0; j < width_; ++j) row[j] += value * errors[j];
      }
    }
  }

  Matrix backward(const Matrix& error, const Matrix& layer) const {
    Matrix result(batch * width_);
    for (std::size_t sample = 0; sample < batch; ++sample) {
      for (std::size_t i = 0; i < width_; ++i) {
        float sum = 0;
        for (std::size_t j = 0; j < width_; ++j) {
          sum += error[sample * width_ + j] * layer[i * width_ + j];
        }
        result[sample * width_ + i] = sum;
      }
    }
    return result;
  }

  std::size_t width_;
  std::vector<Matrix> weights_;
};

}  // namespace

Field gradient(std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float);
  const std::size_t width = std::min<std::size_t>(1024, grid_of(count)[0]);
  return field_of("gradient", {count / width, width},
                  Network(count / width / width, width).gradient());
}

}  // namespace tightwire::fields
