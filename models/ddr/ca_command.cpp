#include "models/ddr/ca_command.h"

namespace tvp::ddr {

namespace {

constexpr unsigned kAutoPrecharge = 1U << 10;  // A10
constexpr std::uint32_t kAddressMask = (1U << 14) - 1;

struct Pair {
  CaCommand on_bus;
  dram::DramCommand in_bank;
};
constexpr Pair kPairs[] = {
    {CaCommand::kActivate, dram::DramCommand::kActivate},
    {CaCommand::kPrecharge, dram::DramCommand::kPrecharge},
    {CaCommand::kPrechargeAll, dram::DramCommand::kPrechargeAll},
    {CaCommand::kRead, dram::DramCommand::kRead},
    {CaCommand::kWrite, dram::DramCommand::kWrite},
    {CaCommand::kReadAutoPrecharge, dram::DramCommand::kReadAuto},
    {CaCommand::kWriteAutoPrecharge, dram::DramCommand::kWriteAuto},
    {CaCommand::kRefresh, dram::DramCommand::kRefresh},
};

/// RAS, CAS and WE of a command other than ACT, and the level of A10 if it is part of the code.
struct Code {
  bool ras_n;
  bool cas_n;
  bool we_n;
  bool a10;
};

Code code_of(CaCommand command) {
  switch (command) {
    case CaCommand::kModeRegisterSet:
      return {false, false, false, false};
    case CaCommand::kRefresh:
      return {false, false, true, false};
    case CaCommand::kPrecharge:
      return {false, true, false, false};
    case CaCommand::kPrechargeAll:
      return {false, true, false, true};
    case CaCommand::kPim:
      return {false, true, true, false};
    case CaCommand::kWrite:
      return {true, false, false, false};
    case CaCommand::kWriteAutoPrecharge:
      return {true, false, false, true};
    case CaCommand::kRead:
      return {true, false, true, false};
    case CaCommand::kReadAutoPrecharge:
      return {true, false, true, true};
    case CaCommand::kZqCalibrationShort:
      return {true, true, false, false};
    case CaCommand::kZqCalibrationLong:
      return {true, true, false, true};
    case CaCommand::kDeselect:
    case CaCommand::kNoOperation:
    case CaCommand::kActivate:
      break;
  }
  return {true, true, true, false};
}

}  // namespace

CaCommand ca_command(dram::DramCommand command) {
  for (const Pair& pair : kPairs)
    if (pair.in_bank == command) return pair.on_bus;
  return CaCommand::kRefresh;
}

std::optional<dram::DramCommand> dram_command(CaCommand command) {
  for (const Pair& pair : kPairs)
    if (pair.on_bus == command) return pair.in_bank;
  return std::nullopt;
}

CaPins encode(CaCommand command, std::uint8_t ranks, std::uint32_t operand, unsigned group,
              unsigned bank) {
  CaPins pins;
  if (command == CaCommand::kDeselect) return pins;
  pins.cs_n = static_cast<std::uint8_t>(~ranks);
  pins.bank_group = static_cast<std::uint8_t>(group & 3);
  pins.bank = static_cast<std::uint8_t>(bank & 3);
  if (command == CaCommand::kActivate) {
    pins.act_n = false;
    pins.address = static_cast<std::uint16_t>(operand & kAddressMask);
    pins.we_n = (operand >> 14 & 1) != 0;
    pins.cas_n = (operand >> 15 & 1) != 0;
    pins.ras_n = (operand >> 16 & 1) != 0;
    return pins;
  }
  const Code code = code_of(command);
  pins.ras_n = code.ras_n;
  pins.cas_n = code.cas_n;
  pins.we_n = code.we_n;
  if (command == CaCommand::kPim) {
    pins.address = static_cast<std::uint16_t>(operand & kAddressMask);
    pins.bank_group = static_cast<std::uint8_t>(operand >> 14 & 3);
    pins.bank = static_cast<std::uint8_t>(operand >> 16 & 3);
    return pins;
  }
  const std::uint32_t address = operand & kAddressMask & ~kAutoPrecharge;
  pins.address = static_cast<std::uint16_t>(address | (code.a10 ? kAutoPrecharge : 0U));
  return pins;
}

CaCommand decode(const CaPins& pins, unsigned rank) {
  if ((pins.cs_n >> rank & 1) != 0) return CaCommand::kDeselect;
  if (!pins.act_n) return CaCommand::kActivate;
  const bool a10 = (pins.address & kAutoPrecharge) != 0;
  const unsigned code = (pins.ras_n ? 4U : 0U) | (pins.cas_n ? 2U : 0U) | (pins.we_n ? 1U : 0U);
  switch (code) {
    case 0b000:
      return CaCommand::kModeRegisterSet;
    case 0b001:
      return CaCommand::kRefresh;
    case 0b010:
      return a10 ? CaCommand::kPrechargeAll : CaCommand::kPrecharge;
    case 0b011:
      return CaCommand::kPim;
    case 0b100:
      return a10 ? CaCommand::kWriteAutoPrecharge : CaCommand::kWrite;
    case 0b101:
      return a10 ? CaCommand::kReadAutoPrecharge : CaCommand::kRead;
    case 0b110:
      return a10 ? CaCommand::kZqCalibrationLong : CaCommand::kZqCalibrationShort;
    default:
      return CaCommand::kNoOperation;
  }
}

std::uint32_t pim_payload(const CaPins& pins) {
  return static_cast<std::uint32_t>(pins.address & kAddressMask) |
         std::uint32_t{pins.bank_group} << 14 | std::uint32_t{pins.bank} << 16;
}

std::uint32_t row_of(const CaPins& pins) {
  return static_cast<std::uint32_t>(pins.address & kAddressMask) | (pins.we_n ? 1U << 14 : 0U) |
         (pins.cas_n ? 1U << 15 : 0U) | (pins.ras_n ? 1U << 16 : 0U);
}

}  // namespace tvp::ddr
