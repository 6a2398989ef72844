#include "perform.h"

#include <sched.h>

#include "content.h"
#include "performer.h"

namespace semantics {
namespace {

bool is_named(MPI_Datatype type) {
  return type == MPI_BYTE || type == MPI_INT || type == MPI_FLOAT || type == MPI_DOUBLE;
}

}  // namespace

Performer::Holder& Performer::holder(int i) {
  const int series = operation(i).series;
  return holders_[series == none ? i : series];
}

Buffer& Performer::prepare(int i) {
  const Operation& op = operation(i);
  Holder& held = holder(i);
  if (held.buffer == nullptr) held.buffer = std::make_unique<Buffer>(op.signature, op.placement);
  held.buffer->wipe();
  if (op.kind == Kind::send) held.buffer->put(content_of(message_of(i)));
  return *held.buffer;
}

void Performer::perform(const Step& step) {
  static_cast<void>(take_handler_calls());
  const int first = step.operations.empty() ? none : step.operations.front();
  switch (step.act) {
    case Act::start:
      return start(step.operations);
    case Act::send:
      return send(first);
    case Act::receive:
      return receive(first, static_cast<Reception>(step.way));
    case Act::match: {
      MPI_Status status{};
      match(first, static_cast<Reception>(step.way) != Reception::improbe, &status);
      return note_probe(first, status);
    }
    case Act::receive_matched:
      return receive_matched(first);
    case Act::exchange:
      return exchange(first, step.operations[1], static_cast<Exchange>(step.way));
    case Act::complete:
      return complete(step);
    case Act::free_request:
      return free_request(first);
    case Act::cancel_received:
      return cancel_received(first);
    case Act::collective:
      return collective(step);
    case Act::give_token:
      MPI_Send(nullptr, 0, MPI_BYTE, step.peer, 0, comms_.control());
      return;
    case Act::take_token:
      MPI_Recv(nullptr, 0, MPI_BYTE, step.peer, 0, comms_.control(), MPI_STATUS_IGNORE);
      return;
    case Act::cancel_unmatched:
      return cancel_unmatched(step);
    case Act::probe_nothing:
      return probe_nothing(step);
    case Act::look:
      return look(step);
    case Act::is_unreceived:
      return is_unreceived(step);
    case Act::send_errand:
      return errands_.send(step.errands.front(), step.peer);
    case Act::end_generalized:
      MPI_Grequest_complete(holder(first).request);
      return;
    case Act::duplicate:
      return duplicate(step);
    case Act::reduce:
      return reduce(step);
    case Act::use_file:
      return use_file(step);
    case Act::short_lived:
      return short_lived(step);
    case Act::err:
      return err(step);
    case Act::talk_to_nobody:
      return talk_to_nobody(step);
    case Act::invalid_arguments:
      return invalid_arguments(step);
  }
}

void Performer::start(const std::vector<int>& operations) {
  std::vector<MPI_Request> requests;
  for (const int i : operations) {
    const Operation& op = operation(i);
    if (op.kind == Kind::barrier || op.kind == Kind::allreduce) return start_collective(i);
    if (op.kind == Kind::generalized) return start_generalized(i);
    prepare(i);
    Holder& held = holder(i);
    const bool sends = op.kind == Kind::send;
    if (op.way == Way::immediate) {
      sends ? start_send(call(i), op.mode, &held.request) : start_receive(call(i), &held.request);
      return;
    }
    if (held.request == MPI_REQUEST_NULL) {
      sends ? init_send(call(i), op.mode, &held.request) : init_receive(call(i), &held.request);
    }
    requests.push_back(held.request);
  }
  if (requests.size() == 1) {
    MPI_Start(&holder(operations[0]).request);
    return;
  }
  MPI_Startall(static_cast<int>(requests.size()), requests.data());
  for (std::size_t k = 0; k < requests.size(); ++k) holder(operations[k]).request = requests[k];
}

void Performer::start_collective(int i) {
  Holder& held = holder(i);
  const Operation& op = operation(i);
  if (op.kind == Kind::barrier) {
    MPI_Ibarrier(comm_of(i).handle, &held.request);
    return;
  }
  held.own.assign(op.signature.count, rank_ + 1);
  held.sum.assign(op.signature.count, -1);
  MPI_Iallreduce(held.own.data(), held.sum.data(), static_cast<int>(op.signature.count), MPI_DOUBLE,
                 MPI_SUM, comm_of(i).handle, &held.request);
}

void Performer::start_generalized(int i) {
  Holder& held = holder(i);
  held.generalized = std::make_unique<Generalized>(errands_, operation(i).errand);
  held.request = held.generalized->start();
}

void Performer::send(int i) {
  prepare(i);
  finish(i, semantics::send(call(i), operation(i).mode), MPI_STATUS_IGNORE);
}

void Performer::receive(int i, Reception way) {
  prepare(i);
  MPI_Status status{};
  int code = MPI_SUCCESS;
  // One that is always there to be filled, and none at all, are different paths in an MPI.
  MPI_Status* const wanted =
      operation(i).ignores_status && operation(i).inbox == none ? MPI_STATUS_IGNORE : &status;
  switch (way) {
    case Reception::receive:
      code = semantics::receive(call(i), wanted);
      break;
    case Reception::probe:
    case Reception::iprobe:
      code = probe_then_receive(i, way == Reception::probe, wanted);
      break;
    case Reception::mprobe:
    case Reception::improbe:
      code = match_then_receive(i, way == Reception::mprobe, wanted);
      break;
    case Reception::start_and_wait:
      start_receive(call(i), &holder(i).request);
      code = MPI_Wait(&holder(i).request, wanted);
      break;
    case Reception::cancel_and_retry:
      code = cancel_and_retry(i, &status);
      break;
  }
  finish(i, code, wanted);
}

void Performer::note_probe(int i, const MPI_Status& status) {
  if (operation(i).inbox != none) return;  // which message it saw is left to time
  note("op " + std::to_string(i) + " probe " +
       status_text(status, comm_of(i), rank_, holder(i).buffer->type()));
}

int Performer::probe_then_receive(int i, bool blocks, MPI_Status* status) {
  Call call = this->call(i);
  MPI_Status probed{};
  if (blocks) {
    MPI_Probe(call.peer, call.tag, call.comm, &probed);
  } else {
    for (int found = 0; found == 0; sched_yield()) {
      MPI_Iprobe(call.peer, call.tag, call.comm, &found, &probed);
    }
  }
  note_probe(i, probed);
  call.peer = probed.MPI_SOURCE;
  call.tag = probed.MPI_TAG;
  const int code = semantics::receive(call, status);
  if (status != MPI_STATUS_IGNORE && code == MPI_SUCCESS) {
    const auto text = [&](const MPI_Status& seen) {
      return status_text(seen, comm_of(i), rank_, call.type);
    };
    if (text(probed) != text(*status)) {
      note("op " + std::to_string(i) + " PROBED " + text(probed) + " BUT RECEIVED " +
           text(*status));
    }
  }
  return code;
}

int Performer::match(int i, bool blocks, MPI_Status* status) {
  if (holder(i).buffer == nullptr) prepare(i);
  const Call call = this->call(i);
  MPI_Message* const matched = &holder(i).matched;
  if (blocks) return MPI_Mprobe(call.peer, call.tag, call.comm, matched, status);
  int code = MPI_SUCCESS;
  for (int found = 0; found == 0; sched_yield()) {
    code = MPI_Improbe(call.peer, call.tag, call.comm, &found, matched, status);
  }
  return code;
}

int Performer::match_then_receive(int i, bool blocks, MPI_Status* status) {
  MPI_Status probed{};
  match(i, blocks, &probed);
  note_probe(i, probed);
  if (blocks) return semantics::receive_matched(call(i), &holder(i).matched, status);
  start_receive_matched(call(i), &holder(i).matched, &holder(i).request);
  return MPI_Wait(&holder(i).request, status);
}

void Performer::receive_matched(int i) {
  Holder& held = holder(i);
  if (operation(i).way == Way::immediate) {
    start_receive_matched(call(i), &held.matched, &held.request);
    return;
  }
  MPI_Status status{};
  const int code = semantics::receive_matched(call(i), &held.matched, &status);
  if (code == MPI_SUCCESS && held.matched != MPI_MESSAGE_NULL)
    note("op " + std::to_string(i) + " MESSAGE-NOT-NULL");
  finish(i, code, &status);
}

// Cancelled or not is left to time; the message must arrive either way.
int Performer::cancel_and_retry(int i, MPI_Status* status) {
  MPI_Request& request = holder(i).request;
  start_receive(call(i), &request);
  MPI_Cancel(&request);
  const int code = MPI_Wait(&request, status);
  int cancelled = 0;
  if (code == MPI_SUCCESS) MPI_Test_cancelled(status, &cancelled);
  return cancelled == 0 ? code : semantics::receive(call(i), status);
}

void Performer::exchange(int sent, int received, Exchange way) {
  Buffer& out = prepare(sent);
  MPI_Status status{};
  int code = MPI_SUCCESS;
  if (way == Exchange::replace) {
    Call in = call_of(operation(received), comm_of(received), out);
    // Open MPI 4.1's looks up the process of MPI_ANY_SOURCE, and crashes at times.
    in.peer = comm_of(received).rank_of(message_of(received).source);
    code = sendrecv_replace(call(sent), in, &status);
    holder(received).buffer = std::move(holder(sent).buffer);
    done_[sent] = "sent and replaced";
    return finish(received, code, &status);
  }
  prepare(received);
  // MPICH 4.0's MPI_Isendrecv loses a reference to derived datatypes, and its status is chance.
  if (way == Exchange::isendrecv && is_named(call(sent).type) && is_named(call(received).type)) {
    code = isendrecv(call(sent), call(received));
    finish(sent, code, MPI_STATUS_IGNORE);
    return finish(received, code, MPI_STATUS_IGNORE);
  }
  code = sendrecv(call(sent), call(received), &status);
  finish(sent, code, MPI_STATUS_IGNORE);
  finish(received, code, &status);
}

// Its memory stays as it is until the end.
void Performer::free_request(int i) {
  MPI_Request_free(&holder(i).request);
  done_[i] = "freed" + request_text(i);
}

void Performer::cancel_received(int i) {
  MPI_Status status{};
  MPI_Cancel(&holder(i).request);
  const int code = MPI_Wait(&holder(i).request, &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  finish(i, code, &status);
  if (cancelled != 0) note("op " + std::to_string(i) + " CANCELLED THOUGH RECEIVED");
}

void Performer::collective(const Step& step) {
  const MPI_Comm comm = comms_[step.comm].handle;
  if (step.way == 0) {
    note("barrier " + std::to_string(error_class(MPI_Barrier(comm))));
    return;
  }
  const std::size_t count = 1 + step.seed % 4000;
  const std::vector<double> own(count, rank_ + 1);
  std::vector<double> sum(count, -1);
  const int code =
      MPI_Allreduce(own.data(), sum.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, comm);
  note("allreduce " + std::to_string(error_class(code)) + " " + sum_text(sum, judge_.bound));
}

std::string Performer::request_text(int i) {
  const bool null = holder(i).request == MPI_REQUEST_NULL;
  const bool persistent = operation(i).way == Way::persistent;
  if (null == persistent) return null ? " REQUEST-LOST" : " REQUEST-NOT-NULL";
  return "";
}

void Performer::finish(int i, int code, MPI_Status* status) {
  const Operation& op = operation(i);
  std::string line = "error " + std::to_string(error_class(code));
  // Open MPI frees persistent requests that end in an error.
  if (op.way != Way::blocking && code == MPI_SUCCESS) line += request_text(i);
  Holder& held = holder(i);
  if (op.kind == Kind::send) {
    line += " data " + held.buffer->compare(held.buffer->bytes(), content_of(message_of(i)), 0);
  } else if (op.kind == Kind::receive) {
    finish_receive(i, code, status, line);
  } else if (op.kind == Kind::allreduce) {
    line += " " + sum_text(held.sum, judge_.bound);
  } else if (op.kind == Kind::generalized) {
    line += " " + held.generalized->outcome(op.ignores_status ? MPI_STATUS_IGNORE : status);
  }
  const HandlerCalls handler = take_handler_calls();
  // Which of several calls completes a request is left to time, and only those for one request call
  // the handler for it alone.
  if (handler.calls > 0 && truncation_is_handled && op.way == Way::blocking) {
    line += " handler " + std::to_string(handler.calls) + " class " +
            std::to_string(handler.error_class);
  }
  done_[i] = line;
  if (op.way != Way::persistent && op.kind != Kind::send) held.buffer.reset();
}

void Performer::finish_receive(int i, int code, MPI_Status* status, std::string& line) {
  const Operation& op = operation(i);
  Holder& held = holder(i);
  std::vector<std::byte> bytes = held.buffer->bytes();
  const bool fails = judge_.fault != Fault::nothing && !fault_done_ && bytes.size() > 128 &&
                     status != MPI_STATUS_IGNORE && !op.ignores_status && !op.truncated;
  if (fails) {
    fault_done_ = true;
    if (judge_.fault == Fault::byte) bytes[bytes.size() / 2] ^= std::byte{1};
    if (judge_.fault == Fault::guard) bytes.back() ^= std::byte{1};
    if (judge_.fault == Fault::source) ++status->MPI_SOURCE;
    if (judge_.fault == Fault::tag) ++status->MPI_TAG;
    if (judge_.fault == Fault::count) {
      MPI_Status_set_elements(status, held.buffer->type(), 0);
    }
  }
  std::string text;
  if (status != MPI_STATUS_IGNORE) {
    if (op.truncated) {
      // How much of it counts as received is each MPI's own choice.
      text = "source " + std::to_string(comm_of(i).world_rank(status->MPI_SOURCE, rank_)) +
             " tag " + std::to_string(status->MPI_TAG);
    } else if (op.inbox != none) {
      text = open_status_text(*status, op.signature.base, held.buffer->type());
    } else {
      text = status_text(*status, comm_of(i), rank_, held.buffer->type());
    }
  }
  if (op.inbox != none) {
    OpenReceipt& receipt = open_receipts_[i];
    receipt.source = code == MPI_SUCCESS ? comm_of(i).world_rank(status->MPI_SOURCE, rank_) : none;
    receipt.status = line + " " + text;
    receipt.bytes = std::move(bytes);
    // Which message came says the log of the inbox.
    return;
  }
  if (!op.ignores_status) line += " " + text;
  line += " " + data_text(*held.buffer, bytes, message_of(i), op.truncated, judge_.bound);
}

// By source, in the order of posting, which for one source is the order of sending.
void Performer::log_open_inbox(std::size_t index, std::vector<std::string>& lines) {
  const Inbox& inbox = schedule_.open_inboxes[index];
  if (inbox.rank != rank_) return;
  std::map<int, std::vector<const Message*>> sent;
  for (const Message& message : schedule_.messages) {
    if (message.comm == inbox.comm && message.destination == rank_) {
      sent[message.source].push_back(&message);
    }
  }
  std::map<int, std::vector<std::string>> by_source;
  for (const int i : inbox.receives) {
    const auto found = open_receipts_.find(i);
    if (found == open_receipts_.end()) continue;
    const OpenReceipt& receipt = found->second;
    std::vector<std::string>& of_source = by_source[receipt.source];
    const std::vector<const Message*>& expected = sent[receipt.source];
    std::string line = "inbox " + std::to_string(index) + " from " +
                       std::to_string(receipt.source) + " number " +
                       std::to_string(of_source.size()) + " ";
    if (of_source.size() < expected.size()) {
      const Message& message = *expected[of_source.size()];
      const Buffer shape(operation(i).signature, operation(i).placement);
      line += "sent tag " + std::to_string(message.tag) + " " + receipt.status + " data " +
              shape.compare(receipt.bytes, content_of(message), judge_.bound);
    } else {
      line += "NOBODY SENT IT " + receipt.status;
    }
    of_source.push_back(line);
  }
  for (auto& [source, texts] : by_source) lines.insert(lines.end(), texts.begin(), texts.end());
}

std::vector<std::string> Performer::take_log() {
  std::vector<std::string> lines = std::move(notes_);
  for (auto& [i, held] : holders_) {
    if (held.request != MPI_REQUEST_NULL && operation(i).way == Way::persistent) {
      MPI_Request_free(&held.request);
    }
  }
  for (std::size_t i = 0; i < schedule_.operations.size(); ++i) {
    const int index = static_cast<int>(i);
    if (operation(index).rank != rank_ || operation(index).inbox != none) continue;
    const auto found = done_.find(index);
    lines.push_back("op " + std::to_string(i) + " " + describe(operation(index)) + ": " +
                    (found == done_.end() ? "NEVER COMPLETED" : found->second));
  }
  for (std::size_t i = 0; i < schedule_.open_inboxes.size(); ++i) log_open_inbox(i, lines);
  return lines;
}

std::vector<std::string> perform(const Schedule& schedule, int rank, const Communicators& comms,
                                 const Judge& judge) {
  Performer performer(schedule, rank, comms, judge);
  for (const Step& step : schedule.steps[static_cast<std::size_t>(rank)]) performer.perform(step);
  performer.finish_errands();
  // What was sent by a request since freed is needed until it has arrived.
  MPI_Barrier(comms.control());
  return performer.take_log();
}

}  // namespace semantics
