// The exported symbols of libtensix_vp.so for the units of PIM systems.

#include <algorithm>
#include <string>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/fault.h"
#include "platform/library/abi.h"
#include "platform/library/session.h"

using tvp::platform::Session;
using tvp::platform::UnitAccess;

using tvp::platform::answer;
using tvp::platform::copy_out;
using tvp::platform::require;
using tvp::platform::text_from;

namespace {

/// Returns 0, or 1 if the call was refused.
template <typename Work>
std::int32_t with_units(const Work& work) {
  return tvp::platform::answer(1, [&] { return Session::instance().with_units(work) ? 0 : 1; });
}

UnitAccess::Owner owner_of(std::uint32_t owner) {
  if (owner == TENSIX_VP_PIM_HOST) return UnitAccess::Owner::kHost;
  if (owner == TENSIX_VP_PIM_PROCESSOR) return UnitAccess::Owner::kProcessor;
  throw tvp::foundation::Fault(
      tvp::foundation::FaultKind::kDescription, "host",
      "owner " + std::to_string(owner) + ": expected 0 (host) or 1 (processor)");
}

std::uint32_t abi_state(UnitAccess::Run run) {
  switch (run) {
    case UnitAccess::Run::kStopped:
      break;
    case UnitAccess::Run::kRunning:
      return TENSIX_VP_PIM_RUNNING;
    case UnitAccess::Run::kExited:
      return TENSIX_VP_PIM_EXITED;
  }
  return TENSIX_VP_PIM_STOPPED;
}

}  // namespace

extern "C" {

TVP_EXPORT int32_t tensix_vp_pim_own(uint32_t unit, uint32_t owner) {
  return with_units([&](UnitAccess& units) { units.set_owner(unit, owner_of(owner)); });
}
TVP_EXPORT int32_t tensix_vp_pim_bank(uint32_t unit, uint64_t address, void* data, uint64_t bytes,
                                      uint32_t write) {
  return with_units([&](UnitAccess& units) {
    if (bytes != 0) require(data, "the memory of an access to a bank");
    units.access_bank(unit, address, static_cast<std::uint8_t*>(data), bytes, write != 0);
  });
}
TVP_EXPORT int32_t tensix_vp_pim_wram(uint32_t unit, uint32_t address, void* data, uint32_t bytes,
                                      uint32_t write) {
  return with_units([&](UnitAccess& units) {
    if (bytes != 0) require(data, "the memory of an access to WRAM");
    units.access_wram(unit, address, static_cast<std::uint8_t*>(data), bytes, write != 0);
  });
}
TVP_EXPORT int32_t tensix_vp_pim_peek(uint32_t unit, uint32_t address, void* data, uint32_t bytes) {
  return answer(1, [&] {
    if (bytes != 0) require(data, "the memory of an access to WRAM");
    return Session::instance().peek_wram(unit, address, static_cast<std::uint8_t*>(data), bytes)
               ? 0
               : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_pim_load(uint32_t unit, const char* elf_path) {
  return answer(1, [&] {
    return Session::instance().load_unit(unit, text_from(elf_path, "the path of an ELF file")) ? 0
                                                                                               : 1;
  });
}
TVP_EXPORT int32_t tensix_vp_pim_start(const uint32_t* units, uint32_t count) {
  return with_units([&](UnitAccess& all) {
    if (count != 0) require(units, "the numbers of units");
    if (count > all.count()) {
      throw tvp::foundation::Fault(
          tvp::foundation::FaultKind::kDescription, "host",
          std::to_string(count) + " units to start: the system has " + std::to_string(all.count()));
    }
    all.start_units(std::vector<unsigned>(units, units + count));
  });
}
TVP_EXPORT int32_t tensix_vp_pim_state(uint32_t unit, struct tensix_vp_pim_unit* state) {
  return with_units([&](UnitAccess& units) {
    require(state, "the state of a unit");
    const UnitAccess::State s = units.state(unit);
    *state = {.state = abi_state(s.run),
              .exit_status = s.exit_status,
              .started_cycle = s.started,
              .ended_cycle = s.ended,
              .instructions = s.instructions,
              .slept_instructions = s.slept_instructions};
  });
}
TVP_EXPORT uint32_t tensix_vp_pim_route(uint32_t source, uint32_t destination, uint32_t* links,
                                        uint32_t size) {
  return answer(std::uint32_t{0}, [&] {
    std::vector<std::uint32_t> route;
    with_units([&](UnitAccess& units) {
      if (size != 0) require(links, "the links of a route");
      route = units.scheduled_route(source, destination);
      std::copy_n(route.begin(), std::min<std::size_t>(route.size(), size), links);
    });
    return static_cast<std::uint32_t>(route.size());
  });
}
TVP_EXPORT uint32_t tensix_vp_pim_way(uint32_t source, uint32_t destination, uint32_t* links,
                                      uint32_t size) {
  return tensix_vp_pim_route(source, destination, links, size);
}
TVP_EXPORT uint32_t tensix_vp_pim_output(uint32_t unit, char* buffer, uint32_t size) {
  return answer(std::uint32_t{0}, [&] {
    std::string output;
    with_units([&](UnitAccess& units) { output = units.output(unit); });
    return copy_out(output, buffer, size);
  });
}

}  // extern "C"
