// What the doctor says: one finding a line.
#pragma once

#include <string>
#include <vector>

namespace tightwire::cli {

enum class Verdict : unsigned char { pass, fail, note };

struct Finding {
  Verdict verdict = Verdict::note;
  std::string topic;  // "program", "MPI", ...
  std::string text;
};

using Findings = std::vector<Finding>;

[[nodiscard]] bool any_failed(const Findings& findings);

// "PASS  program    ./app: ..."; further lines of a text are indented.
[[nodiscard]] std::string print(const Findings& findings);

}  // namespace tightwire::cli
