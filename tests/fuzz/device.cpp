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

// Of a sound stream and any bytes, in either order.
void check_combines(codec::ElementType type, double bound, std::uint32_t terms, const Bytes& own,
                    const Bytes& other) {
  const std::size_t count = own.size() / element_size(type);
  Bytes sound(device::max_encoded_size(type, count));
  const auto header = device::header_for_sums(type, bound, terms);
  const auto encoded = device::encode(lanes(), header, own, sound);
  if (!encoded.ok()) return;
  sound.resize(encoded.size);
  Bytes out(device::max_encoded_size(type, count));
  Bytes swapped(out.size());
  const auto result = device::combine(lanes(), header, count, sound, other, out);
  const auto again = device::combine(lanes(), header, count, other, sound, swapped);
  fuzz::require(result.ok() == again.ok(), "damage is damage wherever it stands");
  if (!result.ok()) return;
  out.resize(result.size);
  swapped.resize(again.size);
  fuzz::require(out == swapped, "the order does not matter");
  fuzz::require(check_decodes(type, count, out), "a sum of two can be read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto type =
      input.byte() % 2 == 0 ? codec::ElementType::float32 : codec::ElementType::float64;
  const unsigned what = input.byte();
  const double bound = std::ldexp(1, input.byte() - 128);
  const std::uint32_t terms = 1 + input.byte();
  const std::size_t count = input.word();
  if (what % 2 == 0) {
    check_decodes(type, count, input.rest());
    return 0;
  }
  Bytes own = input.take(input.word() * element_size(type));
  own.resize(count * element_size(type));
  if (what % 4 == 1) {
    check_merges(type, bound, terms, own, input.rest());
  } else {
    check_combines(type, bound, terms, own, input.rest());
  }
  return 0;
}
