#include "cli/file/request.h"

#include <array>
#include <cmath>

#include "cli/element_names.h"
#include "cli/file/names.h"
#include "cli/file/refusal.h"
#include "codec/estimate/estimate.h"
#include "codec/estimate/value_range.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

// The settings' own parser, so that the same words mean the same.
template <class T>
CLI::Option* add_setting(CLI::App& app, const std::string& name, T& value,
                         const std::string& help) {
  return app.add_option_function<std::string>(
      name,
      [name, &value](const std::string& text) {
        if (const auto fault = settings::parse(text, value)) {
          throw CLI::ValidationError(name,
                                     "\"" + text + "\" " + fault->reason + "; " + fault->advice);
        }
      },
      help);
}

}  // namespace

Request::Request(CLI::App& app) {
  app.add_option("--type", type_,
                 "f32, f64, i8, i16, i32, i64 or bytes; else as the file's extension says")
      ->check(CLI::IsMember(types_by_name()));
  add_setting(app, "--error-bound", bound_,
              "largest error of a value: a number, or rel:NUMBER as a part of the value range")
      ->type_name("BOUND");
  CLI::Option* const row_length = app.add_option(
      "--row-length", parameters_.row_length,
      "values per row, if the array has two or more dimensions; else a sample tells");
  app.add_option("--plane-length", parameters_.plane_length,
                 "values per plane, if the array has three or more dimensions: a whole number of "
                 "rows; else a sample tells")
      ->needs(row_length);
  app.add_option("--components", parameters_.components,
                 "values of so many quantities take turns, as x y z x y z; else a sample tells")
      ->check(CLI::Range(1, int{codec::bounded::most_components}));
  add_setting(app, "--zstd-level", zstd_level_, "level of zstd")
      ->default_str(settings::print(zstd_level_));
  add_setting(app, "--zfp-rate", zfp_rate_, "bits per value of zfp-rate")
      ->default_str(settings::print(zfp_rate_));
}

codec::ElementType Request::type(const std::string& path) const {
  return type_.empty() ? type_of_path(path) : types_by_name().at(type_);
}

codec::Parameters Request::exact_parameters() const {
  codec::Parameters parameters = parameters_;
  parameters.alone = true;
  parameters.zstd_level = zstd_level_.value;
  parameters.zfp_rate = zfp_rate_.value;
  return parameters;
}

codec::Parameters Request::parameters(codec::ElementType type,
                                      std::span<const std::byte> values) const {
  codec::Parameters parameters = exact_parameters();
  if (bound_.given() && !is_floating_point(type)) {
    throw Refusal("--error-bound: " + name_of(type) + " values are never reduced; leave it out");
  }
  parameters.error_bound = bound_.value;
  if (bound_.kind == settings::ErrorBound::Kind::relative) {
    const double absolute = bound_.value * codec::value_range(type, values).width();
    parameters.error_bound = std::isnormal(absolute) ? absolute : 0;
  }
  if (parameters.row_length == 0 && parameters.components == 1) {
    const std::array codecs{codec::Id::bounded, codec::Id::exact};
    const codec::Estimate estimate = codec::estimate(type, values, parameters, codecs);
    parameters.row_length = estimate.row_length;
    parameters.plane_length = estimate.plane_length;
    parameters.components = estimate.components;
  }
  return parameters;
}

std::string Request::remark(codec::ElementType type, std::span<const std::byte> values,
                            double absolute_bound) const {
  if (bound_.kind != settings::ErrorBound::Kind::relative) return {};
  if (absolute_bound == 0) {
    return "--error-bound: the values have no range that rel: could be a part of, or one that "
           "overflows, so every bit is kept";
  }
  const codec::ValueRange range = codec::value_range(type, values);
  if (!range.wiped_out_by(absolute_bound)) return {};
  return codec::wiped_out_text(values.size() / element_size(type), range, absolute_bound);
}

void check_size(const std::string& path, codec::ElementType type, std::size_t bytes) {
  if (bytes % element_size(type) == 0) return;
  throw Refusal(path + " has " + std::to_string(bytes) + " bytes, which is no whole number of " +
                name_of(type) + " values; is it of another --type?");
}

}  // namespace tightwire::cli
