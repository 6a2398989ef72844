// zfp (Lindstrom, "Fixed-Rate Compressed Floating-Point Arrays", 2014) on the flat array, in blocks
// of four values: zfp-accuracy takes as many bits as the error bound asks for, zfp-rate takes
// Parameters::zfp_rate bits per value (1 to 64), and patches where that is too few. Either way
// every value is within Parameters::error_bound; see patched.h.
//
// The payload is a double (tolerance or rate) and zfp's bit stream in whole 64-bit words.
#include <zfp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>

#include "codec/adapters/byte_io.h"
#include "codec/adapters/patched.h"
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t block_values = 4;
// No block is longer: exponent, then at most one test bit per value and plane besides its bits.
constexpr std::size_t block_words = 8;

enum class Mode : std::uint8_t { accuracy, rate };

// A zfp stream over words of ours.
class Stream {
 public:
  explicit Stream(std::span<std::uint64_t> words)
      : bits_(stream_open(words.data(), words.size_bytes())), zfp_(zfp_stream_open(bits_.get())) {
    if (!bits_ || !zfp_) throw std::bad_alloc();
  }

  // False if the parameter makes no sense, or never comes from us.
  [[nodiscard]] bool set(Mode mode, double parameter, ElementType type) {
    if (mode == Mode::accuracy) {
      if (!(parameter > 0) || !std::isfinite(parameter)) return false;
      zfp_stream_set_accuracy(zfp_.get(), parameter);
    } else {
      if (!(parameter >= 1 && parameter <= 64)) return false;
      zfp_stream_set_rate(zfp_.get(), parameter,
                          type == ElementType::float32 ? zfp_type_float : zfp_type_double, 1,
                          zfp_false);
    }
    return true;
  }

  void put(const std::array<float, block_values>& block) {
    zfp_encode_block_float_1(zfp_.get(), block.data());
  }
  void put(const std::array<double, block_values>& block) {
    zfp_encode_block_double_1(zfp_.get(), block.data());
  }
  void get(std::array<float, block_values>& block) {
    zfp_decode_block_float_1(zfp_.get(), block.data());
  }
  void get(std::array<double, block_values>& block) {
    zfp_decode_block_double_1(zfp_.get(), block.data());
  }

  void flush() { stream_flush(bits_.get()); }
  [[nodiscard]] std::size_t bytes_written() const { return stream_size(bits_.get()); }
  [[nodiscard]] std::size_t words_read() const { return (stream_rtell(bits_.get()) + 63) / 64; }

 private:
  struct Close {
    void operator()(bitstream* bits) const { stream_close(bits); }
    void operator()(zfp_stream* zfp) const { zfp_stream_close(zfp); }
  };
  std::unique_ptr<bitstream, Close> bits_;
  std::unique_ptr<zfp_stream, Close> zfp_;
};

template <class T>
void encode_blocks(Stream& stream, std::span<const std::byte> values) {
  while (!values.empty()) {
    std::array<T, block_values> block;
    const auto part = values.first(std::min(values.size(), sizeof block));
    std::memcpy(block.data(), part.data(), part.size());
    // A short block at the end repeats its last value.
    for (std::size_t i = part.size() / sizeof(T); i < block_values; ++i) block[i] = block[i - 1];
    stream.put(block);
    values = values.subspan(part.size());
  }
}

// zfp reads on without looking where the stream ends, so look after every block; the words end in
// zeros enough for one that starts inside.
template <class T>
Error decode_blocks(Stream& stream, std::size_t words, std::span<std::byte> values) {
  while (!values.empty()) {
    std::array<T, block_values> block;
    stream.get(block);
    if (stream.words_read() > words) return Error::damaged;
    const auto part = values.first(std::min(values.size(), sizeof block));
    std::memcpy(part.data(), block.data(), part.size());
    values = values.subspan(part.size());
  }
  return stream.words_read() == words ? Error::none : Error::damaged;
}

class Zfp final : public Approximate {
 public:
  explicit Zfp(Mode mode) : mode_(mode) {}

  std::size_t smallest_count() const override { return block_values; }

  // A block has one exponent and 30 (62) bits below it, so that a larger value would cost its
  // neighbours their precision.
  double largest_magnitude(ElementType type, double error_bound) const override {
    return std::ldexp(error_bound, type == ElementType::float32 ? 29 : 61);
  }

  Error encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
               std::vector<std::byte>& payload) const override {
    const double parameter = mode_ == Mode::accuracy ? parameters.error_bound : parameters.zfp_rate;
    const std::size_t blocks = values.size() / element_size(type) / block_values + 1;
    // A word stays whole, so that the last block may overrun its own.
    std::vector<std::uint64_t> words((blocks + 1) * largest_block_words(type));
    Stream stream(words);
    if (!stream.set(mode_, parameter, type)) return Error::bad_parameter;
    if (type == ElementType::float32) {
      encode_blocks<float>(stream, values);
    } else {
      encode_blocks<double>(stream, values);
    }
    stream.flush();
    payload.clear();
    payload.reserve(sizeof parameter + stream.bytes_written());
    append(payload, parameter);
    const auto bytes = std::as_bytes(std::span(words)).first(stream.bytes_written());
    payload.insert(payload.end(), bytes.begin(), bytes.end());
    return Error::none;
  }

  Error decode(ElementType type, std::span<const std::byte> payload,
               std::span<std::byte> values) const override {
    double parameter = 0;
    if (!take(payload, parameter) || payload.size() % sizeof(std::uint64_t) != 0) {
      return Error::damaged;
    }
    try {
      std::vector<std::uint64_t> words(payload.size() / sizeof(std::uint64_t) + block_words);
      std::memcpy(words.data(), payload.data(), payload.size());
      Stream stream(words);
      if (!stream.set(mode_, parameter, type)) return Error::damaged;
      const std::size_t stated = words.size() - block_words;
      return type == ElementType::float32 ? decode_blocks<float>(stream, stated, values)
                                          : decode_blocks<double>(stream, stated, values);
    } catch (const std::bad_alloc&) {
      return Error::out_of_memory;
    }
  }

 private:
  // Exponent, a test bit per value, and the values' own bits; or 64 bits a value at the full rate.
  static std::size_t largest_block_words(ElementType type) {
    const std::size_t bits = type == ElementType::float32 ? 9 + 3 + 4 * 32 : 12 + 3 + 4 * 64;
    return std::max<std::size_t>(block_values, bits / 64 + 1);
  }

  Mode mode_;
};

}  // namespace

const Codec& zfp_accuracy_codec() {
  static const Zfp coder(Mode::accuracy);
  static const Patched codec(Id::zfp_accuracy, coder);
  return codec;
}

const Codec& zfp_rate_codec() {
  static const Zfp coder(Mode::rate);
  static const Patched codec(Id::zfp_rate, coder);
  return codec;
}

}  // namespace tightwire::codec
