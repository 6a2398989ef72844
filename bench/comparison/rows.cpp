#include "comparison/rows.h"

#include "support/formatted.h"

namespace tightwire::comparison {
namespace {

using bench::formatted;

std::string key(const Row& row) {
  return row.operation + ',' + row.method + ',' + row.link_gbps + ',' + std::to_string(row.hosts) +
         ',' + std::to_string(row.bytes) + ',' + row.field + ',';
}

}  // namespace

std::string results_csv(const std::vector<Row>& rows) {
  std::string text =
      "op,method,link_gbps,hosts,bytes,field,median_ms,raw_ms,speedup,wire_bytes,"
      "max_error_over_bound,ranks_identical\n";
  for (const Row& row : rows) {
    text += key(row) + formatted("%.4f,%.4f,%.3f,%lu,%.4g,%s\n", row.median_ms, row.raw_ms,
                                 row.raw_ms / row.median_ms, row.wire_bytes,
                                 row.max_error_over_bound, row.ranks_identical ? "yes" : "no");
  }
  return text;
}

std::string breakdown_csv(const std::vector<Row>& rows) {
  std::string text =
      "op,method,link_gbps,hosts,bytes,field,algorithm,compress_ms,merge_ms,decompress_ms,"
      "communicate_ms,wait_ms,other_ms\n";
  for (const Row& row : rows) {
    text += key(row) + row.algorithm;
    for (const auto part : all_parts) text += formatted(",%.4f", 1e3 * (row.breakdown.*part));
    text += '\n';
  }
  return text;
}

}  // namespace tightwire::comparison
