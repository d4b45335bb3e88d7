#include "models/dram/controller/foreign_controller.h"

namespace tvp::dram {

void ForeignController::debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  memory.debug(tlm::TLM_READ_COMMAND, address, data, static_cast<std::uint32_t>(bytes));
}

void ForeignController::debug_write(std::uint64_t address, const std::uint8_t* data,
                                    std::uint64_t bytes) {
  memory.debug(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(data),
               static_cast<std::uint32_t>(bytes));
}

}  // namespace tvp::dram
