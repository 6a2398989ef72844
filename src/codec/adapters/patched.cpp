#include "codec/adapters/patched.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <new>

#include "codec/adapters/byte_io.h"
#include "codec/error_bound.h"
#include "codec/float_environment.h"
#include "codec/value_at.h"

namespace tightwire::codec {
namespace {

enum class Kind : std::uint8_t { stored = 0, patched = 1 };

constexpr std::size_t header_size = sizeof(Kind) + 2 * sizeof(std::uint64_t);

std::uint64_t checksum(std::span<const std::byte> bytes, ElementType type, std::size_t count) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(),
                              count * 16 + static_cast<std::uint64_t>(type));
}

// The values as the coder may be given them: what it cannot take repeats its predecessor.
template <class T>
std::vector<T> tamed(std::span<const std::byte> values, double largest_magnitude) {
  std::vector<T> result(values.size() / sizeof(T));
  const double limit = std::min<double>(largest_magnitude, std::numeric_limits<T>::max());
  T previous = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const T value = value_at<T>(values, i);
    if (std::abs(value) <= limit) {  // false for NaN too
      previous = value;
    }
    result[i] = previous;
  }
  return result;
}

// Appends what `decoded` lacks; false if that takes more than `capacity` bytes in all.
template <class T>
bool append_patches(std::span<const std::byte> values, std::span<const T> decoded, double bound,
                    std::size_t capacity, std::vector<std::byte>& encoded) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < decoded.size(); ++i) {
    const T value = value_at<T>(values, i);
    if (honours_bound(value, decoded[i], bound)) continue;
    append_leb128(encoded, i - next);
    append(encoded, value);
    next = i + 1;
    if (encoded.size() > capacity) return false;
  }
  return true;
}

Result store(std::span<const std::byte> values, std::span<std::byte> encoded) {
  const std::size_t size = sizeof(Kind) + values.size();
  if (encoded.size() < size) return {Error::output_too_small, 0};
  encoded[0] = static_cast<std::byte>(Kind::stored);
  if (!values.empty()) std::memcpy(encoded.data() + 1, values.data(), values.size());
  return {Error::none, size};
}

template <class T>
Result encode_values(const Approximate& coder, ElementType type, std::span<const std::byte> values,
                     const Parameters& parameters, std::span<std::byte> encoded) {
  const std::size_t count = values.size() / sizeof(T);
  if (count < coder.smallest_count()) return store(values, encoded);

  std::vector<T> work = tamed<T>(values, coder.largest_magnitude(type, parameters.error_bound));
  std::vector<std::byte> payload;
  if (Error error = coder.encode(type, std::as_bytes(std::span(work)), parameters, payload);
      error != Error::none) {
    return {error, 0};
  }
  if (header_size + payload.size() > values.size()) return store(values, encoded);
  if (Error error = coder.decode(type, payload, std::as_writable_bytes(std::span(work)));
      error != Error::none) {
    return {error, 0};
  }
  std::vector<std::byte> patches;
  if (!append_patches(values, std::span<const T>(work), parameters.error_bound,
                      values.size() - header_size - payload.size(), patches)) {
    return store(values, encoded);
  }

  const std::size_t size = header_size + payload.size() + patches.size();
  if (encoded.size() < size) return {Error::output_too_small, 0};
  const std::uint64_t payload_size = payload.size();
  std::byte* const body = encoded.data() + sizeof(Kind) + sizeof(std::uint64_t);
  std::memcpy(body, &payload_size, sizeof payload_size);
  std::memcpy(body + sizeof payload_size, payload.data(), payload.size());
  if (!patches.empty()) {
    std::memcpy(body + sizeof payload_size + payload.size(), patches.data(), patches.size());
  }
  const std::size_t body_size = size - sizeof(Kind) - sizeof(std::uint64_t);
  const std::uint64_t sum = checksum({body, body_size}, type, count);
  encoded[0] = static_cast<std::byte>(Kind::patched);
  std::memcpy(encoded.data() + sizeof(Kind), &sum, sizeof sum);
  return {Error::none, size};
}

Error apply_patches(std::span<const std::byte> patches, std::size_t element,
                    std::span<std::byte> values) {
  const std::size_t count = values.size() / element;
  for (std::size_t next = 0; !patches.empty(); ++next) {
    std::uint64_t skipped = 0;
    if (!take_leb128(patches, skipped) || patches.size() < element) return Error::damaged;
    if (skipped >= count - next) return Error::damaged;
    next += skipped;
    std::memcpy(values.data() + next * element, patches.data(), element);
    patches = patches.subspan(element);
  }
  return Error::none;
}

}  // namespace

std::size_t Patched::max_encoded_size(ElementType type, std::size_t count) const {
  return sizeof(Kind) + count * element_size(type);
}

Result Patched::encode(ElementType type, std::span<const std::byte> values,
                       const Parameters& parameters, std::span<std::byte> encoded) const {
  if (!supports(type)) return {Error::unsupported_type, 0};
  if (!(parameters.error_bound > 0) || !std::isfinite(parameters.error_bound)) {
    return {Error::bad_parameter, 0};
  }
  const FloatEnvironment environment;
  try {
    return type == ElementType::float32
               ? encode_values<float>(coder_, type, values, parameters, encoded)
               : encode_values<double>(coder_, type, values, parameters, encoded);
  } catch (const std::bad_alloc&) {
    return {Error::out_of_memory, 0};
  }
}

Result Patched::decode(ElementType type, std::span<const std::byte> encoded,
                       std::span<std::byte> values) const {
  if (!supports(type)) return {Error::unsupported_type, 0};
  std::uint8_t kind = 0;
  if (!take(encoded, kind)) return {Error::damaged, 0};
  if (kind == static_cast<std::uint8_t>(Kind::stored)) {
    if (encoded.size() != values.size()) return {Error::damaged, 0};
    if (!values.empty()) std::memcpy(values.data(), encoded.data(), values.size());
    return {Error::none, values.size()};
  }
  const FloatEnvironment environment;
  const std::size_t count = values.size() / element_size(type);
  std::uint64_t sum = 0;
  std::uint64_t payload_size = 0;
  if (kind != static_cast<std::uint8_t>(Kind::patched) || !take(encoded, sum) ||
      sum != checksum(encoded, type, count) || !take(encoded, payload_size) ||
      payload_size > encoded.size() || count < coder_.smallest_count()) {
    return {Error::damaged, 0};
  }
  Error error = coder_.decode(type, encoded.first(payload_size), values);
  if (error == Error::none) {
    error = apply_patches(encoded.subspan(payload_size), element_size(type), values);
  }
  return {error, error == Error::none ? values.size() : 0};
}

}  // namespace tightwire::codec
