// Segments of folded residuals from bytes that may be anything.
#pragma once

#include "codec/simd/generic/coded/fours.h"
#include "codec/simd/generic/coded/tokens.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
class SegmentReader {
 public:
  explicit SegmentReader(std::span<const std::byte> in)
      : in_(in.data()), end_(in.data() + in.size()) {}

  // Begins a segment of `count` values. False: damaged.
  bool begin(std::size_t count) {
    is_whole_ = left() > 0 && *in_ == std::byte{entropy::fours_kind};
    given_ = 0;
    return is_whole_ ? read_whole(whole_, count, 0) : read_head() && find_streams();
  }

  // The next values of the segment; but for its last, a multiple of the number of streams.
  void read(U* values, std::size_t count) {
    if (!is_whole_) return read_streams(values, count);
    std::copy_n(whole_ + given_, count, values);
    given_ += count;
  }

  // Every stream must have been read to its last byte.
  bool ended() const { return is_whole_ || streams_ended(); }

  // What follows the segments that were read.
  [[nodiscard]] std::span<const std::byte> rest() const { return {in_, end_}; }

 private:
  // What the first bits of a code lead to.
  struct Entry {
    U base;               // of the values that begin so
    std::uint8_t length;  // of the code
    std::uint8_t extra;   // bits behind it
    std::uint8_t bits;    // both
  };
  // Of a stream, in bits, and its end in bytes. (Positions alone, one beside the other, would lure
  // compilers into making vectors of them.)
  struct Cursor {
    std::size_t position = 0;
    std::size_t end = 0;
  };
  // Values of each stream in a round, and what they may advance, with what one more may read.
  static constexpr std::size_t of_round = 4;
  static constexpr std::size_t slack = of_round * 10 + 24;
  // That are good, wherever in a byte they begin.
  static constexpr unsigned bits_of_load = 56;
  static constexpr std::size_t streams = entropy::streams;
  static constexpr std::size_t abreast = 4;
  static constexpr std::size_t table_size = std::size_t{1} << entropy::longest_code;

  // A segment at once, and what is within it. `values` has room for whole fours.
  bool read_whole(U* values, std::size_t count, unsigned depth) {
    if (left() == 0) return false;
    if (*in_ != std::byte{entropy::fours_kind}) {
      if (!read_head() || !find_streams()) return false;
      read_streams(values, count);
      return streams_ended();
    }
    if (depth == entropy::most_fours) return false;
    ++in_;
    U* const symbols = symbols_[depth];
    const std::size_t fours = fours_in(count);
    std::size_t size = 0;
    if (!read_whole(symbols, fours, depth + 1) || !count_others(symbols, fours, size)) return false;
    U* const others = values + fours * four - size;
    if (size != 0 && !read_whole(others, size, depth + 1)) return false;
    spread_fours(symbols, fours, others, values);
    return true;
  }

  void read_streams(U* values, std::size_t count) {
    read_to_end(values, read_most(values, count), count);
  }

  bool streams_ended() const {
    for (const Cursor& each : cursors_) {
      if ((each.position + 7) / 8 != each.end) return false;
    }
    return true;
  }

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
    most_bits_ = 0;
    for (std::size_t t = 0; t < lengths.size(); ++t) {
      if (lengths[t] == 0) continue;
      if (t >= tokens_.count()) return false;
      const unsigned length = codes[t].length;
      const unsigned extra = tokens_.extra_of(t);
      const U head = extra < tokens_.width ? static_cast<U>(U{tokens_.head_of(t)} << extra) : U{0};
      const Entry entry{static_cast<U>(head + tokens_.base), static_cast<std::uint8_t>(length),
                        static_cast<std::uint8_t>(extra),
                        static_cast<std::uint8_t>(length + extra)};
      most_bits_ = std::max<unsigned>(most_bits_, entry.bits);
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
      cursors_[s].position = at * 8;
      at += load<std::uint16_t>(in_ + 2 * s);
      cursors_[s].end = at;
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

  std::size_t read_most(U* values, std::size_t count) {
    if (most_bits_ <= bits_of_load / 4) return read_fast<4>(values, count);
    if (most_bits_ <= bits_of_load / 2) return read_fast<2>(values, count);
    return read_fast<1>(values, count);
  }

  // As long as the end of the input is not near; so many values of a stream from one load.
  template <std::size_t of_load>
  std::size_t read_fast(U* values, std::size_t count) {
    const auto available = static_cast<std::size_t>(end_ - start_);
    if (available < slack) return 0;
    const std::size_t limit = (available - slack) * 8;
    Cursor at[streams];
    std::copy_n(cursors_, streams, at);
    std::size_t i = 0;
    for (;;) {
      const std::size_t rounds =
          std::min((count - i) / (of_round * streams), rounds_before(limit, at));
      if (rounds == 0) break;
      for (const std::size_t end = i + rounds * of_round * streams; i < end;) {
        for (std::size_t j = 0; j < of_round; j += of_load, i += of_load * streams) {
          for (std::size_t s = 0; s < streams; s += abreast) {
            take_some<of_load>(start_, table_, at + s, values + i + s);
          }
        }
      }
    }
    std::copy_n(at, streams, cursors_);
    return i;
  }

  // That all begin no further than at a limit.
  std::size_t rounds_before(std::size_t limit, const Cursor* at) const {
    std::size_t furthest = 0;
    for (std::size_t s = 0; s < streams; ++s) furthest = std::max(furthest, at[s].position);
    if (furthest > limit) return 0;
    return (limit - furthest) / (of_round * std::max(most_bits_, 1u)) + 1;
  }

  // Of some streams abreast, since each step waits for the one before it in its stream.
  template <std::size_t of_load>
  [[gnu::always_inline]] static void take_some(const std::byte* start, const Entry* table,
                                               Cursor* at, U* values) {
    if constexpr (of_load == 1) {
      for (std::size_t s = 0; s < abreast; ++s) values[s] = take(start, table, at[s].position);
      return;
    }
    std::uint64_t bits[abreast];
    for (std::size_t s = 0; s < abreast; ++s) {
      bits[s] = load<std::uint64_t>(start + at[s].position / 8) >> at[s].position % 8;
    }
    for (std::size_t j = 0; j < of_load; ++j) {
      for (std::size_t s = 0; s < abreast; ++s) {
        const Entry entry = table[bits[s] % table_size];
        values[j * streams + s] = static_cast<U>(
            entry.base + (bits[s] >> entry.length & ((std::uint64_t{1} << entry.extra) - 1)));
        bits[s] >>= entry.bits;
        at[s].position += entry.bits;
      }
    }
  }

  // Every value from a copy with zeros behind it.
  void read_to_end(U* values, std::size_t first, std::size_t count) {
    const auto available = static_cast<std::size_t>(end_ - start_);
    for (std::size_t i = first; i < count; ++i) {
      std::size_t& position = cursors_[i % streams].position;
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
  Cursor cursors_[streams];
  Tokens<U> tokens_;
  bool is_whole_ = false;  // a segment of fours, read into whole_
  std::size_t given_ = 0;  // of whole_
  unsigned most_bits_ = 0;
  Entry table_[table_size];
  U whole_[segment_values];
  U symbols_[entropy::most_fours][segment_values / four];
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
