// Whatever bytes come, all lanes of a block give the same answer and come to the same barriers:
// those of a device would wait for each other for ever, or work on different chunks.
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "codec/bounded/header_grid.h"
#include "device/host_codec.h"
#include "device/kernels/merge.h"
#include "fields.h"
#include "lanes_in_turn.h"

namespace tightwire::device {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A chunk with exceptions, wide blocks, runs, and a last tile that is not whole.
template <class T>
struct Chunk {
  codec::bounded::Header header = header_for_sums(type_of<T>, 1e-3, 4);
  Grid<T> grid = codec::bounded::grid_to_encode<T>(header);
  std::vector<T> values = std::vector<T>(4 * tile_values + 200);
  Bytes head = Bytes(header_size);
  Bytes encoded = Bytes(chunk_bytes);

  Chunk() {
    header.count = values.size();
    codec::bounded::write_header(header, reinterpret_cast<std::byte*>(head.data()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = i / tile_values == 1 ? T(3) : static_cast<T>(std::sin(static_cast<double>(i)));
      if (i % 700 == 5) values[i] = T(1e30);
      if (i / block_values % 50 == 7) values[i] *= T(1000);
    }
    HostLanes lanes;
    std::uint32_t size = 0;
    const auto memory = std::make_unique<ChunkMemory<T>>();
    PlaceAtOnce place([&](std::uint32_t made) {
      size = made;
      return encoded.data();
    });
    encode_chunk(lanes, values.data(), count(), grid, head.data(), *memory, place);
    encoded.resize(size);
  }
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(values.size()); }
};

// Of each lane: its answer, and the barriers that it came to.
using Answers = std::set<std::pair<bool, unsigned>>;

template <class T>
Answers decode_by(LanesInTurn&& lanes, const Chunk<T>& chunk, const Bytes& encoded) {
  Answers answers;
  std::vector<T> out(chunk.values.size());
  const auto memory = std::make_unique<ChunkMemory<T>>();
  lanes.run([&](LanesInTurn::Lane& lane) {
    const bool sound =
        decode_chunk(lane, encoded.data(), static_cast<std::uint32_t>(encoded.size()),
                     chunk.count(), chunk.grid, chunk.head.data(), *memory, out.data());
    answers.emplace(sound, lane.barriers());
  });
  return answers;
}

template <class T>
class DeviceDamage : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceDamage, Types);

TYPED_TEST(DeviceDamage, IsSeenByAllLanesAlike) {
  const Chunk<TypeParam> chunk;
  std::minstd_rand random(9);
  std::size_t refused = 0;
  for (std::size_t round = 0; round < 600; ++round) {
    Bytes damaged = chunk.encoded;
    // The header and the first tile's head one by one, then anywhere.
    const std::size_t at = round < header_size + 60 ? round : random() % damaged.size();
    damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << random() % 8));
    const Order order = orders[round % std::size(orders)];
    const Answers answers = decode_by(LanesInTurn(7, order), chunk, damaged);
    EXPECT_EQ(answers.size(), 1U) << "byte " << at;
    refused += answers.begin()->first ? 0 : 1;
  }
  EXPECT_GT(refused, header_size);
}

TYPED_TEST(DeviceDamage, IsAWidthThatNoValueHas) {
  Chunk<TypeParam> chunk;
  // Its tiles are dense: kind, base, codes. So high a base makes all widths too large.
  ASSERT_EQ(chunk.encoded[header_size] & 15, static_cast<int>(TileKind::dense));
  chunk.encoded[header_size + 1] = sizeof(TypeParam) * 8;
  for (const Order order : orders) {
    const Answers answers = decode_by(LanesInTurn(7, order), chunk, chunk.encoded);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_FALSE(answers.begin()->first);
  }
}

TYPED_TEST(DeviceDamage, SoundBytesAreTaken) {
  const Chunk<TypeParam> chunk;
  for (const Order order : orders) {
    const Answers answers = decode_by(LanesInTurn(7, order), chunk, chunk.encoded);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_TRUE(answers.begin()->first);
  }
}

}  // namespace
}  // namespace tightwire::device
