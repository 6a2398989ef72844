#include "codec/exact/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "codec/exact/promise.h"
#include "codec/history/reference_parts.h"

namespace tightwire::codec::exact {
namespace {

constexpr std::size_t widest = 8;
constexpr std::size_t fixed_size = 2;  // type and offset

// Of a sample of so many times 8 bytes, how often they are the same as those one word before, by
// their place in the word.
constexpr std::size_t windows = 128;
using Repeats = std::array<unsigned, widest>;

template <std::size_t width>
Repeats count_repeats(std::span<const std::byte> bytes) {
  Repeats repeats{};
  const std::size_t room = bytes.size() - 2 * widest;
  for (std::size_t i = 0; i < windows; ++i) {
    const std::byte* const at = bytes.data() + room * i / windows / widest * widest;
    for (std::size_t place = 0; place < widest; ++place) {
      repeats[place % width] += at[place] == at[place + width] ? 1U : 0U;
    }
  }
  return repeats;
}

// A word's highest byte repeats more than its lower ones: behind it the next word begins. Where
// none repeats there are no words, or nothing can be made of them.
template <std::size_t width>
std::optional<std::size_t> likely_offset(std::span<const std::byte> bytes) {
  constexpr unsigned seldom = windows * (widest / width) / 8;
  const Repeats repeats = count_repeats<width>(bytes);
  if (*std::ranges::max_element(repeats) < seldom) return std::nullopt;
  int steepest = 0;
  std::size_t offset = 0;
  for (std::size_t place = 0; place < width; ++place) {
    const std::size_t before = (place + width - 1) % width;
    const int drop = static_cast<int>(repeats[before]) - static_cast<int>(repeats[place]);
    if (drop > steepest) offset = place;
    steepest = std::max(steepest, drop);
  }
  return offset;
}

double promised(const Words& words, std::span<const std::byte> bytes, References references) {
  const ReferenceParts parts(references, [&](auto all) { return words.words_of(all); });
  const auto values = words.words_of(bytes);
  Header header;
  header.type = words.type;
  header.count = values.size() / element_size(words.type);
  return promise_of(header, choose_transform(words.type, values), values, parts.all()).ratio;
}

// The best so far, and what a sample promises of it.
struct Best {
  Words words;
  double promise;
};

template <std::size_t width>
void try_width(std::span<const std::byte> bytes, References references,
               std::initializer_list<ElementType> types, Best& best) {
  const auto offset = likely_offset<width>(bytes);
  if (!offset) return;
  for (const ElementType type : types) {
    const Words words{type, *offset};
    const double promise = promised(words, bytes, references);
    if (!std::isinf(promise) && promise > best.promise) best = {words, promise};
  }
}

}  // namespace

Words choose_words(std::span<const std::byte> bytes, References references) {
  constexpr std::size_t least = 16384;  // with fewer there is no promise
  constexpr double worthwhile = 1.05;
  if (bytes.size() < least) return {};
  Best best{{}, worthwhile};
  try_width<2>(bytes, references, {ElementType::int16}, best);
  try_width<4>(bytes, references, {ElementType::int32, ElementType::float32}, best);
  try_width<8>(bytes, references, {ElementType::int64, ElementType::float64}, best);
  if (!best.words.found()) return {};
  const double as_bytes = promised({ElementType::int8}, bytes, references);
  return best.promise > worthwhile * as_bytes ? best.words : Words{};
}

std::size_t frame_size(const Words& words, std::size_t size) {
  return fixed_size + words.offset + words.bytes_behind(size);
}

void write_frame(const Words& words, std::span<const std::byte> bytes, std::byte* out) {
  out[0] = std::byte(words.type);
  out[1] = std::byte(words.offset);
  const auto before = bytes.first(words.offset);
  const auto behind = bytes.last(words.bytes_behind(bytes.size()));
  std::ranges::copy(before, out + fixed_size);
  std::ranges::copy(behind, out + fixed_size + before.size());
}

std::size_t read_frame(std::span<const std::byte> in, Words& words, std::span<std::byte> bytes) {
  if (in.size() < fixed_size) return 0;
  words = {static_cast<ElementType>(in[0]), static_cast<std::size_t>(in[1])};
  if (words.type < ElementType::int16 || words.type > ElementType::float64) return 0;
  if (words.offset >= element_size(words.type) || words.offset > bytes.size()) return 0;
  const std::size_t size = frame_size(words, bytes.size());
  if (in.size() < size) return 0;
  const auto around = in.subspan(fixed_size, size - fixed_size);
  std::ranges::copy(around.first(words.offset), bytes.begin());
  std::ranges::copy(around.subspan(words.offset),
                    bytes.last(words.bytes_behind(bytes.size())).begin());
  return size;
}

}  // namespace tightwire::codec::exact
