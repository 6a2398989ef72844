// The layout of SZp, also called fZ-light (Huang et al., "hZCCL", SC 2024), as the reference for
// ratios: a quantiser that truncates to multiples of the bound, the difference to the previous
// value, and for every 32 of these a byte with the width of the largest, a sign bit each and the
// magnitudes in that many bits. Its ratio is that of the original up to headers; its speed is that
// of plain C++.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "candidate.h"

namespace tightwire::bench {
namespace {

constexpr std::size_t block = 32;
constexpr double limit = 1 << 30;  // of quanta: their differences have 32 bits

// Packs the low `width` bits of each magnitude, the first in the lowest bits.
std::byte* pack(const std::uint32_t (&magnitudes)[block], int width, std::byte* out) {
  std::uint64_t bits = 0;
  int held = 0;
  for (const std::uint32_t magnitude : magnitudes) {
    bits |= std::uint64_t{magnitude} << held;
    held += width;
    if (held >= 32) {
      const auto word = static_cast<std::uint32_t>(bits);
      std::memcpy(out, &word, sizeof word);
      out += sizeof word;
      bits >>= 32;
      held -= 32;
    }
  }
  return out;  // 32 values of any width fill whole words
}

const std::byte* unpack(const std::byte* in, int width, std::uint32_t (&magnitudes)[block]) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::uint64_t bits = 0;
  int held = 0;
  for (std::uint32_t& magnitude : magnitudes) {
    if (held < width) {
      std::uint32_t word = 0;
      std::memcpy(&word, in, sizeof word);
      in += sizeof word;
      bits |= std::uint64_t{word} << held;
      held += 32;
    }
    magnitude = static_cast<std::uint32_t>(bits & mask);
    bits >>= width;
    held -= width;
  }
  return in;
}

template <class T>
std::size_t encode_values(std::span<const std::byte> values, double error_bound, std::byte* out) {
  std::byte* const begin = out;
  std::memcpy(out, &error_bound, sizeof error_bound);
  out += sizeof error_bound;
  const T* const input = reinterpret_cast<const T*>(values.data());
  const std::size_t count = values.size() / sizeof(T);
  const double scale = 1 / error_bound;
  std::int32_t previous = 0;
  for (std::size_t start = 0; start < count; start += block) {
    std::uint32_t magnitudes[block] = {};
    std::uint32_t signs = 0;
    std::uint32_t all = 0;
    const std::size_t length = std::min(block, count - start);
    for (std::size_t i = 0; i < length; ++i) {
      const double scaled = input[start + i] * scale;
      // What it cannot hold, the layout loses.
      const auto quantum = static_cast<std::int32_t>(std::abs(scaled) < limit ? scaled : 0);
      const std::int32_t difference = quantum - previous;
      previous = quantum;
      signs |= static_cast<std::uint32_t>(difference < 0) << i;
      magnitudes[i] = static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
      all |= magnitudes[i];
    }
    const auto width = static_cast<int>(std::bit_width(all));
    *out++ = static_cast<std::byte>(width);
    if (width == 0) continue;
    std::memcpy(out, &signs, sizeof signs);
    out = pack(magnitudes, width, out + sizeof signs);
  }
  return static_cast<std::size_t>(out - begin);
}

template <class T>
void decode_values(const std::byte* in, std::span<std::byte> values) {
  double error_bound = 0;
  std::memcpy(&error_bound, in, sizeof error_bound);
  in += sizeof error_bound;
  T* const output = reinterpret_cast<T*>(values.data());
  const std::size_t count = values.size() / sizeof(T);
  std::int32_t previous = 0;
  for (std::size_t start = 0; start < count; start += block) {
    std::uint32_t magnitudes[block] = {};
    std::uint32_t signs = 0;
    const int width = std::to_integer<int>(*in++);
    if (width > 0) {
      std::memcpy(&signs, in, sizeof signs);
      in = unpack(in + sizeof signs, width, magnitudes);
    }
    const std::size_t length = std::min(block, count - start);
    for (std::size_t i = 0; i < length; ++i) {
      const auto magnitude = static_cast<std::int32_t>(magnitudes[i]);
      previous += (signs >> i & 1U) != 0 ? -magnitude : magnitude;
      output[start + i] = static_cast<T>(previous * error_bound);
    }
  }
}

class SzpLayout final : public Candidate {
 public:
  std::string name() const override { return "fz-light-layout"; }
  bool lossy() const override { return true; }
  bool supports(codec::ElementType type) const override { return is_floating_point(type); }

  std::size_t max_encoded_size(codec::ElementType, std::size_t count) const override {
    return sizeof(double) + (count / block + 1) * (1 + sizeof(std::uint32_t) * (1 + block));
  }

  std::size_t encode(codec::ElementType type, std::span<const std::byte> values,
                     const codec::Parameters& parameters,
                     std::span<std::byte> encoded) const override {
    return type == codec::ElementType::float32
               ? encode_values<float>(values, parameters.error_bound, encoded.data())
               : encode_values<double>(values, parameters.error_bound, encoded.data());
  }

  void decode(codec::ElementType type, std::span<const std::byte> encoded,
              std::span<std::byte> values) const override {
    type == codec::ElementType::float32 ? decode_values<float>(encoded.data(), values)
                                        : decode_values<double>(encoded.data(), values);
  }

  // Blocks whose differences are all 0.
  std::optional<double> constant_blocks(codec::ElementType, std::size_t count,
                                        std::span<const std::byte> encoded) const override {
    if (count == 0) return std::nullopt;
    std::size_t constant = 0;
    std::size_t place = sizeof(double);
    const std::size_t blocks = (count + block - 1) / block;
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto width = std::to_integer<std::size_t>(encoded[place]);
      constant += width == 0 ? 1 : 0;
      place += 1 + (width == 0 ? 0 : sizeof(std::uint32_t) * (1 + width));
    }
    return static_cast<double>(constant) / static_cast<double>(blocks);
  }
};

}  // namespace

std::unique_ptr<Candidate> szp_layout() {
  return std::make_unique<SzpLayout>();
}

}  // namespace tightwire::bench
