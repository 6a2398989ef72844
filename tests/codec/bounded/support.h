// Encode, decode and compare, for the tests of `bounded`.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "codec/bounded/bounded.h"
#include "codec/codec.h"
#include "codec/error_bound.h"

namespace tightwire::codec {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <class T>
inline constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

inline const Codec& bounded_under_test() {
  return *find(Id::bounded);
}

inline Parameters grid_parameters(double error_bound, std::uint32_t terms = 1,
                                  std::uint32_t row_length = 0) {
  Parameters parameters;
  parameters.error_bound = error_bound;
  parameters.terms = terms;
  parameters.row_length = row_length;
  return parameters;
}

// Of an encoding that will be combined with no other.
inline Parameters alone_parameters(double error_bound, std::uint32_t row_length = 0) {
  Parameters parameters = grid_parameters(error_bound, 1, row_length);
  parameters.alone = true;
  return parameters;
}

// An empty result stands for an error.
template <class T>
Bytes encoded(const std::vector<T>& values, const Parameters& parameters) {
  const Codec& codec = bounded_under_test();
  Bytes out(codec.max_encoded_size(type_of<T>, values.size()));
  const Result result = codec.encode(type_of<T>, std::as_bytes(std::span(values)), parameters, out);
  if (!result.ok()) return {};
  out.resize(result.size);
  return out;
}

template <class T>
Error decode_into(const Bytes& bytes, std::vector<T>& values) {
  return bounded_under_test()
      .decode(type_of<T>, bytes, std::as_writable_bytes(std::span(values)))
      .error;
}

// Alone, which is as it must be.
template <class T>
std::vector<T> round_trip(const std::vector<T>& values, double bound) {
  std::vector<T> result(values.size());
  EXPECT_EQ(decode_into(encoded(values, alone_parameters(bound)), result), Error::none);
  return result;
}

template <class T>
std::vector<T> decoded(const Bytes& bytes, std::size_t count) {
  std::vector<T> values(count);
  if (decode_into(bytes, values) != Error::none) return {};
  return values;
}

template <class T>
Bytes combined(bounded::Operation operation, std::size_t count, const Bytes& a, const Bytes& b) {
  Bytes out(bounded_under_test().max_encoded_size(type_of<T>, count));
  const Result result = bounded::combine(operation, type_of<T>, count, a, b, out);
  if (!result.ok()) return {};
  out.resize(result.size);
  return out;
}

template <class T>
Bytes combined_with_values(bounded::Operation operation, const Bytes& a, const std::vector<T>& own,
                           const Parameters& parameters) {
  Bytes out(bounded_under_test().max_encoded_size(type_of<T>, own.size()));
  const Result result = bounded::combine_values(operation, type_of<T>, a,
                                                std::as_bytes(std::span(own)), parameters, out);
  if (!result.ok()) return {};
  out.resize(result.size);
  return out;
}

// The values, and the encoding if it is wanted; none stands for an error.
template <class T>
struct Completed {
  std::vector<T> values;
  Bytes encoding;
};

template <class T>
Completed<T> completed(bounded::Operation operation, const Bytes& a, std::vector<T> own,
                       const Parameters& parameters, bool wants_encoding) {
  Completed<T> result;
  if (wants_encoding) {
    result.encoding.resize(bounded_under_test().max_encoded_size(type_of<T>, own.size()));
  }
  const std::span in_place = std::as_writable_bytes(std::span(own));
  const Result done = bounded::complete_values(operation, type_of<T>, a, in_place, parameters,
                                               result.encoding, in_place);
  if (!done.ok()) return {};
  result.encoding.resize(done.size);
  result.values = std::move(own);
  return result;
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Of an encoding alone: what is finite is within the bound, and the rest as it was.
template <class T>
bool all_within(const std::vector<T>& values, const std::vector<T>& result, double bound) {
  if (values.size() != result.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool good = std::isfinite(values[i]) ? within_bound(values[i], result[i], bound)
                                               : same_bits(values[i], result[i]);
    if (!good) return false;
  }
  return true;
}

}  // namespace tightwire::codec
