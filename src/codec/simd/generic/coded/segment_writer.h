// Segments of folded residuals to bytes.
#pragma once

#include "codec/entropy/layout.h"
#include "codec/simd/generic/coded/choose_tokens.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// What a token is written as.
struct Written {
  std::uint16_t code = 0;
  std::uint8_t length = 0;
  std::uint8_t extra = 0;
};

// Appends at most 56 bits, from the lowest upwards, at a place counted in bits. Stores eight bytes,
// with zeros behind the last bit.
[[gnu::always_inline]] inline void put_bits(std::uint64_t bits, unsigned count, std::byte* out,
                                            std::size_t& position) {
  std::byte* const p = out + position / 8;
  store(static_cast<std::uint64_t>(*p) | bits << position % 8, p);
  position += count;
}

template <class U>
[[gnu::always_inline]] inline void put_value(U value, const Written& as, std::byte* out,
                                             std::size_t& position) {
  const std::uint64_t wide = value;
  if constexpr (sizeof(U) == 4) {
    const std::uint64_t low = wide & ((std::uint64_t{1} << as.extra) - 1);
    put_bits(as.code | low << as.length, unsigned{as.length} + as.extra, out, position);
  } else {
    const unsigned first = std::min<unsigned>(as.extra, 40);
    const std::uint64_t low = wide & ((std::uint64_t{1} << first) - 1);
    put_bits(as.code | low << as.length, as.length + first, out, position);
    const unsigned rest = as.extra - first;
    put_bits(wide >> 40 & ((std::uint64_t{1} << rest) - 1), rest, out, position);
  }
}

template <class U>
class SegmentWriter {
 public:
  explicit SegmentWriter(std::span<std::byte> out)
      : begin_(out.data()), out_(out.data()), end_(out.data() + out.size()) {}

  // False: the output is too small.
  bool write(const U* values, std::size_t count) {
    choose(values, count);
    TokenCounter counter;
    with_tokens(tokens_, [&](auto token_of) { counter.add(values, count, token_of, token_); });
    const entropy::Counts counts = counter.counts();
    const entropy::Lengths lengths = entropy::code_lengths(counts);
    prepare(lengths);
    if (static_cast<std::size_t>(end_ - out_) < head_room + streams_size(counts)) return false;
    write_head(lengths);
    write_streams(values, count);
    return true;
  }

  std::size_t size() const { return static_cast<std::size_t>(out_ - begin_); }

 private:
  static constexpr std::size_t slack = 8;
  static constexpr std::size_t head_room =
      2 + sizeof(U) + entropy::largest_table + 2 * entropy::streams + slack;

  void choose(const U* values, std::size_t count) {
    constexpr std::size_t most = segment_values / 8;
    constexpr std::size_t stretches = 4;
    U least = 0;
    U highest = 0;
    find_range(values, count, least, highest);
    if (count <= most) {
      tokens_ = TokenChooser<U>(values, count).best(least, highest).tokens;
      return;
    }
    U sample[most / 2];
    constexpr std::size_t stretch = most / 2 / stretches;
    const std::size_t stride = (count - stretch) / (stretches - 1);
    for (std::size_t i = 0; i < stretches; ++i) {
      std::copy_n(values + i * stride, stretch, sample + i * stretch);
    }
    tokens_ = TokenChooser<U>(sample, most / 2).best(least, highest).tokens;
  }

  void prepare(const entropy::Lengths& lengths) {
    entropy::Codes codes;
    static_cast<void>(entropy::codes_of(lengths, codes));
    for (std::size_t t = 0; t < tokens_.count(); ++t) {
      written_[t] = {codes[t].bits, codes[t].length,
                     static_cast<std::uint8_t>(tokens_.extra_of(t))};
    }
  }

  // With what rounding up to bytes may add.
  std::size_t streams_size(const entropy::Counts& counts) const {
    std::size_t bits = 0;
    for (std::size_t t = 0; t < tokens_.count(); ++t) {
      bits += std::size_t{counts[t]} * (unsigned{written_[t].length} + written_[t].extra);
    }
    return bits / 8 + 1 + entropy::streams;
  }

  void write_head(const entropy::Lengths& lengths) {
    *out_++ = std::byte(tokens_.kind);
    if (tokens_.kind == TokenKind::linear) {
      *out_++ = std::byte{tokens_.shift};
      store(tokens_.base, out_);
      out_ += sizeof(U);
    }
    out_ += entropy::write_lengths(lengths, out_);
  }

  // All streams at once, each into a buffer of its own.
  void write_streams(const U* values, std::size_t count) {
    std::size_t position[streams] = {};
    for (std::byte(&stream)[stream_room] : stream_) store(std::uint64_t{0}, stream);
    const U base = tokens_.base;
    std::size_t i = 0;
    for (; i + streams <= count; i += streams) {
      for (std::size_t s = 0; s < streams; ++s) {
        put_value(static_cast<U>(values[i + s] - base), written_[token_[i + s]], stream_[s],
                  position[s]);
      }
    }
    for (std::size_t s = 0; i + s < count; ++s) {
      put_value(static_cast<U>(values[i + s] - base), written_[token_[i + s]], stream_[s],
                position[s]);
    }
    append_streams(position);
  }

  void append_streams(const std::size_t* position) {
    for (std::size_t s = 0; s < streams; ++s) {
      store(static_cast<std::uint16_t>((position[s] + 7) / 8), out_);
      out_ += 2;
    }
    for (std::size_t s = 0; s < streams; ++s) {
      const std::size_t size = (position[s] + 7) / 8;
      std::memcpy(out_, stream_[s], size);
      out_ += size;
    }
  }

  static constexpr std::size_t streams = entropy::streams;
  static constexpr std::size_t stream_room =
      segment_values / streams * (sizeof(U) * 8 + entropy::longest_code) / 8 + 2 * slack;

  std::byte* begin_;
  std::byte* out_;
  std::byte* end_;
  Tokens<U> tokens_;
  Written written_[entropy::most_tokens];
  std::uint16_t token_[segment_values];
  std::byte stream_[streams][stream_room];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
