#include <gtest/gtest.h>

#include "codec/codec.h"

namespace tightwire::codec {
namespace {

TEST(Registry, FindsEveryCodecByIdAndByName) {
  ASSERT_FALSE(all().empty());
  for (const Codec* codec : all()) {
    EXPECT_EQ(find(codec->id()), codec) << codec->name();
    EXPECT_EQ(find(codec->name()), codec) << codec->name();
  }
}

TEST(Registry, UnknownNameIsNull) {
  EXPECT_EQ(find("no-such-codec"), nullptr);
}

}  // namespace
}  // namespace tightwire::codec
