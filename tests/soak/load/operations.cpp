#include "operations.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "draw.h"

namespace load {
namespace {

constexpr int most = 1 << 16;  // values in a message

struct Call {
  std::uint64_t number;
  MPI_Comm comm;
  int rank;
  int ranks;
  int count;
  int root;
  Work& work;

  void expect(const float* got, const std::vector<float>& due) const {
    for (std::size_t i = 0; i < due.size(); ++i) work.wrong += got[i] != due[i] ? 1U : 0U;
  }
  // Its own, so that who receives from anybody gets no message of a later operation.
  [[nodiscard]] int tag() const { return static_cast<int>(number % 30000); }
  [[nodiscard]] std::vector<float> of(int other) const { return values(number, other, count); }
  [[nodiscard]] std::vector<float> sum_of(int first, int end) const {
    std::vector<float> sum(static_cast<std::size_t>(count));
    for (int other = first; other < end; ++other) {
      const std::vector<float> one = of(other);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
    }
    return sum;
  }
};

void bcast(const Call& call) {
  std::vector<float> data =
      call.rank == call.root ? call.of(call.root) : std::vector<float>(call.of(call.root).size());
  MPI_Bcast(data.data(), call.count, MPI_FLOAT, call.root, call.comm);
  call.expect(data.data(), call.of(call.root));
}

void allreduce(const Call& call) {
  std::vector<float> data = call.of(call.rank);
  MPI_Allreduce(MPI_IN_PLACE, data.data(), call.count, MPI_FLOAT, MPI_SUM, call.comm);
  call.expect(data.data(), call.sum_of(0, call.ranks));
}

void reduce(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  std::vector<float> sum(mine.size());
  MPI_Reduce(mine.data(), sum.data(), call.count, MPI_FLOAT, MPI_SUM, call.root, call.comm);
  if (call.rank == call.root) call.expect(sum.data(), call.sum_of(0, call.ranks));
}

void scan(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  std::vector<float> sum(mine.size());
  MPI_Scan(mine.data(), sum.data(), call.count, MPI_FLOAT, MPI_SUM, call.comm);
  call.expect(sum.data(), call.sum_of(0, call.rank + 1));
}

void allgather(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  std::vector<float> all(mine.size() * static_cast<std::size_t>(call.ranks));
  MPI_Allgather(mine.data(), call.count, MPI_FLOAT, all.data(), call.count, MPI_FLOAT, call.comm);
  for (int other = 0; other < call.ranks; ++other) {
    call.expect(all.data() + static_cast<std::size_t>(other) * mine.size(), call.of(other));
  }
}

void gather_and_scatter(const Call& call) {
  std::vector<float> mine = call.of(call.rank);
  std::vector<float> all(call.rank == call.root ? mine.size() * call.ranks : 0);
  MPI_Gather(mine.data(), call.count, MPI_FLOAT, all.data(), call.count, MPI_FLOAT, call.root,
             call.comm);
  std::fill(mine.begin(), mine.end(), -1.0F);
  MPI_Scatter(all.data(), call.count, MPI_FLOAT, mine.data(), call.count, MPI_FLOAT, call.root,
              call.comm);
  call.expect(mine.data(), call.of(call.rank));
  ++call.work.messages;
}

void alltoall(const Call& call) {
  const int share = std::max(1, call.count / call.ranks);
  const std::vector<float> mine = values(call.number, call.rank, share * call.ranks);
  std::vector<float> got(mine.size());
  MPI_Alltoall(mine.data(), share, MPI_FLOAT, got.data(), share, MPI_FLOAT, call.comm);
  for (int other = 0; other < call.ranks; ++other) {
    const std::vector<float> theirs = values(call.number, other, share * call.ranks);
    const auto place = static_cast<std::ptrdiff_t>(share) * call.rank;
    call.expect(got.data() + static_cast<std::size_t>(share) * static_cast<std::size_t>(other),
                {theirs.begin() + place, theirs.begin() + place + share});
  }
}

// Around the ring, blocking.
void sendrecv(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  std::vector<float> got(mine.size());
  const int left = (call.rank + call.ranks - 1) % call.ranks;
  MPI_Status status;
  MPI_Sendrecv(mine.data(), call.count, MPI_FLOAT, (call.rank + 1) % call.ranks, call.tag(),
               got.data(), call.count, MPI_FLOAT, left, call.tag(), call.comm, &status);
  int received = 0;
  MPI_Get_count(&status, MPI_FLOAT, &received);
  call.work.wrong += received != call.count || status.MPI_SOURCE != left ? 1U : 0U;
  call.expect(got.data(), call.of(left));
}

// Everybody to everybody, received by whoever comes first.
void isend_to_all(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  std::vector<MPI_Request> requests;
  for (int other = 0; other < call.ranks; ++other) {
    if (other == call.rank) continue;
    MPI_Isend(mine.data(), call.count, MPI_FLOAT, other, call.tag(), call.comm,
              &requests.emplace_back());
  }
  std::vector<float> got(mine.size());
  for (int i = 1; i < call.ranks; ++i) {
    MPI_Status status;
    MPI_Recv(got.data(), call.count, MPI_FLOAT, MPI_ANY_SOURCE, call.tag(), call.comm, &status);
    call.expect(got.data(), call.of(status.MPI_SOURCE));
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  call.work.messages += requests.size();
}

// Every third value of a larger array, received as a row.
void strided(const Call& call) {
  constexpr int stride = 3;
  const std::vector<float> mine = call.of(call.rank);
  std::vector<float> spread(mine.size() * stride, -1.0F);
  for (std::size_t i = 0; i < mine.size(); ++i) spread[i * stride] = mine[i];
  MPI_Datatype every_third = MPI_DATATYPE_NULL;
  MPI_Type_vector(call.count, 1, stride, MPI_FLOAT, &every_third);
  MPI_Type_commit(&every_third);
  std::vector<float> got(mine.size());
  const int right = (call.rank + 1) % call.ranks;
  const int left = (call.rank + call.ranks - 1) % call.ranks;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(got.data(), call.count, MPI_FLOAT, left, call.tag(), call.comm, &request);
  MPI_Send(spread.data(), 1, every_third, right, call.tag(), call.comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&every_third);
  call.expect(got.data(), call.of(left));
}

// As many bytes as a probe tells.
void probed(const Call& call) {
  const std::vector<float> mine = call.of(call.rank);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(mine.data(), call.count, MPI_FLOAT, (call.rank + 1) % call.ranks, call.tag(), call.comm,
            &request);
  MPI_Status status;
  MPI_Probe(MPI_ANY_SOURCE, call.tag(), call.comm, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_FLOAT, &count);
  std::vector<float> got(static_cast<std::size_t>(std::max(count, call.count)));
  MPI_Recv(got.data(), count, MPI_FLOAT, status.MPI_SOURCE, call.tag(), call.comm,
           MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  call.work.wrong += count != call.count ? 1U : 0U;
  call.expect(got.data(), call.of(status.MPI_SOURCE));
}

constexpr std::array operations{
    bcast,    allreduce, reduce,       scan,    allgather, gather_and_scatter,
    alltoall, sendrecv,  isend_to_all, strided, probed};

}  // namespace

void perform(std::uint64_t operation, MPI_Comm comm, Work& work) {
  Draw draw(mixed(operation));
  Call call{operation, comm, 0, 1, 1, 0, work};
  MPI_Comm_rank(comm, &call.rank);
  MPI_Comm_size(comm, &call.ranks);
  call.count = draw.count(most);
  call.root = static_cast<int>(draw.below(static_cast<std::uint64_t>(call.ranks)));
  ++work.messages;
  operations[draw.below(operations.size())](call);
}

}  // namespace load
