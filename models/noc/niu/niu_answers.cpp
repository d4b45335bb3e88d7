#include "models/noc/niu/niu_answers.h"

#include <algorithm>

#include "models/noc/packet_ledger.h"

namespace tvp::noc {

using support::Cycle;
using Kind = NiuStep::Kind;

Packet& NiuAnswers::make(const Packet& request, PacketKind kind, std::uint32_t bytes) {
  Packet& response = output_.allocate(bytes);
  const NocExtension& from = request.header();
  NocExtension& header = response.header();
  header.kind = kind;
  header.source = context_.node;
  header.target = from.reply;
  header.vc_class = vc::kClassResponse;
  header.transaction_id = from.transaction_id;
  header.bytes = bytes;
  header.flits = context_.place.grid.flits_of(bytes);
  header.address = from.reply_address;
  header.asked_vc = from.last_vc;
  header.sender = from.sender;
  header.sender_pc = from.sender_pc;
  return response;
}

std::uint64_t NiuAnswers::read_from_l1(std::uint32_t flits, Cycle now) {
  const double cycles =
      flits * context_.place.grid.map().flit_bytes / context_.config.answer_bytes_per_cycle.value();
  read_ =
      std::max(read_, now << kTickBits) + static_cast<std::uint64_t>(cycles * (1U << kTickBits));
  const Cycle done = (read_ + (1U << kTickBits) - 1) >> kTickBits;
  return done - now;
}

/// The response starts early enough that its last flit leaves when its last byte was read.
void NiuAnswers::finish_read(Packet& request, Cycle now, std::uint64_t latency) {
  Packet& response = *request.header().answer;
  const std::uint64_t stream = response.header().data_flits();
  const std::uint64_t late = latency > stream ? latency - stream : 0;
  steps_.at(now + latency, Kind::kServed, &request);
  leave_after(now + late, response);
}

void NiuAnswers::leave_after(Cycle done, Packet& response) {
  steps_.at(done + context_.config.response_cycles - 1, Kind::kRespond, &response);
}

bool NiuAnswers::respond(Packet& response, Cycle now) {
  NocExtension& header = response.header();
  const unsigned used0 = output_.used(vc::number(vc::kClassResponse, 0, 0));
  const unsigned used1 = output_.used(vc::number(vc::kClassResponse, 1, 0));
  header.buddy = used1 < used0 ? 1 : 0;
  header.issued = now;
  if (output_.is_full(header.first_vc())) {
    waiting_.push_back(&response);
    return false;
  }
  output_.inject(response, now + 1);
  return true;
}

Packet* NiuAnswers::vc_freed(Cycle now) {
  if (waiting_.empty()) return nullptr;
  Packet& response = *waiting_.front();
  waiting_.erase(waiting_.begin());
  return respond(response, now) ? &response : nullptr;
}

void NiuAnswers::describe_pending(std::vector<std::string>& lines) const {
  for (const Packet* packet : waiting_) {
    lines.push_back(context_.place.where +
                    ": waits for a virtual channel: " + describe(packet->header()));
  }
}

}  // namespace tvp::noc
