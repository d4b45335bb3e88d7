#include "platform/machine/bare_program.h"

#include <algorithm>
#include <cstdio>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::platform {

namespace tile_regs = regs::tensix_tile;
using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;

namespace {

constexpr std::uint32_t kResetBits[] = {tile_regs::kResetB,  tile_regs::kResetNc,
                                        tile_regs::kResetT0, tile_regs::kResetT1,
                                        tile_regs::kResetT2, tile_regs::kResetB};

std::string range(std::uint32_t address, std::uint32_t bytes) {
  return foundation::hex(address) + ".." + foundation::hex(address + (bytes - 1));
}

}  // namespace

BareProgram::BareProgram(Chip& chip, unsigned x, unsigned y, unsigned core,
                         const std::string& elf_path, const Options& options)
    : chip_(chip),
      tensix_(chip.tensix_at(x, y)),
      ethernet_(chip.ethernet_at(x, y)),
      image_(foundation::ElfImage::from_file(elf_path)) {
  const bool ethernet = core == TENSIX_VP_CORE_ERISC;
  if (core > TENSIX_VP_CORE_ERISC || (ethernet ? ethernet_ == nullptr : tensix_ == nullptr)) {
    throw Fault(FaultKind::kDescription, "",
                "chip " + std::to_string(chip.id()) + " has no core of that kind at NoC 0 (" +
                    std::to_string(x) + ", " + std::to_string(y) + ")");
  }
  find_core(core);
  find_memories();
  find_regions();
  check_overlaps();
  check_entry();
  find_tohost();
  if (!options.commit_log.empty()) open_commit_log(options.commit_log);
  if (!options.signature.empty()) open_signature(options.signature);
}

BareProgram::~BareProgram() {
  if (!final_) leave_core();
}

void BareProgram::refuse(const std::string& reason) const {
  throw Fault(FaultKind::kDescription, "", image_.name() + ": " + reason);
}

void BareProgram::find_core(unsigned kind) {
  core_ = kind == TENSIX_VP_CORE_ERISC ? &ethernet_->core()
                                       : &tensix_->core(static_cast<tensix::TileCore>(kind));
  reset_bit_ = kResetBits[kind];
}

void BareProgram::find_memories() {
  const bool ethernet = core_->master() == support::BusMaster::kE;
  const std::uint32_t l1_bytes = ethernet ? ethernet_->l1_size_bytes() : tensix_->l1().size_bytes();
  memories_.push_back({Kind::kL1, 0, l1_bytes});
  memories_.push_back({Kind::kLocal, riscv::Core::kLocalBase, core_->local_bytes()});
  if (core_->iram_bytes() != 0) {
    memories_.push_back(
        {Kind::kInstruction, riscv::PredecodedCode::kIramBase, core_->iram_bytes()});
  }
}

const BareProgram::Memory* BareProgram::memory_at(std::uint32_t address,
                                                  std::uint32_t bytes) const {
  for (const Memory& memory : memories_) {
    const std::uint32_t offset = address - memory.base;
    if (offset < memory.bytes && bytes <= memory.bytes - offset) return &memory;
  }
  return nullptr;
}

/// Finds each segment's address and, for data that start code copies, also the address it copies
/// from.
void BareProgram::find_regions() {
  for (const foundation::ElfImage::Segment& segment : image_.segments()) {
    regions_.push_back({segment.address, segment.memory_bytes, &segment.data});
    if (segment.load_address != segment.address && !segment.data.empty()) {
      regions_.push_back(
          {segment.load_address, static_cast<std::uint32_t>(segment.data.size()), &segment.data});
    }
  }
  if (regions_.empty()) refuse("nothing to load");
  for (const Region& region : regions_) {
    if (memory_at(region.address, region.bytes) != nullptr) continue;
    std::string text = "segment " + range(region.address, region.bytes) +
                       " lies outside the memories of " + core_->where() + ":";
    for (const Memory& memory : memories_) text += " " + range(memory.base, memory.bytes);
    refuse(text);
  }
}

void BareProgram::check_overlaps() const {
  std::vector<Region> sorted = regions_;
  std::sort(sorted.begin(), sorted.end(),
            [](const Region& a, const Region& b) { return a.address < b.address; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const Region& before = sorted[i - 1];
    if (sorted[i].address - before.address < before.bytes) {
      refuse("segments " + range(before.address, before.bytes) + " and " +
             range(sorted[i].address, sorted[i].bytes) + " overlap");
    }
  }
}

void BareProgram::check_entry() const {
  const std::uint32_t entry = image_.entry();
  const Memory* const memory = memory_at(entry, 4);
  if (memory == nullptr || memory->kind == Kind::kLocal || entry % 4 != 0) {
    refuse("entry " + foundation::hex(entry) + " is not an address from which " + core_->where() +
           " can fetch instructions");
  }
  const bool loaded = std::any_of(regions_.begin(), regions_.end(), [&](const Region& region) {
    return entry - region.address < region.bytes;
  });
  if (!loaded) refuse("entry " + foundation::hex(entry) + " lies in no segment");
}

void BareProgram::find_tohost() {
  const auto address = image_.address_of("tohost");
  if (!address) refuse("has no symbol tohost, whose store ends the program");
  tohost_ = *address;
  const Memory* const memory = memory_at(tohost_, 4);
  if (memory == nullptr || memory->kind == Kind::kInstruction || tohost_ % 4 != 0) {
    refuse("tohost " + foundation::hex(tohost_) + " is not a word in L1 or the local RAM of " +
           core_->where());
  }
}

void BareProgram::open_commit_log(const std::string& path) {
  commit_log_file_ = foundation::OutputFile(path);
  commit_log_ = std::make_unique<riscv::CommitLog>(commit_log_file_);
}

void BareProgram::open_signature(const std::string& path) {
  const auto begin = image_.address_of("begin_signature");
  const auto end = image_.address_of("end_signature");
  if (!begin || !end) {
    refuse("has no symbols begin_signature and end_signature, between which the signature lies");
  }
  signature_begin_ = *begin;
  signature_bytes_ = *end - *begin;
  const Memory* const memory = memory_at(*begin, signature_bytes_);
  if (*end < *begin || memory == nullptr || memory->kind == Kind::kInstruction || *begin % 4 != 0 ||
      *end % 4 != 0) {
    refuse("the signature, from " + foundation::hex(*begin) + " to " + foundation::hex(*end) +
           ", is not whole words in L1 or the local RAM of " + core_->where());
  }
  signature_file_ = foundation::OutputFile(path);
}

/// Writes one word per line, the format of riscv-arch-test.
void BareProgram::write_signature() {
  for (std::uint32_t at = 0; at < signature_bytes_; at += 4) {
    std::uint32_t word = 0;
    if (!core_->debug_read(signature_begin_ + at, &word, sizeof word)) {
      throw Fault(FaultKind::kInternal, core_->where(), "no access to the signature");
    }
    char line[10];
    std::snprintf(line, sizeof line, "%08x\n", word);
    signature_file_.write(line);
  }
  signature_file_.close();
}

void BareProgram::tile_access(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                              bool write) {
  const bool ethernet = core_->master() == support::BusMaster::kE;
  const bool served = ethernet ? ethernet_->debug_access(address, data, bytes, write)
                               : tensix_->debug_access(address, data, bytes, write);
  if (!served) {
    throw Fault(FaultKind::kInternal, core_->where(), "no access to " + foundation::hex(address));
  }
  wake_tile();
}

void BareProgram::wake_tile() {
  const bool ethernet = core_->master() == support::BusMaster::kE;
  chip_.calendar().tile_woken(ethernet ? ethernet_->calendar_index() : tensix_->calendar_index());
}

void BareProgram::fill(const Region& region) {
  std::vector<std::uint8_t> bytes = *region.data;
  bytes.resize(region.bytes);  // the rest is zero
  switch (memory_at(region.address, region.bytes)->kind) {
    case Kind::kL1:
      tile_access(region.address, bytes.data(), region.bytes, true);
      break;
    case Kind::kLocal:
      core_->debug_write(region.address, bytes.data(), region.bytes);
      break;
    case Kind::kInstruction:
      core_->write_iram(region.address - riscv::PredecodedCode::kIramBase, bytes.data(),
                        region.bytes);
      break;
  }
}

/// Uses the reset register, so that a program that releases other cores finds its own bit clear. If
/// no register sets the entry, the core's pc is set directly.
void BareProgram::release(Cycle now) {
  const auto reset_register = tile_regs::kControl + tile_regs::kSoftReset0;
  std::uint32_t resets = 0;
  auto* const bytes = reinterpret_cast<std::uint8_t*>(&resets);
  tile_access(reset_register, bytes, sizeof resets, false);
  resets |= reset_bit_;
  tile_access(reset_register, bytes, sizeof resets, true);
  for (const Region& region : regions_) fill(region);
  resets &= ~reset_bit_;
  tile_access(reset_register, bytes, sizeof resets, true);
  core_->release_reset(now + 1, image_.entry());
  core_->hooks().stop_at_odd_store(tohost_);
  wake_tile();
}

void BareProgram::start() {
  chip_.calendar().settle();
  const Cycle now = chip_.calendar().now();
  executed_before_ = core_->executed_instructions();
  slept_before_ = core_->slept_instructions(now);
  if (commit_log_) core_->hooks().set_observer(commit_log_.get());
  release(now);
}

BareProgram::Result BareProgram::result(Cycle now) const {
  if (final_) return *final_;
  Result result;
  const bool paused = core_->state() == riscv::CoreState::kPaused;
  if (paused && (core_->hooks().stop_value() & 1U) != 0) {
    result.ended = true;
    result.tohost = core_->hooks().stop_value();
  }
  result.instructions = core_->executed_instructions() - executed_before_;
  result.slept_instructions = core_->slept_instructions(now) - slept_before_;
  result.cycles = (result.ended ? core_->time() : now) - core_->released_at();
  return result;
}

void BareProgram::leave_core() {
  core_->hooks().stop_at_odd_store(riscv::Core::kNoStop);
  if (commit_log_) core_->hooks().set_observer(nullptr);
}

void BareProgram::detach(Cycle now) {
  if (final_) return;
  final_ = result(now);
  leave_core();
}

void BareProgram::flush() {
  if (commit_log_) commit_log_file_.flush();
  // A program that was replaced has lost its memory.
  if (!signature_file_.is_open() || final_ || !result(chip_.calendar().now()).ended) return;
  write_signature();
}

}  // namespace tvp::platform
