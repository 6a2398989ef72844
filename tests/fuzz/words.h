// A fuzzer's bytes as words; bytes of 0 end a word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tightwire::fuzz {

inline std::vector<std::string> words_of(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] != 0) {
      word.push_back(static_cast<char>(data[i]));
    } else {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace tightwire::fuzz
