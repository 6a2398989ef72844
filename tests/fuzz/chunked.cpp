// Any bytes into the decoder of chunked streams.
#include "codec/chunked/chunked.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tightwire::fuzz::Input input(data, size);
  const auto type = input.type();
  std::vector<std::byte> values(input.word() * element_size(type));
  const std::vector<std::byte> encoded = input.rest();
  const auto result = tightwire::codec::chunked::decode(type, encoded, {}, values);
  tightwire::fuzz::require(!result.ok() || result.size == values.size(),
                           "a decoder that succeeds has filled the values");
  return 0;
}
