// How processes tell each other of earlier messages: on the private communicator.
#pragma once

#include <atomic>

#include "mpi/history/message_history.h"
#include "p2p/state/paced_look.h"

namespace tightwire::p2p {

class PrivateAnswerWay final : public mpi::AnswerWay {
 public:
  // MPI_Finalize waits until they are received: none may be left in MPI.
  void send(int to, std::span<const std::byte> bytes) override;
  void take_all(const Take& take) override;
  [[nodiscard]] bool may_look() override;

 private:
  std::atomic_flag taking_ = ATOMIC_FLAG_INIT;
  PacedLook<> paced_;
};

}  // namespace tightwire::p2p
