#include "settings/text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tightwire::settings {
namespace {

template <class Type>
Type read_back(const Type& value) {
  Type result{};
  const auto fault = parse(print(value), result);
  EXPECT_FALSE(fault.has_value()) << print(value) << " " << (fault ? fault->reason : "");
  return result;
}

template <class Type>
void expect_refused(const std::vector<std::string>& texts, Type before) {
  for (const std::string& text : texts) {
    Type value = before;
    const auto fault = parse(text, value);
    ASSERT_TRUE(fault.has_value()) << '"' << text << '"';
    EXPECT_FALSE(fault->reason.empty()) << text;
    EXPECT_FALSE(fault->advice.empty()) << text;
    EXPECT_TRUE(value == before) << "a refused text changed the value: " << text;
  }
}

TEST(Text, EveryNameReadsBack) {
  for (const auto mode :
       {Mode::raw, Mode::exact, Mode::bounded, Mode::adaptive, Mode::adaptive_pipelined}) {
    EXPECT_EQ(read_back(mode), mode);
  }
  for (const auto codec : {BoundedCodec::bounded, BoundedCodec::bounded_entropy, BoundedCodec::sz3,
                           BoundedCodec::zfp_accuracy, BoundedCodec::zfp_rate}) {
    EXPECT_EQ(read_back(codec), codec);
  }
  for (const auto codec : {ExactCodec::exact, ExactCodec::exact_entropy, ExactCodec::zstd,
                           ExactCodec::lz4, ExactCodec::lz4_hc}) {
    EXPECT_EQ(read_back(codec), codec);
  }
  for (const auto what : {BoundAppliesTo::result, BoundAppliesTo::contribution}) {
    EXPECT_EQ(read_back(what), what);
  }
  for (const auto what : {Algorithm::automatic, Algorithm::ring, Algorithm::recursive_doubling,
                          Algorithm::rabenseifner, Algorithm::tree}) {
    EXPECT_EQ(read_back(what), what);
  }
  for (const auto what : {SameHost::raw, SameHost::compress}) EXPECT_EQ(read_back(what), what);
  for (const auto what : {History::off, History::automatic}) EXPECT_EQ(read_back(what), what);
  for (const auto what : {Device::automatic, Device::stage, Device::compress, Device::off}) {
    EXPECT_EQ(read_back(what), what);
  }
  for (const auto when : {Early::off, Early::automatic, Early::on})
    EXPECT_EQ(read_back(when), when);
  for (const auto how : {EarlyMechanism::automatic, EarlyMechanism::wp_async,
                         EarlyMechanism::wp_sync, EarlyMechanism::hash}) {
    EXPECT_EQ(read_back(how), how);
  }
  for (const auto what : {Switch::on, Switch::off}) EXPECT_EQ(read_back(what), what);
}

TEST(Text, NumbersReadBack) {
  EXPECT_TRUE(rc::check("Bytes", [](std::uint64_t value) {
    RC_ASSERT(read_back(Bytes{value}) == Bytes{value});
    const Bytes kilobytes{(value >> 20) * 1024};
    RC_ASSERT(read_back(kilobytes) == kilobytes);
  }));
  for (const std::uint64_t value : {Threshold::automatic, Threshold::never, std::uint64_t{8192}}) {
    EXPECT_EQ(read_back(Threshold{value}), Threshold{value});
  }
  EXPECT_TRUE(rc::check("Count", [] {
    const Count count{static_cast<std::uint32_t>(*rc::gen::inRange(0, 65537))};
    RC_ASSERT(read_back(count) == count);
  }));
  for (const double seconds : {0.0, 0.1, 90.0, 5400.0, 1e6}) {
    EXPECT_EQ(read_back(Period{seconds}), Period{seconds});
  }
  for (const CodingSpeedups& known : {CodingSpeedups{}, CodingSpeedups{{{2, 1}}},
                                      CodingSpeedups{{{2, 1.875}, {3, 2.5}, {16, 9}}}}) {
    EXPECT_EQ(read_back(known), known);
  }
  Period hours;
  EXPECT_FALSE(parse("1.5h", hours));
  EXPECT_EQ(hours, Period{5400});
  EXPECT_TRUE(rc::check("ErrorBound", [](double number) {
    const double absolute = std::fabs(number);
    RC_PRE(absolute > 0 && std::isfinite(absolute));
    const ErrorBound bound{ErrorBound::Kind::absolute, absolute};
    RC_ASSERT(read_back(bound) == bound);
    const auto part = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 53);
    const ErrorBound relative{ErrorBound::Kind::relative, std::ldexp(part, -53)};
    RC_ASSERT(read_back(relative) == relative);
  }));
  EXPECT_TRUE(rc::check("LinkSpeed", [] {
    const LinkSpeed speed{*rc::gen::inRange(1000, 2000000000) * 100.0};
    RC_ASSERT(read_back(speed) == speed);
  }));
  EXPECT_TRUE(rc::check("ZfpRate", [] {
    const ZfpRate rate{*rc::gen::inRange(1000, 64001) / 1000.0};
    RC_ASSERT(read_back(rate) == rate);
  }));
  for (int level = -7; level <= 19; ++level) {
    EXPECT_EQ(read_back(ZstdLevel{level}), ZstdLevel{level});
  }
  EXPECT_EQ(read_back(ErrorBound{}), ErrorBound{});
  EXPECT_EQ(read_back(Bytes{Bytes::never}), Bytes{Bytes::never});
}

TEST(Text, Sizes) {
  const std::vector<std::pair<std::string, std::uint64_t>> sizes{
      {"0", 0},
      {"65536", 65536},
      {"64K", 65536},
      {"64k", 65536},
      {"64KiB", 65536},
      {"1.5M", 1572864},
      {"2G", 2147483648},
      {"1T", 1099511627776},
      {"1e3", 1000},
      {"never", Bytes::never},
      {"18446744073709551614", Bytes::never - 1},
  };
  for (const auto& [text, bytes] : sizes) {
    Bytes size;
    EXPECT_FALSE(parse(text, size).has_value()) << text;
    EXPECT_EQ(size.value, bytes) << text;
  }
  expect_refused({"",
                  "K",
                  "iB",
                  "KiB",
                  "64KB",
                  "64 K",
                  "-1",
                  "-1K",
                  "0.3K",
                  "1.5",
                  "nan",
                  "inf",
                  "64K ",
                  "64Kx",
                  "0x40",
                  "18446744073709551615",
                  "99999999999999999999",
                  "16777216T",
                  "1e30",
                  "1e999",
                  "Never"},
                 Bytes{7});
}

TEST(Text, ErrorBounds) {
  ErrorBound bound;
  EXPECT_FALSE(parse("1e-4", bound).has_value());
  EXPECT_EQ(bound, (ErrorBound{ErrorBound::Kind::absolute, 1e-4}));
  EXPECT_FALSE(parse("rel:0.001", bound).has_value());
  EXPECT_EQ(bound, (ErrorBound{ErrorBound::Kind::relative, 1e-3}));
  expect_refused(
      {"",         "0",     "-0",    "0.0",       "-1",      "-1e-4",   "nan",   "NaN",
       "-nan",     "inf",   "-inf",  "infinity",  "1e-4x",   " 1e-4",   "1e-4 ", "1e-400",
       "1e400",    "rel:",  "rel:0", "rel:-1e-3", "rel:nan", "rel:inf", "rel:1", "rel:7",
       "REL:1e-3", "abs:1", "1,5",   "None",      "small"},
      bound);
}

TEST(Text, WholeNumbers) {
  expect_refused({"", "car", "automatic", "-1", "1.5"}, Threshold{7});
  expect_refused({"", "0", "-1", "65537", "99999999999999999999", "8.0", "1e2", "8x", "+8", "nan"},
                 Count{3});
  expect_refused({"", "0", "0s", "-1m", "10", "m", "0.09s", "300h", "nans", "10 min"}, Period{5});
  expect_refused({"", "2", "2:", ":2", "1:1", "2:0.9", "2:2.1", "2:nan", "2:1.5,", "4:2,2:1.5",
                  "2:1,2:1", "2:1 ,4:2", "65537:2", "x:2", "2.5:2"},
                 CodingSpeedups{{{2, 1.5}}});
  expect_refused({"", "-8", "20", "1.5", "best", "99999999999999999999"}, ZstdLevel{3});
  expect_refused({"", "0", "-1G", "nan", "inf", "G", "10Gb", "10G ", "1e30", "12 M"}, LinkSpeed{});
  expect_refused({"", "0", "0.99", "64.01", "-8", "nan", "inf", "8bit"}, ZfpRate{3});
}

TEST(Text, NamesAreExactAndSlipsAreExplained) {
  expect_refused({"", "Raw", "exact ", "adaptive_pipelined", "5"}, Mode::bounded);
  Mode mode{};
  EXPECT_NE(parse("adaptve", mode)->advice.find("did you mean adaptive?"), std::string::npos);
  EXPECT_NE(parse("zzz", mode)->advice.find("raw, exact, bounded"), std::string::npos);
  Switch answer{};
  for (const char* text : {"on", "true", "yes", "1"}) {
    EXPECT_FALSE(parse(text, answer).has_value()) << text;
    EXPECT_EQ(answer, Switch::on);
  }
}

TEST(Text, FileNamesHoldNoLineBreaks) {
  expect_refused({"a\nb", std::string("a\0b", 3)}, FilePath{"before"});
}

}  // namespace
}  // namespace tightwire::settings
