#include "models/noc/niu_context.h"

#include "foundation/hex.h"
#include "foundation/warning_sink.h"

namespace tvp::noc {

NiuContext::NiuContext(const NocConfig& config_of_noc, const Place& place_of_niu,
                       support::Calendar& calendar_of_chip, support::WatchHub& watches_of_tile,
                       foundation::FaultPolicy& fault_policy, const support::Agent& niu)
    : config(config_of_noc),
      place(place_of_niu),
      node(place.node()),
      calendar(calendar_of_chip),
      watches(watches_of_tile),
      faults(fault_policy),
      agent(niu),
      watch(place.noc == 0 ? support::Watch::kNiu0 : support::Watch::kNiu1),
      master(place.noc == 0 ? support::BusMaster::kNoc0 : support::BusMaster::kNoc1) {}

void NiuContext::fault(const std::string& text) const {
  faults.raise(foundation::Fault(foundation::FaultKind::kFirmware, place.where, text));
}

void NiuContext::warn(const std::string& text) const {
  if (auto* const sink = dynamic_cast<foundation::WarningSink*>(&faults))
    sink->warn(foundation::Fault(foundation::FaultKind::kFirmware, place.where, text));
}

void NiuContext::refused(const NocExtension& request,
                         const tlm::tlm_generic_payload& access) const {
  fault("remote request to address " + foundation::hex(access.get_address()) + ": " +
        access.get_response_string() + "; " + name_of(request.kind) + " of " +
        std::to_string(request.bytes) + " bytes that (" + std::to_string(request.source.x) + ", " +
        std::to_string(request.source.y) + ") of NoC " + std::to_string(place.noc) + " sent");
}

void NiuContext::unmodelled(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, place.where, text);
}

}  // namespace tvp::noc
