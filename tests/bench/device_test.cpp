// What ./run device holds a GPU's bytes against, and what it makes do with where libraries are
// missing. The stand-in comes before the library of its name.
#include <gtest/gtest.h>

#include "../../bench/device/stand_ins/kissfft/kissfft.hh"
#include "device/host_codec.h"
#include "device/processor.h"
#include "device/profile.h"

namespace tightwire::bench {
namespace {

// As many chunks as no machine has cores, and a part of one.
std::vector<float> some_values() {
  std::vector<float> values(300 * device::Extent<float>::values + 77);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i % 100003) * 0.01f);
  }
  return values;
}

TEST(ProcessorsStreams, AreThoseOfOneThread) {
  const std::vector<float> values = some_values();
  const auto bytes = std::as_bytes(std::span(values));
  const auto header = device::header_for_sums(codec::ElementType::float32, 1e-3, 4);
  Stream expected(device::max_encoded_size(header.type, values.size()));
  expected.resize(device::encode({}, header, bytes, expected).size);
  const Stream made = encoded_by_processor(header, bytes);
  EXPECT_TRUE(made == expected);

  Stream sum(device::max_encoded_size(header.type, values.size()));
  sum.resize(device::merge({}, header, expected, bytes, sum).size);
  EXPECT_TRUE(merged_by_processor(header, made, bytes) == sum);
}

TEST(StandInForKissfft, TransformsAsItsDefinitionSays) {
  constexpr std::size_t length = 16;
  std::vector<std::complex<float>> from(length);
  for (std::size_t i = 0; i < length; ++i) from[i] = {static_cast<float>(i * i % 7), 1};
  std::vector<std::complex<float>> to(length);
  kissfft<float>(length, true).transform(from.data(), to.data());
  for (std::size_t k = 0; k < length; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i * k) / length;
      sum += std::complex<double>(from[i]) * std::polar(1.0, angle);
    }
    EXPECT_LT(std::abs(std::complex<double>(to[k]) - sum), 1e-4) << k;
  }
}

}  // namespace
}  // namespace tightwire::bench
