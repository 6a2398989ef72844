// The `exact` codec: chooses the method and leaves the rest to the kernels.
#include <cstring>
#include <memory>
#include <new>

#include "codec/bounded/layout.h"
#include "codec/entropy/layout.h"
#include "codec/exact/coded.h"
#include "codec/exact/layout.h"
#include "codec/exact/promise.h"
#include "codec/exact/transform.h"
#include "codec/exact/words.h"
#include "codec/float_environment.h"
#include "codec/history/reference_parts.h"
#include "codec/instances.h"
#include "codec/rows/components.h"
#include "codec/rows/planes.h"
#include "codec/rows/reach.h"
#include "codec/rows/structure.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace exact {
namespace {

// Below this a sample's promise is not worth the work.
constexpr double least_promise = 1.03;
// What the entropy coder makes of tiles, mostly.
constexpr double usual_gain = 1.2;

Result store(Header header, std::span<const std::byte> values, std::span<std::byte> encoded) {
  header.method = Method::stored;
  header.components = 1;
  if (encoded.size() < header_size + values.size()) return {Error::output_too_small, 0};
  write_header(header, encoded.data());
  if (!values.empty()) std::memcpy(encoded.data() + header_size, values.data(), values.size());
  return {Error::none, header_size + values.size()};
}

// What the body may take before storing would be smaller.
std::span<std::byte> body_of(std::span<const std::byte> values, std::span<std::byte> encoded) {
  if (encoded.size() < header_size) return {};
  return encoded.subspan(header_size, std::min(encoded.size() - header_size, values.size()));
}

Result tiles_of(const Header& header, const Transform& transform, std::span<const std::byte> values,
                std::span<std::byte> body) {
  const std::size_t size = transform_size(header.type, transform);
  if (body.size() < size) return {Error::output_too_small, 0};
  write_transform(header.type, transform, body.data());
  Result result = active_kernels().exact_encode(header, transform, values, body.subspan(size));
  result.size += size;
  return result;
}

Result encode_tiles(Header header, const Transform& transform, std::span<const std::byte> values,
                    std::span<std::byte> encoded) {
  header.rows.reach = exact_rows_reach(header, values);
  if (!exact_planes_pay(header, values)) header.rows.in_plane = 0;
  header.method = Method::tiles;
  Result body = tiles_of(header, transform, values, body_of(values, encoded));
  if (body.error == Error::bad_parameter) {
    body = tiles_of(header, {}, values, body_of(values, encoded));
  }
  if (!body.ok()) return store(header, values, encoded);
  write_header(header, encoded.data());
  return {Error::none, header_size + body.size};
}

Result decode_tiles(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values) {
  Transform transform;
  const std::size_t size = read_transform(header.type, header.count, body, references, transform);
  if (size == 0) return {Error::damaged, 0};
  return active_kernels().exact_decode(header, transform, body.subspan(size), values);
}

// Through the entropy coder.
struct Coded {
  Header header;
  std::unique_ptr<std::byte[]> body;
  Result result;
};

// In at most `room` bytes.
Coded coded_of(const Header& header, const Transform& transform, std::span<const std::byte> values,
               std::size_t room) {
  Coded coded{header, std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[room]), {}};
  coded.header.method = Method::coded;
  coded.result = coded.body == nullptr
                     ? Result{Error::out_of_memory, 0}
                     : encode_coded(header, transform, values, {coded.body.get(), room});
  return coded;
}

// The same values, not taken apart.
Header together(Header header) {
  const std::size_t row_length = std::size_t{header.rows.length} * header.components;
  header.rows.length =
      row_length > bounded::longest_row ? 0 : static_cast<std::uint32_t>(row_length);
  if (header.rows.length == 0) header.rows.in_plane = 0;
  header.components = 1;
  return header;
}

// Rows, which the search for components leaves out, may be better than these; and few values share
// one table of codes.
Coded smallest_of(const Header& header, const Transform& transform,
                  std::span<const std::byte> values, std::size_t room) {
  Coded apart = coded_of(header, transform, values, room);
  const bool many = header.count / header.components >= entropy::segment_values;
  if (header.components == 1 || (many && header.rows.length == 0)) return apart;
  Coded one = coded_of(together(header), transform, values, room);
  const bool smaller = !apart.result.ok() || one.result.size < apart.result.size;
  return one.result.ok() && smaller ? std::move(one) : std::move(apart);
}

// Tiles first, which take a tenth of the time and win where there is little but runs.
Result encode_smaller(const Header& header, std::span<const std::byte> values,
                      const Parameters& parameters, std::span<std::byte> encoded) {
  Transform transform = choose_transform(header.type, values);
  Promise promise = promise_of(header, transform, values, parameters.references);
  if (promise.ratio * usual_gain < parameters.least_ratio) return {Error::incompressible, 0};
  LeftOut marks;
  leave_out(header, values, marks, promise.transform);
  if (promise.transform.kind == TransformKind::extrapolated) transform = promise.transform;
  const Result tiles = encode_tiles(header, promise.transform, values, encoded);
  // Beyond what tiles take, for the coder stops before it knows how short a segment will be.
  const std::size_t room = body_of(values, encoded).size();
  const Coded coded = smallest_of(header, transform, values, room);
  if (coded.result.error == Error::output_too_small) return tiles;
  if (!coded.result.ok()) return coded.result;
  if (tiles.ok() && tiles.size <= header_size + coded.result.size) return tiles;
  write_header(coded.header, encoded.data());
  std::memcpy(encoded.data() + header_size, coded.body.get(), coded.result.size);
  return {Error::none, header_size + coded.result.size};
}

Result restore(std::span<const std::byte> body, std::span<std::byte> values) {
  if (body.size() != values.size()) return {Error::damaged, 0};
  if (!values.empty()) std::memcpy(values.data(), body.data(), body.size());
  return {Error::none, values.size()};
}

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
    switch (header.method) {
      case Method::stored:
        return restore(body, values);
      case Method::tiles:
        return decode_tiles(header, body, references, values);
      case Method::coded:
        return decode_coded(header, body, references, values);
      case Method::words:
        return decode_words(body, references, values);
    }
    return {Error::damaged, 0};
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
