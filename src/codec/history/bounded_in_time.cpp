#include "codec/history/bounded_in_time.h"

#include "codec/entropy/scratch.h"
#include "codec/exact/promise.h"
#include "codec/history/in_time.h"
#include "codec/history/reference_parts.h"
#include "codec/history/stretches.h"
#include "codec/rows/structure.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec::bounded {
namespace {

// A quarter of what is read to learn how many references pay.
constexpr std::size_t stretches_looked_at = 4;

bool is_coded(const Header& header) {
  return header.grid == GridKind::coded_in_time;
}

}  // namespace

bool time_pays(const Header& header, std::span<const std::byte> values,
               const Parameters& parameters) {
  if (header.count == 0) return false;
  const std::uint8_t components = components_for(parameters, header.count);
  const Stretches stretches(header.count, components, stretches_looked_at);
  const GridSample sample(header.type, stretches, 1 / header.step, values, parameters.references);
  if (!sample) return false;
  return exact::ratio_in_time(sample.header(1), sample.message(), sample.references().all()) >
         exact::ratio_in_time(sample.header(components), sample.message(), {});
}

Result encode_in_time(const Header& header, std::span<const std::byte> values,
                      References references, std::span<std::byte> body) {
  const std::size_t head = in_time_size(header.count);
  if (body.size() < head) return {Error::output_too_small, 0};
  const std::span<std::byte> left_out = write_in_time(header.count, references, body);
  const Kernels& kernels = active_kernels();
  const auto rest = body.subspan(head);
  Result result;
  if (is_coded(header)) {
    const entropy::Scratch scratch(header.count, element_size(header.type), {});
    if (!scratch) return {Error::out_of_memory, 0};
    result = kernels.bounded_coded_encode_in_time(header, references, left_out, values,
                                                  scratch.bytes(), rest);
  } else {
    result = kernels.bounded_encode_in_time(header, references, left_out, values, rest);
  }
  result.size += head;
  return result;
}

Result decode_in_time(const Header& header, std::span<const std::byte> body, References references,
                      std::span<std::byte> values) {
  if (!suit(references, values.size())) return {Error::bad_parameter, 0};
  const auto in_time = read_in_time(header.count, references, body);
  if (!in_time) return {Error::damaged, 0};
  const Kernels& kernels = active_kernels();
  const auto rest = body.subspan(in_time_size(header.count));
  if (!is_coded(header)) return kernels.bounded_decode_in_time(header, *in_time, rest, values);
  const entropy::Scratch scratch(header.count, element_size(header.type), {});
  if (!scratch) return {Error::out_of_memory, 0};
  return kernels.bounded_coded_decode_in_time(header, *in_time, rest, scratch.bytes(), values);
}

}  // namespace tightwire::codec::bounded
