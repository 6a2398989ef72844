#include <gtest/gtest.h>

#include "comparison/rows.h"

namespace tightwire::comparison {
namespace {

Row some_row() {
  Row row;
  row.operation = "allreduce";
  row.method = "raw-best";
  row.link_gbps = "10";
  row.hosts = 4;
  row.bytes = 65536;
  row.field = "turbulence";
  row.median_ms = 2;
  row.raw_ms = 5;
  row.wire_bytes = 1234;
  row.max_error_over_bound = 0.25;
  row.algorithm = "ring";
  row.breakdown = {0.001, 0.002, 0.003, 0.004, 0.005, 0.006};
  return row;
}

TEST(ComparisonRows, ResultsHaveTheStatedColumns) {
  EXPECT_EQ(results_csv({some_row()}),
            "op,method,link_gbps,hosts,bytes,field,median_ms,raw_ms,speedup,wire_bytes,"
            "max_error_over_bound,ranks_identical\n"
            "allreduce,raw-best,10,4,65536,turbulence,2.0000,5.0000,2.500,1234,0.25,yes\n");
}

TEST(ComparisonRows, DifferentBitsAreSaid) {
  Row row = some_row();
  row.ranks_identical = false;
  EXPECT_TRUE(results_csv({row}).ends_with(",no\n"));
}

TEST(ComparisonRows, BreakdownIsInMilliseconds) {
  EXPECT_EQ(breakdown_csv({some_row()}),
            "op,method,link_gbps,hosts,bytes,field,algorithm,compress_ms,merge_ms,decompress_ms,"
            "communicate_ms,wait_ms,other_ms\n"
            "allreduce,raw-best,10,4,65536,turbulence,ring,1.0000,2.0000,3.0000,4.0000,5.0000,"
            "6.0000\n");
}

}  // namespace
}  // namespace tightwire::comparison
