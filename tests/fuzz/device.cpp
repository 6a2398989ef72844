// Any bytes into the kernels that read the device profile, with lanes in no order: what they take
// is what every reader of chunked streams makes of it.
#include <cmath>

#include "codec/chunked/chunked.h"
#include "device/host_codec.h"
#include "input.h"

namespace {

using namespace tightwire;
using Bytes = std::vector<std::byte>;

device::HostLanes lanes() {
  return device::HostLanes(device::HostLanes::Order::shuffled, 7);
}

// False where it is none of the profile.
bool check_decodes(codec::ElementType type, std::size_t count, const Bytes& stream) {
  Bytes here(count * element_size(type));
  const auto result = device::decode(lanes(), type, stream, here);
  if (!result.ok()) return false;
  Bytes there(here.size());
  fuzz::require(codec::chunked::decode(type, stream, {}, there).ok(), "others can read it");
  fuzz::require(here == there, "it has the same values for all");
  return true;
}

void check_merges(codec::ElementType type, double bound, std::uint32_t terms, const Bytes& own,
                  const Bytes& incoming) {
  const std::size_t count = own.size() / element_size(type);
  Bytes out(device::max_encoded_size(type, count));
  const auto header = device::header_for_sums(type, bound, terms);
  const auto result = device::merge(lanes(), header, incoming, own, out);
  if (!result.ok()) return;
  fuzz::require(result.size <= out.size(), "max_encoded_size() suffices");
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(result.size);
  fuzz::require(check_decodes(type, count, {out.begin(), end}), "a sum can be read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto type =
      input.byte() % 2 == 0 ? codec::ElementType::float32 : codec::ElementType::float64;
  const bool merge = input.byte() % 2 != 0;
  const double bound = std::ldexp(1, input.byte() - 128);
  const std::uint32_t terms = 1 + input.byte();
  const std::size_t count = input.word();
  if (merge) {
    Bytes own = input.take(input.word() * element_size(type));
    own.resize(count * element_size(type));
    check_merges(type, bound, terms, own, input.rest());
  } else {
    check_decodes(type, count, input.rest());
  }
  return 0;
}
