#include "mpi/abandoning.h"

#include <exception>

namespace tightwire::mpi {
namespace {

thread_local int abandoning = 0;

}  // namespace

bool is_abandoning() {
  return abandoning > 0 || std::uncaught_exceptions() > 0;
}

Abandoning::Abandoning() {
  ++abandoning;
}

Abandoning::~Abandoning() {
  --abandoning;
}

}  // namespace tightwire::mpi
