// In place of codecs whose libraries a machine need not have: they encode nothing.
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

template <Id number>
class Absent final : public Codec {
 public:
  Id id() const override { return number; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return false; }
  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return count * element_size(type);
  }
  Result encode(ElementType, std::span<const std::byte>, const Parameters&,
                std::span<std::byte>) const override {
    return {Error::unsupported_type, 0};
  }
  Result decode(ElementType, std::span<const std::byte>, std::span<std::byte>) const override {
    return {Error::unsupported_type, 0};
  }
};

template <Id number>
const Codec& absent() {
  static const Absent<number> codec;
  return codec;
}

}  // namespace

const Codec& zstd_codec() {
  return absent<Id::zstd>();
}
const Codec& lz4_codec() {
  return absent<Id::lz4>();
}

}  // namespace tightwire::codec
