// The types of the values in settings and in the conditions of rules. Each has parse() and print(),
// in text.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tightwire::settings {

enum class Mode : std::uint8_t { raw, exact, bounded, adaptive, adaptive_pipelined };
// The modes that leave to MPI what would not pay.
[[nodiscard]] constexpr bool is_adaptive(Mode mode) {
  return mode == Mode::adaptive || mode == Mode::adaptive_pipelined;
}
enum class BoundAppliesTo : std::uint8_t { result, contribution };
enum class BoundedCodec : std::uint8_t {
#define TIGHTWIRE_BOUNDED_CODEC(id, ...) id,
#define TIGHTWIRE_BOUNDED_VARIANT(id, ...) id,
#include "codecs.def"
};
enum class ExactCodec : std::uint8_t {
#define TIGHTWIRE_EXACT_CODEC(id, ...) id,
#define TIGHTWIRE_EXACT_VARIANT(id, ...) id,
#include "codecs.def"
};
enum class Algorithm : std::uint8_t { automatic, ring, recursive_doubling, rabenseifner, tree };
enum class SameHost : std::uint8_t { raw, compress };
enum class History : std::uint8_t { off, automatic };
// Buffers in the memory of a GPU.
enum class Device : std::uint8_t { automatic, stage, compress, off };
enum class Early : std::uint8_t { off, automatic, on };
// The same words: never, where it pays, always.
using ProgressThread = Early;
enum class EarlyMechanism : std::uint8_t { automatic, wp_async, wp_sync, hash };
// Kinds of MPI calls, as rules and statistics tell them apart.
enum class Operation : std::uint8_t {
  bcast,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  gather,
  scatter,
  allgather,
  alltoall,
  neighbor_allgather,
  neighbor_alltoall,
  send,  // any message between two ranks
};
inline constexpr std::size_t operation_count = 12;
// What the elements of a message are; complex numbers are pairs of floating-point ones.
enum class Datatype : std::uint8_t { byte, int8, int16, int32, int64, float32, float64 };
inline constexpr std::size_t datatype_count = 7;
// Where the other rank of a message between two is.
enum class Peer : std::uint8_t { same_host, other_host };
enum class Switch : bool { off = false, on = true };

// A size; written 65536, 64K, 1.5M, 2G or 64KiB (powers of 1024), or never: larger than any
// message.
struct Bytes {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t value = 0;
  bool operator==(const Bytes&) const = default;
};

// A size, mostly one from which on something is done to messages: as Bytes, or auto.
struct Threshold {
  static constexpr std::uint64_t never = Bytes::never;
  static constexpr std::uint64_t automatic = never - 1;
  std::uint64_t value = automatic;
  [[nodiscard]] std::uint64_t value_or(std::uint64_t usual) const {
    return value == automatic ? usual : value;
  }
  bool operator==(const Threshold&) const = default;
};

// A whole number from 1 to 65536, or auto.
struct Count {
  std::uint32_t value = 0;  // 0: auto
  [[nodiscard]] bool given() const { return value > 0; }
  bool operator==(const Count&) const = default;
};

// value is 0 for "none", else finite and positive; relative is below 1.
struct ErrorBound {
  enum class Kind : std::uint8_t { none, absolute, relative };
  Kind kind = Kind::none;
  double value = 0;
  [[nodiscard]] bool given() const { return kind != Kind::none; }
  bool operator==(const ErrorBound&) const = default;
};

// From -7 to 19.
struct ZstdLevel {
  int value = 1;
  bool operator==(const ZstdLevel&) const = default;
};

// Bits per value, from 1 to 64.
struct ZfpRate {
  double value = 8;
  bool operator==(const ZfpRate&) const = default;
};

// Speed of the network as one rank gets it; written auto, or 10G, 1G, 100M (bits per second).
struct LinkSpeed {
  double bits_per_second = 0;  // 0: auto
  [[nodiscard]] bool given() const { return bits_per_second > 0; }
  bool operator==(const LinkSpeed&) const = default;
};

// How many times as fast as one thread several code; written auto, or 2:1.9,4:3.5.
struct CodingSpeedups {
  struct Point {
    std::uint32_t threads = 2;
    double times = 1;  // from 1 to the number of threads
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points;  // from fewer to more threads, at least two; empty: auto
  [[nodiscard]] bool given() const { return !points.empty(); }
  bool operator==(const CodingSpeedups&) const = default;
};

// A time between two of many; written never, or 90s, 10m, 1.5h.
struct Period {
  double seconds = 0;  // 0: never
  [[nodiscard]] bool given() const { return seconds > 0; }
  bool operator==(const Period&) const = default;
};

// Empty: no file.
struct FilePath {
  std::string value;
  bool operator==(const FilePath&) const = default;
};

}  // namespace tightwire::settings
