#include "models/ethernet/rx_queue.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "foundation/regs/ethernet.h"
#include "foundation/regs/register_names.h"
#include "models/ethernet/tx_queue.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

namespace rxq = regs::ethernet::rxq;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::MmioAccess;
using support::Watch;

// Base firmware leaves queue 0 in TT-link mode (ISA EthernetTxRx.md "Associating TX queues").
RxQueue::RxQueue(unsigned index, std::string where, BusInitiator& memory,
                 support::WatchHub& watch_hub, foundation::FaultPolicy& faults)
    : index_(index),
      where_(std::move(where)),
      memory_(memory),
      watch_hub_(watch_hub),
      faults_(faults),
      ctrl_(index == 0 ? rxq::kCtrlPacketMode : 0) {}

void RxQueue::deliver(const EthernetPacket& packet, Cycle when) {
  inbox_.push({when, packet});
  wake(inbox_.front().when);
}

void RxQueue::run() {
  while (!inbox_.empty() && may_act(inbox_.front().when)) {
    Arrival& arrival = inbox_.front();
    const Cycle now = arrival.when;
    if (!commit(arrival.packet, now)) {
      ++arrival.when;  // the bus is busy, and packets are never reordered
      continue;
    }
    inbox_.pop();
    depth_.add(now, -1);
    if (!inbox_.empty()) inbox_.front().when = std::max(inbox_.front().when, now);
  }
  set_next(inbox_.empty() ? support::kNever : inbox_.front().when);
}

bool RxQueue::commit(const EthernetPacket& packet, Cycle now) {
  bool dropped = packet.corrupt;
  if (!packet.corrupt) {
    const bool tt_link = packet.kind != EthernetPacket::Kind::kRaw;
    if ((ctrl_ & rxq::kCtrlPacketMode) != 0) {
      if (!tt_link) {
        dropped = true;
      } else if (packet.kind != EthernetPacket::Kind::kSequenceUpdate &&
                 packet.sequence == local_rx_seq_) {
        if (!write_tile(packet, now)) return false;
        local_rx_seq_ = (local_rx_seq_ + 1) & 0xFF;
      } else {
        dropped = packet.kind != EthernetPacket::Kind::kSequenceUpdate;
      }
      if (tt_link) {
        remote_rx_seq_ = packet.acknowledgement;
        transmitter_->acknowledged(packet.acknowledgement, now);
        // A duplicate is acknowledged again, since the first acknowledgement may have been lost.
        if (packet.kind != EthernetPacket::Kind::kSequenceUpdate)
          transmitter_->owe_acknowledgement(now);
      }
    } else if (tt_link) {
      dropped = refuse("a TT-link packet came to a queue in raw mode");
    } else {
      append_to_buffer(packet, now);
    }
  }
  word_count_ += packet.words();
  ++packet_end_count_;
  if (dropped) ++drop_count_;
  watch_hub_.changed(Watch::kEthernet, now, order());
  return true;
}

bool RxQueue::write_tile(const EthernetPacket& packet, Cycle now) {
  const bool mmio = packet.kind == EthernetPacket::Kind::kMmioWrite;
  const std::uint64_t end = std::uint64_t{packet.address} + packet.bytes;
  char text[96];
  if (mmio && (index_ != 0 || packet.address < regs::ethernet::kLocalRam)) {
    std::snprintf(text, sizeof text, "remote register write to 0x%08X: %s", packet.address,
                  index_ != 0 ? "queue 1 cannot receive these" : "not a register");
    return refuse(text);
  }
  const auto outside = [&] {
    std::snprintf(text, sizeof text, "remote write of %u bytes to 0x%08X, outside L1", packet.bytes,
                  packet.address);
    return refuse(text);
  };
  if (!mmio && end > regs::ethernet::kLocalRam) return outside();
  auto* data = const_cast<std::uint8_t*>(packet.data.data());
  const BusInitiator::Result result =
      memory_.transport(true, packet.address, data, packet.bytes, now, order());
  if (result.blocked) return false;
  if (!result.ok) {
    if (!mmio) return outside();
    std::snprintf(text, sizeof text, "remote write to 0x%08X, where nothing is mapped",
                  packet.address);
    return refuse(text);
  }
  return true;
}

void RxQueue::append_to_buffer(const EthernetPacket& packet, Cycle now) {
  const std::uint32_t capacity = buf_size_words_ << 4;
  std::uint32_t done = 0;
  while (done < packet.bytes) {
    if (buf_ptr_ >= capacity) {
      if ((ctrl_ & rxq::kCtrlBufWrap) == 0 || capacity == 0) {
        ++drop_count_;
        return;
      }
      buf_ptr_ = 0;
    }
    const std::uint32_t chunk = std::min(packet.bytes - done, capacity - buf_ptr_);
    auto* data = const_cast<std::uint8_t*>(packet.data.data()) + done;
    const BusInitiator::Result result =
        memory_.transport(true, (buf_start_word_ << 4) + buf_ptr_, data, chunk, now, order());
    if (!result.ok) {
      refuse("the raw receive buffer reaches beyond L1");
      return;
    }
    buf_ptr_ += chunk;
    done += chunk;
  }
  if (buf_ptr_ == capacity && (ctrl_ & rxq::kCtrlBufWrap) != 0) buf_ptr_ = 0;
}

constinit const QueueRegisters<RxQueue> RxQueue::kRegisters{
    {rxq::kCtrl, &RxQueue::ctrl_},
    {rxq::kBufPtr, &RxQueue::buf_ptr_},
    {rxq::kBufStartWordAddr, &RxQueue::buf_start_word_},
    {rxq::kBufSizeWords, &RxQueue::buf_size_words_},
    {rxq::kWordCnt, &RxQueue::word_count_},
    {rxq::kPktEndCnt, &RxQueue::packet_end_count_},
    {rxq::kLocalRxSeqNum, &RxQueue::local_rx_seq_, 0xFF},
    {rxq::kRemoteRxSeqNum, &RxQueue::remote_rx_seq_, 0xFF},
    {rxq::kTileHeaderFormat, &RxQueue::header_format_, 0x3FFF},
    {rxq::kPacketDropCnt, &RxQueue::drop_count_},
    {rxq::kOutstandingWrCnt, &RxQueue::outstanding_writes_, 0},
};

void RxQueue::access(MmioAccess& access) {
  if (!access.write) return kRegisters.read(*this, access);
  write_register(access);
  watch_hub_.changed(Watch::kEthernet, access.now, access.order);
}

void RxQueue::write_register(const MmioAccess& access) {
  if (access.offset == rxq::kCtrl && (access.data & rxq::kCtrlForceBpressure) != 0) {
    faults_.raise(Fault(FaultKind::kUnmodelled, where_, "ETH_RXQ_CTRL_FORCE_BPRESSURE"));
  }
  if (!kRegisters.write(*this, access)) {
    faults_.raise(
        Fault(FaultKind::kUnmodelled, where_,
              "write of receive queue " + regs::ethernet::rxq_register_name(access.offset)));
  }
}

/// Always returns true, so that the caller consumes the packet as silicon does.
bool RxQueue::refuse(const std::string& text) {
  faults_.raise(Fault(FaultKind::kFirmware, where_, text));
  return true;
}

}  // namespace tvp::ethernet
