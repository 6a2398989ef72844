// Segments of folded residuals from bytes that may be anything.
#pragma once

#include "codec/entropy/layout.h"
#include "codec/simd/generic/coded/tokens.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
class SegmentReader {
 public:
  explicit SegmentReader(std::span<const std::byte> in)
      : in_(in.data()), end_(in.data() + in.size()) {}

  // Begins a segment. False: damaged.
  bool begin() { return read_head() && find_streams(); }

  // The next values of the segment; but for its last, a multiple of the number of streams.
  void read(U* values, std::size_t count) {
    const std::size_t done = read_fast(values, count);
    read_to_end(values, done, count);
  }

  // Every stream must have been read to its last byte.
  bool ended() const {
    for (std::size_t s = 0; s < streams; ++s) {
      if ((position_[s] + 7) / 8 != stream_end_[s]) return false;
    }
    return true;
  }

  bool at_end() const { return in_ == end_; }

 private:
  // What the first bits of a code lead to.
  struct Entry {
    U base;               // of the values that begin so
    std::uint8_t length;  // of the code
    std::uint8_t extra;   // bits behind it
    std::uint8_t bits;    // both
  };
  // Values of each stream between two looks at the end of the input, and what they may advance,
  // with what one more may read.
  static constexpr std::size_t unchecked = 4;
  static constexpr std::size_t slack = unchecked * 10 + 24;
  static constexpr std::size_t streams = entropy::streams;
  static constexpr std::size_t table_size = std::size_t{1} << entropy::longest_code;

  std::size_t left() const { return static_cast<std::size_t>(end_ - in_); }

  bool read_head() {
    if (left() < 1) return false;
    const auto kind = static_cast<TokenKind>(*in_++);
    if (kind > TokenKind::linear) return false;
    tokens_ = {kind, 0, 0};
    if (kind == TokenKind::linear) {
      if (left() < 1 + sizeof(U)) return false;
      tokens_.shift = static_cast<std::uint8_t>(*in_++);
      if (tokens_.shift >= Tokens<U>::width) return false;
      tokens_.base = load<U>(in_);
      in_ += sizeof(U);
    }
    entropy::Lengths lengths;
    const std::size_t size = entropy::read_lengths({in_, end_}, lengths);
    if (size == 0) return false;
    in_ += size;
    return fill_table(lengths);
  }

  bool fill_table(const entropy::Lengths& lengths) {
    entropy::Codes codes;
    if (!entropy::codes_of(lengths, codes)) return false;
    for (std::size_t t = 0; t < lengths.size(); ++t) {
      if (lengths[t] == 0) continue;
      if (t >= tokens_.count()) return false;
      const unsigned length = codes[t].length;
      const unsigned extra = tokens_.extra_of(t);
      const U head = extra < tokens_.width ? static_cast<U>(U{tokens_.head_of(t)} << extra) : U{0};
      const Entry entry{static_cast<U>(head + tokens_.base), static_cast<std::uint8_t>(length),
                        static_cast<std::uint8_t>(extra),
                        static_cast<std::uint8_t>(length + extra)};
      for (std::size_t i = codes[t].bits; i < table_size; i += std::size_t{1} << length) {
        table_[i] = entry;
      }
    }
    return true;
  }

  // Positions are counted in bits from the first stream.
  bool find_streams() {
    if (left() < 2 * streams) return false;
    start_ = in_ + 2 * streams;
    std::size_t at = 0;
    for (std::size_t s = 0; s < streams; ++s) {
      position_[s] = at * 8;
      at += load<std::uint16_t>(in_ + 2 * s);
      stream_end_[s] = at;
    }
    if (static_cast<std::size_t>(end_ - start_) < at) return false;
    in_ = start_ + at;
    return true;
  }

  [[gnu::always_inline]] static U take(const std::byte* start, const Entry* table,
                                       std::size_t& position) {
    const std::byte* const p = start + position / 8;
    const unsigned skip = position % 8;
    const std::uint64_t bits = load<std::uint64_t>(p) >> skip;
    const Entry entry = table[bits % table_size];
    position += entry.bits;
    if constexpr (sizeof(U) == 4) {
      return entry.base +
             static_cast<U>(bits >> entry.length & ((std::uint64_t{1} << entry.extra) - 1));
    } else {
      const unsigned from = skip + entry.length;  // at most 18
      std::uint64_t low = load<std::uint64_t>(p + from / 8) >> from % 8;
      low |= static_cast<std::uint64_t>(p[from / 8 + 8]) << 1 << (63 - from % 8);
      const std::uint64_t below = (std::uint64_t{1} << (entry.extra & 63)) - 1;
      return entry.base + (entry.extra == 64 ? low : low & below);
    }
  }

  // As long as the end of the input is not near.
  std::size_t read_fast(U* values, std::size_t count) {
    const auto available = static_cast<std::size_t>(end_ - start_);
    if (available < slack) return 0;
    const std::size_t limit = (available - slack) * 8;
    std::size_t at[streams];
    std::copy_n(position_, streams, at);
    const std::byte* const start = start_;
    const Entry* const table = table_;
    std::size_t i = 0;
    for (; i + unchecked * streams <= count; i += unchecked * streams) {
      std::size_t furthest = 0;
      for (const std::size_t position : at) furthest = std::max(furthest, position);
      if (furthest > limit) break;
      for (std::size_t round = 0; round < unchecked; ++round) {
        for (std::size_t s = 0; s < streams; ++s) {
          values[i + round * streams + s] = take(start, table, at[s]);
        }
      }
    }
    std::copy_n(at, streams, position_);
    return i;
  }

  // Every value from a copy with zeros behind it.
  void read_to_end(U* values, std::size_t first, std::size_t count) {
    const auto available = static_cast<std::size_t>(end_ - start_);
    for (std::size_t i = first; i < count; ++i) {
      std::size_t& position = position_[i % streams];
      std::byte copy[slack] = {};
      const std::size_t from = std::min(position / 8, available);
      std::memcpy(copy, start_ + from, std::min(slack, available - from));
      std::size_t within = position % 8;
      values[i] = take(copy, table_, within);
      position = position / 8 * 8 + within;
    }
  }

  const std::byte* in_;
  const std::byte* end_;
  const std::byte* start_ = nullptr;
  std::size_t position_[streams] = {};
  std::size_t stream_end_[streams] = {};
  Tokens<U> tokens_;
  Entry table_[table_size];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
