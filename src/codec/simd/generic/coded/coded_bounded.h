// The entropy coder under `bounded`: integers of a grid in one piece, and tiles of whatever the
// grid does not hold.
#pragma once

#include "codec/bounded/coded_layout.h"
#include "codec/simd/generic/bounded_kernels.h"
#include "codec/simd/generic/coded/scratch_parts.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Quantises all of an encoding. Values that the grid does not hold go to tiles.
template <class T>
class CodedQuantiser {
 public:
  using Int = typename Lane<T>::Int;
  using U = typename Lane<T>::Unsigned;

  CodedQuantiser(const Grid<T>& grid, const CodedScratch<U>& at, std::span<std::byte> tiles)
      : grid_(grid), at_(at), kept_({}, tiles) {
    tile_.any_exceptions = false;
  }

  // The next tile. False: the output is too small.
  bool add(const std::byte* values, std::size_t first, std::size_t count) {
    tile_.q = reinterpret_cast<Int*>(at_.integers(0) + first);
    tile_.count = count;
    quantise_tile(values, grid_, tile_);
    std::uint16_t* const gaps = at_.gaps() + first / block_values;
    if (tile_.any_exceptions) {
      std::copy_n(tile_.exceptions, tile_.blocks(), gaps);
      hold_gaps(at_.integers(0) + first, count, gaps);
      gaps_ += count_gaps(gaps, count);
    } else {
      std::fill_n(gaps, tile_.blocks(), std::uint16_t{0});
    }
    return keep();
  }

  [[nodiscard]] bool ok() const { return gaps_ == 0 || kept_.ok(); }
  std::size_t gaps() const { return gaps_; }
  std::size_t tiles_size() const { return gaps_ == 0 ? 0 : kept_.size(); }

 private:
  // Where there are no gaps at all there are no tiles.
  bool keep() {
    if (gaps_ == 0) {
      ++tiles_before_;
      return true;
    }
    return keep_those_before() && keep_with_zeros(tile_);
  }

  bool keep_those_before() {
    Tile<T> plain;
    plain.any_exceptions = false;
    plain.count = tile_values;
    for (; tiles_before_ > 0; --tiles_before_) {
      if (!keep_with_zeros(plain)) return false;
    }
    return true;
  }

  bool keep_with_zeros(Tile<T>& tile) {
    tile.q = kept_.next();
    std::fill_n(tile.q, tile_values, Int{0});
    return kept_.write(tile);
  }

  Grid<T> grid_;
  const CodedScratch<U>& at_;
  Tile<T> tile_;
  TileWriter<T> kept_;
  std::size_t gaps_ = 0;
  std::size_t tiles_before_ = 0;  // before the first gap
};

template <class T>
Result encode_coded_values(const Header& header, std::span<const std::byte> values,
                           std::span<std::byte> scratch, std::span<std::byte> body) {
  using U = typename Lane<T>::Unsigned;
  constexpr Result too_small{Error::output_too_small, 0};
  if (body.size() < bounded::coded_head_size) return too_small;
  const std::size_t count = values.size() / sizeof(T);
  const CodedScratch<U> at(scratch, count, 1, header.rows.apart());
  CodedQuantiser<T> quantiser(grid_to_encode<T>(header), at,
                              body.subspan(bounded::coded_head_size));
  const Error error = for_each_tile(count, [&](std::size_t first, std::size_t size) {
    const bool done = quantiser.add(values.data() + first * sizeof(T), first, size);
    return done ? Error::none : Error::output_too_small;
  });
  if (error != Error::none || !quantiser.ok()) return too_small;
  const std::size_t gaps = quantiser.gaps();
  const std::size_t tiles_size = quantiser.tiles_size();
  bounded::write_coded_head({tiles_size, count - gaps}, body.data());
  const std::size_t head = bounded::coded_head_size + tiles_size;
  const std::size_t size = encode_integers<U>(
      {at.integers(0), count, header.rows.apart(), gaps == 0 ? nullptr : at.gaps()}, at.workspace(),
      body.subspan(head));
  return size == 0 ? too_small : Result{Error::none, head + size};
}

// The tiles beside the integers, one after the other.
template <class T>
class KeptTiles {
 public:
  KeptTiles(std::span<const std::byte> tiles) : none_(tiles.empty()), reader_({}, tiles) {
    tile_.any_exceptions = false;
  }

  // Sets the gaps of the next tile, if it has any. False: damaged.
  bool next(std::size_t count, GapMasks& gaps) {
    tile_.count = count;
    if (none_) return true;
    if (!reader_.read(count, tile_)) return false;
    if (!tile_.any_exceptions) return true;
    std::copy_n(tile_.exceptions, tile_.blocks(), gaps_);
    if (tile_.any_masked) {
      for (std::size_t b = 0; b < tile_.blocks(); ++b) {
        gaps_[b] = static_cast<std::uint16_t>(gaps_[b] | tile_.masked[b]);
      }
    }
    gaps = gaps_;
    return true;
  }

  // The last tile with these integers.
  Tile<T>& with(typename Lane<T>::Int* q) {
    tile_.q = q;
    return tile_;
  }

  bool at_end() const { return none_ || reader_.at_end(); }

 private:
  bool none_;
  TileReader<T> reader_;
  Tile<T> tile_;
  std::uint16_t gaps_[tile_blocks];
};

template <class T>
Result decode_coded_values(const Header& header, std::span<const std::byte> body,
                           std::span<std::byte> scratch, std::span<std::byte> values) {
  using U = typename Lane<T>::Unsigned;
  static_assert(batch == tile_values);
  bounded::CodedHead head;
  if (!bounded::read_coded_head(body, head)) return {Error::damaged, 0};
  const std::size_t count = values.size() / sizeof(T);
  const CodedScratch<U> at(scratch, count, 1, header.rows.apart());
  const Grid<T> grid = grid_of<T>(header);
  auto rest = body.subspan(bounded::coded_head_size);
  KeptTiles<T> tiles(rest.first(head.tiles_size));
  rest = rest.subspan(head.tiles_size);
  const auto begin = [&](std::size_t, std::size_t size, GapMasks& gaps) {
    return tiles.next(size, gaps);
  };
  const auto put = [&](std::size_t first, std::size_t) {
    auto* const q = reinterpret_cast<typename Lane<T>::Int*>(at.integers(0) + first);
    dequantise_tile(tiles.with(q), grid, values.data() + first * sizeof(T));
  };
  const bool good = decode_integers<U>(rest, head.residuals, at.workspace(), at.of(0), begin, put);
  return good && rest.empty() && tiles.at_end() ? Result{Error::none, values.size()}
                                                : Result{Error::damaged, 0};
}

inline Result bounded_coded_encode(const Header& header, std::span<const std::byte> values,
                                   std::span<std::byte> scratch, std::span<std::byte> body) {
  return header.type == ElementType::float32
             ? encode_coded_values<float>(header, values, scratch, body)
             : encode_coded_values<double>(header, values, scratch, body);
}

inline Result bounded_coded_decode(const Header& header, std::span<const std::byte> body,
                                   std::span<std::byte> scratch, std::span<std::byte> values) {
  return header.type == ElementType::float32
             ? decode_coded_values<float>(header, body, scratch, values)
             : decode_coded_values<double>(header, body, scratch, values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
