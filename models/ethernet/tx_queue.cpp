#include "models/ethernet/tx_queue.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "foundation/regs/ethernet.h"
#include "models/ethernet/rx_queue.h"
#include "models/support/tile_scheduler.h"

namespace tvp::ethernet {

namespace txq = regs::ethernet::txq;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::kNever;
using support::Watch;

// Base firmware leaves queue 0 in TT-link mode (ISA EthernetTxRx.md "Associating TX queues").
TxQueue::TxQueue(unsigned index, std::string where, const EthernetConfig& config,
                 BusInitiator& memory, support::WatchHub& watch_hub,
                 foundation::FaultPolicy& faults)
    : index_(index),
      where_(std::move(where)),
      config_(config),
      memory_(memory),
      watch_hub_(watch_hub),
      faults_(faults),
      ctrl_(index == 0 ? txq::kCtrlKeepalive | txq::kCtrlDisDrop : 0),
      max_packet_bytes_(regs::ethernet::kMaxPacketBytes),
      remote_seq_timeout_(config.remote_seq_timeout),
      local_seq_update_timeout_(config.local_seq_update_timeout) {}

void TxQueue::connect(LinkEnd& link, const foundation::Period& clock) {
  link_ = &link;
  clock_ = clock;
}

/// The cycle at which the filler is free and the transmit buffer has room for the next packet.
Cycle TxQueue::fetch_at() const {
  std::uint32_t bytes = 0;
  if (to_send_ != next_) {
    bytes = window_[to_send_].bytes;
  } else if (raw_active_ && split_at_ == kNever) {
    bytes = std::min(largest_body(), size_bytes_ - transfer_offset_);
  } else {
    return kNever;
  }
  Cycle when = filler_free_;
  std::uint32_t taken = buffered_bytes_ + bytes;
  for (std::size_t i = 0; taken > config_.buffer_bytes && i < buffered_.size(); ++i) {
    when = std::max(when, buffered_.at(i).until);
    taken -= buffered_.at(i).bytes;
  }
  return when;
}

/// Time of the next retransmission. Over a permanently broken link, retransmissions change only
/// counters. They are omitted, so that the platform can detect the hang of a machine that waits.
Cycle TxQueue::resend_at() const {
  if (base_ == to_send_) return kNever;
  const Cycle when = window_[base_].sent + remote_seq_timeout_;
  return link_->broken_for_good(when) ? kNever : when;
}

Cycle TxQueue::earliest() const {
  Cycle t = std::min({split_at_, raw_done_at_, fetch_at(), resend_at(), update_at_});
  if (!steps_.empty()) t = std::min(t, steps_.front().when);
  return t;
}

void TxQueue::run() {
  // Work that became possible earlier (a freed window entry) is done at the cycle of the wake-up.
  Cycle now = std::max(next(), earliest());
  while (now != kNever && may_act(now)) {
    step(now);
    now = std::max(now, earliest());
  }
  set_next(now);
}

void TxQueue::step(Cycle now) {
  count(now);
  if (split_at_ <= now) split_into_window(now);
  if (raw_done_at_ <= now) {
    raw_done_at_ = kNever;
    finish_transfer(now);
  }
  if (resend_at() <= now) {
    resends_ += static_cast<std::uint8_t>(to_send_ - base_);
    to_send_ = base_;
  }
  if (fetch_at() <= now) {
    if (to_send_ != next_) {
      fetch(now);
    } else {
      fetch_raw(now);
    }
  }
  if (update_at_ <= now) send_sequence_update(now);
}

void TxQueue::count(Cycle now) {
  while (!steps_.empty() && steps_.front().when <= now) {
    if (steps_.front().end) {
      ++packet_end_count_;
      word_count_ += steps_.front().words;
    } else {
      ++packet_start_count_;
    }
    steps_.pop();
    changed(now);
  }
}

std::uint32_t TxQueue::largest_body() const {
  const std::uint32_t bytes = std::min(max_packet_bytes_, regs::ethernet::kMaxPacketBytes);
  return transfer_kind_ == txq::kCmdL1Write ? bytes & ~15U : bytes;
}

void TxQueue::split_into_window(Cycle now) {
  split_at_ = kNever;
  if (transfer_kind_ == txq::kCmdRaw) return;  // fetched directly from the registers
  while (transfer_offset_ < size_bytes_ || transfer_kind_ == txq::kCmdMmioWrite) {
    if (unacknowledged() >= config_.window_packets) return;  // continues after an acknowledgement
    Entry& entry = window_[next_++];
    if (transfer_kind_ == txq::kCmdMmioWrite) {
      entry = {.kind = EthernetPacket::Kind::kMmioWrite,
               .destination = destination_,
               .bytes = 4,
               .data = register_data_};
      window_signal_.set(now, unacknowledged());
      break;
    }
    window_signal_.set(now, unacknowledged());
    const std::uint32_t bytes = std::min(largest_body(), size_bytes_ - transfer_offset_);
    entry = {.kind = EthernetPacket::Kind::kL1Write,
             .source = start_address_ + transfer_offset_,
             .destination = destination_ + transfer_offset_,
             .bytes = bytes};
    transfer_offset_ += bytes;
  }
  finish_transfer(now);
}

void TxQueue::finish_transfer(Cycle now) {
  cmd_ = 0;
  transfer_kind_ = 0;
  ++transfer_count_;
  changed(now);
}

void TxQueue::read_body(std::uint32_t source, std::uint32_t bytes, Cycle now) {
  const BusInitiator::Result result =
      memory_.transport(false, source, packet_.data.data(), bytes, now, order());
  if (!result.ok) {
    char text[96];
    std::snprintf(text, sizeof text, "transmit of %u bytes from 0x%08X, outside L1", bytes, source);
    refuse(text);
    std::memset(packet_.data.data(), 0, bytes);
  }
  const auto fill_ps =
      static_cast<std::uint64_t>(std::ceil(bytes * 1000.0 / config_.fill_bytes_per_ns));
  filler_free_ =
      std::max(clock_.edge_at_or_after(clock_.time_ps(now) + fill_ps), now + result.latency);
}

void TxQueue::fetch(Cycle now) {
  Entry& entry = window_[to_send_];
  packet_.kind = entry.kind;
  packet_.sequence = to_send_++;
  packet_.acknowledgement = acknowledgement();
  packet_.address = entry.destination;
  packet_.bytes = entry.bytes;
  if (entry.kind == EthernetPacket::Kind::kMmioWrite) {
    std::memcpy(packet_.data.data(), &entry.data, 4);
    filler_free_ = now + 1;
  } else {
    read_body(entry.source, entry.bytes, now);
  }
  entry.sent = send(now, filler_free_);
}

void TxQueue::fetch_raw(Cycle now) {
  const std::uint32_t bytes = std::min(largest_body(), size_bytes_ - transfer_offset_);
  packet_.kind = EthernetPacket::Kind::kRaw;
  packet_.bytes = bytes;
  read_body(start_address_ + transfer_offset_, bytes, now);
  transfer_offset_ += bytes;
  send(now, filler_free_);
  if (transfer_offset_ == size_bytes_) {
    raw_active_ = false;
    raw_done_at_ = filler_free_;
  }
}

/// Puts packet_ on the line at `ready` or when the line is free. Returns the time at which its last
/// byte leaves.
Cycle TxQueue::send(Cycle now, Cycle ready) {
  packet_.queue = static_cast<std::uint8_t>(index_);
  packet_.corrupt = false;
  const LinkEnd::Transmission line = link_->transmit(packet_, ready);
  steps_.push({line.start, 0, false});
  steps_.push({line.end, packet_.words(), true});
  while (!buffered_.empty() && buffered_.front().until <= now) {
    buffered_bytes_ -= buffered_.front().bytes;
    buffered_.pop();
  }
  buffered_.push({line.end, packet_.bytes});
  buffered_bytes_ += packet_.bytes;
  buffer_signal_.add(now, packet_.bytes);
  buffer_signal_.add(line.end, -static_cast<std::int64_t>(packet_.bytes));
  if (packet_.kind != EthernetPacket::Kind::kRaw) last_sent_ = now;
  return line.end;
}

std::uint8_t TxQueue::acknowledgement() {
  acknowledgement_owed_ = false;
  update_at_ = kNever;
  return receiver_->expected_sequence();
}

void TxQueue::send_sequence_update(Cycle now) {
  packet_.kind = EthernetPacket::Kind::kSequenceUpdate;
  packet_.sequence = next_;
  packet_.acknowledgement = acknowledgement();
  packet_.bytes = 0;
  send(now, now);
}

void TxQueue::owe_acknowledgement(Cycle now) {
  acknowledgement_owed_ = true;
  if (update_at_ == kNever) schedule_update(now);
}

/// The keepalive timer restarts with every TT-link packet sent. Expiries without a new
/// acknowledgement are omitted, since they would change only counters of the peer.
void TxQueue::schedule_update(Cycle now) {
  if ((ctrl_ & txq::kCtrlKeepalive) == 0 || !acknowledgement_owed_) return;
  const Cycle period = std::max(local_seq_update_timeout_, 1U);
  const Cycle elapsed = std::max(now, last_sent_) - last_sent_;
  update_at_ = last_sent_ + (elapsed / period + 1) * period;
  wake(update_at_);
}

void TxQueue::acknowledged(std::uint8_t next_sequence, Cycle now) {
  const auto advance = static_cast<std::uint8_t>(next_sequence - base_);
  if (advance == 0 || advance > unacknowledged()) return;
  if (static_cast<std::uint8_t>(to_send_ - base_) < advance) to_send_ = next_sequence;
  base_ = next_sequence;
  window_signal_.set(now, unacknowledged());
  const bool waits = cmd_ != 0 && split_at_ == kNever && !raw_active_ && raw_done_at_ == kNever;
  if (waits) {
    split_at_ = now;
    wake(now);
  }
}

void TxQueue::changed(Cycle now) { watch_hub_.changed(Watch::kEthernet, now, order()); }

/// Always returns false, for `return refuse(...)`.
bool TxQueue::refuse(const std::string& text) {
  faults_.raise(Fault(FaultKind::kFirmware, where_, text));
  return false;
}

}  // namespace tvp::ethernet
