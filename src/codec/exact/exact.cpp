// The `exact` codec: chooses the method and leaves the tiles to the kernels.
#include <cstring>
#include <new>

#include "codec/bounded/layout.h"
#include "codec/exact/layout.h"
#include "codec/exact/shuffle.h"
#include "codec/instances.h"
#include "codec/rows/reach.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace exact {
namespace {

// Below this a sample's promise is not worth the work.
constexpr double least_promise = 1.03;

Result store(Header header, std::span<const std::byte> values, std::span<std::byte> encoded) {
  header.method = Method::stored;
  header.predictor = 0;
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

Result encode_tiles(Header header, std::span<const std::byte> values,
                    std::span<std::byte> encoded) {
  header.rows.reach = exact_rows_reach(header.type, values, header.rows.length);
  const Result body = active_kernels().exact_encode(header, values, body_of(values, encoded));
  if (!body.ok()) return store(header, values, encoded);
  header.method = Method::tiles;
  write_header(header, encoded.data());
  return {Error::none, header_size + body.size};
}

// Tiles first, which take a tenth of the time and win where there is little but runs.
Result encode_shuffled(Header header, std::span<const std::byte> values,
                       const Parameters& parameters, std::span<std::byte> encoded) {
  const Result tiles = encode_tiles(header, values, encoded);
  const Predictor predictor = choose_predictor(header.type, header.rows.length, values, parameters);
  std::vector<std::byte> planes(values.size());
  to_planes(header.type, predictor, header.rows.length, values, planes);
  std::vector<std::byte> smaller(tiles.ok() ? tiles.size - header_size
                                            : body_of(values, encoded).size());
  const Result body = zstd_codec().encode(ElementType::bytes, planes, parameters, smaller);
  if (body.error == Error::output_too_small) return tiles;
  if (!body.ok()) return body;
  header.method = Method::shuffled;
  header.predictor = static_cast<std::uint8_t>(predictor);
  write_header(header, encoded.data());
  std::memcpy(encoded.data() + header_size, smaller.data(), body.size);
  return {Error::none, header_size + body.size};
}

Result decode_shuffled(const Header& header, std::span<const std::byte> body,
                       std::span<std::byte> values) {
  const auto predictor = static_cast<Predictor>(header.predictor);
  if (predictor == Predictor::row && header.rows.length == 0) return {Error::damaged, 0};
  std::vector<std::byte> planes(values.size());
  const Result result = zstd_codec().decode(ElementType::bytes, body, planes);
  if (!result.ok()) return result;
  from_planes(header.type, predictor, header.rows.length, planes, values);
  return {Error::none, values.size()};
}

// The standard containers of the second stage throw; the interface does not.
template <class Run>
Result without_exceptions(Run run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return {Error::out_of_memory, 0};
  }
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
    Header header;
    header.type = type;
    header.rows.length = parameters.row_length > bounded::longest_row ? 0 : parameters.row_length;
    header.count = values.size() / element_size(type);
    if (values.empty()) return store(header, values, encoded);
    if (parameters.second_stage == SecondStage::zstd) {
      return without_exceptions(
          [&] { return encode_shuffled(header, values, parameters, encoded); });
    }
    const double promise = active_kernels().exact_promise(header, values);
    if (promise < parameters.least_ratio) return {Error::incompressible, 0};
    if (promise < least_promise) return store(header, values, encoded);
    return encode_tiles(header, values, encoded);
  }

  Result decode(ElementType type, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    Header header;
    if (const Error error = read_header(encoded, header); error != Error::none) return {error, 0};
    if (header.type != type || values.size() % element_size(type) != 0 ||
        header.count != values.size() / element_size(type)) {
      return {Error::damaged, 0};
    }
    const auto body = encoded.subspan(header_size);
    switch (header.method) {
      case Method::stored:
        if (body.size() != values.size()) return {Error::damaged, 0};
        if (!values.empty()) std::memcpy(values.data(), body.data(), body.size());
        return {Error::none, values.size()};
      case Method::tiles:
        return active_kernels().exact_decode(header, body, values);
      case Method::shuffled:
        return without_exceptions([&] { return decode_shuffled(header, body, values); });
    }
    return {Error::damaged, 0};
  }
};

}  // namespace
}  // namespace exact

const Codec& exact_codec() {
  static const exact::Exact codec;
  return codec;
}

}  // namespace tightwire::codec
