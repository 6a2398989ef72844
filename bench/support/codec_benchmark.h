// What the benchmarks of codecs on simulated fields have in common: options, fields, their file.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "fields/fields.h"

namespace tightwire::bench {

struct CodecOptions {
  std::string output;  // the CSV to write
  std::string cache = "results/scratch/fields";
  std::size_t mebibytes = 32;
  int rounds = 0;

  [[nodiscard]] std::size_t bytes() const { return mebibytes << 20; }
  // The field of this name, `bytes` long. Throws std::runtime_error where it cannot be kept.
  [[nodiscard]] fields::Field field(std::string_view name, std::size_t bytes) const;
  [[nodiscard]] fields::Field field(std::string_view name) const { return field(name, bytes()); }
};

// --output, --cache, --size and --rounds, with what `options` holds as defaults.
void add_options(CLI::App& app, CodecOptions& options);

// Takes the command line. Where help or a complaint is all there is to say: the exit code.
[[nodiscard]] std::optional<int> help_or_complain(CLI::App& app, int argc, char** argv);

// All that main() of such a benchmark has to do: an exception is told of, and is exit code 1.
[[nodiscard]] int guarded(const char* program, int (*benchmark)(int, char**), int argc,
                          char** argv);

// Throws std::runtime_error where it cannot be written.
void write_file(const std::string& path, const std::string& text);

}  // namespace tightwire::bench
