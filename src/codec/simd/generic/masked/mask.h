// Which values of a tile are its fill value, as bytes.
#pragma once

#include "codec/simd/generic/read_codes.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A bit for each value, 64 to a word.
struct MaskWords {
  static constexpr std::size_t words = tile_values / 64;
  std::uint64_t word[words];

  void from_blocks(const std::uint16_t* blocks) { std::memcpy(word, blocks, sizeof word); }
  void to_blocks(std::uint16_t* blocks) const { std::memcpy(blocks, word, sizeof word); }

  // Bits become the places where they change, the first from 0.
  void to_changes() {
    std::uint64_t before = 0;
    for (std::uint64_t& w : word) {
      const std::uint64_t now = w;
      w = now ^ (now << 1 | before);
      before = now >> 63;
    }
  }
  void from_changes() {
    std::uint64_t before = 0;
    for (std::uint64_t& w : word) {
      for (unsigned shift = 1; shift < 64; shift *= 2) w ^= w << shift;
      w ^= before;
      before = std::uint64_t{0} - (w >> 63);
    }
  }
};

// Of each block's bits those behind the tile's end are 0, both here and there.
inline std::byte* write_mask(const std::uint16_t* masked, std::size_t count, std::byte* p) {
  MaskWords mask;
  mask.from_blocks(masked);
  mask.to_changes();
  // One at the end is no change.
  if (count < tile_values) mask.word[count / 64] &= ~(std::uint64_t{1} << count % 64);
  std::size_t changes = 0;
  for (const std::uint64_t w : mask.word) changes += static_cast<std::size_t>(std::popcount(w));
  const std::size_t bits_size = (count + block_values - 1) / block_values * sizeof *masked;
  if (changes > bounded::most_changes || changes + tile_values / bounded::far_change > bits_size) {
    *p++ = std::byte(bounded::mask_as_bits);
    std::memcpy(p, masked, bits_size);
    return p + bits_size;
  }
  *p++ = std::byte(changes);
  std::size_t before = 0;
  for (std::size_t i = 0; i < MaskWords::words; ++i) {
    for (std::uint64_t w = mask.word[i]; w != 0; w &= w - 1) {
      const std::size_t place = i * 64 + static_cast<std::size_t>(std::countr_zero(w));
      std::size_t distance = place - before;
      for (; distance >= bounded::far_change; distance -= bounded::far_change) {
        *p++ = std::byte(bounded::far_change);
      }
      *p++ = std::byte(distance);
      before = place;
    }
  }
  return p;
}

// The changes of a mask; false: damaged.
inline bool read_changes(Input& in, std::size_t changes, std::size_t count, MaskWords& mask) {
  std::memset(mask.word, 0, sizeof mask.word);
  std::size_t place = 0;
  bool at_change = false;
  while (changes > 0) {
    if (in.size() == 0) return false;
    const auto distance = static_cast<unsigned>(*in.p++);
    place += distance;
    if (place >= count || (distance == 0 && at_change)) return false;
    at_change = distance != bounded::far_change;
    if (!at_change) continue;
    mask.word[place / 64] |= std::uint64_t{1} << place % 64;
    --changes;
  }
  return true;
}

// False: damaged, also where there are no fill values or nothing else.
template <class T>
bool read_mask(Input& in, Tile<T>& tile) {
  if (in.size() == 0) return false;
  const auto changes = static_cast<unsigned>(*in.p++);
  std::memset(tile.masked, 0, sizeof tile.masked);
  if (changes == bounded::mask_as_bits) {
    const std::size_t size = tile.blocks() * sizeof tile.masked[0];
    if (in.size() < size) return false;
    std::memcpy(tile.masked, in.p, size);
    in.p += size;
  } else {
    MaskWords mask;
    if (changes > bounded::most_changes || !read_changes(in, changes, tile.count, mask)) {
      return false;
    }
    mask.from_changes();
    if (tile.count < tile_values) {
      mask.word[tile.count / 64] &= (std::uint64_t{1} << tile.count % 64) - 1;
      std::fill(mask.word + tile.count / 64 + 1, mask.word + MaskWords::words, std::uint64_t{0});
    }
    mask.to_blocks(tile.masked);
  }
  bool any = false;
  bool all = true;
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    if ((tile.masked[b] & ~tile.all_lanes(b)) != 0) return false;
    any |= tile.masked[b] != 0;
    all &= tile.masked[b] == tile.all_lanes(b);
  }
  return any && !all;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
