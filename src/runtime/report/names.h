// What the rows of a report are called, in the table and in JSON alike.
#pragma once

#include <string>

#include "runtime/statistics.h"

namespace tightwire::runtime {

// "Allreduce". Variants of one operation (Gatherv, Exscan) are counted with it.
[[nodiscard]] const char* operation_name(const Row& row);

// Why calls went to MPI as they are: for people, and a word for machines.
struct ReasonName {
  const char* text;  // "below the threshold"
  const char* word;  // "below-threshold"
};
[[nodiscard]] ReasonName reason_name(policy::Reason reason);

// "bounded"
[[nodiscard]] const char* tier_name(policy::Tier tier);

// "-" where nothing was encoded.
[[nodiscard]] std::string codec_name(const Row& row);

// Of the values to the frames that were sent; 1 where none was.
[[nodiscard]] double ratio_of(const Row& row);

// A report names no folders, for they often name the user: "x.toml:3" of "/home/alice/x.toml:3".
[[nodiscard]] std::string without_folders(const std::string& place);

}  // namespace tightwire::runtime
