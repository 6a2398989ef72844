#include <gtest/gtest.h>

#include <algorithm>

#include "codec/codec.h"
#include "codec/traits.h"

namespace tightwire::codec {
namespace {

TEST(Registry, FindsEveryCodecByIdAndByName) {
  ASSERT_FALSE(all().empty());
  for (const Codec* codec : all()) {
    EXPECT_EQ(find(codec->id()), codec) << codec->name();
    EXPECT_EQ(find(codec->name()), codec) << codec->name();
  }
}

TEST(Registry, IsInTheOrderOfIds) {
  EXPECT_TRUE(std::ranges::is_sorted(all(), {}, &Codec::id));
}

TEST(Registry, CodecsAreWhatTheListSaysOfThem) {
  ASSERT_EQ(all().size(), all_traits.size());
  for (const Codec* codec : all()) {
    const Traits& traits = traits_of(codec->id());
    EXPECT_EQ(traits.id, codec->id()) << codec->name();
    EXPECT_EQ(traits.lossy, codec->lossy()) << codec->name();
    EXPECT_GT(traits.encode_speed, 0) << codec->name();
    EXPECT_GT(traits.decode_speed, 0) << codec->name();
  }
}

TEST(Registry, UnknownNameIsNull) {
  EXPECT_EQ(find("no-such-codec"), nullptr);
}

}  // namespace
}  // namespace tightwire::codec
