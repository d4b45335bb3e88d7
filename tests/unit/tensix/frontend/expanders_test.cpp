// MOP and replay expanders compared with a direct evaluation of the documented generators.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "foundation/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/frontend/frontend.h"

namespace tvp::tensix::coprocessor {
namespace {

namespace op = regs::tensix;
using Words = std::vector<std::uint32_t>;

bool is_nop(std::uint32_t word) { return word >> 24 == 0x02; }

/// ISA MOPExpander.md, functional model, as a list instead of a generator.
Words expand_template0(std::uint32_t mask, unsigned count1, const Words& cfg) {
  Words out;
  for (unsigned i = 0; i < count1 + 1; ++i, mask >>= 1) {
    if ((mask & 1) == 0) {
      out.push_back(cfg[3]);
      if (cfg[1] & 2) out.insert(out.end(), {cfg[4], cfg[5], cfg[6]});
      if (cfg[1] & 1) out.push_back(cfg[2]);
    } else {
      out.push_back(cfg[7]);
      if (cfg[1] & 1) out.push_back(cfg[8]);
    }
  }
  return out;
}

Words expand_template1(const Words& cfg) {
  Words out;
  int outer = static_cast<int>(cfg[0] & 127);
  int inner = static_cast<int>(cfg[1] & 127);
  std::uint32_t loop = cfg[5];
  const std::uint32_t flip = is_nop(cfg[6]) ? 0 : cfg[5] ^ cfg[6];
  if (!is_nop(cfg[6])) inner *= 2;
  if (outer == 1 && is_nop(cfg[2]) && inner == 0 && !is_nop(cfg[3])) outer += 128;
  for (int j = 0; j < outer; ++j) {
    if (!is_nop(cfg[2])) out.push_back(cfg[2]);
    for (int i = 0; i < inner; ++i) {
      if (i != inner - 1) {
        out.push_back(loop);
      } else {
        out.push_back(j != outer - 1 ? cfg[8] : cfg[7]);
      }
      loop ^= flip;
    }
    if (!is_nop(cfg[3])) {
      out.push_back(cfg[3]);
      if (!is_nop(cfg[4])) out.push_back(cfg[4]);
    }
  }
  return out;
}

Words expand(MopExpander& expander, std::uint32_t mop) {
  Words out;
  expander.start(mop);
  while (expander.expanding()) out.push_back(expander.take());
  return out;
}

Words configure(MopExpander& expander, const Words& cfg) {
  for (unsigned i = 0; i < 9; ++i) expander.set_config(i, cfg[i]);
  return cfg;
}

TEST(MopExpander, Template0OfTheDocumentation) {
  MopExpander expander;
  // Flags: B and A1..A3. Mask 0b010: the second iteration is skipped.
  configure(expander, {0, 3, 0xB0, 0xA0, 0xA1, 0xA2, 0xA3, 0x50, 0x5B});
  EXPECT_EQ(expand(expander, op::encode_mop(0, 2, 2)),
            (Words{0xA0, 0xA1, 0xA2, 0xA3, 0xB0, 0x50, 0x5B, 0xA0, 0xA1, 0xA2, 0xA3, 0xB0}));
}

TEST(MopExpander, Template0TakesItsHighMaskFromMopCfg) {
  MopExpander expander;
  const Words cfg = configure(expander, {0, 0, 0, 0xA0, 0, 0, 0, 0x50, 0});
  expander.set_mask_high(0x8001);
  EXPECT_EQ(expand(expander, op::encode_mop(0, 40, 3)), expand_template0(0x80010003, 40, cfg));
}

TEST(MopExpander, Template1LastInstructionsOverride) {
  MopExpander expander;
  configure(expander,
            {2, 3, op::encode_nop(), 0xE0, op::encode_nop(), 0x10, op::encode_nop(), 0x1F, 0x2F});
  EXPECT_EQ(expand(expander, op::encode_mop(1, 0, 0)),
            (Words{0x10, 0x10, 0x2F, 0xE0, 0x10, 0x10, 0x1F, 0xE0}));
}

TEST(MopExpander, Template1LongestExpansion) {
  MopExpander expander;
  configure(expander, {127, 127, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(expand(expander, op::encode_mop(1, 0, 0)).size(), 127U * (1 + 254 + 2));
}

TEST(MopExpander, Template1HardwareBugAdds128Iterations) {
  MopExpander expander;
  const std::uint32_t nop = op::encode_nop();
  configure(expander, {1, 0, nop, 0xE0, nop, 0x10, nop, 0x1F, 0x2F});
  EXPECT_EQ(expand(expander, op::encode_mop(1, 0, 0)), Words(129, 0xE0));
}

TEST(MopExpander, EmptyExpansionsEndAtOnce) {
  MopExpander expander;
  const std::uint32_t nop = op::encode_nop();
  configure(expander, {0, 3, nop, 0xE0, nop, 0x10, nop, 0x1F, 0x2F});
  EXPECT_TRUE(expand(expander, op::encode_mop(1, 0, 0)).empty());
  configure(expander, {5, 0, nop, nop, nop, 0x10, nop, 0x1F, 0x2F});
  EXPECT_TRUE(expand(expander, op::encode_mop(1, 0, 0)).empty());
}

TEST(MopExpander, RandomConfigurations) {
  std::mt19937 generator(7);
  const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
  MopExpander expander;
  for (int round = 0; round < 2000; ++round) {
    Words cfg(9);
    // A third of the slots is a NOP.
    for (auto& word : cfg) word = random() % 3 == 0 ? op::encode_nop() : random() >> 7;
    cfg[0] = random() % 6;
    cfg[1] = random() % 6;
    configure(expander, cfg);
    const std::uint32_t high = random() & 0xFFFF;
    const std::uint32_t low = random() & 0xFFFF;
    const unsigned count1 = random() % 128;
    expander.set_mask_high(high);
    EXPECT_EQ(expand(expander, op::encode_mop(0, count1, low)),
              expand_template0((high << 16) + low, count1, cfg));
    EXPECT_EQ(expand(expander, op::encode_mop(1, count1, low)), expand_template1(cfg));
  }
}

/// A frontend whose gate takes one instruction per cycle; `pushes[i]` is offered from cycle i on.
struct Trace {
  Words out;
  std::vector<Cycle> when;
};
Trace run(Frontend& frontend, const Words& pushes, Cycle cycles, bool gate_open = true) {
  Trace trace;
  std::size_t pushed = 0;
  for (Cycle now = 0; now < cycles; ++now) {
    if (gate_open && frontend.has_head()) {
      trace.out.push_back(frontend.head());
      trace.when.push_back(now);
      frontend.pop_head();
    }
    if (frontend.can_advance()) frontend.advance(now);
    // The core acts after the coprocessor within a cycle.
    if (pushed < pushes.size() && frontend.push_from_t(pushes[pushed])) ++pushed;
  }
  return trace;
}

TEST(Frontend, OneInstructionACycleAndThreeCyclesOfLatency) {
  Frontend frontend(16);
  const Trace trace = run(frontend, {0x10, 0x11, 0x12}, 20);
  EXPECT_EQ(trace.out, (Words{0x10, 0x11, 0x12}));
  // The first word is pushed at 0; expander at 1, replay at 2, gate at 3.
  EXPECT_EQ(trace.when, (std::vector<Cycle>{3, 4, 5}));
}

TEST(Frontend, MopIsFollowedByOneIdleCycleUnlessAnotherMopComes) {
  Frontend frontend(16);
  configure(frontend.mop_expander(), {0, 0, 0, 0xA0, 0, 0, 0, 0, 0});
  const std::uint32_t mop = op::encode_mop(0, 1, 0);  // two instructions
  const Trace trace = run(frontend, {mop, mop, 0x10, 0x11}, 30);
  EXPECT_EQ(trace.out, (Words{0xA0, 0xA0, 0xA0, 0xA0, 0x10, 0x11}));
  EXPECT_EQ(trace.when, (std::vector<Cycle>{3, 4, 5, 6, 8, 9}));
}

TEST(Frontend, MopCfgTakesACycleOfTheExpander) {
  Frontend frontend(16);
  const Trace trace = run(frontend, {0x10, op::encode_mop_cfg(1), 0x11}, 30);
  EXPECT_EQ(trace.out, (Words{0x10, 0x11}));
  EXPECT_EQ(trace.when, (std::vector<Cycle>{3, 5}));
}

TEST(Frontend, ReplayRecordsExecutesAndReplays) {
  Frontend frontend(32);
  const Trace trace = run(frontend,
                          {op::encode_replay(30, 3, 1, 1), 0x21, 0x22, 0x23,  // recorded, executed
                           op::encode_replay(1, 2, 0, 1), 0x31, 0x32,         // recorded only
                           op::encode_replay(30, 5, 0, 0), 0x40},
                          40);
  // Slots 30, 31, 0 hold 0x21..0x23; slots 1, 2 hold 0x31, 0x32.
  EXPECT_EQ(trace.out, (Words{0x21, 0x22, 0x23, 0x21, 0x22, 0x23, 0x31, 0x32, 0x40}));
  // The REPLAYs pushed at 0 and 4 emit nothing; the one of 7 emits in its own cycle, then 0x40.
  EXPECT_EQ(trace.when, (std::vector<Cycle>{4, 5, 6, 10, 11, 12, 13, 14, 15}));
}

TEST(Frontend, ReplayCountZeroIs32) {
  Frontend frontend(32);
  Words pushes{op::encode_replay(5, 0, 0, 1)};
  for (std::uint32_t i = 0; i < 32; ++i) pushes.push_back(0x100 + i);
  pushes.insert(pushes.end(), {op::encode_replay(6, 0, 0, 0), 0x40});
  const Trace trace = run(frontend, pushes, 150);
  ASSERT_EQ(trace.out.size(), 33U);
  EXPECT_EQ(trace.out[0], 0x101U);
  EXPECT_EQ(trace.out[31], 0x100U);
  EXPECT_EQ(trace.out[32], 0x40U);
}

TEST(Frontend, AReplayOfMoreThanThereArePlacesGoesToTheGateAsItIs) {
  Frontend frontend(32);
  const Words pushes{op::encode_replay(0, 33, 0, 1), 0x21, op::encode_replay(0, 63, 0, 0), 0x22};
  EXPECT_EQ(run(frontend, pushes, 20).out, pushes);
}

/// ISA REPLAY.md, functional model, for a list of instructions.
Words replayed(const Words& in) {
  Words out, buffer(32);
  for (std::size_t at = 0; at < in.size(); ++at) {
    if (in[at] >> 24 != 0x04) {
      out.push_back(in[at]);
      continue;
    }
    const std::uint32_t index = in[at] >> 14 & 31, field = in[at] >> 4 & 63;
    const std::uint32_t count = field == 0 ? 32 : field;
    const bool executes = (in[at] & 2) != 0, loads = (in[at] & 1) != 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t& place = buffer[(index + i) % 32];
      if (loads && at + 1 == in.size()) return out;
      if (loads) place = in[++at];
      if (!loads || executes) out.push_back(place);
    }
  }
  return out;
}

// MOPs that emit REPLAYs, which record the MOP's next words or play the buffer. Also recorded
// REPLAYs, and empty expansions in between.
TEST(Frontend, ExpandsReplaysThatMopsEmit) {
  std::mt19937 generator(11);
  const auto below = [&generator](std::uint32_t n) {
    return static_cast<std::uint32_t>(generator()) % n;
  };
  const auto instruction = [&] {
    switch (below(6)) {
      case 0:
        return op::encode_nop();
      case 1:
      case 2:
        return op::encode_replay(below(32), below(33), 0, 0);
      case 3:
        return op::encode_replay(below(32), 1 + below(6), below(2), 1);
      default:
        return 0x10000000 | below(1u << 24);
    }
  };
  unsigned longest = 0, empty = 0;
  for (int round = 0; round < 400; ++round) {
    Frontend frontend(32);
    Words cfg(9);
    for (auto& word : cfg) word = instruction();
    cfg[0] = below(4);
    cfg[1] = below(4);
    configure(frontend.mop_expander(), cfg);
    Words pushes, emitted;
    std::uint32_t high = 0;
    for (unsigned i = 0; i < 12; ++i) {
      const std::uint32_t low = below(1u << 16), count1 = below(6);
      switch (below(4)) {
        case 0: {
          pushes.push_back(op::encode_mop(0, count1, low));
          const Words all = expand_template0((high << 16) + low, count1, cfg);
          emitted.insert(emitted.end(), all.begin(), all.end());
          break;
        }
        case 1: {
          pushes.push_back(op::encode_mop(1, count1, low));
          const Words all = expand_template1(cfg);
          emitted.insert(emitted.end(), all.begin(), all.end());
          empty += all.empty() ? 1 : 0;
          break;
        }
        case 2:
          high = below(1u << 16);
          pushes.push_back(op::encode_mop_cfg(high));
          break;
        default:
          pushes.push_back(instruction());
          emitted.push_back(pushes.back());
      }
    }
    const Words expected = replayed(emitted);
    ASSERT_EQ(run(frontend, pushes, 40 * emitted.size() + 200).out, expected) << "round " << round;
    ASSERT_TRUE(frontend.mop_done());
    longest = std::max(longest, static_cast<unsigned>(expected.size()));
  }
  EXPECT_GT(longest, 500u);
  EXPECT_GT(empty, 20u);
}

TEST(Frontend, ClosedGateFillsTheFifosAndThenTheCoreWaits) {
  for (const unsigned depth : {32U, 16U}) {
    Frontend frontend(depth);
    run(frontend, Words(100, 0x10), 200, false);
    EXPECT_EQ(frontend.queued_before_gate(), 2U);
    EXPECT_EQ(frontend.queued_before_replay(), 8U);
    EXPECT_EQ(frontend.queued_before_mop(), depth);
    EXPECT_FALSE(frontend.push_from_t(0x11));
    EXPECT_FALSE(frontend.can_advance());
    bool collided = false;
    EXPECT_FALSE(frontend.push_from_b(0x12, 1000, collided));
    EXPECT_FALSE(collided);
  }
}

TEST(Frontend, BEntersBehindTheMopExpander) {
  Frontend frontend(32);
  bool collided = false;
  ASSERT_TRUE(frontend.push_from_b(0x10, 0, collided));
  frontend.advance(1);
  EXPECT_TRUE(frontend.has_head());
  // The instruction of B that collides with one of the T core at the mux is lost.
  ASSERT_TRUE(frontend.push_from_t(0x20));
  frontend.advance(2);
  ASSERT_TRUE(frontend.push_from_b(0x11, 2, collided));
  EXPECT_TRUE(collided);
  frontend.pop_head();
  frontend.advance(3);
  EXPECT_EQ(frontend.head(), 0x11U);
  EXPECT_EQ(frontend.queued_before_replay(), 0U);
}

TEST(Frontend, MopDoneCountsQueuedAndExpandingMops) {
  Frontend frontend(32);
  configure(frontend.mop_expander(), {0, 0, 0, 0xA0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(frontend.mop_done());
  frontend.push_from_t(op::encode_mop(0, 1, 0));
  EXPECT_FALSE(frontend.mop_done());
  frontend.advance(1);
  EXPECT_FALSE(frontend.mop_done());
  EXPECT_TRUE(frontend.advance(2));
  EXPECT_TRUE(frontend.mop_done());
  EXPECT_FALSE(frontend.empty());
}

/// Each word keeps the place of its push, however often the same word is pushed.
TEST(Frontend, KnowsWhereWhatIsAtTheGateWasPushed) {
  Frontend frontend(32);
  const std::uint32_t nop = op::encode_nop();
  configure(frontend.mop_expander(), {2, 1, 0xA0, nop, nop, 0xA1, nop, 0xA1, 0xA1});
  const std::uint32_t mop = op::encode_mop(1, 0, 0);
  const std::uint32_t record = op::encode_replay(0, 2, 0, 1);
  const std::uint32_t replay = op::encode_replay(0, 2, 0, 0);
  std::uint32_t pc = 0x100;
  for (const std::uint32_t word :
       {0x10U, 0x10U, mop, 0x10U, mop, mop, record, 0x11U, 0x12U, replay, 0x11U, replay}) {
    ASSERT_TRUE(frontend.push_from_t(word, pc));
    pc += 4;
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (Cycle now = 0; now < 200; ++now) {
    if (frontend.has_head() && now % 3 == 0) {
      seen.emplace_back(frontend.pushed_head().instruction, frontend.pushed_head().pc);
      frontend.pop_head();
    }
    if (frontend.can_advance()) frontend.advance(now);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {{0x10, 0x100}, {0x10, 0x104}};
  const auto expands = [&](std::uint32_t at) {
    for (unsigned i = 0; i < 2; ++i) {
      expected.emplace_back(0xA0, at);
      expected.emplace_back(0xA1, at);
    }
  };
  expands(0x108);
  expected.emplace_back(0x10, 0x10C);
  expands(0x110);
  expands(0x114);
  expected.insert(expected.end(),
                  {{0x11, 0x124}, {0x12, 0x124}, {0x11, 0x128}, {0x11, 0x12C}, {0x12, 0x12C}});
  EXPECT_EQ(seen, expected);
  // Places of core B's words are unknown.
  bool collided = false;
  ASSERT_TRUE(frontend.push_from_b(0x13, 200, collided));
  frontend.advance(201);
  EXPECT_EQ(frontend.pushed_head().pc, 0U);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
