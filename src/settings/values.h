// The types of settings. Every type has parse() and print() such that parse(print(x)) == x.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tightwire::settings {

enum class Mode : std::uint8_t { raw, exact, bounded, adaptive, adaptive_pipelined };
enum class BoundAppliesTo : std::uint8_t { result, contribution };
enum class BoundedCodec : std::uint8_t { bounded, sz3, zfp_accuracy, zfp_rate };
enum class ExactCodec : std::uint8_t { exact, zstd, lz4 };
enum class SameHost : std::uint8_t { raw, compress };
enum class Switch : bool { off = false, on = true };

// A size; written 65536, 64K, 1.5M or 2G (powers of 1024).
struct Bytes {
  std::uint64_t value = 0;
  bool operator==(const Bytes&) const = default;
};

// A whole number from 1 to 65536.
struct Count {
  std::uint32_t value = 1;
  bool operator==(const Count&) const = default;
};

// value is 0 for "none", else finite and positive.
struct ErrorBound {
  enum class Kind : std::uint8_t { none, absolute, relative };
  Kind kind = Kind::none;
  double value = 0;
  [[nodiscard]] bool given() const { return kind != Kind::none; }
  bool operator==(const ErrorBound&) const = default;
};

struct ZstdLevel {
  int value = 1;
  bool operator==(const ZstdLevel&) const = default;
};

struct ZfpRate {
  double value = 8;
  bool operator==(const ZfpRate&) const = default;
};

struct FilePath {
  std::string value;
  bool operator==(const FilePath&) const = default;
};

}  // namespace tightwire::settings
