// Any values through every codec: the promises of codec.h.
#include <cmath>

#include "../codec/promise.h"
#include "codec/error_bound.h"
#include "input.h"

namespace {

using namespace tightwire;
using codec::ElementType;
using fuzz::require;

codec::Parameters parameters_from(fuzz::Input& input) {
  codec::Parameters parameters;
  parameters.error_bound = std::ldexp(1 + input.byte() / 256.0, input.byte() - 128);
  parameters.terms = 1 + input.byte();
  parameters.row_length = input.byte();
  parameters.zfp_rate = 1 + input.byte() % 64;
  const std::uint8_t flags = input.byte();
  if (flags % 4 == 0) parameters.second_stage = codec::SecondStage::entropy;
  if (flags / 4 % 2 == 1) {
    parameters.alone = true;
    parameters.terms = 1;
  }
  const auto number = static_cast<std::uint32_t>(1 + flags / 8 % 16);
  if (flags < 128) {
    parameters.components = number;
  } else {
    parameters.plane_length = number * parameters.row_length;
  }
  return parameters;
}

template <class T>
std::vector<T> numbers_of(const std::vector<std::byte>& bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// `alone`: an encoding of `bounded`, of which docs/user/accuracy.md promises more, and of -0 and
// subnormals of a field less.
template <class T>
void check_bound(const std::vector<std::byte>& values, const std::vector<std::byte>& decoded,
                 double bound, bool alone) {
  const std::vector<T> originals = numbers_of<T>(values);
  const std::vector<T> results = numbers_of<T>(decoded);
  if (alone) {
    const codec::Promise<T> promise(originals, bound);
    for (std::size_t i = 0; i < originals.size(); ++i) {
      const char* const broken = promise.broken_by(originals[i], results[i]);
      require(broken == nullptr, broken);
    }
    return;
  }
  for (std::size_t i = 0; i < originals.size(); ++i) {
    require(codec::honours_bound(originals[i], results[i], bound), "no value is outside the bound");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const codec::Codec& codec = input.codec();
  const ElementType type = input.type();
  const codec::Parameters parameters = parameters_from(input);
  std::vector<std::byte> values = input.rest();
  values.resize(values.size() / element_size(type) * element_size(type));
  if (!codec.supports(type)) return 0;

  std::vector<std::byte> encoded(codec.max_encoded_size(type, values.size() / element_size(type)));
  const auto result = codec.encode(type, values, parameters, encoded);
  require(result.ok(), "what is supported can be encoded");
  require(result.size <= encoded.size(), "max_encoded_size() suffices");
  encoded.resize(result.size);
  std::vector<std::byte> again(codec.max_encoded_size(type, values.size() / element_size(type)));
  again.resize(codec.encode(type, values, parameters, again).size);
  require(again == encoded, "the same values give the same bytes");

  std::vector<std::byte> decoded(values.size(), std::byte{0xa5});
  require(codec.decode(type, encoded, decoded).ok(), "what was encoded decodes");
  const bool alone = parameters.alone && codec.id() == codec::Id::bounded;
  if (codec.lossy() && type == ElementType::float32) {
    check_bound<float>(values, decoded, parameters.error_bound, alone);
  } else if (codec.lossy()) {
    check_bound<double>(values, decoded, parameters.error_bound, alone);
  } else {
    require(decoded == values, "an exact codec is exact");
  }

  std::vector<std::byte> short_by_one(encoded.begin(), encoded.end() - (encoded.empty() ? 0 : 1));
  require(encoded.empty() || !codec.decode(type, short_by_one, decoded).ok(),
          "a missing byte is damage");
  return 0;
}
