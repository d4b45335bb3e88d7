// A core's interfaces: direct memory that is granted and revoked, debuggers that change its pc,
// observers of every access, and the ends of its memories.
#include <gtest/gtest.h>

#include "tests/unit/riscv/assembler.h"
#include "tests/unit/riscv/core_bench.h"

namespace tvp::riscv::core_seams_test {
namespace {

using namespace assembler;
using support::Cycle;

constexpr std::uint32_t kL1Bytes = 64 * 1024;
constexpr std::uint32_t kIramBytes = 16 * 1024;
constexpr std::uint32_t kLocalBytes = 4096;
constexpr std::uint32_t kData = 0x2000;

struct World {
  CoreConfig config;
  CoreConfig other_latency;
  bench::RecordFaults faults;
  bench::Tile tile{"tile", kL1Bytes};
  bench::Tile latencies{"latencies", kL1Bytes};
  World() {
    for (CoreConfig* plain : {&config, &other_latency}) plain->instruction_cache.set("off");
    tile.add_core({support::BusMaster::kNc, "", kLocalBytes, kIramBytes}, config, faults);
    latencies.add_core({support::BusMaster::kB, "", kLocalBytes, 0}, other_latency, faults);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

class CoreSeams : public ::testing::Test {
 protected:
  static World& world() {
    static World w;
    return w;
  }
  void SetUp() override {
    core_.assert_reset(0);
    world().faults.texts.clear();
    std::fill(tile_.l1.begin(), tile_.l1.end(), std::uint8_t{0});
  }
  /// Ends with a load from the empty FIFO.
  static std::vector<Word> with_end(std::vector<Word> code) {
    code.push_back(lui(28, bench::Tile::kFifo));
    code.push_back(lw(0, 0, 28));
    return code;
  }
  void start(const std::vector<Word>& code) {
    tile_.load(0, with_end(code));
    core_.release_reset(0, 0);
  }
  void run(const std::vector<Word>& code) {
    start(code);
    tile_.run();
  }

  bench::Tile& tile_ = world().tile;
  Core& core_ = *tile_.cores[0];
  const std::vector<std::string>& faults_ = world().faults.texts;
};

// ---- Direct memory ------------------------------------------------------------------------------

constexpr unsigned kRounds = 20;
constexpr unsigned kAccessesPerRound = 3;

/// Decrements a word of L1 and adds to another one.
std::vector<Word> counts_in_l1() {
  return {lui(20, kData), addi(5, 0, kRounds), sw(5, 0, 20),   lw(5, 0, 20),  addi(5, 5, -1),
          sb(5, 8, 20),   sw(5, 0, 20),        bne(5, 0, -16), lhu(6, 8, 20), add(7, 6, 5)};
}
constexpr unsigned kAccesses = 1 + kAccessesPerRound * kRounds + 1;

// A target may revoke direct memory at any time (IEEE 1666 11.2.5). Accesses then use the socket at
// the same cycles until it is granted again.
TEST_F(CoreSeams, DirectMemoryComesAndGoes) {
  run(counts_in_l1());
  ASSERT_EQ(core_.state(), CoreState::kBlocked);
  const Cycle direct_time = core_.time();
  const std::vector<std::uint8_t> direct_l1 = tile_.l1;

  std::uint64_t before = tile_.accesses;
  tile_.take_direct_memory_back();
  run(counts_in_l1());
  EXPECT_EQ(tile_.accesses - before, kAccesses + 1);  // and the FIFO
  EXPECT_EQ(core_.time(), direct_time);
  EXPECT_EQ(tile_.l1, direct_l1);

  // Granted again: the first access learns it, and the others are direct.
  tile_.direct = true;
  core_.assert_reset(0);
  before = tile_.accesses;
  run(counts_in_l1());
  EXPECT_LE(tile_.accesses - before, 2U);
  EXPECT_EQ(core_.time(), direct_time);

  // In the middle of the program.
  core_.assert_reset(0);
  before = tile_.accesses;
  start(counts_in_l1());
  tile_.run(direct_time / 2);
  tile_.take_direct_memory_back();
  tile_.run();
  EXPECT_GT(tile_.accesses - before, kAccesses / 3);
  EXPECT_LT(tile_.accesses - before, kAccesses);
  EXPECT_EQ(core_.time(), direct_time);
  EXPECT_EQ(tile_.l1, direct_l1);

  tile_.direct = true;
  core_.assert_reset(0);
  run(counts_in_l1());
  before = tile_.accesses;
  // Direct memory other than L1 needs no invalidation.
  tile_.slots[0]->socket->invalidate_direct_mem_ptr(kL1Bytes, 0xFFFFFFFF);
  run(counts_in_l1());
  EXPECT_EQ(tile_.accesses - before, 1U);
}

// ---- The ends of memories -----------------------------------------------------------------------

TEST_F(CoreSeams, DebugAccessesEndWhereMemoriesEnd) {
  const struct {
    const char* what;
    std::uint32_t base, bytes;
  } kMemories[] = {{"L1", 0, kL1Bytes},
                   {"local data RAM", Core::kLocalBase, kLocalBytes},
                   {"instruction RAM", PredecodedCode::kIramBase, kIramBytes}};
  for (const auto& m : kMemories) {
    SCOPED_TRACE(m.what);
    std::vector<std::uint8_t> bytes(2 * m.bytes, 0xA5);
    EXPECT_TRUE(core_.debug_write(m.base, bytes.data(), m.bytes));
    std::vector<std::uint8_t> back(2 * m.bytes, 0);
    EXPECT_TRUE(core_.debug_read(m.base, back.data(), m.bytes));
    EXPECT_TRUE(std::equal(back.begin(), back.begin() + m.bytes, bytes.begin()));
    const struct {
      std::uint32_t offset, count;
      bool inside;
    } kRanges[] = {{m.bytes - 4, 4, true},  {m.bytes - 1, 1, true},  {m.bytes - 4, 8, false},
                   {m.bytes - 2, 4, false}, {m.bytes - 1, 2, false}, {4, m.bytes, false},
                   {m.bytes, 1, false},     {0, m.bytes + 1, false}};
    for (const auto& r : kRanges) {
      EXPECT_EQ(core_.debug_read(m.base + r.offset, back.data(), r.count), r.inside)
          << r.offset << " " << r.count;
      EXPECT_EQ(core_.debug_write(m.base + r.offset, bytes.data(), r.count), r.inside)
          << r.offset << " " << r.count;
    }
  }
}

// ---- Debuggers ----------------------------------------------------------------------------------

/// Changes the pc when the core reaches `at`, from a breakpoint or as an observer.
class Sender : public CoreObserver, public BreakpointListener {
 public:
  Sender(Core& core, Word at, Word to) : core_(core), at_(at), to_(to) {}
  void at_breakpoint(Core& core) override { core.set_pc(to_); }
  bool stop_before(const Core&, Word pc) override {
    if (pc == at_) core_.set_pc(to_);
    return false;
  }
  void committed(const Core&, const Commit& c) override { pcs.push_back(c.pc); }
  std::vector<Word> pcs;

 private:
  Core& core_;
  Word at_, to_;
};

TEST_F(CoreSeams, ADebuggerSendsTheCoreElsewhere) {
  constexpr Word kAt = 4;
  const struct {
    Word to;
    const char* fault;  ///< null: there is code
  } kRows[] = {{0x100, nullptr},
               {PredecodedCode::kIramBase + 0x40, nullptr},
               {0x102, "instruction fetch from 0x00000102"},
               {0x101, "instruction fetch from 0x00000101"},
               {0xFFD00000, "instruction fetch from 0xffd00000"}};
  for (const bool observing : {false, true}) {
    for (const auto& row : kRows) {
      SCOPED_TRACE((observing ? "observer " : "breakpoint ") + std::to_string(row.to));
      SetUp();
      Sender sender(core_, kAt, row.to);
      const std::vector<Word> there = with_end({addi(6, 0, 7)});
      ASSERT_TRUE(row.fault != nullptr || core_.debug_write(row.to, there.data(), 12));
      start({addi(5, 0, 1), addi(5, 0, 2), addi(5, 0, 3)});
      core_.hooks().set_breakpoint_listener(&sender);
      if (observing)
        core_.hooks().set_observer(&sender);
      else
        core_.insert_breakpoint(kAt);
      tile_.run();
      core_.hooks().set_observer(nullptr);
      core_.remove_breakpoint(kAt);
      EXPECT_EQ(core_.reg(5), 1U);
      if (row.fault == nullptr) {
        EXPECT_EQ(core_.reg(6), 7U);
        EXPECT_EQ(core_.state(), CoreState::kBlocked);
        EXPECT_TRUE(faults_.empty());
        if (observing) {
          EXPECT_EQ(sender.pcs, (std::vector<Word>{0, row.to, row.to + 4}));
        }
      } else {
        EXPECT_EQ(core_.state(), CoreState::kHung);
        ASSERT_EQ(faults_.size(), 1U);
        EXPECT_NE(faults_[0].find(row.fault), std::string::npos) << faults_[0];
      }
    }
  }
}

struct HitCounter : BreakpointListener {
  unsigned hits = 0;
  void at_breakpoint(Core&) override { ++hits; }
};

TEST_F(CoreSeams, ABreakpointIsMetUntilItIsRemoved) {
  HitCounter listener;
  core_.hooks().set_breakpoint_listener(&listener);
  // Before the word is fetched for the first time, and afterwards.
  for (const bool fetched : {false, true}) {
    start({addi(5, 5, 1), addi(6, 6, 1), lw(7, 0x1F0, 20), jal(0, -12)});
    listener.hits = 0;
    if (fetched) tile_.run(1000);
    core_.insert_breakpoint(4);
    core_.insert_breakpoint(4);
    tile_.run(2000);
    EXPECT_GT(listener.hits, 10U);
    core_.remove_breakpoint(4);
    const unsigned hits = listener.hits;
    tile_.run(4000);
    EXPECT_EQ(listener.hits, hits);
    SetUp();
  }
  core_.hooks().set_breakpoint_listener(nullptr);
}

TEST_F(CoreSeams, ASleepingPollIsExecutedForWhoeverStops) {
  start({lw(5, 0x700, 0), beq(5, 0, -4)});
  tile_.run(50'000);
  ASSERT_EQ(core_.state(), CoreState::kSleepingOnPoll);
  const std::uint64_t slept = core_.slept_instructions(50'000);
  core_.execute_poll(50'000);
  EXPECT_EQ(core_.state(), CoreState::kRunning);
  EXPECT_EQ(core_.slept_instructions(50'000), slept);
  tile_.run(50'010);
  EXPECT_GE(core_.time(), 50'000U);
  EXPECT_LE(core_.time(), 50'100U);
}

// ---- Who wants to be told -----------------------------------------------------------------------

struct InstructionCounter : CoreObserver {
  std::uint64_t told = 0;
  void committed(const Core&, const Commit&) override { ++told; }
};
struct AccessCounter : support::Probe::Listener {
  std::uint64_t told = 0;
  void on(const support::ProbeEvent&) override { ++told; }
};

// Neither a poll nor a counting loop is slept through while an observer wants to see it.
TEST_F(CoreSeams, LoopsAreExecutedForWhoeverWantsToBeTold) {
  constexpr Cycle kEnd = 50'000;
  InstructionCounter instructions;
  AccessCounter accesses;
  const std::vector<Word> counting{lui(2, Core::kLocalBase), lw(5, 0, 2), addi(5, 5, 1),
                                   sw(5, 0, 2), jal(0, -12)};
  const std::vector<Word> polling{lw(5, 0x700, 0), beq(5, 0, -4)};
  enum Who { kNobody, kLockstep, kObserver, kMemoryObserver };
  for (const auto* program : {&counting, &polling}) {
    for (const Who who : {kNobody, kLockstep, kObserver, kMemoryObserver, kNobody}) {
      SCOPED_TRACE((program == &counting ? "counting " : "polling ") + std::to_string(who));
      SetUp();
      instructions.told = accesses.told = 0;
      core_.set_counting_sleep(true);
      core_.set_poll_sleep(who != kLockstep);
      core_.hooks().set_observer(who == kObserver ? &instructions : nullptr);
      core_.set_memory_observer(who == kMemoryObserver ? &accesses : nullptr);
      const std::uint64_t slept = core_.slept_instructions(0);
      const std::uint64_t executed = core_.executed_instructions();
      start(*program);
      // In many runs, since a core looks for counting loops only from time to time.
      for (Cycle end = 100; end <= kEnd; end += 100) tile_.run(end);
      tile_.scheduler.catch_up(kEnd, 0);
      const std::uint64_t done = core_.executed_instructions() - executed;
      // The memory observer decides whether it sees polls; it always sees stores.
      const bool sleeps = who == kNobody || (who == kMemoryObserver && program == &polling);
      if (sleeps) {
        EXPECT_GT(core_.slept_instructions(kEnd) - slept, 100U);
      } else {
        EXPECT_EQ(core_.slept_instructions(kEnd) - slept, 0U);
        EXPECT_GT(done, 1000U);
      }
      if (who == kObserver) {
        EXPECT_GE(instructions.told + 1, done);
      }
      if (who == kMemoryObserver && program == &counting) {
        EXPECT_GT(accesses.told, done / 3);
      }
      core_.assert_reset(kEnd);
      core_.hooks().set_observer(nullptr);
      core_.set_memory_observer(nullptr);
      core_.set_poll_sleep(true);
      core_.set_counting_sleep(false);
    }
  }
}

// ---- Times, for every latency -------------------------------------------------------------------

// MemoryOrdering.md: instructions leave the load/store unit in order, one per cycle. A result is
// available when its instruction enters that unit or when it leaves. A load that enters in cycle 0
// leaves in cycle L. The addi after it enters the unit in cycle 2 and leaves in L + 1, or in 3
// without a load. k instructions later, cycle 2 + k needs its result.
TEST_F(CoreSeams, ResultsBehindALoadOfAnyLatency) {
  bench::Tile& tile = world().latencies;
  Core& core = *tile.cores[0];
  for (unsigned latency = 2; latency <= 24; ++latency) {
    for (unsigned k = 0; k <= 5; ++k) {
      for (const bool local : {false, true}) {
        CoreConfig& config = world().other_latency;
        (local ? config.local_load_latency : config.l1_load_latency).set(std::to_string(latency));
        std::vector<Word> program{lw(5, 0, local ? 23 : 20), addi(6, 0, 1)};
        program.insert(program.end(), k, nop());
        program.push_back(addi(7, 6, 1));
        program.push_back(lw(0, 0, 21));
        tile.load(0, program);
        core.assert_reset(0);
        core.release_reset(0, 0);
        core.set_reg(20, kData);
        core.set_reg(21, bench::Tile::kFifo);
        core.set_reg(23, Core::kLocalBase);
        tile.run();
        const Cycle entered = k == 0 ? 2 : std::max(2 + k, latency + 1);
        EXPECT_EQ(core.time(), entered + 1) << "latency " << latency << ", " << k << " between";
      }
    }
  }
}

}  // namespace
}  // namespace tvp::riscv::core_seams_test
