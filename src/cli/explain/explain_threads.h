// What several threads of a rank mean to the cost model.
#pragma once

#include <cstddef>
#include <string>

#include "settings/settings.h"

namespace tightwire::cli {

struct ThreadsOfRank {
  double coding_speedup = 1;  // of a call of so many bytes
  std::string text;           // whole lines, empty where the calling thread is alone
};

// Measured on this machine, which takes some milliseconds. Throws std::bad_alloc.
[[nodiscard]] ThreadsOfRank threads_of_rank(const settings::Settings& settings, std::size_t bytes);

}  // namespace tightwire::cli
