// Encodings of `exact` that are parts of another: two of them, the first behind its size.
#pragma once

#include <cstring>
#include <memory>
#include <new>

#include "codec/exact/plain.h"

namespace tightwire::codec::exact {

inline constexpr std::size_t part_size_field = 8;

// Null if there is no memory.
template <class T>
std::unique_ptr<T[]> array_of(std::size_t size) {
  return std::unique_ptr<T[]>(new (std::nothrow) T[size]);
}

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

// Calls run with a zero of the integers that have the type's size.
template <class Run>
auto with_size(ElementType type, Run run) {
  switch (element_size(type)) {
    case 8:
      return run(std::uint64_t{0});
    case 4:
      return run(std::uint32_t{0});
    case 2:
      return run(std::uint16_t{0});
    default:
      return run(std::uint8_t{0});
  }
}

struct Part {
  Header header;
  std::span<const std::byte> body;
};
struct Parts {
  Part first, second;
};

// False: damaged.
[[nodiscard]] inline bool read_part(std::span<const std::byte> in, Part& part) {
  if (read_header(in, part.header) != Error::none) return false;
  part.body = in.subspan(header_size);
  return true;
}
[[nodiscard]] inline bool read_parts(std::span<const std::byte> in, Parts& parts) {
  if (in.size() < part_size_field) return false;
  std::uint64_t size = 0;
  std::memcpy(&size, in.data(), sizeof size);
  in = in.subspan(part_size_field);
  return size <= in.size() && read_part(in.first(size), parts.first) &&
         read_part(in.subspan(size), parts.second);
}

// Writes two parts behind a header: encode_first(out), then encode_second(out), each a Result.
template <class First, class Second>
Result write_parts(const Header& header, First encode_first, Second encode_second,
                   std::span<std::byte> encoded) {
  constexpr std::size_t head = header_size + part_size_field;
  if (encoded.size() < head) return {Error::output_too_small, 0};
  const Result first = encode_first(encoded.subspan(head));
  if (!first.ok()) return first;
  const Result second = encode_second(encoded.subspan(head + first.size));
  if (!second.ok()) return second;
  write_header(header, encoded.data());
  const std::uint64_t size = first.size;
  std::memcpy(encoded.data() + header_size, &size, sizeof size);
  return {Error::none, head + first.size + second.size};
}

}  // namespace tightwire::codec::exact
