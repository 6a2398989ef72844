// The `exact` codec: chooses the method and leaves the rest to the kernels.
#include "codec/exact/plain.h"
#include "codec/exact/promise.h"
#include "codec/exact/smaller.h"
#include "codec/exact/words.h"
#include "codec/float_environment.h"
#include "codec/history/reference_parts.h"
#include "codec/instances.h"
#include "codec/rows/components.h"
#include "codec/rows/structure.h"

namespace tightwire::codec {
namespace exact {
namespace {

// Below this a sample's promise is not worth the work.
constexpr double least_promise = 1.03;

class Exact final : public Codec {
 public:
  Id id() const override { return Id::exact; }
  bool lossy() const override { return false; }
  bool supports(ElementType) const override { return true; }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return header_size + count * element_size(type);
  }

  Result encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override {
    if (values.size() % element_size(type) != 0) return {Error::bad_parameter, 0};
    const FloatEnvironment environment;
    if (!suit(parameters.references, values.size())) return {Error::bad_parameter, 0};
    if (element_size(type) == 1) {
      const Words words = choose_words(values, parameters.references);
      if (words.found()) return encode_words(type, words, values, parameters, encoded);
    }
    return encode_as_they_are(type, values, parameters, encoded);
  }

  Result decode(ElementType type, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    return decode_with(type, encoded, {}, values);
  }

  Result decode_with(ElementType type, std::span<const std::byte> encoded, References references,
                     std::span<std::byte> values) const override {
    if (!suit(references, values.size())) return {Error::bad_parameter, 0};
    Header header;
    if (const Error error = read_header(encoded, header); error != Error::none) return {error, 0};
    if (header.type != type || values.size() % element_size(type) != 0 ||
        header.count != values.size() / element_size(type)) {
      return {Error::damaged, 0};
    }
    const auto body = encoded.subspan(header_size);
    const FloatEnvironment environment;
    return header.method == Method::words ? decode_words(body, references, values)
                                          : decode_any(header, body, references, values);
  }

 private:
  [[nodiscard]] static Result encode_as_they_are(ElementType type,
                                                 std::span<const std::byte> values,
                                                 const Parameters& parameters,
                                                 std::span<std::byte> encoded) {
    const Header header = header_for(type, values, parameters);
    if (values.empty()) return store(header, values, encoded);
    if (parameters.second_stage == SecondStage::entropy) {
      return encode_smaller(header, values, parameters, encoded);
    }
    Promise promise =
        promise_of(header, choose_transform(type, values), values, parameters.references);
    if (promise.ratio < parameters.least_ratio) return {Error::incompressible, 0};
    if (promise.ratio < least_promise) return store(header, values, encoded);
    LeftOut marks;
    leave_out(header, values, marks, promise.transform);
    return encode_tiles(header, promise.transform, values, encoded);
  }

  static Header header_for(ElementType type, std::span<const std::byte> values,
                           Parameters parameters) {
    const bool slow = parameters.second_stage == SecondStage::entropy;
    if (slow && parameters.components <= 1) parameters.components = find_components(type, values);
    Header header;
    header.type = type;
    header.count = values.size() / element_size(type);
    header.components = components_for(parameters, header.count);
    header.rows.length = row_length_for(parameters, header.components);
    if (header.rows.length != 0) {
      header.rows.in_plane = rows_in_plane_for(parameters, header.components, header.count);
    }
    return header;
  }

  // Rows were of bytes, components are of words.
  [[nodiscard]] static Result encode_words(ElementType type, const Words& words,
                                           std::span<const std::byte> bytes,
                                           const Parameters& parameters,
                                           std::span<std::byte> encoded) {
    Header header{type, Method::words, 1, {}, bytes.size()};
    const auto body = body_of(bytes, encoded);
    const std::size_t size = frame_size(words, bytes.size());
    if (body.size() < size) return store(header, bytes, encoded);
    write_header(header, encoded.data());
    write_frame(words, bytes, body.data());
    Parameters inner = parameters;
    const ReferenceParts parts(parameters.references,
                               [&](auto all) { return words.words_of(all); });
    inner.references = parts.all();
    const std::size_t width = element_size(words.type);
    inner.row_length =
        parameters.row_length % width == 0 ? parameters.row_length / std::uint32_t(width) : 0;
    inner.plane_length = parameters.plane_length / static_cast<std::uint32_t>(width);
    Result result =
        encode_as_they_are(words.type, words.words_of(bytes), inner, body.subspan(size));
    if (result.error == Error::output_too_small) return store(header, bytes, encoded);
    result.size += header_size + size;
    return result;
  }

  [[nodiscard]] Result decode_words(std::span<const std::byte> body, References references,
                                    std::span<std::byte> bytes) const {
    Words words;
    const std::size_t size = read_frame(body, words, bytes);
    if (size == 0) return {Error::damaged, 0};
    const ReferenceParts parts(references, [&](auto all) { return words.words_of(all); });
    const Result result =
        decode_with(words.type, body.subspan(size), parts.all(), words.words_of(bytes));
    return result.ok() ? Result{Error::none, bytes.size()} : result;
  }
};

}  // namespace
}  // namespace exact

const Codec& exact_codec() {
  static const exact::Exact codec;
  return codec;
}

}  // namespace tightwire::codec
