// The `bounded` codec: checks parameters and headers, and leaves the rest to the kernels.
#include "codec/bounded/bounded.h"

#include <cstring>
#include <memory>
#include <new>

#include "codec/bounded/coded.h"
#include "codec/bounded/layout.h"
#include "codec/bounded/made_header.h"
#include "codec/bounded/records.h"
#include "codec/exact/transform.h"
#include "codec/float_environment.h"
#include "codec/history/bounded_in_time.h"
#include "codec/history/reference_parts.h"
#include "codec/instances.h"
#include "codec/rows/planes.h"
#include "codec/rows/reach.h"
#include "codec/rows/structure.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace bounded {
namespace {

std::size_t max_size(ElementType type, std::size_t count) {
  const std::size_t size = element_size(type);
  const std::size_t tiles = count / tile_values;
  const std::size_t rest = count % tile_values;
  const std::size_t rest_blocks = (rest + block_values - 1) / block_values;
  const std::size_t rest_size = rest == 0 ? 0
                                          : max_mask_size(size) + 10 + tile_blocks / 2 +
                                                rest_blocks * (4 + block_values * size);
  return header_size + tiles * max_tile_size(size) + rest_size;
}

// With a higher ratio an encoding is not compared with what `exact` would make of the values, but
// for numbers with few digits or bits, of which a bound may leave more than they have. A sample
// tells; for few values it would take longer than they do. Beyond the second ratio there is next to
// nothing left to be smaller than.
constexpr double looks_good = 3;
constexpr double is_next_to_nothing = 1024;
constexpr std::uint64_t worth_a_sample = 8192;

bool have_few_digits(const Header& header, std::span<const std::byte> values) {
  return header.count >= worth_a_sample &&
         exact::choose_transform(header.type, values).kind != exact::TransformKind::ordered;
}

double ratio_of(std::span<const std::byte> values, const Result& encoding) {
  return static_cast<double>(values.size()) / static_cast<double>(encoding.size);
}

class Bounded final : public Codec {
 public:
  Id id() const override { return Id::bounded; }
  bool lossy() const override { return true; }
  bool supports(ElementType type) const override { return is_floating_point(type); }

  std::size_t max_encoded_size(ElementType type, std::size_t count) const override {
    return max_size(type, count);
  }

  Result encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override {
    if (!supports(type)) return {Error::unsupported_type, 0};
    if (!valid_grid(parameters.error_bound, parameters.terms)) return {Error::bad_parameter, 0};
    if (values.size() % element_size(type) != 0 || !suit(parameters.references, values.size())) {
      return {Error::bad_parameter, 0};
    }
    if (encoded.size() < header_size) return {Error::output_too_small, 0};
    const FloatEnvironment environment;
    if (parameters.alone && parameters.terms == 1) {
      return encode_alone(type, values, parameters, encoded);
    }
    return encode_with(header_for(type, values, parameters), values, encoded);
  }

  Result decode(ElementType type, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override {
    return decode_with(type, encoded, {}, values);
  }

  Result decode_with(ElementType type, std::span<const std::byte> encoded, References references,
                     std::span<std::byte> values) const override {
    if (!supports(type)) return {Error::unsupported_type, 0};
    Header header;
    if (const Error error = read_header(encoded, header); error != Error::none) return {error, 0};
    if (header.type != type || values.size() % element_size(type) != 0 ||
        header.count != values.size() / element_size(type)) {
      return {Error::damaged, 0};
    }
    if (header.grid == GridKind::none) {
      return exact_codec().decode_with(type, encoded.subspan(header_size), references, values);
    }
    const FloatEnvironment environment;
    const auto body = encoded.subspan(header_size);
    if (header.grid == GridKind::coded) return decode_coded(header, body, values);
    if (is_in_time(header)) return decode_in_time(header, body, references, values);
    return active_kernels().bounded_decode(header, body, values);
  }

  // Of values of any grid.
  static Result encode_with(Header header, std::span<const std::byte> values,
                            std::span<std::byte> encoded) {
    if (header.rows.length != 0) header.rows.reach = bounded_rows_reach(header, values);
    if (!bounded_planes_pay(header, values)) header.rows.in_plane = 0;
    return with_header(
        header, encoded,
        active_kernels().bounded_encode(header, values, encoded.subspan(header_size)));
  }

  // Encodings that will be summed have a grid in common. Others have one that suits their values,
  // or none where `exact` is as small.
  static Result encode_alone(ElementType type, std::span<const std::byte> values,
                             const Parameters& parameters, std::span<std::byte> encoded) {
    const FittedGrid grid = grid_for(type, values, parameters.error_bound);
    Header header = header_for(type, values, parameters);
    if (!grid.usable && values.empty()) return encode_with(header, values, encoded);
    if (!grid.usable) return encode_exactly(type, values, parameters, 0, encoded);
    put_into(header, grid);
    if (header.rows.length != 0) {
      header.rows.in_plane = rows_in_plane_for(parameters, 1, header.count);
    }
    const bool predicted = !parameters.references.empty() && time_pays(header, values, parameters);
    const auto on_grid = [&] {
      if (predicted) {
        const Result in_time = encode_predicted(header, values, parameters, encoded);
        if (in_time.error != Error::output_too_small) return in_time;
      }
      const Result tiles = encode_apart(header, values, parameters, encoded);
      if (!tiles.ok() || parameters.second_stage == SecondStage::none) return tiles;
      return code_if_smaller(header, values, tiles, encoded);
    };
    const Result result = on_grid();
    if (!result.ok() || values.empty()) return result;
    const double ratio = ratio_of(values, result);
    if (ratio >= is_next_to_nothing) return result;
    if (ratio >= looks_good && !have_few_digits(header, values)) return result;
    return exactly_if_no_longer(type, values, parameters, result, encoded);
  }

  // `tiles` have been written, and stay where `exact` makes more of the values, or there is no
  // memory.
  static Result exactly_if_no_longer(ElementType type, std::span<const std::byte> values,
                                     const Parameters& parameters, const Result& tiles,
                                     std::span<std::byte> encoded) {
    const bool coded = parameters.second_stage != SecondStage::none;
    const std::size_t size = coded ? encoded.size() : tiles.size;
    const std::unique_ptr<std::byte[]> room(new (std::nothrow) std::byte[size]);
    if (!room) return tiles;
    const double ratio = ratio_of(values, tiles);
    const Result exact = encode_exactly(type, values, parameters, ratio, {room.get(), size});
    if (!exact.ok() || exact.size > tiles.size) return tiles;
    std::memcpy(encoded.data(), room.get(), exact.size);
    return exact;
  }

  // From earlier messages.
  static Result encode_predicted(Header header, std::span<const std::byte> values,
                                 const Parameters& parameters, std::span<std::byte> encoded) {
    header.rows = {};
    header.grid = GridKind::in_time;
    const References references = parameters.references;
    const Result tiles = with_header(
        header, encoded, encode_in_time(header, values, references, encoded.subspan(header_size)));
    if (!tiles.ok() || parameters.second_stage == SecondStage::none) return tiles;
    header.grid = GridKind::coded_in_time;
    return shorter_of(header, tiles, encoded, [&](std::span<std::byte> room) {
      return encode_in_time(header, values, references, room);
    });
  }

  static Result code_if_smaller(Header header, std::span<const std::byte> values,
                                const Result& tiles, std::span<std::byte> encoded) {
    header.grid = GridKind::coded;
    header.rows.reach = 0;
    return shorter_of(header, tiles, encoded, [&](std::span<std::byte> room) {
      return encode_coded(header, values, room);
    });
  }

  // `tiles` have been written, and stay where the entropy coder makes no less of the values. It
  // gets room beyond them, for it stops before it knows how short a segment will be.
  template <class Encode>
  static Result shorter_of(const Header& header, const Result& tiles, std::span<std::byte> encoded,
                           Encode encode) {
    const double bits = static_cast<double>(tiles.size - header_size) * 8;
    if (bits < least_bits * static_cast<double>(header.count)) return tiles;
    const std::size_t room = encoded.size() - header_size;
    const std::unique_ptr<std::byte[]> smaller(new (std::nothrow) std::byte[room]);
    if (!smaller) return {Error::out_of_memory, 0};
    const Result body = encode({smaller.get(), room});
    if (body.error == Error::output_too_small) return tiles;
    if (!body.ok()) return body;
    if (header_size + body.size >= tiles.size) return tiles;
    std::memcpy(encoded.data() + header_size, smaller.get(), body.size);
    return with_header(header, encoded, body);
  }

  // With components, if there are. They have more tiles, which in the worst case do not fit.
  static Result encode_apart(const Header& header, std::span<const std::byte> values,
                             const Parameters& parameters, std::span<std::byte> encoded) {
    Header apart = header;
    apart.components = components_for(parameters, header.count);
    if (apart.components == 1) return encode_with(header, values, encoded);
    apart.rows = rows_for(parameters, apart.components);
    const Result result = encode_with(apart, values, encoded);
    return result.ok() ? result : encode_with(header, values, encoded);
  }

  // Error::incompressible, and nothing written, where a sample promises no more than `ratio`.
  static Result encode_exactly(ElementType type, std::span<const std::byte> values,
                               Parameters parameters, double ratio, std::span<std::byte> encoded) {
    Header header = header_for(type, values, parameters);
    header.grid = GridKind::none;
    header.rows = {};
    header.terms = 0;
    header.error_bound = 0;
    parameters.least_ratio = ratio;
    return with_header(
        header, encoded,
        exact_codec().encode(type, values, parameters, encoded.subspan(header_size)));
  }
};

}  // namespace
}  // namespace bounded

const Codec& bounded_codec() {
  static const bounded::Bounded codec;
  return codec;
}

}  // namespace tightwire::codec
