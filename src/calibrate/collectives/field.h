// float32 data that the collectives are measured on: plane waves over rows of 1024 values, as a
// simulation's field is smooth, with or without the noise of an instrument.
//
// Every rank has waves of its own phases. A value depends on its place and rank alone, so that a
// longer field begins with the shorter one, on every rank alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tightwire::calibrate {

enum class Data : std::uint8_t {
  smooth,  // within -1 to 1
  noisy,   // the same with uniform noise of 1 % of that range
};

[[nodiscard]] std::string_view name_of(Data data);

[[nodiscard]] std::vector<float> make_field(Data data, std::size_t count, int rank);

}  // namespace tightwire::calibrate
