#include "codec/exact/smaller.h"

#include <cstring>

#include "codec/exact/coded.h"
#include "codec/exact/list.h"
#include "codec/exact/parts.h"
#include "codec/exact/promise.h"
#include "codec/exact/runs.h"

namespace tightwire::codec::exact {
namespace {

// What the entropy coder makes of tiles, mostly.
constexpr double usual_gain = 1.2;

bool in_time(const Promise& promise) {
  return promise.transform.kind == TransformKind::extrapolated;
}

bool is_smaller(const Result& one, const Result& other) {
  return one.ok() && (!other.ok() || one.size < other.size);
}

// encode(out) in the place of what `encoded` holds, if it is shorter than `least`.
template <class Encode>
Result replace_if_smaller(Result least, std::span<const std::byte> values,
                          std::span<std::byte> encoded, Encode encode) {
  const std::size_t room = header_size + values.size();
  const auto memory = array_of<std::byte>(room);
  if (memory == nullptr) return {Error::out_of_memory, 0};
  const Result other = encode(std::span(memory.get(), room));
  if (!other.ok()) return other.error == Error::out_of_memory ? other : least;
  if (other.size > encoded.size() || !is_smaller(other, least)) return least;
  std::memcpy(encoded.data(), memory.get(), other.size);
  return other;
}

// Values that a transform turns into few integers are as good as a list.
bool list_may_pay(const Header& header, const Transform& transform,
                  std::span<const std::byte> values) {
  return transform.kind != TransformKind::quotients && may_be_few(header.type, values);
}

// Tiles first, which take a tenth of the time and win where there is little but runs.
Result code_or_list(const Header& header, const Transform& transform,
                    std::span<const std::byte> values, Result tiles, std::span<std::byte> encoded) {
  if (list_may_pay(header, transform, values)) {
    const Result list = replace_if_smaller(tiles, values, encoded, [&](std::span<std::byte> out) {
      return encode_list(header, values, encode_plain, out);
    });
    if (list.error == Error::out_of_memory || is_smaller(list, tiles)) return list;
  }
  return code_smaller(header, transform, values, tiles, encoded);
}

// Of values that repeat nothing.
Result encode_told(const Header& header, std::span<const std::byte> values,
                   std::span<std::byte> encoded) {
  const Transform transform = choose_transform(header.type, values);
  const Promise promise = promise_of(header, transform, values);
  const Result tiles = encode_tiles(header, promise.transform, values, encoded);
  return code_or_list(header, transform, values, tiles, encoded);
}

// Whether values take fewer bits where repeats are left out, which loses rows.
bool pays(const WithoutRepeats& rest, const Repeats& repeats, const Header& header,
          const Transform& transform, std::span<const std::byte> values) {
  constexpr double bits_of_run = 10;
  const double alone =
      estimate_coded(rest.header(), choose_transform(header.type, rest.told()), rest.told());
  const double among = estimate_coded(header, transform, values, Counted::told);
  const auto told = static_cast<double>(rest.header().count);
  return alone * told + bits_of_run * static_cast<double>(repeats.runs) <
         among * told + static_cast<double>(repeats.values);
}

Result decode_told(const Header& header, std::span<const std::byte> body,
                   std::span<std::byte> values) {
  return header.method == Method::list ? decode_list(header, body, values)
                                       : decode_plain(header, body, {}, values);
}

}  // namespace

Result encode_smaller(const Header& header, std::span<const std::byte> values,
                      const Parameters& parameters, std::span<std::byte> encoded) {
  const Transform transform = choose_transform(header.type, values);
  Promise promise = promise_of(header, transform, values, parameters.references);
  if (promise.ratio * usual_gain < parameters.least_ratio) return {Error::incompressible, 0};
  LeftOut marks;
  leave_out(header, values, marks, promise.transform);
  const Result tiles = encode_tiles(header, promise.transform, values, encoded);
  if (in_time(promise)) return code_smaller(header, promise.transform, values, tiles, encoded);
  const Repeats repeats = count_repeats(header.type, values);
  if (!may_pay(repeats, header.count)) {
    return code_or_list(header, transform, values, tiles, encoded);
  }
  const WithoutRepeats rest(header.type, values, repeats);
  if (!rest.ok()) return {Error::out_of_memory, 0};
  if (!surely_pay(repeats, header.count) && !pays(rest, repeats, header, transform, values)) {
    return code_or_list(header, transform, values, tiles, encoded);
  }
  return replace_if_smaller(tiles, values, encoded, [&](std::span<std::byte> out) {
    return encode_runs(header, rest, encode_told, out);
  });
}

Result decode_any(const Header& header, std::span<const std::byte> body, References references,
                  std::span<std::byte> values) {
  if (header.method == Method::runs) return decode_runs(header, body, decode_told, values);
  if (header.method == Method::list) return decode_list(header, body, values);
  return decode_plain(header, body, references, values);
}

}  // namespace tightwire::codec::exact
