#include "cli/doctor/finding.h"

#include <algorithm>
#include <sstream>

namespace tightwire::cli {
namespace {

constexpr std::size_t topic_width = 11;

const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS  ";
    case Verdict::fail:
      return "FAIL  ";
    case Verdict::note:
      return "NOTE  ";
  }
  return "?";
}

}  // namespace

bool any_failed(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.verdict == Verdict::fail; });
}

std::string print(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    std::string topic = finding.topic;
    topic.resize(std::max(topic.size(), topic_width), ' ');
    std::string start = word_for(finding.verdict) + topic;
    std::istringstream lines(finding.text);
    for (std::string line; std::getline(lines, line);) {
      text += start + line + "\n";
      start.assign(start.size(), ' ');
    }
  }
  return text;
}

}  // namespace tightwire::cli
