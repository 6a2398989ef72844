// Messages that a program might send one after the other, and what `exact` makes of them with those
// before.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "bounded/data.h"
#include "bounded/support.h"

namespace tightwire::codec {

inline const Codec& codec_in_time() {
  return *find(Id::exact);
}

// How values go on in time.
enum class Course { unchanged, smooth, in_part, specials, any_bits, last };

template <class T>
T in_range(double value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(value);
  return static_cast<T>(static_cast<std::int64_t>(std::fmod(value * 1000, 4e18)));
}

// Message number `step`; number 0 is the latest.
template <class T>
std::vector<T> message(Course course, int step, std::size_t count, std::uint64_t seed) {
  const auto time = static_cast<double>(100 - step);
  std::mt19937_64 random(seed);
  std::mt19937_64 of_step(seed + 1000 + static_cast<std::uint64_t>(step));
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double phase = static_cast<double>(random() % 4096) / 1024;
    const double smooth = 3 + std::sin(phase + time * 0.02) + 0.1 * phase;
    const bool noise = course == Course::any_bits || (course == Course::in_part && i / 1024 % 2);
    values[i] = in_range<T>(course == Course::unchanged ? phase : smooth);
    if (noise) values[i] = in_range<T>(static_cast<double>(of_step() >> 11) * 0x1p-20);
    if constexpr (std::is_floating_point_v<T>) {
      if (course == Course::specials && i % 3 == 0) values[i] = special<T>(of_step);
    }
  }
  return values;
}

template <class T>
Bytes message_bytes(Course course, int step, std::size_t count, std::uint64_t seed) {
  return bytes_of(message<T>(course, step, count, seed));
}

inline Bytes message_of(ElementType type, Course course, int step, std::size_t count,
                        std::uint64_t seed) {
  switch (type) {
    case ElementType::int16:
      return message_bytes<std::int16_t>(course, step, count, seed);
    case ElementType::int32:
      return message_bytes<std::int32_t>(course, step, count, seed);
    case ElementType::int64:
      return message_bytes<std::int64_t>(course, step, count, seed);
    case ElementType::float32:
      return message_bytes<float>(course, step, count, seed);
    case ElementType::float64:
      return message_bytes<double>(course, step, count, seed);
    default:
      return message_bytes<std::int8_t>(course, step, count, seed);
  }
}

// A message with those before it, the nearest first.
struct InTime {
  ElementType type = ElementType::float64;
  Bytes values;
  std::vector<Bytes> before;

  [[nodiscard]] std::vector<std::span<const std::byte>> references(std::size_t number) const {
    return {before.begin(), before.begin() + static_cast<std::ptrdiff_t>(number)};
  }
};

inline InTime in_time(ElementType type, Course course, std::size_t count, std::uint64_t seed = 1) {
  InTime all{type, message_of(type, course, 0, count, seed), {}};
  for (int step = 1; step <= static_cast<int>(most_references); ++step) {
    all.before.push_back(message_of(type, course, step, count, seed));
  }
  return all;
}

// An empty result stands for an error.
inline Bytes encoded_in_time(const InTime& all, std::size_t references,
                             Parameters parameters = {}) {
  const auto before = all.references(references);
  parameters.references = before;
  const std::size_t count = all.values.size() / element_size(all.type);
  Bytes out(codec_in_time().max_encoded_size(all.type, count));
  const Result result = codec_in_time().encode(all.type, all.values, parameters, out);
  out.resize(result.ok() ? result.size : 0);
  return out;
}

inline Error decode_in_time(const InTime& all, std::size_t references, const Bytes& bytes,
                            Bytes& values) {
  const auto before = all.references(references);
  values.assign(all.values.size(), std::byte{0xa5});
  return codec_in_time().decode_with(all.type, bytes, before, values).error;
}

inline double ratio_in_time(const InTime& all, std::size_t references, Parameters parameters = {}) {
  return static_cast<double>(all.values.size()) /
         static_cast<double>(encoded_in_time(all, references, parameters).size());
}

}  // namespace tightwire::codec
