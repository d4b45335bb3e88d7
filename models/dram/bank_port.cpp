#include "models/dram/bank_port.h"

#include <algorithm>
#include <utility>

namespace tvp::dram {

using foundation::Fault;
using foundation::FaultKind;

namespace {

const char* name_of(BankOwner owner) {
  return owner == BankOwner::kHost ? "the host" : "the bank's processor";
}

}  // namespace

BankPort::BankPort(const Preset& preset, ActivationWindow& chip, std::string where,
                   foundation::FaultPolicy& faults)
    : timing_(preset.timing),
      row_bytes_(preset.organization.device_row_bytes()),
      burst_bytes_(preset.organization.device_burst_bytes()),
      chip_(chip),
      where_(std::move(where)),
      faults_(faults),
      storage_(preset.organization.rows * preset.organization.device_row_bytes()),
      refresh_due_(preset.timing.trefi) {}

MemCycle BankPort::access(std::uint64_t address, std::uint64_t bytes, bool write, BankOwner by,
                          MemCycle earliest) {
  if (!may_access(address, bytes, by)) return earliest;
  ++(write ? stats_.writes : stats_.reads);
  (write ? stats_.bytes_written : stats_.bytes_read) += bytes;
  MemCycle done = earliest;
  for (std::uint64_t at = address; at < address + bytes;) {
    const std::uint64_t row = at / row_bytes_;
    const std::uint64_t end = std::min(address + bytes, (row + 1) * row_bytes_);
    std::uint64_t count = (end - 1) / burst_bytes_ - at / burst_bytes_ + 1;
    refresh_until(earliest);
    ++(open_row_ == row      ? stats_.row_hits
       : open_row_ == kNoRow ? stats_.row_misses
                             : stats_.row_conflicts);
    while (count > 0) {
      if (open_row_ != row) open(row, earliest);
      MemCycle& next = write ? write_ : read_;
      const MemCycle distance = write ? timing_.tccd_l_wr : timing_.tccd_l;
      const MemCycle first = std::max(next, earliest);
      // An opened row serves at least one column before a refresh closes it.
      const std::uint64_t before_refresh =
          first < refresh_due_ ? (refresh_due_ - first + distance - 1) / distance : 1;
      const std::uint64_t now = std::min(count, before_refresh);
      done = columns(now, write, first);
      count -= now;
      if (count > 0) refresh_until(next);
    }
    at = end;
  }
  stats_.busy_cycles += done - earliest;
  return done;
}

MemCycle BankPort::read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                        BankOwner by, MemCycle earliest) {
  const std::uint64_t before = stats_.reads;
  const MemCycle done = access(address, bytes, false, by, earliest);
  if (stats_.reads == before) return done;
  storage_.read(address, data, bytes);
  if (observer_ != nullptr) report(address, bytes, false, by, earliest, done);
  return done;
}

MemCycle BankPort::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes,
                         BankOwner by, MemCycle earliest) {
  const std::uint64_t before = stats_.writes;
  const MemCycle done = access(address, bytes, true, by, earliest);
  if (stats_.writes == before) return done;
  storage_.write(address, data, bytes);
  if (observer_ != nullptr) report(address, bytes, true, by, earliest, done);
  return done;
}

void BankPort::debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes,
                          support::Cycle now) {
  storage_.read(address, data, bytes);
  if (observer_ != nullptr) report_debug(address, bytes, false, now);
}

void BankPort::debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes,
                           support::Cycle now) {
  storage_.write(address, data, bytes);
  if (observer_ != nullptr) report_debug(address, bytes, true, now);
}

void BankPort::report(std::uint64_t address, std::uint64_t bytes, bool write, BankOwner by,
                      MemCycle begin, MemCycle done) {
  observer_->on(
      {.kind = support::ProbeEvent::kind_of(write),
       .agent = by == BankOwner::kHost ? support::BusMaster::kHost : support::BusMaster::kPimDma,
       .memory = support::MemoryKind::kBank,
       .bytes = static_cast<std::uint32_t>(bytes),
       .address = address,
       .cycle = to_cycles_.down(begin),
       .done = to_cycles_.up(done)});
}

void BankPort::report_debug(std::uint64_t address, std::uint64_t bytes, bool write,
                            support::Cycle now) {
  observer_->on({.kind = support::ProbeEvent::kind_of(write),
                 .agent = support::BusMaster::kDebug,
                 .memory = support::MemoryKind::kBank,
                 .bytes = static_cast<std::uint32_t>(bytes),
                 .address = address,
                 .cycle = now,
                 .done = now});
}

MemCycle BankPort::set_owner(BankOwner owner, MemCycle earliest) {
  refresh_until(earliest);
  if (open_row_ != kNoRow) precharge(earliest);
  owner_ = owner;
  return std::max(activate_, earliest);
}

bool BankPort::may_access(std::uint64_t address, std::uint64_t bytes, BankOwner by) {
  if (bytes == 0) return false;
  if (by != owner_) {
    faults_.raise(
        Fault(FaultKind::kFirmware, where_,
              std::string(name_of(by)) + " accesses a bank that " + name_of(owner_) + " owns"));
    return false;
  }
  if (address >= storage_.bytes() || bytes > storage_.bytes() - address) {
    faults_.raise(Fault(FaultKind::kFirmware, where_,
                        "access of " + std::to_string(bytes) + " bytes at " +
                            std::to_string(address) + " leaves the bank of " +
                            std::to_string(storage_.bytes()) + " bytes"));
    return false;
  }
  return true;
}

/// Performs the refreshes that are due by `now`. The bank was idle for all but the last of them.
void BankPort::refresh_until(MemCycle now) {
  if (now < refresh_due_) return;
  const std::uint64_t due = (now - refresh_due_) / timing_.trefi + 1;
  const MemCycle first = refresh_due_;
  const MemCycle last = first + (due - 1) * timing_.trefi;
  if (open_row_ != kNoRow) precharge(first);
  activate_ = std::max(activate_, last) + timing_.trfc;
  refresh_due_ += due * timing_.trefi;
  stats_.refreshes += due;
}

void BankPort::precharge(MemCycle earliest) {
  const MemCycle at = std::max(precharge_, earliest);
  activate_ = std::max(activate_, at + timing_.trp);
  open_row_ = kNoRow;
}

void BankPort::open(std::uint64_t row, MemCycle earliest) {
  if (open_row_ != kNoRow) precharge(earliest);
  const MemCycle at = chip_.claim(std::max(activate_, earliest));
  open_row_ = row;
  activate_ = at + timing_.trc;
  precharge_ = at + timing_.tras;
  read_ = std::max(read_, at + timing_.trcd_rd);
  write_ = std::max(write_, at + timing_.trcd_wr);
}

/// Issues column commands to the open row from `first` on. Returns the cycle at which the last one
/// has moved its data.
MemCycle BankPort::columns(std::uint64_t count, bool write, MemCycle first) {
  const MemCycle distance = write ? timing_.tccd_l_wr : timing_.tccd_l;
  const MemCycle last = first + (count - 1) * distance;
  stats_.column_commands += count;
  if (write) {
    write_ = last + distance;
    read_ = std::max(read_, last + timing_.write_to_read(true));
    precharge_ = std::max(precharge_, last + timing_.write_to_precharge());
    return last + timing_.cwl + timing_.bl;
  }
  read_ = last + distance;
  write_ = std::max(write_, last + timing_.read_to_write());
  precharge_ = std::max(precharge_, last + timing_.trtp);
  return last + timing_.cl + timing_.bl;
}

}  // namespace tvp::dram
