// Segments of folded residuals to bytes.
#pragma once

#include "codec/simd/generic/coded/choose_fours.h"
#include "codec/simd/generic/coded/stream_bits.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
class SegmentWriter {
 public:
  explicit SegmentWriter(std::span<std::byte> out)
      : begin_(out.data()), out_(out.data()), end_(out.data() + out.size()) {}

  // The values may be changed. False: the output is too small.
  bool write(U* values, std::size_t count) { return write(values, count, 0); }

  std::size_t size() const { return static_cast<std::size_t>(out_ - begin_); }

 private:
  static constexpr std::size_t slack = 8;
  static constexpr std::size_t head_room =
      2 + sizeof(U) + entropy::largest_table + 2 * entropy::streams + slack;

  // `depth`: how many segments of fours this one is within.
  bool write(U* values, std::size_t count, unsigned depth) {
    if (choose(values, count, depth)) return write_fours(values, count, depth);
    TokenCounter counter;
    take_tokens(tokens_, values, count, token_);
    counter.add(token_, count);
    const entropy::Counts counts = counter.counts();
    const entropy::Lengths lengths = entropy::code_lengths(counts);
    prepare(lengths);
    if (static_cast<std::size_t>(end_ - out_) < head_room + streams_size(counts)) return false;
    write_head(lengths);
    write_streams(values, count);
    return true;
  }

  bool write_fours(U* values, std::size_t count, unsigned depth) {
    if (out_ == end_) return false;
    *out_++ = std::byte{entropy::fours_kind};
    U* const symbols = symbols_[depth];
    const std::size_t others = take_fours(values, count, symbols);
    return write(symbols, fours_in(count), depth + 1) &&
           (others == 0 || write(values, others, depth + 1));
  }

  // Sets tokens_. True: fours are better.
  bool choose(const U* values, std::size_t count, unsigned depth) {
    U least = 0;
    U highest = 0;
    find_range(values, count, least, highest);
    const std::size_t size = take_sample(values, count);
    const Choice<U> choice = TokenChooser<U>(sample_, size).best(least, highest);
    tokens_ = choice.tokens;
    return depth < entropy::most_fours && fours_pay(sample_, size, count, choice.cost);
  }

  std::size_t take_sample(const U* values, std::size_t count) {
    constexpr std::size_t stretches = 4;
    constexpr std::size_t stretch = most_sampled / 2 / stretches;
    if (count <= most_sampled) {
      std::copy_n(values, count, sample_);
      return count;
    }
    const std::size_t stride = (count - stretch) / (stretches - 1);
    for (std::size_t i = 0; i < stretches; ++i) {
      std::copy_n(values + i * stride, stretch, sample_ + i * stretch);
    }
    return stretches * stretch;
  }

  void prepare(const entropy::Lengths& lengths) {
    entropy::Codes codes;
    static_cast<void>(entropy::codes_of(lengths, codes));
    most_bits_ = 0;
    for (std::size_t t = 0; t < tokens_.count(); ++t) {
      written_[t] = {codes[t].bits, codes[t].length,
                     static_cast<std::uint8_t>(tokens_.extra_of(t))};
      if (lengths[t] == 0) continue;
      most_bits_ = std::max(most_bits_, written_[t].bits());
      const unsigned extra = std::min<unsigned>(written_[t].extra, 63);
      offsets_.set(t, written_[t], std::uint64_t{tokens_.head_of(t)} << extra);
    }
  }

  // With what rounding up to bytes may add.
  std::size_t streams_size(const entropy::Counts& counts) const {
    std::size_t bits = 0;
    for (std::size_t t = 0; t < tokens_.count(); ++t) {
      bits += std::size_t{counts[t]} * written_[t].bits();
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
    for (std::size_t i = write_most(values, count, position); i < count; ++i) {
      const std::size_t s = i % streams;
      put_value(static_cast<U>(values[i] - tokens_.base), written_[token_[i]], stream_[s],
                position[s]);
    }
    append_streams(position);
  }

  std::size_t write_most(const U* values, std::size_t count, std::size_t* position) {
    if (most_bits_ <= bits_of_store / 4) return write_rounds<4>(values, count, position);
    if (most_bits_ <= bits_of_store / 2) return write_rounds<2>(values, count, position);
    if (most_bits_ <= bits_of_store) return write_rounds<1>(values, count, position);
    return 0;
  }

  // So many values of each stream at a time; returns how many there were in all.
  template <std::size_t rounds>
  std::size_t write_rounds(const U* values, std::size_t count, std::size_t* position) {
    const U base = tokens_.base;
    std::size_t at[streams] = {};
    std::size_t i = 0;
    for (; i + rounds * streams <= count; i += rounds * streams) {
      for (std::size_t s = 0; s < streams; ++s) {
        std::uint64_t bits = 0;
        unsigned size = 0;
        for (std::size_t r = 0; r < rounds; ++r) {
          const std::size_t place = i + r * streams + s;
          offsets_.append(static_cast<U>(values[place] - base), token_[place], bits, size);
        }
        put_bits(bits, size, stream_[s], at[s]);
      }
    }
    std::copy_n(at, streams, position);
    return i;
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
  static constexpr std::size_t most_sampled = segment_values / 8;
  static constexpr std::size_t stream_room =
      segment_values / streams * (sizeof(U) * 8 + entropy::longest_code) / 8 + 2 * slack;

  std::byte* begin_;
  std::byte* out_;
  std::byte* end_;
  Tokens<U> tokens_;
  unsigned most_bits_ = 0;  // that a value takes
  Written written_[entropy::most_tokens];
  Offsets offsets_;
  std::uint16_t token_[segment_values];
  std::byte stream_[streams][stream_room];
  U sample_[most_sampled];
  U symbols_[entropy::most_fours][segment_values / four];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
