// tightwire compress: an array of raw values becomes a smaller file.
#include <cmath>
#include <filesystem>
#include <sstream>

#include "cli/file/commands.h"
#include "cli/file/container.h"
#include "cli/file/io.h"
#include "cli/file/request.h"
#include "cli/file/run.h"
#include "cli/file/trial.h"

namespace tightwire::cli {
namespace {

constexpr std::size_t bins = 201;  // odd, so that no error at all stands in the middle

struct Compress {
  std::string input;
  std::string output;
  std::string codec;
  std::string histogram;
  bool force = false;
};

const codec::Codec& exact_codec() {
  const codec::Codec* const exact = codec::find(codec::Id::exact);
  return exact != nullptr ? *exact : *codec::find(codec::Id::zstd);
}

const codec::Codec& codec_for(const Compress& options, bool reduce) {
  if (!options.codec.empty()) return *codec::find(options.codec);
  return reduce ? *codec::find(codec::Id::bounded) : exact_codec();
}

void check_choice(const codec::Codec& codec, codec::ElementType type, bool bound_given) {
  const std::string name(codec.name());
  if (codec.lossy() && !bound_given) {
    throw Refusal("codec " + name + " needs --error-bound, such as --error-bound rel:1e-4");
  }
  if (!codec.lossy() && bound_given) {
    throw Refusal("codec " + name + " is exact; leave out --error-bound, or take another --codec");
  }
  if (!codec.supports(type)) throw Refusal("codec " + name + " is not for values of this --type");
}

void write_histogram(const std::string& path, const Trial& trial, std::span<const std::byte> values,
                     bool replace) {
  if (!trial.codec->lossy()) {
    throw Refusal("--histogram: an exact codec makes no errors; give an --error-bound");
  }
  const double limit = trial.parameters.error_bound;
  const auto counts = error_histogram(trial.type, values, trial.decoded, limit, bins);
  std::ostringstream text;
  text.precision(17);
  text << "error_low,error_high,count\n";
  const auto edge = [&](std::size_t i) {
    return limit * (2 * static_cast<double>(i) / static_cast<double>(bins) - 1);
  };
  for (std::size_t i = 0; i < bins; ++i) {
    text << edge(i) << ',' << edge(i + 1) << ',' << counts[i] << '\n';
  }
  const std::string written = text.str();
  write_file(path, {std::as_bytes(std::span(written))}, replace);
}

void check_outputs(const std::string& output, const std::string& histogram, bool replace) {
  check_output(output, replace);
  if (histogram.empty()) return;
  check_output(histogram, replace);
  const auto plain = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  if (plain(output) == plain(histogram)) {
    throw Refusal("--histogram names the file that is to be compressed into: " + histogram);
  }
}

void compress(const Compress& options, const Request& request) {
  const std::string output = options.output.empty() ? options.input + ".tw" : options.output;
  check_outputs(output, options.histogram, options.force);
  const std::vector<std::byte> values = read_file(options.input);
  const codec::ElementType type = request.type(options.input);
  check_size(options.input, type, values.size());
  const codec::Parameters parameters = request.parameters(type, values);
  const codec::Codec& wanted = codec_for(options, request.bound().given());
  check_choice(wanted, type, request.bound().given());
  const bool has_no_bound = wanted.lossy() && parameters.error_bound == 0;
  const codec::Codec& codec = has_no_bound ? exact_codec() : wanted;
  print_remark(request.remark(type, values, parameters.error_bound));

  const Trial trial = try_codec(codec, type, values, parameters);
  if (!options.histogram.empty()) {
    write_histogram(options.histogram, trial, values, options.force);
  }
  const Contents contents{codec.id(), type, values.size() / element_size(type),
                          codec.lossy() ? parameters.error_bound : 0, trial.encoded};
  write_file(output, {container_header(contents), contents.encoding}, options.force);
  std::printf("%s -> %s\n%s", options.input.c_str(), output.c_str(), describe(trial).c_str());
}

}  // namespace

int run_compress(const std::vector<std::string>& arguments) {
  CLI::App app("Compresses a file of raw values and says what that gave.", "tightwire compress");
  Compress options;
  app.add_option("FILE", options.input, "the values, one after the other as in memory")->required();
  app.add_option("-o,--output", options.output, "the file to write; else FILE.tw");
  std::vector<std::string> names;
  for (const codec::Codec* codec : codec::all()) names.emplace_back(codec->name());
  app.add_option("--codec", options.codec, "else bounded with an error bound and exact without")
      ->check(CLI::IsMember(names));
  const Request request(app);
  app.add_option("--histogram", options.histogram,
                 "a CSV file for the distribution of the errors; tightwire plot draws it");
  app.add_flag("--force", options.force, "replace files that are there");
  return run_file_command(app, arguments, [&] { compress(options, request); });
}

}  // namespace tightwire::cli
