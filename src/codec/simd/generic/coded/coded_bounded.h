// The entropy coder under `bounded`: integers of a grid in one piece, and tiles of whatever the
// grid does not hold.
#pragma once

#include "codec/bounded/coded_layout.h"
#include "codec/simd/generic/coded/grid_integers.h"
#include "codec/simd/generic/coded/scratch_parts.h"
#include "codec/simd/generic/history/bounded_in_time.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// With references the message is predicted from all of them.
template <class T>
Result encode_coded_values(const Header& header, References references,
                           std::span<std::byte> left_out, std::span<const std::byte> values,
                           std::span<std::byte> scratch, std::span<std::byte> body) {
  using U = typename Lane<T>::Unsigned;
  constexpr Result too_small{Error::output_too_small, 0};
  if (body.size() < bounded::coded_head_size) return too_small;
  const std::size_t count = values.size() / sizeof(T);
  const CodedScratch<U> at(scratch, count, 1, header.rows.apart());
  GridQuantiser<T> quantiser(grid_to_encode<T>(header), at.integers(0), at.gaps(),
                             body.subspan(bounded::coded_head_size));
  GridPrediction<T> in_time(grid_of<T>(header), references);
  if (!references.empty()) quantiser.predict_from(in_time, left_out);
  if (!quantiser.add_all(values)) return too_small;
  const std::size_t gaps = quantiser.gaps();
  const std::size_t tiles_size = quantiser.tiles_size();
  bounded::write_coded_head({tiles_size, count - gaps}, body.data());
  const std::size_t head = bounded::coded_head_size + tiles_size;
  const std::size_t size = encode_integers<U>(
      {at.integers(0), count, header.rows.apart(), gaps == 0 ? nullptr : at.gaps()}, at.workspace(),
      body.subspan(head));
  return size == 0 ? too_small : Result{Error::none, head + size};
}

template <class T>
Result decode_coded_values(const Header& header, const InTime& from,
                           std::span<const std::byte> body, std::span<std::byte> scratch,
                           std::span<std::byte> values) {
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
  GridContinuation<T> in_time(grid, from);
  const bool has_references = !from.references.empty();
  const auto put = [&](std::size_t first, std::size_t size) {
    auto* const q = reinterpret_cast<typename Lane<T>::Int*>(at.integers(0) + first);
    const auto* const said = has_references ? in_time.integers(first, size) : nullptr;
    dequantise_in_time(tiles.with(q), said, grid, values.data() + first * sizeof(T));
  };
  const bool good = decode_integers<U>(rest, head.residuals, at.workspace(), at.of(0), begin, put);
  return good && rest.empty() && tiles.at_end() ? Result{Error::none, values.size()}
                                                : Result{Error::damaged, 0};
}

inline Result bounded_coded_encode_in_time(const Header& header, References references,
                                           std::span<std::byte> left_out,
                                           std::span<const std::byte> values,
                                           std::span<std::byte> scratch,
                                           std::span<std::byte> body) {
  return header.type == ElementType::float32
             ? encode_coded_values<float>(header, references, left_out, values, scratch, body)
             : encode_coded_values<double>(header, references, left_out, values, scratch, body);
}

inline Result bounded_coded_encode(const Header& header, std::span<const std::byte> values,
                                   std::span<std::byte> scratch, std::span<std::byte> body) {
  return bounded_coded_encode_in_time(header, {}, {}, values, scratch, body);
}

inline Result bounded_coded_decode_in_time(const Header& header, const InTime& in_time,
                                           std::span<const std::byte> body,
                                           std::span<std::byte> scratch,
                                           std::span<std::byte> values) {
  return header.type == ElementType::float32
             ? decode_coded_values<float>(header, in_time, body, scratch, values)
             : decode_coded_values<double>(header, in_time, body, scratch, values);
}

inline Result bounded_coded_decode(const Header& header, std::span<const std::byte> body,
                                   std::span<std::byte> scratch, std::span<std::byte> values) {
  return bounded_coded_decode_in_time(header, {}, body, scratch, values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
