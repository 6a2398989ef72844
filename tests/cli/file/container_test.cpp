#include "cli/file/container.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "cli/file/refusal.h"

namespace tightwire::cli {
namespace {

std::vector<std::byte> some_file() {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  const auto bytes = std::as_bytes(std::span(values));
  const codec::Codec& zstd = *codec::find(codec::Id::zstd);
  std::vector<std::byte> encoded(zstd.max_encoded_size(codec::ElementType::int32, values.size()));
  encoded.resize(zstd.encode(codec::ElementType::int32, bytes, {}, encoded).size);
  auto file =
      container_header({codec::Id::zstd, codec::ElementType::int32, values.size(), 0, encoded});
  file.insert(file.end(), encoded.begin(), encoded.end());
  return file;
}

std::string refusal_of(std::span<const std::byte> file) {
  try {
    (void)expand(read_container(file, "x.tw"), "x.tw");
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Container, GivesBackWhatWasPutIn) {
  const auto file = some_file();
  const Contents contents = read_container(file, "x.tw");
  EXPECT_EQ(contents.codec, codec::Id::zstd);
  EXPECT_EQ(contents.count, 1000U);
  const auto values = expand(contents, "x.tw");
  ASSERT_EQ(values.size(), 4000U);
  int last = 0;
  std::memcpy(&last, values.data() + 3996, 4);
  EXPECT_EQ(last, 999);
}

TEST(Container, EveryDamagedByteIsNoticed) {
  auto file = some_file();
  ASSERT_EQ(refusal_of(file), "");
  for (std::size_t i = 0; i < file.size(); ++i) {
    file[i] ^= std::byte{1};
    EXPECT_NE(refusal_of(file), "") << "byte " << i;
    file[i] ^= std::byte{1};
  }
}

TEST(Container, EveryMissingByteIsNoticed) {
  const auto file = some_file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_NE(refusal_of(std::span(file).first(size)), "") << size;
  }
}

TEST(Container, SaysWhatIsWrong) {
  auto file = some_file();
  file.back() ^= std::byte{1};
  EXPECT_EQ(refusal_of(file), "x.tw: its data is damaged (the checksum differs)");
  file.pop_back();
  EXPECT_NE(refusal_of(file).find("is cut off"), std::string::npos);
  file[8] = std::byte{2};
  EXPECT_EQ(refusal_of(file), "x.tw: has version 2; this tightwire reads version 1");
  file[0] = std::byte{0};
  EXPECT_EQ(refusal_of(file), "x.tw: is not a file that tightwire compress has written");
}

TEST(Container, AHeaderThatLiesWithARightChecksumIsRefused) {
  const std::vector<std::byte> nothing;
  const auto refused = [&](const Contents& contents) {
    return refusal_of(container_header(contents));
  };
  using codec::ElementType;
  using codec::Id;
  EXPECT_NE(refused({static_cast<Id>(200), ElementType::int8, 0, 0, nothing}), "");
  EXPECT_NE(refused({Id::raw, static_cast<ElementType>(99), 0, 0, nothing}), "");
  EXPECT_NE(refused({Id::sz3, ElementType::int8, 0, 0, nothing}), "");
  EXPECT_NE(refused({Id::raw, ElementType::int8, ~0ULL, 0, nothing}), "");
  EXPECT_NE(refused({Id::raw, ElementType::int8, 0, -1, nothing}), "");
  EXPECT_NE(refused({Id::raw, ElementType::int8, 1ULL << 60, 0, nothing}), "");
  EXPECT_EQ(refused({Id::raw, ElementType::int8, 0, 0, nothing}), "");
}

}  // namespace
}  // namespace tightwire::cli
