// Numbers as text: sizes, counts, bounds, speeds.
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "settings/text.h"

namespace tightwire::settings {
namespace {

// Reads all of `text` as one finite number; otherwise says what is wrong with it.
std::optional<std::string> parse_number(std::string_view text, double& value) {
  if (text.empty()) return "is empty";
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument) return "is not a number";
  if (end != text.data() + text.size()) {
    return "is not a number: there is \"" + std::string(end, text.data() + text.size()) +
           "\" behind it";
  }
  if (error == std::errc::result_out_of_range) return "is too large or too small for a double";
  if (std::isnan(number)) return "is not a number (NaN)";
  if (std::isinf(number)) return "is infinite";
  value = number;
  return std::nullopt;
}

template <class Integer>
std::optional<std::string> parse_integer(std::string_view text, Integer low, Integer high,
                                         Integer& value) {
  if (text.empty()) return "is empty";
  Integer number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool complete = end == text.data() + text.size();
  if (error == std::errc::invalid_argument || !complete) return "is not a whole number";
  if (error == std::errc::result_out_of_range || number < low || number > high) {
    return "is not within " + std::to_string(low) + " to " + std::to_string(high);
  }
  value = number;
  return std::nullopt;
}

constexpr std::string_view size_units = "KMGT";
constexpr const char* size_advice = "give a size such as 65536, 64K, 1.5M or 2G, or never";

// Takes the unit off the end of a size and returns its bytes, 1 where there is none. "iB" needs a
// unit before it: without one nothing is returned.
std::optional<std::uint64_t> take_size_unit(std::string_view& digits) {
  const bool in_full = digits.ends_with("iB");
  if (in_full) digits.remove_suffix(2);
  const char last = digits.empty() ? '\0' : digits.back();
  const auto power = size_units.find(last == 'k' && !in_full ? 'K' : last);
  if (power == std::string_view::npos)
    return in_full ? std::nullopt : std::optional<std::uint64_t>(1);
  digits.remove_suffix(1);
  return std::uint64_t{1} << (10 * (power + 1));
}

std::optional<std::uint64_t> whole_number(std::string_view digits) {
  std::uint64_t whole = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
  const bool complete = error == std::errc{} && end == digits.data() + digits.size();
  return complete ? std::optional(whole) : std::nullopt;
}

std::optional<Fault> check_bytes(double bytes, Bytes& value) {
  if (bytes < 0) return Fault{"is negative", size_advice};
  if (bytes >= 0x1p63) return Fault{"is too large", size_advice};
  if (bytes != std::floor(bytes)) return Fault{"is not a whole number of bytes", size_advice};
  value.value = static_cast<std::uint64_t>(bytes);
  return std::nullopt;
}

}  // namespace

std::string print_number(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc{} ? std::string(buffer.data(), end) : "?";
}

std::optional<Fault> parse(std::string_view text, Bytes& value) {
  if (text == "never") {
    value.value = Bytes::never;
    return std::nullopt;
  }
  std::string_view digits = text;
  const std::optional<std::uint64_t> unit = take_size_unit(digits);
  if (!unit) return Fault{"is not a size", size_advice};
  if (const auto whole = whole_number(digits)) {
    if (*whole > (Bytes::never - 1) / *unit) return Fault{"is too large", size_advice};
    value.value = *whole * *unit;
    return std::nullopt;
  }
  double number = 0;
  if (auto reason = parse_number(digits, number)) {
    return Fault{text.empty() ? *reason : "is not a size", size_advice};
  }
  return check_bytes(number * static_cast<double>(*unit), value);
}

std::optional<Fault> parse(std::string_view text, Threshold& value) {
  if (text == "auto") {
    value.value = Threshold::automatic;
    return std::nullopt;
  }
  Bytes bytes;
  auto fault = parse(text, bytes);
  if (fault) {
    fault->advice += ", or auto";
  } else {
    value.value = bytes.value == Threshold::automatic ? Threshold::never : bytes.value;
  }
  return fault;
}

std::optional<Fault> parse(std::string_view text, Count& value) {
  std::int64_t number = 0;
  if (text == "auto") {
    value.value = 0;
    return std::nullopt;
  }
  if (auto reason = parse_integer<std::int64_t>(text, 1, 65536, number)) {
    return Fault{*reason, "give a whole number from 1 to 65536, or auto"};
  }
  value.value = static_cast<std::uint32_t>(number);
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ErrorBound& value) {
  const std::string advice = "give a positive number such as 1e-4, or rel:1e-4, or none";
  if (text == "none") {
    value = ErrorBound{};
    return std::nullopt;
  }
  const bool relative = text.starts_with("rel:");
  double number = 0;
  if (auto reason = parse_number(relative ? text.substr(4) : text, number)) {
    return Fault{*reason, advice};
  }
  if (number < 0 || std::signbit(number)) return Fault{"is negative", advice};
  if (number == 0) return Fault{"is zero", "for exact messages leave it out or write none"};
  if (relative && number >= 1) {
    return Fault{"would let values err by their whole range",
                 "give less than 1; one per mille is rel:1e-3"};
  }
  value.kind = relative ? ErrorBound::Kind::relative : ErrorBound::Kind::absolute;
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ZstdLevel& value) {
  int number = 0;
  if (auto reason = parse_integer(text, -7, 19, number)) {
    return Fault{*reason, "give a whole number from -7 (fastest) to 19 (smallest)"};
  }
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, ZfpRate& value) {
  const std::string advice = "give the bits per value, a number from 1 to 64";
  double number = 0;
  if (auto reason = parse_number(text, number)) return Fault{*reason, advice};
  if (number < 1 || number > 64) return Fault{"is not within 1 to 64", advice};
  value.value = number;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, LinkSpeed& value) {
  const std::string advice = "give auto, or bits per second such as 100M, 10G or 2.5G";
  if (text == "auto") {
    value.bits_per_second = 0;
    return std::nullopt;
  }
  // Powers of 1000, as networks are sold.
  double unit = 1;
  std::string_view digits = text;
  for (const auto& [letter, power] : {std::pair{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}}) {
    if (!text.ends_with(letter)) continue;
    unit = power;
    digits.remove_suffix(1);
  }
  double number = 0;
  if (auto reason = parse_number(digits, number)) return Fault{*reason, advice};
  if (number * unit < 1e3) return Fault{"is less than 1000 bits per second", advice};
  if (number * unit > 1e15) return Fault{"is too large", advice};
  value.bits_per_second = number * unit;
  return std::nullopt;
}

std::optional<Fault> parse(std::string_view text, Period& value) {
  constexpr std::string_view units = "smh";
  constexpr double longest = 1e6;
  const char* const advice = "give a time such as 90s, 10m or 1.5h, or never";
  if (text == "never") {
    value = Period{};
    return std::nullopt;
  }
  const auto unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit == std::string_view::npos) return Fault{"has no unit of time", advice};
  double number = 0;
  if (auto reason = parse_number(text.substr(0, text.size() - 1), number)) {
    return Fault{*reason, advice};
  }
  const double seconds = number * std::pow(60.0, static_cast<double>(unit));
  if (seconds < 0.1 || seconds > longest) return Fault{"is not within 0.1s to 1e6s", advice};
  value.seconds = seconds;
  return std::nullopt;
}

std::string print(Bytes value) {
  if (value.value == Bytes::never) return "never";
  std::uint64_t number = value.value;
  std::string unit;
  for (const char letter : size_units) {
    if (number == 0 || number % 1024 != 0) break;
    number /= 1024;
    unit = letter;
  }
  return std::to_string(number) + unit;
}

std::string print(Threshold value) {
  return value.value == Threshold::automatic ? "auto" : print(Bytes{value.value});
}

std::string print(Count value) {
  return value.given() ? std::to_string(value.value) : "auto";
}

std::string print(ErrorBound value) {
  switch (value.kind) {
    case ErrorBound::Kind::none:
      return "none";
    case ErrorBound::Kind::absolute:
      return print_number(value.value);
    case ErrorBound::Kind::relative:
      return "rel:" + print_number(value.value);
  }
  return "?";
}

std::string print(ZstdLevel value) {
  return std::to_string(value.value);
}
std::string print(ZfpRate value) {
  return print_number(value.value);
}
std::string print(LinkSpeed value) {
  return value.given() ? print_number(value.bits_per_second) : "auto";
}
std::string print(Period value) {
  return value.given() ? print_number(value.seconds) + "s" : "never";
}
}  // namespace tightwire::settings
