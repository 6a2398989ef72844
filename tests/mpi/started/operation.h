// One collective with its buffers, and what must be in them when it is complete.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace started {

enum class Kind {
  bcast,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  // Among the neighbours of a topology.
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
inline constexpr int kinds = 21;
inline constexpr int kinds_among_all = 16;
[[nodiscard]] bool reduces(Kind kind);

// By which of MPI's functions: MPI_Bcast, MPI_Ibcast, MPI_Bcast_init.
enum class Way { blocking, at_once, persistent };

// Which ranks of the world this rank's group of an intercommunicator has, in their order.
enum class Group { whole, even, odd };

struct Draw {
  Kind kind = Kind::bcast;
  MPI_Comm comm = MPI_COMM_NULL;
  Group group = Group::whole;  // another one where `comm` is between two
  int count = 0;               // of values from each rank, or for each
  int root = 0;                // between two groups: its rank in the world
  int salt = 0;                // what tells the values of two operations apart
  bool rough = false;          // nothing makes them smaller; not of reductions
  bool floating = false;
  bool in_place = false;
  bool derived = false;  // a datatype of the program's, freed right after the call
};

// The values that it brings and gets, as doubles or as ints.
class Operation {
 public:
  Operation(const Draw& draw, double bound);
  ~Operation();
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // The handle that MPI gave.
  [[nodiscard]] MPI_Request start(Way way);
  // Other values in the same buffers, for the next start of a persistent one.
  void renew(int salt);
  // What is wrong with the outcome; empty if nothing is.
  [[nodiscard]] std::string problem() const;

 private:
  // Blocks that are sent to others, or come from them.
  struct Side {
    std::vector<int> ranks;
    std::vector<int> counts;
    std::vector<int> places;
    int total = 0;
    void add(int rank, int count);
  };
  // What MPI's functions are given.
  struct Arrays {
    std::vector<int> bytes_out, bytes_in;
    std::vector<MPI_Aint> addresses_out, addresses_in;
    std::vector<MPI_Datatype> types_out, types_in;
  };

  template <class Value>
  struct Values {
    std::vector<Value> sent, received, expected;
  };
  template <class Value>
  void fill(Values<Value>& values);
  template <class Value>
  void fill_exchange(Values<Value>& values);
  template <class Value>
  void put_in_place(Values<Value>& values);
  template <class Value>
  [[nodiscard]] Value value(int rank, int index) const;
  [[nodiscard]] double sum(int ranks, int index) const;
  [[nodiscard]] int between(int from, int to) const;
  [[nodiscard]] bool is_between() const { return draw_.group != Group::whole; }
  [[nodiscard]] int count_of(int rank) const;
  [[nodiscard]] bool gets_bcast() const;
  [[nodiscard]] int root_argument() const;
  void fill_buffers();
  void* send_buffer();
  void* receive_buffer();
  void lay_out();
  void lay_out_exchange();
  void lay_out_neighbours();
  void make_arrays(MPI_Datatype type);
  int call(MPI_Datatype type, MPI_Request* request, Way way);

  Draw draw_;
  double bound_;
  int rank_ = 0;
  int ranks_ = 0;
  std::vector<int> peers_;   // who sends to this rank: all, or the other group
  std::vector<int> counts_;  // of each of them, in the v-forms
  std::vector<int> places_;
  int total_ = 0;
  Side out_, in_;  // of an exchange
  Arrays arrays_;
  MPI_Datatype row_ =
      MPI_DATATYPE_NULL;  // of a persistent one: Open MPI 4.1 does not hold on to it
  Values<double> doubles_;
  Values<int> ints_;
};

}  // namespace started
