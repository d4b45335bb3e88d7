#pragma once

#include <cstdint>
#include <optional>

#include "models/dram/timing/dram_command.h"

namespace tvp::ddr {

/// The commands in a slot of a DDR4 command/address bus.
enum class CaCommand : std::uint8_t {
  kDeselect,
  kModeRegisterSet,
  kRefresh,
  kPrecharge,
  kPrechargeAll,
  /// The code that the standard reserves (RAS, CAS, WE = L, H, H); used for PIM control words.
  kPim,
  kWrite,
  kWriteAutoPrecharge,
  kRead,
  kReadAutoPrecharge,
  kZqCalibrationShort,
  kZqCalibrationLong,
  kNoOperation,
  kActivate,
};

/// The command on the bus; REFsb has the code of REF.
CaCommand ca_command(dram::DramCommand command);
/// The command that banks execute; none for PIM words, mode registers and the like.
std::optional<dram::DramCommand> dram_command(CaCommand command);

/// Levels of the pins in one slot; true is high. Pins whose names end in _n are active low.
struct CaPins {
  std::uint8_t cs_n = 0xFF;  ///< one bit for each rank
  bool act_n = true;
  bool ras_n = true;          ///< A16 of a row address while act_n is low
  bool cas_n = true;          ///< A15
  bool we_n = true;           ///< A14
  std::uint16_t address = 0;  ///< A0 to A13; A10 is auto-precharge or "all", A12 the burst chop
  std::uint8_t bank_group = 0;
  std::uint8_t bank = 0;

  bool operator==(const CaPins&) const = default;
};

/// Payload bits of a PIM slot: A0-A13, BG0-1, BA0-1.
inline constexpr unsigned kPimBits = 18;
inline constexpr std::uint8_t kNoRank = 0xFF;

/// The upper two bits of the payload of a PIM word. The others depend on it.
enum class PimKind : std::uint8_t {
  kMessage = 0,  ///< source rank << 12 | bytes; the words of the message follow
  kArrived = 1,  ///< the rank that has arrived at a barrier
  kRelease = 2,
  kGrant = 3,  ///< source << 8 | destination: the transfer that has the data bus next
};
struct PimWord {
  std::uint32_t ranks = 0;  ///< chip selects
  std::uint32_t payload = 0;
};
constexpr PimWord pim_word(PimKind kind, std::uint32_t ranks, std::uint32_t operand = 0) {
  return {ranks, static_cast<std::uint32_t>(kind) << 16 | (operand & 0xFFFF)};
}

/// The pins of a command for the ranks whose bits are set in `ranks`. `operand` depends on the
/// command: 17 row bits for kActivate, 18 payload bits for kPim, otherwise the column or mode
/// register bits (A0-A9, A11, A13). Source: DDR4 command truth table (Alliance AS4C512M8D4 data
/// sheet).
CaPins encode(CaCommand command, std::uint8_t ranks, std::uint32_t operand = 0, unsigned group = 0,
              unsigned bank = 0);

/// Decodes the command for a rank. Its chip select must be low.
CaCommand decode(const CaPins& pins, unsigned rank);
/// The 18 payload bits of a PIM slot.
std::uint32_t pim_payload(const CaPins& pins);
/// Row of a kActivate slot.
std::uint32_t row_of(const CaPins& pins);

}  // namespace tvp::ddr
