// Any two encodings into the reductions of `bounded`; what they make of them must decode.
#include <cmath>

#include "codec/bounded/bounded.h"
#include "input.h"

namespace {

using namespace tightwire;
using codec::ElementType;
using fuzz::require;

void check_decodes(ElementType type, std::size_t count, codec::Result result,
                   std::span<const std::byte> out) {
  if (!result.ok()) return;
  require(result.size <= out.size(), "max_encoded_size() suffices");
  const std::vector<std::byte> combined(out.begin(),
                                        out.begin() + static_cast<std::ptrdiff_t>(result.size));
  std::vector<std::byte> values(count * element_size(type));
  require(codec::find(codec::Id::bounded)->decode(type, combined, values).ok(),
          "what was combined decodes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const ElementType type = input.byte() % 2 == 0 ? ElementType::float32 : ElementType::float64;
  const auto operation = static_cast<codec::bounded::Operation>(input.byte() % 3);
  const std::size_t count = input.word();
  codec::Parameters parameters;
  parameters.error_bound = std::ldexp(1, input.byte() - 128);
  parameters.terms = 1 + input.byte();
  parameters.row_length = input.byte();
  const std::vector<std::byte> a = input.take(input.word());
  const std::vector<std::byte> b = input.rest();

  std::vector<std::byte> out(codec::find(codec::Id::bounded)->max_encoded_size(type, count));
  check_decodes(type, count, codec::bounded::combine(operation, type, count, a, b, out), out);

  std::vector<std::byte> own = b;
  own.resize(count * element_size(type));
  check_decodes(type, count,
                codec::bounded::combine_values(operation, type, a, own, parameters, out), out);
  std::vector<std::byte> values(own.size());
  const codec::Result completed =
      codec::bounded::complete_values(operation, type, a, own, parameters, out, values);
  check_decodes(type, count, completed, out);
  return 0;
}
