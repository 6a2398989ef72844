// Tools that stand between a program and MPI by the profiling interface (MPI 4.0, chapter 15): they
// define MPI_x and call PMPI_x.
#pragma once

namespace tightwire::interpose {

// `next`, the definition of an MPI_x behind ours, if it is a tool's; else nullptr. MPI's own
// library defines `profiling_name`, PMPI_x, as well, and a tool does not.
[[nodiscard]] void* function_of_tool(void* next, const char* profiling_name);

}  // namespace tightwire::interpose
