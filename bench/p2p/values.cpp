#include "p2p/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

#include "fields/fields.h"

namespace tightwire::p2p_bench {
namespace {

constexpr std::size_t smallest_field = std::size_t{1} << 16;
constexpr std::size_t row_length = 512;

// Waves per row and per column, and amplitude: k^(-5/3), as energy falls in nature.
struct Wave {
  double across;
  double down;
  double amplitude;
};
constexpr Wave waves[] = {
    {1, 2, 0.566}, {-2, 1, 0.178}, {3, 3, 0.0906}, {5, -4, 0.0387}, {8, 7, 0.0177}};

std::vector<double> smooth(std::size_t count, int rank) {
  constexpr double radian = 2 * std::numbers::pi / static_cast<double>(row_length);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(i % row_length);
    const std::size_t row = i / row_length;
    const auto y = static_cast<double>(row);
    double phase = rank;
    for (const Wave& wave : waves) {
      values[i] += wave.amplitude * std::sin(phase + radian * (wave.across * x + wave.down * y));
      phase = 2 * phase + 1;
    }
  }
  return values;
}

std::vector<double> noise(std::size_t count, int rank) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (double& value : values) value = uniform(random);
  return values;
}

template <class T>
Values values_of(MPI_Datatype type, const T* values, std::size_t count) {
  Values made{type, sizeof(T), 0, std::vector<std::byte>(count * sizeof(T))};
  std::memcpy(made.bytes.data(), values, made.bytes.size());
  const auto [low, high] = std::minmax_element(values, values + count);
  made.range = static_cast<double>(*high) - static_cast<double>(*low);
  return made;
}

template <class T>
double largest_error_of(const std::byte* a, const std::byte* b, std::size_t bytes) {
  double largest = 0;
  for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T x{};
    T y{};
    std::memcpy(&x, a + i, sizeof(T));
    std::memcpy(&y, b + i, sizeof(T));
    largest = std::max(largest, std::fabs(static_cast<double>(x) - static_cast<double>(y)));
  }
  return largest;
}

}  // namespace

Values make_values(std::string_view field, std::size_t bytes, int rank) {
  const std::size_t made_bytes = std::max(bytes, smallest_field);
  const std::size_t doubles = bytes / sizeof(double);
  if (field == "turbulence") {
    const fields::Field made = fields::find("turbulence")->make(made_bytes);
    return values_of(MPI_FLOAT, reinterpret_cast<const float*>(made.bytes.data()),
                     bytes / sizeof(float));
  }
  const std::vector<double> made = field == "noise" ? noise(doubles, rank) : smooth(doubles, rank);
  return values_of(MPI_DOUBLE, made.data(), made.size());
}

double largest_error(const Values& kind, const std::byte* a, const std::byte* b,
                     std::size_t bytes) {
  return kind.size == sizeof(float) ? largest_error_of<float>(a, b, bytes)
                                    : largest_error_of<double>(a, b, bytes);
}

}  // namespace tightwire::p2p_bench
