// What the checks of messages share: their data, and counting what is wrong.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace messages {

enum class Kind { smooth, random };

// The bytes of message `seed`; smooth ones are doubles and compress well.
[[nodiscard]] std::vector<unsigned char> content(Kind kind, std::size_t bytes, int seed);

// Says what is wrong on this rank and counts it.
void expect(bool holds, const std::string& what);
[[nodiscard]] int failures();
[[nodiscard]] int checks();

// A receive buffer with recognisable bytes in and behind it.
class Buffer {
 public:
  explicit Buffer(std::size_t room);
  [[nodiscard]] unsigned char* data() { return bytes_.data(); }
  [[nodiscard]] int room() const { return static_cast<int>(room_); }
  // Holds the message, and beyond it nothing was touched.
  void expect_message(const std::vector<unsigned char>& message, const std::string& what) const;

 private:
  std::size_t room_;
  std::vector<unsigned char> bytes_;
};

// The status tells of a message of so many bytes.
void expect_status(const MPI_Status& status, int source, int tag, std::size_t bytes,
                   const std::string& what);

// The parts of the check; each is run by all ranks, with messages between rank 0 and rank 1.
void check_sends(MPI_Comm comm);
void check_receives(MPI_Comm comm);
void check_completion(MPI_Comm comm);
void check_probes(MPI_Comm comm);
void check_persistent(MPI_Comm comm);
void check_datatypes(MPI_Comm comm);
void check_errors(MPI_Comm comm);
void check_combined(MPI_Comm comm);

inline constexpr std::size_t sizes[] = {0,    8,     248,   256,    264,           1000,
                                        1024, 65536, 65544, 200000, (3U << 20) + 8};

}  // namespace messages
