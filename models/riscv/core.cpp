#include "models/riscv/core.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/support/tile_scheduler.h"

namespace tvp::riscv {

using foundation::Fault;
using foundation::FaultKind;
using support::Cycle;
using support::kNever;

const char* to_string(CoreState state) {
  switch (state) {
    case CoreState::kInReset:
      return "in reset";
    case CoreState::kRunning:
      return "running";
    case CoreState::kSleepingOnPoll:
      return "polling";
    case CoreState::kSpinning:
      return "spinning";
    case CoreState::kBlocked:
      return "blocked";
    case CoreState::kPaused:
      return "paused";
    case CoreState::kHung:
      return "hung";
  }
  return "";
}

Core::Core(const sc_core::sc_module_name& name, Identity identity, const CoreConfig& config,
           support::WatchHub& watches, foundation::FaultPolicy& faults)
    : sc_core::sc_module(name),
      bus("bus"),
      identity_(std::move(identity)),
      config_(config),
      watches_(watches),
      faults_(faults),
      local_(identity_.local_bytes),
      iram_(identity_.iram_bytes) {
  payload_.set_extension(&access_);
  access_.master = identity_.master;
}

Core::~Core() {
  watches_.cancel(*this);
  payload_.clear_extension(&access_);  // a member of ours, not the payload's to delete
}

void Core::map_l1() {
  if (l1_ != nullptr) return;
  tlm::tlm_dmi dmi;
  payload_.set_command(tlm::TLM_READ_COMMAND);
  payload_.set_address(0);
  if (bus->get_direct_mem_ptr(payload_, dmi) && dmi.is_read_write_allowed()) {
    l1_ = dmi.get_dmi_ptr();
    l1_bytes_ = static_cast<std::uint32_t>(dmi.get_end_address() + 1);
  }
  code_.resize(l1_bytes_, identity_.iram_bytes);
}

void Core::load_constants() {
  retire_depth_ = config_.retire_queue;
  slot_count_ = config_.loads_in_flight;
  store_depth_ = config_.store_queue;
  local_latency_ = config_.local_load_latency;
  l1_latency_ = identity_.master == support::BusMaster::kE ? config_.ethernet_l1_load_latency
                                                           : config_.l1_load_latency;
  l1_store_period_ = config_.l1_store_period;
  multiply_cycles_ = config_.multiply_cycles;
  const support::BusMaster master = identity_.master;
  const bool large = master == support::BusMaster::kB || master == support::BusMaster::kT0 ||
                     master == support::BusMaster::kT2;
  const std::uint32_t cache_bytes = large ? 2048 : 512;  // ISA BabyRISCV/InstructionCache.md
  cache_.configure(config_.instruction_cache == "off" ? 0 : cache_bytes,
                   config_.instruction_miss_cycles);
  cached_ = cache_.on();
  const bool perfect = config_.branch_predictor == "perfect";
  learns_ = config_.branch_predictor == "two_bit";
  mispredict_ = perfect ? 0 : config_.mispredict_bubble.value();
  for (unsigned p = 0; p < 4; ++p) {
    next_prediction_[0][p] = static_cast<std::uint8_t>(learns_ && p > 0 ? p - 1 : p);
    next_prediction_[1][p] = static_cast<std::uint8_t>(learns_ && p < 3 ? p + 1 : p);
  }
}

void Core::clear_pipeline() {
  leave_ = 0;
  ready_.fill(0);
  forward_reg_ = 0;
  forward_at_ = 0;
  retire_.fill(0);
  retire_at_ = 0;
  slots_.fill(0);
  slot_ = 0;
  stores_.fill({});
  store_ = 0;
  last_emitted_ = 0;
  next_l1_store_ = 0;
  next_bus_store_ = 0;
  activity_ = 0;
  poll_.reset();
  guarded_ = false;
}

// ISA SoftReset.md: leaving reset finds the registers cleared, and the instruction cache and the
// branch predictor empty.
void Core::release_reset(Cycle now, std::uint32_t pc) {
  if (state_ != CoreState::kInReset) assert_reset(now);
  map_l1();
  load_constants();
  clear_pipeline();
  code_.forget();
  regs_.fill(0);
  set_pc(pc);
  straight_from_ = pc;
  time_ = now;
  ahead_until_ = now + kRunAhead;
  released_at_ = now;
  commit_pending_ = false;
  enter(CoreState::kRunning, now);
  scheduler().wake(*this, now);
}

void Core::assert_reset(Cycle now) {
  slept_ = slept_instructions(now);
  waited_ = waiting_cycles(now);
  watches_.cancel(*this);
  poll_.reset();
  guarded_ = false;
  activity_ = 0;
  if (state_ != CoreState::kInReset) enter(CoreState::kInReset, now);
  set_next(kNever);
}

void Core::invalidate_instruction_cache() {
  code_.forget();
  cache_.clear();
}

void Core::write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes) {
  if (offset > iram_.size() || bytes > iram_.size() - offset) {
    throw Fault(FaultKind::kInternal, identity_.where,
                "write of " + std::to_string(bytes) + " bytes behind the end of instruction RAM");
  }
  std::copy_n(data, bytes, iram_.begin() + offset);
  // ISA InstructionCache.md: fetches from this RAM are not cached.
  code_.forget(PredecodedCode::kIramBase + offset, bytes);
}

void Core::resume(Cycle now) {
  if (state_ != CoreState::kPaused) return;
  skip_stop_ = true;
  time_ = std::max(time_, now);
  enter(CoreState::kRunning, time_);
  scheduler().wake(*this, time_);
}

void Core::enter(CoreState state, Cycle when) {
  state_ = state;
  waiting_since_ = when;
  if (listener_ != nullptr) listener_->core_state(*this, state, when);
}

void Core::insert_breakpoint(std::uint32_t pc) {
  if (std::find(breakpoints_.begin(), breakpoints_.end(), pc) != breakpoints_.end()) return;
  breakpoints_.push_back(pc);
  patch_breakpoint(pc, true);
}

void Core::remove_breakpoint(std::uint32_t pc) {
  if (std::erase(breakpoints_, pc) != 0) patch_breakpoint(pc, false);
}

/// A word that is not fetched yet gets its breakpoint when it is.
void Core::patch_breakpoint(std::uint32_t pc, bool insert) {
  PredecodedCode::Page* const page = pc % 4 == 0 ? code_.page(pc) : nullptr;
  if (page == nullptr) return;
  Op* const op = page->at(pc);
  if (op->code == static_cast<std::uint8_t>(Code::kUndecoded)) return;
  op->code =
      insert ? static_cast<std::uint8_t>(Code::kBreakpoint) : decode(page->word(op), pc).code;
}

void Core::execute_poll(Cycle now) {
  if (state_ == CoreState::kSleepingOnPoll) {
    location_changed(now, 0);
  } else if (state_ == CoreState::kSpinning) {
    // No load to be in time for: it is at the first turn of its loop that begins at `now` or later.
    std::uint64_t turns = poll_.iterations_until(now);
    if (poll_.asleep_since() + turns * poll_.period() < now) ++turns;
    slept_ += turns * poll_.instructions();
    shift_timing(poll_.asleep_since(), turns * poll_.period());
    activity_ = 0;
    enter(CoreState::kRunning, time_);
    scheduler().wake(*this, time_);
  }
}

bool Core::debug_read(std::uint32_t address, void* data, std::uint32_t bytes) {
  if (address - kLocalBase < local_.size() && bytes <= local_.size() - (address - kLocalBase)) {
    std::memcpy(data, local_.data() + (address - kLocalBase), bytes);
    return true;
  }
  const std::uint32_t in_iram = address - PredecodedCode::kIramBase;
  if (in_iram < iram_.size() && bytes <= iram_.size() - in_iram) {
    std::memcpy(data, iram_.data() + in_iram, bytes);
    return true;
  }
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return bus->transport_dbg(payload) == bytes;
}

bool Core::debug_write(std::uint32_t address, const void* data, std::uint32_t bytes) {
  if (address - kLocalBase < local_.size() && bytes <= local_.size() - (address - kLocalBase)) {
    std::memcpy(local_.data() + (address - kLocalBase), data, bytes);
    return true;
  }
  const std::uint32_t in_iram = address - PredecodedCode::kIramBase;
  if (in_iram < iram_.size() && bytes <= iram_.size() - in_iram) {
    write_iram(in_iram, static_cast<const std::uint8_t*>(data), bytes);
    return true;
  }
  code_.forget(address, bytes);
  std::vector<unsigned char> copy(bytes);
  std::memcpy(copy.data(), data, bytes);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(copy.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return bus->transport_dbg(payload) == bytes;
}

std::uint64_t Core::slept_instructions(Cycle now) const {
  if (state_ != CoreState::kSleepingOnPoll && state_ != CoreState::kSpinning) return slept_;
  return slept_ + poll_.iterations_until(now) * poll_.instructions();
}

Cycle Core::waiting_cycles(Cycle now) const {
  const bool waits = state_ == CoreState::kSleepingOnPoll || state_ == CoreState::kBlocked;
  return waits && now > waiting_since_ ? waited_ + (now - waiting_since_) : waited_;
}

std::uint32_t Core::waiting_mask() const {
  if (state_ == CoreState::kBlocked) return 1U << static_cast<unsigned>(blocked_on_);
  return state_ == CoreState::kSleepingOnPoll ? poll_.mask() : 0;
}

const std::vector<support::WatchHub::L1Range>& Core::waiting_ranges() const {
  static const std::vector<support::WatchHub::L1Range> kNone;
  return state_ == CoreState::kSleepingOnPoll ? poll_.ranges() : kNone;
}

std::vector<std::uint32_t> Core::waiting_addresses() const {
  if (state_ == CoreState::kBlocked) return {blocked_address_};
  return state_ == CoreState::kSleepingOnPoll ? poll_.addresses() : std::vector<std::uint32_t>{};
}

bool Core::fetch(PredecodedCode::Page& page, Op* op) {
  const std::uint32_t pc = page.pc(op);
  const std::uint8_t* from = nullptr;
  if (pc < l1_bytes_ && l1_bytes_ - pc >= 4) {
    from = l1_ + pc;
  } else if (pc - PredecodedCode::kIramBase < iram_.size()) {
    from = iram_.data() + (pc - PredecodedCode::kIramBase);
  } else {
    return false;
  }
  std::uint32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  PredecodedCode::fill(page, op, word);
  if (std::find(breakpoints_.begin(), breakpoints_.end(), pc) != breakpoints_.end()) {
    op->code = static_cast<std::uint8_t>(Code::kBreakpoint);
  }
  return true;
}

bool Core::before_instruction(const PredecodedCode::Page& page, const Op* op, Cycle t) {
  if (commit_pending_) commit();
  const std::uint32_t pc = page.pc(op);
  if (skip_stop_) {
    skip_stop_ = false;
  } else if (observer_ != nullptr && observer_->stop_before(*this, pc)) {
    return false;
  }
  // Whom it just asked may have sent the core elsewhere, or have had enough.
  if (page_ == nullptr || observer_ == nullptr) return true;
  auto code = static_cast<Code>(op->code);
  if (code == Code::kBreakpoint) code = static_cast<Code>(decode(page.word(op), pc).code);
  const std::uint32_t address = regs_[op->rs1] + static_cast<std::uint32_t>(op->imm);
  commit_ = Commit{};
  commit_.pc = pc;
  commit_.word = page.word(op);
  commit_.cycle = t;
  commit_.rd = op->rd == Op::kSink ? std::uint8_t{0} : op->rd;
  if (is_load(code)) commit_.load_bytes = static_cast<std::uint8_t>(access_bytes(code));
  if (is_store(code)) commit_.store_bytes = static_cast<std::uint8_t>(access_bytes(code));
  if (is_load(code) || is_store(code)) commit_.address = address;
  if (is_store(code)) commit_.stored = regs_[op->rs2];
  commit_pending_ = true;
  return true;
}

void Core::commit() {
  commit_pending_ = false;
  commit_.value = regs_[commit_.rd];
  if (observer_ != nullptr) observer_->committed(*this, commit_);
}

}  // namespace tvp::riscv
