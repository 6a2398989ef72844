// What the user asks of a codec, as options that compress and inspect share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "codec/codec.h"
#include "settings/values.h"

namespace tightwire::cli {

class Request {
 public:
  // Adds the options to `app`, which must not outlive this object.
  explicit Request(CLI::App& app);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // Of the values in the file at `path`. Throws Refusal.
  [[nodiscard]] codec::ElementType type(const std::string& path) const;

  [[nodiscard]] const settings::ErrorBound& bound() const { return bound_; }

  // error_bound is absolute, and 0 where the values have no range that a relative one could refer
  // to, or one that overflows: then they are to be exact, as messages are.
  [[nodiscard]] codec::Parameters parameters(codec::ElementType type,
                                             std::span<const std::byte> values) const;
  // What to tell the user of that bound; empty if there is nothing.
  [[nodiscard]] std::string remark(codec::ElementType type, std::span<const std::byte> values,
                                   double absolute_bound) const;
  // The parameters without a bound.
  [[nodiscard]] codec::Parameters exact_parameters() const;

 private:
  std::string type_;
  settings::ErrorBound bound_;
  settings::ZstdLevel zstd_level_;
  settings::ZfpRate zfp_rate_;
  codec::Parameters parameters_;  // the rest
};

// Throws Refusal unless the file is a whole number of values.
void check_size(const std::string& path, codec::ElementType type, std::size_t bytes);

}  // namespace tightwire::cli
