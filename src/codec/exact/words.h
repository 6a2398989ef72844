// Bytes that are words of some type: what MPI_BYTE and MPI_PACKED often stand for. See
// docs/dev/format.md.
#pragma once

#include <cstddef>
#include <span>

#include "codec/codec.h"

namespace tightwire::codec::exact {

// Bytes before the first word, words, and less than a word behind them.
struct Words {
  ElementType type = ElementType::bytes;  // bytes: they are none
  std::size_t offset = 0;

  [[nodiscard]] bool found() const { return type != ElementType::bytes; }
  [[nodiscard]] std::size_t bytes_behind(std::size_t size) const {
    return (size - offset) % element_size(type);
  }
  template <class Byte>
  [[nodiscard]] std::span<Byte> words_of(std::span<Byte> bytes) const {
    return bytes.subspan(offset, bytes.size() - offset - bytes_behind(bytes.size()));
  }
};

// What suits a sample of the bytes, where that is clearly better than to take each by itself.
[[nodiscard]] Words choose_words(std::span<const std::byte> bytes, References references = {});

// Where the words begin, and all bytes around them.
[[nodiscard]] std::size_t frame_size(const Words& words, std::size_t size);
void write_frame(const Words& words, std::span<const std::byte> bytes, std::byte* out);
// Fills in the bytes around the words. Returns how many bytes were read; 0 means damage.
[[nodiscard]] std::size_t read_frame(std::span<const std::byte> in, Words& words,
                                     std::span<std::byte> bytes);

}  // namespace tightwire::codec::exact
