// Encodings of `bounded` that are combined on their grid.
#include "codec/bounded/bounded.h"
#include "codec/bounded/made_header.h"
#include "codec/float_environment.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::bounded {
namespace {

bool same_grid(const Header& a, const Header& b) {
  const bool derived = a.grid == GridKind::derived && b.grid == GridKind::derived;
  return derived && a.type == b.type && a.terms == b.terms && a.error_bound == b.error_bound;
}

// The result is predicted along the rows of the first operand that has any.
Header combined_header(const Header& a, const Header& b) {
  Header header = a;
  if (header.rows.length == 0) header.rows = b.rows;
  return header;
}

}  // namespace

Result combine(Operation operation, ElementType type, std::size_t count,
               std::span<const std::byte> a, std::span<const std::byte> b,
               std::span<std::byte> out) {
  if (!is_floating_point(type)) return {Error::unsupported_type, 0};
  if (operation > Operation::max) return {Error::bad_parameter, 0};
  Header header_a;
  Header header_b;
  if (const Error error = read_header(a, header_a); error != Error::none) return {error, 0};
  if (const Error error = read_header(b, header_b); error != Error::none) return {error, 0};
  if (header_a.type != type || !same_grid(header_a, header_b)) return {Error::mismatched_grid, 0};
  if (header_a.count != count || header_b.count != count) return {Error::damaged, 0};
  if (out.size() < header_size) return {Error::output_too_small, 0};
  const Header header = combined_header(header_a, header_b);
  const FloatEnvironment environment;
  return with_header(
      header, out,
      active_kernels().bounded_combine(operation, header_a, a.subspan(header_size), header_b,
                                       b.subspan(header_size), header, out.subspan(header_size)));
}

namespace {

// Headers of the operands of a fused pass, and of its result.
struct FusedHeaders {
  Error error = Error::none;
  Header incoming;
  Header result;
};

FusedHeaders headers_of(Operation operation, ElementType type, std::span<const std::byte> incoming,
                        std::span<const std::byte> own, const Parameters& parameters) {
  if (!is_floating_point(type)) return {Error::unsupported_type, {}, {}};
  if (operation > Operation::max || own.size() % element_size(type) != 0 ||
      !valid_grid(parameters.error_bound, parameters.terms)) {
    return {Error::bad_parameter, {}, {}};
  }
  FusedHeaders headers;
  headers.error = read_header(incoming, headers.incoming);
  if (headers.error != Error::none) return headers;
  const Header of_own = header_for(type, own, parameters);
  if (!same_grid(headers.incoming, of_own)) {
    headers.error = Error::mismatched_grid;
  } else if (headers.incoming.count != of_own.count) {
    headers.error = Error::damaged;
  }
  headers.result = combined_header(headers.incoming, of_own);
  return headers;
}

}  // namespace

Result combine_values(Operation operation, ElementType type, std::span<const std::byte> incoming,
                      std::span<const std::byte> own, const Parameters& parameters,
                      std::span<std::byte> out) {
  const FusedHeaders headers = headers_of(operation, type, incoming, own, parameters);
  if (headers.error != Error::none) return {headers.error, 0};
  if (out.size() < header_size) return {Error::output_too_small, 0};
  const FloatEnvironment environment;
  return with_header(headers.result, out,
                     active_kernels().bounded_combine_values(
                         operation, headers.incoming, incoming.subspan(header_size), own,
                         headers.result, out.subspan(header_size)));
}

Result complete_values(Operation operation, ElementType type, std::span<const std::byte> incoming,
                       std::span<const std::byte> own, const Parameters& parameters,
                       std::span<std::byte> out, std::span<std::byte> values) {
  const FusedHeaders headers = headers_of(operation, type, incoming, own, parameters);
  if (headers.error != Error::none) return {headers.error, 0};
  if (values.size() != own.size()) return {Error::bad_parameter, 0};
  if (!out.empty() && out.size() <= header_size) return {Error::output_too_small, 0};
  const std::span<std::byte> body = out.empty() ? out : out.subspan(header_size);
  const FloatEnvironment environment;
  const Result result = active_kernels().bounded_complete_values(operation, headers.incoming,
                                                                 incoming.subspan(header_size), own,
                                                                 headers.result, body, values);
  return out.empty() ? result : with_header(headers.result, out, result);
}

}  // namespace tightwire::codec::bounded
