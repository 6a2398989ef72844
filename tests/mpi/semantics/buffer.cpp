#include "buffer.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdio>

#include "content.h"

namespace semantics {
namespace {

constexpr std::size_t guard = 64;  // bytes on either side

std::byte pattern(std::size_t i) {
  return static_cast<std::byte>(0xA5 ^ (i * 7));
}

}  // namespace

Buffer::Buffer(const Signature& signature, const Placement& placement)
    : layout_(signature, placement), bytes_(layout_.span() + 2 * guard) {
  wipe();
}

std::byte* Buffer::start() {
  return bytes_.data() + guard;
}

void Buffer::wipe() {
  for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = pattern(i);
}

void Buffer::put(const std::vector<std::byte>& packed) {
  layout_.scatter(packed, start());
}

std::string Buffer::compare(std::vector<std::byte> bytes, const std::vector<std::byte>& packed,
                            double bound) const {
  std::vector<std::byte> expected(bytes.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = pattern(i);
  layout_.scatter(packed, expected.data() + guard);
  if (bound > 0) {
    std::vector<std::byte> received(packed.size());
    layout_.gather(bytes.data() + guard, received);
    if (!within(bound, layout_.signature().base, packed, received)) return "OUTSIDE-THE-BOUND";
    layout_.scatter(packed, bytes.data() + guard);
  }
  const auto difference = std::mismatch(bytes.begin(), bytes.end(), expected.begin());
  if (difference.first == bytes.end()) return "ok";
  return "DIFFERS-AT-" + std::to_string(difference.first - bytes.begin()) + "-OF-" +
         std::to_string(bytes.size());
}

std::string Buffer::compare_outside(std::vector<std::byte> bytes) const {
  const Signature& room = layout_.signature();
  const std::vector<std::byte> zeros(room.count * size_of(room.base));
  layout_.scatter(zeros, bytes.data() + guard);
  return compare(std::move(bytes), zeros, 0);
}

std::string hash_of(const std::vector<std::byte>& bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return text;
}

}  // namespace semantics
