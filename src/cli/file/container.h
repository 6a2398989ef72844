// The file that `tightwire compress` writes: a header and one encoding.
//
// Little-endian:
//    0  8 bytes  89 54 57 46 0D 0A 1A 0A: no text file begins so, and line-ending damage shows
//    8  u8       version, 1
//    9  u8       codec::Id
//   10  u8       codec::ElementType
//   11  5 bytes  reserved: zero; a reader refuses anything else
//   16  u64      number of values
//   24  f64      absolute error bound, 0 if exact
//   32  u64      bytes of the encoding
//   40  u64      XXH3 (64 bits) of the encoding
//   48  u64      XXH3 of bytes 0 to 47
//   56           the encoding, to the end of the file
#pragma once

#include <span>
#include <string>
#include <vector>

#include "codec/codec.h"

namespace tightwire::cli {

struct Contents {
  codec::Id codec{};
  codec::ElementType type{};
  std::uint64_t count = 0;
  double error_bound = 0;
  std::span<const std::byte> encoding;
};

inline constexpr std::size_t container_header_size = 56;

// The header for these contents; the encoding itself follows it in the file.
[[nodiscard]] std::vector<std::byte> container_header(const Contents& contents);

[[nodiscard]] bool is_container(std::span<const std::byte> file);

// Throws Refusal, naming `path`, for whatever is not such a file, whole and undamaged. The result
// refers to `file`.
[[nodiscard]] Contents read_container(std::span<const std::byte> file, const std::string& path);

// The values. Throws Refusal.
[[nodiscard]] std::vector<std::byte> expand(const Contents& contents, const std::string& path);

}  // namespace tightwire::cli
