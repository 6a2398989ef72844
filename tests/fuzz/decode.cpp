// Any bytes into every decoder, for any type and count. The checksum of the zfp codecs is repaired,
// for behind it is code that must stand on its own; that of SZ3 is not, see codec/adapters/sz3.cpp.
#include <xxhash.h>

#include "input.h"

namespace {

using tightwire::codec::ElementType;
using tightwire::codec::Id;

void repair(Id id, ElementType type, std::size_t count, std::vector<std::byte>& encoded) {
  constexpr std::size_t body = 9;  // see others/patched.h
  if (id != Id::zfp_accuracy && id != Id::zfp_rate) return;
  if (encoded.size() < body || encoded[0] != std::byte{1}) return;
  const std::uint64_t sum = XXH3_64bits_withSeed(encoded.data() + body, encoded.size() - body,
                                                 count * 16 + static_cast<std::uint64_t>(type));
  std::memcpy(encoded.data() + 1, &sum, sizeof sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tightwire::fuzz::Input input(data, size);
  const auto& codec = input.codec();
  const ElementType type = input.type();
  const std::size_t count = input.word();
  std::vector<std::byte> encoded = input.rest();
  repair(codec.id(), type, count, encoded);
  std::vector<std::byte> values(count * element_size(type));
  const auto result = codec.decode(type, encoded, values);
  tightwire::fuzz::require(!result.ok() || result.size == values.size(),
                           "a decoder that succeeds has filled the values");
  return 0;
}
