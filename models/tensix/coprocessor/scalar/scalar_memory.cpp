#include "models/tensix/coprocessor/scalar/scalar_memory.h"

#include <algorithm>
#include <cstring>

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr Cycle kMemoryOccupancy = 3;  // STOREIND_L1.md, LOADIND.md, ATSWAP.md, STOREREG.md
constexpr std::uint32_t kMmioBase = 0xFFB00000;
constexpr std::uint32_t kFirstMmio = 0xFFB11000;

constexpr std::array<std::uint16_t, 4> kOffsetIncrement = {0, 2, 4, 16};
constexpr std::array<std::uint32_t, 4> kSizeBytes = {16, 4, 2, 1};

/// A BF16 half of a GPR as a datum of SrcA and SrcB. The low half has its exponent at the bottom;
/// the high half is the top of an FP32 (STOREIND_Src.md).
std::uint32_t datum_of_low_half(std::uint32_t word) {
  return ((word & 0x8000U) << 3) | ((word & 0x7F00U) << 3) | (word & 0xFFU);
}
std::uint32_t datum_of_high_half(std::uint32_t word) {
  return (word >> 31) << 18 | ((word >> 16) & 0x7FU) << 11 | ((word >> 23) & 0xFFU);
}

}  // namespace

Issue ScalarMemory::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kLoadind:
      return load_indirect(instruction, thread, now);
    case op::Opcode::kStoreind:
      return store_indirect(instruction, thread, now);
    case op::Opcode::kLoadreg:
      return load_register(instruction, thread, now);
    case op::Opcode::kStorereg:
      return store_register(instruction, thread, now);
    case op::Opcode::kAtincget:
      return atomic_increment(instruction, thread, now);
    case op::Opcode::kAtswap:
      return atomic_swap(instruction, thread, now);
    case op::Opcode::kAtcas:
      return atomic_compare_and_set(instruction, thread, now);
    case op::Opcode::kAtincgetptr:
      return atomic_pointer(instruction, thread, now);
    default:
      break;
  }
  throw Fault(FaultKind::kInternal, where_, "instruction of another unit");
}

Issue ScalarMemory::undefined(const std::string& what, unsigned thread, Cycle now) {
  faults_.raise(Fault(FaultKind::kFirmware, where_,
                      "thread T" + std::to_string(thread) + ": " + what + " (undefined)"));
  return Issue::started(now + 1, now + 1);
}

bool ScalarMemory::in_l1(std::uint32_t address, const char* mnemonic, unsigned thread) {
  if (address < to_.l1.size_bytes()) return true;
  faults_.raise(
      Fault(FaultKind::kFirmware, where_,
            "thread T" + std::to_string(thread) + ": " + mnemonic + " beyond the end of L1"));
  return false;
}

bool ScalarMemory::in_mmio(std::uint32_t address, const char* mnemonic, unsigned thread) {
  if (address >= kFirstMmio) return true;
  faults_.raise(
      Fault(FaultKind::kFirmware, where_,
            "thread T" + std::to_string(thread) + ": " + mnemonic + " accesses core-local memory"));
  return false;
}

void ScalarMemory::read_l1(std::uint32_t address, void* to, std::uint32_t bytes, Cycle now,
                           Cycle passed) const {
  to_.l1.read({.agent = support::BusMaster::kThcon,
               .address = address,
               .bytes = bytes,
               .now = now,
               .done = passed},
              to);
}

std::uint32_t ScalarMemory::read_l1_word(std::uint32_t address, Cycle now, Cycle passed) const {
  std::uint32_t value = 0;
  read_l1(address, &value, sizeof value, now, passed);
  return value;
}

void ScalarMemory::write_l1(std::uint32_t address, const void* from, std::uint32_t bytes, Cycle now,
                            Cycle passed) {
  to_.l1.write({.agent = support::BusMaster::kThcon,
                .address = address,
                .bytes = bytes,
                .now = now,
                .done = passed},
               from, to_.agent.order());
}

Cycle ScalarMemory::reserve(std::uint32_t address, std::uint32_t bytes, bool write, Cycle now) {
  return to_.l1.reserve(L1Client::kThcon, address, bytes, write, 1, now);
}

void ScalarMemory::increment_offset(unsigned thread, unsigned half, unsigned spec) {
  to_.gprs.set_half(
      thread, half,
      static_cast<std::uint16_t>(to_.gprs.half(thread, half) + kOffsetIncrement[spec]));
}

Issue ScalarMemory::load_indirect(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned half = op::Loadind::kOffsetHalfReg.of(instruction);
  const unsigned size = op::Loadind::kSize.of(instruction);
  const std::uint32_t at =
      to_.gprs[thread][op::Loadind::kAddrReg.of(instruction)] * 16 + to_.gprs.half(thread, half);
  increment_offset(thread, half, op::Loadind::kOffsetIncrement.of(instruction));
  if (!in_l1(at, "LOADIND", thread)) return Issue::started(now + 1, now + 1);
  const std::uint32_t bytes = kSizeBytes[size];
  const std::uint32_t first = at & ~(bytes - 1);
  const Cycle passed = reserve(first, bytes, false, now);
  const Cycle arrives = passed + kLoadCycles - 1;
  const unsigned reg = op::Loadind::kResultReg.of(instruction);
  if (size == 0) {
    WriteBack::Entry entry;
    entry.when = arrives;
    entry.thread_or_bank = static_cast<std::uint8_t>(thread);
    entry.index = static_cast<std::uint16_t>(reg & 0x3CU);
    entry.words = 4;
    read_l1(first, entry.data.data(), 16, now, passed);
    to_.write_back.add(entry);
    outstanding(thread, arrives);
  } else {
    std::uint32_t value = 0;
    read_l1(first, &value, bytes, now, passed);
    deliver(thread, reg, value, arrives, size == 1 ? ~0U : (1U << (bytes * 8)) - 1);
  }
  return Issue::started(std::max(now + kMemoryOccupancy, passed), arrives);
}

Issue ScalarMemory::store_indirect(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (op::Storeind::kToL1.of(instruction) != 0) return store_l1(instruction, thread, now);
  if (op::Storeind::kToMmio.of(instruction) != 0) return store_mmio(instruction, thread, now);
  return store_src(instruction, thread, now);
}

Issue ScalarMemory::store_l1(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned half = op::StoreindL1::kOffsetHalfReg.of(instruction);
  const unsigned size = op::StoreindL1::kSize.of(instruction);
  const std::uint32_t at =
      to_.gprs[thread][op::StoreindL1::kAddrReg.of(instruction)] * 16 + to_.gprs.half(thread, half);
  increment_offset(thread, half, op::StoreindL1::kOffsetIncrement.of(instruction));
  if (!in_l1(at, "STOREIND", thread)) return Issue::started(now + 1, now + 1);
  const std::uint32_t bytes = kSizeBytes[size];
  const std::uint32_t first = at & ~(bytes - 1);
  const unsigned reg = op::StoreindL1::kDataReg.of(instruction) & (size == 0 ? 0x3CU : 0x3FU);
  const Cycle passed = std::max(now + kMemoryOccupancy, reserve(first, bytes, true, now));
  write_l1(first, &to_.gprs[thread][reg], bytes, now, passed);
  outstanding(thread, passed);
  return Issue::started(passed, passed);
}

Issue ScalarMemory::store_register(std::uint32_t instruction, unsigned thread, Cycle now) {
  return store_at(kMmioBase + (op::Storereg::kAddrLo.of(instruction) << 2),
                  to_.gprs[thread][op::Storereg::kDataReg.of(instruction)], thread, now);
}

Issue ScalarMemory::store_at(std::uint32_t address, std::uint32_t value, unsigned thread,
                             Cycle now) {
  if (!in_mmio(address, "STOREREG", thread)) return Issue::started(now + 1, now + 1);
  const MmioPort::Result result = to_.mmio.store(address, value, now);
  if (result.blocked) return Issue::retry_at(now + 1);
  const Cycle accepted = now + std::max<Cycle>(kMemoryOccupancy, result.latency);
  outstanding(thread, accepted);
  return Issue::started(accepted, accepted);
}

Issue ScalarMemory::store_mmio(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned half = op::StoreindMmio::kOffsetHalfReg.of(instruction);
  const std::uint32_t low = to_.gprs[thread][op::StoreindMmio::kAddrReg.of(instruction)] +
                            (std::uint32_t{to_.gprs.half(thread, half)} >> 4);
  const std::uint32_t address = kMmioBase + (low & 0x000FFFFCU);
  const Issue result =
      store_at(address, to_.gprs[thread][op::StoreindMmio::kDataReg.of(instruction)], thread, now);
  if (result.kind == Issue::Kind::kStarted) {
    increment_offset(thread, half, op::StoreindMmio::kOffsetIncrement.of(instruction));
  }
  return result;
}

Issue ScalarMemory::store_src(std::uint32_t instruction, unsigned thread, Cycle now) {
  const bool to_b = op::Storeind::kStoreToSrcB.of(instruction) != 0;
  SrcFile& file = to_b ? to_.registers.srcb : to_.registers.srca;
  SrcBank& bank = file.at_unpacker();
  if (!bank.allows(SrcClient::kUnpackers, now)) {
    return bank.allowed_client == SrcClient::kUnpackers ? Issue::retry_at(bank.allowed_from)
                                                        : Issue::blocked();
  }
  const unsigned half = op::Storeind::kOffsetHalfReg.of(instruction);
  const unsigned reg = op::Storeind::kDataReg.of(instruction) & 0x3CU;
  const std::uint32_t low = to_.gprs[thread][reg];
  const std::uint32_t high = to_.gprs[thread][reg + 1];
  const std::uint32_t at = (to_.gprs[thread][op::Storeind::kAddrReg.of(instruction)] +
                            (std::uint32_t{to_.gprs.half(thread, half)} >> 4)) &
                           0xFFFFFU;
  increment_offset(thread, half, op::Storeind::kOffsetIncrement.of(instruction));
  const Issue done = Issue::started(now + kMemoryOccupancy, now + kMemoryOccupancy);
  if ((at & 0xF0000U) != 0) return undefined("STOREIND beyond SrcA or SrcB", thread, now);
  int row = static_cast<int>(at >> 2);
  const bool anywhere =
      !to_b && regs::config::thread::kSrcASetOverrideWithAddr.get(to_.config.thread[thread]) != 0;
  if (!to_b) row -= 4;  // the first four rows of addresses are not stored
  if (row < 0) return done;
  if (row >= (anywhere ? 64 : 16)) {
    return undefined("STOREIND beyond the rows of SrcA or SrcB", thread, now);
  }
  if (!anywhere) row += file.unpacker_row[thread];
  auto& datums = bank.rows[static_cast<unsigned>(row) % SrcBank::kRows];
  const unsigned column = (at & 3U) * 4;
  datums[column] = datum_of_low_half(low);
  datums[column + 1] = datum_of_high_half(low);
  datums[column + 2] = datum_of_low_half(high);
  datums[column + 3] = datum_of_high_half(high);
  return done;
}

Issue ScalarMemory::load_register(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::uint32_t address = kMmioBase + (op::Loadreg::kAddrLo.of(instruction) << 2);
  if (!in_mmio(address, "LOADREG", thread)) return Issue::started(now + 1, now + 1);
  const MmioPort::Result result = to_.mmio.load(address, now);
  if (result.blocked) return Issue::retry_at(now + 1);
  const Cycle arrives = now + std::max<Cycle>(kLoadCycles, result.latency);
  deliver(thread, op::Loadreg::kResultReg.of(instruction), result.data, arrives);
  return Issue::started(now + kMemoryOccupancy, arrives);
}

Issue ScalarMemory::atomic_increment(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (now < atomic_free_) return Issue::retry_at(atomic_free_);
  const std::uint32_t at = to_.gprs[thread][op::Atincget::kAddrReg.of(instruction)] * 16 +
                           op::Atincget::kOfs.of(instruction) * 4;
  if (!in_l1(at, "ATINCGET", thread)) return Issue::started(now + 1, now + 1);
  const unsigned reg = op::Atincget::kInOutReg.of(instruction);
  const std::uint32_t mask = (2U << op::Atincget::kIntWidth.of(instruction)) - 1U;
  const Cycle passed = reserve(at, 4, true, now);
  const std::uint32_t original = read_l1_word(at, now, passed);
  const std::uint32_t sum = original + to_.gprs[thread][reg];
  const std::uint32_t result = (sum & mask) | (original & ~mask);
  write_l1(at, &result, sizeof result, now, passed);
  atomic_free_ = passed + kAtomicCycles - 1;
  deliver(thread, reg, original, atomic_free_);
  return Issue::started(std::max(now + kMemoryOccupancy, passed), atomic_free_);
}

Issue ScalarMemory::atomic_swap(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (now < atomic_free_) return Issue::retry_at(atomic_free_);
  const std::uint32_t at = to_.gprs[thread][op::Atswap::kAddrReg.of(instruction)] * 16;
  if (!in_l1(at, "ATSWAP", thread)) return Issue::started(now + 1, now + 1);
  const unsigned reg = op::Atswap::kDataReg.of(instruction);
  std::array<std::uint8_t, 16> data{};
  if (op::Atswap::kSingleDataReg.of(instruction) != 0) {
    std::memcpy(data.data() + (reg & 3U) * 4, &to_.gprs[thread][reg], 4);
  } else {
    std::memcpy(data.data(), &to_.gprs[thread][reg & 0x3CU], 16);
  }
  const std::uint32_t mask = op::Atswap::kMask.of(instruction);
  const Cycle passed = reserve(at, 16, true, now);
  for (unsigned i = 0; i < 8; ++i) {
    if (((mask >> i) & 1U) != 0) write_l1(at + i * 2, &data[i * 2], 2, now, passed);
  }
  atomic_free_ = passed + kAtomicCycles - 1;
  outstanding(thread, atomic_free_);
  return Issue::started(std::max(now + kMemoryOccupancy, passed), atomic_free_);
}

Issue ScalarMemory::attempt_again(unsigned thread, Cycle now) {
  holder_ = thread;
  next_attempt_ = now + kRetryCycles;
  return Issue::retry_at(next_attempt_);
}

Issue ScalarMemory::atomic_compare_and_set(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::uint32_t at = to_.gprs[thread][op::Atcas::kAddrReg.of(instruction)] * 16 +
                           op::Atcas::kOfs.of(instruction) * 4;
  if (!in_l1(at, "ATCAS", thread)) return Issue::started(now + 1, now + 1);
  const Cycle passed = reserve(at, 4, true, now);
  if (read_l1_word(at, now, passed) != op::Atcas::kCmpVal.of(instruction))
    return attempt_again(thread, now);
  holder_ = kNobody;
  const std::uint32_t set = op::Atcas::kSetVal.of(instruction);
  write_l1(at, &set, sizeof set, now, passed);
  const Cycle done = passed + kRetryCycles - 1;
  outstanding(thread, done);
  return Issue::started(done, done);
}

Issue ScalarMemory::atomic_pointer(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::uint32_t at = to_.gprs[thread][op::Atincgetptr::kAddrReg.of(instruction)] * 16;
  if (!in_l1(at, "ATINCGETPTR", thread)) return Issue::started(now + 1, now + 1);
  const std::uint32_t which = op::Atincgetptr::kOfs.of(instruction);
  const std::uint32_t width = op::Atincgetptr::kIntWidth.of(instruction);
  const Cycle passed = reserve(at, 16, true, now);
  std::array<std::uint32_t, 2> pointers{};  // read, write
  read_l1(at, pointers.data(), sizeof pointers, now, passed);
  const std::uint32_t size = pointers[1] - pointers[0];
  const std::uint32_t capacity = width != 0 ? 1U << (width - 1) : 0x8000U;
  const bool full = size != 0 && size % capacity == 0;
  if ((which & 1U) != 0 ? full : size == 0) return attempt_again(thread, now);
  holder_ = kNobody;
  const std::uint32_t mask = (1U << width) - 1U;
  const std::uint32_t original = read_l1_word(at + which * 4, now, passed);
  const bool no_increment = op::Atincgetptr::kNoIncr.of(instruction) != 0;
  const std::uint32_t sum =
      original + (no_increment ? 0U : 1U << op::Atincgetptr::kIncrLog2.of(instruction));
  const std::uint32_t result = (sum & mask) | (original & ~mask);
  write_l1(at + which * 4, &result, sizeof result, now, passed);
  const Cycle done = passed + kRetryCycles - 1;
  deliver(thread, op::Atincgetptr::kResultReg.of(instruction), original, done);
  return Issue::started(done, done);
}

void ScalarMemory::deliver(unsigned thread, unsigned reg, std::uint32_t value, Cycle when,
                           std::uint32_t mask) {
  WriteBack::Entry entry;
  entry.when = when;
  entry.thread_or_bank = static_cast<std::uint8_t>(thread);
  entry.index = static_cast<std::uint16_t>(reg);
  entry.mask = mask;
  entry.data[0] = value;
  to_.write_back.add(entry);
  outstanding(thread, when);
}

}  // namespace tvp::tensix::coprocessor
