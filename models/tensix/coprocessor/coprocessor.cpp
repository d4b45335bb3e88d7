#include "models/tensix/coprocessor/coprocessor.h"

#include <algorithm>

#include "models/regs/tensix_opcodes.h"
#include "models/support/tile_scheduler.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;
using foundation::Fault;
using foundation::FaultKind;
using support::kNever;
using support::Watch;

namespace {

/// FIFOs before the MOP expanders (ISA Diagrams/Src/TensixFrontend.lua).
constexpr unsigned kMopFifoDepth[3] = {32, 16, 16};

op::Opcode opcode_named(const std::string& mnemonic) {
  for (unsigned i = 0; i < 256; ++i) {
    const auto opcode = static_cast<op::Opcode>(i);
    const char* name = op::opcode_name(opcode);
    if (name != nullptr && mnemonic == name) return opcode;
  }
  throw Fault(FaultKind::kDescription, "coprocessor.drop_opcode",
              "'" + mnemonic + "' is no mnemonic of a Tensix instruction");
}

}  // namespace

Coprocessor::Coprocessor(const sc_core::sc_module_name& name, const std::string& where, L1Port& l1,
                         support::WatchHub& watch_hub, foundation::FaultPolicy& faults,
                         CoprocessorClient& client, const MovementConfig& movement,
                         const CoprocessorConfig& config)
    : sc_module(name),
      thcon("thcon"),
      where_(where),
      watch_hub_(watch_hub),
      faults_(faults),
      client_(client),
      sync_(where + ".sync", faults),
      configuration_(where + ".config", config_, gprs_, write_back_, *this, faults),
      mover_(where + ".mover", l1, *this, watch_hub, faults),
      tdma_(where + ".tdma", mover_, watch_hub, faults),
      scalar_(
          where + ".thcon",
          {gprs_, write_back_, config_, configuration_, registers_, adcs_, l1, *this, *this, *this},
          faults),
      miscellaneous_(config_, registers_, adcs_),
      unpackers_(movement, config_, adcs_, registers_, l1, faults, where),
      packers_(movement, config_, adcs_, registers_, l1, faults, where),
      matrix_(where + ".fpu", registers_, config_, faults),
      vector_(where + ".sfpu", registers_, config_, faults),
      threads_{Thread(kMopFifoDepth[0]), Thread(kMopFifoDepth[1]), Thread(kMopFifoDepth[2])} {
  last_served_.fill(kThreads - 1);
  attach(Unit::kUnpacker0, unpackers_);
  attach(Unit::kUnpacker1, unpackers_);
  attach(Unit::kMatrix, matrix_);
  attach(Unit::kPackers, packers_);
  attach(Unit::kVector, vector_);
  attach(Unit::kScalar, scalar_);
  attach(Unit::kMiscellaneous, miscellaneous_);
  attach(packers_);
  matrix_.set_exponent_histograms(&histograms_);
  packers_.set_register_writer(this);
  packers_.attach(tdma_.pack_setreg());
  if (!config.drop_opcode.value().empty() &&
      where.find(config.drop_in.value()) != std::string::npos) {
    drop_opcode(opcode_named(config.drop_opcode.value()), config.drop_nth);
  }
  // Last, since nothing may throw while the payload has an extension that it does not own.
  payload_.set_extension(&bus_access_);
}

Coprocessor::~Coprocessor() {
  // A payload deletes the extensions that it has.
  payload_.clear_extension(&bus_access_);
}

const MovementConfig& Coprocessor::default_movement() {
  static const MovementConfig config;
  return config;
}

const CoprocessorConfig& Coprocessor::default_config() {
  static const CoprocessorConfig config;
  return config;
}

void Coprocessor::attach(PackerMetadata& packers) {
  scalar_.attach(&packers);
  tdma_.attach(&packers);
}

std::uint64_t Coprocessor::issued(unsigned thread) const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : issued_[thread]) sum += count;
  return sum;
}

// ---- The clock ----------------------------------------------------------------------------------

void Coprocessor::wake_at(Cycle t) {
  if (has_scheduler()) {
    scheduler().wake(*this, t);
  } else if (t < next()) {
    set_next(t);
  }
}

void Coprocessor::touched(Cycle now, unsigned other_order) {
  ++epoch_;
  wake_at(other_order < order() ? now : now + 1);
}

void Coprocessor::run() {
  packers_.set_agent_order(order());
  Cycle now = next();
  while (may_act(now)) {
    step(now);
    now = next_after(now);
    set_next(now);
  }
}

void Coprocessor::step(Cycle now) {
  ++active_cycles_;
  if (write_back_.next() <= now) deliver(now);
  cycle_epoch_ = epoch_;
  for (unsigned t = 0; t < kThreads; ++t) {
    if (threads_[t].latch.valid) look_at_latch(threads_[t], t, now);
  }
  offer_all(now);
  for (Thread& thread : threads_) {
    if (!thread.idle) advance_frontend(thread, now);
  }
  if (signals_) [[unlikely]]
    show(now);
}

void Coprocessor::deliver(Cycle now) {
  write_back_.run(now, [this, now](const WriteBack::Entry& entry) { deliver(entry, now); });
  ++epoch_;
}

void Coprocessor::deliver(const WriteBack::Entry& entry, Cycle now) {
  switch (entry.target) {
    case WriteBack::Target::kGpr:
      for (unsigned i = 0; i < entry.words; ++i) {
        std::uint32_t& reg = gprs_[entry.thread_or_bank][(entry.index + i) % Gprs::kCount];
        reg = (reg & ~entry.mask) | (entry.data[i] & entry.mask);
      }
      watch_hub_.changed(Watch::kGpr, now, order());
      break;
    case WriteBack::Target::kConfig:
      for (unsigned i = 0; i < entry.words; ++i) {
        configuration_.write(entry.thread_or_bank, entry.index + i, entry.data[i], now);
      }
      watch_hub_.changed(Watch::kConfig, now, order());
      break;
    case WriteBack::Target::kRegister:
      if (store(entry.data[0], entry.data[1], now).blocked) {
        WriteBack::Entry again = entry;
        again.when = now + 1;
        write_back_.add(again);
      }
      break;
  }
}

void Coprocessor::advance_frontend(Thread& thread, Cycle now) {
  if (thread.frontend.can_advance()) {
    const Frontend::Progress progress = thread.frontend.advance(now);
    if (progress.fifo_space || progress.mop_done) {
      watch_hub_.changed(Watch::kCoprocessor, now, order());
    }
  }
  if (thread.done_at <= now && thread.frontend.empty() && !waits_for_bank(thread)) {
    thread.idle = true;
    watch_hub_.changed(Watch::kCoprocessor, now, order());
  }
}

Cycle Coprocessor::next_of(unsigned t, Cycle now) {
  Thread& thread = threads_[t];
  if (thread.asleep()) return kNever;
  if (thread.frontend.can_advance()) return now + 1;
  WaitLatch& latch = thread.latch;
  // Conditions that were met and are not any more must be seen, instruction or not.
  if (latch.valid && latch.released_at > now + 1 && latch.epoch != epoch_) return now + 1;
  if (!thread.frontend.has_head()) {
    const bool drained = !thread.idle && thread.frontend.empty();
    return drained && !waits_for_bank(thread) ? std::max(now + 1, thread.done_at) : kNever;
  }
  if (latch.valid &&
      is_blocked_by(thread.frontend.head(), thread.head_dispatch(), latch.block_mask)) {
    return latch.released_at;
  }
  if (thread.blocked) return thread.blocked_epoch != epoch_ ? now + 1 : kNever;
  return std::max({now + 1, thread.try_at, thread.free_at});
}

Cycle Coprocessor::next_after(Cycle now) {
  Cycle next = write_back_.next();
  for (unsigned t = 0; t < kThreads; ++t) next = std::min(next, next_of(t, now));
  return std::max(next, now + 1);
}

// ---- Wait gates ---------------------------------------------------------------------------------

void Coprocessor::look_at_latch(Thread& thread, unsigned t, Cycle now) {
  WaitLatch& latch = thread.latch;
  if (latch.released_at <= now) {
    latch.valid = false;
    return;
  }
  // Met in the cycle before: nothing can hold the release up any more.
  if (latch.epoch == cycle_epoch_) return;
  latch.epoch = cycle_epoch_;
  const Cycle met = conditions_met_from(t, latch, std::max(latch.from, now));
  latch.released_at = met == kNever ? kNever : met + 1;
}

Cycle Coprocessor::conditions_met_from(unsigned t, const WaitLatch& latch, Cycle from) const {
  if (latch.semaphores) return sync_.keeps_waiting(latch) ? kNever : from;
  Cycle met = from;
  for (unsigned condition = 0; condition < kConditions; ++condition) {
    if (((latch.condition_mask >> condition) & 1U) == 0) continue;
    met = std::max(met, condition_clear_from(t, condition));
  }
  return met;
}

Cycle Coprocessor::pipeline_idle_from(unsigned thread, unsigned condition) const {
  const unsigned pipeline = condition - kFirstPipeline;
  const Cycle until = threads_[thread].pipeline_until[pipeline];
  return pipeline > kUnpack1 ? until : std::max(until, unpackers_.idle_from(pipeline, thread));
}

bool Coprocessor::waits_for_bank(const Thread& thread) const {
  const auto t = static_cast<unsigned>(&thread - threads_.data());
  return unpackers_.waits_for_bank(0, t) || unpackers_.waits_for_bank(1, t);
}

Cycle Coprocessor::condition_clear_from(unsigned t, unsigned condition) const {
  const auto allowed = [](const SrcBank& bank, SrcClient client) {
    return bank.allowed_client == client ? bank.allowed_from : kNever;
  };
  switch (condition) {
    case kScalarMemory:
      return scalar_.memory_idle_from(t);
    case kSrcAForUnpacker:
      return allowed(registers_.srca.at_unpacker(), SrcClient::kUnpackers);
    case kSrcBForUnpacker:
      return allowed(registers_.srcb.at_unpacker(), SrcClient::kUnpackers);
    case kSrcAForMath:
      return allowed(registers_.srca.at_matrix_unit(), SrcClient::kMatrixUnit);
    case kSrcBForMath:
      return allowed(registers_.srcb.at_matrix_unit(), SrcClient::kMatrixUnit);
    case kMoverBusy:
      return mover_.busy() ? kNever : 0;
    // Stores of the cores are performed when they are made: none is ever on its way.
    case kCoreRequests:
      return 0;
    case kVectorPipeline:
      return threads_[t].pipeline_until[kSfpu];
    default:
      return pipeline_idle_from(t, condition);
  }
}

bool Coprocessor::is_candidate(Thread& thread, Cycle now) {
  if (!thread.frontend.has_head() || now < thread.free_at) return false;
  if (thread.blocked ? thread.blocked_epoch == cycle_epoch_ : now < thread.try_at) return false;
  const WaitLatch& latch = thread.latch;
  return !latch.valid ||
         !is_blocked_by(thread.frontend.head(), thread.head_dispatch(), latch.block_mask);
}

void Coprocessor::offer_all(Cycle now) {
  unsigned waiting = 0;
  for (unsigned t = 0; t < kThreads; ++t) {
    if (is_candidate(threads_[t], now)) waiting |= 1U << t;
  }
  for (unsigned t = 0; waiting != 0; ++t) {
    if ((waiting & (1U << t)) == 0) continue;
    const Unit unit = threads_[t].head_dispatch().unit;
    if ((waiting & (waiting - 1)) == 0 || unit == Unit::kNone) {
      waiting &= ~(1U << t);
      offer(t, now);
      continue;
    }
    const unsigned last = last_served_[static_cast<unsigned>(unit)];
    for (unsigned turn = 1; turn <= kThreads; ++turn) {
      const unsigned other = (last + turn) % kThreads;
      if ((waiting & (1U << other)) == 0 || threads_[other].head_dispatch().unit != unit) continue;
      waiting &= ~(1U << other);
      offer(other, now);
    }
  }
}

void Coprocessor::offer(unsigned t, Cycle now) {
  Thread& thread = threads_[t];
  const std::uint32_t instruction = thread.frontend.head();
  const Unit unit = thread.head_dispatch().unit;
  thread.blocked = false;
  if (unit != Unit::kNone && unit_free_[static_cast<unsigned>(unit)] > now) {
    thread.try_at = unit_free_[static_cast<unsigned>(unit)];
    return;
  }
  const Issue result = issue(instruction, t, unit, now);
  switch (result.kind) {
    case Issue::Kind::kStarted:
      started(t, instruction, unit, result, now);
      break;
    case Issue::Kind::kRetryAt:
      thread.try_at = result.retry;
      break;
    case Issue::Kind::kBlocked:
      thread.blocked = true;
      thread.blocked_epoch = cycle_epoch_;
      break;
  }
}

void Coprocessor::stop_at(std::uint32_t instruction, unsigned t, Unit unit) const {
  const char* mnemonic = op::opcode_name(op::opcode_of(instruction));
  const std::string text =
      "instruction " +
      (mnemonic != nullptr ? mnemonic : "with opcode " + std::to_string(instruction >> 24));
  throw Fault(FaultKind::kUnmodelled, where_ + ".T" + std::to_string(t),
              unit == Unit::kNone ? text + " at the wait gate" : text + ": no " + unit_name(unit));
}

bool Coprocessor::is_dropped() const {
  if (dropped_nth_ == 0) return true;
  // An offer may be refused and made again: what counts is how many have passed the gate.
  std::uint64_t passed = 0;
  for (const auto& of_thread : issued_) passed += of_thread[static_cast<unsigned>(dropped_)];
  return passed + 1 == dropped_nth_;
}

Issue Coprocessor::issue(std::uint32_t instruction, unsigned t, Unit unit, Cycle now) {
  if (static_cast<int>(instruction >> 24) == dropped_ && is_dropped()) {
    return Issue::started(now + 1, now + 1);
  }
  switch (unit) {
    case Unit::kSync: {
      const Issue result = sync_.issue(instruction, t, now, threads_[t].latch);
      if (result.kind == Issue::Kind::kStarted && sync_.semaphores_changed()) {
        watch_hub_.changed(Watch::kSemaphore, now, order());
      }
      return result;
    }
    case Unit::kConfiguration: {
      const Issue result = configuration_.issue(instruction, t, now);
      if (result.kind == Issue::Kind::kStarted) watch_hub_.changed(Watch::kConfig, now, order());
      return result;
    }
    case Unit::kMover:
      return start_mover(t, now);
    case Unit::kNone:
      stop_at(instruction, t, unit);
    default:
      break;
  }
  ExecutionUnit* target = units_[static_cast<unsigned>(unit)];
  if (target == nullptr) stop_at(instruction, t, unit);
  const Issue result = target->issue(instruction, t, now);
  if (unit == Unit::kScalar && result.kind == Issue::Kind::kStarted) {
    watch_hub_.changed(Watch::kGpr, now, order());
  }
  return result;
}

Issue Coprocessor::start_mover(unsigned t, Cycle now) {
  if (mover_.busy()) return Issue::blocked();
  const auto& words = config_.of(t);
  const auto& fields = cfg::kMover[0];
  mover_.start(fields.destination_address.get(words) << 4, fields.source_address.get(words) << 4,
               (fields.buffer_size.get(words) & 0xFFFFU) << 4, fields.transfer_direction.get(words),
               now);
  watch_hub_.changed(Watch::kTdma, now, order());
  return Issue::started(now + 1, now + 1);
}

void Coprocessor::occupy_pipelines(unsigned t, std::uint32_t instruction, Unit unit, Cycle done) {
  Thread& thread = threads_[t];
  const auto occupy = [&thread, done](unsigned pipeline) {
    thread.pipeline_until[pipeline] = std::max(thread.pipeline_until[pipeline], done);
  };
  switch (unit) {
    case Unit::kUnpacker0:
      occupy(kUnpack0);
      break;
    case Unit::kUnpacker1:
      occupy(kUnpack1);
      break;
    case Unit::kMatrix:
      occupy(kMath);
      break;
    case Unit::kVector:
      occupy(kSfpu);
      break;
    case Unit::kPackers: {
      if (units_[static_cast<unsigned>(unit)] == &packers_) {
        // The packers of one instruction end at different times.
        for (unsigned i = 0; i < 4; ++i)
          thread.pipeline_until[kPack0 + i] = packers_.idle_from(i, t);
        break;
      }
      // PACR and PACR_SETREG have the mask at the same place; 0 stands for packer 0.
      const std::uint32_t mask = op::Pacr::kPackerMask.of(instruction);
      for (unsigned i = 0; i < 4; ++i) {
        if ((((mask == 0 ? 1U : mask) >> i) & 1U) != 0) occupy(kPack0 + i);
      }
      break;
    }
    default:
      break;
  }
}

void Coprocessor::started(unsigned t, std::uint32_t instruction, Unit unit, const Issue& issue,
                          Cycle now) {
  Thread& thread = threads_[t];
  thread.frontend.pop_head();
  thread.dispatched = false;
  thread.try_at = now + 1;
  thread.done_at = std::max(thread.done_at, issue.done);
  thread.free_at = unit == Unit::kScalar ? issue.unit_free : issue.thread_free;
  const auto index = static_cast<unsigned>(unit);
  if (unit != Unit::kNone) {
    unit_free_[index] = issue.unit_free;
    last_served_[index] = t;
  }
  occupy_pipelines(t, instruction, unit, issue.done);
  if (unit == Unit::kMatrix && unpackers_.any_waits_for_bank() &&
      unpackers_.banks_given_back(now)) {
    for (unsigned other = 0; other < kThreads; ++other) {
      Cycle& done_at = threads_[other].done_at;
      for (unsigned i = 0; i < Unpackers::kUnpackers; ++i) {
        if (!unpackers_.waits_for_bank(i, other))
          done_at = std::max(done_at, unpackers_.idle_from(i, other));
      }
    }
  }
  ++issued_[t][instruction >> 24];
  ++epoch_;
  if (signals_) [[unlikely]]
    signals_->issued(t, instruction, unit, now, std::max(issue.unit_free, issue.done));
}

}  // namespace tvp::tensix::coprocessor
