// The arguments of a program as exec() wants them.
#pragma once

#include <string>
#include <vector>

namespace tightwire::os {

// Pointers to the words, and a null pointer at the end; valid as long as the words.
[[nodiscard]] inline std::vector<char*> exec_arguments(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace tightwire::os
