// A schedule of messages: what every rank does, step by step. Every rank generates the schedules of
// all ranks from the seed, and performs its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace semantics {

// A message is `count` elements of a base type; a record is a double and an int.
enum class Base : std::uint8_t { bytes, int32, float32, float64, record };

struct Signature {
  Base base = Base::bytes;
  std::size_t count = 0;
};

// How elements lie in memory. Both sides of a message choose their own.
enum class Shape : std::uint8_t {
  basic,       // count elements of the base type
  contiguous,  // by a contiguous type of several
  vector,      // blocks at a constant stride, one datatype for all
  strided,     // the same as several of a resized type
  blocks,      // blocks of uneven lengths and gaps
  shuffled,    // the same, not in the order of their addresses
  absolute,    // the same, by absolute addresses from MPI_BOTTOM
};

struct Placement {
  Shape shape = Shape::basic;
  std::uint64_t seed = 0;
};

enum class Content : std::uint8_t { smooth, constant, noise, half_noise, marked };

struct Message {
  int comm = 0;  // index into Communicators
  int source = 0;
  int destination = 0;  // both are ranks of the world
  int tag = 0;
  Signature signature;
  Content content = Content::smooth;
  std::uint64_t seed = 0;
};

// A message of its own communicator, beside the others: received where MPI has called the rank
// back.
struct Errand {
  int source = 0;
  int tag = 0;
  std::uint64_t seed = 0;
};

inline constexpr int any = -1;   // source or tag of a receive
inline constexpr int none = -1;  // no message, operation or inbox

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };
enum class Way : std::uint8_t { blocking, immediate, persistent };
enum class Kind : std::uint8_t { send, receive, barrier, allreduce, generalized };

// One rank's half of a message, its part of a non-blocking collective, or a generalised request.
struct Operation {
  Kind kind = Kind::send;
  int rank = 0;
  int comm = 0;
  int peer = 0;         // rank of the world, or any
  int tag = 0;          // or any
  Signature signature;  // for a receive: what it has room for
  Placement placement;
  // A send's message, or the one that a receive gets. A receive of an inbox that is open to several
  // sources does not know.
  int message = none;
  int inbox = none;
  Errand errand;  // of a generalised request's query function
  SendMode mode = SendMode::standard;
  Way way = Way::blocking;
  int series = none;  // of a persistent request: its first operation
  bool truncated = false;
  bool ignores_status = false;
  bool large_count = false;  // by MPI-4's call with MPI_Count, where there is one
};

enum class Act : std::uint8_t {
  start,            // operations: immediate or persistent; several are started together
  send,             // blocking
  receive,          // blocking, by one of the ways of Reception
  match,            // Mprobe or Improbe; the message is received by a later receive_matched
  receive_matched,  // Mrecv, or Imrecv, which leaves a request
  exchange,         // operations: a send and a receive, in one of the ways of Exchange
  complete,         // by one of the ways of Completion
  free_request,     // of a send that is under way
  cancel_received,  // a send of a message that is known to have been received
  collective,       // blocking, over comm
  give_token,       // tells peer that a receive is posted
  take_token,
  cancel_unmatched,  // a receive that nothing matches is cancelled
  probe_nothing,     // Iprobe and Improbe for a tag that nobody uses
  look,              // probes for a message that waits; which is received next is another matter
  is_unreceived,     // tests a synchronous send that waits for its receive
  send_errand,       // to peer
  end_generalized,   // MPI_Grequest_complete
  duplicate,         // comm, or a datatype, with an attribute whose functions communicate
  reduce,            // by an operation that communicates, over comm
  use_file,          // of comm: written and read while messages come, by one list of requests
  short_lived,       // communicators, made of comm, used once and freed
  err,               // a wrong call, whose error handler does as Handling says
  talk_to_nobody,    // every call with MPI_PROC_NULL
  invalid_arguments,
};

enum class Reception : std::uint8_t {
  receive,
  probe,
  iprobe,
  mprobe,
  improbe,
  start_and_wait,
  cancel_and_retry,
};
enum class Exchange : std::uint8_t { sendrecv, replace, isendrecv };
enum class Completion : std::uint8_t {
  wait,
  waitall,
  waitany,
  waitsome,
  test,
  testall,
  testany,
  testsome,
  get_status,
};

enum class Duplicated : std::uint8_t { communicator, datatype };
enum class Handling : std::uint8_t { calls, jumps };

struct Step {
  Act act = Act::start;
  std::vector<int> operations;
  std::size_t must = 0;  // complete: the first so many complete; the others may
  int comm = 0;
  int peer = 0;
  int tag = 0;
  bool determined = true;  // which message is seen
  std::uint8_t way = 0;    // Reception, Exchange, Completion, Handling or Duplicated
  std::uint64_t seed = 0;
  std::vector<Errand> errands;
};

// Receives of an open inbox may get the messages of several sources in any order.
struct Inbox {
  int comm = 0;
  int rank = 0;
  std::vector<int> receives;  // in the order of posting
};

struct Schedule {
  std::vector<Message> messages;
  std::vector<Operation> operations;
  std::vector<Inbox> open_inboxes;
  std::vector<std::vector<Step>> steps;  // of each rank
};

}  // namespace semantics
