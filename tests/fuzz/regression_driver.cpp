// Makes ordinary tests of the fuzzers: FUZZER MUTATIONS FOLDER... gives that fuzzer every file of
// the folders, and so many mutations of each, the same every time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

// The build writes fuzzers.def: FUZZER(name) for each.
#define FUZZER(name) extern "C" int fuzz_##name(const std::uint8_t* data, std::size_t size);
#include "fuzzers.def"
#undef FUZZER

namespace {

using Bytes = std::vector<std::uint8_t>;
using Fuzzer = int (*)(const std::uint8_t* data, std::size_t size);

Fuzzer find(std::string_view wanted) {
#define FUZZER(name) \
  if (wanted == #name) return fuzz_##name;
#include "fuzzers.def"
#undef FUZZER
  return nullptr;
}

// Gives it a copy without room to spare, so that a sanitizer sees every step outside.
void run(Fuzzer fuzzer, const Bytes& input) {
  const Bytes exact(input.begin(), input.end());
  fuzzer(exact.data(), exact.size());
}

Bytes mutated(Bytes bytes, std::mt19937& random) {
  const auto place = [&] { return random() % bytes.size(); };
  for (unsigned i = 0; i <= random() % 4 && !bytes.empty(); ++i) {
    switch (random() % 5) {
      case 0:
        bytes[place()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        break;
      case 1:
        bytes[place()] = static_cast<std::uint8_t>(random());
        break;
      case 2:
        bytes[place()] = random() % 2 == 0 ? 0 : 0xff;
        break;
      case 3:
        bytes.resize(place());
        break;
      default:
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place()),
                     static_cast<std::uint8_t>(random()));
    }
  }
  return bytes;
}

}  // namespace

int main(int count, char** words) {
  const Fuzzer fuzzer = count < 4 ? nullptr : find(words[1]);
  if (fuzzer == nullptr) return 2;
  const int mutations = std::atoi(words[2]);
  std::mt19937 random(1);
  int files = 0;
  for (int i = 3; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(words[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
      run(fuzzer, bytes);
      for (int k = 0; k < mutations; ++k) run(fuzzer, mutated(bytes, random));
      ++files;
    }
  }
  std::printf("%d files, %d mutations of each\n", files, mutations);
  return files > 0 ? 0 : 1;  // no corpus is no test
}
