#include "cli/file/trial.h"

#include <chrono>
#include <cstdio>

#include "cli/element_names.h"
#include "cli/file/refusal.h"

namespace tightwire::cli {
namespace {

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void check(const codec::Codec& codec, codec::Result result) {
  if (result.ok()) return;
  throw Refusal("codec " + std::string(codec.name()) + ": " +
                std::string(codec::describe(result.error)));
}

void check_promise(const Trial& trial, std::span<const std::byte> values) {
  const bool kept =
      trial.codec->lossy()
          ? trial.quality.largest_error <= trial.parameters.error_bound &&
                trial.quality.special_changed == 0
          : std::equal(values.begin(), values.end(), trial.decoded.begin(), trial.decoded.end());
  if (kept) return;
  throw Refusal("codec " + std::string(trial.codec->name()) +
                " broke its promise on these values, and nothing was written; please report it");
}

template <class... Values>
std::string format(const char* pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

}  // namespace

double Trial::ratio() const {
  return encoded.empty()
             ? 1
             : static_cast<double>(decoded.size()) / static_cast<double>(encoded.size());
}

Trial try_codec(const codec::Codec& codec, codec::ElementType type,
                std::span<const std::byte> values, const codec::Parameters& parameters) {
  Trial trial;
  trial.codec = &codec;
  trial.parameters = parameters;
  trial.type = type;
  trial.encoded.resize(codec.max_encoded_size(type, values.size() / element_size(type)));
  trial.decoded.resize(values.size());
  const Stopwatch compressing;
  const codec::Result encoded = codec.encode(type, values, parameters, trial.encoded);
  trial.compress_seconds = compressing.seconds();
  check(codec, encoded);
  trial.encoded.resize(encoded.size);
  const Stopwatch expanding;
  const codec::Result decoded = codec.decode(type, trial.encoded, trial.decoded);
  trial.expand_seconds = expanding.seconds();
  check(codec, decoded);
  if (is_floating_point(type)) trial.quality = compare(type, values, trial.decoded);
  check_promise(trial, values);
  return trial;
}

std::string describe(const Trial& trial) {
  const auto bytes = static_cast<double>(trial.decoded.size());
  std::string text =
      format("  codec          %s\n", std::string(trial.codec->name()).c_str()) +
      format("  values         %zu of type %s\n", trial.decoded.size() / element_size(trial.type),
             name_of(trial.type).c_str()) +
      format("  size           %zu -> %zu bytes, ratio %.2f\n", trial.decoded.size(),
             trial.encoded.size(), trial.ratio()) +
      format("  speed          compress %.2f GB/s, expand %.2f GB/s\n",
             bytes / trial.compress_seconds / 1e9, bytes / trial.expand_seconds / 1e9);
  if (!trial.codec->lossy()) return text + "  error          none: every bit is kept\n";
  const Quality& quality = trial.quality;
  text += format("  error bound    %.6g\n", trial.parameters.error_bound);
  text += format("  largest error  %.6g (%.1f %% of the bound)\n", quality.largest_error,
                 100 * quality.largest_error / trial.parameters.error_bound);
  text += format("  NRMSE          %.3g\n", quality.nrmse());
  text += format("  PSNR           %.2f dB\n", quality.psnr());
  return text;
}

}  // namespace tightwire::cli
