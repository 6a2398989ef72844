// Encodings that were predicted from earlier messages, with any bytes for these; and values through
// the encoders and back.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "input.h"

namespace {

using namespace tightwire;
using codec::ElementType;
using fuzz::require;
using Bytes = std::vector<std::byte>;

constexpr std::size_t most_bytes = 1 << 16;

// Each differs from the first in some places.
std::vector<Bytes> messages_like(const Bytes& first, std::size_t number, std::uint64_t seed) {
  std::vector<Bytes> all(number, first);
  for (Bytes& one : all) {
    for (std::size_t i = seed % 61; i < one.size(); i += 1 + seed % 61) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      one[i] ^= std::byte(seed >> 60);
    }
  }
  return all;
}

void decode_any(codec::Id id, ElementType type, std::size_t count, codec::References references,
                const Bytes& encoded) {
  Bytes values(count * element_size(type));
  const auto result = codec::find(id)->decode_with(type, encoded, references, values);
  require(!result.ok() || result.size == values.size(),
          "a decoder that succeeds has filled the values");
}

Bytes encode(const codec::Codec& codec, ElementType type, const Bytes& values,
             const codec::Parameters& parameters) {
  Bytes encoded(codec.max_encoded_size(type, values.size() / element_size(type)));
  const auto result = codec.encode(type, values, parameters, encoded);
  require(result.ok(), "values can be encoded");
  encoded.resize(result.size);
  return encoded;
}

Bytes decode(const codec::Codec& codec, ElementType type, const Bytes& encoded, std::size_t size,
             codec::References references) {
  Bytes decoded(size, std::byte{0xa5});
  require(codec.decode_with(type, encoded, references, decoded).ok(), "what was encoded decodes");
  return decoded;
}

void round_trip(ElementType type, const Bytes& values, const codec::Parameters& parameters) {
  const codec::Codec& exact = *codec::find(codec::Id::exact);
  Bytes encoded = encode(exact, type, values, parameters);
  Bytes decoded = decode(exact, type, encoded, values.size(), parameters.references);
  require(decoded == values, "an exact codec is exact");
  encoded.pop_back();
  require(!exact.decode_with(type, encoded, parameters.references, decoded).ok(),
          "a missing byte is damage");
}

template <class T>
void require_within(const Bytes& decoded, const Bytes& values, double bound) {
  for (std::size_t at = 0; at < values.size(); at += sizeof(T)) {
    T one;
    T other;
    std::memcpy(&one, values.data() + at, sizeof one);
    std::memcpy(&other, decoded.data() + at, sizeof other);
    const auto bytes = values.begin() + static_cast<std::ptrdiff_t>(at);
    const bool same =
        std::equal(bytes, bytes + sizeof(T), decoded.begin() + static_cast<std::ptrdiff_t>(at));
    const double error = std::abs(static_cast<double>(one) - static_cast<double>(other));
    require(same || error <= bound, "the bound holds");
  }
}

void round_trip_within(ElementType type, const Bytes& values, codec::Parameters parameters) {
  const codec::Codec& bounded = *codec::find(codec::Id::bounded);
  if (!bounded.supports(type)) return;
  parameters.alone = true;
  const Bytes encoded = encode(bounded, type, values, parameters);
  const Bytes decoded = decode(bounded, type, encoded, values.size(), parameters.references);
  if (type == ElementType::float32) {
    require_within<float>(decoded, values, parameters.error_bound);
  } else {
    require_within<double>(decoded, values, parameters.error_bound);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const ElementType type = input.type();
  const std::uint8_t flags = input.byte();
  const std::size_t number = input.byte() % (codec::most_references + 1);
  const std::size_t count = std::min(std::size_t{input.word()}, most_bytes / element_size(type));
  const std::uint64_t seed = input.word();
  Bytes rest = input.rest();
  const bool any_encoding = flags % 2 == 0;
  Bytes like = rest;
  like.resize(any_encoding ? count * element_size(type)
                           : rest.size() / element_size(type) * element_size(type));
  const std::vector<Bytes> before = messages_like(like, number, seed);
  const std::vector<std::span<const std::byte>> references(before.begin(), before.end());
  if (any_encoding) {
    decode_any(codec::Id::exact, type, count, references, rest);
    decode_any(codec::Id::bounded, type, count, references, rest);
    return 0;
  }
  codec::Parameters parameters;
  parameters.references = references;
  parameters.components = 1 + flags / 4 % 16;
  if (flags / 2 % 2 == 1) parameters.second_stage = codec::SecondStage::entropy;
  round_trip(type, like, parameters);
  parameters.error_bound = std::exp2(static_cast<double>(seed % 256) - 128);
  round_trip_within(type, like, parameters);
  return 0;
}
