#include "interpose/recording/recorder.h"

#include <climits>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <system_error>
#include <vector>

#include "interpose/census/prepared_requests.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/datatype/element_type.h"
#include "mpi/datatype/pack.h"
#include "mpi/device/memory_space.h"
#include "mpi/where_memory_allows.h"
#include "recording/writer.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::recorder {
namespace {

constexpr int exit_code = 2;

class Recorder {
 public:
  [[nodiscard]] std::optional<std::string> open(const std::filesystem::path& folder);
  void add(const Call& call, const mpi::Buffer& values);
  void remember(const Call& call, const mpi::Buffer& values, MPI_Request request);
  void add_started(MPI_Request request);
  void close();

 private:
  struct Prepared {
    Call call;
    mpi::Buffer values;
  };

  // With the mutex held.
  void write(const Call& call, codec::ElementType type, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint32_t number_of(MPI_Comm comm);

  std::mutex mutex_;
  recording::Writer writer_;
  bool full_ = false;
  std::map<MPI_Comm, std::uint32_t> communicators_;
  census::PreparedRequests<Prepared> prepared_;
  std::vector<std::byte> packed_;
};

Recorder& recorder() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const recorder = new Recorder;
  return *recorder;
}

std::string file_name(int rank) {
  std::string number = std::to_string(rank);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
  return "rank-" + number + ".messages";
}

std::optional<std::string> Recorder::open(const std::filesystem::path& folder) {
  const runtime::Runtime& runtime = runtime::current();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const recording::FileHeader header{static_cast<std::uint32_t>(runtime.rank),
                                     static_cast<std::uint32_t>(runtime.ranks)};
  return writer_.open((folder / file_name(runtime.rank)).string(), header,
                      runtime.settings.record_limit.value);
}

std::uint32_t Recorder::number_of(MPI_Comm comm) {
  return communicators_.try_emplace(comm, static_cast<std::uint32_t>(communicators_.size()))
      .first->second;
}

void Recorder::write(const Call& call, codec::ElementType type, std::span<const std::byte> bytes) {
  if (full_) return;
  recording::MessageHeader header;
  header.function = call.function;
  header.communicator = number_of(call.comm);
  header.peer = call.peer;
  header.tag = call.tag;
  header.type = type;
  full_ = !writer_.add(header, bytes);
  if (!full_) return;
  const std::uint64_t limit = runtime::current().settings.record_limit.value;
  runtime::log(writer_.failed() ? "the recording cannot be written: it ends here"
                                : "the recording ends here: " + std::string(call.function) +
                                      " of " + std::to_string(bytes.size()) +
                                      " bytes would make it larger than record-limit, " +
                                      std::to_string(limit) + " bytes");
}

void Recorder::add(const Call& call, const mpi::Buffer& values) {
  if (!values.valid() || call.comm == MPI_COMM_NULL) return;
  if (mpi::memory_space_of(values.address) != mpi::MemorySpace::host) return;
  const std::size_t size = values.bytes();
  if (size == 0) return;
  const bool predefined = mpi::predefined(values.datatype).has_value();
  if (predefined && values.address == nullptr) return;
  const auto type = mpi::element_of(values.datatype);
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const std::scoped_lock lock(mutex_);
  if (full_ || !writer_.is_open()) return;
  if (predefined) return write(call, element, values.host_bytes());
  if (size > INT_MAX) return;  // what MPI can pack in one piece
  packed_.resize(size);
  mpi::pack_by_mpi(values, packed_);
  write(call, element, packed_);
}

void Recorder::remember(const Call& call, const mpi::Buffer& values, MPI_Request request) {
  prepared_.keep(request, Prepared{call, values});
}

void Recorder::add_started(MPI_Request request) {
  if (const auto found = prepared_.find(request)) add(found->call, found->values);
}

void Recorder::close() {
  const std::scoped_lock lock(mutex_);
  if (const auto problem = writer_.close()) runtime::log("the recording: " + *problem);
}

template <class Body>
void quietly(const Body& body) noexcept {
  mpi::where_possible(body, [] {
    detail::active = false;
    runtime::log("no memory to record messages with: the recording ends here");
  });
}

void add_parts(const Call& call, const collective::Blocks& blocks, const std::vector<int>& peers) {
  visit_blocks(call, blocks, peers,
               [](const Call& one, const mpi::Buffer& values) { recorder().add(one, values); });
}

}  // namespace

void start() {
  const runtime::Runtime& runtime = runtime::current();
  if (runtime.settings.record.value.empty()) return;
  if (const auto problem = recorder().open(runtime.folder / runtime.settings.record.value)) {
    runtime::log_last_words("record: " + *problem +
                            "; name a folder that can be written to, without a recording");
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
  }
  detail::active = true;
}

void finish() {
  if (!active()) return;
  detail::active = false;
  recorder().close();
}

void message(const Call& call, const mpi::Buffer& values) noexcept {
  quietly([&] { recorder().add(call, values); });
}

void parts(const Call& call, const collective::Blocks& blocks) noexcept {
  quietly([&] { add_parts(call, blocks, all_ranks(call.comm)); });
}

void neighbours(const Call& call, const collective::Blocks& blocks) noexcept {
  quietly([&] { add_parts(call, blocks, destinations(call.comm)); });
}

void prepared(const Call& call, const mpi::Buffer& values, MPI_Request request) noexcept {
  quietly([&] { recorder().remember(call, values, request); });
}

void started(MPI_Request request) noexcept {
  quietly([&] { recorder().add_started(request); });
}

void started(int count, const MPI_Request* requests) noexcept {
  for (int i = 0; i < count; ++i) started(requests[i]);
}

int ranks(MPI_Comm comm) noexcept {
  int inter = 0;
  int size = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) return 0;
  return inter == 0 && PMPI_Comm_size(comm, &size) == MPI_SUCCESS ? size : 0;
}

std::vector<int> all_ranks(MPI_Comm comm) {
  std::vector<int> all(static_cast<std::size_t>(ranks(comm)));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> destinations(MPI_Comm comm) {
  if (ranks(comm) == 0) return {};
  const mpi::Neighbours* const found = mpi::state_of(comm).neighbours(comm).get();
  return found != nullptr ? found->destinations() : std::vector<int>();
}

bool is_rank(int rank, MPI_Comm comm) noexcept {
  int own = -1;
  return comm != MPI_COMM_NULL && PMPI_Comm_rank(comm, &own) == MPI_SUCCESS && own == rank;
}

mpi::Count sum(mpi::Counts counts, MPI_Comm comm) noexcept {
  mpi::Count all = 0;
  for (int rank = 0; counts.given() && rank < ranks(comm); ++rank) all += counts[rank];
  return all;
}

}  // namespace tightwire::recorder
