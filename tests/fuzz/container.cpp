// Any bytes as a file for tightwire expand, with the checksums of the header and the data repaired.
#include "cli/file/container.h"

#include <xxhash.h>

#include "cli/file/refusal.h"
#include "input.h"

namespace {

void repair(std::vector<std::byte>& file) {
  using tightwire::cli::container_header_size;
  if (file.size() < container_header_size || file[9] == static_cast<std::byte>(3)) return;
  const std::uint64_t data =
      XXH3_64bits(file.data() + container_header_size, file.size() - container_header_size);
  std::memcpy(file.data() + 40, &data, sizeof data);
  const std::uint64_t header = XXH3_64bits(file.data(), 48);
  std::memcpy(file.data() + 48, &header, sizeof header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tightwire::fuzz::Input input(data, size);
  std::vector<std::byte> file = input.rest();
  repair(file);
  try {
    const auto contents = tightwire::cli::read_container(file, "fuzz");
    // It says how much memory it wants; that much is the user's choice.
    if (contents.count < (1U << 20)) (void)tightwire::cli::expand(contents, "fuzz");
  } catch (const tightwire::cli::Refusal&) {
  }
  return 0;
}
