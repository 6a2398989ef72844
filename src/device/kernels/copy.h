// Bytes and values between the memory of a chunk and that of the message, by vectors.
#pragma once

#include "device/kernels/memory.h"

namespace tightwire::device {

TIGHTWIRE_KERNEL unsigned beyond_vector(const void* address) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % vector_bytes);
}

// Four bytes of which the first is byte `at` of what begins at `from`, where words begin.
TIGHTWIRE_KERNEL std::uint32_t word_at(const std::uint8_t* from, std::uint32_t at) {
  const unsigned beyond = at % 4;
  const auto low = load_whole<std::uint32_t>(from + (at - beyond));
  if (beyond == 0) return low;
  return low >> 8 * beyond | load_whole<std::uint32_t>(from + (at - beyond) + 4)
                                 << (32 - 8 * beyond);
}

// From the image of a chunk to anywhere, by words of where they go to. Reads up to three bytes
// behind the last one.
TIGHTWIRE_KERNEL void copy_image(auto& lanes, const std::uint8_t* image, std::uint8_t* to,
                                 std::uint32_t size) {
  const auto beyond = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) % 4);
  const std::uint32_t head = (4 - beyond) % 4 < size ? (4 - beyond) % 4 : size;
  const std::uint32_t words = (size - head) / 4;
  const std::uint32_t tail = head + 4 * words;
  lanes.each(words < 4 ? 4 : words, [&](unsigned i) {
    const std::uint32_t at = head + 4 * i;
    if (i < words) store_whole(word_at(image, at), to + at);
    if (i < head) to[i] = image[i];
    if (i < size - tail) to[tail + i] = image[tail + i];
  });
}

// Where in the image of a chunk the encoding stands that is read from `outside`: as far from where
// vectors begin as it is there.
template <class T>
TIGHTWIRE_KERNEL std::uint8_t* image_of(ChunkMemory<T>& chunk, const void* outside) {
  return chunk.image + beyond_vector(outside);
}

// Both addresses are as far from where vectors begin. does(i) for every i below `others`, in the
// same step.
template <class Does>
TIGHTWIRE_KERNEL void copy_alike(auto& lanes, const std::uint8_t* from, std::uint8_t* to,
                                 std::uint32_t size, unsigned others, Does does) {
  const unsigned beyond = beyond_vector(to);
  const unsigned head = beyond == 0 ? 0 : vector_bytes - beyond;
  const std::uint32_t before = head < size ? head : size;
  const std::uint32_t vectors = (size - before) / vector_bytes;
  const std::uint32_t tail = before + vectors * vector_bytes;
  lanes.copy(
      vectors, [&](unsigned i) { return reinterpret_cast<const Vector*>(from + before) + i; },
      [&](unsigned i) { return reinterpret_cast<Vector*>(to + before) + i; },
      others < vector_bytes ? vector_bytes : others,
      [&](unsigned i) {
        if (i < before) to[i] = from[i];
        if (i < size - tail) to[tail + i] = from[tail + i];
        if (i < others) does(i);
      });
}

// The values of a block; those behind its last one are 0.
template <class T>
TIGHTWIRE_KERNEL void load_block(const T* from, unsigned lanes_there, T* values) {
  constexpr unsigned of_vector = vector_bytes / sizeof(T);
  if (lanes_there == block_values && beyond_vector(from) == 0) {
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values / of_vector; ++i) {
      const unsigned at = i * of_vector;
      const auto vector = load_whole<Vector>(from + at);
      memcpy(&values[at], &vector, sizeof vector);
    }
    return;
  }
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) values[i] = i < lanes_there ? from[i] : T(0);
}

template <class T>
TIGHTWIRE_KERNEL void store_block(const T* values, unsigned lanes_there, T* to) {
  constexpr unsigned of_vector = vector_bytes / sizeof(T);
  if (lanes_there == block_values && beyond_vector(to) == 0) {
    TIGHTWIRE_UNROLL
    for (unsigned i = 0; i < block_values / of_vector; ++i) {
      Vector vector;
      const unsigned at = i * of_vector;
      memcpy(&vector, &values[at], sizeof vector);
      store_whole(vector, to + at);
    }
    return;
  }
  TIGHTWIRE_UNROLL
  for (unsigned i = 0; i < block_values; ++i) {
    if (i < lanes_there) to[i] = values[i];
  }
}

}  // namespace tightwire::device
