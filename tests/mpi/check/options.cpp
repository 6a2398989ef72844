#include "options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace check {
namespace {

[[noreturn]] void usage(const std::string& wrong) {
  std::fprintf(stderr,
               "check_collectives: cannot read '%s'\n"
               "usage: check_collectives [--seed=N] [--bound=X | --bound=rel:X] [--contribution]\n"
               "                         [--sizes=BYTES,...] [--identical-from=BYTES]\n"
               "                         [--sections=NAME,...]\n",
               wrong.c_str());
  std::exit(2);
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

Bound parse_bound(const std::string& text) {
  Bound bound;
  if (text.starts_with("rel:")) {
    bound.relative = std::atof(text.c_str() + 4);
  } else {
    bound.absolute = std::atof(text.c_str());
  }
  if (!bound.given()) {
    usage(text);
  }
  return bound;
}

}  // namespace

bool Options::names(const std::string& section) const {
  return std::find(sections.begin(), sections.end(), section) != sections.end();
}

Options parse(int argc, char** argv) {
  Options options;
  bool contribution = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (key == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (key == "--bound") {
      options.bound = parse_bound(value);
    } else if (argument == "--contribution") {
      contribution = true;
    } else if (key == "--sizes") {
      options.sizes.clear();
      for (const auto& size : split_words(value)) {
        options.sizes.push_back(std::strtoull(size.c_str(), nullptr, 10));
      }
    } else if (key == "--identical-from") {
      options.identical_from = std::strtoull(value.c_str(), nullptr, 10);
    } else if (key == "--sections") {
      options.sections = split_words(value);
    } else {
      usage(argument);
    }
  }
  options.bound.per_contribution = contribution;
  return options;
}

}  // namespace check
