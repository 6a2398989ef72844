// What the functions of include/tightwire_codec.h have in common: their arguments, checked, and
// their answers.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "tightwire_codec.h"

namespace tightwire::codec::c_api {

// The numbers of C are for ever, those of C++ are not.
struct Numbered {
  int number;
  Error error;
};
inline constexpr Numbered errors[] = {
    {TIGHTWIRE_CODEC_OK, Error::none},
    {TIGHTWIRE_CODEC_OUTPUT_TOO_SMALL, Error::output_too_small},
    {TIGHTWIRE_CODEC_DAMAGED, Error::damaged},
    {TIGHTWIRE_CODEC_UNSUPPORTED_TYPE, Error::unsupported_type},
    {TIGHTWIRE_CODEC_BAD_PARAMETER, Error::bad_parameter},
    {TIGHTWIRE_CODEC_OUT_OF_MEMORY, Error::out_of_memory},
    {TIGHTWIRE_CODEC_MISMATCHED_GRID, Error::mismatched_grid},
    {TIGHTWIRE_CODEC_OTHER_VERSION, Error::other_version},
};

constexpr int code(Error error) {
  for (const Numbered& each : errors) {
    if (each.error == error) return each.number;
  }
  return TIGHTWIRE_CODEC_BAD_PARAMETER;
}

static_assert(TIGHTWIRE_CODEC_BYTES == static_cast<int>(ElementType::bytes));
static_assert(TIGHTWIRE_CODEC_INT8 == static_cast<int>(ElementType::int8));
static_assert(TIGHTWIRE_CODEC_INT16 == static_cast<int>(ElementType::int16));
static_assert(TIGHTWIRE_CODEC_INT32 == static_cast<int>(ElementType::int32));
static_assert(TIGHTWIRE_CODEC_INT64 == static_cast<int>(ElementType::int64));
static_assert(TIGHTWIRE_CODEC_FLOAT32 == static_cast<int>(ElementType::float32));
static_assert(TIGHTWIRE_CODEC_FLOAT64 == static_cast<int>(ElementType::float64));

// No sum of sizes overflows with fewer bytes of values than this.
inline constexpr std::size_t most_bytes = std::numeric_limits<std::size_t>::max() / 64;

// Codec and type of a call, and the number of elements; error() where they are not sound.
class Subject {
 public:
  Subject(const Codec* codec, int type, std::size_t count) : codec_(codec), count_(count) {
    if (type < 0 || type > TIGHTWIRE_CODEC_FLOAT64) {
      error_ = TIGHTWIRE_CODEC_BAD_PARAMETER;
      return;
    }
    type_ = static_cast<ElementType>(type);
    if (count > most_bytes / element_size(type_)) error_ = TIGHTWIRE_CODEC_BAD_PARAMETER;
    if (codec == nullptr) error_ = TIGHTWIRE_CODEC_UNKNOWN_CODEC;
    if (codec != nullptr && !codec->supports(type_)) error_ = TIGHTWIRE_CODEC_UNSUPPORTED_TYPE;
  }
  Subject(const char* name, int type, std::size_t count)
      : Subject(name == nullptr ? nullptr : find(std::string_view(name)), type, count) {}

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const Codec& codec() const { return *codec_; }
  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * element_size(type_); }

 private:
  const Codec* codec_;
  ElementType type_ = ElementType::bytes;
  std::size_t count_;
  int error_ = TIGHTWIRE_CODEC_OK;
};

inline std::span<const std::byte> bytes_of(const void* buffer, std::size_t size) {
  return {static_cast<const std::byte*>(buffer), size};
}

inline std::span<std::byte> bytes_of(void* buffer, std::size_t size) {
  return {static_cast<std::byte*>(buffer), size};
}

inline bool missing(const void* buffer, std::size_t size) {
  return buffer == nullptr && size != 0;
}

struct Checked {
  Parameters parameters;
  std::size_t chunk_values = 0;
};

// Nothing if the struct was not set up by tightwire_codec_defaults() of a version that we know.
inline std::optional<Checked> checked(const tightwire_codec_parameters* given) {
  tightwire_codec_parameters parameters;
  tightwire_codec_defaults(&parameters);
  if (given != nullptr) {
    if (given->struct_size != sizeof parameters) return std::nullopt;
    if (given->second_stage < 0 || given->second_stage > 1) return std::nullopt;
    if (given->components < 0 || given->components > int{bounded::most_components})
      return std::nullopt;
    parameters = *given;
  }
  Checked result;
  result.parameters.error_bound = parameters.error_bound;
  result.parameters.row_length = parameters.row_length;
  result.parameters.plane_length = parameters.plane_length;
  result.parameters.components = static_cast<std::uint32_t>(std::max(parameters.components, 1));
  result.parameters.zstd_level = parameters.zstd_level;
  result.parameters.zfp_rate = parameters.zfp_rate;
  if (parameters.second_stage == 1) result.parameters.second_stage = SecondStage::entropy;
  result.chunk_values = std::min<std::uint64_t>(parameters.chunk_values, most_bytes / 8);
  return result;
}

inline int deliver(const Result& result, std::size_t* size) {
  if (result.ok()) *size = result.size;
  return code(result.error);
}

}  // namespace tightwire::codec::c_api
