// The best and the worst case of any codec.
#include <random>

#include "fields/kinds.h"

namespace tightwire::fields {

Field constant(std::size_t bytes) {
  const std::vector<float> values(bytes / sizeof(float), 273.15F);
  return field_of("constant", {values.size()}, values);
}

Field white_noise(std::size_t bytes) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(bytes / sizeof(float));
  for (float& value : values) value = normal(random);
  return field_of("white_noise", {values.size()}, values);
}

}  // namespace tightwire::fields
