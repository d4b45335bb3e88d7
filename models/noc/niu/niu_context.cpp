#include "models/noc/niu/niu_context.h"

#include "foundation/hex.h"
#include "foundation/warning_sink.h"

namespace tvp::noc {

namespace {

std::string reason_of(const tlm::tlm_generic_payload& access) {
  const std::string name = access.get_response_string();
  return access.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE
             ? "nothing is there (" + name + ")"
             : name;
}

/// For example "NCRISC{verb} at pc 0x5120"; empty if the core is not known.
std::string core_text(support::BusMaster core, const char* verb, std::uint32_t pc) {
  static constexpr const char* kNames[] = {"BRISC",  "NCRISC", "TRISC0",
                                           "TRISC1", "TRISC2", "ERISC"};
  if (core > support::BusMaster::kE || pc == 0) return {};
  return kNames[static_cast<unsigned>(core)] + std::string(verb) + " at pc " + foundation::hex(pc);
}

}  // namespace

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
        reason_of(access) + "; " + text_of(request));
}

std::string NiuContext::text_of(const NocExtension& request) const {
  const std::string core = core_text(request.sender, "", request.sender_pc);
  return std::string(name_of(request.kind)) +
         (request.bytes == 0 ? "" : " of " + std::to_string(request.bytes) + " bytes") + " that (" +
         std::to_string(request.source.x) + ", " + std::to_string(request.source.y) + ") of NoC " +
         std::to_string(place.noc) + " sent" + (core.empty() ? core : ", by " + core);
}

void NiuContext::refused(const tlm::tlm_generic_payload& access, support::BusMaster core,
                         std::uint32_t pc) const {
  const std::string command = core_text(core, " started", pc);
  fault((access.is_read() ? "read of " : "write of ") + std::to_string(access.get_data_length()) +
        " bytes at address " + foundation::hex(access.get_address()) + ": " + reason_of(access) +
        (command.empty() ? command : ", by a command that " + command));
}

void NiuContext::unmodelled(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, place.where, text);
}

}  // namespace tvp::noc
