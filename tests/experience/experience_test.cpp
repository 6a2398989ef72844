#include "experience/experience.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "experience/json.h"

namespace tightwire::experience {
namespace {

using policy::Operation;

Experience some() {
  Experience experience;
  experience.network = {25e-6, 1.2e9};
  const policy::KindOfCall kind{Operation::allreduce, 80, 21,
                                std::numeric_limits<std::uint64_t>::max()};
  experience.calls[{{4, 2}, kind}] = {.raw_seconds = 0.02,
                                      .compressed_seconds = 0.1 + 0.2,
                                      .compressed_ratio = 7.5,
                                      .compressed_bandwidth = 1e9,
                                      .compressed_codec_time = 0.5,
                                      .correction = 1.25,
                                      .came_to = 0.125,
                                      .interval = 32,
                                      .compress = true};
  experience.calls[{{8, 2}, kind}] = {};
  experience.uneven_calls[{{4, 2}, Operation::alltoall}] = {512, true};
  experience.messages[17] = {8e-9, false};
  return experience;
}

bool equal(const Experience& a, const Experience& b) {
  return a.network.latency == b.network.latency && a.network.bandwidth == b.network.bandwidth &&
         a.calls == b.calls && a.uneven_calls == b.uneven_calls && a.messages == b.messages;
}

std::string fault_of(const std::string& text) {
  std::string fault;
  EXPECT_FALSE(read_json(text, fault)) << text;
  EXPECT_FALSE(fault.empty()) << text;
  return fault;
}

std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(Experience, IsReadAsItWasWritten) {
  std::string fault;
  const auto read = read_json(as_json(some(), "1.2.3"), fault);
  ASSERT_TRUE(read) << fault;
  EXPECT_TRUE(equal(*read, some()));
  const auto nothing = read_json(as_json({}, "1.2.3"), fault);
  ASSERT_TRUE(nothing) << fault;
  EXPECT_TRUE(equal(*nothing, {}));
}

TEST(Experience, OfBeforeIsRead) {
  std::string fault;
  const std::string text =
      with(as_json(some(), "1.2.3"), "\"compressed_codec_time\"", "\"of_no_meaning\"");
  const auto read = read_json(text, fault);
  ASSERT_TRUE(read) << fault;
  ASSERT_EQ(read->calls.size(), some().calls.size());
}

TEST(Experience, OfNoOtherFileIsRead) {
  for (const char* const text : {"", "{}", "[]", "null", "7", "a text", "{\"report\": 1}"}) {
    EXPECT_EQ(fault_of(text), "is no file of what a job learned");
  }
}

TEST(Experience, OfAnotherFormatIsNotRead) {
  const std::string text = as_json(some(), "1.2.3");
  EXPECT_EQ(fault_of(with(text, "\"learned\": 1", "\"learned\": 2")),
            "is of another version of tightwire");
  EXPECT_EQ(fault_of(with(text, "\"learned\": 1", "\"learned\": \"1\"")),
            "is of another version of tightwire");
}

TEST(Experience, ThatIsCutOffIsNotRead) {
  const std::string text = as_json(some(), "1.2.3");
  for (std::size_t size = 0; size + 1 < text.size(); ++size) fault_of(text.substr(0, size));
}

TEST(Experience, OfImpossibleNumbersIsNotRead) {
  const std::string text = as_json(some(), "1.2.3");
  const auto damaged = [&](const std::string& part, const std::string& other) {
    EXPECT_TRUE(fault_of(with(text, part, other)).starts_with("is damaged: ")) << other;
  };
  damaged("\"bandwidth\": 1200000000.0", "\"bandwidth\": -1");
  damaged("\"bandwidth\": 1200000000.0", "\"bandwidth\": 1e300");
  damaged("\"bandwidth\": 1200000000.0", "\"bandwidth\": \"fast\"");
  damaged("\"latency\"", "\"lateness\"");
  damaged("\"ranks\": 4", "\"ranks\": 4.5");
  damaged("\"ranks\": 4", "\"ranks\": -4");
  damaged("\"compress\": true", "\"compress\": 1");
  damaged("\"operation\": \"allreduce\"", "\"operation\": \"alreduce\"");
  damaged("\"settings\": 18446744073709551615", "\"settings\": 18446744073709551616");
  damaged("\"settings\": 18446744073709551615", "\"settings\": -1");
  damaged("\"unmodified\": 8e-09", "\"unmodified\": 0");
  damaged("\"pause\": 512", "\"pause\": 1e300");
  damaged("\"messages\": [", "\"messages\": 3, \"more\": [");
}

TEST(Experience, OfNumbersBeyondAllMeasureIsWrittenSoThatItCanBeRead) {
  Experience experience = some();
  for (auto& [kind, learned] : experience.calls) {
    learned.compressed_ratio = 1e7;
    learned.raw_seconds = std::numeric_limits<double>::infinity();
    learned.correction = std::numeric_limits<double>::quiet_NaN();
  }
  std::string fault;
  const auto read = read_json(as_json(experience, "1"), fault);
  ASSERT_TRUE(read) << fault;
  EXPECT_EQ(read->calls.begin()->second.compressed_ratio, 1e6);
}

TEST(Experience, OfALaterRunTakesThePlaceOfAnEarlierOne) {
  Experience known = some();
  Experience later;
  later.messages[17] = {9e-9, true};
  later.messages[18] = {7e-9, true};
  add(known, later);
  EXPECT_EQ(known.network.bandwidth, some().network.bandwidth) << "nothing was learned of it";
  EXPECT_EQ(known.calls, some().calls);
  EXPECT_EQ(known.messages.at(17), later.messages.at(17));
  EXPECT_EQ(known.messages.at(18), later.messages.at(18));
  later.network = {1e-6, 5e9};
  add(known, later);
  EXPECT_EQ(known.network.bandwidth, 5e9);
}

TEST(Experience, OfMoreKindsThanAreKeptIsLeftOut) {
  Experience known;
  Experience later;
  for (std::size_t i = 0; i < most_kinds + 10; ++i) {
    later.calls[{{static_cast<int>(i), 1}, {}}] = {.compress = true};
  }
  add(known, later);
  EXPECT_EQ(known.calls.size(), most_kinds);
  std::string fault;
  EXPECT_TRUE(read_json(as_json(known, ""), fault)) << fault;
  EXPECT_LT(as_json(known, "").size(), largest_file);
}

}  // namespace
}  // namespace tightwire::experience
