#include "codec/history/sums_in_time.h"

#include "codec/bounded/header_grid.h"
#include "codec/bounded/made_header.h"
#include "codec/float_environment.h"
#include "codec/history/in_time.h"
#include "codec/history/reference_parts.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::bounded {
namespace {

// Of the grid that follows from bound and terms; 0 if there is none.
double derived_step(const Header& sums) {
  if (sums.type == ElementType::float32) return static_cast<double>(grid_of<float>(sums).step);
  return grid_of<double>(sums).step;
}

Error check(ElementType type, std::size_t value_bytes, const Parameters& parameters) {
  if (!is_floating_point(type)) return Error::unsupported_type;
  const bool good = value_bytes % element_size(type) == 0 && !parameters.references.empty() &&
                    suit(parameters.references, value_bytes) &&
                    valid_grid(parameters.error_bound, parameters.terms);
  return good ? Error::none : Error::bad_parameter;
}

// What is left of sums, taken apart.
struct Left {
  Error error = Error::none;
  Header sums;
  InTime in_time;
  std::span<const std::byte> body;
};

Left read_left(ElementType type, std::span<const std::byte> left, std::span<const std::byte> own,
               const Parameters& parameters) {
  Left read;
  read.error = check(type, own.size(), parameters);
  if (read.error != Error::none) return read;
  Header header;
  read.error = read_header(left, header);
  if (read.error != Error::none) return read;
  read.sums = header_for(type, own, parameters);
  const bool same_grid = header.grid == GridKind::in_time && header.type == type &&
                         header.origin == 0 && header.step == derived_step(read.sums);
  if (!same_grid) read.error = Error::mismatched_grid;
  if (header.count != read.sums.count) read.error = Error::damaged;
  if (read.error != Error::none) return read;
  const auto body = left.subspan(header_size);
  const auto in_time = read_in_time(header.count, parameters.references, body);
  if (!in_time) {
    read.error = Error::damaged;
    return read;
  }
  read.in_time = *in_time;
  read.body = body.subspan(in_time_size(header.count));
  return read;
}

}  // namespace

Result leave_of_sums(ElementType type, std::span<const std::byte> encoded,
                     const Parameters& parameters, std::span<std::byte> out) {
  Header sums;
  if (const Error error = read_header(encoded, sums); error != Error::none) return {error, 0};
  if (sums.type != type || sums.grid != GridKind::derived) return {Error::mismatched_grid, 0};
  const std::size_t value_bytes = sums.count * element_size(type);
  if (const Error error = check(type, value_bytes, parameters); error != Error::none) {
    return {error, 0};
  }
  Header header;
  header.type = type;
  header.grid = GridKind::in_time;
  header.step = derived_step(sums);
  header.count = sums.count;
  if (header.step == 0) return {Error::bad_parameter, 0};
  const std::size_t head = in_time_size(sums.count);
  if (out.size() < header_size + head) return {Error::output_too_small, 0};
  const auto body = out.subspan(header_size);
  const auto left_out = write_in_time(sums.count, parameters.references, body);
  const FloatEnvironment environment;
  Result result = active_kernels().bounded_leave_of_sums(
      sums, encoded.subspan(header_size), parameters.references, left_out, body.subspan(head));
  result.size += head;
  return with_header(header, out, result);
}

Result decode_sums(ElementType type, std::span<const std::byte> left, const Parameters& parameters,
                   std::span<std::byte> values) {
  const Left read = read_left(type, left, values, parameters);
  if (read.error != Error::none) return {read.error, 0};
  const FloatEnvironment environment;
  return active_kernels().bounded_decode_in_time(read.sums, read.in_time, read.body, values);
}

Result combine_values_in_time(Operation operation, ElementType type,
                              std::span<const std::byte> left, std::span<const std::byte> own,
                              const Parameters& parameters, std::span<std::byte> out,
                              std::span<std::byte> arrived) {
  const Left read = read_left(type, left, own, parameters);
  if (read.error != Error::none) return {read.error, 0};
  if (operation > Operation::max || arrived.size() != own.size()) return {Error::bad_parameter, 0};
  if (out.size() < header_size) return {Error::output_too_small, 0};
  const FloatEnvironment environment;
  return with_header(
      read.sums, out,
      active_kernels().bounded_combine_values_in_time(operation, read.sums, read.in_time, read.body,
                                                      own, out.subspan(header_size), arrived));
}

Result complete_values_in_time(Operation operation, ElementType type,
                               std::span<const std::byte> left, std::span<const std::byte> own,
                               const Parameters& parameters, std::span<std::byte> out,
                               std::span<std::byte> values, std::span<std::byte> arrived) {
  const Left read = read_left(type, left, own, parameters);
  if (read.error != Error::none) return {read.error, 0};
  if (operation > Operation::max || values.size() != own.size() || arrived.size() != own.size()) {
    return {Error::bad_parameter, 0};
  }
  if (!out.empty() && out.size() <= header_size) return {Error::output_too_small, 0};
  const std::span<std::byte> body = out.empty() ? out : out.subspan(header_size);
  const FloatEnvironment environment;
  const Result result = active_kernels().bounded_complete_values_in_time(
      operation, read.sums, read.in_time, read.body, own, body, values, arrived);
  return out.empty() ? result : with_header(read.sums, out, result);
}

}  // namespace tightwire::codec::bounded
