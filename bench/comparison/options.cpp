#include "comparison/options.h"

#include <algorithm>
#include <bit>

#include "comparison/method_names.h"
#include "fields/fields.h"
#include "settings/text.h"

namespace tightwire::comparison {
namespace {

constexpr std::size_t smallest_bytes = std::size_t{64} << 10;  // of a field
constexpr std::size_t largest_bytes = std::size_t{1} << 32;    // 2^30 values, an MPI count

std::string check_operation(const std::string& text) {
  return operation_named(text) ? "" : "\"" + text + "\" is not one of " + operation_names();
}

std::string check_method(const std::string& text) {
  if (std::ranges::find(method_names, text) != std::end(method_names)) return "";
  std::string known;
  for (const auto name : method_names) known.append(known.empty() ? "" : ", ").append(name);
  return "\"" + text + "\" is not one of " + known;
}

std::string check_field(const std::string& text) {
  const fields::Kind* const kind = fields::find(text);
  if (kind != nullptr && text != "constant" && !text.ends_with("positions")) return "";
  return "\"" + text + "\" is not a float32 field such as quiet_wavefield, turbulence, white_noise";
}

std::string check_bound(const std::string& text) {
  settings::ErrorBound bound;
  if (const auto fault = settings::parse(text, bound)) {
    return "\"" + text + "\" " + fault->reason + "; " + fault->advice;
  }
  return bound.given() ? "" : "\"" + text + "\" leaves nothing to measure; give a bound";
}

std::string check_bytes(const std::string& text) {
  settings::Bytes bytes;
  const auto fault = settings::parse(text, bytes);
  if (!fault && std::has_single_bit(bytes.value) && bytes.value >= smallest_bytes &&
      bytes.value <= largest_bytes) {
    return "";
  }
  return "\"" + text + "\" is not a power of two from 64K to 4G";
}

}  // namespace

std::variant<Options, bench::Notice> parse_options(int argc, const char* const* argv) {
  CLI::App app(
      "Measures collective operations on float32 values by several methods in alternation: plain "
      "MPI, the published ways of compressing, Tightwire.");
  Options options;
  std::vector<std::string> operations;
  for (const Operation operation : all_operations) operations.emplace_back(name_of(operation));
  options.methods.assign(std::begin(method_names), std::end(method_names));
  std::vector<std::string> bytes{"4M"};
  std::string bound = "rel:1e-4";
  app.add_option("--ops", operations, operation_names())->delimiter(',')->check(check_operation);
  app.add_option("--methods", options.methods, "beside raw; all")
      ->delimiter(',')
      ->check(check_method);
  app.add_option("--bytes", bytes, "of the whole vector, powers of two from 64K on")
      ->delimiter(',')
      ->check(check_bytes);
  app.add_option("--field", options.field, "a float32 field of the codecs' benchmark")
      ->check(check_field)
      ->capture_default_str();
  app.add_option("--files", options.files,
                 "folder of 0.f32, 1.f32, ..., one for each rank, in place of --field and --bytes");
  app.add_option("--cache", options.cache, "folder that keeps fields")->capture_default_str();
  app.add_option("--save", options.save, "folder to write rank 0's results to, METHOD.f32");
  app.add_option("--error-bound", bound, "absolute, or rel: and a part of the field's range")
      ->check(check_bound)
      ->capture_default_str();
  app.add_option("--zfp-rate", options.zfp_rate, "bits per value of the fixed-rate baseline")
      ->check(CLI::Range(1.0, 32.0))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "to spend on each operation and size")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--fewest", options.fewest, "samples, however long they take")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--link-gbps", options.link_gbps, "speed of the links, for the file");
  app.add_option("--output", options.output, "CSV file to write")->required();
  app.add_option("--breakdown", options.breakdown, "CSV file to write")->required();
  if (auto notice = bench::parse(app, argc, argv)) return *std::move(notice);
  static_cast<void>(settings::parse(bound, options.error_bound));
  for (const std::string& text : bytes) {
    settings::Bytes size;
    static_cast<void>(settings::parse(text, size));
    options.bytes.push_back(size.value);
  }
  for (const std::string& name : operations) {
    if (const auto operation = operation_named(name)) options.operations.push_back(*operation);
  }
  return options;
}

}  // namespace tightwire::comparison
