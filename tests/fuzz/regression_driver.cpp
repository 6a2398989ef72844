// Makes an ordinary test of a fuzzer: MUTATIONS FOLDER... runs every file of the folders, and so
// many mutations of each, the same every time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

// A copy without room to spare, so that a sanitizer sees every step outside.
void run(const Bytes& input) {
  const Bytes exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
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
  if (count < 3) return 2;
  const int mutations = std::atoi(words[1]);
  std::mt19937 random(1);
  int files = 0;
  for (int i = 2; i < count; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(words[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
      run(bytes);
      for (int k = 0; k < mutations; ++k) run(mutated(bytes, random));
      ++files;
    }
  }
  std::printf("%d files, %d mutations of each\n", files, mutations);
  return files > 0 ? 0 : 1;  // no corpus is no test
}
