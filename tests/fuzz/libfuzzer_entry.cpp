// What libFuzzer calls, for the one fuzzer that the build names.
#include <cstddef>
#include <cstdint>

extern "C" int TIGHTWIRE_FUZZER(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return TIGHTWIRE_FUZZER(data, size);
}
