// What this rank alone can say before the job's end, when the others may not be there any more: a
// part of the report, and its timeline.
#pragma once

#include <string>

namespace tightwire::runtime {

// "run.rank3.json" of "run.json"
[[nodiscard]] std::string name_of_part(const std::string& name, int rank);

// Writes what this rank has done so far beside the file that the settings name. `why`: "SIGTERM",
// "MPI_Abort", "so far". Calls no MPI; thread safe. A file that cannot be written is told of once.
void write_part_of_report(const std::string& why);
// Where the job has come to its end the whole report is there: removes the part, if there is one.
void remove_part_of_report();

// The timeline, whose end this is. `ended_by`: empty at the end of the job.
void write_timeline(const std::string& ended_by);

// Before MPI is up: whether SIGUSR1 is free.
void before_mpi();
// From MPI_Init on: does so at SIGUSR1 and every report-every, by a thread of its own, and where a
// signal ends the process, the program exits before MPI_Finalize, or calls MPI_Abort.
void start_watching();
void stop_watching();
void note_end(const std::string& why);

}  // namespace tightwire::runtime
