// The lines of the two files that the comparison writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comparison/breakdown.h"

namespace tightwire::comparison {

struct Row {
  std::string operation;
  std::string method;
  std::string link_gbps;
  int hosts = 0;
  std::size_t bytes = 0;  // of the whole vector
  std::string field;
  double median_ms = 0;
  double raw_ms = 0;
  std::uint64_t wire_bytes = 0;  // sent by all hosts, per call
  double max_error_over_bound = 0;
  bool ranks_identical = true;
  std::string algorithm;  // as Method::detail() says; "plain": Tightwire left it to MPI
  Breakdown breakdown;    // of the call that took the median time
};

// op,method,link_gbps,hosts,bytes,field,median_ms,raw_ms,speedup,wire_bytes,max_error_over_bound,
// ranks_identical
[[nodiscard]] std::string results_csv(const std::vector<Row>& rows);

// op,method,link_gbps,hosts,bytes,field,algorithm,compress_ms,merge_ms,decompress_ms,
// communicate_ms,wait_ms,other_ms
[[nodiscard]] std::string breakdown_csv(const std::vector<Row>& rows);

}  // namespace tightwire::comparison
