// The values of one chunk to its encoding.
#pragma once

#include "device/kernels/heads.h"
#include "device/kernels/quantise.h"

namespace tightwire::device {

// After begin_chunk().
template <class T>
TIGHTWIRE_KERNEL void quantise_chunk(auto& lanes, const T* values, unsigned count,
                                     const Grid<T>& grid, ChunkMemory<T>& chunk) {
  lanes.each(parts_of(count, block_values), [&](unsigned b) {
    const std::uint32_t exceptions =
        quantise_block(values + b * block_values, lanes_of(count, b), grid, chunk.block(b));
    chunk.exceptions[b] = static_cast<std::uint16_t>(exceptions);
    if (exceptions != 0) lanes.set_bits(chunk.any_exceptions, 1);
  });
}

template <class T>
TIGHTWIRE_KERNEL void write_exceptions(std::uint32_t mask, const T* values, std::uint8_t* out) {
  *out++ = static_cast<std::uint8_t>(mask);
  *out++ = static_cast<std::uint8_t>(mask >> 8);
  *out++ = sizeof(T) * 8;
  TIGHTWIRE_ROLLED
  for (unsigned i = 0; i < block_values; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const Unsigned<T> bits = sign_to_lowest(values[i]);
    for (unsigned j = 0; j < sizeof(T); ++j) *out++ = static_cast<std::uint8_t>(bits >> 8 * j);
  }
}

// The encoding takes the place of the integers, which all lanes have read by then.
template <class T>
TIGHTWIRE_KERNEL void write_image(auto& lanes, const T* values, unsigned count,
                                  const std::uint8_t* header, Predictor predictor,
                                  ChunkMemory<T>& chunk) {
  std::uint8_t* const image = chunk.image;
  using Lanes = std::remove_reference_t<decltype(lanes)>;
  typename Lanes::template Kept<Residuals<T>, Extent<T>::blocks> kept;
  const unsigned blocks = parts_of(count, block_values);
  lanes.each(kept, blocks, [&](unsigned b, Residuals<T>& residuals) {
    residuals_of(chunk, count, b, predictor, residuals);
  });
  lanes.each(kept, blocks, [&](unsigned b, Residuals<T>& residuals) {
    const unsigned width = chunk.widths[b];
    pack_block(residuals.of, width, image + chunk.at[b]);
    if (chunk.exceptions[b] == 0) return;
    write_exceptions(chunk.exceptions[b], values + b * block_values,
                     image + chunk.at[b] + packed_size(width));
  });
  const unsigned heads = parts_of(count, tile_values) * tile_parts;
  lanes.each(heads < header_size ? header_size : heads, [&](unsigned i) {
    if (i < header_size) image[i] = header[i];
    if (i < heads) write_head(chunk, count, i, predictor, image);
  });
}

// Where the bytes of a chunk go: offer(size) tells how many there are, as soon as that is known,
// and take() says where to, for which it may wait for other chunks. Both are asked once, by all
// lanes alike. This one knows at once.
template <class Place>
class PlaceAtOnce {
 public:
  TIGHTWIRE_KERNEL explicit PlaceAtOnce(Place place) : place_(place) {}
  TIGHTWIRE_KERNEL void offer(std::uint32_t size) { size_ = size; }
  TIGHTWIRE_KERNEL std::uint8_t* take() { return place_(size_); }

 private:
  Place place_;
  std::uint32_t size_ = 0;
};

// Integers and exceptions of a chunk to its encoding. `header` is that of an encoding of `count`
// values, `values` has those that are exceptions. Where there is no gain, store(out) writes the
// values themselves.
template <class T, class Place, class Store>
TIGHTWIRE_KERNEL void write_chunk(auto& lanes, const T* values, unsigned count,
                                  const std::uint8_t* header, ChunkMemory<T>& chunk, Place& place,
                                  Store store) {
  const Predictor predictor = choose_predictor(lanes, count, chunk);
  lay_out(lanes, count, predictor, chunk);
  const std::uint32_t plain = count * static_cast<std::uint32_t>(sizeof(T));
  const std::uint32_t size = chunk.size;
  place.offer(size >= plain ? plain : size);
  if (size >= plain) return store(place.take());
  write_image(lanes, values, count, header, predictor, chunk);
  copy_image(lanes, chunk.image, place.take(), size);
}

template <class T, class Place>
TIGHTWIRE_KERNEL void encode_chunk(auto& lanes, const T* values, unsigned count,
                                   const Grid<T>& grid, const std::uint8_t* header,
                                   ChunkMemory<T>& chunk, Place& place) {
  begin_chunk(lanes, chunk);
  quantise_chunk(lanes, values, count, grid, chunk);
  write_chunk(lanes, values, count, header, chunk, place, [&](std::uint8_t* out) {
    lanes.each(count, [&](unsigned i) { store_whole(values[i], chunk.image + i * sizeof(T)); });
    copy_image(lanes, chunk.image, out, count * static_cast<std::uint32_t>(sizeof(T)));
  });
}

}  // namespace tightwire::device
