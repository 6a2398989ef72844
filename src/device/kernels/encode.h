// The values of one chunk to its encoding.
#pragma once

#include "device/kernels/residuals.h"
#include "device/kernels/tiles.h"

namespace tightwire::device {

// The bytes of a block stand where its integers were.
template <class T>
TIGHTWIRE_KERNEL std::uint8_t* bytes_of(ChunkMemory<T>& chunk, unsigned block) {
  return reinterpret_cast<std::uint8_t*>(&chunk.word(block * block_values));
}

template <class T>
TIGHTWIRE_KERNEL void pack_blocks(auto& lanes, unsigned count, Predictor predictor,
                                  ChunkMemory<T>& chunk) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    Unsigned<T> residuals[block_values] = {};
    residuals_of(chunk, b, lanes_of(count, b), chunk.before[b], predictor,
                 [&](unsigned i, Unsigned<T> residual) { residuals[i] = residual; });
    pack_block(residuals, chunk.widths[b], bytes_of(chunk, b));
  });
}

template <class T>
TIGHTWIRE_KERNEL void write_exceptions(std::uint32_t mask, const T* values, std::uint8_t* out) {
  *out++ = static_cast<std::uint8_t>(mask);
  *out++ = static_cast<std::uint8_t>(mask >> 8);
  *out++ = sizeof(T) * 8;
  for (unsigned i = 0; i < block_values; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Unsigned<T> bits = sign_to_lowest(values[i]);
    for (unsigned j = 0; j < sizeof(T); ++j) *out++ = static_cast<std::uint8_t>(bits >> 8 * j);
  }
}

template <class T>
TIGHTWIRE_KERNEL std::uint8_t* place_of(const ChunkMemory<T>& chunk, unsigned block,
                                        std::uint8_t* out) {
  return out + chunk.tiles[block / tile_blocks].at + chunk.at[block];
}

template <class T>
TIGHTWIRE_KERNEL void write_blocks(auto& lanes, const T* values, unsigned count,
                                   ChunkMemory<T>& chunk, std::uint8_t* out) {
  // Of so many lanes each takes every so-manieth byte: most blocks have no more than that.
  constexpr unsigned lanes_of_block = 16;
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(blocks * lanes_of_block, [&](unsigned i) {
    const unsigned block = i / lanes_of_block;
    const unsigned size = packed_size(chunk.widths[block]);
    for (unsigned byte = i % lanes_of_block; byte < size; byte += lanes_of_block) {
      place_of(chunk, block, out)[byte] = bytes_of(chunk, block)[byte];
    }
  });
  if (chunk.any_exceptions == 0) return;
  lanes.each(blocks, [&](unsigned b) {
    if (chunk.exceptions[b] == 0) return;
    write_exceptions(chunk.exceptions[b], values + b * block_values,
                     place_of(chunk, b, out) + packed_size(chunk.widths[b]));
  });
}

// Integers and exceptions of a chunk to its encoding. `header` is that of an encoding of `count`
// values, `values` has those that are exceptions. place(size) says where so many bytes go, and is
// asked once, by all lanes alike. Where there is no gain, store(out) writes the values themselves.
template <class T, class Place, class Store>
TIGHTWIRE_KERNEL void write_chunk(auto& lanes, const T* values, unsigned count,
                                  const std::uint8_t* header, ChunkMemory<T>& chunk, Place place,
                                  Store store) {
  const Predictor predictor = choose_predictor(lanes, count, chunk);
  lay_out(lanes, count, chunk);
  const std::uint32_t plain = count * static_cast<std::uint32_t>(sizeof(T));
  const bool stored = chunk.size >= plain;
  std::uint8_t* const out = place(stored ? plain : chunk.size);
  if (stored) return store(out);
  pack_blocks(lanes, count, predictor, chunk);
  lanes.each(header_size, [&](unsigned i) { out[i] = header[i]; });
  lanes.each(parts_of(count, tile_values), [&](unsigned t) {
    write_head(chunk, t, blocks_of(count, t), predictor, out + chunk.tiles[t].at);
  });
  write_blocks(lanes, values, count, chunk, out);
}

template <class T, class Place>
TIGHTWIRE_KERNEL void encode_chunk(auto& lanes, const T* values, unsigned count,
                                   const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, Place place) {
  begin_chunk(lanes, chunk);
  quantise_chunk(lanes, values, count, grid, chunk);
  write_chunk(lanes, values, count, header, chunk, place, [&](std::uint8_t* out) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values);
    lanes.each(count * unsigned{sizeof(T)}, [&](unsigned i) { out[i] = bytes[i]; });
  });
}

}  // namespace tightwire::device
