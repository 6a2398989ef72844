#include "collectives/table.h"

#include "support/formatted.h"

namespace tightwire::bench {
namespace {

std::string line(const Row& row) {
  return formatted("%s,%s,%zu,%.4f,%.4f,%.3f,%lu,%lu,%.3e,%.3e\n", row.collective.c_str(),
                   row.mode.c_str(), row.count, row.raw_ms, row.ms, row.raw_ms / row.ms,
                   row.wire_bytes, row.raw_wire_bytes, row.max_error, row.error_bound);
}

}  // namespace

std::string csv(const std::vector<Row>& rows) {
  std::string text =
      "collective,mode,count,raw_ms,ms,speedup,wire_bytes,raw_wire_bytes,max_error,error_bound\n";
  for (const Row& row : rows) text += line(row);
  return text;
}

}  // namespace tightwire::bench
