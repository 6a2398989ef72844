// Attributes whose copy and delete functions communicate: MPI 4.0, sections 7.7.2 and 7.7.4.
#include "performer.h"

namespace semantics {
namespace {

struct Attribute {
  const Errands& errands;
  Errand copied;
  Errand deleted;
  std::string in_copy = "NEVER CALLED";
  std::string in_delete = "NEVER CALLED";
  int deletions = 0;

  void copy() { in_copy = errands.receive(copied); }
  // First the duplicate's, then the original's.
  void remove() {
    in_delete = ++deletions == 1 ? errands.receive(deleted)
                                 : in_delete + " " + errands.exchange_with_self(deleted);
  }
};

template <class Handle>
int copy(Handle /*old*/, int /*key*/, void* extra, void* value, void* copied, int* flag) {
  static_cast<Attribute*>(extra)->copy();
  *static_cast<void**>(copied) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

template <class Handle>
int remove(Handle /*object*/, int /*key*/, void* /*value*/, void* extra) {
  static_cast<Attribute*>(extra)->remove();
  return MPI_SUCCESS;
}

void duplicate_communicator(Attribute& attribute, MPI_Comm comm) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create_keyval(&copy<MPI_Comm>, &remove<MPI_Comm>, &key, &attribute);
  MPI_Comm_set_attr(comm, key, nullptr);
  MPI_Comm_dup(comm, &made);
  MPI_Comm_free(&made);
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_free_keyval(&key);
}

void duplicate_datatype(Attribute& attribute) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_keyval(&copy<MPI_Datatype>, &remove<MPI_Datatype>, &key, &attribute);
  MPI_Type_vector(1000, 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Type_set_attr(type, key, nullptr);
  MPI_Type_dup(type, &made);
  MPI_Type_free(&made);
  MPI_Type_free(&type);
  MPI_Type_free_keyval(&key);
}

}  // namespace

void Performer::duplicate(const Step& step) {
  Attribute attribute{errands_, step.errands[0], step.errands[1]};
  const bool communicator = static_cast<Duplicated>(step.way) == Duplicated::communicator;
  communicator ? duplicate_communicator(attribute, comms_[step.comm].handle)
               : duplicate_datatype(attribute);
  note("attribute copy " + attribute.in_copy + " delete " + attribute.in_delete + " " +
       std::to_string(attribute.deletions));
}

}  // namespace semantics
