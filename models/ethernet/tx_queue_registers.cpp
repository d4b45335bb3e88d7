#include <algorithm>
#include <cstdio>

#include "foundation/regs/ethernet.h"
#include "foundation/regs/register_names.h"
#include "models/ethernet/tx_queue.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

namespace txq = regs::ethernet::txq;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::MmioAccess;
using support::Watch;

namespace {

bool describes_transfer(std::uint32_t offset) {
  switch (offset) {
    case txq::kTransferStartAddr:
    case txq::kTransferSizeBytes:
    case txq::kDestAddr:
    case txq::kRemoteRegData:
    case txq::kMaxPktSizeBytes:
      return true;
    default:
      return false;
  }
}

}  // namespace

constinit const QueueRegisters<TxQueue> TxQueue::kRegisters{
    {txq::kCtrl, &TxQueue::ctrl_},
    {txq::kCmd, &TxQueue::cmd_},
    {txq::kMaxPktSizeBytes, &TxQueue::max_packet_bytes_},
    {txq::kTransferStartAddr, &TxQueue::start_address_},
    {txq::kTransferSizeBytes, &TxQueue::size_bytes_},
    {txq::kDestAddr, &TxQueue::destination_},
    {txq::kTransferCnt, &TxQueue::transfer_count_},
    {txq::kPktStartCnt, &TxQueue::packet_start_count_},
    {txq::kPktEndCnt, &TxQueue::packet_end_count_},
    {txq::kWordCnt, &TxQueue::word_count_},
    {txq::kRemoteRegData, &TxQueue::register_data_},
    {txq::kRemoteSeqTimeout, &TxQueue::remote_seq_timeout_},
    {txq::kLocalSeqUpdateTimeout, &TxQueue::local_seq_update_timeout_},
    {txq::kDestMacAddrHi, &TxQueue::destination_mac_high_},
    {txq::kDestMacAddrLo, &TxQueue::destination_mac_low_},
    {txq::kSrcMacAddrHi, &TxQueue::source_mac_high_},
    {txq::kSrcMacAddrLo, &TxQueue::source_mac_low_},
    {txq::kEthType, &TxQueue::ethertype_},
};

void TxQueue::access(MmioAccess& access) {
  if (!access.write) return kRegisters.read(*this, access);
  write_register(access);
  watch_hub_.changed(Watch::kEthernet, access.now, access.order);
}

void TxQueue::write_register(const MmioAccess& access) {
  if (cmd_ != 0 && describes_transfer(access.offset)) {
    // "software should hold the values of these fields constant"
    refuse("a transfer register is written while ETH_TXQ_CMD is not zero");
  }
  if (access.offset == txq::kCmd) return command(access.data, access.now);
  if (!kRegisters.write(*this, access)) {
    faults_.raise(
        Fault(FaultKind::kUnmodelled, where_,
              "write of transmit queue " + regs::ethernet::txq_register_name(access.offset)));
  }
  if (access.offset == txq::kCtrl) {
    if ((ctrl_ & txq::kCtrlKeepalive) == 0) update_at_ = support::kNever;
    if (update_at_ == support::kNever) schedule_update(access.now);
  } else if (access.offset == txq::kRemoteSeqTimeout && resend_at() != support::kNever) {
    wake(std::max(access.now + 1, resend_at()));
  }
}

bool TxQueue::check_transfer(std::uint32_t value) {
  char text[128];
  if (link_ == nullptr) return refuse("a transfer is started on a tile without a link");
  switch (value) {
    case txq::kCmdRaw:
      if (size_bytes_ == 0) return refuse("a raw transfer of no bytes");
      break;
    case txq::kCmdL1Write:
      if (size_bytes_ == 0 || ((start_address_ | destination_ | size_bytes_) & 15U) != 0) {
        std::snprintf(text, sizeof text,
                      "L1 write of %u bytes from 0x%X to 0x%X: all must be multiples of 16",
                      size_bytes_, start_address_, destination_);
        return refuse(text);
      }
      break;
    case txq::kCmdMmioWrite:
      if (index_ != 0) return refuse("transmit queue 1 cannot send register writes");
      if ((destination_ & 3U) != 0) return refuse("the address of a register write is misaligned");
      break;
    default:
      std::snprintf(text, sizeof text, "ETH_TXQ_CMD 0x%X is not a command", value);
      return refuse(text);
  }
  if (max_packet_bytes_ < 16 || max_packet_bytes_ > regs::ethernet::kMaxPacketBytes) {
    std::snprintf(text, sizeof text, "MAX_PKT_SIZE_BYTES is %u, must be 16..%u", max_packet_bytes_,
                  regs::ethernet::kMaxPacketBytes);
    return refuse(text);
  }
  return true;
}

void TxQueue::command(std::uint32_t value, Cycle now) {
  if (value == 0) return;
  if (cmd_ != 0) {
    refuse("a command is written while ETH_TXQ_CMD is not zero");
    return;
  }
  if (!check_transfer(value)) return;
  cmd_ = 1;  // software reads 1 for any command until the transfer is latched
  transfer_kind_ = value;
  transfer_offset_ = 0;
  raw_active_ = value == txq::kCmdRaw;
  split_at_ = now + config_.command_cycles;
  wake(split_at_);
}

}  // namespace tvp::ethernet
