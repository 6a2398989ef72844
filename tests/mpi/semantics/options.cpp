#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <map>

namespace semantics {
namespace {

[[noreturn]] void usage(const std::string& wrong) {
  std::fprintf(stderr,
               "check_semantics: cannot read '%s'\n"
               "usage: check_semantics --seed=N --count=N --folder=FOLDER [--threshold=BYTES]\n"
               "                       [--largest=BYTES] [--threads=N] [--bound=X]\n"
               "                       [--fault=byte|guard|source|tag|count]\n",
               wrong.c_str());
  std::exit(2);
}

Fault fault_named(const std::string& name, const std::string& argument) {
  const std::map<std::string, Fault> faults{{"byte", Fault::byte},
                                            {"guard", Fault::guard},
                                            {"source", Fault::source},
                                            {"tag", Fault::tag},
                                            {"count", Fault::count}};
  const auto found = faults.find(name);
  if (found == faults.end()) usage(argument);
  return found->second;
}

std::uint64_t number(const std::string& text, const std::string& argument) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') usage(argument);
  return value;
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
#ifdef MPICH_NUMVERSION
  // MPICH 4.0 takes a record that it cuts in two between fragments, from about 8 KiB on, for a
  // truncated message.
  options.limits.largest_of_records = 2600;
#endif
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (key == "--seed") {
      options.seed = number(value, argument);
    } else if (key == "--count") {
      options.count = number(value, argument);
    } else if (key == "--folder") {
      options.folder = value;
    } else if (key == "--threshold") {
      options.limits.threshold = number(value, argument);
    } else if (key == "--largest") {
      options.limits.largest = number(value, argument);
    } else if (key == "--threads") {
      options.threads = static_cast<int>(number(value, argument));
    } else if (key == "--bound") {
      options.judge.bound = std::atof(value.c_str());
    } else if (key == "--fault") {
      options.judge.fault = fault_named(value, argument);
    } else {
      usage(argument);
    }
  }
  // MPICH 4.0 calls back under its own lock, and ends where it is called then.
  options.limits.calls_back = options.threads == 1;
#ifdef OPEN_MPI
  // Open MPI 4.1's MPI_Waitall never ends under MPI_THREAD_MULTIPLE where one request has failed
  // and another is under way.
  options.limits.truncates = options.threads == 1;
#endif
  return options;
}

}  // namespace semantics
