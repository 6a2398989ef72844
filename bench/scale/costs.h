// What a piece of codec work costs on one core: a file of lines "WORK FIXED_SECONDS
// SECONDS_PER_BYTE", one for each of codec::Work in its order, measured by bench-scale-prepare and
// charged by bench-scale-smpi.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "codec/codec_work.h"

namespace tightwire::scale {

struct Cost {
  double fixed = 0;     // seconds
  double per_byte = 0;  // seconds for each byte of values

  [[nodiscard]] double of(std::size_t value_bytes) const {
    return fixed + per_byte * static_cast<double>(value_bytes);
  }
};

using Costs = std::array<Cost, codec::work_count>;

inline constexpr std::array<const char*, codec::work_count> work_names{
    "encode",   "decode",       "merge",        "combine",
    "complete", "encode_coded", "decode_coded", "encode_alone"};

// Throws std::runtime_error where the file is not as above.
[[nodiscard]] Costs read_costs(const std::string& file);
[[nodiscard]] std::string text_of(const Costs& costs);

}  // namespace tightwire::scale
