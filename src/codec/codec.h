// The codec interface: values in, bytes out. No MPI, no globals, no printing, no exceptions.
//
// Units: sizes are bytes, counts are elements. Ownership: every buffer is the caller's; a codec
// keeps no pointer after it returns. Buffers need no alignment. Thread safety: a Codec is immutable
// and may be used by any number of threads at once. Errors: returned, never thrown; on an error the
// contents of the output buffer are unspecified and must not be used. Hostile input: decode() takes
// any bytes; it reads and writes only inside the buffers it is given, allocates in proportion to
// their sizes alone, and answers Error::damaged for what it cannot be sure of, or
// Error::other_version where the version of the format is not the one that it writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tightwire::codec {

enum class ElementType : std::uint8_t {
  bytes = 0,  // opaque: no numeric meaning
  int8 = 1,
  int16 = 2,
  int32 = 3,
  int64 = 4,
  float32 = 5,
  float64 = 6,
};

[[nodiscard]] constexpr std::size_t element_size(ElementType type) {
  switch (type) {
    case ElementType::bytes:
    case ElementType::int8:
      return 1;
    case ElementType::int16:
      return 2;
    case ElementType::int32:
    case ElementType::float32:
      return 4;
    case ElementType::int64:
    case ElementType::float64:
      return 8;
  }
  return 0;
}

[[nodiscard]] constexpr bool is_floating_point(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64;
}

// Numbers are part of the wire format: never reuse one.
enum class Id : std::uint8_t {
#define TIGHTWIRE_CODEC(id, number, ...) id = (number),
#define TIGHTWIRE_CARRIED_CODEC TIGHTWIRE_CODEC
#include "codecs.def"
};

// As settings and reports name it; it ends with a zero byte. "unknown" if this build has no such
// codec.
[[nodiscard]] std::string_view name_of(Id id);

enum class Error : std::uint8_t {
  none = 0,
  output_too_small,
  damaged,
  unsupported_type,
  bad_parameter,
  out_of_memory,
  incompressible,   // exact: a sample promises less than Parameters::least_ratio
  mismatched_grid,  // bounded: the operands were quantised on different grids
  other_version,    // of the format: an older or newer one, or a damaged first byte
};

[[nodiscard]] std::string_view describe(Error error);

enum class Lz4Search : std::uint8_t { quick, thorough };
enum class SecondStage : std::uint8_t { none, entropy };

// Earlier messages to predict from, the nearest in time first; each has as many bytes as the values
// and does not overlap them.
using References = std::span<const std::span<const std::byte>>;
inline constexpr std::size_t most_references = 8;

struct Parameters {
  // Largest |decoded - original| of any value; lossy codecs only. Absolute, finite and > 0.
  double error_bound = 0;
  // Compression level of zstd.
  int zstd_level = 1;
  // lz4: thorough is LZ4 HC: smaller, many times slower; decoding is the same.
  Lz4Search lz4_search = Lz4Search::quick;
  // Bits per value of zfp_rate.
  double zfp_rate = 8;
  // bounded: how many encodings made with the same error_bound and terms may be summed without an
  // overflow. Part of the grid: encodings that will be summed must agree on it.
  std::uint32_t terms = 1;
  // bounded: the encoding will be combined with no other. So its grid is one that suits the values,
  // all of which are looked at, and -0 and subnormals may be values of it; or it has none, and is
  // exact. Where that may be smaller it is tried in memory of its own.
  bool alone = false;
  // bounded, exact: values per row of a field of two or more dimensions, 0 if not known. A wrong
  // one costs ratio, never correctness.
  std::uint32_t row_length = 0;
  // exact, and bounded where it encodes `alone`: values per plane of a field of three or more
  // dimensions, which are whole rows; 0 if not known. A wrong one costs ratio, never correctness.
  // Looking back to a plane takes memory, which encode() and decode() allocate.
  std::uint32_t plane_length = 0;
  // bounded where it encodes `alone`, exact: values of so many quantities take turns, as x y z x y
  // z; 1 if there is one or it is not known, at most 16. A wrong number costs ratio, never
  // correctness. The entropy coder of exact looks for them itself where it is not told.
  std::uint32_t components = 1;
  // exact, and bounded where it is alone: an entropy coder instead of the fast tiles: smaller,
  // slower, and it allocates.
  SecondStage second_stage = SecondStage::none;
  // exact: where a sample promises less, encode() answers Error::incompressible at once, having
  // written nothing. By default such values are stored as they are.
  double least_ratio = 0;
  // exact: the encoder predicts from as many of them as pay, or from none; bounded where it encodes
  // `alone`: from all or none, and then values have no rows and no components. What it used must be
  // given to decode_with(). At most most_references; chunked streams take none.
  References references = {};
};

struct [[nodiscard]] Result {
  Error error = Error::none;
  std::size_t size = 0;  // bytes written
  [[nodiscard]] bool ok() const { return error == Error::none; }
};

class Codec {
 public:
  virtual ~Codec() = default;

  [[nodiscard]] virtual Id id() const = 0;
  [[nodiscard]] std::string_view name() const { return name_of(id()); }

  // A lossy codec honours Parameters::error_bound strictly, and reproduces NaN (with payload),
  // infinities and whatever else it cannot hold within the bound, bit for bit; negative zero and
  // subnormals too, unless `bounded` is told that it encodes `alone`.
  [[nodiscard]] virtual bool lossy() const = 0;
  [[nodiscard]] virtual bool supports(ElementType type) const = 0;

  // An output buffer of this size always suffices for encode().
  [[nodiscard]] virtual std::size_t max_encoded_size(ElementType type, std::size_t count) const = 0;

  // values.size() is a multiple of element_size(type); zero is allowed.
  virtual Result encode(ElementType type, std::span<const std::byte> values,
                        const Parameters& parameters, std::span<std::byte> encoded) const = 0;

  // Fills exactly `values`; an encoding of another number of elements, or trailing bytes, are
  // damage.
  virtual Result decode(ElementType type, std::span<const std::byte> encoded,
                        std::span<std::byte> values) const = 0;

  // The same with references, at least those that the encoder used, in its order: fewer are damage.
  // Whether they hold what the encoder's did cannot be seen here: others give other values.
  virtual Result decode_with(ElementType type, std::span<const std::byte> encoded,
                             [[maybe_unused]] References references,
                             std::span<std::byte> values) const {
    return decode(type, encoded, values);
  }
};

// Every codec of this build that can be chosen, in the order of their ids.
[[nodiscard]] std::span<const Codec* const> all();

// nullptr if this build does not have it. By its id, what only frames name is found too.
[[nodiscard]] const Codec* find(Id id);
[[nodiscard]] const Codec* find(std::string_view name);

}  // namespace tightwire::codec
