#include <algorithm>
#include <cstdio>

#include "models/ethernet/tx_queue.h"
#include "models/regs/ethernet.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

namespace txq = regs::ethernet::txq;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::MmioAccess;
using support::Watch;

void TxQueue::access(MmioAccess& access) {
  if (access.write) {
    write_register(access);
    watch_hub_.changed(Watch::kEthernet, access.now, access.order);
    return;
  }
  access.watch = Watch::kEthernet;
  if (!read_register(access)) access.unmapped = true;
}

bool TxQueue::read_register(MmioAccess& access) const {
  switch (access.offset) {
    case txq::kCtrl:
      access.data = ctrl_;
      break;
    case txq::kCmd:
      access.data = cmd_;
      break;
    case txq::kMaxPktSizeBytes:
      access.data = max_packet_bytes_;
      break;
    case txq::kTransferStartAddr:
      access.data = start_address_;
      break;
    case txq::kTransferSizeBytes:
      access.data = size_bytes_;
      break;
    case txq::kDestAddr:
      access.data = destination_;
      break;
    case txq::kTransferCnt:
      access.data = transfer_count_;
      break;
    case txq::kPktStartCnt:
      access.data = packet_start_count_;
      break;
    case txq::kPktEndCnt:
      access.data = packet_end_count_;
      break;
    case txq::kWordCnt:
      access.data = word_count_;
      break;
    case txq::kRemoteRegData:
      access.data = register_data_;
      break;
    case txq::kRemoteSeqTimeout:
      access.data = remote_seq_timeout_;
      break;
    case txq::kLocalSeqUpdateTimeout:
      access.data = local_seq_update_timeout_;
      break;
    case txq::kDestMacAddrHi:
    case txq::kDestMacAddrLo:
    case txq::kSrcMacAddrHi:
    case txq::kSrcMacAddrLo:
    case txq::kEthType:
      access.data = header_[(access.offset - txq::kDestMacAddrHi) / 4];
      break;
    default:
      return false;
  }
  return true;
}

void TxQueue::write_register(const MmioAccess& access) {
  const bool held = cmd_ != 0;
  switch (access.offset) {
    case txq::kTransferStartAddr:
    case txq::kTransferSizeBytes:
    case txq::kDestAddr:
    case txq::kRemoteRegData:
    case txq::kMaxPktSizeBytes:
      // "software should hold the values of these fields constant"
      if (held) refuse("a transfer register is written while ETH_TXQ_CMD is not zero");
      break;
    default:
      break;
  }
  switch (access.offset) {
    case txq::kCtrl:
      ctrl_ = access.data;
      if ((ctrl_ & txq::kCtrlKeepalive) == 0) update_at_ = support::kNever;
      if (update_at_ == support::kNever) schedule_update(access.now);
      break;
    case txq::kCmd:
      command(access.data, access.now);
      break;
    case txq::kMaxPktSizeBytes:
      max_packet_bytes_ = access.data;
      break;
    case txq::kTransferStartAddr:
      start_address_ = access.data;
      break;
    case txq::kTransferSizeBytes:
      size_bytes_ = access.data;
      break;
    case txq::kDestAddr:
      destination_ = access.data;
      break;
    case txq::kTransferCnt:
      transfer_count_ = access.data;
      break;
    case txq::kPktStartCnt:
      packet_start_count_ = access.data;
      break;
    case txq::kPktEndCnt:
      packet_end_count_ = access.data;
      break;
    case txq::kWordCnt:
      word_count_ = access.data;
      break;
    case txq::kRemoteRegData:
      register_data_ = access.data;
      break;
    case txq::kRemoteSeqTimeout:
      remote_seq_timeout_ = access.data;
      if (resend_at() != support::kNever) {
        scheduler().wake(*this, std::max(access.now + 1, resend_at()));
      }
      break;
    case txq::kLocalSeqUpdateTimeout:
      local_seq_update_timeout_ = access.data;
      break;
    case txq::kDestMacAddrHi:
    case txq::kDestMacAddrLo:
    case txq::kSrcMacAddrHi:
    case txq::kSrcMacAddrLo:
    case txq::kEthType:
      header_[(access.offset - txq::kDestMacAddrHi) / 4] = access.data;
      break;
    default: {
      char text[64];
      std::snprintf(text, sizeof text, "write of transmit queue register 0x%02X", access.offset);
      faults_.raise(Fault(FaultKind::kUnmodelled, where_, text));
    }
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
  cmd_ = 1;  // what software reads until the transfer is latched, whatever the command
  transfer_kind_ = value;
  transfer_offset_ = 0;
  raw_active_ = value == txq::kCmdRaw;
  split_at_ = now + config_.command_cycles;
  scheduler().wake(*this, split_at_);
}

}  // namespace tvp::ethernet
