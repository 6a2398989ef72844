// What the cases share: messages, and counting what is wrong.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace matching {

// Values that compress well, another series for each seed.
[[nodiscard]] std::vector<double> smooth(std::size_t bytes, int seed);

// Values that compress a little, so that what is sent for them is large.
[[nodiscard]] std::vector<double> rough(std::size_t bytes);

void expect(bool holds, const std::string& what);
[[nodiscard]] int failures();

[[nodiscard]] std::size_t bytes_in(const MPI_Status& status);
// Receives a message of smooth(bytes, seed) with this tag.
void receive(std::size_t bytes, int seed, int source, int wanted_tag, int tag);

// Each is run by all three ranks. `folder` is one of this run's own.
void synchronous_sends_outlive_probes(const std::string& folder);
void lengths_of_frames(const std::string& folder);
void sparse_exchange(const std::string& folder);
void busy_sender_holds_up_nobody(const std::string& folder);
void sent_is_sent(const std::string& folder);
void files_advance_in_every_completion(const std::string& folder);
void scratch_buffer(const std::string& folder);
void scratch_by_all_ways(const std::string& folder);
void freed_receive(const std::string& folder);
void freed_receive_by_all_ways(const std::string& folder);
void short_receive(const std::string& folder);
void late_receiver(const std::string& folder);

}  // namespace matching
