#include <algorithm>
#include <charconv>
#include <utility>

#include "settings/text.h"

namespace tightwire::settings {
namespace {

constexpr const char* advice = "give numbers of threads and times such as 2:1.9,4:3.5, or auto";
constexpr std::uint32_t most_threads = 65536;

template <class Number>
bool read_all(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

// What is wrong with it.
const char* read_point(std::string_view text, std::uint32_t more_than,
                       CodingSpeedups::Point& point) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return "has no colon between threads and times";
  const bool numbers = read_all(text.substr(0, colon), point.threads) &&
                       read_all(text.substr(colon + 1), point.times);
  if (!numbers) return "is not of numbers";
  if (point.threads <= more_than || point.threads > most_threads) {
    return "does not go from 2 threads or more to more of them";
  }
  // Not so for what is no number.
  const bool possible = point.times >= 1 && point.times <= point.threads;
  return possible ? nullptr : "has times that are not from 1 to the number of threads";
}

}  // namespace

std::optional<Fault> parse(std::string_view text, CodingSpeedups& value) {
  if (text == "auto") {
    value.points.clear();
    return std::nullopt;
  }
  CodingSpeedups read;
  std::uint32_t last = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    CodingSpeedups::Point point;
    if (const char* wrong = read_point(text.substr(begin, end - begin), last, point)) {
      return Fault{text.empty() ? "is empty" : wrong, advice};
    }
    last = point.threads;
    read.points.push_back(point);
    begin = end + 1;
  }
  value = std::move(read);
  return std::nullopt;
}

std::string print(const CodingSpeedups& value) {
  std::string text;
  for (const CodingSpeedups::Point& point : value.points) {
    text += text.empty() ? "" : ",";
    text += std::to_string(point.threads);
    text += ":";
    text += print_number(point.times);
  }
  return text.empty() ? "auto" : text;
}

}  // namespace tightwire::settings
