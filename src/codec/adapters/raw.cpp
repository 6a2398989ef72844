// The identity, for data that no codec makes smaller.
#include <cstring>

#include "codec/instances.h"

namespace tightwire::codec {
namespace {

class Raw final : public Codec {
 public:
  Id id() const override { return Id::raw; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return true; }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return count * element_size(type);
  }

  Result encode(ElementType, std::span<const std::byte> values, const Parameters&,
                std::span<std::byte> encoded) const override {
    if (encoded.size() < values.size()) return {Error::output_too_small, 0};
    if (!values.empty()) std::memcpy(encoded.data(), values.data(), values.size());
    return {Error::none, values.size()};
  }

  Result decode(ElementType, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    if (encoded.size() != values.size()) return {Error::damaged, 0};
    if (!values.empty()) std::memcpy(values.data(), encoded.data(), encoded.size());
    return {Error::none, values.size()};
  }
};

}  // namespace

const Codec& raw_codec() {
  static const Raw codec;
  return codec;
}

}  // namespace tightwire::codec
