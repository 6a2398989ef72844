// The GPU as a coder of messages: libtightwire_cuda.so, which is loaded when it is first wanted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "codec/codec.h"
#include "codec/estimate/value_range.h"
#include "mpi/device/driver.h"

namespace tightwire::mpi::coder {

// Floating-point values in a row in the memory of a device, aligned to their type.
struct Values {
  driver::Place place;
  std::byte* address = nullptr;
  std::size_t bytes = 0;
  codec::ElementType type = codec::ElementType::float32;
};

enum class Problem : std::uint8_t {
  too_fine,      // no grid holds the values within the bound
  other_stream,  // none of the device profile, or damaged
  no_memory,     // on the device
  too_old,       // the driver, or the device
  failed,
};
// Thrown by all that work on a device, what the driver says of its streams among it.
struct Error {
  Problem problem = Problem::failed;
  std::string text;
};

// Whether the library is here; looks for it the first time. Else why_missing() says why not. Thread
// safe.
[[nodiscard]] bool is_here();
[[nodiscard]] const std::string& why_missing();

// All of these wait for the device's default stream before, and for their end. Thread safe.

struct Look {
  codec::ValueRange range;  // of the finite ones
  std::span<const std::byte> sample;
};
// At all values, and at some from all over them, which come to pinned memory of at most 2^16
// values; none come to none.
[[nodiscard]] Look look_at(const Values& values, std::span<std::byte> sample);
// The range, that of the values between its ends, and so on.
using Ends = std::array<codec::ValueRange, 4>;
[[nodiscard]] Ends find_ends(const Values& values);
// A stream of the device profile in pinned memory that begins at a multiple of 8; its size.
[[nodiscard]] std::size_t encode(const Values& values, double error_bound,
                                 const codec::ValueRange& range, std::span<std::byte> pinned);
[[nodiscard]] std::size_t max_encoded_size(codec::ElementType type, std::size_t count);
// The same of values that are one of the terms of a sum, ...
struct Sum {
  double error_bound = 0;  // of one term
  std::uint32_t terms = 0;
};
[[nodiscard]] std::size_t encode_term(const Values& values, const Sum& sum,
                                      std::span<std::byte> pinned);
// ... and of the sum of what such a stream in pinned memory holds and the values.
[[nodiscard]] std::size_t add_term(std::span<const std::byte> incoming, const Values& values,
                                   const Sum& sum, std::span<std::byte> pinned);
// ... and of the sum of what two such streams hold, as many values as are there.
[[nodiscard]] std::size_t add_sums(std::span<const std::byte> first,
                                   std::span<const std::byte> second, const Values& like,
                                   const Sum& sum, std::span<std::byte> pinned);
// From there to the values.
void decode(std::span<const std::byte> pinned, const Values& values);

}  // namespace tightwire::mpi::coder
