#include "scale/costs.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace tightwire::scale {

Costs read_costs(const std::string& file) {
  std::ifstream in(file);
  Costs costs;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    std::string name;
    Cost& cost = costs[i];
    const bool read = static_cast<bool>(in >> name >> cost.fixed >> cost.per_byte);
    if (!read || name != work_names[i] || cost.fixed < 0 || cost.per_byte < 0) {
      throw std::runtime_error(file + ": line " + std::to_string(i + 1) + " is not \"" +
                               work_names[i] + " SECONDS SECONDS_PER_BYTE\"; make the file anew");
    }
  }
  return costs;
}

std::string text_of(const Costs& costs) {
  std::string text;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    std::array<char, 96> line{};
    std::snprintf(line.data(), line.size(), "%s %.6g %.6g\n", work_names[i], costs[i].fixed,
                  costs[i].per_byte);
    text += line.data();
  }
  return text;
}

}  // namespace tightwire::scale
