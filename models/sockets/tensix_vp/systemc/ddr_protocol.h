#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

namespace tensix_vp {

/// A command on the command/address bus of a DDR channel.
enum class DdrOperation : std::uint8_t {
  kActivate,
  kRead,
  kReadAutoPrecharge,
  kWrite,
  kWriteAutoPrecharge,
  kPrecharge,
  kPrechargeAll,
  kRefresh,
  kPim,  ///< control words in the code that the DDR4 standard reserves
};

constexpr bool is_read(DdrOperation operation) {
  return operation == DdrOperation::kRead || operation == DdrOperation::kReadAutoPrecharge;
}
constexpr bool is_write(DdrOperation operation) {
  return operation == DdrOperation::kWrite || operation == DdrOperation::kWriteAutoPrecharge;
}
constexpr bool moves_data(DdrOperation operation) {
  return is_read(operation) || is_write(operation);
}

enum class DdrStatus : std::uint8_t {
  kIncomplete,
  kOk,
  kTooEarly,     ///< before its first legal time, which is in `slot`
  kNoSuchPlace,  ///< rank, bank, row, column or word
  kRowClosed,    ///< a column command, and the bank has no open row
  kRowOpen,      ///< ACT or REF, and a bank has an open row
  kWrongLength,  ///< the data are not one burst
  kNotOwned,     ///< the processor beside the bank owns it
};

/// Payload of DdrProtocol.
///
/// The controller owns a command and leaves it unchanged until its end. The channel sets only the
/// members after `words`, and the data of a read. A refused command ends at once and has no effect.
/// The chips of a rank may refuse data with another status, while the command takes its time.
struct DdrCommand {
  DdrOperation operation = DdrOperation::kActivate;
  /// Chip selects, one bit each. Only kPrechargeAll, kRefresh and kPim may address several ranks.
  std::uint32_t ranks = 1;
  unsigned bank = 0;                   ///< number in the rank: bank group * banks of a group + bank
  std::uint64_t row = 0;               ///< kActivate, and debug accesses
  unsigned column = 0;                 ///< first column of a burst
  std::uint8_t* data = nullptr;        ///< reads and writes: one burst
  std::uint32_t bytes = 0;             ///< length of the data
  const std::uint8_t* mask = nullptr;  ///< writes: 0 for each byte to leave out; null: none
  std::vector<std::uint32_t> words{};  ///< kPim: words of 18 bits, in consecutive slots

  DdrStatus status = DdrStatus::kIncomplete;
  sc_core::sc_time slot{};        ///< first edge of CK of the command
  sc_core::sc_time data_begin{};  ///< reads and writes: first beat
  sc_core::sc_time data_end{};    ///< edge after the last beat
};

/// Traits class of sockets between a controller and a DDR channel, and between a channel and the
/// chips of a rank.
///
/// nb_transport_fw carries BEGIN_REQ. The answer TLM_COMPLETED is a refusal. After TLM_ACCEPTED the
/// channel calls nb_transport_bw with END_REQ at the end of the command's slot, then with
/// BEGIN_DATA and END_DATA for a read or write. A command ends with its last phase. The next
/// BEGIN_REQ follows the END_REQ of the command before. b_transport annotates the whole time.
struct DdrProtocol {
  using tlm_payload_type = DdrCommand;
  using tlm_phase_type = tlm::tlm_phase;
};

TLM_DECLARE_EXTENDED_PHASE(BEGIN_DATA);
TLM_DECLARE_EXTENDED_PHASE(END_DATA);

}  // namespace tensix_vp
