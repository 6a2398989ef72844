// What a GPU makes of a message within a bound, as a codec: a chunked stream of `bounded` in chunks
// of 64 KiB. A GPU writes streams of the device profile (docs/dev/format.md), which src/device/ has
// for processors as well; what is encoded here is not of it, but every reader takes both.
#include "codec/chunked/chunked.h"
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

std::size_t values_per_chunk(ElementType type) {
  return (std::size_t{1} << 16) / element_size(type);
}

class BoundedDevice final : public Codec {
 public:
  Id id() const override { return Id::bounded_device; }
  bool lossy() const override { return true; }
  bool supports(ElementType type) const override { return is_floating_point(type); }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return chunked::max_encoded_size(bounded_codec(), type, count, values_per_chunk(type));
  }

  Result encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override {
    if (!supports(type)) return {Error::unsupported_type, 0};
    return chunked::encode(bounded_codec(), type, values, parameters,
                           {values_per_chunk(type), nullptr, {}}, encoded);
  }

  // Chunks of another codec's could be such streams again.
  Result decode(ElementType type, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    if (!supports(type)) return {Error::unsupported_type, 0};
    chunked::Header header;
    if (const Error error = chunked::read_header(encoded, header); error != Error::none) {
      return {error, 0};
    }
    const bool as_expected =
        header.codec == Id::bounded && header.cut.values_per_chunk == values_per_chunk(type);
    if (!as_expected) return {Error::damaged, 0};
    return chunked::decode(type, encoded, {}, values);
  }
};

}  // namespace

const Codec& bounded_device_codec() {
  static const BoundedDevice codec;
  return codec;
}

}  // namespace tightwire::codec
