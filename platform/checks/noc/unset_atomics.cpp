#include "platform/checks/noc/unset_atomics.h"

#include "foundation/hex.h"
#include "platform/checks/writer_text.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds UnsetAtomics::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kRequest) | Probe::bit(Kind::kGiven) | Probe::bit(Kind::kProgramEnds);
}

void UnsetAtomics::on(const ProbeEvent& event) {
  if (event.kind == Kind::kProgramEnds) return unused_.clear();
  if (event.kind == Kind::kGiven) return given(event);
  if (event.request == ProbeEvent::Request::kRead || !event.is_local) return;
  const bool is_atomic = event.request == ProbeEvent::Request::kAtomic;
  const auto word = static_cast<std::uint32_t>(event.address) & ~3U;
  const std::uint32_t bytes = event.request == ProbeEvent::Request::kWrite ? event.bytes : 4;
  for (const Unused& unused : unused_)
    if (word < unused.address + 4 && unused.address < word + bytes)
      return report(event, name_of(unused) + ", which the program of this tile has not created");
  if (is_atomic && tile_.record->l1.is_unwritten(word, 4))
    report(event, "the word at " + foundation::hex(word) + " of L1, which nothing has initialized");
}

/// A recording of events has no names.
std::string UnsetAtomics::name_of(const Unused& unused) const {
  return unused.number < tile_.given->size() ? tile_.given->at(unused.number).what
                                             : "the word at " + foundation::hex(unused.address);
}

void UnsetAtomics::given(const ProbeEvent& event) {
  if (TileContext::Given::use_of(event) == TileContext::Given::Use::kUnused)
    unused_.push_back({static_cast<std::uint32_t>(event.address), event.index});
}

void UnsetAtomics::report(const ProbeEvent& request, const std::string& what) {
  const std::string noc = request.agent == BusMaster::kNoc1 ? "1" : "0";
  std::string sender = "(" + std::to_string(request.x1) + ", " + std::to_string(request.y1) +
                       ") of NoC " + noc + " sent it";
  if (request.core <= BusMaster::kE && request.pc != 0)
    sender = WriterText(tile_.chip, tile_.names, false).core(request.x0, request.y0, request.core) +
             " sent it" +
             WriterText(tile_.chip, tile_.names, false)
                 .at(request.x0, request.y0, request.core, request.pc, request.cycle);
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where + ".niu" + noc,
      std::string(request.request == ProbeEvent::Request::kAtomic ? "an atomic" : "a write") +
          " changes " + what +
          ". Expected a semaphore. Create or initialize it, or check the address and the "
          "coordinates. " +
          sender));
}

}  // namespace tvp::checks
