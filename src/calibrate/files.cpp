#include "calibrate/files.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "settings/text.h"

namespace tightwire::calibrate {
namespace {

std::string assignment(const char* key, std::uint64_t bytes) {
  std::string line = key;
  line += " = \"";
  line += printed_size(bytes);
  return line + "\"\n";
}

std::string in_bytes(std::uint64_t bytes) {
  return bytes == settings::Bytes::never ? "never" : std::to_string(bytes);
}

std::string in_ms(const Times& times) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), "%.4f,%.4f,%.4f,%.4f", 1e3 * times.raw, 1e3 * times.exact,
                1e3 * times.bounded, 1e3 * times.pipelined);
  return text.data();
}

}  // namespace

std::string printed_size(std::uint64_t bytes) {
  return settings::print(settings::Bytes{bytes});
}

std::vector<Times> typical(const std::vector<Series>& series) {
  std::vector<Times> means = series.front().times;
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (double Times::*tier : {&Times::raw, &Times::exact, &Times::bounded, &Times::pipelined}) {
      double logarithms = 0;
      for (const Series& one : series) logarithms += std::log(one.times[i].*tier);
      means[i].*tier = std::exp(logarithms / static_cast<double>(series.size()));
    }
  }
  return means;
}

std::string settings_file(const Thresholds& thresholds,
                          const std::vector<std::string>& circumstances,
                          const settings::CodingSpeedups& speedups) {
  std::string text = "# Written by tightwire calibrate.\n";
  for (const std::string& line : circumstances) {
    text += "# ";
    text += line;
    text += "\n";
  }
  text +=
      "# A tier begins at the smallest size from which it was faster than the tier below for all\n"
      "# larger sizes; \"never\" where it was not.\n\n";
  text += assignment("threshold-exact", thresholds.exact);
  text += assignment("threshold-bounded", thresholds.bounded);
  text += assignment("threshold-pipelined", thresholds.pipelined);
  if (!speedups.given()) return text;
  text +=
      "\n# How many times as fast as one thread so many encode and decode, on all ranks at once:\n"
      "# what the cost model reckons with where `threads` gives a rank several.\n\n";
  text += "coding-speedups = \"" + settings::print(speedups) + "\"\n";
  return text;
}

std::string measurements_file(const std::vector<Series>& series, const Thresholds& thresholds) {
  std::string end = ",";
  end += in_bytes(thresholds.exact) + ",";
  end += in_bytes(thresholds.bounded) + ",";
  end += in_bytes(thresholds.pipelined) + "\n";
  std::string text =
      "collective,data,bytes,raw_ms,exact_ms,bounded_ms,pipelined_ms,"
      "threshold_exact,threshold_bounded,threshold_pipelined\n";
  for (const Series& one : series) {
    for (const Times& times : one.times) {
      text += one.collective + ",";
      text += one.data + ",";
      text += std::to_string(times.bytes) + ",";
      text += in_ms(times) + end;
    }
  }
  return text;
}

}  // namespace tightwire::calibrate
