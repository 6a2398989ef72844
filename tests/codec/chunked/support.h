// Streams to test chunked coding with.
#pragma once

#include <cmath>
#include <cstring>
#include <vector>

#include "codec/chunked/chunked.h"

namespace tightwire::codec::chunked {

using Bytes = std::vector<std::byte>;

// Waves for the floating-point types, small steps for the integers: every codec finds something.
inline Bytes values_of(ElementType type, std::size_t count) {
  const std::size_t size = element_size(type);
  Bytes bytes(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    const double wave = std::sin(static_cast<double>(i) * 0.01) * 100;
    const auto step = static_cast<std::int64_t>(i / 50 % 100);
    const auto single = static_cast<float>(wave);
    const void* value = &step;
    if (type == ElementType::float32) value = &single;
    if (type == ElementType::float64) value = &wave;
    std::memcpy(bytes.data() + i * size, value, size);
  }
  return bytes;
}

// Bytes in which no codec finds anything.
inline Bytes noise(std::size_t size) {
  Bytes bytes(size);
  std::uint64_t state = 1;
  for (std::byte& byte : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::byte>(state >> 56);
  }
  return bytes;
}

inline Parameters parameters_within(double error_bound) {
  Parameters parameters;
  parameters.error_bound = error_bound;
  return parameters;
}

inline Options in_chunks_of(std::size_t values, os::ThreadPool* pool = nullptr) {
  Options options;
  options.values_per_chunk = values;
  options.pool = pool;
  return options;
}

// An empty stream stands for an error: no valid one is.
inline Bytes encoded(const Codec& codec, ElementType type, const Bytes& values,
                     const Options& options) {
  const std::size_t count = values.size() / element_size(type);
  Bytes out(max_encoded_size(codec, type, count, options.values_per_chunk));
  const Result result = encode(codec, type, values, parameters_within(1e-3), options, out);
  if (!result.ok()) return {};
  out.resize(result.size);
  return out;
}

}  // namespace tightwire::codec::chunked
