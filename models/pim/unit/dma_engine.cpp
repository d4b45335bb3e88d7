#include "models/pim/unit/dma_engine.h"

#include <algorithm>
#include <utility>

#include "foundation/hex.h"
#include "foundation/regs/pim.h"
#include "models/support/tile_scheduler.h"

namespace tvp::pim {

namespace dma_regs = regs::pim::dma;
using support::Cycle;
using support::MmioAccess;
using support::Watch;

namespace {
constexpr Watch kDmaWatch = Watch::kTdma;
}

DmaEngine::DmaEngine(std::string where, unsigned unit, const PimConfig& config,
                     dram::BankPort& bank, Wram& wram, support::Calendar& calendar,
                     unsigned calendar_index, support::WatchHub& watch_hub,
                     foundation::FaultPolicy& faults)
    : where_(std::move(where)),
      unit_(unit),
      config_(config),
      bank_(bank),
      wram_(wram),
      calendar_(calendar),
      calendar_index_(calendar_index),
      watch_hub_(watch_hub),
      faults_(faults),
      to_dram_(dram::Period::of_mhz(config.clock_mhz), bank.timing().tck),
      to_logic_(bank.timing().tck, dram::Period::of_mhz(config.clock_mhz)) {}

void DmaEngine::report(support::ProbeEvent::Kind kind, Cycle now) const {
  if (probe_ != nullptr && probe_->wants(kind))
    probe_->report({.kind = kind, .agent = support::BusMaster::kPimDma, .cycle = now});
}

void DmaEngine::report_read(const MmioAccess& access) const {
  using Event = support::ProbeEvent;
  if (probe_ == nullptr || !probe_->wants(Event::Kind::kCounterRead)) return;
  const auto awaited = probe_->awaited();
  probe_->report({.kind = Event::Kind::kCounterRead,
                  .agent = support::BusMaster::kPimDma,
                  .is_local = awaited.has_value(),
                  .value = access.data,
                  .pushed = awaited.value_or(access.data),
                  .cycle = access.now});
}

void DmaEngine::report_command(const Descriptor& d, Cycle now) const {
  using Event = support::ProbeEvent;
  if (probe_ == nullptr || !probe_->wants(Event::Kind::kCommand)) return;
  const bool is_of_tasklet = d.client != nullptr;
  probe_->report({.kind = Event::Kind::kCommand,
                  .agent = support::BusMaster::kPimDma,
                  .core = support::BusMaster::kB,
                  .memory = support::MemoryKind::kWram,
                  .request = d.write ? Event::Request::kWrite : Event::Request::kRead,
                  .is_local = true,
                  .pc = is_of_tasklet ? d.pc : probe_->pc_of(support::BusMaster::kB),
                  .bytes = d.bytes,
                  .packets = 1,
                  .thread = static_cast<std::uint8_t>(is_of_tasklet ? d.number + 1 : 0),
                  .address = d.wram,
                  .remote_address = d.bank,
                  .cycle = now});
}

void DmaEngine::reset() {
  wram_address_ = bank_address_ = bytes_ = 0;
  issued_ = completed_ = 0;
}

void DmaEngine::access(MmioAccess& access) {
  access.watch = kDmaWatch;
  std::uint32_t* plain = nullptr;
  switch (access.offset) {
    case dma_regs::kWramAddress:
      plain = &wram_address_;
      break;
    case dma_regs::kBankAddress:
      plain = &bank_address_;
      break;
    case dma_regs::kBytes:
      plain = &bytes_;
      break;
    case dma_regs::kGo:
      access.unmapped = !access.write;
      if (access.write) go(access);
      return;
    case dma_regs::kIssued:
    case dma_regs::kCompleted:
      access.unmapped = access.write;
      access.data = access.offset == dma_regs::kIssued ? issued_ : completed_;
      if (access.offset == dma_regs::kCompleted && !access.write) report_read(access);
      return;
    default:
      access.unmapped = true;
      return;
  }
  (access.write ? *plain : access.data) = access.write ? access.data : *plain;
}

void DmaEngine::go(MmioAccess& access) {
  const auto text = [&](const std::string& problem) {
    return "DMA of " + std::to_string(bytes_) + " bytes between bank address " +
           std::to_string(bank_address_) + " and WRAM address " + std::to_string(wram_address_) +
           ": " + problem;
  };
  if (access.data != dma_regs::kGoRead && access.data != dma_regs::kGoWrite) {
    return raise(text("go must be 1 (read) or 2 (write), not " + std::to_string(access.data)));
  }
  const Descriptor d{wram_address_, bank_address_, bytes_, access.data == dma_regs::kGoWrite};
  const std::string why = refusal(d);
  if (!why.empty()) return raise(text(why));
  if (issued_ - completed_ >= dma_regs::kQueue) {
    access.blocked = true;
    return;
  }
  ++issued_;
  queue(d, access.now);
}

std::string DmaEngine::refusal(const Descriptor& d) const {
  if (d.bytes == 0) return "nothing to move";
  if ((d.wram | d.bank | d.bytes) % dma_regs::kAlignment != 0)
    return "all three must be multiples of " + std::to_string(dma_regs::kAlignment);
  if (!Wram::contains(d.wram, d.bytes)) return "leaves WRAM";
  if (std::uint64_t{d.bank} + d.bytes > bank_.bytes())
    return "leaves the bank of " + std::to_string(bank_.bytes()) + " bytes";
  if (bank_.owner() != dram::BankOwner::kProcessor) return "the host owns the bank";
  return "";
}

void DmaEngine::queue(const Descriptor& d, Cycle now) {
  queue_.push_back(d);
  report_command(d, now);
  depth_.add(now, 1);
  if (queue_.size() == 1) begin(now);
}

bool DmaEngine::move(std::uint32_t wram, std::uint32_t bank, std::uint32_t bytes, bool write,
                     DmaClient& client, unsigned number, std::uint32_t pc, Cycle now) {
  const Descriptor d{wram, bank, bytes, write, &client, number, pc};
  const std::string why = refusal(d);
  if (why.empty()) {
    queue(d, now);
    return true;
  }
  raise("tasklet " + std::to_string(number) + " at pc " + foundation::hex(pc) + " moves " +
        std::to_string(bytes) + " bytes between bank address " + std::to_string(bank) +
        " and WRAM address " + std::to_string(wram) + ": " + why);
  return false;
}

bool DmaEngine::uses_wram(Cycle cycle) const {
  return cycle >= first_beat_ && cycle <= last_beat_ && (cycle - first_beat_) % beat_cycles_ == 0;
}

/// The banks of a chip share activation limits, so their commands are placed in the order of the
/// calendar's events.
void DmaEngine::begin(Cycle now) {
  const Descriptor& d = queue_.front();
  began_ = now;
  if (d.write) {
    buffer_.resize(d.bytes);
    wram_.read(d.wram, buffer_.data(), d.bytes, port(now));
  }
  const Cycle first = now + config_.dma_setup_cycles + (d.write ? 0 : config_.dma_read_more_cycles);
  const std::uint32_t width = config_.dma_bytes_per_cycle;
  beat_cycles_ = std::max(1U, kBeatBytes / width);
  first_beat_ = first + beat_cycles_;
  last_beat_ = first + (d.bytes + width - 1) / width;
  calendar_.post(first,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kOther),
                  .block = static_cast<std::uint16_t>(unit_),
                  .port = 1,
                  .source = static_cast<std::uint16_t>(unit_),
                  .sequence = posted_++},
                 *this, 0);
}

void DmaEngine::fire(Cycle now, std::uint64_t) {
  const Descriptor& d = queue_.front();
  const dram::MemCycle first = to_dram_.up(now);
  dram::MemCycle last = 0;
  if (d.write) {
    last = bank_.write(d.bank, buffer_.data(), d.bytes, dram::BankOwner::kProcessor, first);
  } else {
    buffer_.resize(d.bytes);
    last = bank_.read(d.bank, buffer_.data(), d.bytes, dram::BankOwner::kProcessor, first);
  }
  const std::uint32_t width = config_.dma_bytes_per_cycle;
  const Cycle moved = now + (d.bytes + width - 1) / width;
  scheduler().wake(*this, std::max(to_logic_.up(last), moved) + config_.dma_response_cycles);
  calendar_.tile_woken(calendar_index_);
}

void DmaEngine::run() {
  const Cycle now = next();
  const Descriptor d = queue_.front();
  if (!d.write) {
    wram_.write(d.wram, buffer_.data(), d.bytes, port(now));
  }
  (d.write ? stats_.bytes_written : stats_.bytes_read) += d.bytes;
  ++stats_.descriptors;
  stats_.busy_cycles += now - began_;
  if (d.client == nullptr) {
    ++completed_;
    report(support::ProbeEvent::Kind::kAnswer, now);
  } else {
    d.client->dma_done(d.number, now);
  }
  first_beat_ = support::kNever;
  queue_.pop_front();
  depth_.add(now, -1);
  set_next(support::kNever);
  if (!queue_.empty()) begin(now);
  watch_hub_.changed(kDmaWatch, now, order());
}

}  // namespace tvp::pim
