#include "codec/exact/coded.h"

#include <limits>

#include "codec/entropy/scratch.h"
#include "codec/exact/transform.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::exact {
namespace {

// Zeros stand before the integers of each component.
entropy::Scratch scratch_for(const Header& header) {
  const std::size_t zeros = (header.components - 1u) * entropy::most_reach(header.rows.apart());
  return {header.count + zeros, element_size(header.type), header.rows.apart()};
}

Result encode_as(const Header& header, const Transform& transform,
                 std::span<const std::byte> values, const entropy::Scratch& scratch,
                 std::span<std::byte> body) {
  const std::size_t size = transform_size(header.type, transform);
  if (body.size() < size) return {Error::output_too_small, 0};
  write_transform(header.type, transform, body.data());
  Result result =
      active_kernels().coded_encode(header, transform, values, scratch.bytes(), body.subspan(size));
  result.size += size;
  return result;
}

}  // namespace

Result encode_coded(const Header& header, const Transform& transform,
                    std::span<const std::byte> values, std::span<std::byte> body) {
  const entropy::Scratch scratch = scratch_for(header);
  if (!scratch) return {Error::out_of_memory, 0};
  const Result result = encode_as(header, transform, values, scratch, body);
  if (result.error != Error::bad_parameter) return result;
  return encode_as(header, {}, values, scratch, body);
}

double estimate_coded(const Header& header, const Transform& transform,
                      std::span<const std::byte> values, Counted counted) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const entropy::Scratch scratch = scratch_for(header);
  if (!scratch) return none;
  const auto with = [&](const Transform& by) {
    return active_kernels().coded_estimate(header, by, values, counted, scratch.bytes());
  };
  const double bits = with(transform);
  return bits == none ? with({}) : bits;
}

Result decode_coded(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values) {
  Transform transform;
  const std::size_t size = read_transform(header.type, header.count, body, references, transform);
  if (size == 0) return {Error::damaged, 0};
  const entropy::Scratch scratch = scratch_for(header);
  if (!scratch) return {Error::out_of_memory, 0};
  return active_kernels().coded_decode(header, transform, body.subspan(size), scratch.bytes(),
                                       values);
}

}  // namespace tightwire::codec::exact
