#include "wire/bundle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tightwire::wire {
namespace {

using Bytes = std::vector<std::byte>;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

Bytes bundle(const std::vector<std::string>& frames) {
  std::size_t bytes = 0;
  for (const std::string& frame : frames) bytes += frame.size();
  Bytes message(bundle_size(frames.size(), bytes));
  BundleWriter writer(message, frames.size());
  for (const std::string& frame : frames) writer.add(bytes_of(frame));
  EXPECT_EQ(writer.size(), message.size());
  return message;
}

std::vector<std::string> found(const Bytes& message, std::size_t count) {
  std::vector<std::span<const std::byte>> frames(count);
  if (!find_bundled(message, frames)) return {"none"};
  std::vector<std::string> texts;
  for (const auto& frame : frames) {
    texts.emplace_back(reinterpret_cast<const char*>(frame.data()), frame.size());
  }
  return texts;
}

TEST(Bundle, HasTheFramesThatWereAdded) {
  const std::vector<std::string> frames{"first", "", std::string(70000, 'x'), "last"};
  EXPECT_EQ(found(bundle(frames), 4), frames);
  EXPECT_EQ(found(bundle({"one"}), 1), std::vector<std::string>{"one"});
  EXPECT_EQ(found(bundle({"", ""}), 2), (std::vector<std::string>{"", ""}));
}

TEST(Bundle, OfAnotherLengthThanItsFramesHaveIsNone) {
  const std::vector<std::string> none{"none"};
  const Bytes message = bundle({"first", "second"});
  for (std::size_t length = 0; length < message.size(); ++length) {
    EXPECT_EQ(found({message.begin(), message.begin() + static_cast<std::ptrdiff_t>(length)}, 2),
              none)
        << length;
  }
  Bytes longer = message;
  longer.push_back(std::byte{0});
  EXPECT_EQ(found(longer, 2), none);
  EXPECT_EQ(found(message, 1), none);
  EXPECT_EQ(found(message, 3), none);
}

TEST(Bundle, WithAnySizeDamagedIsNone) {
  const Bytes message = bundle({"first", "second"});
  for (std::size_t bit = 0; bit < 8 * bundle_size(2, 0); ++bit) {
    Bytes damaged = message;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_EQ(found(damaged, 2), std::vector<std::string>{"none"}) << bit;
  }
}

}  // namespace
}  // namespace tightwire::wire
