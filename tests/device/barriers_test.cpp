// The kernels with lanes that run by themselves between barriers, as a device's do: what is done
// between two steps must not depend on how far the others are. And a barrier that is missing shows.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <new>

#include "codec/bounded/header_grid.h"
#include "device/host_codec.h"
#include "device/kernels/combine.h"
#include "fields.h"
#include "lanes_in_turn.h"

namespace tightwire::device {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t room = std::size_t{1} << 23;

constexpr unsigned chunks = 2;  // one after the other in the same memory

// Single exceptions, and blocks of nothing else: of few and of many, so that each step that looks
// for the integer before them has something to find.
bool is_exception(std::size_t i, unsigned seed) {
  for (const std::size_t blocks : {3U, 6U, 13U, 26U, 55U, 110U}) {
    const std::size_t first = 5 * blocks / 2 + seed;
    if (i / block_values >= first && i / block_values < first + blocks) return true;
  }
  return i % 401 == 7;
}

// Lanes work on the same values in one step and not in the next.
constexpr unsigned many = 7;

// Values with all kinds of tiles. Blocks of the last lane leap, so that it would choose another
// predictor than all lanes together.
template <class T>
std::vector<T> mixed(unsigned seed) {
  std::vector<T> values(8 * tile_values + 200 - (sizeof(T) == 8 ? tile_values : 0));
  std::minstd_rand random(seed);
  std::uniform_real_distribution<double> even(-1, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wave = 100 * std::sin(static_cast<double>(i) / 50);
    const double noise = (i / 512 % 2 == 0 ? 0.01 : 1) * even(random);
    values[i] = static_cast<T>(i / tile_values % 4 == seed % 4 ? 3 : wave + noise);
    if (i / block_values % many == many - 1) values[i] = static_cast<T>(i % 2 == 0 ? 50 : -50);
    if (is_exception(i, seed)) values[i] = T(1e30);
  }
  return values;
}

template <class T>
struct Chunk {
  std::vector<T> there;
  std::vector<T> here;
  Bytes encoded;  // what is there
  std::uint32_t size = 0;
};

template <class T>
struct Message {
  codec::bounded::Header header = header_for_sums(type_of<T>, 1e-3, 4);
  Grid<T> grid = codec::bounded::grid_to_encode<T>(header);
  Bytes head = Bytes(header_size);
  unsigned count = static_cast<unsigned>(mixed<T>(0).size());
  std::vector<Chunk<T>> chunks;

  Message() {
    header.count = count;
    codec::bounded::write_header(header, reinterpret_cast<std::byte*>(head.data()));
    for (unsigned i = 0; i < device::chunks; ++i) add(i);
  }

 private:
  void add(unsigned number) {
    Chunk<T> made{mixed<T>(2 * number), mixed<T>(2 * number + 1), Bytes(room)};
    HostLanes lanes;
    const auto memory = std::make_unique<ChunkMemory<T>>();
    PlaceAtOnce place([&](std::uint32_t size) {
      made.size = size;
      return made.encoded.data();
    });
    encode_chunk(lanes, made.there.data(), count, grid, head.data(), *memory, place);
    chunks.push_back(std::move(made));
  }
};

// What a kernel leaves behind of the message, the sizes that its lanes ask for, and the barriers
// that they come to.
struct Outcome {
  Bytes bytes;
  std::vector<std::uint32_t> sizes;
  unsigned barriers = 0;

  bool operator==(const Outcome&) const = default;
};

// Where a kernel without one of its barriers goes astray, it stays in here: no sum of places that
// it may find is larger. Only what is touched is taken from the machine.
void* wide_memory() {
  constexpr std::size_t size = std::size_t{16} << 30;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

// run(lane, chunk, memory, out, place) for each chunk on every lane.
template <class T, class Run>
Outcome outcome_of(LanesInTurn&& lanes, const Message<T>& message, Run run) {
  static Bytes out(room);
  static void* const working = wide_memory();
  Outcome outcome;
  std::memset(working, 0, sizeof(ChunkMemory<T>));
  auto* const memory = new (working) ChunkMemory<T>;
  std::fill_n(out.begin(), chunks * chunk_bytes, std::uint8_t{0});
  outcome.barriers = lanes.run([&](LanesInTurn::Lane& lane) {
    for (unsigned i = 0; i < chunks; ++i) {
      std::uint8_t* const to = out.data() + std::size_t{i} * chunk_bytes;
      PlaceAtOnce place([&, to](std::uint32_t size) {
        outcome.sizes.push_back(size);
        return to;
      });
      run(lane, message.chunks[i], *memory, to, place);
    }
  });
  outcome.bytes.assign(out.begin(), out.begin() + chunks * chunk_bytes);
  std::sort(outcome.sizes.begin(), outcome.sizes.end());
  outcome.sizes.erase(std::unique(outcome.sizes.begin(), outcome.sizes.end()), outcome.sizes.end());
  return outcome;
}

template <class T>
Outcome encode_by(LanesInTurn&& lanes, const Message<T>& message) {
  return outcome_of(std::move(lanes), message,
                    [&](auto& lane, const auto& chunk, auto& memory, std::uint8_t*, auto& place) {
                      encode_chunk(lane, chunk.here.data(), message.count, message.grid,
                                   message.head.data(), memory, place);
                    });
}

template <class T>
Outcome decode_by(LanesInTurn&& lanes, const Message<T>& message) {
  return outcome_of(std::move(lanes), message,
                    [&](auto& lane, const auto& chunk, auto& memory, std::uint8_t* out, auto&) {
                      decode_chunk(lane, chunk.encoded.data(), chunk.size, message.count,
                                   message.grid, message.head.data(), memory,
                                   reinterpret_cast<T*>(out));
                    });
}

template <class T>
Outcome merge_by(LanesInTurn&& lanes, const Message<T>& message) {
  std::vector<T> kept(Extent<T>::values);
  return outcome_of(std::move(lanes), message,
                    [&](auto& lane, const auto& chunk, auto& memory, std::uint8_t*, auto& place) {
                      merge_chunk(lane, chunk.encoded.data(), chunk.size, chunk.here.data(),
                                  message.count, message.grid, message.head.data(), memory,
                                  kept.data(), place);
                    });
}

// With what is there once more.
template <class T>
Outcome combine_by(LanesInTurn&& lanes, const Message<T>& message) {
  std::vector<T> kept(Extent<T>::values);
  const auto aside = std::make_unique<Aside<T>>();
  return outcome_of(
      std::move(lanes), message,
      [&](auto& lane, const auto& chunk, auto& memory, std::uint8_t*, auto& place) {
        const EncodedChunk first{chunk.encoded.data(), chunk.size};
        const EncodedChunk second{message.chunks[0].encoded.data(), message.chunks[0].size};
        combine_chunk(lane, first, second, message.count, message.grid, message.head.data(), memory,
                      *aside, kept.data(), place);
      });
}

template <class T>
using Kernel = Outcome (*)(LanesInTurn&&, const Message<T>&);

template <class T>
void expect_any_turns(Kernel<T> kernel) {
  const Message<T> message;
  const Outcome alone = kernel(LanesInTurn(1, Order::forward), message);
  for (const Order order : orders) {
    const Outcome together = kernel(LanesInTurn(many, order), message);
    EXPECT_TRUE(together == alone);
  }
}

// The part of the kernel's barriers without which some order of the lanes leads to something else.
template <class T>
double needed_part(Kernel<T> kernel) {
  const Message<T> message;
  const Outcome sound = kernel(LanesInTurn(1, Order::forward), message);
  unsigned needed = 0;
  for (unsigned without = 0; without < sound.barriers; ++without) {
    needed += std::any_of(std::begin(orders), std::end(orders), [&](Order order) {
      return kernel(LanesInTurn(many, order, without), message) != sound;
    });
  }
  return static_cast<double>(needed) / sound.barriers;
}

template <class T>
class DeviceBarriers : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceBarriers, Types);

TYPED_TEST(DeviceBarriers, AreEnoughToEncode) {
  expect_any_turns<TypeParam>(encode_by);
}
TYPED_TEST(DeviceBarriers, AreEnoughToDecode) {
  expect_any_turns<TypeParam>(decode_by);
}
TYPED_TEST(DeviceBarriers, AreEnoughToMerge) {
  expect_any_turns<TypeParam>(merge_by);
}
TYPED_TEST(DeviceBarriers, AreEnoughToCombine) {
  expect_any_turns<TypeParam>(combine_by);
}

// Not all: steps that write different bytes of the encoding need none between them, nor do the last
// ones of a scan where nothing is so far away, nor, of few lanes that walk along tiles, one after
// what they alone find out of each.
TYPED_TEST(DeviceBarriers, AreMissedWhereOneIsLeftOut) {
  EXPECT_GT(needed_part<TypeParam>(encode_by), 0.55);
  EXPECT_GT(needed_part<TypeParam>(decode_by), 0.5);
  EXPECT_GT(needed_part<TypeParam>(merge_by), 0.5);
  EXPECT_GT(needed_part<TypeParam>(combine_by), 0.5);
}

}  // namespace
}  // namespace tightwire::device
