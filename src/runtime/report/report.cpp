#include "runtime/report/report.h"

#include <cstdio>
#include <string>

#include "os/signals.h"
#include "os/whole_file.h"
#include "runtime/log.h"
#include "runtime/report/formats.h"

namespace tightwire::runtime {
namespace {

void write_report(const std::string& path, const std::string& text) {
  if (const auto problem = os::write_whole_file(path, text + "\n")) {
    log("report: " + *problem + "; name a file in a folder that rank 0 can write to");
  }
}

}  // namespace

void report(const Runtime& runtime) {
  if (!runtime.reporting()) return;
  const Totals totals = totals_of(runtime);
  if (runtime.rank != 0) return;
  if (runtime.settings.verbose == settings::Switch::on) {
    const std::string table = as_table(runtime, totals);
    const os::WriteErrorsReturn write_errors_return;
    std::fwrite(table.data(), 1, table.size(), stderr);
  }
  const std::string& name = runtime.settings.report.value;
  if (!name.empty()) write_report((runtime.folder / name).string(), as_json(runtime, totals));
}

}  // namespace tightwire::runtime
