#include "calibrate/measure/counters.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace tightwire::calibrate {
namespace {

// "  eth0: R1 R2 ... R8 T1 ...": eight counters of receiving stand before those of sending.
constexpr int counters_before_sent = 8;

std::optional<std::uint64_t> sent_in(const std::string& counters) {
  std::istringstream numbers(counters);
  std::uint64_t number = 0;
  for (int i = 0; i <= counters_before_sent; ++i) {
    if (!(numbers >> number)) return std::nullopt;
  }
  return number;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace

std::optional<std::uint64_t> sent_bytes(std::string_view proc_net_dev) {
  std::istringstream lines{std::string(proc_net_dev)};
  std::optional<std::uint64_t> total;
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;  // the two lines of headings
    const auto sent = sent_in(line.substr(colon + 1));
    if (!sent) return std::nullopt;
    const bool loopback = trimmed(line.substr(0, colon)) == "lo";
    total = total.value_or(0) + (loopback ? 0 : *sent);
  }
  return total;
}

std::uint64_t sent_bytes() {
  std::ifstream file("/proc/self/net/dev");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return sent_bytes(text).value_or(0);
}

}  // namespace tightwire::calibrate
