#include "models/tensix/coprocessor/unpack/unpackers.h"

#include <algorithm>
#include <utility>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;
namespace op = regs::tensix;

Unpackers::Unpackers(const MovementConfig& config, const BackendConfig& backend_config,
                     AddressCounters& counters, RegisterFiles& registers, L1Port& l1,
                     foundation::FaultPolicy& faults, const std::string& where)
    : config_(config),
      backend_config_(backend_config),
      counters_(counters),
      registers_(registers),
      faults_(faults, where + ".UNPACK"),
      planner_(backend_config, counters, faults_),
      data_(registers, l1, faults_) {}

Unpackers::Counters Unpackers::counters(unsigned unpacker) const {
  Counters counters = units_[unpacker].counters;
  counters.datums = data_.counters(unpacker).datums;
  counters.l1_bytes = data_.counters(unpacker).l1_bytes;
  return counters;
}

Issue Unpackers::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  registers_.settle(now);
  if (op::opcode_of(instruction) == op::Opcode::kUnpacrNop) {
    return issue_nop(instruction, thread, now);
  }
  if (op::Unpacr::kFlushCache.of(instruction) ||
      op::Unpacr::kIncrementContextCounter.of(instruction)) {
    return issue_context(instruction, thread, now);
  }
  return issue_regular(instruction, thread, now);
}

// ---- UNPACR -------------------------------------------------------------------------------------

Issue Unpackers::issue_regular(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  if (unit.waiting != 0 && !has_room(unit)) return Issue::blocked();

  Pending pending;
  UnpackPlan& plan = pending.plan;
  plan.unpacker = unpacker;
  plan.thread = thread;
  plan.instruction = instruction;
  plan.pc = data_.pushed_at();
  unsigned adc = thread;
  const unsigned context = select_context(instruction, thread, adc);
  pending.valid = planner_.plan(instruction, context, adc, plan);
  pending.generated = now + config_.unpack_address_cycles;
  pending.flips = op::Unpacr::kFlipSrc.of(instruction) != 0;
  pending.steps_row =
      cfg::kUnpacker[unpacker].src_reg_set_update.get(backend_config_.of(thread)) != 0;
  pending.set_base = set_base(unpacker, thread);
  pending.beats = pending.valid ? data_.beats(plan) : 0;
  if (pending.valid && plan.datums != 0) data_.report_page(plan, now);
  advance(instruction, thread, context, adc);
  generator_free_ = pending.generated;
  unit.counters.instructions += 1;

  if (unit.waiting != 0 || file(unpacker).at_unpacker().allowed_client != SrcClient::kUnpackers) {
    hold(unit, pending);
    return Issue::started(pending.generated, pending.generated, pending.generated);
  }
  const Cycle done = bring_in(unit, pending, now);
  return Issue::started(pending.generated, done, pending.generated);
}

bool Unpackers::banks_given_back(Cycle now) {
  bool any = false;
  for (unsigned i = 0; i < kUnpackers; ++i) {
    Unit& unit = units_[i];
    unsigned brought = 0;
    while (brought < unit.waiting &&
           file(i).at_unpacker().allowed_client == SrcClient::kUnpackers) {
      registers_.settle(now);
      bring_in(unit, unit.pending[brought++], now);
    }
    if (brought == 0) continue;
    any = true;
    const unsigned waited = std::exchange(unit.waiting, 0);
    for (unsigned k = brought; k < waited; ++k) hold(unit, unit.pending[k]);
  }
  return any;
}

/// `pending` waits for a bank, while the pipeline fetches as much as it has room for.
void Unpackers::hold(Unit& unit, const Pending& pending) {
  const Cycle before = unit.waiting == 0 ? unit.fetch_free : unit.held_until;
  unit.accepts_from = std::max(pending.generated, before);
  unit.held_until = unit.accepts_from + pending.beats;
  unit.pending[unit.waiting] = pending;
  unit.pending[unit.waiting++].plan.has_waited = true;
}

/// True if the last waiting instruction has begun to fetch, so that the next one may wait behind
/// it.
bool Unpackers::has_room(const Unit& unit) const {
  Cycle held = 0;
  for (unsigned i = 0; i + 1 < unit.waiting; ++i) held += unit.pending[i].beats;
  return held < config_.unpack_pipeline_cycles && unit.waiting < kMostWaiting;
}

/// Moves the datums into the bank, which the unpackers own. The first datum reaches it no earlier
/// than the bank was returned. Until then the pipeline holds its data and fetches no more.
Cycle Unpackers::bring_in(Unit& unit, const Pending& pending, Cycle now) {
  const UnpackPlan& plan = pending.plan;
  SrcFile& src = file(plan.unpacker);
  const Cycle pipeline = config_.unpack_pipeline_cycles;
  const Cycle given = src.at_unpacker().allowed_from;
  const Cycle start = std::max(
      {pending.generated, unit.fetch_free, given > pipeline ? given - pipeline : Cycle{0}});
  Cycle fetched = start;
  if (pending.valid && plan.datums != 0) {
    data_.move(plan);
    fetched = data_.fetch(plan, start);
    data_.tell_reads(plan, now, fetched);
  }
  const Cycle done = std::max(fetched + pipeline, unit.data_done);
  if (plan.to_dst && pending.valid && plan.datums != 0 && registers_.dst_in_flight.watched()) {
    data_.tell_dst_rows(plan, now, done);
  }
  unit.accepts_from = start;
  unit.fetch_free = fetched;
  unit.data_done = done;
  unit.idle_from[plan.thread] = std::max(unit.idle_from[plan.thread], done);
  unit.counters.fetch_cycles += fetched - start;
  if (pending.flips) {
    src.unpacker_flip(plan.thread, pending.set_base, done);
    unit.counters.banks_given += 1;
  } else if (pending.steps_row) {
    src.unpacker_row[plan.thread] = static_cast<std::uint8_t>(
        (src.unpacker_row[plan.thread] + 16 + (pending.set_base << 4)) & 0x3F);
  }
  return done;
}

unsigned Unpackers::select_context(std::uint32_t instruction, unsigned thread, unsigned& adc) {
  if (!op::Unpacr::kMultiContextMode.of(instruction)) return 0;
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  unsigned context = op::Unpacr::kUseContextCounter.of(instruction)
                         ? units_[unpacker].context_counter[thread]
                         : op::Unpacr::kContextNumber.of(instruction);
  context += cfg::thread::context_offset(unpacker).get(backend_config_.thread[thread]);
  context &= 7;
  adc = op::Unpacr::kContextAdc.of(instruction);
  if (unpacker == 1 && context >= 2) {
    faults_.firmware(unpacker, "UNPACR of unpacker 1 with a context above 1");
    context &= 1;
  }
  if (adc == 3) {
    faults_.firmware(unpacker, "UNPACR with ContextADC 3");
    adc = thread;
  }
  return context;
}

void Unpackers::advance(std::uint32_t instruction, unsigned thread, unsigned context,
                        unsigned adc) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  if (op::Unpacr::kMultiContextMode.of(instruction) &&
      op::Unpacr::kUseContextCounter.of(instruction)) {
    const unsigned next = (context + 1) & 7;
    const unsigned count =
        1U << cfg::kUnpacker[unpacker].context_count.get(backend_config_.of(thread));
    units_[unpacker].context_counter[thread] = static_cast<std::uint8_t>(next >= count ? 0 : next);
  }
  for (unsigned i = 0; i < kThreads; ++i) {
    if (i != thread && i != adc) continue;
    AddressChannels& channels = counters_.of(i).unpacker[unpacker];
    channels.channel[0].add_y(op::Unpacr::kCh0YInc.of(instruction));
    channels.channel[0].add_z(op::Unpacr::kCh0ZInc.of(instruction));
    channels.channel[1].add_y(op::Unpacr::kCh1YInc.of(instruction));
    channels.channel[1].add_z(op::Unpacr::kCh1ZInc.of(instruction));
  }
}

// ---- UNPACR_NOP, and the forms of UNPACR that move no datums ------------------------------------
// ISA UNPACR_NOP*.md, UNPACR_FlushCache.md, UNPACR_IncrementContextCounter.md

Issue Unpackers::issue_context(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::Unpacr::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (unit.waiting != 0) return Issue::blocked();
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  // The cache of row starts affects speed only, and compressed data is not modelled.
  if (op::Unpacr::kIncrementContextCounter.of(instruction)) {
    const unsigned next = (unit.context_counter[thread] + 1U) & 7;
    const unsigned count =
        1U << cfg::kUnpacker[unpacker].context_count.get(backend_config_.of(thread));
    unit.context_counter[thread] = static_cast<std::uint8_t>(next >= count ? 0 : next);
  }
  generator_free_ = now + 1;
  return Issue::started(now + 1, now + 1);
}

Issue Unpackers::issue_nop(std::uint32_t instruction, unsigned thread, Cycle now) {
  const unsigned unpacker = op::UnpacrNop::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (unit.waiting != 0) return Issue::blocked();
  const Cycle accepts = std::max(generator_free_, unit.accepts_from);
  if (now < accepts) return Issue::retry_at(accepts);
  switch (op::UnpacrNop::kKind.of(instruction)) {
    case op::UnpacrNop::kKind.value: {
      // Takes one cycle of the unpacker, behind its pending fetches.
      const Cycle start = std::max(now, unit.fetch_free);
      unit.accepts_from = start;
      unit.fetch_free = start + 1;
      generator_free_ = now + 1;
      unit.idle_from[thread] = std::max(unit.idle_from[thread], start + 1);
      return Issue::started(now + 1, start + 1);
    }
    case op::UnpacrNopSetdvalid::kKind.value:
      return issue_set_dvalid(unpacker, thread, now);
    case op::UnpacrNopSetreg::kKind.value:
      faults_.unmodelled(unpacker, "UNPACR_NOP that writes a register");
      break;
    case op::UnpacrNopOverlayClear::kKind.value:
    case op::UnpacrNopOverlayClearCount::kKind.value:
      faults_.unmodelled(unpacker, "UNPACR_NOP that clears messages of a stream");
      break;
    default:
      return issue_zero_src(instruction, thread, now);
  }
  return Issue::started(now + 1, now + 1);
}

Issue Unpackers::issue_set_dvalid(unsigned unpacker, unsigned thread, Cycle now) {
  Unit& unit = units_[unpacker];
  const Cycle done = std::max(now + 1, unit.data_done);
  file(unpacker).unpacker_flip(thread, set_base(unpacker, thread), done);
  unit.counters.banks_given += 1;
  unit.data_done = done;
  unit.idle_from[thread] = std::max(unit.idle_from[thread], done);
  generator_free_ = now + 1;
  return Issue::started(now + 1, done);
}

Issue Unpackers::issue_zero_src(std::uint32_t instruction, unsigned thread, Cycle now) {
  using Nop = op::UnpacrNopZerosrc;
  const unsigned unpacker = Nop::kWhichUnpacker.of(instruction);
  Unit& unit = units_[unpacker];
  if (Nop::kBothBanks.of(instruction)) {
    faults_.unmodelled(unpacker, "UNPACR_NOP that clears both banks");
  }
  SrcFile& src = file(unpacker);
  const SrcBank& awaited =
      Nop::kWaitLikeUnpacr.of(instruction) ? src.at_unpacker() : src.at_matrix_unit();
  if (awaited.allowed_client != SrcClient::kUnpackers) return Issue::blocked();
  if (now < awaited.allowed_from) return Issue::retry_at(awaited.allowed_from);

  constexpr std::uint32_t kAllOnes = (1U << 19) - 1;
  const bool negative_infinity = Nop::kNegativeInfSrcA.of(instruction) && unpacker == 0;
  for (auto& row : src.at_unpacker().rows) row.fill(negative_infinity ? kAllOnes : 0);
  const Cycle start = std::max(now, unit.fetch_free);
  const Cycle done = std::max(start + 1, unit.data_done);
  unit.accepts_from = start;
  unit.fetch_free = start + 1;
  unit.data_done = done;
  unit.idle_from[thread] = std::max(unit.idle_from[thread], done);
  generator_free_ = now + 1;
  return Issue::started(now + 1, done);
}

// ---- Helpers ------------------------------------------------------------------------------------

unsigned Unpackers::set_base(unsigned unpacker, unsigned thread) const {
  return (unpacker == 0 ? cfg::thread::kSrcASetBase : cfg::thread::kSrcBSetBase)
      .get(backend_config_.thread[thread]);
}

}  // namespace tvp::tensix::coprocessor
