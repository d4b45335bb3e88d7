// Threaded dispatch over blocks. block_times.cpp computes the times.
#include "models/riscv/execute/block_runner.h"

#include <cstring>

#include "models/riscv/decode/instruction_meanings.h"
#include "models/riscv/decode/multiply_divide.h"

namespace tvp::riscv {

using support::Cycle;

#define TVP_NEXT()    \
  do {                \
    ++op;             \
    goto * op->label; \
  } while (false)

#define TVP_ALU(name, expression)                                          \
  do_##name : {                                                            \
    const std::uint32_t a = regs[op->rs1];                                 \
    [[maybe_unused]] const std::uint32_t b = regs[op->rs2];                \
    [[maybe_unused]] const auto imm = static_cast<std::uint32_t>(op->imm); \
    regs[op->rd] = static_cast<std::uint32_t>(expression);                 \
    TVP_NEXT();                                                            \
  }

// Enters the next block if all its accesses may be made and its code is cached.
#define TVP_ENTER()                                                       \
  do {                                                                    \
    if (static_cast<Offset>(t) + node->last_access >= limit) [[unlikely]] \
      goto apart;                                                         \
    if (node->seen != evictions) [[unlikely]]                             \
      goto look;                                                          \
    op = node->ops;                                                       \
    goto * op->label;                                                     \
  } while (false)

// Leaves a block by the edge `edge`.
#define TVP_PASS()                                         \
  do {                                                     \
    if (edge->next == nullptr) [[unlikely]]                \
      goto first_time;                                     \
    if (node->ahead != 0) s.ahead_until = t + node->ahead; \
    executed += node->count;                               \
    activity |= node->activity;                            \
    t += edge->elapsed;                                    \
  } while (false)

#define TVP_FALL()     \
  do {                 \
    node = edge->next; \
    TVP_ENTER();       \
  } while (false)

#define TVP_REDIRECT()                                        \
  if ((outcome & BlockNode::kMispredicted) != 0) [[unlikely]] \
    s.fetches.redirect(t - s.branches.penalty());

#define TVP_LEAP(next, backward, unchecked)                                     \
  do {                                                                          \
    if (backward) {                                                             \
      if ((kPerhapsPoll >> activity & 1U) != 0) [[unlikely]] {                  \
        std::uint8_t* const left = unchecked;                                   \
        if (activity >= kRecording || left == nullptr || *left == 0) goto poll; \
        --*left;                                                                \
      }                                                                         \
      activity = 0;                                                             \
    }                                                                           \
    if (t >= s.ahead_until) [[unlikely]]                                        \
      goto stop_point;                                                          \
    node = next;                                                                \
    TVP_ENTER();                                                                \
  } while (false)

#define TVP_BRANCH(name, condition)                                      \
  do_##name : {                                                          \
    const std::uint32_t a = regs[op->rs1];                               \
    const std::uint32_t b = regs[op->rs2];                               \
    const bool taken = (condition);                                      \
    outcome = taken ? BlockNode::kTaken : 0;                             \
    if (!s.branches.settled(node->last->prediction, taken)) [[unlikely]] \
      outcome = resolve(*node->last, taken);                             \
    edge = node->edges() + outcome;                                      \
    TVP_PASS();                                                          \
    TVP_REDIRECT()                                                       \
    if (taken) TVP_LEAP(edge->next, node->is_backward, &node->last->rd); \
    node = edge->next;                                                   \
    TVP_ENTER();                                                         \
  }

#define TVP_DIVIDE(name, is_signed, expression)        \
  do_##name : {                                        \
    const std::uint32_t a = regs[op->rs1];             \
    const std::uint32_t b = regs[op->rs2];             \
    regs[op->rd] = (expression);                       \
    outcome = s.pipeline.divide_step(is_signed, a, b); \
    edge = node->edges() + outcome;                    \
    TVP_PASS();                                        \
    TVP_FALL();                                        \
  }

#define TVP_ADDRESS() \
  const std::uint32_t address = regs[op->rs1] + static_cast<std::uint32_t>(op->imm);
#define TVP_LOAD_FROM(memory, type)          \
  type value;                                \
  std::memcpy(&value, memory, sizeof value); \
  regs[op->rd] = static_cast<std::uint32_t>(value);
#define TVP_BAIL()   \
  do {               \
    place = address; \
    goto misjudged;  \
  } while (false)
#define TVP_CHECK_QUEUE()                                                    \
  if (node->rare->queued != nullptr && node->rare->queued[op->index] != 0 && \
      found_in_queue(*node, op->index, address) != 0) [[unlikely]] {         \
    is_queued = true;                                                        \
    TVP_BAIL();                                                              \
  }

// Checks an access of a stream that others may delay.
#define TVP_CHECK_STREAM(passes)                                                        \
  if (node->rare->stream_of != nullptr && node->rare->stream_of[op->index] != 0 &&      \
      !passes(node->rare->streams[node->rare->stream_of[op->index] - 1], address, t)) { \
    goto stopped_inside;                                                                \
  }

#define TVP_IS_IN_L1(type) is_in_l1(address, sizeof(type))
#define TVP_IS_LOCAL(type) \
  (address - kLocalBase < local_bytes && (address & (sizeof(type) - 1)) == 0)

#define TVP_LOAD(name, type)                                                              \
  do_checked_##name : {                                                                   \
    TVP_ADDRESS()                                                                         \
    TVP_CHECK_QUEUE()                                                                     \
    if (!TVP_IS_IN_L1(type)) [[unlikely]]                                                 \
      TVP_BAIL();                                                                         \
    TVP_CHECK_STREAM(load_passes)                                                         \
    TVP_LOAD_FROM(l1 + address, type)                                                     \
    TVP_NEXT();                                                                           \
  }                                                                                       \
  do_##name : {                                                                           \
    TVP_ADDRESS()                                                                         \
    if (!TVP_IS_IN_L1(type)) [[unlikely]]                                                 \
      TVP_BAIL();                                                                         \
    TVP_LOAD_FROM(l1 + address, type)                                                     \
    TVP_NEXT();                                                                           \
  }                                                                                       \
  do_local_checked_##name : {TVP_ADDRESS() TVP_CHECK_QUEUE()} do_local_##name : {         \
    TVP_ADDRESS()                                                                         \
    if (!TVP_IS_LOCAL(type)) [[unlikely]]                                                 \
      TVP_BAIL();                                                                         \
    TVP_LOAD_FROM(local + (address - kLocalBase), type)                                   \
    TVP_NEXT();                                                                           \
  }                                                                                       \
  do_varying_##name : {                                                                   \
    TVP_ADDRESS()                                                                         \
    const bool in_local = TVP_IS_LOCAL(type);                                             \
    if (!in_local && !TVP_IS_IN_L1(type)) [[unlikely]]                                    \
      TVP_BAIL();                                                                         \
    outcome = BlockNode::load_outcome(                                                    \
        in_local, node->rare->queued == nullptr ? 0 : found_in_queue(*node, 0, address)); \
    edge = node->edges() + outcome;                                                       \
    if (in_local) {                                                                       \
      TVP_LOAD_FROM(local + (address - kLocalBase), type)                                 \
      TVP_PASS();                                                                         \
      TVP_FALL();                                                                         \
    }                                                                                     \
    if (edge->next == nullptr) [[unlikely]]                                               \
      times_.find_out(*node, outcome);                                                    \
    if (static_cast<Offset>(t + edge->access) >= limit) [[unlikely]]                      \
      goto not_yet;                                                                       \
    TVP_LOAD_FROM(l1 + address, type)                                                     \
    activity |= kLoaded;                                                                  \
    s.ahead_until = t + edge->ahead;                                                      \
    TVP_PASS();                                                                           \
    TVP_FALL();                                                                           \
  }

// Leaves a store to the interpreter if an agent waits for it or it ends the program.
#define TVP_CHECK_STORE(type)               \
  if (address == s.stop_store) [[unlikely]] \
    TVP_BAIL();
#define TVP_CHECK_WATCHES(type)                                      \
  if (any_watched && is_watched(address, sizeof(type))) [[unlikely]] \
    TVP_BAIL();
#define TVP_STORE_LOCAL(type)                                          \
  type old;                                                            \
  std::memcpy(&old, local + (address - kLocalBase), sizeof old);       \
  if (old != value) {                                                  \
    std::memcpy(local + (address - kLocalBase), &value, sizeof value); \
    activity |= kDirty;                                                \
  }                                                                    \
  stores.push(address);

#define TVP_STORE(name, type)                                        \
  do_checked_##name : {                                              \
    TVP_ADDRESS()                                                    \
    const auto value = static_cast<type>(regs[op->rs2]);             \
    if (!TVP_IS_IN_L1(type)) [[unlikely]]                            \
      TVP_BAIL();                                                    \
    TVP_CHECK_STORE(type)                                            \
    TVP_CHECK_WATCHES(type)                                          \
    TVP_CHECK_STREAM(store_passes)                                   \
    std::memcpy(l1 + address, &value, sizeof value);                 \
    s.l1_stored = std::max(s.l1_stored, address);                    \
    stores.push(address);                                            \
    TVP_NEXT();                                                      \
  }                                                                  \
  do_##name : {                                                      \
    TVP_ADDRESS()                                                    \
    const auto value = static_cast<type>(regs[op->rs2]);             \
    if (!TVP_IS_IN_L1(type)) [[unlikely]]                            \
      TVP_BAIL();                                                    \
    TVP_CHECK_STORE(type)                                            \
    TVP_CHECK_WATCHES(type)                                          \
    std::memcpy(l1 + address, &value, sizeof value);                 \
    s.l1_stored = std::max(s.l1_stored, address);                    \
    stores.push(address);                                            \
    TVP_NEXT();                                                      \
  }                                                                  \
  do_local_##name : {                                                \
    TVP_ADDRESS()                                                    \
    const auto value = static_cast<type>(regs[op->rs2]);             \
    if (!TVP_IS_LOCAL(type)) [[unlikely]]                            \
      TVP_BAIL();                                                    \
    TVP_CHECK_STORE(type)                                            \
    TVP_STORE_LOCAL(type)                                            \
    TVP_NEXT();                                                      \
  }                                                                  \
  do_varying_##name : {                                              \
    TVP_ADDRESS()                                                    \
    const auto value = static_cast<type>(regs[op->rs2]);             \
    const bool in_local = TVP_IS_LOCAL(type);                        \
    if (!in_local && !TVP_IS_IN_L1(type)) [[unlikely]]               \
      TVP_BAIL();                                                    \
    TVP_CHECK_STORE(type)                                            \
    outcome = in_local ? 1 : 0;                                      \
    edge = node->edges() + outcome;                                  \
    if (in_local) {                                                  \
      TVP_STORE_LOCAL(type)                                          \
      TVP_PASS();                                                    \
      TVP_FALL();                                                    \
    }                                                                \
    TVP_CHECK_WATCHES(type)                                          \
    if (edge->next == nullptr) [[unlikely]]                          \
      times_.find_out(*node, outcome);                               \
    if (static_cast<Offset>(t + edge->access) >= limit) [[unlikely]] \
      goto not_yet;                                                  \
    std::memcpy(l1 + address, &value, sizeof value);                 \
    s.l1_stored = std::max(s.l1_stored, address);                    \
    stores.push(address);                                            \
    activity |= kDirty;                                              \
    s.ahead_until = t + edge->ahead;                                 \
    TVP_PASS();                                                      \
    TVP_FALL();                                                      \
  }

// ---- Separate functions, so that run() keeps its state in registers -----------------------------

/// Resolves a branch that the predictor got wrong or is not sure of.
unsigned BlockRunner::resolve(Op& branch, bool taken) {
  const bool foreseen = s_.branches.predicts_taken(branch.prediction) == taken;
  branch.prediction = s_.branches.learned(branch.prediction, taken);
  return (taken ? BlockNode::kTaken : 0) | (foreseen ? 0 : BlockNode::kMispredicted);
}

/// Fetches the first line of the node if it is absent, as the interpreter does, and replaces the
/// node by that of its present instructions. False if the interpreter must go on before the node.
bool BlockRunner::find_code(BlockNode*& node, Cycle& t, std::uint64_t executed) {
  unsigned present = times_.present(*node);
  if (present == 0 && node->count != 0) {
    if (!worth_.may_fetch(executed)) return false;
    const Cycle arrival = s_.fetches.needed(t);
    s_.pipeline.fetched(node->pc, arrival);
    fetch_.take_in_unshown(node->pc);
    node = times_.delayed(*node, arrival - t);
    t = arrival;
    present = times_.present(*node);
  }
  if (present == node->count) return true;
  BlockNode* const part = times_.part(*node, present);
  if (part == nullptr) return false;
  node = part;
  return node->seen != BlockNode::kDead && times_.present(*node) == node->count;
}

/// Places the core before that instruction, at that cycle.
void BlockRunner::stop_at(const BlockTimes::Target& target, const PipelineState* state, Cycle t) {
  s_.pc = target.pc;
  s_.page = target.page;
  s_.op = target.op;
  s_.time = t;
  s_.deferred = state;
  s_.deferred_at = t;
}

/// True if the core, behind the backward jump that ends the node, falls asleep.
bool BlockRunner::falls_asleep(const BlockNode& node) {
  const bool counts = s_.activity < ExecutionState::kRecording;
  fetch_.show_present();
  if (sleep_.at_backward_jump(s_.pc, s_.time, fetch_.cached())) return true;
  std::uint8_t* const left = node.rare->block->unchecked();
  if (counts && left != nullptr) *left = sleep_.detector().take_hold();
  return false;
}

BlockRunner::Next BlockRunner::run_nodes() {
#define TVP_CODE_LABEL(name) &&do_##name,
#define TVP_UNUSED_LABEL(name) nullptr,
#define TVP_CHECKED_LABEL(name) &&do_checked_##name,
#define TVP_LOCAL_LABEL(name) &&do_local_##name,
#define TVP_LOCAL_CHECKED_LABEL(name) &&do_local_checked_##name,
#define TVP_VARYING_LABEL(name) &&do_varying_##name,
#define TVP_LOADS(X) X(Lb) X(Lh) X(Lw) X(Lbu) X(Lhu)
#define TVP_STORES(X) X(Sb) X(Sh) X(Sw)
  static const void* const kLabels[] = {
      // In the order of Code.
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      &&do_Nop,
      &&do_Constant,
      TVP_RISCV_JUMPS(TVP_CODE_LABEL) TVP_RISCV_ACCESSES(TVP_UNUSED_LABEL)
              TVP_RISCV_OPERATIONS(TVP_CODE_LABEL) TVP_RISCV_LONG(TVP_CODE_LABEL)
                  TVP_RISCV_OTHERS(TVP_UNUSED_LABEL)
          // In the order of BlockTimes::Kind.
          TVP_RISCV_ACCESSES(TVP_CODE_LABEL)                              //
          TVP_LOADS(TVP_CHECKED_LABEL) TVP_STORES(TVP_CHECKED_LABEL)      //
          TVP_LOADS(TVP_LOCAL_LABEL) TVP_STORES(TVP_LOCAL_LABEL)          //
          TVP_LOADS(TVP_LOCAL_CHECKED_LABEL) TVP_STORES(TVP_LOCAL_LABEL)  //
          TVP_LOADS(TVP_VARYING_LABEL) TVP_STORES(TVP_VARYING_LABEL)      //
          && do_Fall,
      &&do_PageEnd,
      &&do_counted,
      &&do_translated};
  static_assert(std::size(kLabels) == BlockTimes::kLabels);
  using Offset = BlockNode::Offset;
  constexpr unsigned kDirty = ExecutionState::kDirty;
  constexpr unsigned kLoaded = ExecutionState::kLoaded;
  constexpr unsigned kRecording = ExecutionState::kRecording;
  // Mask over activities: blocks handle only kLoaded, kDirty and kSuspect here.
  constexpr std::uint32_t kPerhapsPoll = ~(1U | 1U << kDirty | 1U << (kDirty | kLoaded));
  constexpr std::uint32_t kLocalBase = LoadStoreUnit::kLocalBase;
  // Translating a node takes about as long as this many executions.
  constexpr std::uint32_t kHot = 64;

  ExecutionState& s = s_;
  times_.set_labels(kLabels);
  if (times_.look_around()) led_.fill({});
  const bool anew = s.deferred == nullptr;
  Cycle t = anew ? s.time : s.deferred_at;
  BlockNode* node = s.node;
  if (node == nullptr) {
    node =
        anew ? times_.enter(*s.page, s.op, t, s.leave) : times_.node_at(*s.page, s.op, s.deferred);
    if (node == nullptr) {
      s.settle();
      return Next::kOneByOne;
    }
  }
  times_.begin_run();
  const std::uint64_t began = s.executed;
  std::uint64_t executed = s.executed;
  unsigned activity = s.activity;
  std::uint32_t* const regs = s.regs.data();
  std::uint8_t* const l1 = s.l1;
  const std::uint32_t l1_direct = s.l1_direct;
  std::uint8_t* const local = memory_.local().data();
  const std::uint32_t local_bytes = memory_.local().direct_bytes();
  // No watch on L1 can begin while this core runs.
  const bool any_watched = is_watched(0, std::max(s.l1_direct, s.l1_free));
  Pipeline::StoreAddresses& stores = s.stores;
  std::uint64_t evictions = fetch_.evictions();
  const auto limit = static_cast<Offset>(s.scheduler->limit());
  const BlockOp* op = nullptr;
  BlockEdge* edge = nullptr;
  unsigned outcome = 0;
  std::uint32_t target = 0;
  std::uint32_t place = 0;
  bool is_queued = false;
  TranslatedRun translated{.limit = limit,
                           .evictions = evictions,
                           .regs = regs,
                           .l1 = l1,
                           .local = local,
                           .local_bytes = local_bytes,
                           .any_watched = any_watched};

  const auto save = [&]() {
    s.executed = executed;
    s.activity = activity;
  };
  const auto one_by_one = [&]() {
    s.settle();
    if (!worth_.rests()) worth_.note_length(executed - began, times_.warms());
    return Next::kOneByOne;
  };
  const auto is_in_l1 = [&](std::uint32_t address, std::uint32_t bytes) {
    return (address < l1_direct || s.is_beyond(address)) && (address & (bytes - 1)) == 0;
  };
  const auto here = [&]() {
    return BlockTimes::Target{node->rare->block->page, node->rare->block->first, node->pc};
  };
  TVP_ENTER();

do_counted:
  if (++node->rare->heat >= (worth_.is_eager() ? 1 : kHot)) times_.translate(*node);
  op = node->rare->block->ops.data();
  goto * op->label;

do_translated:
  translated.t = t;
  translated.executed = executed;
  translated.activity = activity;
  translated.node = node;
  translated.edge = edge;
  translator_.run(translated);
  t = translated.t;
  evictions = translated.evictions;
  translated_ += translated.executed - executed;
  executed = translated.executed;
  activity = translated.activity;
  node = translated.node;
  edge = translated.edge;
  if (translated.at == TranslatedRun::kEnter) TVP_ENTER();
  op = node->rare->block->ops.data() + translated.at;
  goto * op->label;

do_Nop:
  TVP_NEXT();
do_Constant:
  regs[op->rd] = static_cast<std::uint32_t>(op->imm);
  TVP_NEXT();

  TVP_RISCV_MEANINGS(TVP_ALU, TVP_ALU, TVP_ALU, TVP_DIVIDE, TVP_BRANCH, TVP_LOAD, TVP_STORE)

do_Fall:
  outcome = 0;
  edge = node->edges();
  TVP_PASS();
  TVP_FALL();

do_PageEnd:
  outcome = 0;
  edge = node->edges();
  TVP_PASS();
  TVP_LEAP(edge->next, false, nullptr);

do_Jal:
  regs[op->rd] = node->pc + 4 * node->count;
  outcome = 0;
  if (!s.branches.predicts_jump(node->last->prediction)) [[unlikely]] {
    node->last->prediction = s.branches.learned_jump(node->last->prediction);
    outcome = BlockNode::kMispredicted;
  }
  edge = node->edges() + outcome;
  TVP_PASS();
  TVP_REDIRECT()
  TVP_LEAP(edge->next, node->is_backward, &node->last->rs2);

do_Jalr : {
  target = (regs[op->rs1] + static_cast<std::uint32_t>(op->imm)) & ~1U;
  Op& last = *node->last;
  if (target != static_cast<std::uint32_t>(last.aux)) [[unlikely]] {
    if (target % 4 != 0 || fetch_.page(target) == nullptr) goto stopped_inside;
    s.jumped_from = node->pc + 4 * node->count - 4;
    s.jumped_to = target;
  }
  regs[op->rd] = node->pc + 4 * node->count;
  outcome = 0;
  if (target != static_cast<std::uint32_t>(last.aux) || !s.branches.remembers(last.prediction)) {
    last.prediction = s.branches.learned_jump(last.prediction);
    if (s.branches.learns()) last.aux = static_cast<std::int32_t>(target);
    outcome = BlockNode::kMispredicted;
  }
  edge = node->edges() + outcome;
  if (edge->next != nullptr && edge->next->pc != target) {
    const Led& known = led(edge, target);
    edge->next = known.edge == edge && known.to == target ? known.node : nullptr;
  }
  TVP_PASS();
  TVP_REDIRECT()
  TVP_LEAP(edge->next, target <= node->pc + 4 * node->count - 4, nullptr);
}

  // ---- Rare cases
  // ---------------------------------------------------------------------------------

first_time : {
  // The next block is unknown, or its target is hardly used.
  times_.find_out(*node, outcome);
  if (node->ahead != 0) s.ahead_until = t + node->ahead;
  executed += node->count;
  activity |= node->activity;
  t += edge->elapsed;
  const BlockEnd end = node->rare->block->end;
  if (end == BlockEnd::kJal || end == BlockEnd::kJalr || end == BlockEnd::kBranch) {
    TVP_REDIRECT()
  }
  const PipelineState* const behind = node->rare->behind[outcome];
  const BlockTimes::Target to = times_.target_of(*node, outcome, target);
  if (to.page == nullptr) {
    save();
    stop_at(to, behind, t);
    return one_by_one();
  }
  edge->next = times_.node_at(*to.page, to.op, behind);
  if (end == BlockEnd::kJalr && edge->next != nullptr)
    led(edge, target) = {edge, target, edge->next};
  const bool taken = end == BlockEnd::kJal || end == BlockEnd::kJalr || end == BlockEnd::kPageEnd ||
                     (end == BlockEnd::kBranch && (outcome & BlockNode::kTaken) != 0);
  const bool backward = end == BlockEnd::kJalr ? target <= node->pc + 4 * node->count - 4
                                               : taken && node->is_backward;
  if (backward) {
    if ((kPerhapsPoll >> activity & 1U) != 0) {
      std::uint8_t* const left = node->rare->block->unchecked();
      if (activity >= kRecording || left == nullptr || *left == 0) goto poll;
      --*left;
    }
    activity = 0;
  }
  if (taken && t >= s.ahead_until) goto stop_point;
  if (edge->next == nullptr) {
    save();
    stop_at(to, behind, t);
    return one_by_one();
  }
  node = edge->next;
  TVP_ENTER();
}

poll:
  save();
  stop_at(times_.target_of(*node, outcome, target), node->rare->behind[outcome], t);
  s.node = edge->next;
  if (falls_asleep(*node)) return Next::kAsleep;
  if (s.deferred == nullptr) return Next::kJumped;
  activity = s.activity;
  if (t >= s.ahead_until) goto stop_point;
  if (edge->next == nullptr) return one_by_one();
  node = edge->next;
  TVP_ENTER();

stop_point:
  // Updated even if the core does not stop, since the next place to stop must not depend on the
  // horizon.
  s.ahead_until = t + ExecutionState::kRunAhead;
  if (activity == 0) activity = ExecutionState::kSuspect;
  if (static_cast<Offset>(t) < limit && edge->next != nullptr) {
    node = edge->next;
    TVP_ENTER();
  }
  save();
  stop_at(times_.target_of(*node, outcome, target), node->rare->behind[outcome], t);
  if (static_cast<Offset>(t) < limit) return one_by_one();
  s.node = edge->next;
  later_ = t;
  worth_.note_run(executed - began);
  return Next::kReturn;

apart : {
  // Some of its accesses may not be made yet.
  if (node->seen != evictions) goto look;
  if (node->last_access == BlockNode::kAlways) goto leave;
  unsigned access = 0;
  const BlockNode::Access* const accesses = node->rare->accesses;
  while (static_cast<Offset>(t + accesses[access].at) < limit) ++access;
  if (accesses[access].op == 0) {
    op = node->rare->block->ops.data();
    place = regs[op->rs1] + static_cast<std::uint32_t>(op->imm);
    // The access is not where it was assumed, so its delays can differ.
    if (!is_in_l1(place, access_bytes(static_cast<Code>(node->rare->block->source[0].code))))
      goto misjudged;
    later_ = t + accesses[access].at;
    goto wait;
  }
  BlockNode* const first_part = times_.cut(*node, access);
  if (first_part == nullptr) goto leave;
  node = first_part;
  edge = nullptr;
  TVP_ENTER();
}

not_yet:
  later_ = t + edge->access;
wait:
  // For the access at the beginning of the block.
  save();
  stop_at(here(), node->rare->state, t);
  s.node = node;
  s.time = t + node->rare->stall;
  worth_.note_run(executed - began);
  return Next::kReturn;

look : {
  if (node->seen == BlockNode::kDead) {
    BlockNode* const other = times_.instead_of(*node);
    if (edge != nullptr && edge->next == node) edge->next = other;
    if (other == nullptr) goto leave;
    node = other;
    TVP_ENTER();
  }
  edge = nullptr;
  const bool has_code = find_code(node, t, executed);
  evictions = translated.evictions = fetch_.evictions();
  if (!has_code) goto leave;
  TVP_ENTER();
}

leave:
  save();
  stop_at(here(), node->rare->state, t);
  return one_by_one();

misjudged:
  times_.misjudged(*node->rare->block, op->index, place, is_queued, local_bytes);
stopped_inside:
  save();
  times_.stop_inside(*node, op->index, t);
  return one_by_one();
}

}  // namespace tvp::riscv
