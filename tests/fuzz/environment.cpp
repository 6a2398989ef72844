// Any words NAME=VALUE as the environment of a process: its settings, and the job that it is in.
#include <unistd.h>

#include "cli/launch/job.h"
#include "problems.h"
#include "words.h"

namespace {

using namespace tightwire;

class Environment {
 public:
  explicit Environment(std::vector<std::string> words)
      : words_(std::move(words)), before_(environ) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    environ = pointers_.data();
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { environ = before_; }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  char** before_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Environment environment(fuzz::words_of(data, size));
  settings::Sources sources = settings::process_sources();
  sources.config_file = "/dev/null";  // no file of this machine
  const settings::Loaded loaded = load(sources);
  fuzz::check(loaded.problems);
  for (const settings::Problem& problem : loaded.problems) {
    fuzz::require(describe(problem).starts_with("tightwire: "), "a problem can be said");
  }
  const cli::Job job = cli::read_job(cli::process_environment());
  fuzz::require(job.rank || job.first_of_program, "a process without a rank speaks for itself");
  return 0;
}
