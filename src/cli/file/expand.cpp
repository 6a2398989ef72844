// tightwire expand: back to an array of raw values.
#include "cli/file/commands.h"
#include "cli/file/container.h"
#include "cli/file/io.h"
#include "cli/file/run.h"

namespace tightwire::cli {
namespace {

std::string default_output(const std::string& input) {
  if (input.ends_with(".tw") && input.size() > 3) return input.substr(0, input.size() - 3);
  throw Refusal(input + " does not end in .tw; name the file to write with --output");
}

}  // namespace

int run_expand(const std::vector<std::string>& arguments) {
  CLI::App app("Expands a file that tightwire compress has written.", "tightwire expand");
  std::string input;
  std::string output;
  bool force = false;
  app.add_option("FILE", input, "the compressed file")->required();
  app.add_option("-o,--output", output, "the file to write; else FILE without .tw");
  app.add_flag("--force", force, "replace a file that is there");
  return run_file_command(app, arguments, [&] {
    const std::string target = output.empty() ? default_output(input) : output;
    check_output(target, force);
    const std::vector<std::byte> file = read_file(input);
    const std::vector<std::byte> values = expand(read_container(file, input), input);
    write_file(target, {values}, force);
  });
}

}  // namespace tightwire::cli
