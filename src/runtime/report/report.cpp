#include "runtime/report/report.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "os/signals.h"
#include "os/whole_file.h"
#include "runtime/log.h"
#include "runtime/report/formats.h"
#include "runtime/report/remark.h"
#include "runtime/report/totals.h"

namespace tightwire::runtime {
namespace {

void write_report(const std::string& path, const std::string& text) {
  if (const auto problem = os::write_whole_file(path, text + "\n")) {
    log("report: " + *problem + "; name a file in a folder that rank 0 can write to");
  }
}

// At once, so that it does not mix with lines of other ranks.
void print(const std::string& text) {
  const os::WriteErrorsReturn write_errors_return;
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void report_what_was_done(const Runtime& runtime) {
  const Totals totals = totals_of(runtime);
  if (runtime.rank != 0) return;
  if (runtime.settings.verbose == settings::Switch::on) {
    print(as_table(runtime, totals));
  }
  const std::string& name = runtime.settings.report.value;
  if (!name.empty()) write_report((runtime.folder / name).string(), as_json(runtime, totals));
}

void report_no_gain(const Runtime& runtime) {
  const Gain gain = gain_of(runtime);
  if (runtime.rank != 0) return;
  const Job job{runtime.ranks, runtime.nodes.nodes(),
                std::chrono::steady_clock::now() - runtime.began};
  if (const auto line = remark(job, gain, runtime.settings)) print(*line);
}

}  // namespace

void report(const Runtime& runtime) {
  if (runtime.reporting()) report_what_was_done(runtime);
  if (may_remark(runtime.settings)) report_no_gain(runtime);
}

}  // namespace tightwire::runtime
