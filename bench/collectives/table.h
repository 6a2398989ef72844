// The rows that a benchmark of collectives writes, and the format of its file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tightwire::bench {

struct Row {
  std::string collective;
  std::string mode;
  std::size_t count = 0;  // float32 values
  double raw_ms = 0;      // plain MPI, measured in alternation with this mode
  double ms = 0;
  std::uint64_t wire_bytes = 0;
  std::uint64_t raw_wire_bytes = 0;
  double max_error = 0;
  double error_bound = 0;  // 0 where none was given
};

// collective,mode,count,raw_ms,ms,speedup,wire_bytes,raw_wire_bytes,max_error,error_bound
[[nodiscard]] std::string csv(const std::vector<Row>& rows);

}  // namespace tightwire::bench
