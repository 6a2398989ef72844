// The layout of SZx (Yu et al., "Ultrafast Error-Bounded Lossy Compression for Scientific
// Datasets", HPDC 2022), as the reference that C-Coll and its successors have: blocks of 128
// values; one whose values all lie within the bound of the middle of its extremes is that number;
// of another, what remains of each value is cut to the leading bits that the bound needs, shifted
// so that these end with a byte, and written without the leading bytes that it shares with the
// value before it. Written from that description. Its ratio is that of the original up to headers;
// its speed is that of plain C++.
//
// Ours alone: the encoder looks at what comes out, for the two roundings of the subtraction and the
// addition count as well. Where they would break the bound a block has a bit more, in the end all.
//
//     a bit for each block, 1 for a constant one | blocks
//     constant block: the value
//     other block: middle | leading bits, 1 byte | 2 bits for each value: shared bytes | bytes
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "candidate.h"
#include "codec/error_bound.h"

namespace tightwire::bench {
namespace {

using codec::BitsOf;

constexpr std::size_t block = 128;
constexpr unsigned most_shared = 3;  // bytes: two bits tell how many

template <class T>
constexpr unsigned all_bits = sizeof(T) * 8;
template <class T>
constexpr unsigned sign_and_exponent = all_bits<T> - (std::numeric_limits<T>::digits - 1);

[[nodiscard]] std::size_t blocks_in(std::size_t count) {
  return (count + block - 1) / block;
}
[[nodiscard]] std::size_t size_of_bits(std::size_t count) {
  return (blocks_in(count) + 7) / 8;
}

template <class T>
void put(T value, std::byte*& out) {
  std::memcpy(out, &value, sizeof value);
  out += sizeof value;
}
template <class T>
[[nodiscard]] T take(const std::byte*& in) {
  T value;
  std::memcpy(&value, in, sizeof value);
  in += sizeof value;
  return value;
}

// Leading bits of a value, which end with a byte.
template <class T>
class Cut {
 public:
  using Bits = BitsOf<T>;
  explicit Cut(unsigned bits) : shift_((8 - bits % 8) % 8), bytes_((bits + 7) / 8) {}

  [[nodiscard]] unsigned bytes() const { return bytes_; }
  [[nodiscard]] Bits word(T value) const {
    return std::bit_cast<Bits>(value) >> shift_ & ~Bits{0} << (all_bits<T> - 8 * bytes_);
  }
  [[nodiscard]] T value(Bits word) const { return std::bit_cast<T>(Bits(word << shift_)); }

 private:
  unsigned shift_;
  unsigned bytes_;
};

// Of a block. No middle where a value is no number or all bits are wanted.
template <class T>
struct Extremes {
  T low;
  T high;
  bool finite = true;

  explicit Extremes(std::span<const T> values) : low(values[0]), high(values[0]) {
    for (const T value : values) {
      finite = finite && std::isfinite(value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  [[nodiscard]] T middle() const { return low / 2 + high / 2; }
  [[nodiscard]] T radius() const { return std::max(high - middle(), middle() - low); }
  [[nodiscard]] bool constant(double bound) const {
    return finite && codec::within_bound(low, middle(), bound) &&
           codec::within_bound(high, middle(), bound);
  }
};

// Sign, exponent and as much of the mantissa as tells 2^n, of which n is the bound's exponent.
template <class T>
[[nodiscard]] unsigned bits_needed(const Extremes<T>& of, double bound) {
  if (!of.finite || !std::isfinite(of.radius())) return all_bits<T>;
  const int mantissa = std::max(0, std::ilogb(of.radius()) - std::ilogb(bound));
  return std::min(all_bits<T>, sign_and_exponent<T> + static_cast<unsigned>(mantissa));
}

template <class T>
[[nodiscard]] bool holds(std::span<const T> values, T middle, const Cut<T>& cut, double bound) {
  bool within = true;
  for (const T value : values) {
    const T decoded = cut.value(cut.word(value - middle)) + middle;
    within = within && std::abs(static_cast<double>(value) - static_cast<double>(decoded)) < bound;
  }
  return within;
}

template <class T>
[[nodiscard]] unsigned bits_that_hold(std::span<const T> values, const Extremes<T>& of,
                                      double bound) {
  unsigned bits = bits_needed(of, bound);
  while (bits < all_bits<T> && !holds(values, of.middle(), Cut<T>(bits), bound)) ++bits;
  return bits;
}

template <class Bits>
[[nodiscard]] Bits first_byte_lowest(Bits word) {
  if constexpr (sizeof(Bits) == 4) {
    return __builtin_bswap32(word);
  } else {
    return __builtin_bswap64(word);
  }
}

// Writes up to a word behind what counts.
template <class T>
std::byte* write_words(std::span<const T> values, T middle, unsigned bits, std::byte* out) {
  using Bits = BitsOf<T>;
  const Cut<T> cut(bits);
  std::byte* const shared_bytes = out;
  out += (values.size() + 3) / 4;
  std::fill(shared_bytes, out, std::byte{0});
  Bits previous = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Bits word =
        bits == all_bits<T> ? std::bit_cast<Bits>(values[i]) : cut.word(values[i] - middle);
    const auto same = static_cast<unsigned>(std::countl_zero(Bits(word ^ previous))) / 8;
    const unsigned shared = std::min({same, most_shared, cut.bytes()});
    shared_bytes[i / 4] |= static_cast<std::byte>(shared << i % 4 * 2);
    const Bits rest = first_byte_lowest(Bits(word << 8 * shared));
    std::memcpy(out, &rest, sizeof rest);
    out += cut.bytes() - shared;
    previous = word;
  }
  return out;
}

template <class T>
const std::byte* read_words(const std::byte* in, T middle, unsigned bits, std::span<T> values) {
  using Bits = BitsOf<T>;
  const Cut<T> cut(bits);
  const std::byte* const shared_bytes = in;
  in += (values.size() + 3) / 4;
  Bits word = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned shared = std::to_integer<unsigned>(shared_bytes[i / 4]) >> i % 4 * 2 & 3U;
    for (unsigned k = shared; k < cut.bytes(); ++k) {
      const unsigned place = all_bits<T> - 8 * (k + 1);
      word &= ~(Bits{255} << place);
      word |= std::to_integer<Bits>(*in++) << place;
    }
    values[i] = bits == all_bits<T> ? std::bit_cast<T>(word) : cut.value(word) + middle;
  }
  return in;
}

template <class T>
std::size_t encode_values(std::span<const T> values, double bound, std::byte* const begin) {
  std::byte* out = begin + size_of_bits(values.size());
  std::fill(begin, out, std::byte{0});
  for (std::size_t b = 0; b < blocks_in(values.size()); ++b) {
    const auto own = values.subspan(b * block, std::min(block, values.size() - b * block));
    const Extremes<T> extremes(own);
    put(extremes.middle(), out);
    if (extremes.constant(bound)) {
      begin[b / 8] |= static_cast<std::byte>(1U << b % 8);
      continue;
    }
    const unsigned bits = bits_that_hold(own, extremes, bound);
    put(static_cast<std::uint8_t>(bits), out);
    out = write_words(own, extremes.middle(), bits, out);
  }
  return static_cast<std::size_t>(out - begin);
}

[[nodiscard]] bool is_constant(const std::byte* encoded, std::size_t number) {
  return (std::to_integer<unsigned>(encoded[number / 8]) >> number % 8 & 1U) != 0;
}

template <class T>
void decode_values(const std::byte* const begin, std::span<T> values) {
  const std::byte* in = begin + size_of_bits(values.size());
  for (std::size_t b = 0; b < blocks_in(values.size()); ++b) {
    const auto own = values.subspan(b * block, std::min(block, values.size() - b * block));
    const T middle = take<T>(in);
    if (is_constant(begin, b)) {
      std::ranges::fill(own, middle);
      continue;
    }
    const auto bits = take<std::uint8_t>(in);
    in = read_words(in, middle, bits, own);
  }
}

template <class T>
std::span<const T> as_values(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}
template <class T>
std::span<T> as_values(std::span<std::byte> bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

class SzxLayout final : public Candidate {
 public:
  std::string name() const override { return "szx-layout"; }
  bool lossy() const override { return true; }
  bool supports(codec::ElementType type) const override { return is_floating_point(type); }

  std::size_t max_encoded_size(codec::ElementType type, std::size_t count) const override {
    const std::size_t value = element_size(type);
    const std::size_t head = value + 1 + block / 4;
    return size_of_bits(count) + blocks_in(count) * (head + block * value) + value;
  }

  std::size_t encode(codec::ElementType type, std::span<const std::byte> values,
                     const codec::Parameters& parameters,
                     std::span<std::byte> encoded) const override {
    const double bound = parameters.error_bound;
    return type == codec::ElementType::float32
               ? encode_values(as_values<float>(values), bound, encoded.data())
               : encode_values(as_values<double>(values), bound, encoded.data());
  }

  void decode(codec::ElementType type, std::span<const std::byte> encoded,
              std::span<std::byte> values) const override {
    type == codec::ElementType::float32 ? decode_values(encoded.data(), as_values<float>(values))
                                        : decode_values(encoded.data(), as_values<double>(values));
  }

  std::optional<double> constant_blocks(codec::ElementType, std::size_t count,
                                        std::span<const std::byte> encoded) const override {
    std::size_t constant = 0;
    for (const std::byte eight : encoded.first(size_of_bits(count))) {
      constant += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(eight)));
    }
    if (count == 0) return std::nullopt;
    return static_cast<double>(constant) / static_cast<double>(blocks_in(count));
  }
};

}  // namespace

std::unique_ptr<Candidate> szx_layout() {
  return std::make_unique<SzxLayout>();
}

}  // namespace tightwire::bench
