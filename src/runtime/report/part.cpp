#include "runtime/report/part.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "os/whole_file.h"
#include "runtime/log.h"
#include "runtime/report/formats.h"
#include "runtime/runtime.h"
#include "runtime/version.h"
#include "timeline/trace.h"

namespace tightwire::runtime {
namespace {

std::atomic<bool> part_is_there{false};

std::string own_path(const Runtime& runtime, const std::string& name) {
  return (runtime.folder / name_of_part(name, runtime.rank)).string();
}

void tell_once(const char* what, const std::string& problem) {
  static std::atomic_flag told;
  if (told.test_and_set()) return;
  log(what + (": " + problem) + "; name a file in a folder that all ranks can write to");
}

}  // namespace

std::string name_of_part(const std::string& name, int rank) {
  const std::filesystem::path path(name);
  std::filesystem::path part = path;
  part.replace_extension(".rank" + std::to_string(rank) + path.extension().string());
  return part.string();
}

void write_part_of_report(const std::string& why) {
  const Runtime& runtime = current();
  if (runtime.settings.report.value.empty()) return;
  const std::string path = own_path(runtime, runtime.settings.report.value);
  const std::string text = part_as_json(runtime, own_totals(runtime), why) + "\n";
  if (const auto problem = os::write_whole_file(path, text)) return tell_once("report", *problem);
  part_is_there = true;
}

void remove_part_of_report() {
  if (!part_is_there.exchange(false)) return;
  ::unlink(own_path(current(), current().settings.report.value).c_str());
}

void write_timeline(const std::string& ended_by) {
  const Runtime& runtime = current();
  if (!timeline::active()) return;
  timeline::stop();
  timeline::Trace trace({version, runtime.job, runtime.rank, runtime.ranks,
                         static_cast<std::size_t>(runtime.nodes.node_of(runtime.rank)), ended_by},
                        runtime.clock);
  const std::string path = own_path(runtime, runtime.settings.timeline.value);
  if (const auto problem = os::write_whole_file(path, [&] { return trace.next(); })) {
    tell_once("timeline", *problem);
  }
}

}  // namespace tightwire::runtime
