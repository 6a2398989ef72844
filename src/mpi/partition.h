// Items in order, cut into parts as even as can be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tightwire::mpi {

struct Part {
  std::size_t begin = 0;  // items
  std::size_t count = 0;
};

// Part `index` of `parts`; the first ones are an item longer where it does not divide evenly.
[[nodiscard]] constexpr Part part_of(Part whole, std::size_t parts, std::size_t index) {
  const std::size_t each = whole.count / parts;
  const std::size_t longer = whole.count % parts;
  const std::size_t before = index < longer ? index : longer;
  return {whole.begin + index * each + before, each + (index < longer ? 1 : 0)};
}

// No part is longer.
[[nodiscard]] constexpr std::size_t longest_part(std::size_t items, std::size_t parts) {
  return (items + parts - 1) / parts;
}

[[nodiscard]] inline std::vector<Part> even_parts(std::size_t items, std::size_t parts) {
  std::vector<Part> made;
  made.reserve(parts);
  for (std::size_t i = 0; i < parts; ++i) made.push_back(part_of({0, items}, parts, i));
  return made;
}

[[nodiscard]] inline std::size_t longest_of(const std::vector<Part>& parts) {
  std::size_t longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.count);
  return longest;
}

}  // namespace tightwire::mpi
