#include <optional>

#include "collective/bound.h"
#include "collective/broadcast.h"
#include "collective/collective.h"
#include "collective/datatype.h"
#include "collective/measured.h"
#include "collective/packed.h"
#include "policy/choose.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::bcast;

// Bytes of the signature, the same on all ranks though their types may differ; 0 for what is left
// to MPI.
std::size_t signature_bytes(int count, MPI_Datatype datatype, MPI_Comm comm) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL || comm == MPI_COMM_NULL) return 0;
  MPI_Count size = 0;
  check(PMPI_Type_size_x(datatype, &size));
  return size > 0 ? static_cast<std::size_t>(size) * static_cast<std::size_t>(count) : 0;
}

// Whether there are frames at all must not depend on what only the root knows, its element type: so
// ask for the tier that boundable data would get.
policy::Plan common_plan(std::size_t bytes) {
  return policy::choose(runtime::current().settings, {operation, bytes, true});
}

bool valid_root(int root, MPI_Comm comm) {
  int size = 0;
  check(PMPI_Comm_size(comm, &size));
  return root >= 0 && root < size;
}

// How the root codes its values. Packed data is bytes: only a predefined floating-point type is
// ever reduced within the bound.
struct RootCoding {
  policy::Plan plan;
  Coding coding;
};

RootCoding coding_at_root(const std::optional<PredefinedType>& type,
                          std::span<const std::byte> values) {
  const settings::Settings& settings = runtime::current().settings;
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const bool boundable = type && is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {operation, values.size(), boundable});
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) plan.codec = policy::exact_codec(settings);
  }
  return {plan, coding_for(settings, plan.codec, element, bound.value_or(0))};
}

// The program's buffer as a row of bytes: itself where it is one, else a packed copy.
class ByteView {
 public:
  ByteView(void* buffer, int count, MPI_Datatype datatype, std::size_t bytes, Scratch& scratch)
      : buffer_(buffer), count_(count), datatype_(datatype), type_(predefined(datatype)) {
    if (!type_) copy_ = scratch.borrow(bytes);
    bytes_ = type_ ? std::span(static_cast<std::byte*>(buffer), bytes) : copy_.bytes();
  }

  [[nodiscard]] const std::optional<PredefinedType>& type() const { return type_; }
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  void load() const {
    if (!type_) pack(buffer_, count_, datatype_, bytes_);
  }
  void store() const {
    if (!type_) unpack(bytes_, buffer_, count_, datatype_);
  }

 private:
  void* buffer_;
  int count_;
  MPI_Datatype datatype_;
  std::optional<PredefinedType> type_;
  Scratch::Lease copy_;
  std::span<std::byte> bytes_;
};

// What a receiver learns of the root's plan from its frames.
policy::Plan plan_seen(policy::Plan plan, codec::Id tried) {
  const codec::Codec* codec = codec::find(tried);
  plan.codec = tried;
  plan.tier = codec != nullptr && codec->lossy() ? policy::Tier::bounded : policy::Tier::exact;
  return plan;
}

void move(const ByteView& view, int root, Communicator& communicator, Work& work) {
  const std::size_t chunks =
      policy::chunk_count(runtime::current().settings, work.plan, view.bytes().size());
  const policy::Tree tree = policy::best_tree(communicator.rank, root, communicator.size, chunks);
  if (communicator.rank == root) {
    view.load();
    const RootCoding coding = coding_at_root(view.type(), view.bytes());
    work.largest_bound = coding.coding.parameters.error_bound;
    work.plan = coding.plan;
    broadcast(communicator, tree, &coding.coding, view.bytes(), chunks, work.health, work.traffic);
  } else {
    const codec::Id tried =
        broadcast(communicator, tree, nullptr, view.bytes(), chunks, work.health, work.traffic);
    work.plan = plan_seen(work.plan, tried);
    if (!work.health.failed()) view.store();
  }
}

}  // namespace

int bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  CallName name{"MPI_Bcast", 0};
  return guarded(name, comm, [&] {
    name.bytes = signature_bytes(count, datatype, comm);
    const policy::Plan plan = common_plan(name.bytes);
    Communicator* communicator = nullptr;
    if (plan.tier != policy::Tier::raw && valid_root(root, comm)) {
      communicator = &communicator_of(comm);
    }
    if (communicator == nullptr || !communicator->usable()) {
      runtime::current().statistics.count_passed(operation, name.bytes);
      return PMPI_Bcast(buffer, count, datatype, root, comm);
    }
    return measured(operation, plan, name, comm, [&](Work& work) {
      const ByteView view(buffer, count, datatype, name.bytes, communicator->scratch);
      move(view, root, *communicator, work);
    });
  });
}

}  // namespace tightwire::collective
