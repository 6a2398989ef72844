#include "generalized.h"

namespace semantics {

MPI_Request Generalized::start() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Grequest_start(&query, &free, &cancel, this, &request);
  return request;
}

int Generalized::query(void* self, MPI_Status* status) {
  auto& request = *static_cast<Generalized*>(self);
  // MPI_Request_get_status asks, too.
  if (++request.queries_ == 1) request.in_query_ = request.errands_.receive(request.errand_);
  MPI_Status_set_elements(status, MPI_BYTE, request.errand_.tag);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = request.errand_.source;
  status->MPI_TAG = request.errand_.tag;
  return MPI_SUCCESS;
}

int Generalized::free(void* self) {
  auto& request = *static_cast<Generalized*>(self);
  ++request.frees_;
  request.in_free_ = request.errands_.exchange_with_self(request.errand_);
  return MPI_SUCCESS;
}

int Generalized::cancel(void* /*self*/, int /*complete*/) {
  return MPI_SUCCESS;
}

std::string Generalized::outcome(const MPI_Status* status) const {
  std::string text = "query " + in_query_ + " free " + in_free_;
  if (frees_ != 1) text += " FREED " + std::to_string(frees_);
  if (status == MPI_STATUS_IGNORE) return text;
  int count = 0;
  MPI_Get_count(status, MPI_BYTE, &count);
  return text + " source " + std::to_string(status->MPI_SOURCE) + " tag " +
         std::to_string(status->MPI_TAG) + " count " + std::to_string(count);
}

}  // namespace semantics
