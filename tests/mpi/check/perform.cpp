#include "perform.h"

#include "text.h"

namespace check {
namespace {

constexpr std::byte untouched{0xA5};

constexpr std::string_view form_names[] = {"allreduce", "allreduce in place", "reduce",
                                           "reduce in place"};

}  // namespace

std::string name_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  MPI_Type_get_name(type, name, &length);
  return length > 0 ? name : "derived";
}

std::string_view name_of_operation(MPI_Op op) {
  const std::pair<MPI_Op, std::string_view> names[] = {
      {MPI_SUM, "sum"},   {MPI_PROD, "prod"}, {MPI_MIN, "min"},       {MPI_MAX, "max"},
      {MPI_BAND, "band"}, {MPI_BOR, "bor"},   {MPI_BXOR, "bxor"},     {MPI_LAND, "land"},
      {MPI_LOR, "lor"},   {MPI_LXOR, "lxor"}, {MPI_MINLOC, "minloc"}, {MPI_MAXLOC, "maxloc"},
  };
  for (const auto& [known, name] : names) {
    if (known == op) {
      return name;
    }
  }
  return "of the user";
}

std::string Reduction::name() const {
  const std::string where = to_all() ? "" : text(", root ", root);
  return text(form_names[static_cast<std::size_t>(form)], where, ", ", size_of(comm), " ranks, ",
              count, ' ', name_of(type));
}

int usable_root(Form form, int root) {
#ifdef MPICH_NUMVERSION
  if (form == Form::reduce_in_place && MPICH_NUMVERSION < 40100000) {
    return 0;
  }
#endif
  static_cast<void>(form);
  return root;
}

std::optional<GuardedBuffer> perform(Checker& checker, const Reduction& reduction,
                                     std::span<const std::byte> own) {
  const auto& [comm, form, root, type, op, count] = reduction;
  const bool receives = reduction.to_all() || rank_in(comm) == root;
  const bool in_place =
      (form == Form::allreduce_in_place || form == Form::reduce_in_place) && receives;

  GuardedBuffer send(own);
  GuardedBuffer receive(own.size(), untouched);
  if (in_place) {
    std::copy(own.begin(), own.end(), static_cast<std::byte*>(receive.data()));
  }
  const void* from = in_place ? MPI_IN_PLACE : send.data();
  // A rank that receives nothing may pass anything as its receive buffer.
  void* into = receives || count % 2 == 0 ? receive.data() : nullptr;
  if (reduction.to_all()) {
    checker.expect_success(MPI_Allreduce(from, into, count, type, op, comm), "MPI_Allreduce");
  } else {
    checker.expect_success(MPI_Reduce(from, into, count, type, op, root, comm), "MPI_Reduce");
  }

  checker.expect(send.holds(own), "the send buffer was changed");
  checker.expect(send.front_intact(), "bytes before the send buffer were changed");
  checker.expect(receive.front_intact(), "bytes before the receive buffer were changed");
  if (!receives) {
    checker.expect(receive.all(untouched), "a rank that receives nothing was written to");
    return std::nullopt;
  }
  return receive;
}

}  // namespace check
