#include "foundation/chip/chip_header.h"

#include <utility>

#include "foundation/chip/coordinates.h"

namespace tvp::foundation {

std::string chip_header(const ChipSpec& spec) {
  const Coordinates coordinates(spec, {});
  const ChipNode tensix =
      coordinates.translated({spec.tensix_columns.front(), spec.tensix_rows.front()});
  // Programs address the PCIe tile by its translated coordinates if all are translated.
  const ChipNode pcie = spec.first_translated == 0 ? coordinates.translated(spec.pcie) : spec.pcie;
  const std::pair<const char*, std::uint64_t> numbers[] = {
      {"kColumns", spec.columns},
      {"kRows", spec.rows},
      {"kTensixColumns", spec.tensix_columns.size()},
      {"kTensixRows", spec.tensix_rows.size()},
      {"kFirstTranslated", spec.first_translated},
      {"kDramBanks", spec.dram_banks()},
      {"kL1Banks", spec.workers()},
      {"kTensixL1Bytes", spec.memories.tensix_l1_bytes},
      {"kEthernetL1Bytes", spec.memories.ethernet_l1_bytes},
      {"kInstructionBytes", spec.memories.instruction_bytes},
      {"kFirstTensixX", tensix.x},
      {"kFirstTensixY", tensix.y},
      {"kPcieX", pcie.x},
      {"kPcieY", pcie.y},
  };
  std::string text = "#pragma once\n// A chip of kind " + spec.name +
                     ".\n#include <stdint.h>\nnamespace tvp::chip {\n";
  for (const auto& [name, value] : numbers) {
    text += std::string("constexpr uint32_t ") + name + " = " + std::to_string(value) + ";\n";
  }
  text += "constexpr uint64_t kHostWindow = " + std::to_string(spec.bars.host_window) + ";\n";
  return text + "}  // namespace tvp::chip\n";
}

}  // namespace tvp::foundation
