// tightwire inspect: what is in a compressed file, or what each codec would make of raw values.
#include "cli/element_names.h"
#include "cli/file/commands.h"
#include "cli/file/container.h"
#include "cli/file/history/recorded_channels.h"
#include "cli/file/io.h"
#include "cli/file/request.h"
#include "cli/file/run.h"
#include "cli/file/trial.h"

namespace tightwire::cli {
namespace {

void inspect_container(const std::string& path, std::span<const std::byte> file) {
  const Contents contents = read_container(file, path);
  const std::size_t size = contents.count * element_size(contents.type);
  std::printf("%s\n  codec          %s\n  values         %llu of type %s\n", path.c_str(),
              std::string(codec::find(contents.codec)->name()).c_str(),
              static_cast<unsigned long long>(contents.count), name_of(contents.type).c_str());
  std::printf("  size           %zu -> %zu bytes, ratio %.2f\n", size, file.size(),
              static_cast<double>(size) / static_cast<double>(file.size()));
  if (contents.error_bound > 0) {
    std::printf("  error bound    %.6g\n", contents.error_bound);
  } else {
    std::printf("  error          none: every bit is kept\n");
  }
  (void)expand(contents, path);
  std::printf("  state          undamaged\n");
}

void print_row(const Trial& trial) {
  const auto bytes = static_cast<double>(trial.decoded.size());
  std::printf("  %-13s %9.2f %9.2f %9.2f", std::string(trial.codec->name()).c_str(), trial.ratio(),
              bytes / trial.compress_seconds / 1e9, bytes / trial.expand_seconds / 1e9);
  if (trial.codec->lossy()) {
    std::printf(" %9.2f %9.2e %9.2e", trial.quality.psnr(), trial.quality.nrmse(),
                trial.quality.largest_error);
  }
  std::printf("\n");
}

// Found or told.
void print_structure(const codec::Parameters& parameters) {
  if (parameters.components > 1) std::printf("  %u components in turn\n", parameters.components);
  if (parameters.row_length == 0) return;
  std::printf("  rows of %u values", parameters.row_length);
  if (parameters.plane_length != 0) std::printf(", planes of %u", parameters.plane_length);
  std::printf("\n");
}

void inspect_values(const std::string& path, std::span<const std::byte> values,
                    const Request& request) {
  const codec::ElementType type = request.type(path);
  check_size(path, type, values.size());
  const codec::Parameters parameters = request.parameters(type, values);
  std::printf("%s: %zu values of type %s\n", path.c_str(), values.size() / element_size(type),
              name_of(type).c_str());
  if (is_floating_point(type)) {
    const Quality quality = compare(type, values, values);
    std::printf("  from %.6g to %.6g; %llu are NaN or infinite\n", quality.smallest,
                quality.largest, static_cast<unsigned long long>(quality.special));
  }
  if (parameters.error_bound > 0) std::printf("  error bound %.6g\n", parameters.error_bound);
  print_remark(request.remark(type, values, parameters.error_bound));
  print_structure(parameters);
  std::printf("\n  codec             ratio  compress    expand      PSNR     NRMSE   largest\n");
  std::printf("                               GB/s      GB/s        dB               error\n");
  for (const codec::Codec* codec : codec::all()) {
    if (!codec->supports(type) || (codec->lossy() && !(parameters.error_bound > 0))) continue;
    print_row(try_codec(*codec, type, values, parameters));
  }
  if (is_floating_point(type) && !request.bound().given()) {
    std::printf("\nWith --error-bound there are more codecs to try.\n");
  }
}

void inspect_recording(const std::string& path, std::span<const std::byte> file,
                       const Request& request) {
  constexpr std::size_t most_channels = 30;
  auto recording = recording::Reader::of(file);
  if (!recording) throw Refusal(path + " is a recording of a newer version of Tightwire");
  const auto parameters_of = [&](codec::ElementType type, std::span<const std::byte> values) {
    return is_floating_point(type) ? request.parameters(type, values) : request.exact_parameters();
  };
  const std::vector<Channel> channels = channels_of(*recording, parameters_of);
  std::printf("%s: messages that rank %u of %u sent\n\n%s", path.c_str(), recording->header().rank,
              recording->header().ranks,
              describe(channels, most_channels, request.bound().given()).c_str());
  if (!recording->at_end()) {
    std::printf(
        "\nIt ends in the middle of a message: the program was ended, or the file is cut.\n");
  }
  if (!request.bound().given())
    std::printf("\nWith --error-bound it also tells what a bound gives.\n");
}

}  // namespace

int run_inspect(const std::vector<std::string>& arguments) {
  CLI::App app(
      "Tells what is in a compressed file and whether it is whole; of a file of raw values, what "
      "every codec would make of it; of recorded messages, what each channel would shrink to. "
      "Writes nothing.",
      "tightwire inspect");
  std::string input;
  app.add_option("FILE", input, "a compressed file, raw values, or a recording")->required();
  const Request request(app);
  return run_file_command(app, arguments, [&] {
    const std::vector<std::byte> file = read_file(input);
    if (is_container(file)) {
      inspect_container(input, file);
    } else if (recording::is_recording(file)) {
      inspect_recording(input, file, request);
    } else {
      inspect_values(input, file, request);
    }
  });
}

}  // namespace tightwire::cli
