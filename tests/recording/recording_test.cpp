#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "recording/reader.h"
#include "recording/writer.h"

namespace tightwire::recording {
namespace {

using Bytes = std::vector<std::byte>;

class Recordings : public testing::Test {
 protected:
  Recordings() { std::filesystem::create_directories(folder_); }
  ~Recordings() override { std::filesystem::remove_all(folder_); }
  Recordings(const Recordings&) = delete;
  Recordings& operator=(const Recordings&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "rank").string(); }

  [[nodiscard]] Bytes file() const {
    std::ifstream stream(path(), std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(stream), {}};
    Bytes bytes(text.size());
    if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  }

  void open(std::uint64_t limit = 1 << 20) {
    ASSERT_EQ(writer_.open(path(), {3, 8}, limit), std::nullopt);
  }
  [[nodiscard]] bool add(const MessageHeader& header, const Bytes& values) {
    return writer_.add(header, values);
  }
  void close() { ASSERT_EQ(writer_.close(), std::nullopt); }

  Writer writer_;

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("recording_" + std::to_string(::getpid()));
};

MessageHeader to(std::int32_t peer) {
  MessageHeader header;
  header.function = "MPI_Isend";
  header.communicator = 2;
  header.peer = peer;
  header.tag = 77;
  header.type = codec::ElementType::float64;
  return header;
}

Bytes values(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

std::size_t count(Reader& reader) {
  std::size_t messages = 0;
  while (reader.next()) ++messages;
  return messages;
}

TEST_F(Recordings, ReturnWhatWasWritten) {
  open();
  for (std::int32_t peer = 0; peer < 5; ++peer) {
    ASSERT_TRUE(add(to(peer), values(8 * static_cast<std::size_t>(peer))));
  }
  close();
  const Bytes bytes = file();
  auto reader = Reader::of(bytes);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->header().rank, 3U);
  EXPECT_EQ(reader->header().ranks, 8U);
  std::uint64_t before = 0;
  for (std::int32_t peer = 0; peer < 5; ++peer) {
    const auto message = reader->next();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->header.function, "MPI_Isend");
    EXPECT_EQ(message->header.communicator, 2U);
    EXPECT_EQ(message->header.peer, peer);
    EXPECT_EQ(message->header.tag, 77);
    EXPECT_EQ(message->header.type, codec::ElementType::float64);
    EXPECT_GE(message->header.nanoseconds, before);
    before = message->header.nanoseconds;
    const Bytes expected = values(8 * static_cast<std::size_t>(peer));
    EXPECT_TRUE(std::ranges::equal(message->values, expected));
  }
  EXPECT_FALSE(reader->next());
  EXPECT_TRUE(reader->at_end());
}

TEST_F(Recordings, HoldTheLongestNames) {
  open();
  MessageHeader header = to(0);
  header.function = "MPI_Reduce_scatter_block";
  ASSERT_TRUE(add(header, values(8)));
  close();
  const Bytes bytes = file();
  EXPECT_EQ(Reader::of(bytes)->next()->header.function, header.function);
}

TEST_F(Recordings, EndAtTheirLimit) {
  open(file_header_size + 2 * (message_header_size + 100));
  EXPECT_TRUE(add(to(0), values(100)));
  EXPECT_FALSE(add(to(1), values(101)));
  EXPECT_TRUE(add(to(2), values(100)));
  EXPECT_FALSE(add(to(3), {}));
  close();
  const Bytes bytes = file();
  EXPECT_EQ(bytes.size(), file_header_size + 2 * (message_header_size + 100));
  auto reader = Reader::of(bytes);
  EXPECT_EQ(count(*reader), 2U);
  EXPECT_TRUE(reader->at_end());
}

TEST_F(Recordings, AreWholeBeforeTheyAreClosed) {
  open();
  ASSERT_TRUE(add(to(0), values(64)));
  EXPECT_EQ(file().size(), file_header_size + message_header_size + 64);
}

TEST_F(Recordings, TakeNobodyElsesPlace) {
  std::ofstream(path()) << "mine";
  const auto problem = writer_.open(path(), {}, 1000);
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find(path()), std::string::npos);
  EXPECT_EQ(file().size(), 4U);
  EXPECT_FALSE(writer_.is_open());
}

TEST_F(Recordings, ThatWereCutGiveWhatIsWhole) {
  open();
  ASSERT_TRUE(add(to(0), values(64)));
  ASSERT_TRUE(add(to(1), values(64)));
  close();
  const Bytes bytes = file();
  const std::size_t first = file_header_size + message_header_size + 64;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    auto reader = Reader::of(std::span(bytes).first(size));
    EXPECT_EQ(reader.has_value(), size >= file_header_size);
    if (!reader) continue;
    EXPECT_EQ(count(*reader), size >= first ? 1U : 0U);
    EXPECT_EQ(reader->at_end(), size == file_header_size || size == first);
  }
}

TEST_F(Recordings, OfAnyBytesAreReadWithinThem) {
  open();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(add(to(i), values(40)));
  close();
  const Bytes good = file();
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = good;
    for (int k = 0; k < 1 + round % 4; ++k) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    auto reader = Reader::of(bytes);
    if (!reader) continue;
    while (const auto message = reader->next()) {
      const auto* const end = bytes.data() + bytes.size();
      ASSERT_LE(message->values.data() + message->values.size(), end);
      ASSERT_EQ(message->values.size(), message->header.bytes);
    }
  }
}

TEST_F(Recordings, OfAnotherVersionAreNone) {
  open();
  close();
  Bytes bytes = file();
  bytes[8] = std::byte{2};
  EXPECT_TRUE(is_recording(bytes));
  EXPECT_FALSE(Reader::of(bytes));
}

}  // namespace
}  // namespace tightwire::recording
