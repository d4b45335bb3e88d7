#include "models/riscv/timing/block_times.h"

#include <cstring>
#include <new>

#include "models/riscv/execute/load_store_unit.h"

namespace tvp::riscv {

using support::Cycle;

namespace {

bool is_multiply(Code c) { return c >= Code::kMul && c <= Code::kMulhu; }
/// True for instructions that are executed singly, since other agents can see them or they are not
/// decoded yet.
bool is_apart(Code c) {
  return c == Code::kUndecoded || c == Code::kAbsent || c == Code::kBreakpoint ||
         c == Code::kInvalid || c == Code::kEcall || c == Code::kEbreak || c == Code::kTtinsn ||
         is_csr_access(c) || is_atomic(c);
}

}  // namespace

unsigned BlockNode::outcomes(BlockEnd end) {
  switch (end) {
    case BlockEnd::kFall:
    case BlockEnd::kPageEnd:
    case BlockEnd::kStore:  // to L1 or elsewhere
    case BlockEnd::kJal:
    case BlockEnd::kJalr:
      return 2 + kMispredicted;
    case BlockEnd::kBranch:
      return 4;
    case BlockEnd::kDivide:
      return Pipeline::kDivideSteps;
    case BlockEnd::kLoad:
      return 2 * kQueue;
  }
  return 0;
}

// ---- Remembered times --------------------------------------------------------------------------

std::size_t BlockTimes::Hash::operator()(const Pair& p) const {
  const auto a = reinterpret_cast<std::uintptr_t>(p.a) >> 4;
  const auto b = reinterpret_cast<std::uintptr_t>(p.b) >> 4;
  return a * 0x9E3779B97F4A7C15ULL ^ b * 0xC2B2AE3D27D4EB4FULL;
}

std::size_t BlockTimes::Hash::operator()(const PipelineState* state) const {
  static_assert(sizeof(PipelineState) % sizeof(std::uint16_t) == 0);
  constexpr std::size_t kWords = sizeof(PipelineState) / sizeof(std::uint16_t);
  std::array<std::uint16_t, kWords> words;
  std::memcpy(words.data(), state, sizeof *state);
  std::uint64_t hash = 0;
  for (const std::uint16_t word : words) hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 32;
}

void* BlockTimes::allocate(std::size_t bytes) {
  constexpr std::size_t kChunk = 4096;
  bytes = (bytes + 15) / 16 * 16;
  if (bytes > left_) {
    chunks_.push_back(std::make_unique<std::byte[]>(kChunk));
    free_ = chunks_.back().get();
    left_ = kChunk;
    bytes_ += kChunk;
  }
  void* const at = free_;
  free_ += bytes;
  left_ -= bytes;
  return at;
}

void BlockTimes::forget() {
  s_.settle();
  s_.node = nullptr;
  generation_ = fetch_.generation();
  nodes_.clear();
  states_.clear();
  block_of_.clear();
  places_.clear();
  blocks_.clear();
  chunks_.clear();
  translator_.forget();
  left_ = 0;
  bytes_ = 0;
  alone_ = s_.pipeline.alone();
}

/// Stops counting and translating blocks.
void BlockTimes::interpret_all() {
  for (const auto& [pair, node] : nodes_) node->ops = node->rare->block->ops.data();
}

const PipelineState* BlockTimes::remember(const PipelineState& state) {
  const auto known = states_.find(&state);
  if (known != states_.end()) return *known;
  const auto* const added = new (allocate(sizeof state)) PipelineState(state);
  states_.insert(added);
  return added;
}

// ---- Blocks ------------------------------------------------------------------------------------

const void* BlockTimes::label(const Op& op, Place place, bool checks) const {
  const auto code = static_cast<Code>(op.code);
  if (!is_load(code) && !is_store(code)) return labels_[kOfCode + op.code];
  const unsigned access = op.code - static_cast<unsigned>(Code::kLb);
  const unsigned kind = place == Place::kVaries ? kVarying
                        : place == Place::kL1   ? (checks ? kOfL1Checked : kOfL1)
                                                : (checks ? kOfLocalChecked : kOfLocal);
  return labels_[kind + access];
}

/// The assumed place of an access without a known exception: at an address that is known when the
/// block begins, or in L1.
Place BlockTimes::judge(const Op* op, unsigned written) const {
  const auto known = places_.find(op);
  if (known != places_.end()) return known->second;
  if ((written >> op->rs1 & 1U) != 0) return Place::kL1;
  const std::uint32_t address = s_.regs[op->rs1] + static_cast<std::uint32_t>(op->imm);
  return address >= LoadStoreUnit::kLocalBase ? Place::kLocal : Place::kL1;
}

/// The end that an instruction gives to a block, if its access is at `place`; kFall if the block
/// continues.
BlockEnd BlockTimes::end_of(Code code, Place place) {
  if (is_load(code)) return place == Place::kVaries ? BlockEnd::kLoad : BlockEnd::kFall;
  if (is_store(code)) return place == Place::kVaries ? BlockEnd::kStore : BlockEnd::kFall;
  if (is_division(code)) return BlockEnd::kDivide;
  if (code == Code::kJal) return BlockEnd::kJal;
  if (code == Code::kJalr) return BlockEnd::kJalr;
  return is_branch(code) ? BlockEnd::kBranch : BlockEnd::kFall;
}

/// Ends the block with `last`, which is its last instruction (`counts`) or the one behind it.
void BlockTimes::finish(TimedBlock& block, Op* last, BlockEnd end, bool counts) {
  block.end = end;
  block.body = static_cast<std::uint8_t>(block.ops.size());
  block.count = block.body + (counts ? 1U : 0U);
  block.last = last;
  if (end != BlockEnd::kJal && end != BlockEnd::kBranch) return;
  block.is_near = last->aux != Op::kFar;
  block.is_backward = block.is_near ? last->aux <= 0
                                    : static_cast<std::uint32_t>(last->imm) <= block.page->pc(last);
}

/// Adds instructions up to one that ends the block. Returns false if a word is not fetched yet.
bool BlockTimes::add_ops(TimedBlock& block, unsigned most) const {
  const auto add = [&](const Op& from, Place place, const void* at) {
    block.ops.push_back({.label = at,
                         .rd = from.rd,
                         .rs1 = from.rs1,
                         .rs2 = from.rs2,
                         .index = static_cast<std::uint8_t>(block.ops.size()),
                         .imm = from.imm});
    block.places.push_back(place);
    block.source.push_back(from);
  };
  unsigned written = 0;
  Op* op = block.first;
  for (; block.ops.size() < most; ++op) {
    Op word = *op;
    word.code = block.page->code_of(op);
    const auto code = static_cast<Code>(word.code);
    if (code == Code::kAbsent || code == Code::kUndecoded) return false;  // tried again later
    if (is_apart(code)) break;
    if (code == Code::kPageEnd) {
      finish(block, op, BlockEnd::kPageEnd, false);
      add(word, Place::kUnknown, labels_[kPageEnding]);
      return true;
    }
    Place place = Place::kUnknown;
    if (is_load(code) || is_store(code)) {
      place = judge(op, written);
      // The time of such a store depends on the address of the one before.
      if (is_store(code) && place != Place::kLocal && s_.pipeline.merges_stores()) break;
      if (place == Place::kElsewhere || (place == Place::kVaries && op != block.first)) break;
      if (place == Place::kL1) {
        block.activity |=
            is_load(code) ? unsigned{ExecutionState::kLoaded} : unsigned{ExecutionState::kDirty};
      }
    } else if ((code == Code::kJal || is_branch(code)) && op->imm % 4 != 0) {
      break;  // a fault
    }
    const BlockEnd end = end_of(code, place);
    if (end != BlockEnd::kFall) finish(block, op, end, true);
    add(word, place, label(word, place, false));
    if (end != BlockEnd::kFall) return true;
    if (!is_store(code) && op->rd < 32) written |= 1U << op->rd;
  }
  if (block.ops.empty()) return false;
  finish(block, op, BlockEnd::kFall, false);
  add(Op{}, Place::kUnknown, labels_[kFalling]);
  return true;
}

TimedBlock* BlockTimes::make(PredecodedCode::Page& page, Op* first, unsigned most) {
  auto made = std::make_unique<TimedBlock>();
  TimedBlock& block = *made;
  block.page = &page;
  block.first = first;
  block.pc = page.pc(first);
  if (!add_ops(block, most)) return nullptr;
  block.cuts.resize(block.ops.size());
  blocks_.push_back(std::move(made));
  bytes_ += sizeof block + block.ops.size() * (sizeof(BlockOp) + 16);
  return &block;
}

TimedBlock* BlockTimes::block_at(PredecodedCode::Page& page, Op* first) {
  // Counts requests, not every execution.
  constexpr std::uint8_t kHot = 4;
  const auto known = block_of_.find(first);
  if (known != block_of_.end()) return known->second;
  std::uint8_t& heat = page.heat_of(first);
  warms_ = ++heat < kHot;
  if (warms_) return nullptr;
  heat = 0;
  TimedBlock* const made = make(page, first, TimedBlock::kMost);
  if (made != nullptr) block_of_[first] = made;
  return made;
}

unsigned BlockTimes::present(BlockNode& node) const {
  std::uint32_t pc = node.pc;
  const std::uint32_t end = pc + 4 * node.count;
  while (pc < end && fetch_.is_present(pc)) {
    pc = (pc / InstructionCache::kLineBytes + 1) * InstructionCache::kLineBytes;
  }
  if (pc < end) return (pc - node.pc) / 4;
  node.seen = fetch_.evictions();
  return node.count;
}

void BlockTimes::misjudged(TimedBlock& block, unsigned op, std::uint32_t address, bool queued,
                           std::uint32_t local_bytes) {
  const Op* const at = block.first + op;
  const std::uint32_t bytes = access_bytes(static_cast<Code>(block.source[op].code));
  const Place was = block.places[op];
  Place is = Place::kElsewhere;
  if (address % bytes == 0 && address - LoadStoreUnit::kLocalBase < local_bytes) {
    is = Place::kLocal;
  } else if (address % bytes == 0 && address < s_.l1_bytes) {
    is = Place::kL1;
  }
  if (queued) is = Place::kVaries;
  // A core sleeps until that store, or uses that memory.
  if (is == was || (was == Place::kVaries && is != Place::kElsewhere)) return;
  warms_ = true;
  Place& place = places_.try_emplace(at, Place::kUnknown).first->second;
  place = place == Place::kUnknown || is == Place::kElsewhere ? is : Place::kVaries;
  kill(block);
  const auto known = block_of_.find(block.first);
  if (known == block_of_.end()) return;
  kill(*known->second);
  block_of_.erase(known);
}

/// Also kills all blocks that were cut from it.
void BlockTimes::kill(TimedBlock& block) {
  block.is_dead = true;
  for (const auto& [pair, node] : nodes_) {
    if (node->rare->block == &block) node->seen = BlockNode::kDead;
  }
  for (TimedBlock* const cut : block.cuts) {
    if (cut != nullptr) kill(*cut);
  }
}

// ---- Nodes -------------------------------------------------------------------------------------

void BlockTimes::begin(Timed& timed, const PipelineState& state) const {
  timed.t = kOrigin;
  timed.pipeline->restore(state, kOrigin, {}, timed.leave);
}

// Follows Interpreter::execute.
void BlockTimes::time(Timed& timed, const Op& op, Place place, std::uint32_t address,
                      unsigned found, unsigned step) const {
  Pipeline& p = *timed.pipeline;
  Cycle& t = timed.t;
  Cycle& leave = timed.leave;
  const auto code = static_cast<Code>(op.code);
  const bool one = is_immediate(code) || is_load(code) || code == Code::kJalr;
  const bool none = code == Code::kConstant || code == Code::kNop || code == Code::kJal;
  const unsigned rs2 = one ? op.rs1 : op.rs2;
  if (!none && p.waits(op.rs1, rs2, t)) t = p.stalled(t, op.rs1, rs2);
  timed.stalled = t;
  timed.asks = false;
  if (is_load(code)) {
    Cycle e = p.room_at(t + 1, leave);
    timed.queued = p.has_stores_after(e) ? p.queued_after(e) : 0;
    if (found != 0) e = std::max(e, p.emitted(found - 1));
    if (place == Place::kLocal) {
      p.loaded(op.rd, e - 1, p.local_latency(), t, leave);
      return;
    }
    const Cycle c = std::max(e - 1, p.slot_free());
    const Cycle latency = p.l1_load_latency(address, c);
    timed.asks = p.load_asks();
    timed.stream = {.now = static_cast<std::uint16_t>(c - timed.origin)};
    timed.announced = {};
    p.in_flight(c, latency);
    p.loaded(op.rd, c, latency, t, leave);
    timed.access = c;
    timed.ahead = c + ExecutionState::kRunAhead;
  } else if (is_store(code)) {
    if (place == Place::kLocal) {
      const Cycle e = p.room_at(t + 1, leave);
      p.stored(address, e, e + 1, t, leave);
    } else {
      time_store(timed, address);
    }
  } else if (is_branch(code)) {
    p.finish(Op::kSink, 1, t, leave);
  } else if (is_multiply(code)) {
    p.multiplied(op.rd, t, leave);
  } else {
    p.finish(op.rd, is_division(code) ? p.cycles_of_step(step) : 1, t, leave);
  }
}

/// A store to L1.
void BlockTimes::time_store(Timed& timed, std::uint32_t address) const {
  Pipeline& p = *timed.pipeline;
  const Cycle e = p.room_at(timed.t + 1, timed.leave);
  const Cycle asked_for = p.next_l1_emission(e);
  const Pipeline before = p;
  p.stored_l1(address, e, timed.t, timed.leave);
  timed.access = e - 1;
  timed.ahead = e + ExecutionState::kRunAhead;
  timed.asks = p.store_asks();
  if (!timed.asks) return;
  const auto offset = [&](Cycle c) { return static_cast<std::uint16_t>(c - timed.origin); };
  timed.stream = {.now = offset(e - 1), .emitted = offset(asked_for)};
  timed.announced = {};
  timed.is_foreseen = timed.is_foreseen && p.emitted(0) == asked_for && p.stores_pass_like_others();
  if (!p.begins_stream()) return;
  for (unsigned i = 0; i < before.store_depth(); ++i) {
    if (before.emitted(i) > e + 1) timed.announced[i] = offset(before.emitted(i));
  }
}

BlockNode* BlockTimes::make_node(TimedBlock& block, const PipelineState* state) {
  Timed timed{.pipeline = &alone_};
  begin(timed, *state);
  std::array<BlockNode::Access, TimedBlock::kMost> accesses;
  std::array<std::uint8_t, TimedBlock::kMost> queued{};
  std::array<StreamAccess, TimedBlock::kMost> streams;
  std::array<std::uint8_t, TimedBlock::kMost> stream_of{};
  unsigned stream_count = 0;
  unsigned count = 0, any_queued = 0;
  unsigned asks = TimedBlock::kMost;
  std::uint32_t stall = 0;
  for (unsigned i = 0; i < block.body && asks == TimedBlock::kMost; ++i) {
    const Op& op = block.source[i];
    timed.access = 0;
    timed.queued = 0;
    time(timed, op, block.places[i], 0, 0, 0);
    if (!timed.is_foreseen) asks = i;
    if (timed.asks) {
      streams[stream_count] = timed.stream;
      if (timed.announced != decltype(timed.announced){}) {
        auto* const announced =
            make_array<std::uint16_t>(static_cast<unsigned>(timed.announced.size()));
        std::copy(timed.announced.begin(), timed.announced.end(), announced);
        streams[stream_count].announced = announced;
      }
      stream_of[i] = static_cast<std::uint8_t>(++stream_count);
    }
    if (i == 0) stall = static_cast<std::uint32_t>(timed.stalled - kOrigin);
    if (timed.access != 0 && asks == TimedBlock::kMost) {
      accesses[count++] = {static_cast<std::uint16_t>(timed.access - kOrigin),
                           static_cast<std::uint8_t>(i), nullptr};
    }
    queued[i] = static_cast<std::uint8_t>(timed.queued);
    any_queued |= timed.queued;
    if (timed.queued != 0 || timed.asks) block.ops[i].label = label(op, block.places[i], true);
  }
  if (asks != TimedBlock::kMost && asks != 0) {
    // The code before that access is a block too.
    if (block.cuts[asks] == nullptr) block.cuts[asks] = make(*block.page, block.first, asks);
    if (block.cuts[asks] != nullptr) return node_of(*block.cuts[asks], state);
  }
  const bool is_load = block.end == BlockEnd::kLoad;
  if (is_load || block.end == BlockEnd::kStore) {
    Timed access = timed;
    Pipeline pipeline = alone_;
    access.pipeline = &pipeline;
    time(access, block.source[block.body], Place::kL1, 0, 0, 0);
    if (access.asks) asks = 0;
    stall = static_cast<std::uint32_t>(access.stalled - kOrigin);
    if (is_load) queued[0] = static_cast<std::uint8_t>(access.queued);
    any_queued |= queued[0];
  }
  const unsigned outcomes = BlockNode::outcomes(block.end);
  auto* const node = new (allocate(sizeof(BlockNode) + outcomes * sizeof(BlockEdge))) BlockNode;
  for (unsigned i = 0; i < outcomes; ++i) new (node->edges() + i) BlockEdge;
  node->rare = new (allocate(sizeof(BlockNode::Rare))) BlockNode::Rare;
  BlockNode::Rare& rare = *node->rare;
  rare.block = &block;
  rare.state = state;
  rare.stall = stall;
  rare.behind = make_array<const PipelineState*>(outcomes);
  std::fill_n(rare.behind, outcomes, nullptr);
  node->seen = block.is_dead ? BlockNode::kDead : kUnseen;
  node->ops = translator_.is_on() ? &counting_ : block.ops.data();
  if (translator_.is_on()) node->translated = translator_.leave();
  node->last = block.last;
  node->pc = block.pc;
  node->count = static_cast<std::uint8_t>(block.count);
  node->activity = static_cast<std::uint8_t>(block.activity);
  node->is_backward = block.is_backward;
  if (count > 0) {
    node->last_access = accesses[count - 1].at;
    node->ahead = static_cast<std::uint16_t>(timed.ahead - kOrigin);
    rare.accesses = make_array<BlockNode::Access>(count);
    std::copy_n(accesses.begin(), count, rare.accesses);
    rare.access_count = count;
  }
  if (asks != TimedBlock::kMost) node->last_access = BlockNode::kAlways;
  if (any_queued != 0) {
    const unsigned operations = block.body + (is_load ? 1U : 0U);
    auto* const kept = make_array<std::uint8_t>(operations);
    std::copy_n(queued.begin(), operations, kept);
    rare.queued = kept;
  }
  if (stream_count != 0) {
    auto* const kept = make_array<StreamAccess>(stream_count);
    std::copy_n(streams.begin(), stream_count, kept);
    auto* const which = make_array<std::uint8_t>(block.body);
    std::copy_n(stream_of.begin(), block.body, which);
    rare.streams = kept;
    rare.stream_of = which;
  }
  return node;
}

BlockNode* BlockTimes::node_of(TimedBlock& block, const PipelineState* state) {
  const auto known = nodes_.find({&block, state});
  if (known != nodes_.end()) return known->second;
  BlockNode* const node = make_node(block, state);
  nodes_[{&block, state}] = node;
  return node;
}

BlockNode* BlockTimes::node_at(PredecodedCode::Page& page, Op* first, const PipelineState* state) {
  TimedBlock* const block = block_at(page, first);
  return block == nullptr ? nullptr : node_of(*block, state);
}

BlockNode* BlockTimes::enter(PredecodedCode::Page& page, Op* first, Cycle t, Cycle leave) {
  TimedBlock* const block = block_at(page, first);
  if (block == nullptr) return nullptr;
  PipelineState state;
  if (!s_.pipeline.save(t, leave, state, s_.stores)) return nullptr;
  return node_of(*block, remember(state));
}

BlockNode* BlockTimes::instead_of(const BlockNode& node) {
  const TimedBlock& block = *node.rare->block;
  return node_at(*block.page, block.first, node.rare->state);
}

BlockNode* BlockTimes::cut(BlockNode& node, unsigned access) {
  BlockNode::Access& at = node.rare->accesses[access];
  if (at.cut != nullptr && at.cut->seen != BlockNode::kDead) return at.cut;
  TimedBlock& block = *node.rare->block;
  TimedBlock*& cut = block.cuts[at.op];
  if (cut == nullptr) cut = make(*block.page, block.first, at.op);
  return at.cut = cut == nullptr ? nullptr : node_of(*cut, node.rare->state);
}

BlockNode* BlockTimes::part(BlockNode& node, unsigned count) {
  constexpr unsigned kWords = InstructionCache::kLineBytes / 4;
  BlockNode**& parts = node.rare->parts;
  if (parts == nullptr) parts = make_array<BlockNode*>(TimedBlock::kMost / kWords + 1);
  BlockNode*& known = parts[(count + kWords - 1) / kWords];
  if (known != nullptr && known->seen != BlockNode::kDead) return known;
  TimedBlock& block = *node.rare->block;
  TimedBlock*& cut = block.cuts[count];
  if (cut == nullptr) cut = make(*block.page, block.first, count);
  return known = cut == nullptr ? nullptr : node_of(*cut, node.rare->state);
}

BlockNode* BlockTimes::delayed(BlockNode& node, Cycle delay) {
  constexpr Cycle kMostKept = 16;
  if (delay == 0) return &node;
  BlockNode**& by_delay = node.rare->delayed;
  if (by_delay == nullptr) by_delay = make_array<BlockNode*>(kMostKept);
  BlockNode* other = nullptr;
  BlockNode*& known = delay < kMostKept ? by_delay[delay] : other;
  if (known != nullptr && known->seen != BlockNode::kDead) return known;
  Timed timed{.pipeline = &alone_};
  begin(timed, *node.rare->state);
  PipelineState state;
  Pipeline::StoreAddresses addresses;
  alone_.save(timed.t + delay, timed.leave, state, addresses);
  return known = node_of(*node.rare->block, remember(state));
}

BlockTimes::Target BlockTimes::target_of(const BlockNode& node, unsigned outcome,
                                         std::uint32_t to) const {
  const TimedBlock& block = *node.rare->block;
  const auto inside = [&](Op* op) { return Target{block.page, op, block.page->pc(op)}; };
  switch (block.end) {
    case BlockEnd::kFall:
      return inside(block.last);
    case BlockEnd::kDivide:
    case BlockEnd::kLoad:
    case BlockEnd::kStore:
      return inside(block.last + 1);
    case BlockEnd::kPageEnd:
      to = block.page->pc(block.last);
      break;
    case BlockEnd::kBranch:
      if ((outcome & BlockNode::kTaken) == 0) return inside(block.last + 1);
      [[fallthrough]];
    case BlockEnd::kJal:
      if (block.is_near) return inside(block.last + block.last->aux);
      to = static_cast<std::uint32_t>(block.last->imm);
      break;
    case BlockEnd::kJalr:
      break;
  }
  PredecodedCode::Page* const page = fetch_.page(to);
  return {page, page == nullptr ? nullptr : page->at(to), to};
}

void BlockTimes::find_out(BlockNode& node, unsigned outcome) {
  if (node.rare->behind[outcome] != nullptr) return;
  const TimedBlock& block = *node.rare->block;
  Timed timed{.pipeline = &alone_};
  begin(timed, *node.rare->state);
  for (unsigned i = 0; i < block.body; ++i) time(timed, block.source[i], block.places[i], 0, 0, 0);
  BlockEdge& edge = node.edges()[outcome];
  switch (block.end) {
    case BlockEnd::kFall:
    case BlockEnd::kPageEnd:
      break;
    case BlockEnd::kJal:
    case BlockEnd::kJalr:
    case BlockEnd::kBranch:
      time(timed, block.source[block.body], Place::kUnknown, 0, 0, 0);
      if ((outcome & BlockNode::kMispredicted) != 0) timed.t += s_.branches.penalty();
      break;
    case BlockEnd::kDivide:
      time(timed, block.source[block.body], Place::kUnknown, 0, 0, outcome);
      break;
    case BlockEnd::kLoad:
    case BlockEnd::kStore: {
      const unsigned kinds = block.end == BlockEnd::kLoad ? BlockNode::kQueue : 1;
      const Place place = outcome >= kinds ? Place::kLocal : Place::kL1;
      time(timed, block.source[block.body], place, 0, outcome % kinds, 0);
      if (place == Place::kL1) {
        edge.access = static_cast<std::uint16_t>(timed.access - kOrigin);
        edge.ahead = static_cast<std::uint16_t>(timed.ahead - kOrigin);
      }
      break;
    }
  }
  edge.elapsed = static_cast<std::uint32_t>(timed.t - kOrigin);
  PipelineState state;
  Pipeline::StoreAddresses addresses;
  alone_.save(timed.t, timed.leave, state, addresses);
  node.rare->behind[outcome] = remember(state);
}

void BlockTimes::stop_inside(const BlockNode& node, unsigned op, Cycle t) {
  const TimedBlock& block = *node.rare->block;
  // The last of its stores are still in the queue.
  unsigned stores = 0;
  for (unsigned i = 0; i < op; ++i) {
    stores += is_store(static_cast<Code>(block.source[i].code)) ? 1U : 0U;
  }
  Pipeline::StoreAddresses before = s_.stores;
  before.next -= stores;
  // Other cores were asked in the real pipeline.
  Pipeline pipeline = s_.pipeline.alone();
  Timed timed{.pipeline = &pipeline, .origin = t, .t = t};
  pipeline.restore(*node.rare->state, t, before, timed.leave);
  for (unsigned i = 0; i < op; ++i) {
    std::uint32_t address = 0;
    if (is_store(static_cast<Code>(block.source[i].code))) {
      address = s_.stores.newest(--stores);
      if (block.places[i] == Place::kL1) s_.activity |= ExecutionState::kDirty;
    } else if (block.places[i] == Place::kL1) {
      s_.activity |= ExecutionState::kLoaded;
    }
    time(timed, block.source[i], block.places[i], address, 0, 0);
  }
  s_.pipeline.go_on_as(pipeline);
  if (timed.ahead != 0) s_.ahead_until = timed.ahead;
  s_.executed += op;
  s_.time = timed.t;
  s_.leave = timed.leave;
  s_.page = block.page;
  s_.op = block.first + op;
  s_.pc = block.page->pc(s_.op);
  s_.deferred = nullptr;
  s_.node = nullptr;
}

}  // namespace tvp::riscv
