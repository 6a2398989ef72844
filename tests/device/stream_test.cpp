// What the host finds out of a stream before a device decodes it, and of what a device says of a
// range.
#include "device/stream.h"

#include <gtest/gtest.h>

#include "device/host_codec.h"
#include "fields.h"

namespace tightwire::device {
namespace {

using codec::Error;
using codec::bounded::Header;

template <class T>
class DeviceStream : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceStream, Types);

template <class T>
std::vector<std::byte> stream_of(const std::vector<T>& values, double bound) {
  std::vector<std::byte> out(max_encoded_size(type_of<T>, values.size()));
  out.resize(encode({}, header_for(type_of<T>, bound, -1000, 2000), bytes_of(values), out).size);
  return out;
}

TYPED_TEST(DeviceStream, TellsTheHeaderOfItsChunks) {
  const auto expected = header_for(type_of<TypeParam>, 1e-1, -1000, 2000);
  for (const Field<TypeParam>& field : fields<TypeParam>()) {
    const auto stream = stream_of(field.values, 1e-1);
    Header header;
    ASSERT_EQ(open_stream(stream, type_of<TypeParam>, field.values.size(), header), Error::none);
    EXPECT_EQ(header.type, expected.type) << field.name;
    if (header.grid == codec::bounded::GridKind::given) {
      EXPECT_EQ(header.count,
                std::min<std::size_t>(field.values.size(), Extent<TypeParam>::values));
    }
  }
}

TYPED_TEST(DeviceStream, IsOfItsTypeWhereAllChunksAreStored) {
  const auto noise = fields<TypeParam>()[5].values;
  const auto stream = stream_of(noise, 1e-30);
  Header header;
  ASSERT_EQ(open_stream(stream, type_of<TypeParam>, noise.size(), header), Error::none);
  EXPECT_EQ(header.type, type_of<TypeParam>);
}

TYPED_TEST(DeviceStream, OfOtherLengthOrWithADamagedIndexIsRefused) {
  const auto values = fields<TypeParam>()[3].values;
  auto stream = stream_of(values, 1e-2);
  Header header;
  EXPECT_NE(open_stream(stream, type_of<TypeParam>, values.size() - 1, header), Error::none);
  EXPECT_NE(open_stream(stream, ElementType::int32, values.size(), header), Error::none);
  for (std::size_t size = 0; size < stream.size(); size += 97) {
    EXPECT_NE(open_stream(std::span(stream).first(size), type_of<TypeParam>, values.size(), header),
              Error::none);
  }
  stream[codec::chunked::header_size + 7] = std::byte{0x7f};
  EXPECT_NE(open_stream(stream, type_of<TypeParam>, values.size(), header), Error::none);
}

TYPED_TEST(DeviceStream, EndsOfARangeAreItsNumbers) {
  const auto range_of = [](std::vector<TypeParam> values) {
    OrderedRange range;
    for (const TypeParam value : values) range.take(ordered_bits(value));
    return ends_of(type_of<TypeParam>, range);
  };
  const Ends both = range_of({TypeParam{-2.5}, TypeParam{0}, TypeParam{7.25}});
  EXPECT_EQ(both.smallest, -2.5);
  EXPECT_EQ(both.largest, 7.25);
  EXPECT_EQ(range_of({TypeParam{-3}}).largest, -3);
  EXPECT_EQ(range_of({TypeParam{1e-30F}}).smallest, static_cast<double>(TypeParam{1e-30F}));
  const Ends none = range_of({});
  EXPECT_GT(none.smallest, none.largest);
}

}  // namespace
}  // namespace tightwire::device
