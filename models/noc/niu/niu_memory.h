#pragma once

#include <cstdint>

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_sockets.h"
#include "models/support/bus_access.h"

namespace tvp::noc {

/// Accesses of a NIU to its tile, through b_transport.
class NiuMemory {
 public:
  NiuMemory(const NiuContext& context, NiuMemorySocket& memory);
  ~NiuMemory();
  NiuMemory(const NiuMemory&) = delete;
  NiuMemory& operator=(const NiuMemory&) = delete;

  /// Sets the request that the next accesses serve; null for accesses of this tile's commands.
  void serve(const NocExtension* request) { request_ = request; }
  /// For these: the core that started the command, and its pc at the store to CMD_CTRL.
  void act_for(support::BusMaster core, std::uint32_t pc) {
    core_ = core;
    pc_ = pc;
  }
  /// These return the cycles until the last byte is there.
  std::uint32_t read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                     support::Cycle now);
  std::uint32_t write(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                      support::Cycle now, std::uint8_t* enables = nullptr);
  /// True if the latest write may take longer than announced; valid after its end.
  bool provisional() const { return access_.provisional; }
  std::uint32_t overdue(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                        support::Cycle now);

 private:
  std::uint32_t access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                       std::uint32_t bytes, support::Cycle now, std::uint8_t* enables);

  const NiuContext& context_;
  NiuMemorySocket& memory_;
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;
  const NocExtension* request_ = nullptr;
  support::BusMaster core_ = support::BusMaster::kDebug;
  std::uint32_t pc_ = 0;
};

}  // namespace tvp::noc
