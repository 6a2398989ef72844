#include "support/codec_benchmark.h"

#include <cstdio>
#include <stdexcept>

#include "os/whole_file.h"

namespace tightwire::bench {

fields::Field CodecOptions::field(std::string_view name, std::size_t bytes) const {
  return fields::cached(*fields::find(name), bytes, cache);
}

void add_options(CLI::App& app, CodecOptions& options) {
  app.add_option("--output", options.output, "the CSV to write")->capture_default_str();
  app.add_option("--cache", options.cache, "where the fields are kept")->capture_default_str();
  app.add_option("--size", options.mebibytes, "MiB of every field: a power of two")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64, 128, 256, 512}))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "rounds of measurement")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

std::optional<int> help_or_complain(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
}

int guarded(const char* program, int (*benchmark)(int, char**), int argc, char** argv) {
  try {
    return benchmark(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program, error.what());
    return 1;
  }
}

void write_file(const std::string& path, const std::string& text) {
  if (const auto problem = os::write_whole_file(path, text)) throw std::runtime_error(*problem);
}

}  // namespace tightwire::bench
