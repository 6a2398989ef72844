// Non-blocking and persistent collectives of all kinds, many at once, in random programs: on
// several communicators, with topologies and between two groups too, completed in an order that
// differs from rank to rank, mixed with blocking collectives, messages between two ranks and calls
// that nothing stands in front of.
//
//   check_started SEED STEPS BOUND [threads] [keep] [once] [small] [even]
//
// All ranks draw the same program; each draws for itself what it completes when. BOUND is 0 for
// exact. With `keep` no communicator is freed with an operation under way: Open MPI 4.1 does not
// survive that where the operation is its own. With `threads` three threads do so at a time, each
// with a program and communicators of its own. With `once` there are no persistent ones, and
// MPI carries out most by itself. With `small` no message has more than some KB, and with
// `even` no values differ by more than 252. Prints "operations N, failures 0" from rank 0; a
// failure says what, on which rank.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "operation.h"

namespace {

using started::Draw;
using started::Kind;
using started::Operation;
using started::Way;

struct Traits {
  double bound;
  bool windows;  // Open MPI 4.1 has none of some networks where the program has threads
  bool short_lived;
  bool persistent;
  bool small;
  bool even;
};

class Program {
 public:
  Program(unsigned seed, const Traits& traits, MPI_Comm world)
      : shared_(seed), traits_(traits), bound_(traits.bound), world_(world) {
    MPI_Comm_rank(world_, &rank_);
    MPI_Comm_size(world_, &ranks_);
    own_.seed(seed * 977 + static_cast<unsigned>(rank_));
    comms_.resize(4, world_);
    MPI_Comm_split(world_, 0, -rank_, &comms_[1]);
    MPI_Comm_split(world_, rank_ % 2, rank_, &comms_[2]);
    MPI_Comm_dup(world_, &comms_[3]);
    make_topologies();
    if (ranks_ > 1) MPI_Intercomm_create(comms_[2], 0, world_, 1 - rank_ % 2, 7, &between_);
  }

  void step() {
    const int what = draw(20);
    if (what < 12) {
      start(drawn_anywhere());
    } else if (what == 12) {
      Operation blocking(drawn_anywhere(), bound_);
      static_cast<void>(blocking.start(Way::blocking));
      judge(blocking);
    } else if (what == 13) {
      MPI_Barrier(comms_[static_cast<std::size_t>(draw(4))]);
    } else if (what == 14 && traits_.short_lived) {
      on_short_lived_communicator();
    } else if (what == 15) {
      exchange();
    } else if (what == 16 && traits_.windows) {
      window();
    } else if (what == 17) {
      messages();
    }
    if (traits_.persistent) persistent();
    complete_some();
    if (pending_.size() > 40) complete_all();
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }

  int finish() {
    complete_all();
    for (Pending& each : persistent_) end(each);
    for (std::size_t i = 1; i < comms_.size(); ++i) MPI_Comm_free(&comms_[i]);
    for (MPI_Comm& each : topologies_) MPI_Comm_free(&each);
    if (between_ != MPI_COMM_NULL) MPI_Comm_free(&between_);
    int all = 0;
    MPI_Allreduce(&failures_, &all, 1, MPI_INT, MPI_SUM, world_);
    if (rank_ == 0) std::printf("operations %d, failures %d\n", operations_, all);
    return all;
  }

 private:
  struct Pending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::unique_ptr<Operation> operation;  // or a message
    std::vector<int> values;
    bool active = false;  // of a persistent one
  };

  int draw(int below) { return static_cast<int>(shared_() % static_cast<unsigned>(below)); }
  int own_draw(int below) { return static_cast<int>(own_() % static_cast<unsigned>(below)); }

  // Neighbours around a ring, and at random, some of them repeatedly and some ranks without any.
  void make_topologies() {
    std::vector<int> sources;
    std::vector<int> destinations;
    for (int edge = 0; edge < 3 * ranks_; ++edge) {
      const int from = draw(ranks_);
      const int to = draw(ranks_);
      if (from == rank_) destinations.push_back(to);
      if (to == rank_) sources.push_back(from);
    }
    const auto graph = [this](const std::vector<int>& in, const std::vector<int>& out) {
      MPI_Comm made = MPI_COMM_NULL;
      const std::vector<int> weights(in.size() + out.size() + 1, 1);
      MPI_Dist_graph_create_adjacent(world_, static_cast<int>(in.size()), in.data(), weights.data(),
                                     static_cast<int>(out.size()), out.data(), weights.data(),
                                     MPI_INFO_NULL, 0, &made);
      return made;
    };
    const std::vector<int> both{(rank_ + ranks_ - 1) % ranks_, (rank_ + 1) % ranks_};
    topologies_ = {graph(both, both), graph(sources, destinations)};
  }

  Draw drawn(MPI_Comm comm) {
    constexpr int all_counts[] = {0, 1, 300, 3000, 20000, 60000};
    constexpr int small_counts[] = {0, 1, 60, 300, 600, 3000};
    const auto& counts = traits_.small ? small_counts : all_counts;
    Draw made;
    made.kind = static_cast<Kind>(draw(started::kinds));
    const int topology = draw(2);
#ifdef MPICH_NAME
    // MPICH 4.0's own loses messages of such graphs.
    if (!traits_.persistent && made.kind == Kind::neighbor_alltoallw) {
      made.kind = Kind::neighbor_alltoallv;
    }
#endif
    made.comm = static_cast<int>(made.kind) < started::kinds_among_all
                    ? comm
                    : topologies_[static_cast<std::size_t>(topology)];
    made.count = counts[draw(6)];
    int size = 1;
    MPI_Comm_size(made.comm, &size);
    made.root = draw(1 << 20) % size;
    made.salt = ++operations_;
    made.floating = draw(2) == 0;
    made.in_place = draw(4) == 0;
    made.derived = draw(4) == 0;
    made.rough = draw(3) == 0 && !started::reduces(made.kind) && !traits_.even;
    return made;
  }

  // Of a call that waits or returns at once.
  Draw drawn_anywhere() {
    Draw made = drawn(comms_[static_cast<std::size_t>(draw(4))]);
    if (draw(5) != 0 || between_ == MPI_COMM_NULL) return made;
    constexpr Kind kinds[] = {Kind::bcast,    Kind::allgather, Kind::allgatherv,
                              Kind::alltoall, Kind::alltoallv, Kind::alltoallw};
    made.kind = kinds[draw(6)];
    made.comm = between_;
    made.group = rank_ % 2 == 0 ? started::Group::even : started::Group::odd;
    made.root = draw(ranks_);
#ifdef MPICH_NAME
    // MPICH 4.0's own MPI_Ibcast between groups reaches but one rank from other roots.
    if (made.kind == Kind::bcast) made.root %= 2;
#endif
    made.in_place = false;
    return made;
  }

  void start(const Draw& made) {
    Pending& pending = pending_.emplace_back();
    pending.operation = std::make_unique<Operation>(made, bound_);
    pending.request = pending.operation->start(Way::at_once);
  }

  // One is made, ends, or starts once more; where ranks are at the same place of the program. It
  // may be complete already, by any list that it was in. Those of MPICH 4.0 itself fail now and
  // then: in exact mode all of these are large enough to be Tightwire's.
  void persistent() {
    const int what = draw(8);
    const int which = draw(6);
    if (what > 4) return;
    if (persistent_.size() < 6) {
      Draw made = drawn(comms_[which % 3 == 2 ? 3u : static_cast<unsigned>(which % 3)]);
      made.count = std::max(made.count, 300);
      Pending& pending = persistent_.emplace_back();
      pending.operation = std::make_unique<Operation>(made, bound_);
      pending.request = pending.operation->start(Way::persistent);
      return;
    }
    Pending& again = persistent_[static_cast<std::size_t>(which)];
    if (what == 0) {
      end(again);
      persistent_.erase(persistent_.begin() + which);
    } else {
      complete(again);
      again.operation->renew(++operations_);
      again.active = true;
      MPI_Start(&again.request);
    }
  }

  void complete(Pending& persistent) {
    if (!persistent.active) return;
    MPI_Wait(&persistent.request, MPI_STATUS_IGNORE);
    judge(*persistent.operation);
    persistent.active = false;
  }

  void end(Pending& persistent) {
    complete(persistent);
    MPI_Request_free(&persistent.request);
    persistent.operation.reset();
    if (persistent.request != MPI_REQUEST_NULL) fail("a freed request is not MPI_REQUEST_NULL");
  }

  // Freed with the operation under way: a long one, since Open MPI 4.1 itself does not survive
  // that.
  void on_short_lived_communicator() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(comms_[static_cast<std::size_t>(draw(4))], &comm);
    Draw made = drawn(comm);
    made.count = 60000;
    start(made);
    MPI_Comm_free(&comm);
  }

  void exchange() {
    int out = rank_;
    int in = -1;
    const int left = (rank_ + ranks_ - 1) % ranks_;
    MPI_Sendrecv(&out, 1, MPI_INT, (rank_ + 1) % ranks_, 5, &in, 1, MPI_INT, left, 5, world_,
                 MPI_STATUS_IGNORE);
    if (in != left) fail("a message of another rank came");
  }

  // On the heap: MPICH 4.0 itself may put nothing on a stack.
  void window() {
    std::vector<int> memory(1, -1);
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_create(memory.data(), sizeof(int), 1, MPI_INFO_NULL, world_, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank_, 1, MPI_INT, (rank_ + 1) % ranks_, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    if (memory[0] != (rank_ + ranks_ - 1) % ranks_) fail("a value of another rank was put");
  }

  // Requests of another kind in the same lists.
  void messages() {
    const int count = 1 + draw(30000);
    Pending& received = pending_.emplace_back();
    received.values.assign(static_cast<std::size_t>(count), -1);
    MPI_Irecv(received.values.data(), count, MPI_INT, (rank_ + ranks_ - 1) % ranks_, 6, world_,
              &received.request);
    Pending& sent = pending_.emplace_back();
    sent.values.assign(static_cast<std::size_t>(count), rank_);
    MPI_Isend(sent.values.data(), count, MPI_INT, (rank_ + 1) % ranks_, 6, world_, &sent.request);
  }

  // Those under way. MPICH 4.0 waits for ever for a persistent collective that is inactive.
  std::vector<Pending*> active() {
    std::vector<Pending*> found;
    for (Pending& each : pending_) found.push_back(&each);
    for (Pending& each : persistent_) {
      if (each.active) found.push_back(&each);
    }
    return found;
  }

  void complete_some() {
    const std::vector<Pending*> members = active();
    if (members.empty()) return;
    const int way = own_draw(9);
    if (way >= 4 && way <= 6 && !lists_take_all(members)) return;
    std::vector<MPI_Request> list = requests(members);
    const int count = static_cast<int>(list.size());
    const int one = own_draw(count);
    int flag = 0;
    int index = MPI_UNDEFINED;
    int found = 0;
    std::vector<int> done(list.size());
    switch (way) {
      case 0:
        MPI_Wait(&list[static_cast<std::size_t>(one)], MPI_STATUS_IGNORE);
        done[0] = one;
        found = 1;
        break;
      case 1:
        MPI_Test(&list[static_cast<std::size_t>(one)], &found, MPI_STATUS_IGNORE);
        done[0] = one;
        break;
      case 2:
        MPI_Waitany(count, list.data(), &index, MPI_STATUS_IGNORE);
        done[0] = index;
        found = 1;
        break;
      case 3:
        MPI_Testany(count, list.data(), &index, &found, MPI_STATUS_IGNORE);
        done[0] = index;
        break;
      case 4:
        MPI_Waitsome(count, list.data(), &found, done.data(), MPI_STATUSES_IGNORE);
        break;
      case 5:
        MPI_Testsome(count, list.data(), &found, done.data(), MPI_STATUSES_IGNORE);
        break;
      case 6:
        MPI_Testall(count, list.data(), &flag, MPI_STATUSES_IGNORE);
        std::iota(done.begin(), done.end(), 0);
        found = flag != 0 ? count : 0;
        break;
      case 7:
        MPI_Request_get_status(list[static_cast<std::size_t>(one)], &flag, MPI_STATUS_IGNORE);
        break;
      default:
        return;
    }
    done.resize(static_cast<std::size_t>(found));
    take_back(members, list, done);
  }

  // MPICH 4.0 fails in Waitsome, Testsome and Testall where one of its persistent collectives is
  // not complete.
  static bool lists_take_all(const std::vector<Pending*>& members) {
#ifdef MPICH_NAME
    return std::none_of(members.begin(), members.end(), [](auto* each) { return each->active; });
#else
    return !members.empty();
#endif
  }

  void complete_all() {
    const std::vector<Pending*> members = active();
    std::vector<MPI_Request> list = requests(members);
    MPI_Waitall(static_cast<int>(list.size()), list.data(), MPI_STATUSES_IGNORE);
    std::vector<int> done(list.size());
    std::iota(done.begin(), done.end(), 0);
    take_back(members, list, done);
  }

  static std::vector<MPI_Request> requests(const std::vector<Pending*>& members) {
    std::vector<MPI_Request> list;
    for (const Pending* each : members) list.push_back(each->request);
    return list;
  }

  void take_back(const std::vector<Pending*>& members, const std::vector<MPI_Request>& list,
                 const std::vector<int>& done) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (members[i]->active && list[i] != members[i]->request)
        fail("a persistent request changed");
      members[i]->request = list[i];
    }
    for (const int place : done) {
      Pending& each = *members[static_cast<std::size_t>(place)];
      if (each.active) judge(*each.operation);
      each.active = false;
    }
    std::erase_if(pending_, [this](const Pending& each) {
      if (each.request != MPI_REQUEST_NULL) return false;
      if (each.operation) judge(*each.operation);
      return true;
    });
  }

  void judge(const Operation& operation) {
    const std::string problem = operation.problem();
    if (!problem.empty()) fail(problem);
  }

  void fail(const std::string& what) {
    if (++failures_ > 5) return;
    std::fprintf(stderr, "rank %d: %s\n", rank_, what.c_str());
  }

  std::mt19937 shared_;
  std::mt19937 own_;
  Traits traits_;
  double bound_;
  MPI_Comm world_;
  int rank_ = 0;
  int ranks_ = 1;
  std::vector<MPI_Comm> comms_;
  std::vector<MPI_Comm> topologies_;
  MPI_Comm between_ = MPI_COMM_NULL;  // those of even and odd ranks
  std::vector<Pending> pending_;
  std::vector<Pending> persistent_;
  int operations_ = 0;
  int failures_ = 0;
};

// Each in a thread of its own but the first.
int run_programs(int count, unsigned seed, int steps, const Traits& traits) {
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < count; ++i) {
    MPI_Comm world = MPI_COMM_WORLD;
    if (i > 0) MPI_Comm_dup(MPI_COMM_WORLD, &world);  // goes with the process
    programs.push_back(
        std::make_unique<Program>(seed + 1000U * static_cast<unsigned>(i), traits, world));
  }
  std::vector<std::jthread> threads;
  for (int i = 1; i < count; ++i) {
    threads.emplace_back([&, i] { programs[static_cast<std::size_t>(i)]->run(steps); });
  }
  programs[0]->run(steps);
  threads.clear();
  return std::accumulate(programs.begin(), programs.end(), 0,
                         [](int sum, auto& each) { return sum + each->finish(); });
}

bool has(int argc, char** argv, const char* word) {
  return std::any_of(argv + 4, argv + argc,
                     [word](const char* each) { return std::string(each) == word; });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: check_started SEED STEPS BOUND [threads] [keep] [once] [small] [even]\n");
    return 2;
  }
  const bool threads = has(argc, argv, "threads");
  int level = 0;
  MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  const bool windows = level != MPI_THREAD_MULTIPLE;
  const auto says = [&](const char* word) { return has(argc, argv, word); };
  const Traits traits{std::atof(argv[3]), windows,       !says("keep"),
                      !says("once"),      says("small"), says("even")};
  const int failures = run_programs(threads ? 3 : 1, static_cast<unsigned>(std::atoi(argv[1])),
                                    std::atoi(argv[2]), traits);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
