// Any schedule on a worker of a chip: the interpreter on this core, DRAM on the other data-movement
// core (chip_moves.cpp), combinations on the compute cores (chip_combine.cpp).

#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/collectives/schedule_interpreter.h"
#include "firmware/collectives/transport/chip_slices.h"

namespace {

using namespace tvp::firmware::collectives;
using Port = ChipSlices::Port;

FORCE_INLINE uint32_t arg(uint32_t index) { return get_arg_val<uint32_t>(static_cast<int>(index)); }

/// Lanes and connections whose state fits the core's own memory.
constexpr uint32_t kNear = 2;

Port ports[c::kPorts];
uint32_t used_ports = 0;  ///< bit i: port i

void connect() {
  const uint32_t count = arg(c::kChipPorts);
  for (uint32_t i = 0; i < count; ++i) {
    size_t next = c::kChipArgs + i * c::kPortArgs;
    const uint32_t port = arg(next++);
    const auto x = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgX));
    const auto y = static_cast<uint8_t>(arg(next + tvp::contract::fabric::kConnectionArgY));
    ports[port] = Port(Port::Base::build_from_args(next));
    tt::tt_fabric::wait_for_fabric_endpoint_ready(x, y, arg(c::kChipRouterStatus),
                                                  get_semaphore(c::kStatusSemaphore));
    ports[port].open();
    used_ports |= 1u << port;
  }
}

}  // namespace

void kernel_main() {
  connect();
  ChipSlices slices({arg(c::kChipProgram), arg(c::kChipBase), arg(c::kChipX), arg(c::kChipY),
                     arg(c::kChipTileShift), arg(c::kChipPacketBytes)},
                    ports);
  auto* const times = reinterpret_cast<volatile uint64_t*>(slices.layout().times);
  ScheduleInterpreter<ChipSlices, kNear> interpreter(
      slices, reinterpret_cast<const uint8_t*>(arg(c::kChipProgram)));
  times[0] = c_tensix_core::read_wall_clock();
  interpreter.run();
  times[1] = c_tensix_core::read_wall_clock();
  interpreter.settle();
  slices.stop();
  for (uint32_t port = 0; port < c::kPorts; ++port)
    if ((used_ports >> port & 1u) != 0) ports[port].close();
  noc_async_full_barrier();
}
