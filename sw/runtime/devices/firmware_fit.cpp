#include "sw/runtime/devices/firmware_fit.h"

#include <string>

#include "foundation/fault.h"

namespace tvp::runtime {
namespace {

using foundation::Fault;
using foundation::FaultKind;

constexpr std::uint32_t kLeastUnreserved = 64 * 1024;  // minimum of L1 for the buffers of kernels
constexpr std::uint32_t kKernelInstructions = 16 * 1024;
constexpr std::uint32_t kLeastComputeLocal = 2048;
/// Local memory that firmware, a kernel's data and the stack need on a data-movement core, besides
/// bank tables.
constexpr std::uint32_t kLeastDataLocal = 2048;

void require(const foundation::ChipSpec& spec, const char* key, std::uint32_t has,
             std::uint32_t needs, const char* what) {
  if (has >= needs) return;
  throw Fault(FaultKind::kDescription, spec.place_of(std::string("memories.") + key),
              std::string("memories.") + key + ": " + std::to_string(has) + " bytes, expected " +
                  std::to_string(needs) + " or more: " + what);
}

}  // namespace

void check_firmware_fits(const ChipLayout& layout) {
  const foundation::ChipSpec& spec = layout.spec();
  const foundation::ChipSpec::Memories& m = spec.memories;
  const std::uint32_t tables = layout.bank_table_layout().bytes();
  require(spec, "tensix_l1_kib", m.tensix_l1_bytes, contract::kL1UnreservedBase + kLeastUnreserved,
          "the firmware, its mailboxes and kernels do not fit");
  require(spec, "ethernet_l1_kib", m.ethernet_l1_bytes, contract::kEthMapEnd,
          "the firmware, its mailboxes and kernels do not fit");
  require(spec, "data_local_bytes", m.data_local_bytes, kLeastDataLocal + tables,
          "the firmware, its tables of banks and a stack do not fit");
  require(spec, "compute_local_bytes", m.compute_local_bytes, kLeastComputeLocal,
          "the firmware and a stack do not fit");
  if (m.instruction_bytes != 0)
    require(spec, "instruction_bytes", m.instruction_bytes, kKernelInstructions,
            "kernels of NCRISC do not fit");
  if (tables > contract::kMostBankTableBytes)
    throw Fault(FaultKind::kDescription, spec.place_of("grid.columns"),
                std::to_string(layout.spec().workers()) + " Tensix tiles and " +
                    std::to_string(layout.dram_banks()) + " DRAM banks need tables of " +
                    std::to_string(tables) + " bytes, the firmware has room for " +
                    std::to_string(contract::kMostBankTableBytes));
}

}  // namespace tvp::runtime
